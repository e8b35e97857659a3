#!/usr/bin/env python3
"""Writes `data/<arm>_derivatives.txt`: derivatives of the arms in `arms.json`, by Pinocchio.

    pip install pin==4.1.0
    python3 derivatives.py

Of `computeRNEADerivatives` at an acceleration, and of `computeABADerivatives` at torques; a row for each
torque or acceleration. The states come from a fixed seed.
"""

import json
from pathlib import Path

import numpy as np
import pinocchio as pin

HERE = Path(__file__).parent
CASES = 3
DIGITS = 17


def model_of(arm):
    model = pin.Model()
    model.gravity.linear = np.array(arm["gravity"], dtype=float)
    joint = 0
    for number, link in enumerate(arm["links"]):
        place = pin.SE3(np.array(link["turn"], dtype=float), np.array(link["place"], dtype=float))
        joint = model.addJoint(joint, pin.JointModelRZ(), place, f"joint{number}")
        inertia = np.array(link["inertia"], dtype=float)
        body = pin.Inertia(link["mass"], np.array(link["centre"], dtype=float), inertia)
        model.appendBodyToJoint(joint, body, pin.SE3.Identity())
    return model


def case(model, data, random):
    q, v, a, u = (random.uniform(-limit, limit, model.nv) for limit in (3, 2, 5, 20))
    pin.computeRNEADerivatives(model, data, q, v, a)
    inverse = data.dtau_dq.copy(), data.dtau_dv.copy()
    pin.computeABADerivatives(model, data, q, v, u)
    inertia = np.triu(data.Minv) + np.triu(data.Minv, 1).T
    return {
        "q": q, "v": v, "a": a, "u": u,
        "inverse_by_q": inverse[0], "inverse_by_v": inverse[1],
        "forward_by_q": data.ddq_dq, "forward_by_v": data.ddq_dv, "forward_by_u": inertia,
    }


def write(name, arm):
    model = model_of(arm)
    data = model.createData()
    random = np.random.default_rng(7 + len(name))
    lines = [f"# {name}: written by derivatives.py with Pinocchio {pin.__version__}; matrices row by row."]
    for _ in range(CASES):
        lines.append("case")
        for key, value in case(model, data, random).items():
            entries = " ".join(f"{x:.{DIGITS}g}" for x in np.ravel(value))
            lines.append(f"{key} {entries}")
    (HERE / "data" / f"{name}_derivatives.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    arms = json.loads((HERE / "arms.json").read_text(encoding="utf-8"))
    for name, arm in arms.items():
        write(name, arm)
        print(name)


if __name__ == "__main__":
    main()
