#!/usr/bin/env python3
"""Writes `data/<arm>_derivatives.txt`: derivatives of the arms in `arms.json`, by Pinocchio.

    pip install pin==4.1.0
    python3 derivatives.py

Of `computeRNEADerivatives` at an acceleration, and of `computeABADerivatives` at torques; a row for each
torque or acceleration. The states come from a fixed seed.
"""

import numpy as np
import pinocchio as pin

from pinocchio_arms import arms, model_of, write

CASES = 3


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


def main():
    for name, arm in arms():
        model = model_of(arm, with_bodies=True)
        data, random = model.createData(), np.random.default_rng(7 + len(name))
        header = f"{name}: written by derivatives.py with Pinocchio {pin.__version__}"
        write(f"{name}_derivatives.txt", header, (case(model, data, random) for _ in range(CASES)))
        print(name)


if __name__ == "__main__":
    main()
