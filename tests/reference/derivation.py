"""Derives the equations of a mechanical system with SymPy and evaluates them to 40 digits.

The conventions are those of the crate: L = T - V, p = dL/dv, M = dp/dv, and M a = f + J^T lambda with
f = dL/dq - (dp/dq) v - dp/dt + Q and J a = gamma. The mass matrix and the forcing come from SymPy's
`LagrangesMethod`, with constraints the block matrices of the whole system; the same are formed a
second time straight from the definitions above, and a system for which the two disagree is not
written.
"""

from dataclasses import dataclass, field
from typing import Callable

import mpmath
from constraints import block_forcing, block_matrix, constraint_terms, solve_motion
from sympy import Expr, Matrix, S, Symbol, lambdify, zeros
from sympy.physics.mechanics import LagrangesMethod, Point, ReferenceFrame, Vector, dynamicsymbols

dynamicsymbols._t = Symbol("t", real=True)
TIME = dynamicsymbols._t
WORLD = ReferenceFrame("N")

DIGITS = 40
AGREEMENT = mpmath.mpf(10) ** -25


@dataclass
class Energies:
    """What a model states: T and V, or L; and what acts on it."""

    T: Expr | None = None
    V: Expr = S.Zero
    L: Expr | None = None
    D: Expr = S.Zero
    Q: dict[Expr, Expr] = field(default_factory=dict)
    forces: list[tuple[list, list]] = field(default_factory=list)
    """Pairs of a force vector and the point it acts at."""
    torques: list[tuple[Vector, ReferenceFrame]] = field(default_factory=list)
    """Pairs of a torque and the frame of the body it acts on."""
    holonomic: list[Expr] = field(default_factory=list)
    """Residuals, left side less right side."""
    nonholonomic: list[Expr] = field(default_factory=list)
    outputs: dict[str, Expr | Matrix | list] = field(default_factory=dict)


class Model:
    """Names, ranges of the random states, and a function that states the energies.

    The derivatives of a `large` model are not formed by SymPy but by `differences`.
    """

    def __init__(self, build, coordinates, parameters="", inputs="", time=False, ranges=None, cases=4, large=False):
        self.name = build.__name__
        self.coordinates = coordinates.split()
        self.parameters = parameters.split()
        self.inputs = inputs.split()
        self.time = time
        self.ranges = ranges or {}
        self.cases = cases
        self.large = large
        self._build: Callable[["Names"], Energies] = build

    def energies(self, names: "Names") -> Energies:
        return self._build(names)


class Names:
    """Coordinates, parameters and inputs of a model as attributes."""

    def __init__(self, model: Model):
        self.coordinates = [dynamicsymbols(f"x_{i}", real=True) for i in range(len(model.coordinates))]
        self.velocities = [q.diff(TIME) for q in self.coordinates]
        self.parameters = [Symbol(f"p_{i}", positive=True) for i in range(len(model.parameters))]
        self.inputs = [Symbol(f"u_{i}", real=True) for i in range(len(model.inputs))]
        self.t = TIME
        declared = [*model.coordinates, *model.parameters, *model.inputs]
        self.__dict__ |= dict(zip(declared, [*self.coordinates, *self.parameters, *self.inputs]))


MODELS: list[Model] = []


def model(coordinates, parameters="", **options):
    """Registers the decorated function as a model; its name is the name of the data file."""

    def register(build):
        MODELS.append(Model(build, coordinates, parameters, **options))
        return build

    return register


def der(expression):
    """Total time derivative of a scalar or a vector."""
    return Matrix(expression).diff(TIME) if isinstance(expression, list) else expression.diff(TIME)


def square(vector):
    """Dot product of a vector with itself."""
    return Matrix(vector).dot(Matrix(vector))


