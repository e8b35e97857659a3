"""Reference values of robots by Pinocchio, and the programs that compare with them.

    robots.py data NAME=FILE ..                  prints the values of these files
    robots.py program FOLDER DATA NAME=FILE ..   writes a package into FOLDER that compares files with these values

A file is read as the crate reads it: links of mass 0 have no inertia, followers are substituted, damping acts, and
angles of `rpy` within 1e-9 of a multiple of pi/2 are that multiple.
Joints are matched by name. The state of a file is drawn by a linear congruential generator.
"""

import sys
import xml.etree.ElementTree as tree
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
DATA = HERE / "data" / "robots.txt"
SINGLE = ("revolute", "continuous", "prismatic")


def exact(angle):
    near = round(angle / (np.pi / 2)) * np.pi / 2
    return repr(float(near if abs(angle - near) <= 1e-9 else angle))


class Robot:
    """Links and joints of a file, in its order."""

    def __init__(self, name, path):
        # `name+free` has a free base.
        self.name, self.path = name.replace("+", "_"), Path(path)
        self.free = name.endswith("+free")
        text = self.path.read_text(encoding="utf-8-sig")
        self.root = tree.fromstring(text)
        for link in self.root.findall("link"):
            inertial = link.find("inertial")
            if inertial is not None and float(inertial.find("mass").get("value")) == 0.0:
                link.remove(inertial)
        for origin in self.root.iter("origin"):
            if origin.get("rpy"):
                origin.set("rpy", " ".join(exact(float(angle)) for angle in origin.get("rpy").split()))
        self.joints = self.root.findall("joint")
        self.kinds = {j.get("name"): j.get("type") for j in self.joints}
        self.leaders = {}
        self.damping = {}
        for joint in self.joints:
            own, mimic, dynamics = joint.get("name"), joint.find("mimic"), joint.find("dynamics")
            if self.kinds[own] in SINGLE and dynamics is not None:
                self.damping[own] = float(dynamics.get("damping", 0))
            if self.kinds[own] in SINGLE and mimic is not None:
                leader = mimic.get("joint")
                factors = float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))
                self.leaders[own] = (leader, *factors)
                joint.remove(mimic)
        moving = [j.get("name") for j in self.joints if self.kinds[j.get("name")] != "fixed"]
        self.moving = [name for name in moving if name not in self.leaders]
        if any(self.kinds[name] not in SINGLE for name in self.moving):
            raise ValueError("a joint of several coordinates")
        # The link behind the most joints that move.
        above = {j.find("child").get("link"): (j.find("parent").get("link"), j) for j in self.joints}

        def depth(link):
            if link not in above:
                return 0
            parent, joint = above[link]
            return depth(parent) + (self.kinds[joint.get("name")] != "fixed")

        self.tip = max(reversed(list(above)), key=depth)

    def follows(self, name):
        """The joint that moves this one, the multiplier and the offset; a fixed leader is at 0."""
        multiplier, offset = 1.0, 0.0
        while name in self.leaders:
            name, own, shift = self.leaders[name]
            offset += multiplier * shift
            multiplier *= own
        return (name, multiplier, offset) if self.kinds[name] in SINGLE else (None, 0.0, offset)


def draws():
    state = 1
    while True:
        state = (state * 1103515245 + 12345) % 2**31
        yield state / 2**30 - 1.0


