"""Reference solutions of algebraic Riccati equations, and collections of hard ones.

    python -m venv venv && venv/bin/pip install mpmath==1.3.0 scipy==1.17.1 pytest
    venv/bin/python lqr.py

writes

- `lqr.txt`: 200 random systems in continuous time and 200 in discrete time. A line holds `continuous` or `discrete`, the
  numbers of states and inputs, A and B row by row, the lower triangles of Q and R, and that of SciPy's solution X after
  two steps of Newton's method in 40 digits;
- `riccati.txt`: the collections CAREX and DAREX (P. Benner, A. J. Laub and V. Mehrmann, technical reports SPC 95_22 and
  95_23, TU Chemnitz-Zwickau, 1995) from SciPy's tests, but for the cases of 100 states and more. A case is a line
  `case <name> <states> <inputs>` and four lines for A, B, Q and R, with `row column value` of each entry that is not 0.
"""

import random

import numpy as np
from mpmath import eye, lu_solve, matrix, mp
from scipy.linalg import solve_continuous_are, solve_discrete_are
from scipy.linalg.tests import test_solvers

mp.dps = 40
random.seed(20250301)


def short(rows, columns):
    """Entries that are exact in few digits, as are products of two of them."""
    return np.array([[random.randint(-16, 16) / 8 for _ in range(columns)] for _ in range(rows)])


def draw(time):
    n = random.randint(1, 6)
    k = random.randint((n + 1) // 2, min(n, 3))
    a, b, c, d = short(n, n), short(n, k), short(random.randint(1, n), n), short(k, k)
    if time == "discrete":
        a = a / 2
    return a, b, c.T @ c, d @ d.T + np.eye(k)


def polished(time, a, b, q, r, x):
    """Newton's method after Kleinman (continuous time) and Hewer (discrete time)."""
    a, b, q, r, x = (matrix(m.tolist()) for m in (a, b, q, r, x))
    n = a.rows
    for _ in range(2):
        weight = r if time == "continuous" else r + b.T * x * b
        reached = b.T * x if time == "continuous" else b.T * x * a
        gain = lu_solve(weight, reached) if reached.cols == 1 else mp.inverse(weight) * reached
        c = a - b * gain
        # The equation C^T X + X C = -rest or C^T X C - X = -rest, row by row of X.
        rest = q + gain.T * r * gain
        system, right = matrix(n * n), matrix(n * n, 1)
        for i in range(n):
            for j in range(n):
                right[i * n + j] = -rest[i, j]
                for k in range(n):
                    if time == "continuous":
                        system[i * n + j, k * n + j] += c[k, i]
                        system[i * n + j, i * n + k] += c[k, j]
                    else:
                        for l in range(n):
                            system[i * n + j, k * n + l] += c[k, i] * c[l, j]
                if time == "discrete":
                    system[i * n + j, i * n + j] -= 1
        flat = lu_solve(system, right)
        x = matrix([[flat[i * n + j] for j in range(n)] for i in range(n)])
    return np.array(x.tolist(), dtype=float)


def triangle(m):
    return [m[i, j] for i in range(len(m)) for j in range(i + 1)]


def write_random():
    solvers = {"continuous": solve_continuous_are, "discrete": solve_discrete_are}
    with open("lqr.txt", "w") as file:
        for time, solver in solvers.items():
            furthest = 0
            written = 0
            while written < 200:
                a, b, q, r = draw(time)
                try:
                    by_scipy = solver(a, b, q, r)
                except np.linalg.LinAlgError:
                    continue  # No feedback stabilises it.
                written += 1
                x = polished(time, a, b, q, r, by_scipy)
                furthest = max(furthest, abs(x - by_scipy).max() / (abs(x).max() or 1))
                numbers = [*a.flatten(), *b.flatten(), *triangle(q), *triangle(r), *triangle(x)]
                text = (repr(float(number)).removesuffix(".0") for number in numbers)
                print(time, *b.shape, *text, file=file)
            print(f"{time}: SciPy is off by up to {furthest:.1e} of the largest entry")


def write_collections():
    collections = {
        "carex": (test_solvers.TestSolveContinuousAre.cases, 0),
        # SciPy has three complex cases and one of its own before them.
        "darex": (test_solvers.TestSolveDiscreteAre.cases, 4),
    }
    with open("riccati.txt", "w") as file:
        for name, (cases, first) in collections.items():
            for number, case in enumerate(cases[first:], 1):
                a, b, q, r = (np.atleast_2d(m).astype(float) for m in case[:4])
                if len(a) >= 100:
                    continue
                print("case", f"{name}_{number}", *b.shape, file=file)
                for m in (a, b, q, r):
                    entries = ((i, j, float(m[i, j])) for i, j in zip(*np.nonzero(m)))
                    print(*(f"{i} {j} {value!r}".removesuffix(".0") for i, j, value in entries), file=file)


write_random()
write_collections()
