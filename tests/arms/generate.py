#!/usr/bin/env python3
"""Writes `data/<arm>.txt`: reference values of the arms in `arms.json`.

    pip install mpmath==1.3.0
    python3 generate.py

The values come from the recursive Newton-Euler algorithm (Luh, Walker and Paul, "On-line
computational scheme for mechanical manipulators", 1980), from the base outwards for the motion of
each link and back for the forces, to 40 digits. The mass matrix is what it says for a unit
acceleration of one joint after the other, at rest and without weight. The format is that of
`tests/reference`.

A joint turns about z of the link's axes. `place` and `turn` are the position and the axes (columns)
of the link in the axes of the link before, at the angle zero; `centre` and `inertia` (about the
centre of mass) are in the link's own axes. Units are kg, m, s. The hands are for `hands.py`.
"""

import json
import random
from fractions import Fraction
from pathlib import Path

import mpmath
from mpmath import matrix

HERE = Path(__file__).parent
CASES = 4
GRID = 256
PRINTED_DIGITS = 18
DIGITS = 40


def cross(left, right):
    return matrix(
        [
            left[1] * right[2] - left[2] * right[1],
            left[2] * right[0] - left[0] * right[2],
            left[0] * right[1] - left[1] * right[0],
        ]
    )


def about_z(angle):
    c, s = mpmath.cos(angle), mpmath.sin(angle)
    return matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]])


class Link:
    def __init__(self, given):
        # JSON numbers are read as text, so that 0.1 is one tenth.
        self.place, self.turn = matrix(given["place"]), matrix(given["turn"])
        self.mass, self.centre = mpmath.mpf(given["mass"]), matrix(given["centre"])
        self.inertia = matrix(given["inertia"])


def torques(links, gravity, q, v, a):
    """M a + h by recursion."""
    rate, rate_change, acceleration = matrix([0, 0, 0]), matrix([0, 0, 0]), -gravity
    axis = matrix([0, 0, 1])
    rotations, loads = [], []
    for link, angle, speed, change in zip(links, q, v, a):
        rotation = link.turn * about_z(angle)
        place, back = link.place, rotation.T
        acceleration = back * (acceleration + cross(rate_change, place) + cross(rate, cross(rate, place)))
        carried = back * rate
        rate_change = back * rate_change + cross(carried, axis) * speed + axis * change
        rate = carried + axis * speed
        centre, inertia = link.centre, link.inertia
        at_centre = acceleration + cross(rate_change, centre) + cross(rate, cross(rate, centre))
        force = at_centre * link.mass
        moment = inertia * rate_change + cross(rate, inertia * rate) + cross(centre, force)
        rotations.append(rotation)
        loads.append((force, moment))
    result = []
    force, moment = matrix([0, 0, 0]), matrix([0, 0, 0])
    for index in reversed(range(len(links))):
        force, moment = force + loads[index][0], moment + loads[index][1]
        result.insert(0, moment[2])
        force = rotations[index] * force
        moment = rotations[index] * moment + cross(links[index].place, force)
    return matrix(result)


def evaluate(links, gravity, state):
    q, v, a, u = (to_mpmath(state[name]) for name in ("q", "v", "a", "u"))
    count = len(links)
    still = matrix([0] * count)
    mass = mpmath.zeros(count)
    for joint in range(count):
        unit = matrix([int(row == joint) for row in range(count)])
        mass[:, joint] = torques(links, matrix([0, 0, 0]), q, still, unit)
    bias = torques(links, gravity, q, v, still)
    return {
        "mass_matrix": mass,
        "bias": bias,
        "inverse_dynamics": torques(links, gravity, q, v, a),
        "acceleration": mpmath.lu_solve(mass, u - bias),
    }


def to_mpmath(fractions):
    return matrix([mpmath.mpf(x.numerator) / x.denominator for x in fractions])


def draw(source, count, limit):
    return [Fraction(int((2 * source.random() - 1) * limit * GRID), GRID) for _ in range(count)]


def random_state(source, count):
    limits = {"q": 3, "v": 2, "a": 5, "u": 40}
    return {name: draw(source, count, limit) for name, limit in limits.items()}


def line(name, entries):
    return " ".join([name, *entries])


def write(name, arm):
    links, gravity = [Link(link) for link in arm["links"]], matrix(arm["gravity"])
    source = random.Random(name)
    out = [f"# {name}: written by generate.py; matrices row by row."]
    for _ in range(CASES):
        state = random_state(source, len(links))
        out.append("case")
        for key, entries in state.items():
            out.append(line(key, (format(float(x), ".10g") for x in entries)))
        for key, value in evaluate(links, gravity, state).items():
            entries = (value[i, j] for i in range(value.rows) for j in range(value.cols))
            out.append(line(key, (mpmath.nstr(x, PRINTED_DIGITS, strip_zeros=True) for x in entries)))
    (HERE / "data" / f"{name}.txt").write_text("\n".join(out) + "\n", encoding="utf-8")


def main():
    mpmath.mp.dps = DIGITS
    arms = json.loads((HERE / "arms.json").read_text(encoding="utf-8"), parse_float=str, parse_int=str)
    for name, arm in arms.items():
        write(name, arm)
        print(name)


if __name__ == "__main__":
    main()
