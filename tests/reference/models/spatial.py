"""Bodies in space, by SymPy's reference frames, points and rigid bodies."""

from sympy import Rational, cos, pi, sin, sqrt
from sympy.physics.mechanics import Point, RigidBody, dot, inertia

from derivation import WORLD, Energies, model

ORIGIN = Point("O")
ORIGIN.set_vel(WORLD, 0)


def turned(frame, *turns):
    """`frame` turned about one of its own axes after the other: pairs of an axis and an angle."""
    for axis, angle in turns:
        parent = frame
        direction = getattr(parent, axis) if isinstance(axis, str) else along(parent, axis)
        frame = parent.orientnew("F", "Axis", [angle, direction])
    return frame


def along(frame, components):
    """The vector with these components in the axes of `frame`."""
    x, y, z = components
    return x * frame.x + y * frame.y + z * frame.z


def place(start, frame, components):
    """The point at these coordinates in the axes of `frame`, seen from `start`."""
    point = start.locatenew("P", along(frame, components))
    point.set_vel(WORLD, point.pos_from(ORIGIN).dt(WORLD))
    return point


def body(frame, centre, mass, moments, products=(0, 0, 0)):
    """Moments are those about x, y, z of `frame`; products are the entries xy, yz, zx."""
    return RigidBody("B", centre, frame, mass, (inertia(frame, *moments, *products), centre))


def kinetic(*bodies):
    return sum(each.kinetic_energy(WORLD) for each in bodies)


def weight(gravity, *bodies):
    """The potential of a uniform field, whose acceleration is given in world components."""
    field = along(WORLD, gravity)
    return -sum(each.mass * dot(field, each.masscenter.pos_from(ORIGIN)) for each in bodies)


def components(vector):
    return list(vector.to_matrix(WORLD))


def coordinates_of(point):
    return components(point.pos_from(ORIGIN))


def length(start, end):
    way = end.pos_from(start)
    return sqrt(dot(way, way))


@model("psi theta phi x y z", "m ixx iyy izz", ranges={"theta": (-1, 1)})
def free_body(s):
    frame = turned(WORLD, ("z", s.psi), ("x", s.theta), ("y", s.phi))
    centre = place(ORIGIN, WORLD, [s.x, s.y, s.z])
    rates = frame.ang_vel_in(WORLD)
    return Energies(
        T=kinetic(body(frame, centre, s.m, [s.ixx, s.iyy, s.izz])),
        outputs={
            "body_rates": list(rates.to_matrix(frame)),
            "angular_momentum": components(dot(inertia(frame, s.ixx, s.iyy, s.izz), rates)),
        },
    )


@model("q1 q2 q3", "m g k_t k_l l")
def framed_rods(s):
    first, moment = turned(WORLD, ("z", s.q1)), s.m * s.l**2 / 12
    second, joint = turned(first, ("x", s.q2)), place(ORIGIN, first, [s.l, 0, 0])
    slider = place(joint, second, [0, s.q3, 0])
    bodies = [
        body(first, place(ORIGIN, first, [s.l / 2, 0, 0]), s.m, [0, moment, moment]),
        body(second, joint, s.m, [moment, 0, moment]),
        body(second, slider, s.m / 4, [0, 0, 0]),
    ]
    springs = s.k_l * s.q3**2 / 2 + s.k_t * (s.q1**2 + s.q2**2) / 2
    return Energies(
        T=kinetic(*bodies),
        V=springs + weight([s.g, 0, 0], *bodies),
        outputs={"slider": coordinates_of(slider)},
    )


