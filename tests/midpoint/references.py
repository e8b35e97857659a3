#!/usr/bin/env python3
"""Writes references.txt: motions of rigid bodies, by Taylor series of 40 terms in arithmetic of 40 digits.

- `dzhanibekov`: the time between sign changes of the second angular velocity of a free body with the moments 0.3, 0.35
  and 0.4 that starts at (0.1, 15, 0.1), from the integral of the body's elliptic function;
- `top`: of the heavy top of O. Bruels, A. Cardona and M. Arnold, "Lie group generalized-alpha time integration of
  constrained flexible multibody systems", Mech. Mach. Theory 48, 2012, section 6: the time, the orientation as the
  quaternion x, y, z, w, and the angular velocity in the body's axes.

Needs mpmath: `pip install mpmath==1.3.0`. The output does not change from run to run.
"""

from mpmath import ellipk, mp, mpf, nstr, sqrt

mp.dps = 40
TERMS = 40


def dzhanibekov():
    moments = [mpf("0.3"), mpf("0.35"), mpf("0.4")]
    rates = [mpf("0.1"), mpf(15), mpf("0.1")]
    twice_energy = sum(i * w**2 for i, w in zip(moments, rates))
    momentum = sum((i * w) ** 2 for i, w in zip(moments, rates))
    a, b, c = moments
    # The classical solution by Jacobi's functions: the second rate is a sine amplitude.
    if momentum < twice_energy * b:
        a, c = c, a
    slope = sqrt((c - b) * (twice_energy * a - momentum) / (a * b * c) * -1)
    parameter = (b - a) * (twice_energy * c - momentum) / ((c - b) * (momentum - twice_energy * a))
    return 2 * ellipk(parameter) / slope


def product(a, b, k):
    return sum(a[i] * b[k - i] for i in range(k + 1))


def top(times):
    # About the fixed point; the centre of mass is at (0, 1, 0) in the body, the weight along -z of the world.
    mass, gravity = mpf(15), mpf("9.81")
    moments = [mpf("0.234375") + mass, mpf("0.46875"), mpf("0.234375") + mass]
    q = [mpf(0), mpf(0), mpf(0), mpf(1)]
    w = [mpf(0), mpf(150), mpf("-4.61538")]
    t, step = mpf(0), mpf(1) / 500
    steps = 0
    for time in times:
        while steps < time * 500:
            q, w = taylor(q, w, moments, mass * gravity, step)
            steps += 1
        yield mpf(time), q, w


def taylor(q, w, moments, weight, step):
    q = [[x] for x in q]
    w = [[x] for x in w]
    for k in range(TERMS):
        x, y, z, s = q
        p = lambda a, b: product(a, b, k)
        rates = [
            p(s, w[0]) + p(y, w[2]) - p(z, w[1]),
            p(s, w[1]) + p(z, w[0]) - p(x, w[2]),
            p(s, w[2]) + p(x, w[1]) - p(y, w[0]),
            -(p(x, w[0]) + p(y, w[1]) + p(z, w[2])),
        ]
        # The world's z in the body's axes: the third row of the rotation matrix.
        up = [2 * (p(x, z) - p(y, s)), None, p(s, s) + p(z, z) - p(x, x) - p(y, y)]
        # The torque (0, 1, 0) x (-weight up).
        torque = [-weight * up[2], 0, weight * up[0]]
        turned = [
            (moments[(i + 1) % 3] - moments[(i + 2) % 3]) * p(w[(i + 1) % 3], w[(i + 2) % 3]) for i in range(3)
        ]
        for i in range(4):
            q[i].append(rates[i] / 2 / (k + 1))
        for i in range(3):
            w[i].append((turned[i] + torque[i]) / moments[i] / (k + 1))
    value = lambda series: sum(c * step**k for k, c in enumerate(series))
    return [value(x) for x in q], [value(x) for x in w]


def main():
    lines = ["# Written by references.py.", f"dzhanibekov {nstr(dzhanibekov(), 20)}"]
    for time, q, w in top([mpf("0.2"), 1, 2]):
        lines.append("top " + " ".join(nstr(x, 20) for x in [time, *q, *w]))
    with open("references.txt", "w") as file:
        file.write("\n".join(lines) + "\n")


main()
