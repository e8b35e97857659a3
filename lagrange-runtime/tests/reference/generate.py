"""Reference solutions of constrained systems, to 50 digits.

    python -m venv venv && venv/bin/pip install mpmath
    venv/bin/python generate.py > kkt.txt

Each case is a line `case <name> <coordinates> <constraints>`, followed by the lower triangle of M row
by row, the rows of J, f, gamma, and the exact solution a, lambda of

    M a = f + J^T lambda,    J a = gamma

for the double-precision numbers as printed. The solution is printed with 25 digits.
"""

import random

from mpmath import cos, lu_solve, matrix, mp, mpf, nstr, sin

mp.dps = 50
random.seed(20250101)


def uniform():
    return random.uniform(-1, 1)


def gram(rank, n, shift=0.0):
    b = [[uniform() for _ in range(rank)] for _ in range(n)]
    return [
        [sum(x * y for x, y in zip(b[i], b[k])) + (shift if i == k else 0.0) for k in range(n)]
        for i in range(n)
    ]


def diagonal(entries):
    n = len(entries)
    return [[entries[i] if i == k else 0.0 for k in range(n)] for i in range(n)]


def rows(c, n):
    return [[uniform() for _ in range(n)] for _ in range(c)]


def vector(n):
    return [uniform() for _ in range(n)]


def scaled(m, j, coordinate_range, row_range):
    """M and J in other units: powers of ten between the given ones and their reciprocals."""
    n = len(m)
    d = [10.0 ** random.uniform(-coordinate_range, coordinate_range) for _ in range(n)]
    e = [10.0 ** random.uniform(-row_range, row_range) for _ in j]
    m = [[m[i][k] * d[i] * d[k] for k in range(n)] for i in range(n)]
    j = [[x * y * e[r] for x, y in zip(row, d)] for r, row in enumerate(j)]
    return m, j


def four_bar(angle, lengths=(1.0, 2.0, 2.0), masses=(1.0, 1.0, 1.0)):
    """A closed chain of three thin rods, with their absolute angles as coordinates.

    At `angle` = 0 all rods lie on one line and the constraints are dependent.
    """
    phi = [mpf(angle), mpf(angle) / 2, -mpf(angle)]
    m = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        beyond = sum(masses[i + 1:])
        m[i][i] = (masses[i] / 3 + beyond) * lengths[i] ** 2
        for k in range(i):
            coupling = (masses[i] / 2 + sum(masses[i + 1:])) * lengths[i] * lengths[k]
            m[i][k] = m[k][i] = float(coupling * cos(phi[i] - phi[k]))
    j = [
        [float(-l * sin(p)) for l, p in zip(lengths, phi)],
        [float(l * cos(p)) for l, p in zip(lengths, phi)],
    ]
    return m, j


def quaternion_body(q, inertia):
    """M = 4 E^T I E of a rigid body turned by the unit quaternion q, and the norm constraint."""
    q0, q1, q2, q3 = q
    e = [[-q1, q0, q3, -q2], [-q2, -q3, q0, q1], [-q3, q2, -q1, q0]]
    m = [
        [4 * sum(inertia[r] * e[r][i] * e[r][k] for r in range(3)) for k in range(4)]
        for i in range(4)
    ]
    return m, [[2 * x for x in q]]


def chain(masses):
    """Particles on a line of rods in the plane: distance constraints between neighbours."""
    points = [(0.0, 0.0)]
    for _ in masses:
        angle = random.uniform(-1.0, 1.0)
        points.append((points[-1][0] + float(sin(angle)), points[-1][1] - float(cos(angle))))
    j = []
    for i in range(len(masses)):
        row = [0.0] * (2 * len(masses))
        for axis in range(2):
            difference = points[i + 1][axis] - points[i][axis]
            row[2 * i + axis] += 2 * difference
            if i > 0:
                row[2 * i - 2 + axis] -= 2 * difference
        j.append(row)
    return diagonal([mass for mass in masses for _ in range(2)]), j


def solve(m, j, f, gamma):
    n, c = len(m), len(j)
    k = matrix(n + c, n + c)
    for i in range(n):
        for l in range(n):
            k[i, l] = mpf(m[max(i, l)][min(i, l)])
    for r in range(c):
        for i in range(n):
            k[i, n + r] = -mpf(j[r][i])
            k[n + r, i] = mpf(j[r][i])
    mp.dps = 120
    solution = lu_solve(k, matrix([mpf(x) for x in f + gamma]))
    mp.dps = 50
    return solution[:n], solution[n:]


def emit(name, m, j, f=None, gamma=None):
    n, c = len(m), len(j)
    f = f or vector(n)
    gamma = gamma or vector(c)
    a, multipliers = solve(m, j, f, gamma)
    print("case", name, n, c)
    for i in range(n):
        print(*(repr(float(m[i][k])) for k in range(i + 1)))
    for row in j:
        print(*(repr(float(x)) for x in row))
    print(*(repr(x) for x in f))
    print(*(repr(x) for x in gamma))
    print(*(nstr(x, 25) for x in a))
    print(*(nstr(x, 25) for x in multipliers))


for n, c in [(2, 1), (4, 1), (6, 3), (8, 8)]:
    emit("definite", gram(n, n, 0.1), rows(c, n))
for c in [1, 3, 6]:
    emit("graded", *scaled(gram(6, 6, 0.1), rows(c, 6), 3.0, 4.0))
emit("chain", *chain([1e-6, 1e6, 1.0]))
emit("chain", *chain([1e6, 1e-6, 1e6]))
emit("chain", *chain([1e-6, 1e-3, 1.0, 1e3]))
for angle in [0.5, 1e-2, 1e-4, 1e-6]:
    emit("four_bar", *four_bar(angle))
emit("four_bar", *four_bar(1e-4, masses=(1e-6, 1.0, 1e6)))

root = 0.5 ** 0.5
for q in [(0.5, 0.5, 0.5, 0.5), (1.0, 0.0, 0.0, 0.0), (root, 0.0, -root, 0.0), (1.0, 1e-9, 0.0, 0.0)]:
    emit("quaternion", *quaternion_body(q, (1.0, 2.0, 2.5)))
emit("quaternion", *quaternion_body((0.36, 0.48, -0.48, 0.64), (1e-6, 1.0, 1e3)))

emit("massless", diagonal([2.0, 0.0]), [[-1.0, 1.0]])
emit("massless", diagonal([2.0, 0.0]), [[-1e10, 1.0]])
emit("massless", diagonal([2.0, 0.0]), [[-1e-10, 1.0]])
emit("massless", diagonal([1e-6, 1e6, 0.0, 0.0]), rows(2, 4))
emit("deficient", gram(4, 6), rows(3, 6))
emit("deficient", *scaled(gram(4, 6), rows(3, 6), 3.0, 3.0))
indefinite = [[1.0, 2.0, 0.5], [2.0, -1.0, 0.25], [0.5, 0.25, 0.0]]
emit("indefinite", indefinite, rows(1, 3))

for difference in [1e-3, 1e-5, 1e-7, 1e-9]:
    j = rows(3, 6)
    j[2] = [j[0][i] + j[1][i] + difference * j[2][i] for i in range(6)]
    emit("nearly_dependent", gram(6, 6, 0.1), j)
    graded, j = chain([1e-6, 1e6, 1.0])
    j[2] = [j[0][i] + j[1][i] + difference * uniform() for i in range(6)]
    emit("nearly_dependent_graded", graded, j)