@model("q1 q2 q3", "l r g rho", inputs="twist bend", ranges={"l": (1, 2), "r": (0.25, 0.5)})
def jointed_cat(s):
    mass = s.rho * s.l * pi * s.r**2
    across = mass * (3 * s.r**2 + s.l**2) / 12
    moments = [across, across, mass * s.r**2 / 2]
    first, second = turned(WORLD, ("z", s.q1)), turned(WORLD, ("z", s.q1), ("z", s.q2))
    third = turned(second, ("x", s.q3))
    waist = place(ORIGIN, second, [0, 0, -3 * s.l / 2])
    bodies = [
        body(first, place(ORIGIN, first, [0, 0, -s.l / 2]), mass, moments),
        body(second, place(ORIGIN, second, [0, 0, -s.l]), mass, moments),
        body(third, place(waist, third, [0, 0, -s.l / 2]), mass, moments),
    ]
    return Energies(
        T=kinetic(*bodies),
        V=weight([0, 0, -s.g], *bodies),
        torques=[
            (s.twist * second.z, second),
            (-s.twist * first.z, first),
            (s.bend * second.x, third),
            (-s.bend * second.x, second),
        ],
        outputs={"tail": coordinates_of(bodies[2].masscenter)},
    )


@model("ring gimbal spin", "a b c d m l g", inputs="motor", ranges={"gimbal": (-1, 1)})
def gimbal_gyroscope(s):
    outer = turned(WORLD, ("x", s.ring))
    inner = turned(outer, ("y", s.gimbal))
    rotor = turned(inner, ("z", s.spin))
    bodies = [
        body(outer, ORIGIN, s.a, [s.a, s.a / 2, s.a / 2]),
        body(inner, ORIGIN, s.b, [s.b / 2, s.b, s.b / 2]),
        body(rotor, place(ORIGIN, rotor, [0, 0, s.l]), s.m, [s.c, s.c, s.d]),
    ]
    return Energies(
        T=kinetic(*bodies),
        V=weight([0, 0, -s.g], *bodies),
        torques=[(s.motor * inner.z, rotor), (-s.motor * inner.z, inner)],
        outputs={"axis": components(rotor.z), "rotor_rate": components(rotor.ang_vel_in(WORLD))},
    )


@model("a1 b1 a2 b2", "m1 m2 l1 l2 i j c g", ranges={"b1": (-1, 1), "b2": (-1, 1)})
def universal_joints(s):
    first = turned(WORLD, ("x", s.a1), ("y", s.b1))
    second = turned(first, ("x", s.a2), ("y", s.b2))
    joint = place(ORIGIN, first, [0, 0, -s.l1])
    tip = place(joint, second, [0, 0, -s.l2])
    bodies = [
        body(first, place(ORIGIN, first, [0, 0, -s.l1 / 2]), s.m1, [s.i, s.i, s.j]),
        body(second, place(joint, second, [0, 0, -s.l2 / 2]), s.m2, [s.i, s.i, s.j]),
    ]
    relative = second.ang_vel_in(first)
    return Energies(
        T=kinetic(*bodies),
        V=weight([0, 0, -s.g], *bodies),
        D=s.c * dot(relative, relative) / 2,
        outputs={"tip": coordinates_of(tip), "tip_velocity": components(tip.vel(WORLD))},
    )


@model("a b x y z c", "m l i j k rest damping g", ranges={"b": (-1, 1)})
def sprung_bodies(s):
    swing = turned(WORLD, ("z", s.a), ("x", s.b))
    free = turned(WORLD, ([Rational(1, 3), Rational(2, 3), Rational(2, 3)], s.c))
    centre = place(ORIGIN, WORLD, [s.x, s.y, s.z])
    bodies = [
        body(swing, place(ORIGIN, swing, [s.l / 2, 0, 0]), s.m, [s.i, s.j, s.i + s.j], [s.i / 4, 0, s.i / 5]),
        body(free, centre, 2 * s.m, [s.j, s.i, s.i + s.j]),
    ]
    hook, eye = place(ORIGIN, swing, [s.l, 0, s.l / 4]), place(centre, free, [0, s.l, 0])
    post = place(ORIGIN, WORLD, [0, s.l, 3 * s.l])
    stretch = length(hook, eye)
    return Energies(
        T=kinetic(*bodies),
        V=weight([0, 0, -s.g], *bodies)
        + s.k * (stretch - s.rest) ** 2 / 2
        + s.k * length(post, centre) ** 2 / 4,
        D=s.damping * stretch.diff(s.t) ** 2 / 2,
    )


