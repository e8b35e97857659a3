"""Reference values of the elementary functions, for `elementary.rs`.

    python3 generate.py > reference.txt

Needs mpmath. A line has the function, its arguments and two floats whose sum is the value to some 106
bits, all floats as the 16 hexadecimal digits of their bits. The arguments are those where
implementations err: every magnitude from the subnormal ones on, the closest floats to multiples of
pi/2, the ends of domains, and the places where implementations change formula.
"""

import random
import struct
import sys
from math import inf, nextafter

from mpmath import mp, mpf

mp.prec = 2400  # enough to reduce 2^1023 by multiples of pi/2
random.seed(20)
MAX = sys.float_info.max
TINY = 5e-324


def bits(x):
    return struct.pack(">d", x).hex()


def rounded(value):
    """The two floats; infinity beyond the largest one."""
    if value == 0:
        return 0.0, 0.0
    # Too small for two floats: what a subnormal number cannot hold is below half an ulp.
    high = nearest(value)
    if abs(high) == inf:
        return high, 0.0
    return high, nearest(value - mpf(high))


def nearest(value):
    """The nearest float, ties aside, subnormal ones included."""
    if abs(value) >= mpf(2) ** 1024:
        return inf if value > 0 else -inf
    mantissa, exponent = mp.frexp(value)
    digits = max(min(53, exponent + 1074), 0)
    scaled = mp.nint(mantissa * mpf(2) ** digits)
    result = scaled * mpf(2) ** (exponent - digits)
    return float(result) if abs(result) < mpf(2) ** 1024 else (inf if value > 0 else -inf)


def neighbours(x):
    return [nextafter(x, -inf), x, nextafter(x, inf)]


def magnitudes(low, high, count):
    """Both signs, uniform in the exponent."""
    return [
        random.choice([-1, 1]) * random.uniform(1, 2) * 2.0 ** random.uniform(low, high)
        for _ in range(count)
    ]


def subnormal(count):
    return [TINY, -TINY] + [random.choice([-1, 1]) * random.randrange(1, 1 << 52) * TINY for _ in range(count)]


def uniform(low, high, count):
    return [random.uniform(low, high) for _ in range(count)]


def near_multiples(count):
    """Floats next to multiples of pi/2, and the closest one of all."""
    points = [6381956970095103.0 * 2.0**797, -6381956970095103.0 * 2.0**797]
    for k in list(range(-6, 7)) + [355, 710, 1 << 20, (1 << 20) + 1]:
        points += neighbours(float(k * mp.pi / 2))[: 1 if abs(k) > 3 else 3]
    for _ in range(count):
        k = int(2 ** random.uniform(2, 60))
        points.append(float(k * mp.pi / 2))
    for exponent in range(1, 1000, 37):
        points.append(closest_in_binade(exponent))
    return points


def closest_in_binade(exponent):
    """The float of 53 bits, times 2^exponent / 2^52, that is closest to a multiple of pi/2: by the
    convergents of 2^(exponent - 52) / (pi/2)."""
    ratio = mpf(2) ** (exponent - 52) * 2 / mp.pi
    best, rest = 1, ratio
    h, h0 = 0, 1  # denominators of the convergents
    for _ in range(400):
        whole = int(mp.floor(rest))
        h, h0 = whole * h + h0, h
        if h >= 1 << 53:
            break
        if h >= 1:
            best = h
        if rest == whole:
            break
        rest = 1 / (rest - whole)
    while best < 1 << 52:
        best *= 2
    return best * 2.0 ** (exponent - 52)


def angles():
    return (
        subnormal(3) + magnitudes(-1070, -30, 8) + magnitudes(-30, 3, 40) + uniform(-8, 8, 40)
        + magnitudes(3, 30, 30) + magnitudes(30, 1022, 40) + near_multiples(20) + [MAX, -MAX, 1e5, 1e8, 1e16, 1e22]
    )


def fractions():
    ends = [1 - 2.0**-k for k in range(1, 54, 4)]
    return (
        subnormal(2) + magnitudes(-1070, -30, 6) + magnitudes(-30, 0, 25) + uniform(-1, 1, 60)
        + ends + [-x for x in ends] + [1.0, -1.0, 0.5, -0.5]
    )


