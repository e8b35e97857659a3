"""The arms in `arms.json` as Pinocchio's models, and the files of `data`: shared by the scripts beside it."""

import json
from pathlib import Path

import numpy as np
import pinocchio as pin

HERE = Path(__file__).parent
DIGITS = 17


def arms():
    return json.loads((HERE / "arms.json").read_text(encoding="utf-8")).items()


def placement(given):
    return pin.SE3(np.array(given["turn"], dtype=float), np.array(given["place"], dtype=float))


def model_of(arm, with_bodies=False):
    model = pin.Model()
    model.gravity.linear = np.array(arm["gravity"], dtype=float)
    joint = 0
    for number, link in enumerate(arm["links"]):
        joint = model.addJoint(joint, pin.JointModelRZ(), placement(link), f"joint{number}")
        if with_bodies:
            inertia = np.array(link["inertia"], dtype=float)
            body = pin.Inertia(link["mass"], np.array(link["centre"], dtype=float), inertia)
            model.appendBodyToJoint(joint, body, pin.SE3.Identity())
    return model


def write(file, header, cases):
    """Each case a dictionary of values, written before the next is made: they may be views of Pinocchio's data.

    Matrices are row by row; the format is that of `tests/reference`.
    """
    lines = [f"# {header}; matrices row by row."]
    for case in cases:
        lines.append("case")
        for name, value in case.items():
            entries = " ".join(f"{x:.{DIGITS}g}" for x in np.ravel(value))
            lines.append(f"{name} {entries}")
    (HERE / "data" / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
