"""Generalized forces: given, at points, dissipative, and the examples of statics."""

from sympy import Rational, cos, sin, sqrt

from derivation import Energies, der, model, square


@model("q1 q2")
def free_pair(s):
    return Energies(T=square(der(s.coordinates)))


@model("q1 q2")
def pushed_pair(s):
    return Energies(T=square(der(s.coordinates)), forces=[([7, 0, 0], [s.q1, 0, 0])])


@model("x", "m b k")
def damped_oscillator(s):
    return Energies(T=s.m * der(s.x) ** 2 / 2, V=s.k * s.x**2 / 2, Q={s.x: -s.b * der(s.x)})


@model("x", "m k f")
def pulled_oscillator(s):
    return Energies(T=s.m * der(s.x) ** 2 / 2, V=s.k * s.x**2 / 2, Q={s.x: s.f})


@model("x1 x2", "m1 m2 k1 k2 c1 c2")
def two_mass(s):
    return Energies(
        T=s.m1 * der(s.x1) ** 2 / 2 + s.m2 * der(s.x2) ** 2 / 2,
        V=s.k1 * s.x1**2 / 2 + s.k2 * (s.x2 - s.x1) ** 2 / 2,
        D=s.c1 * der(s.x1) ** 2 / 2 + s.c2 * (der(s.x2) - der(s.x1)) ** 2 / 2,
        outputs={"stretch": s.x2 - s.x1},
    )


@model("theta", "m g l", inputs="support")
def hinged_bar(s):
    def at(distance):
        return [distance * cos(s.theta), distance * sin(s.theta)]

    return Energies(
        T=s.m * s.l**2 * der(s.theta) ** 2 / 6,
        forces=[([0, -s.m * s.g], at(s.l / 2)), ([0, s.support], at(s.l))],
    )


@model("theta", "m g l k")
def hinged_bar_on_spring(s):
    lift = s.l * sin(s.theta)
    return Energies(
        T=s.m * s.l**2 * der(s.theta) ** 2 / 6,
        V=s.m * s.g * lift / 2 + s.k * lift**2 / 2,
        outputs={"spring_force": -s.k * lift},
    )


@model("x", "m g k")
def hanging_mass(s):
    return Energies(T=s.m * der(s.x) ** 2 / 2, V=s.k * s.x**2 / 2 - s.m * s.g * s.x)


@model("theta", "m l", inputs="f")
def hinged_link(s):
    tip = [s.l * sin(s.theta), s.l * cos(s.theta)]
    return Energies(
        T=s.m * s.l**2 * der(s.theta) ** 2 / 6,
        forces=[([0, -s.f], tip)],
        outputs={"tip": tip, "tip_velocity": der(tip)},
    )


@model("theta", "m l f0 w", time=True)
def pulsed_link(s):
    tip = [s.l * sin(s.theta), s.l * cos(s.theta)]
    return Energies(
        T=s.m * s.l**2 * der(s.theta) ** 2 / 6,
        forces=[([0, -s.f0 * sin(s.w * s.t)], tip)],
    )


@model("q1 q2", "m1 m2 l1 l2 drag", inputs="fx fy torque")
def driven_arm(s):
    elbow = [s.l1 * cos(s.q1), s.l1 * sin(s.q1)]
    tip = [elbow[0] + s.l2 * cos(s.q1 + s.q2), elbow[1] + s.l2 * sin(s.q1 + s.q2)]
    resistance = [-s.drag * x for x in der(tip)]
    return Energies(
        T=s.m1 * square(der(elbow)) / 2 + s.m2 * square(der(tip)) / 2,
        Q={s.q2: s.torque},
        forces=[([s.fx, s.fy], tip), (resistance, tip)],
        outputs={"tip": tip, "power": s.fx * der(tip)[0] + s.fy * der(tip)[1] + s.torque * der(s.q2)},
    )


@model("x y", "m shake w slope", inputs="pull", time=True)
def shaken_incline(s):
    """A point whose place depends on t: virtual work keeps t frozen, the energies do not."""
    base = s.shake * sin(s.w * s.t)
    block = [base + s.x * cos(s.slope) - s.y * s.t, s.x * sin(s.slope) + s.y]
    drag = [-der(block)[0], -s.t * der(block)[1]]
    return Energies(
        T=s.m * square(der(block)) / 2,
        V=s.m * block[1] * cos(s.t),
        D=s.t * der(s.x) ** 2 / 4,
        forces=[([s.pull, s.pull * s.x], block), (drag, block)],
        outputs={"block": block, "block_velocity": der(block), "effort": s.pull * der(s.x) + s.t},
    )


@model("x y", "m c1 c2")
def quadratic_drag(s):
    """A dissipation function of third degree, and cross terms in the velocities."""
    speed = sqrt(1 + square(der(s.coordinates)))
    return Energies(
        T=s.m * (der(s.x) ** 2 + der(s.x) * der(s.y) * cos(s.x) + der(s.y) ** 2) * Rational(1, 2),
        D=s.c1 * speed**3 / 3 + s.c2 * der(s.x) * der(s.y) / 2,
    )