def values(robot):
    import pinocchio as pin

    text = tree.tostring(robot.root, encoding="unicode")
    base = (pin.JointModelFreeFlyer(),) if robot.free else ()
    model = pin.buildModelFromXML(text, *base)
    data = model.createData()
    draw = draws()
    take = lambda count: np.array([next(draw) for _ in range(count)])
    count = len(robot.moving)
    shift = 6 if robot.free else 0
    position, quaternion = take(3), take(4)
    quaternion /= np.linalg.norm(quaternion)
    joints = dict(zip(robot.moving, take(count)))
    n = count + shift
    v, tau, w, f = take(n), take(n), take(n), take(6)
    q, g, bias, damping = pin.neutral(model), np.zeros((model.nv, n)), np.zeros(model.nv), np.zeros(n)
    if robot.free:
        rotation = pin.Quaternion(quaternion[3], *quaternion[:3]).toRotationMatrix()
        q[:3], q[3:7] = position, quaternion
        g[:3, :3], g[3:6, 3:6] = rotation.T, np.eye(3)
        bias[:3] = -np.cross(v[3:6], rotation.T @ v[:3])
    for number in range(1, model.njoints):
        name, joint = model.names[number], model.joints[number]
        if name not in robot.kinds:
            continue
        leader, multiplier, offset = robot.follows(name)
        angle = offset + (multiplier * joints[leader] if leader else 0.0)
        q[joint.idx_q : joint.idx_q + joint.nq] = (
            [angle] if joint.nq == 1 else [np.cos(angle), np.sin(angle)]
        )
        if leader:
            at = shift + robot.moving.index(leader)
            g[joint.idx_v, at] = multiplier
            damping[at] += robot.damping.get(name, 0.0) * multiplier**2
    full = np.array(pin.crba(model, data, q))
    full = np.triu(full) + np.triu(full, 1).T
    mass = g.T @ full @ g
    h = g.T @ (pin.nonLinearEffects(model, data, q, g @ v) + full @ bias)
    a = np.linalg.solve(mass, tau - h - damping * v) if np.linalg.cond(mass) < 1e13 else np.full(n, np.nan)
    pin.computeJointJacobians(model, data, q)
    pin.updateFramePlacements(model, data)
    tip = next(i for i, frame in enumerate(model.frames) if frame.name == robot.tip and frame.type == pin.BODY)
    jacobian = pin.getFrameJacobian(model, data, tip, pin.LOCAL_WORLD_ALIGNED) @ g
    pose = data.oMf[tip]
    return {
        "mass": [pin.computeTotalMass(model)],
        "mv": mass @ w,
        "h": h,
        "a": a,
        "pose": [*pose.translation, *pose.rotation.flatten()],
        "jw": jacobian @ w,
        "jf": jacobian.T @ f,
    }


def given(arguments):
    for argument in arguments:
        name, path = argument.split("=", 1)
        yield name, path


def write_data(arguments):
    lines = ["# By Pinocchio: `tests/reference/robots.py`."]
    for name, path in given(arguments):
        try:
            robot = Robot(name, path)
            of_robot = values(robot)
        except Exception as error:  # Pinocchio has no values of it.
            print(f"{name}: {error}", file=sys.stderr)
            continue
        lines += [f"robot {robot.name}", f"tip {robot.tip}"]
        for key, entries in of_robot.items():
            lines.append(" ".join([key, *(f"{entry:.14g}" for entry in entries)]))
    print("\n".join(lines))


PROGRAM = """\
//! Robots of files beside the values of Pinocchio.
#![allow(deprecated)]

#[path = "{harness}"]
#[macro_use]
mod harness;

const DATA: &str = include_str!("{data}");

{robots}
"""


def write_program(folder, data, arguments):
    folder = Path(folder)
    (folder / "src").mkdir(parents=True, exist_ok=True)
    root = HERE.parent.parent
    (folder / "Cargo.toml").write_text(
        "[package]\nname = \"robots\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n"
        f"[dependencies]\nlagrangian = {{ path = \"{root}\", features = [\"urdf\"] }}\n",
        encoding="utf-8",
    )
    robots = []
    for name, path in given(arguments):
        robot = Robot(name, path)
        count = len(robot.moving) + (6 if robot.free else 0)
        options = "base: free, " if robot.free else ""
        robots.append(
            f"robot_test!({robot.name}, \"{robot.path.resolve()}\", {{ {options}friction: ignore, inertia: as_given }}, "
            f"{count}, \"{robot.tip}\");"
        )
    harness = HERE.parent / "robots" / "harness.rs"
    text = PROGRAM.format(harness=harness, data=Path(data).resolve(), robots="\n".join(robots))
    (folder / "src" / "lib.rs").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["data", *arguments]:
            write_data(arguments)
        case ["program", folder, data, *arguments]:
            write_program(folder, data, arguments)
        case _:
            sys.exit(__doc__)