def numbers():
    return (
        subnormal(2) + magnitudes(-1070, -30, 6) + magnitudes(-30, 5, 60) + uniform(-4, 4, 40)
        + magnitudes(5, 1022, 10) + [1.0, -1.0, 0.5, 0.4375, 0.6875, 1.1875, 2.4375, MAX]
    )


def exponents(limit):
    return (
        subnormal(2) + magnitudes(-1070, -30, 6) + magnitudes(-30, 3, 50) + uniform(-limit, limit, 60)
        + uniform(-2, 2, 40) + [limit * s * (1 - 2.0**-k) for k in range(4, 40, 5) for s in (1, -1)]
    )


def positive():
    return (
        [abs(x) for x in subnormal(4) + magnitudes(-1070, 1022, 50)] + uniform(0, 4, 40)
        + [1 + s * 2.0**-k for k in range(1, 53, 3) for s in (1, -1)] + [1.0, 2.0, 10.0, MAX]
    )


def points_of_the_plane():
    pairs = []
    for _ in range(70):
        pairs.append((random.uniform(-3, 3), random.uniform(-3, 3)))
    for _ in range(40):
        base = random.uniform(-1000, 1000)
        pairs.append((magnitudes(base, base, 1)[0], magnitudes(base + random.uniform(-60, 0), base + 0, 1)[0]))
    for _ in range(20):
        base = random.uniform(-1000, 1000)
        pairs.append((magnitudes(base - 2, base, 1)[0], magnitudes(base, base, 1)[0]))
    for s in (1, -1):
        for t in (1, -1):
            pairs += [(s * 1.0, t * 1.0), (s * 1e-300, t * 1e300), (s * 1e300, t * 1e-300)]
            pairs += [(s * MAX / 4, t * MAX / 4), (s * TINY * 7, t * TINY * 5), (s * 2.0**-1030, t * 2.0**-1031 * 3)]
    return pairs


def powers():
    pairs = [(random.uniform(0, 4), random.uniform(-30, 30)) for _ in range(60)]
    pairs += [(1 + s * 2.0**-k, t * 2.0 ** (k + random.uniform(-4, 8))) for k in range(2, 50, 3) for s in (1, -1) for t in (1, -1)]
    pairs += [(2 ** random.uniform(-1000, 1000), random.uniform(-1, 1)) for _ in range(30)]
    pairs += [(TINY * 77, 0.5), (TINY, -0.9), (MAX, 0.999), (MAX, -1.02), (2.0, -1074.0), (2.0, -1060.5), (3.0, -670.0)]
    pairs += [(-random.uniform(0, 4), float(random.randrange(-30, 30))) for _ in range(20)]
    return pairs


def power(x, y):
    if x < 0:
        return mp.power(-mpf(x), mpf(y)) * (-1 if int(y) % 2 else 1)
    return mp.power(mpf(x), mpf(y))


UNARY = [
    ("sin", mp.sin, angles), ("cos", mp.cos, angles), ("tan", mp.tan, angles),
    ("asin", mp.asin, fractions), ("acos", mp.acos, fractions), ("atan", mp.atan, numbers),
    ("sinh", mp.sinh, lambda: exponents(710.4)), ("cosh", mp.cosh, lambda: exponents(710.4)),
    ("tanh", mp.tanh, lambda: exponents(20.0) + uniform(0.5, 0.7, 20)), ("exp", mp.exp, lambda: exponents(709.7) + uniform(-745, -700, 20)),
    ("ln", mp.log, positive), ("sqrt", mp.sqrt, positive),
    ("recip", lambda x: 1 / x, lambda: magnitudes(-1020, 1020, 40) + uniform(-3, 3, 20) + [TINY * 2.0**53, MAX, 1.0]),
]
BINARY = [
    ("atan2", lambda y, x: mp.atan2(mpf(y), mpf(x)), points_of_the_plane),
    ("hypot", lambda x, y: mp.hypot(mpf(x), mpf(y)), points_of_the_plane),
    ("powf", power, powers),
]


def main():
    for name, function, points in UNARY:
        for x in points():
            high, low = rounded(function(mpf(x)))
            print(name, bits(x), bits(high), bits(low))
    for name, function, points in BINARY:
        for x, y in points():
            high, low = rounded(function(x, y))
            print(name, bits(x), bits(y), bits(high), bits(low))


if __name__ == "__main__":
    main()