class Derivation:
    """The equations of one model in plain symbols, compiled for mpmath."""

    def __init__(self, source: Model):
        names = Names(source)
        given = source.energies(names)
        self.source = source
        self.names = names
        self.coordinates = [Symbol(f"q_{i}", real=True) for i in range(len(names.coordinates))]
        self.velocities = [Symbol(f"v_{i}", real=True) for i in range(len(names.coordinates))]
        lagrangian = given.L if given.L is not None else given.T - given.V
        self.has_energies = given.L is None
        self.is_constrained = bool(given.holonomic or given.nonholonomic)

        values = self._definitions(given, self._plain(lagrangian))
        values |= self._lagranges_method(given, lagrangian)
        for name, output in given.outputs.items():
            values |= self._output(name, output)
        self.shapes = {name: value.shape for name, value in values.items()}
        arguments = [*self.coordinates, *self.velocities, TIME, *names.inputs, *names.parameters]
        self._names = list(values)
        self._function = lambdify(arguments, list(values.values()), modules="mpmath", cse=True)

    def _plain(self, expression):
        """`expression` with velocities and coordinates as independent symbols."""
        expression = Matrix(expression) if isinstance(expression, list) else S(expression)
        expression = expression.doit().xreplace(dict(zip(self.names.velocities, self.velocities)))
        return expression.xreplace(dict(zip(self.names.coordinates, self.coordinates)))

    def _generalized_forces(self, given):
        forces = zeros(len(self.coordinates), 1)
        for coordinate, force in given.Q.items():
            forces[self.names.coordinates.index(coordinate)] += self._plain(force)
        for force, point in given.forces:
            forces += self._plain(point).jacobian(self.coordinates).T * self._plain(force)
        for torque, frame in given.torques:
            turning = self._rotation_rates(WORLD.dcm(frame))
            forces += turning.T * self._plain(torque.to_matrix(WORLD))
        dissipation = self._plain(given.D)
        return forces - Matrix([dissipation.diff(v) for v in self.velocities])

    def _rotation_rates(self, rotation):
        """Columns are the rotation vectors per unit of each coordinate, of (dR/dq_j) R^T."""
        rotation = self._plain(rotation)
        columns = []
        for coordinate in self.coordinates:
            rate = rotation.diff(coordinate) * rotation.T
            columns.append(Matrix([rate[2, 1], rate[0, 2], rate[1, 0]]))
        return Matrix.hstack(*columns)

    def _definitions(self, given, lagrangian):
        """Every quantity straight from its definition."""
        q, v = Matrix(self.coordinates), Matrix(self.velocities)
        gradient = Matrix([lagrangian.diff(x) for x in q])
        momenta = Matrix([lagrangian.diff(x) for x in v])
        mass = momenta.jacobian(v)
        bias = momenta.jacobian(q) * v + momenta.diff(TIME) - gradient
        forces = self._generalized_forces(given)
        jacobi = momenta.dot(v) - lagrangian
        values = {
            "mass_matrix_by_definition": mass,
            "forcing_by_definition": forces - bias,
            "generalized_forces": forces,
            "momenta": momenta,
            "bias": bias,
            "lagrangian": Matrix([lagrangian]),
            "jacobi_integral": Matrix([jacobi]),
            "energy": Matrix([jacobi]),
        }
        if self.has_energies:
            kinetic, potential = self._plain(given.T), self._plain(given.V)
            values |= {
                "kinetic_energy": Matrix([kinetic]),
                "potential_energy": Matrix([potential]),
                "energy": Matrix([kinetic + potential]),
                "potential_gradient": Matrix([potential.diff(x) for x in q]),
                "coriolis_matrix": christoffel(mass, q, v),
            }
        if self.is_constrained:
            holonomic, nonholonomic = self._plain(given.holonomic), self._plain(given.nonholonomic)
            terms = constraint_terms(holonomic, nonholonomic, q, v, TIME)
            jacobian, gamma = terms["constraint_jacobian"], terms["constraint_gamma"]
            values |= terms
            values["mass_matrix_full_by_definition"] = block_matrix(mass, jacobian)
            values["forcing_full_by_definition"] = block_forcing(v, forces - bias, gamma)
        return values

    def _lagranges_method(self, given, lagrangian):
        """Mass matrix and forcing by SymPy's own derivation of Lagrange's equations."""
        frame = WORLD
        loads = [(body, torque) for torque, body in given.torques]
        for coordinate, force in given.Q.items():
            loads.append(load(frame, [coordinate], [force]))
        for force, point in given.forces:
            loads.append(load(frame, point, force))
        for coordinate, velocity in zip(self.names.coordinates, self.names.velocities):
            if dissipated := given.D.diff(velocity):
                loads.append(load(frame, [coordinate], [-dissipated]))
        method = LagrangesMethod(
            lagrangian,
            self.names.coordinates,
            forcelist=loads,
            frame=frame,
            hol_coneqs=given.holonomic,
            nonhol_coneqs=given.nonholonomic,
        )
        method.form_lagranges_equations()
        # SymPy widens its mass matrix by the columns of the multipliers.
        mass = method.mass_matrix[:, : len(self.coordinates)]
        values = {"mass_matrix": mass, "forcing": method.forcing[: len(self.coordinates)]}
        if self.is_constrained:
            values |= {"mass_matrix_full": method.mass_matrix_full, "forcing_full": method.forcing_full}
        return {name: self._plain(value) for name, value in values.items()}

    def _output(self, name, output):
        value = self._plain(output)
        if isinstance(value, Expr):
            value = Matrix([value])
        values = {name: value}
        reads = value.free_symbols & {*self.velocities, *self.names.inputs}
        if not reads and value.cols == 1:
            values[f"{name}_jacobian"] = value.jacobian(self.coordinates)
        return values

    def evaluate(self, state):
        """The values of every output at one random state, by name, as mpmath matrices."""
        arguments = [*state["q"], *state["v"], state["t"], *state["u"], *state["p"]]
        results = self._function(*[mpmath.mpf(x.numerator) / x.denominator for x in arguments])
        values = {name: mpmath.matrix(value) for name, value in zip(self._names, results)}
        for name in [name for name in values if f"{name}_by_definition" in values]:
            check_agreement(self.source.name, name, values[name], values.pop(f"{name}_by_definition"))
        acceleration = mpmath.matrix([[mpmath.mpf(x.numerator) / x.denominator] for x in state["a"]])
        values["inverse_dynamics"] = values["mass_matrix"] * acceleration + values["bias"]
        if self.is_constrained:
            values |= solve_motion(values)
        else:
            values["acceleration"] = mpmath.lu_solve(values["mass_matrix"], values["forcing"])
        return values


def load(frame, point, force):
    """A force at a point, given by components, in the form that `LagrangesMethod` reads."""
    place = Point("P")
    axes = (frame.x, frame.y, frame.z)
    place.set_vel(frame, sum((S(x).diff(TIME) * axis for x, axis in zip(point, axes)), 0 * frame.x))
    return place, sum((x * axis for x, axis in zip(force, axes)), 0 * frame.x)


def christoffel(mass, q, v):
    """C of C v with the Christoffel symbols of the first kind of the mass matrix."""
    size = range(len(q))

    def entry(i, j):
        return sum(
            (mass[i, j].diff(q[k]) + mass[i, k].diff(q[j]) - mass[j, k].diff(q[i])) * v[k] / 2 for k in size
        )

    return Matrix(len(q), len(q), lambda i, j: entry(int(i), int(j)))


def check_agreement(system, name, left, right):
    difference = max((abs(x) for x in left - right), default=0)
    scale = max(1, max(abs(x) for x in right))
    if difference > AGREEMENT * scale:
        raise ArithmeticError(f"{system}: {name} of LagrangesMethod differs by {mpmath.nstr(difference, 5)}")
