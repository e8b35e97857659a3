"""The pole of a cart swings up in 2 s with the least effort: the integral of u^2."""

import casadi as ca
import numpy as np


def swing_up(intervals=15, degree=3):
    """By collocation at Gauss points: the effort, the forces and the states at the ends of the intervals."""
    f = ca.external("cart_pole_state_derivative", "./cart_pole.so")
    h, parameters = 2 / intervals, [1, 0.3, 0.5, 9.81]
    C, D, B = ca.collocation_coeff(ca.collocation_points(degree, "legendre"))
    problem = ca.Opti()
    states, forces = problem.variable(4, intervals + 1), problem.variable(degree, intervals)
    for k in range(intervals):
        inner = problem.variable(4, degree)
        points = ca.horzcat(states[:, k], inner)
        rates = [f(inner[:, j], forces[j, k], parameters) for j in range(degree)]
        problem.subject_to(points @ C == h * ca.horzcat(*rates))
        problem.subject_to(points @ D == states[:, k + 1])
        problem.set_initial(inner, ca.repmat(ca.DM([k / intervals, np.pi * (1 - k / intervals), 0, 0]), 1, degree))
    problem.subject_to(states[:, 0] == [0, ca.pi, 0, 0])
    problem.subject_to(states[:, -1] == [1, 0, 0, 0])
    problem.set_initial(states, np.outer([1, -np.pi, 0, 0], np.linspace(0, 1, intervals + 1)) + [[0], [np.pi], [0], [0]])
    effort = h * ca.sum2(B.T @ forces**2)
    problem.minimize(effort)
    problem.solver("ipopt", {"print_time": False}, {"hessian_approximation": "limited-memory", "print_level": 0, "tol": 1e-9})
    found = problem.solve()
    return found.value(effort), found.value(forces), found.value(states)


def plot(forces, states, path):
    """The force and the states over time."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    degree, intervals = forces.shape
    ends = np.linspace(0, 2, intervals + 1)
    points = (ends[:-1, None] + 2 / intervals * np.array(ca.collocation_points(degree, "legendre"))).ravel()
    figure, (above, below) = pyplot.subplots(2, sharex=True)
    above.plot(ends, states[0], label="x [m]")
    above.plot(ends, states[1], label="theta [rad]")
    below.plot(points, forces.T.ravel(), label="u [N]")
    below.set_xlabel("t [s]")
    above.legend()
    below.legend()
    figure.savefig(path)


if __name__ == "__main__":
    effort, forces, states = swing_up()
    print(f"effort {effort:.3f} N^2 s")
    plot(forces, states, "swing_up.png")