@model("x y z psi theta phi", "m a b c d l", inputs="n1 n2 n3 f1 f2 f3", ranges={"theta": (-1, 1)})
def pushed_body(s):
    frame = turned(WORLD, ("z", s.psi), ("y", s.theta), ("x", s.phi))
    hinge = place(ORIGIN, WORLD, [s.x, s.y, s.z])
    centre = place(hinge, frame, [s.l / 2, s.l / 3, -s.l / 4])
    grip = place(hinge, frame, [0, s.l, s.l])
    moments, products = [s.a + s.b, s.b + s.c, s.c + s.a], [s.d / 4, -s.d / 5, s.d / 6]
    return Energies(
        T=kinetic(body(frame, centre, s.m, moments, products)),
        forces=[([s.f1, s.f2, s.f3], coordinates_of(grip))],
        torques=[(along(WORLD, [s.n1, s.n2, s.n3]), frame)],
        outputs={
            "grip_velocity": components(grip.vel(WORLD)),
            "rates": components(frame.ang_vel_in(WORLD)),
        },
    )


@model(
    "tilt slide",
    "m l i j k damping w g",
    inputs="push twist",
    time=True,
    ranges={"tilt": (-1, 1)},
)
def moving_platform(s):
    base = place(ORIGIN, WORLD, [s.l * sin(s.w * s.t), 0, s.l * cos(s.w * s.t) / 4])
    platform = turned(WORLD, ("z", s.w * s.t**2 / 4))
    tilted = turned(platform, ("y", s.tilt))
    start = place(place(base, platform, [s.l, 0, 0]), tilted, [0, 0, s.slide])
    moments = [s.i, s.j, s.i + s.j]
    bodies = [body(tilted, place(start, tilted, [0, s.l / 3, 0]), s.m, moments)]
    eye, hook = place(start, tilted, [s.l / 2, 0, 0]), place(base, platform, [0, 0, -s.l])
    anchor = place(ORIGIN, WORLD, [0, s.l * s.t, 3 * s.l])
    return Energies(
        T=kinetic(*bodies),
        V=weight([0, 0, -s.g], *bodies) + s.k * (length(hook, eye) - s.l) ** 2 / 2,
        D=s.damping * length(anchor, eye).diff(s.t) ** 2 / 2,
        forces=[([s.push, 0, s.push * s.t], coordinates_of(eye))],
        torques=[(s.twist * (platform.y + platform.z), tilted)],
        outputs={
            "eye_velocity": components(eye.vel(WORLD)),
            "turning": components(tilted.ang_vel_in(WORLD)),
            "speed": components(start.vel(WORLD)),
        },
    )


ARM_AXES = "zyyxyx"


@model("q1 q2 q3 q4 q5 q6", "m l a b c d g", inputs="u1 u2 u3 u4 u5 u6", large=True)
def six_joint_arm(s):
    frame, start, bodies = WORLD, ORIGIN, []
    for axis, angle in zip(ARM_AXES, s.coordinates):
        frame = turned(frame, (axis, angle))
        centre = place(start, frame, [s.l / 8, -s.l / 9, s.l / 2])
        bodies.append(body(frame, centre, s.m, [s.a, s.b, s.c], [s.d / 4, s.d / 5, -s.d / 6]))
        start = place(start, frame, [0, s.l / 10, s.l])
    return Energies(
        T=kinetic(*bodies),
        V=weight([0, 0, -s.g], *bodies),
        Q=dict(zip(s.coordinates, s.inputs)),
        outputs={"tip": coordinates_of(start)},
    )
