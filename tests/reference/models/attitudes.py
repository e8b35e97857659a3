"""Rigid bodies by a rotation matrix and by a quaternion, which constraints keep to rotations."""

from sympy import Matrix, eye

from derivation import Energies, der, model, square


@model(
    "ax ay az b00 b01 b02 b10 b11 b12 b20 b21 b22",
    "m s1 s2 s3",
    cases=2,
)
def rotation_matrix_body(s):
    attitude = Matrix(3, 3, s.coordinates[3:])
    rate = attitude.diff(s.t)
    spin = (rate * Matrix.diag(s.s1, s.s2, s.s3) * rate.T).trace() / 2
    excess = attitude.T * attitude - eye(3)
    return Energies(
        T=s.m * square(der([s.ax, s.ay, s.az])) / 2 + spin,
        holonomic=[excess[i, j] for i in range(3) for j in range(i, 3)],
    )


@model("w x y z", "i1 i2 i3")
def quaternion_body(s):
    along = Matrix([s.x, s.y, s.z])
    rates = 2 * (s.w * along.diff(s.t) - der(s.w) * along - along.cross(along.diff(s.t)))
    inertia = Matrix.diag(s.i1, s.i2, s.i3)
    return Energies(
        T=(rates.T * inertia * rates)[0] / 2,
        holonomic=[square(s.coordinates) - 1],
        outputs={"body_rates": list(rates)},
    )
