#!/usr/bin/env python3
"""Writes `data/quadruped.txt`: a trunk that floats, with four legs of three joints, by Pinocchio.

    pip install pin==4.1.0
    python3 quadruped.py

The model is built here from numbers that `tests/rotations/quadruped.rs` repeats. Pinocchio's free-flyer has
its linear velocity in the axes of the body. Here v = [dp/dt in the world, w in the body, joints], so that
with T = diag(R^T, 1, 1)

    v_pin = T v,  a_pin = T a - [w x R^T dp/dt, 0, 0],  M = T^T M_pin T,  tau = T^T tau_pin.

Their derivatives follow by the chain rule, of T along a turn d too: dR^T = -[d]x R^T.

Quaternions are in the order x, y, z, w in both. The states come from a fixed seed.
"""

from pathlib import Path

import numpy as np
import pinocchio as pin

CASES = 5
DIGITS = 17
FORE, SIDE = (1, 1, -1, -1), (1, -1, 1, -1)
TRUNK_INERTIA = np.array(
    [[0.0168, 0.0001, 0.0002], [0.0001, 0.063, -0.00003], [0.0002, -0.00003, 0.0717]]
)


def quadruped():
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -9.81])

    def link(parent, joint, place, mass, centre, inertia, name):
        where = pin.SE3(np.eye(3), np.array(place))
        added = model.addJoint(parent, joint, where, name)
        body = pin.Inertia(mass, np.array(centre), inertia)
        model.appendBodyToJoint(added, body, pin.SE3.Identity())
        return added

    trunk = link(0, pin.JointModelFreeFlyer(), [0.0] * 3, 6.921, [0.0223, 0.002, -0.0005], TRUNK_INERTIA, "trunk")
    for leg, (fore, side) in enumerate(zip(FORE, SIDE)):
        hip = link(
            trunk, pin.JointModelRX(), [0.183 * fore, 0.047 * side, 0.0],
            0.678, [-0.005 * fore, 0.0019 * side, 0.0001], np.diag([0.0005, 0.0009, 0.0006]), f"hip{leg}",
        )
        thigh = link(
            hip, pin.JointModelRY(), [0.0, 0.081 * side, 0.0],
            1.152, [-0.0036, -0.022 * side, -0.027], np.diag([0.006, 0.0058, 0.0011]), f"thigh{leg}",
        )
        calf = link(
            thigh, pin.JointModelRY(), [0.0, 0.0, -0.213],
            0.154, [0.006, -0.0012, -0.1306], np.diag([0.0011, 0.0012, 0.00003]), f"calf{leg}",
        )
    frame(model, "foot", calf, [0.0, 0.0, -0.213], np.eye(3))
    frame(model, "camera", trunk, [0.25, 0.02, 0.06], np.array([[0.8, 0.0, -0.6], [0.0, 1.0, 0.0], [0.6, 0.0, 0.8]]))
    return model


def frame(model, name, joint, place, turn):
    model.addFrame(pin.Frame(name, joint, pin.SE3(turn, np.array(place)), pin.FrameType.OP_FRAME))


def motion(model, data, name, change):
    """After `forwardKinematics` at a = 0 and `computeJointJacobians`; the origin first, world axes."""
    number, world = model.getFrameId(name), pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    pose = data.oMf[number]
    return {
        f"{name}_origin": pose.translation,
        f"{name}_rotation": pose.rotation,
        f"{name}_velocity": pin.getFrameVelocity(model, data, number, world).vector,
        f"{name}_jacobian": pin.getFrameJacobian(model, data, number, world) @ change,
        f"{name}_bias": pin.getFrameClassicalAcceleration(model, data, number, world).vector,
    }


