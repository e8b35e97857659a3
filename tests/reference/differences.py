"""The equations of a system whose symbolic derivatives are too large: SymPy states the energies, and
their derivatives are differences in arithmetic of so many digits that they are exact to those printed.

For natural systems (T homogeneous of degree 2 in the velocities, nothing depends on time) without
constraints, whose forces are those of inputs on coordinates. M follows from T by polarisation,
M_ij = T(e_i + e_j) - T(e_i) - T(e_j), the bias from M by the Christoffel symbols.
"""

import mpmath
from mpmath import matrix
from sympy import Matrix, Symbol, lambdify

WORKING_DIGITS = 130
STEP = mpmath.mpf(10) ** -40


class Differences:
    """Stands in for a `Derivation`."""

    def __init__(self, source, names):
        given = source.energies(names)
        self.size = len(names.coordinates)
        q = [Symbol(f"q_{i}", real=True) for i in range(self.size)]
        v = [Symbol(f"v_{i}", real=True) for i in range(self.size)]
        plain = dict(zip(names.velocities, v)), dict(zip(names.coordinates, q))

        def compiled(expression, *arguments):
            expression = expression.doit().xreplace(plain[0]).xreplace(plain[1])
            return lambdify([*arguments, names.parameters], expression, modules="mpmath", cse=True)

        self.kinetic, self.potential = compiled(given.T, q, v), compiled(given.V, q)
        forces = Matrix([given.Q.get(coordinate, 0) for coordinate in names.coordinates])
        self.forces = compiled(forces, names.inputs)
        self.outputs = {name: compiled(Matrix(value), q) for name, value in given.outputs.items()}

    def evaluate(self, state):
        with mpmath.workdps(WORKING_DIGITS):
            exact = {
                name: [mpmath.mpf(x.numerator) / x.denominator for x in state[name]]
                for name in ("q", "v", "a", "u", "p")
            }
            return self._values(**exact)

    def _values(self, q, v, a, u, p):
        mass = self._mass_matrix(q, p)
        rates = self._derivative(lambda at: self._mass_matrix(at, p), q)
        pull = matrix([slope for slope in self._derivative(lambda at: self.potential(at, p), q)])
        coriolis = self._christoffel(rates, v)
        velocities, forces = matrix(v), self.forces(u, p)
        bias = coriolis * velocities + pull
        kinetic, potential = self.kinetic(q, v, p), self.potential(q, p)
        values = {
            "generalized_forces": forces,
            "momenta": mass * velocities,
            "bias": bias,
            "lagrangian": matrix([kinetic - potential]),
            "jacobi_integral": matrix([kinetic + potential]),
            "energy": matrix([kinetic + potential]),
            "kinetic_energy": matrix([kinetic]),
            "potential_energy": matrix([potential]),
            "potential_gradient": pull,
            "coriolis_matrix": coriolis,
            "mass_matrix": mass,
            "forcing": forces - bias,
            "inverse_dynamics": mass * matrix(a) + bias,
            "acceleration": mpmath.lu_solve(mass, forces - bias),
        }
        for name, output in self.outputs.items():
            columns = self._derivative(lambda at: output(at, p), q)
            values[name] = output(q, p)
            values[f"{name}_jacobian"] = matrix([list(column) for column in columns]).T
        return values

    def _mass_matrix(self, q, p):
        def kinetic(*joints):
            return self.kinetic(q, [int(i in joints) for i in range(self.size)], p)

        alone = [kinetic(i) for i in range(self.size)]
        mass = mpmath.zeros(self.size)
        for i in range(self.size):
            mass[i, i] = 2 * alone[i]
            for j in range(i):
                mass[i, j] = mass[j, i] = kinetic(i, j) - alone[i] - alone[j]
        return mass

    def _derivative(self, function, q):
        """By each coordinate: central differences, whose error is of the order of STEP^2."""

        def moved(index, step):
            return function([x + step * (i == index) for i, x in enumerate(q)])

        return [(moved(i, STEP) - moved(i, -STEP)) / (2 * STEP) for i in range(self.size)]

    def _christoffel(self, rates, v):
        coriolis = mpmath.zeros(self.size)
        for i in range(self.size):
            for j in range(self.size):
                terms = (rates[k][i, j] + rates[j][i, k] - rates[i][j, k] for k in range(self.size))
                coriolis[i, j] = sum(term * speed for term, speed in zip(terms, v)) / 2
        return coriolis
