"""Constraints: J a = gamma beside M a = f + J^T lambda.

Rows are those of holonomic constraints first, then of nonholonomic ones. A residual is the left side
less the right side; J is its derivative by q, or by v.
"""

import mpmath
from sympy import Matrix, eye, zeros


def constraint_terms(holonomic, nonholonomic, q, v, time):
    """Everything about the constraints that depends on neither masses nor forces."""
    holonomic, nonholonomic = Matrix(len(holonomic), 1, holonomic), Matrix(len(nonholonomic), 1, nonholonomic)
    rates = holonomic.jacobian(q) * v + holonomic.diff(time) if holonomic else holonomic
    velocity = Matrix.vstack(rates, nonholonomic)
    residual = {"constraint_residual": holonomic} if holonomic else {}
    return residual | {
        "constraint_velocity": velocity,
        "constraint_jacobian": velocity.jacobian(v),
        "constraint_gamma": -(velocity.jacobian(q) * v + velocity.diff(time)),
    }


def block_matrix(mass, jacobian):
    """[I 0 0; 0 M -J^T; 0 J 0]"""
    size, rows = mass.rows, jacobian.rows
    upper = Matrix.hstack(mass, -jacobian.T)
    lower = Matrix.hstack(jacobian, zeros(rows, rows))
    rest = Matrix.vstack(upper, lower)
    return Matrix.vstack(
        Matrix.hstack(eye(size), zeros(size, size + rows)),
        Matrix.hstack(zeros(size + rows, size), rest),
    )


def block_forcing(v, forcing, gamma):
    """[v; f; gamma]"""
    return Matrix.vstack(v, forcing, gamma)


def solve_motion(values):
    """Acceleration, multipliers and constraint forces from the block system, whatever the rank of M."""
    size = values["mass_matrix"].rows
    solution = mpmath.lu_solve(values["mass_matrix_full"], values["forcing_full"])
    multipliers = solution[2 * size :, 0]
    return {
        "acceleration": solution[size : 2 * size, 0],
        "multipliers": multipliers,
        "constraint_forces": values["constraint_jacobian"].T * multipliers,
    }
