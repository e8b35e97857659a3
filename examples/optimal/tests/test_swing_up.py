"""The functions for CasADi: values, derivatives, threads, errors, and the optimum of the swing-up."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import casadi as ca
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from swing_up import swing_up

PARAMETERS = np.array([1.0, 0.3, 0.5, 9.81])
STATE = np.array([0.4, 0.9, -0.3, 1.2])
FORCE = np.array([2.0])


def function(name):
    return ca.external(f"cart_pole_{name}", "./cart_pole.so")


def entries(matrix):
    return np.array(ca.densify(matrix).full())


def acceleration(q, v, u, p):
    """By hand: M a = f."""
    m_c, m_p, l, g = p
    sin, cos = np.sin(q[1]), np.cos(q[1])
    mass = np.array([[m_c + m_p, m_p * l * cos], [m_p * l * cos, m_p * l**2]])
    force = np.array([u[0] + m_p * l * sin * v[1] ** 2, m_p * g * l * sin])
    return np.linalg.solve(mass, force)


def differences(f, arguments, at):
    """The derivatives of all outputs by one argument."""
    columns, h = [], 1e-3
    for i in range(len(arguments[at])):
        values = []
        for step in (h, -h, 2 * h, -2 * h):
            moved = [np.array(x, dtype=float) for x in arguments]
            moved[at][i] += step
            found = f.call([ca.DM(x) for x in moved])
            values.append(np.concatenate([entries(x).ravel(order="F") for x in found]))
        columns.append((8 * (values[0] - values[1]) - (values[2] - values[3])) / (12 * h))
    return np.array(columns).T


class FunctionsTest(unittest.TestCase):
    def test_values(self):
        found = function("acceleration")(STATE[:2], STATE[2:], FORCE, PARAMETERS)
        by_hand = acceleration(STATE[:2], STATE[2:], FORCE, PARAMETERS)
        np.testing.assert_allclose(entries(found).ravel(), by_hand, rtol=1e-13)
        rate = entries(function("state_derivative")(STATE, FORCE, PARAMETERS)).ravel()
        np.testing.assert_allclose(rate, [*STATE[2:], *by_hand], rtol=1e-13)
        a, b = function("linearize")(STATE[:2], STATE[2:], FORCE, PARAMETERS)
        arguments = [STATE, FORCE, PARAMETERS]
        of = function("state_derivative")
        np.testing.assert_allclose(entries(a), differences(of, arguments, 0), atol=1e-9)
        np.testing.assert_allclose(entries(b), differences(of, arguments, 1), atol=1e-9)
        self.assertEqual((a.nnz(), b.nnz()), (6, 2))

    def test_derivatives(self):
        state = [STATE[:2], STATE[2:], FORCE]
        step = [*state, np.array([0.1]), PARAMETERS]
        given = {"acceleration": [*state, PARAMETERS], "rk4_step": step, "state_derivative": [STATE, FORCE, PARAMETERS]}
        for name, arguments in given.items():
            f = function(name)
            symbols = [ca.MX.sym(f.name_in(i), f.size1_in(i)) for i in range(f.n_in())]
            outputs = ca.veccat(*f.call(symbols))
            for at in range(f.n_in()):
                jacobian = ca.Function("jacobian", symbols, [ca.jacobian(outputs, symbols[at])])
                found = entries(jacobian(*arguments))
                np.testing.assert_allclose(found, differences(f, arguments, at), atol=1e-8, err_msg=f"{name} {at}")

    def test_threads(self):
        f = function("state_derivative")
        states = np.outer(STATE, np.linspace(-1, 1, 400))
        rows = [states, ca.repmat(ca.DM(FORCE), 1, 400), ca.repmat(ca.DM(PARAMETERS), 1, 400)]
        for of in (f, f.jacobian()):
            given = rows + [0] * (of.n_in() - 3)
            alone = of.map(400).call(given)
            for _ in range(20):
                for x, y in zip(alone, of.map(400, "thread", 8).call(given)):
                    np.testing.assert_array_equal(entries(x), entries(y))

    def test_errors(self):
        f = function("acceleration")
        for parameters in ([0, 0, 0.5, 9.81], [float("nan"), 0.3, 0.5, 9.81]):
            for of in (f, f.jacobian()):
                with self.assertRaises(RuntimeError):
                    of(STATE[:2], STATE[2:], FORCE, parameters, *[0] * (of.n_in() - 4))

    def test_solver_survives_errors(self):
        """The first step is to where the function fails: the solver makes it shorter."""
        f = function("acceleration")
        mass = ca.MX.sym("mass")
        a = f([0, 0], [0, 0], [1], ca.vertcat(ca.exp(ca.log(mass)), 1e-3, 0.5, 9.81))
        cost = 20 * mass + 320 * a[0]
        slope = ca.Function("slope", [mass], [ca.jacobian(cost, mass)])
        with self.assertRaises(RuntimeError):
            slope(10 - slope(10))
        options = {"print_time": False, "ipopt": {"print_level": 0, "sb": "yes", "hessian_approximation": "limited-memory"}}
        solver = ca.nlpsol("solver", "ipopt", {"x": mass, "f": cost}, options)
        found = solver(x0=10)
        self.assertTrue(solver.stats()["success"])
        self.assertGreater(solver.stats()["n_call_nlp_f"], solver.stats()["iter_count"] + 1)
        self.assertAlmostEqual(float(found["x"]), 4, places=2)

    def test_generated_code(self):
        """Code for an expression and its forward sensitivities, linked with the functions, as acados does."""
        f = function("state_derivative")
        x, u = ca.MX.sym("x", 4), ca.MX.sym("u")
        by_x, by_u = ca.MX.sym("by_x", 4, 4), ca.MX.sym("by_u", 4)
        rate = f(x, u, PARAMETERS)
        forward = [rate, ca.jtimes(rate, x, by_x), ca.jacobian(rate, u) + ca.jtimes(rate, x, by_u)]
        model = ca.Function("model", [x, by_x, by_u, u], forward)
        with tempfile.TemporaryDirectory() as folder:
            here = Path.cwd()
            generator = ca.CodeGenerator("model")
            generator.add(model)
            generator.generate(f"{folder}/")
            library = f"{folder}/model.so"
            subprocess.run(["cc", "-fPIC", "-shared", "-o", library, f"{folder}/model.c", here / "cart_pole.c", "-lm"], check=True)
            generated = ca.external("model", library)
        given = [STATE, np.eye(4), FORCE[0] * STATE, FORCE]
        for expected, found in zip(model(*given), generated(*given)):
            np.testing.assert_allclose(entries(found), entries(expected), rtol=1e-13)

    def test_optimum(self):
        effort, _, states = swing_up()
        self.assertAlmostEqual(effort, 58.772, places=3)
        np.testing.assert_allclose(states[:, -1], [1, 0, 0, 0], atol=1e-7)
        effort, _, _ = swing_up(intervals=30, degree=6)
        self.assertAlmostEqual(effort, 58.80766746, places=6)


if __name__ == "__main__":
    unittest.main()
