"""Euler-Lagrange equations outside mechanics: the independent variable is x, the unknown y(x)."""

from sympy import sqrt

from derivation import Energies, der, model

UNDER = {"y": (0.4, 1.6)}


@model("y")
def shortest_path(s):
    return Energies(L=sqrt(1 + der(s.y) ** 2))


@model("y", "g", ranges=UNDER)
def brachistochrone(s):
    return Energies(L=sqrt((1 + der(s.y) ** 2) / (2 * s.g * s.y)))


@model("y", "n0 dx dy", time=True, ranges=UNDER)
def light_ray(s):
    index = s.n0 + s.dx * s.t**2 + s.dy * s.y**2
    return Energies(L=index * sqrt(1 + der(s.y) ** 2), outputs={"index": index})
