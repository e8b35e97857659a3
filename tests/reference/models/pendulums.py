"""Pendulums and what carries them."""

from sympy import cos, sin

from derivation import Energies, der, model, square


@model("x theta", "m_c m_p l g", inputs="u")
def cart_pole(s):
    bob = [s.x + s.l * sin(s.theta), s.l * cos(s.theta)]
    return Energies(
        T=s.m_c * der(s.x) ** 2 / 2 + s.m_p * square(der(bob)) / 2,
        V=s.m_p * s.g * bob[1],
        Q={s.x: s.u},
        outputs={"bob": bob, "bob_velocity": der(bob)},
    )


@model("q1 q2", "m1 m2 l1 l2 g")
def double_pendulum(s):
    elbow = [s.l1 * sin(s.q1), -s.l1 * cos(s.q1)]
    tip = [elbow[0] + s.l2 * sin(s.q2), elbow[1] - s.l2 * cos(s.q2)]
    return Energies(
        T=s.m1 * square(der(elbow)) / 2 + s.m2 * square(der(tip)) / 2,
        V=s.g * (s.m1 * elbow[1] + s.m2 * tip[1]),
        outputs={"tip": tip, "height": tip[1]},
    )


@model("q0 q1 q2 q3 q4", "m l g")
def pendulum_chain(s):
    bob, kinetic, potential = [0, 0], 0, 0
    for angle in s.coordinates:
        bob = [bob[0] + s.l * sin(angle), bob[1] - s.l * cos(angle)]
        kinetic += s.m * square(der(bob)) / 2
        potential += s.m * s.g * bob[1]
    return Energies(T=kinetic, V=potential, outputs={"tip": bob})


@model("theta phi", "m l g", ranges={"theta": (0.3, 2.5)})
def spherical_pendulum(s):
    bob = [s.l * sin(s.theta) * cos(s.phi), s.l * sin(s.theta) * sin(s.phi), -s.l * cos(s.theta)]
    return Energies(T=s.m * square(der(bob)) / 2, V=s.m * s.g * bob[2], outputs={"bob": bob})


@model("theta", "m l g stroke w", time=True, ranges={"w": (2, 4), "stroke": (0.1, 0.4)})
def kapitza_pendulum(s):
    bob = [s.l * sin(s.theta), s.stroke * cos(s.w * s.t) - s.l * cos(s.theta)]
    return Energies(
        T=s.m * square(der(bob)) / 2,
        V=s.m * s.g * bob[1],
        outputs={"bob": bob, "bob_velocity": der(bob)},
    )


ELASTIC = {"r": (0.6, 1.8)}


def elastic_energies(s):
    kinetic = s.m * (der(s.r) ** 2 + s.r**2 * der(s.theta) ** 2) / 2
    potential = s.k * (s.r - s.rest) ** 2 / 2 - s.m * s.g * s.r * cos(s.theta)
    return kinetic, potential


@model("r theta", "m k rest g", ranges=ELASTIC)
def elastic_pendulum(s):
    kinetic, potential = elastic_energies(s)
    return Energies(T=kinetic, V=potential)


@model("r theta", "m k rest g", ranges=ELASTIC)
def elastic_pendulum_lagrangian(s):
    kinetic, potential = elastic_energies(s)
    return Energies(L=kinetic - potential)


def rods(s):
    """Two pinned rods and a mass that slides on the second: T, the springs, the points of interest."""
    l, q1, q2, q3 = s.l, s.q1, s.q2, s.q3
    v1, v2 = der(q1), der(q2)
    first = s.m * l**2 * v1**2 / 6
    second = s.m * l**2 * (cos(q2) ** 2 * v1**2 + 12 * v1**2 + v2**2) / 24
    joint = [l * cos(q1), l * sin(q1), 0]
    slider = [joint[0] - q3 * sin(q1) * cos(q2), joint[1] + q3 * cos(q1) * cos(q2), q3 * sin(q2)]
    third = s.m * square(der(slider)) / 8
    springs = s.k_l * q3**2 / 2 + s.k_t * (q1**2 + q2**2) / 2
    return first + second + third, springs, joint, slider


@model("q1 q2 q3", "m g k_t k_l l")
def pinned_rods(s):
    kinetic, springs, joint, slider = rods(s)
    weight = -s.m * s.g * (joint[0] / 2 + joint[0] + slider[0] / 4)
    return Energies(T=kinetic, V=springs + weight, outputs={"slider": slider})


@model("q1 q2 q3", "m k_t k_l l", inputs="f1 f2 f3 h1 h2 h3")
def pushed_rods(s):
    kinetic, springs, joint, slider = rods(s)
    return Energies(
        T=kinetic,
        V=springs,
        forces=[([s.f1, s.f2, s.f3], joint), ([s.h1, s.h2, s.h3], slider)],
        outputs={"joint_velocity": der(joint), "slider_velocity": der(slider)},
    )