def derivatives(model, data, q, v, a, u, turn):
    """Of inverse and forward dynamics, by displacement and by v: columns along the 18 directions."""
    change = np.eye(18)
    change[:3, :3] = turn.T
    v_pin = change @ v
    seen, w = v_pin[:3], v[3:6]
    base = lambda vector: np.concatenate([vector, np.zeros(15)])
    drift = base(np.cross(w, seen))
    effort = np.concatenate([np.zeros(6), u])
    pin.computeRNEADerivatives(model, data, q, v_pin, change @ a - drift)
    tau_q, tau_v = data.dtau_dq.copy(), data.dtau_dv.copy()
    mass = np.triu(data.M) + np.triu(data.M, 1).T
    tau = pin.rnea(model, data, q, v_pin, change @ a - drift)
    pin.computeABADerivatives(model, data, q, v_pin, effort)
    free_q, free_v = data.ddq_dq.copy(), data.ddq_dv.copy()
    free = pin.aba(model, data, q, v_pin, effort)
    columns = {name: [] for name in ("inverse_by_q", "inverse_by_v", "forward_by_q", "forward_by_v")}
    for i in range(18):
        d = np.eye(18)[i]
        change_d = np.zeros((18, 18))
        change_d[:3, :3] = -pin.skew(d[3:6]) @ turn.T
        drift_d = base(np.cross(w, (change_d @ v)[:3]))
        columns["inverse_by_q"].append(
            change_d.T @ tau
            + change.T @ (tau_q @ change @ d + tau_v @ change_d @ v + mass @ (change_d @ a - drift_d))
        )
        columns["forward_by_q"].append(
            change_d.T @ (free + drift)
            + change.T @ (free_q @ change @ d + free_v @ change_d @ v + drift_d)
        )
        drift_v = base(np.cross(d[3:6], seen) + np.cross(w, (change @ d)[:3]))
        columns["inverse_by_v"].append(change.T @ (tau_v @ change @ d - mass @ drift_v))
        columns["forward_by_v"].append(change.T @ (free_v @ change @ d + drift_v))
    return {name: np.array(rows).T for name, rows in columns.items()}


def case(model, data, random):
    q = np.concatenate([random.uniform(-1, 1, 7), random.uniform(-2, 2, 12)])
    q[3:7] /= np.linalg.norm(q[3:7])
    v, a = random.uniform(-3, 3, 18), random.uniform(-5, 5, 18)
    u = random.uniform(-4, 4, 12)
    x, y, z, w = q[3:7]
    turn = pin.Quaternion(w, x, y, z).toRotationMatrix()
    change = np.eye(18)
    change[:3, :3] = turn.T
    v_pin = change @ v
    drift = np.zeros(18)
    drift[:3] = np.cross(v[3:6], v_pin[:3])
    effort = lambda a: change.T @ pin.rnea(model, data, q, v_pin, change @ a - drift)
    mass = pin.crba(model, data, q)
    mass = np.triu(mass) + np.triu(mass, 1).T
    free = pin.aba(model, data, q, v_pin, np.concatenate([np.zeros(6), u]))
    kinetic = pin.computeKineticEnergy(model, data, q, v_pin)
    potential = pin.computePotentialEnergy(model, data, q)
    by = derivatives(model, data, q, v, a, u, turn)
    pin.forwardKinematics(model, data, q, v_pin, -drift)
    pin.computeJointJacobians(model, data, q)
    pin.updateFramePlacements(model, data)
    return {
        "q": q, "v": v, "a": a, "u": u,
        "mass_matrix": change.T @ mass @ change,
        "bias": effort(np.zeros(18)),
        "inverse_dynamics": effort(a),
        "acceleration": change.T @ (free + drift),
        "kinetic_energy": [kinetic],
        "potential_energy": [potential],
        **motion(model, data, "foot", change),
        **motion(model, data, "camera", change),
        **by,
    }


def main():
    model = quadruped()
    data, random = model.createData(), np.random.default_rng(18)
    lines = [f"# quadruped: written by quadruped.py with Pinocchio {pin.__version__}; matrices row by row."]
    for _ in range(CASES):
        lines.append("case")
        for name, value in case(model, data, random).items():
            entries = " ".join(f"{x:.{DIGITS}g}" for x in np.ravel(value))
            lines.append(f"{name} {entries}")
    path = Path(__file__).parent / "data" / "quadruped.txt"
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
