"""Values of SciPy's curves through points, for `data/curves.txt`.

Outside of the points a curve goes on along the line of its end's value and slope, which SciPy's do not.
"""

import numpy as np
from scipy.interpolate import Akima1DInterpolator, BSpline, CubicSpline, PchipInterpolator

# The monotone data of Fritsch and Carlson, "Monotone piecewise cubic interpolation", SIAM J. Numer. Anal. 17, 1980.
RPN14 = (
    [7.99, 8.09, 8.19, 8.7, 9.2, 10, 12, 15, 20],
    [0, 2.76429e-5, 4.37498e-2, 0.169183, 0.469428, 0.943740, 0.998636, 0.999919, 0.999994],
)
BUMPY = ([-2, -1.5, -0.25, 0, 1, 3, 3.5], [1, -1, 2, 2, 2, -0.5, 4])
FALLING = ([0, 1, 2, 3, 4], [5, 4.5, 1, 0.5, -3])
TWO = ([-1, 3], [2, -1])
POINTS = {"rpn14": RPN14, "bumpy": BUMPY, "falling": FALLING, "two": TWO}
CONTROLS = {
    "short": (0, 1, [1, -2, 0.5, 3]),
    "long": (-1, 1.5, [0, 1, 0.5, 0.7, 2, 1, -1, -1.25]),
}

KINDS = {
    "pchip": PchipInterpolator,
    "akima": Akima1DInterpolator,
    "spline": lambda x, y: CubicSpline(x, y, bc_type="natural"),
}


def line(numbers):
    return " ".join(repr(float(number)) for number in numbers)


def places(first, last, knots):
    """Places inside, the inner knots, and places outside."""
    length = last - first
    inside = first + length * np.linspace(0.003, 0.997, 23)
    outside = [first - 2 * length, first - 0.01, last + 0.01, last + 3 * length]
    return np.concatenate([inside, knots[1:-1], outside])


def values(curve, first, last, x, order):
    if first <= x < last:
        return curve(x, order)
    end = first if x < first else last
    slope = curve(end, 1)
    return [curve(end) + slope * (x - end), slope, 0, 0][order]


def write(kind, name, x, y, curve, knots):
    at = places(knots[0], knots[-1], knots)
    print(f"case {kind} {name}")
    print("x", line(x))
    print("y", line(y))
    print("at", line(at))
    for order in range(4):
        print(f"order{order}", line(values(curve, knots[0], knots[-1], place, order) for place in at))


for name, (x, y) in POINTS.items():
    for kind, make in KINDS.items():
        if kind == "akima" and len(x) < 4:
            continue
        write(kind, name, x, y, make(np.array(x, float), np.array(y, float)), np.array(x, float))
for name, (first, last, controls) in CONTROLS.items():
    step = (last - first) / (len(controls) - 3)
    knots = first + step * np.arange(-3, len(controls) + 1)
    inner = first + step * np.arange(len(controls) - 2)
    write("bspline", name, [first, last], controls, BSpline(knots, np.array(controls, float), 3), inner)
