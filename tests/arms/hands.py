#!/usr/bin/env python3
"""Writes `data/<arm>_hand.txt`: how the hands of the arms in `arms.json` move, by Pinocchio.

    pip install pin==4.1.0
    python3 hands.py

A hand is a frame behind the last link: `place` and `turn` are its position and its axes (columns) in
the link's axes. Jacobian and velocity are of the origin and then angular, in the axes of the world:
Pinocchio's `LOCAL_WORLD_ALIGNED`. The bias is dJ/dt v. The states come from a fixed seed; the format is
that of `tests/reference`.
"""

import numpy as np
import pinocchio as pin

from pinocchio_arms import arms, model_of, placement, write

CASES = 4
WORLD = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


def with_hand(arm):
    model = model_of(arm)
    last = model.njoints - 1
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


def main():
    for name, arm in arms():
        model, hand = with_hand(arm)
        random = np.random.default_rng(len(name))
        header = f"{name}: written by hands.py with Pinocchio {pin.__version__}"
        write(f"{name}_hand.txt", header, (case(model, hand, random) for _ in range(CASES)))
        print(name)


if __name__ == "__main__":
    main()
