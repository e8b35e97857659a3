"""Equations of motion from a declaration, with numpy's arrays.

>>> import lagrangian
>>> Ball = lagrangian.read("struct Ball { y: coordinate, m: parameter } T = m * der(y)^2 / 2; V = 9.81 * m * y;")
>>> Ball(m=2).acceleration([0.0], [0.0])
array([-9.81])
"""

from ._errors import DeclarationError, DeclarationWarning, Diagnostic, MechanicsError
from ._lagrangian import __version__
from ._system import Equations, System, Variable, read

__all__ = [
    "DeclarationError",
    "DeclarationWarning",
    "Diagnostic",
    "Equations",
    "MechanicsError",
    "System",
    "Variable",
    "read",
]
