#!/usr/bin/env python3
"""Writes `data/<arm>_regressor.txt`: the torque regressors of the arms in `arms.json`, by Pinocchio.

    pip install pin==4.1.0
    python3 regressor.py

A row for each joint, ten columns for each link, in Pinocchio's order: m, m c_x, m c_y, m c_z, and of
the inertia about the origin of the link's axes I_xx, I_xy, I_yy, I_xz, I_yz, I_zz. The states come
from a fixed seed.
"""

import numpy as np
import pinocchio as pin

from pinocchio_arms import arms, model_of, write

CASES = 3


def case(model, data, random):
    q, v, a = (random.uniform(-limit, limit, model.nv) for limit in (3, 2, 5))
    regressor = pin.computeJointTorqueRegressor(model, data, q, v, a)
    return {"q": q, "v": v, "a": a, "regressor": regressor}


def main():
    for name, arm in arms():
        model = model_of(arm)
        data, random = model.createData(), np.random.default_rng(sum(map(ord, name)))
        cases = (case(model, data, random) for _ in range(CASES))
        write(f"{name}_regressor.txt", f"{name}: written by regressor.py", cases)
        print(name)


if __name__ == "__main__":
    main()
