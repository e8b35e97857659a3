#!/usr/bin/env python3
"""Writes `data/<arm>_regressor.txt`: the torque regressors of the arms in `arms.json`, by Pinocchio.

    pip install pin==4.1.0
    python3 regressor.py

A row for each joint, ten columns for each link, in Pinocchio's order: m, m c_x, m c_y, m c_z, and of
the inertia about the origin of the link's axes I_xx, I_xy, I_yy, I_xz, I_yz, I_zz. The states come
from a fixed seed.
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
    return model


def line(name, entries):
    return " ".join([name, *(format(float(x), f".{DIGITS}g") for x in entries)])


def write(name, arm):
    model = model_of(arm)
    data = model.createData()
    random = np.random.default_rng(sum(map(ord, name)))
    out = [f"# {name}: written by regressor.py; matrices row by row."]
    for _ in range(CASES):
        q, v, a = (random.uniform(-limit, limit, model.nv) for limit in (3, 2, 5))
        out.append("case")
        out.extend(line(*pair) for pair in (("q", q), ("v", v), ("a", a)))
        out.append(line("regressor", pin.computeJointTorqueRegressor(model, data, q, v, a).flatten()))
    (HERE / "data" / f"{name}_regressor.txt").write_text("\n".join(out) + "\n", encoding="utf-8")


def main():
    arms = json.loads((HERE / "arms.json").read_text(encoding="utf-8"))
    for name, arm in arms.items():
        write(name, arm)
        print(name)


if __name__ == "__main__":
    main()
