from os import PathLike
from typing import Any, Callable, NamedTuple, Optional, Sequence, TypeVar, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__: list[str]
__version__: str

_S = TypeVar("_S", bound="System")
_Array = NDArray[np.float64]
_Inputs = Union[ArrayLike, Callable[..., ArrayLike], None]

def read(
    text_or_path: Union[str, PathLike[str]], *, folder: Union[str, PathLike[str], None] = None, name: Optional[str] = None
) -> type[System]: ...

class Diagnostic(NamedTuple):
    severity: str
    code: str
    message: str
    help: Optional[str]
    line: int
    column: int
    end_line: int
    end_column: int
    text: str

class DeclarationError(ValueError):
    diagnostics: tuple[Diagnostic, ...]

class DeclarationWarning(UserWarning): ...

class MechanicsError(ArithmeticError):
    index: int
    reason: Optional[str]
    argument: Optional[str]
    row: Optional[int]
    constraint: Optional[str]
    time: Optional[float]
    results: Any

class Variable(str):
    shape: tuple[int, ...]
    default: Union[float, _Array, None]
    unit: Optional[str]
    doc: str

class Equations:
    text: str
    latex: str
    mathml: str
    def __init__(self, text: str, latex: str, mathml: str) -> None: ...
    def _repr_latex_(self) -> str: ...

class _Motion(NamedTuple):
    t: _Array
    q: _Array
    v: _Array
    # Of systems with states of first order alone.
    z: _Array

class _Linearization(NamedTuple):
    a: _Array
    b: _Array

class System:
    coordinates: tuple[Variable, ...]
    velocities: tuple[Variable, ...]
    states: tuple[Variable, ...]
    parameters: tuple[Variable, ...]
    inputs: tuple[Variable, ...]
    constraints: tuple[Variable, ...]
    contacts: tuple[Variable, ...]
    methods: tuple[str, ...]
    equations: Equations
    declaration: str
    def __init__(self, /, **values: ArrayLike) -> None: ...
    def __getitem__(self, name: str) -> Any: ...
    # Parameters, outputs, and the methods of the declaration.
    def __getattr__(self, name: str) -> Any: ...
    def method(self, name: str) -> Callable[..., Any]: ...
    def replace(self: _S, /, **values: ArrayLike) -> _S: ...
    def rhs(self, t: float, y: ArrayLike, u: _Inputs = None) -> _Array: ...
    def simulate(
        self,
        q: ArrayLike,
        v: ArrayLike,
        until: float = 10.0,
        step: float = 1e-3,
        u: _Inputs = None,
        *,
        z: Optional[ArrayLike] = None,
        start: float = 0.0,
    ) -> _Motion: ...
    @classmethod
    def c99(cls, methods: Union[str, Sequence[str]]) -> str: ...
    @classmethod
    def cuda(cls, methods: Union[str, Sequence[str]]) -> str: ...
    @classmethod
    def wgsl(cls, methods: Union[str, Sequence[str]]) -> str: ...
    @classmethod
    def casadi(cls, methods: Union[str, Sequence[str]]) -> str: ...
    @classmethod
    def rust(cls) -> str: ...
    # The methods of every system, with t first if it has time, and z behind v if it has states.
    def acceleration(self, *arguments: ArrayLike, **named: ArrayLike) -> _Array: ...
    def mass_matrix(self, *arguments: ArrayLike, **named: ArrayLike) -> _Array: ...
    def forcing(self, *arguments: ArrayLike, **named: ArrayLike) -> _Array: ...
    def momenta(self, *arguments: ArrayLike, **named: ArrayLike) -> _Array: ...
    def bias(self, *arguments: ArrayLike, **named: ArrayLike) -> _Array: ...
    def generalized_forces(self, *arguments: ArrayLike, **named: ArrayLike) -> _Array: ...
    def inverse_dynamics(self, *arguments: ArrayLike, **named: ArrayLike) -> _Array: ...
    def state_derivative(self, *arguments: ArrayLike, **named: ArrayLike) -> _Array: ...
    def energy(self, *arguments: ArrayLike, **named: ArrayLike) -> Any: ...
    def lagrangian(self, *arguments: ArrayLike, **named: ArrayLike) -> Any: ...
    def linearize(self, *arguments: ArrayLike, **named: ArrayLike) -> _Linearization: ...
