"""Linkages with the joints as constraints."""

from sympy import cos, sin

from derivation import Energies, der, model, square


@model("x y theta", "m l g")
def pinned_stick(s):
    half = s.l / 2
    return Energies(
        T=s.m * square(der([s.x, s.y])) / 2 + s.m * s.l**2 * der(s.theta) ** 2 / 24,
        V=s.m * s.g * s.y,
        holonomic=[s.x - half * sin(s.theta), s.y + half * cos(s.theta)],
    )


@model("x1 y1 x2 y2", "m1 m2 l1 l2 g", ranges={"x1": (0.2, 1), "x2": (-1, -0.2)})
def cartesian_double_pendulum(s):
    return Energies(
        T=s.m1 * square(der([s.x1, s.y1])) / 2 + s.m2 * square(der([s.x2, s.y2])) / 2,
        V=s.g * (s.m1 * s.y1 + s.m2 * s.y2),
        holonomic=[
            s.x1**2 + s.y1**2 - s.l1**2,
            (s.x2 - s.x1) ** 2 + (s.y2 - s.y1) ** 2 - s.l2**2,
        ],
    )


def link(mass, length, start, angle):
    """Kinetic energy, height of the centre and far end of a uniform rod."""
    along = [cos(angle), sin(angle)]
    centre = [x + length / 2 * d for x, d in zip(start, along)]
    end = [x + length * d for x, d in zip(start, along)]
    kinetic = mass * square(der(centre)) / 2 + mass * length**2 * der(angle) ** 2 / 24
    return kinetic, centre[1], end


@model("q1 q2 q3", "m1 m2 m3 l1 l2 l3 base g", inputs="torque", ranges={"q1": (1, 2), "q2": (-0.5, 0.5)})
def four_bar(s):
    crank, crank_height, joint = link(s.m1, s.l1, [0, 0], s.q1)
    coupler, coupler_height, end = link(s.m2, s.l2, joint, s.q2)
    rocker, rocker_height, tip = link(s.m3, s.l3, [s.base, 0], s.q3)
    return Energies(
        T=crank + coupler + rocker,
        V=s.g * (s.m1 * crank_height + s.m2 * coupler_height + s.m3 * rocker_height),
        Q={s.q1: s.torque},
        holonomic=[end[0] - tip[0], end[1] - tip[1]],
        outputs={"coupler_end": end},
    )


@model("crank rod slider", "m1 m2 m3 l1 l2 c", inputs="gas", ranges={"crank": (0.3, 1.2)})
def slider_crank(s):
    first, _, joint = link(s.m1, s.l1, [0, 0], s.crank)
    second, _, end = link(s.m2, s.l2, joint, s.rod)
    return Energies(
        T=first + second + s.m3 * der(s.slider) ** 2 / 2,
        D=s.c * der(s.slider) ** 2 / 2,
        Q={s.slider: -s.gas},
        holonomic=[end[0] - s.slider, end[1]],
    )
