"""The module beside equations that are written by hand."""

import unittest

import numpy as np

from cart_pole import CartPole

M_C, M_P, L, G = 1.0, 0.3, 0.7, 9.81


def acceleration(q, v, u):
    """By hand: M a = f."""
    _, angle = q
    sin, cos = np.sin(angle), np.cos(angle)
    mass = np.array([[M_C + M_P, M_P * L * cos], [M_P * L * cos, M_P * L**2]])
    force = np.array([u[0] + M_P * L * sin * v[1] ** 2, M_P * G * L * sin])
    return np.linalg.solve(mass, force)


class CartPoleTest(unittest.TestCase):
    def setUp(self):
        self.system = CartPole(m_c=M_C, m_p=M_P, l=L)
        self.state = np.array([0.4, 0.9]), np.array([-0.3, 1.2]), np.array([2.0])

    def test_acceleration(self):
        np.testing.assert_allclose(
            self.system.acceleration(*self.state), acceleration(*self.state), rtol=1e-13
        )

    def test_batches(self):
        q = np.linspace(-1.0, 1.0, 20).reshape(10, 2)
        v = q[::-1] * 2
        found = self.system.acceleration(q, v, np.array([2.0]))
        self.assertEqual(self.system.acceleration(q[:0], v[0], np.zeros(1)).shape, (0, 2))
        expected = [acceleration(q[i], v[i], [2.0]) for i in range(10)]
        np.testing.assert_allclose(found, expected, rtol=1e-12)

    def test_linearize(self):
        q, v, u = self.state
        a, b = self.system.linearize(q, v, u)
        self.assertEqual((a.shape, b.shape), ((4, 4), (4, 1)))
        h = 1e-6
        for i, change in enumerate(np.eye(4) * h):
            d, w = change[:2], change[2:]
            ahead = self.system.acceleration(q + d, v + w, u)
            behind = self.system.acceleration(q - d, v - w, u)
            np.testing.assert_allclose(a[2:, i], (ahead - behind) / (2 * h), atol=1e-7)
        np.testing.assert_array_equal(a[:2], np.hstack([np.zeros((2, 2)), np.eye(2)]))

    def test_step(self):
        q, v = self.state[0], self.state[1]
        for _ in range(100):
            q, v = self.system.rk4_step(q, v, np.zeros(1), 0.01)
        energy = lambda q, v: (
            M_C * v[0] ** 2 / 2
            + M_P * ((v[0] + L * np.cos(q[1]) * v[1]) ** 2 + (L * np.sin(q[1]) * v[1]) ** 2) / 2
            + M_P * G * L * np.cos(q[1])
        )
        self.assertAlmostEqual(energy(q, v), energy(self.state[0], self.state[1]), places=6)

    def test_errors(self):
        q, v, u = self.state
        with self.assertRaisesRegex(ValueError, r"`v` has the shape \[3\]"):
            self.system.acceleration(q, np.zeros(3), u)
        with self.assertRaisesRegex(ValueError, "`u` has 3 states"):
            self.system.acceleration(np.zeros((2, 2)), v, np.zeros((3, 1)))
        with self.assertRaisesRegex(ArithmeticError, "finite"):
            self.system.acceleration(q * np.nan, v, u)
        with self.assertRaises(ArithmeticError):
            CartPole(m_c=0.0, m_p=0.0, l=L).acceleration(q, v, u)


if __name__ == "__main__":
    unittest.main()
