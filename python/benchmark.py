"""Times of calls at a cart-pole, a batch, and simulations: `python benchmark.py` in an environment with the package.

The part of numpy is the time to make the arrays of a call's arguments and results: three arrays are read, one is made.
"""

import statistics
import timeit

import numpy as np

import lagrangian

CART_POLE = """
struct CartPole { x, theta: coordinate, m_c, m_p, l: parameter, g: parameter = 9.81, u: input }
let bob = [x + l * sin(theta), l * cos(theta)];
T = m_c * der(x)^2 / 2 + m_p * der(bob)^2 / 2;
V = m_p * g * bob.y;
Q.x = u;
"""


def microseconds(work, repeats=7):
    """The median of some measurements, and the least, of one call."""
    timer = timeit.Timer(work)
    number, _ = timer.autorange()
    times = [1e6 * time / number for time in timer.repeat(repeats, number)]
    return statistics.median(times), min(times)


def main():
    cart = lagrangian.read(CART_POLE)(m_c=1, m_p=0.2, l=0.5)
    q, v, u = np.array([0.0, 0.3]), np.array([0.0, 0.7]), np.array([1.0])
    y = np.concatenate([q, v])
    many = np.random.default_rng(1).uniform(-1, 1, (4096, 2))
    works = {
        "acceleration": lambda: cart.acceleration(q, v, u),
        "acceleration of lists": lambda: cart.acceleration([0.0, 0.3], [0.0, 0.7], [1.0]),
        "energy": lambda: cart.energy(q, v),
        "linearize": lambda: cart.linearize(q, v, u),
        "rhs": lambda: cart.rhs(0.0, y),
        "numpy: three arrays read, one made": lambda: (np.asarray(q), np.asarray(v), np.asarray(u), np.zeros(2)),
        "acceleration of 4096 states": lambda: cart.acceleration(many, many, u),
        "simulate, 1000 steps": lambda: cart.simulate(q, v, until=1),
        "simulate, 1000 steps, inputs by a function": lambda: cart.simulate(q, v, until=1, u=lambda t, q, v: u),
    }
    print(f"{'':44}{'median':>12}{'least':>12}")
    for name, work in works.items():
        median, least = microseconds(work)
        print(f"{name:44}{median:9.2f} us{least:9.2f} us")


main()
