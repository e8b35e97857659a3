"""Particles in potentials, magnetic fields, rotating frames and relativity."""

from sympy import Matrix, cos, exp, sin, sqrt

from derivation import Energies, der, model, square


@model("x y z", "m e bx by bz ex k")
def charged_particle(s):
    position, field = Matrix(s.coordinates), Matrix([s.bx, s.by, s.bz])
    vector_potential = field.cross(position) / 2
    potential = s.k * square(position) / 2 - s.ex * s.x
    return Energies(
        L=s.m * square(der(position)) / 2 + s.e * der(position).dot(vector_potential) - s.e * potential,
    )


@model("x y", "m c k", ranges={"c": (3, 5)})
def relativistic_particle(s):
    speed = square(der(s.coordinates))
    return Energies(
        L=-s.m * s.c**2 * sqrt(1 - speed / s.c**2) - s.k * (s.x**2 + s.y**2) / 2,
        outputs={"gamma": 1 / sqrt(1 - speed / s.c**2)},
    )


@model("x y", "m k1 k2 w", time=True)
def rotating_frame(s):
    c, n = cos(s.w * s.t), sin(s.w * s.t)
    position = [c * s.x - n * s.y, n * s.x + c * s.y]
    return Energies(
        T=s.m * square(der(position)) / 2,
        V=s.k1 * s.x**2 / 2 + s.k2 * s.y**2 / 2,
        outputs={"position": position, "velocity_in_space": der(position)},
    )


@model("theta", "m radius w g")
def bead_on_hoop(s):
    return Energies(
        T=s.m * s.radius**2 * (der(s.theta) ** 2 + (s.w * sin(s.theta)) ** 2) / 2,
        V=-s.m * s.g * s.radius * cos(s.theta),
    )


@model("r theta", "m k", ranges={"r": (0.6, 1.6)})
def kepler_polar(s):
    return Energies(T=s.m * (der(s.r) ** 2 + s.r**2 * der(s.theta) ** 2) / 2, V=-s.k / s.r)


@model("x y", "m k", ranges={"x": (0.4, 1.4)})
def kepler_cartesian(s):
    return Energies(T=s.m * square(der(s.coordinates)) / 2, V=-s.k / sqrt(s.x**2 + s.y**2))


@model("x y z", "m g gamma m2 k rest", ranges={"x": (0.4, 1.4)})
def potential_catalogue(s):
    distance = sqrt(square(s.coordinates))
    return Energies(
        T=s.m * square(der(s.coordinates)) / 2,
        V=s.m * s.g * s.z - s.gamma * s.m * s.m2 / distance + s.k * (distance - s.rest) ** 2 / 2,
    )


@model("x y", "m0 rate g", time=True)
def leaking_mass(s):
    mass = s.m0 * exp(-s.rate * s.t)
    return Energies(T=mass * square(der(s.coordinates)) / 2, V=mass * s.g * s.y)
