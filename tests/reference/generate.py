#!/usr/bin/env python3
"""Writes `data/<system>.txt`, the reference values of every model in `models/`.

    pip install -r requirements.txt
    python3 generate.py            # all systems
    python3 generate.py cart_pole  # some

The states are multiples of 1/256, hence exact in binary and in the decimals printed, and drawn from
a generator seeded by the system's name: the output is the same at every run.
"""

import math
import random
import sys
from fractions import Fraction
from pathlib import Path

import mpmath
import sympy

from derivation import DIGITS, MODELS, Derivation, Names
from differences import Differences
import models  # noqa: F401

GRID = 256
PRINTED_DIGITS = 18
ZERO = mpmath.mpf(10) ** -30
DATA = Path(__file__).parent / "data"

ORDINARY = {"q": (-1.2, 1.2), "v": (-1.5, 1.5), "a": (-2, 2), "u": (-3, 3), "t": (0.1, 2), "p": (0.5, 2)}


def draw(source, kind, names, ranges):
    values = []
    for name in names:
        low, high = ranges.get(name, ORDINARY[kind])
        values.append(Fraction(math.floor((low + source.random() * (high - low)) * GRID), GRID))
    return values


def random_state(source, model):
    speeds = [f"der({name})" for name in model.coordinates]
    return {
        "q": draw(source, "q", model.coordinates, model.ranges),
        "v": draw(source, "v", speeds, model.ranges),
        "a": draw(source, "a", speeds, {}),
        "t": draw(source, "t", ["t"], model.ranges)[0],
        "u": draw(source, "u", model.inputs, model.ranges),
        "p": draw(source, "p", model.parameters, model.ranges),
    }


def text(value):
    if isinstance(value, Fraction):
        return format(float(value), ".10g")
    return "0" if abs(value) < ZERO else mpmath.nstr(value, PRINTED_DIGITS, strip_zeros=True)


def lines(model, state, values):
    yield "case"
    inputs = {"q": state["q"], "v": state["v"], "a": state["a"]}
    if model.time:
        inputs["t"] = [state["t"]]
    if model.inputs:
        inputs["u"] = state["u"]
    inputs |= {f"p.{name}": [value] for name, value in zip(model.parameters, state["p"])}
    for name, entries in [*inputs.items(), *values.items()]:
        yield " ".join([name, *(text(x) for x in entries)])


def write(model):
    derivation = Differences(model, Names(model)) if model.large else Derivation(model)
    source = random.Random(model.name)
    out = [
        f"# {model.name}: written by generate.py with SymPy {sympy.__version__}; matrices row by row.",
        "# A case is its inputs, then its outputs.",
    ]
    for _ in range(model.cases):
        state = random_state(source, model)
        values = derivation.evaluate(state)
        rows = {
            name: [value[i, j] for i in range(value.rows) for j in range(value.cols)]
            for name, value in values.items()
        }
        out.extend(lines(model, state, rows))
    (DATA / f"{model.name}.txt").write_text("\n".join(out) + "\n", encoding="utf-8")


def main(wanted):
    mpmath.mp.dps = DIGITS
    DATA.mkdir(exist_ok=True)
    unknown = set(wanted) - {model.name for model in MODELS}
    if unknown:
        sys.exit(f"no such system: {', '.join(sorted(unknown))}")
    for model in MODELS:
        if not wanted or model.name in wanted:
            write(model)
            print(model.name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
