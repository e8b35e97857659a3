"""Particles on curves and surfaces, at rest and moving, and small systems with constraints."""

from sympy import cos, sin, sqrt

from derivation import Energies, der, model, square


@model("x y", "m g l", ranges={"x": (0.2, 1.2)})
def cartesian_pendulum(s):
    return Energies(
        T=s.m * square(der([s.x, s.y])) / 2,
        V=s.m * s.g * s.y,
        holonomic=[s.x**2 + s.y**2 - s.l**2],
    )


@model("q1 q2 q3", "m g", inputs="f")
def particle_on_plane(s):
    return Energies(
        T=s.m * square(der(s.coordinates)) / 2,
        V=s.m * s.g * s.q3,
        Q={s.q1: s.f},
        holonomic=[s.q1 - s.q2],
    )


@model("q1 q2 q3", "m g", ranges={"q3": (-1.2, -0.2)})
def bowl(s):
    return Energies(
        T=s.m * square(der(s.coordinates)) / 2,
        V=s.m * s.g * s.q3,
        holonomic=[square(s.coordinates) - 1],
    )


@model("q1 q2")
def tied_pair(s):
    return Energies(T=square(der(s.coordinates)), holonomic=[s.q1 - s.q2])


@model("x y", "m g w lift", time=True)
def moving_guide(s):
    across = s.y * cos(s.w * s.t) - s.x * sin(s.w * s.t)
    return Energies(
        T=s.m * square(der([s.x, s.y])) / 2,
        V=s.m * s.g * s.y,
        holonomic=[across - s.lift * sin(s.t) ** 2],
    )


@model("x y z", "m g major minor", ranges={"x": (0.4, 1.2)})
def torus(s):
    ring = sqrt(s.x**2 + s.y**2) - s.major
    return Energies(
        T=s.m * square(der([s.x, s.y, s.z])) / 2,
        V=s.m * s.g * s.z,
        holonomic=[ring**2 + s.z**2 - s.minor**2],
    )


@model("x y z phi", "m i k w", inputs="u", time=True)
def moving_craft(s):
    heading = s.phi + s.w * s.t
    return Energies(
        T=s.m * square(der([s.x, s.y, s.z])) / 2 + s.i * der(s.phi) ** 2 / 2,
        V=s.k * s.x**2 / 2 + s.k * s.y * s.z,
        Q={s.x: s.u},
        holonomic=[s.z - s.w * sin(s.t) - s.x**2 / 4],
        nonholonomic=[
            der(s.x) * sin(heading) - der(s.y) * cos(heading) - s.k * s.t,
            der(s.phi) - s.x * s.t - der(s.z) * s.y,
        ],
    )


@model("x y", "m c g bend", ranges={"c": (4, 5)})
def relativistic_slide(s):
    speed = square(der([s.x, s.y]))
    return Energies(
        L=-s.m * s.c**2 * sqrt(1 - speed / s.c**2) - s.m * s.g * s.y,
        holonomic=[s.y - s.bend * s.x**2],
    )


@model("x y", "m k c")
def massless_follower(s):
    return Energies(
        T=s.m * der(s.x) ** 2 / 2,
        V=s.k * s.y**2 / 2,
        D=s.c * der(s.y) ** 2 / 2,
        holonomic=[s.y - sin(s.x)],
    )


@model("x y z", "m g height")
def sphere_and_plane(s):
    return Energies(
        T=s.m * square(der([s.x, s.y, s.z])) / 2,
        V=s.m * s.g * s.x,
        holonomic=[square([s.x, s.y, s.z]) - 1, s.z - s.height],
    )
