"""Systems without physical meaning that use the language's functions and forms.

`abs`, `sign`, `min`, `max` and branches are written as `Piecewise`, whose derivative is taken branch
by branch, as the language defines it.
"""

from sympy import (
    Matrix,
    Piecewise,
    Rational,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    diag,
    eye,
    exp,
    log,
    pi,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)

from derivation import Energies, der, model, square


def absolute(x):
    return Piecewise((x, x >= 0), (-x, True))


def sign(x):
    return Piecewise((1, x > 0), (-1, x < 0), (0, True))


def smaller(x, y):
    return Piecewise((x, x < y), (y, True))


def larger(x, y):
    return Piecewise((x, x > y), (y, True))


@model("x y", "a b", ranges={"x": (0.2, 0.8), "y": (0.3, 0.9), "a": (0.6, 1.4)})
def elementary_functions(s):
    x, y, a, b = s.x, s.y, s.a, s.b
    circular = sin(x) + cos(y) + tan(x * y) + asin(x) + acos(y) + atan(a * x)
    hyperbolic = sinh(x) + cosh(y) + tanh(x * y) + exp(-x) + log(a + y)
    powers = sqrt(a + x) + sqrt(x**2 + y**2) + (a + x) ** b + (x * y) ** 3 + 1 / (a + y) + x ** Rational(5, 2)
    pieces = absolute(x - 2 * y) * smaller(x, y**2) + larger(a * x, y) * sign(y - x)
    angle = atan2(y, x + b)
    mass = 2 + sin(x) * tanh(y) + exp(-x * y)
    return Energies(
        T=mass * der(x) ** 2 / 2 + cosh(x) * der(y) ** 2 / 2 + atan2(x, a) * der(x) * der(y) / 4,
        V=circular + hyperbolic + powers + pieces + angle,
        outputs={
            "circular": circular,
            "hyperbolic": hyperbolic,
            "powers": powers,
            "pieces": pieces,
            "angle_rate": der(angle),
        },
    )


@model("x y z", "a b c", ranges={"a": (2, 3)})
def linear_algebra(s):
    r, w = Matrix(s.coordinates), Matrix([s.b, s.c, s.a])
    v = der(r)
    metric = diag(s.a, s.a + s.b, s.a + s.c) + eye(3) * s.c + w * w.T / 4
    turn = Matrix([[cos(s.x), -sin(s.x)], [sin(s.x), cos(s.x)]])
    planar = turn * Matrix([s.y, s.z])
    return Energies(
        T=(v.T * metric * v)[0] / 2 + square(der(planar)) / 2,
        V=sqrt(square(r + w))
        + w.dot(r) ** 2
        + square(w.cross(r))
        + s.y * planar[1]
        - s.z * planar[0]
        + (turn.T * Matrix([[s.a, s.b], [s.c, s.x]])).trace(),
        outputs={
            "metric": metric,
            "row": metric.row(1).T,
            "entry": metric[0, 2],
            "planar": planar,
            "spin": w.cross(v),
        },
    )


@model("x y", "a b")
def branches(s):
    stiff = Piecewise((s.a * s.x**2, s.x > 0), (s.b * s.x**4, s.x >= -Rational(1, 2)), (s.x * s.y, True))
    ratchet = Piecewise((s.a * der(s.x), der(s.x) < 0), (s.b * der(s.x) ** 3, True))
    return Energies(
        T=square(der(s.coordinates)) / 2
        + Piecewise((s.x**2, s.x <= s.y), (s.y**2, True)) * der(s.y) ** 2 / 2,
        V=stiff,
        Q={s.x: -ratchet},
        outputs={"stiff": stiff, "ratchet": ratchet},
    )


@model("θ ξ", "m type t S", inputs="force", ranges={"ξ": (0.5, 1.5)})
def names_and_lets(s):
    depth = s.ξ * cos(s.θ) + s.type
    level = (depth + 1) * 2 / s.t - s.S
    return Energies(
        T=s.m * (der(s.ξ) ** 2 + s.ξ**2 * der(s.θ) ** 2) / 2 + pi * der(s.θ) * der(s.ξ) / 16,
        V=level**2 / 2,
        Q={s.ξ: s.force - der(s.ξ)},
        outputs={"level": level, "level_speed": der(level)},
    )


@model("q0 q1 q2", "m k w", inputs="u", time=True)
def lagrangian_with_time(s):
    """Non-quadratic, with explicit time and input: every signature at its longest."""
    speed = square(der(s.coordinates))
    return Energies(
        L=s.m * speed / 2
        + speed**2 / 8
        + cos(s.w * s.t) * s.q0 * der(s.q1)
        - s.k * square(s.coordinates) / 2
        + sin(s.t) * s.q2 * s.q1,
        D=der(s.q0) ** 4 / 4,
        Q={s.q1: s.u - s.t * der(s.q2)},
        outputs={"gain": s.u * s.q0, "phase": s.w * s.t + s.q2},
    )
