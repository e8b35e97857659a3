#!/usr/bin/env python3
"""Writes `data/<arm>_hand.txt`: how the hands of the arms in `arms.json` move, by Pinocchio.

    pip install pin==4.1.0
    python3 hands.py

A hand is a frame behind the last link: `place` and `turn` are its position and its axes (columns) in
the link's axes. Jacobian and velocity are of the origin and then angular, in the axes of the world:
Pinocchio's `LOCAL_WORLD_ALIGNED`. The bias is dJ/dt v. The states come from a fixed seed; the format is
that of `tests/reference`.
"""

import json
from pathlib import Path

import numpy as np
import pinocchio as pin

HERE = Path(__file__).parent
CASES = 4
DIGITS = 17
WORLD = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


def placement(given):
    return pin.SE3(np.array(given["turn"], dtype=float), np.array(given["place"], dtype=float))


def arm_model(arm):
    model = pin.Model()
    last = 0
    for number, link in enumerate(arm["links"]):
        last = model.addJoint(last, pin.JointModelRZ(), placement(link), f"joint{number}")
    model.addFrame(pin.Frame("hand", last, placement(arm["hand"]), pin.FrameType.OP_FRAME))
    return model, model.getFrameId("hand")


def case(model, hand, random):
    data = model.createData()
    q, v = random.uniform(-3, 3, model.nq), random.uniform(-2, 2, model.nv)
    pin.forwardKinematics(model, data, q, v, np.zeros(model.nv))
    pin.computeJointJacobiansTimeVariation(model, data, q, v)
    pin.updateFramePlacements(model, data)
    jacobian = pin.getFrameJacobian(model, data, hand, WORLD)
    rate = pin.getFrameJacobianTimeVariation(model, data, hand, WORLD)
    velocity = pin.getFrameVelocity(model, data, hand, WORLD).vector
    bias = pin.getFrameClassicalAcceleration(model, data, hand, WORLD).vector
    # Pinocchio says the same in two ways.
    assert np.allclose(rate @ v, bias, rtol=0, atol=1e-12)
    assert np.allclose(jacobian @ v, velocity, rtol=0, atol=1e-12)
    pose = data.oMf[hand]
    return {
        "q": q, "v": v, "origin": pose.translation, "rotation": pose.rotation,
        "velocity": velocity, "jacobian": jacobian, "bias": rate @ v,
    }


def write(name, arm):
    model, hand = arm_model(arm)
    random = np.random.default_rng(len(name))
    lines = [f"# {name}: written by hands.py with Pinocchio {pin.__version__}; matrices row by row."]
    for _ in range(CASES):
        lines.append("case")
        for key, value in case(model, hand, random).items():
            entries = " ".join(f"{x:.{DIGITS}g}" for x in np.ravel(value))
            lines.append(f"{key} {entries}")
    (HERE / "data" / f"{name}_hand.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    arms = json.loads((HERE / "arms.json").read_text(encoding="utf-8"))
    for name, arm in arms.items():
        write(name, arm)
        print(name)


if __name__ == "__main__":
    main()
