"""Blades, spheres and disks that do not slip."""

from sympy import cos, sin

from derivation import Energies, der, model, square


@model("x y phi", "m i g")
def knife_edge(s):
    return Energies(
        T=s.m * square(der([s.x, s.y])) / 2 + s.i * der(s.phi) ** 2 / 2,
        V=-s.m * s.g * s.x,
        nonholonomic=[der(s.x) * sin(s.phi) - der(s.y) * cos(s.phi)],
    )


@model("psi theta phi x y z", "m ixx iyy izz r g", ranges={"theta": (-1, 1)})
def rolling_sphere(s):
    wx = -sin(s.phi) * cos(s.theta) * der(s.psi) + cos(s.phi) * der(s.theta)
    wy = sin(s.theta) * der(s.psi) + der(s.phi)
    wz = cos(s.phi) * cos(s.theta) * der(s.psi) + sin(s.phi) * der(s.theta)
    slip_x = der(s.x) - s.r * (sin(s.psi) * der(s.theta) + cos(s.psi) * cos(s.theta) * der(s.phi))
    slip_y = der(s.y) + s.r * (cos(s.psi) * der(s.theta) - sin(s.psi) * cos(s.theta) * der(s.phi))
    return Energies(
        T=s.m * square(der([s.x, s.y, s.z])) / 2 + (s.ixx * wx**2 + s.iyy * wy**2 + s.izz * wz**2) / 2,
        V=s.m * s.g * s.z,
        nonholonomic=[slip_x, slip_y, der(s.z)],
    )


@model("x y z psi theta phi", "m a c r g", ranges={"theta": (0.5, 1.8)})
def rolling_disk(s):
    spin = der(s.phi) + der(s.psi) * cos(s.theta)
    tilt = der(s.theta) ** 2 + (der(s.psi) * sin(s.theta)) ** 2
    return Energies(
        T=s.m * square(der([s.x, s.y, s.z])) / 2 + (s.a * tilt + s.c * spin**2) / 2,
        V=s.m * s.g * s.z,
        holonomic=[s.z - s.r * sin(s.theta)],
        nonholonomic=[
            der(s.x) - s.r * (sin(s.psi) * sin(s.theta) * der(s.theta) - cos(s.psi) * spin),
            der(s.y) + s.r * (cos(s.psi) * sin(s.theta) * der(s.theta) + sin(s.psi) * spin),
        ],
    )
