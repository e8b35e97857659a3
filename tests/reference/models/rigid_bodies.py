"""Rigid bodies, their rotation written out by components."""

from sympy import Rational, cos, pi, sin

from derivation import Energies, der, model, square


@model("phi theta psi", "i1 i3 m l g", ranges={"theta": (0.3, 1.4)})
def spinning_top(s):
    spin = der(s.psi) + der(s.phi) * cos(s.theta)
    tilt = der(s.theta) ** 2 + (der(s.phi) * sin(s.theta)) ** 2
    return Energies(T=s.i1 * tilt / 2 + s.i3 * spin**2 / 2, V=s.m * s.g * s.l * cos(s.theta))


@model("psi theta phi x y z", "m ixx iyy izz", ranges={"theta": (-1, 1)})
def rigid_body(s):
    wx = -sin(s.phi) * cos(s.theta) * der(s.psi) + cos(s.phi) * der(s.theta)
    wy = sin(s.theta) * der(s.psi) + der(s.phi)
    wz = cos(s.phi) * cos(s.theta) * der(s.psi) + sin(s.phi) * der(s.theta)
    return Energies(
        T=s.m * square(der([s.x, s.y, s.z])) / 2 + (s.ixx * wx**2 + s.iyy * wy**2 + s.izz * wz**2) / 2,
        outputs={"body_rates": [wx, wy, wz]},
    )


@model("q1 q2 q3", "l r g rho", inputs="tb tc", ranges={"l": (1, 2), "r": (0.25, 0.5)})
def falling_cat(s):
    mass = s.rho * s.l * pi * s.r**2
    axial, lateral = mass * s.r**2 / 2, mass * (3 * s.r**2 + s.l**2) / 12
    turn = s.q1 + s.q2
    along = [sin(turn) * sin(s.q3), -cos(turn) * sin(s.q3), cos(s.q3)]
    tail = [-s.l / 2 * x for x in along]
    tail[2] -= 2 * s.l
    rates = [der(s.q3), sin(s.q3) * der(turn), cos(s.q3) * der(turn)]
    rotation = lateral * (rates[0] ** 2 + rates[1] ** 2) + axial * rates[2] ** 2
    return Energies(
        T=axial * der(s.q1) ** 2 / 2
        + axial * der(turn) ** 2 / 2
        + mass * square(der(tail)) / 2
        + rotation * Rational(1, 2),
        V=mass * s.g * tail[2],
        Q={s.q2: s.tb, s.q3: s.tc},
        outputs={"tail": tail},
    )
