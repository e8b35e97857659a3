"""Values beside equations by hand, closed forms and SciPy's integrators."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import lagrangian
from systems import BALL, CART_POLE, DRIVE, DRIVEN, POINTS, ROD, TOP

M_C, M_P, L, G = 1.0, 0.3, 0.7, 9.81


def acceleration(q, v, u):
    """By hand: M a = f."""
    sin, cos = np.sin(q[1]), np.cos(q[1])
    mass = np.array([[M_C + M_P, M_P * L * cos], [M_P * L * cos, M_P * L**2]])
    force = np.array([u[0] + M_P * L * sin * v[1] ** 2, M_P * G * L * sin])
    return np.linalg.solve(mass, force)


@pytest.fixture
def cart():
    return lagrangian.read(CART_POLE)(m_c=M_C, m_p=M_P, l=L)


STATE = np.array([0.4, 0.9]), np.array([-0.3, 1.2]), np.array([2.0])


def test_acceleration(cart):
    assert_allclose(cart.acceleration(*STATE), acceleration(*STATE), rtol=1e-13)
    assert_allclose(cart.mass_matrix(STATE[0]) @ cart.acceleration(*STATE), cart.forcing(*STATE), rtol=1e-13)


def test_energy_is_a_number(cart):
    q, v, _ = STATE
    bob = np.array([v[0] + L * np.cos(q[1]) * v[1], -L * np.sin(q[1]) * v[1]])
    expected = M_C * v[0] ** 2 / 2 + M_P * bob @ bob / 2 + M_P * G * L * np.cos(q[1])
    energy = cart.energy(q, v)
    assert type(energy) is float
    assert energy == pytest.approx(expected, rel=1e-14)


def test_batches(cart):
    q = np.linspace(-1.0, 1.0, 20).reshape(10, 2)
    v = q[::-1] * 2
    expected = [acceleration(q[i], v[i], [2.0]) for i in range(10)]
    assert_allclose(cart.acceleration(q, v, [2.0]), expected, rtol=1e-12)
    assert_allclose(cart.acceleration(q, v, np.full((10, 1), 2.0)), expected, rtol=1e-12)
    assert_allclose(cart.acceleration(q, v, 2.0), expected, rtol=1e-12)
    # One state of one argument is that of all.
    assert_allclose(cart.acceleration(q, v[:1], 2.0)[3], acceleration(q[3], v[0], [2.0]), rtol=1e-12)
    assert cart.mass_matrix(q).shape == (10, 2, 2)
    assert cart.energy(q, v).shape == (10,)
    assert cart.linearize(q, v, [2.0]).b.shape == (10, 4, 1)


def test_a_bundle_has_the_fields_of_its_items():
    text = """
        struct Puck { x, y: coordinate, m: parameter = 2, u: input }
        T = m * der(x)^2 / 2 + der(y)^2;
        V = x^2 * y;
        Q.x = u;
        bundle both { inverse_dynamics_derivatives, linearize_unchecked, neutral }
    """
    puck = lagrangian.read(text)()
    q, v, u, a = [0.1, 0.2], [0.3, 0.4], [1.0], [0.5, 0.6]
    both = puck.both(q, v, u, a)
    single = puck.inverse_dynamics_derivatives(q, v, a)
    assert both.inverse_dynamics_derivatives._fields == single._fields == ("dq", "dv")
    for found, expected in zip(both.inverse_dynamics_derivatives, single):
        assert_array_equal(found, expected)
    assert_array_equal(both.linearize_unchecked.b, puck.linearize(q, v, u).b)
    assert pickle.loads(pickle.dumps(both))._fields == both._fields


def test_linearize(cart):
    q, v, u = STATE
    a, b = found = cart.linearize(q, v, u)
    assert found._fields == ("a", "b")
    assert (a.shape, b.shape) == ((4, 4), (4, 1))
    h = 1e-6
    for i, change in enumerate(np.eye(4) * h):
        d, w = change[:2], change[2:]
        ahead, behind = acceleration(q + d, v + w, u), acceleration(q - d, v - w, u)
        assert_allclose(a[2:, i], (ahead - behind) / (2 * h), atol=1e-7)
    assert_array_equal(a[:2], np.hstack([np.zeros((2, 2)), np.eye(2)]))


def test_outputs(cart):
    q, v, _ = STATE
    assert_allclose(cart.bob(q), [q[0] + L * np.sin(q[1]), L * np.cos(q[1])], rtol=1e-15)
    assert_allclose(cart.bob_jacobian(q), [[1, L * np.cos(q[1])], [0, -L * np.sin(q[1])]], rtol=1e-15)
    assert_allclose(cart.bob_rate(q, v), cart.bob_jacobian(q) @ v, rtol=1e-15)


def test_rhs_is_for_solve_ivp(cart):
    q, v, _ = STATE
    motion = solve_ivp(cart.rhs, (0.0, 2.0), [*q, *v], rtol=1e-10, atol=1e-12)
    energies = cart.energy(motion.y[:2].T, motion.y[2:].T)
    assert_allclose(energies, energies[0], rtol=1e-8)
    by_hand = solve_ivp(
        lambda t, y: [*y[2:], *acceleration(y[:2], y[2:], [np.sin(t)])], (0.0, 2.0), [*q, *v], rtol=1e-11, atol=1e-12
    )
    driven = solve_ivp(cart.rhs, (0.0, 2.0), [*q, *v], rtol=1e-11, atol=1e-12, args=(lambda t, q, v: [np.sin(t)],))
    assert_allclose(driven.y[:, -1], by_hand.y[:, -1], rtol=1e-8)
    assert_allclose(cart.rhs(0.0, [*q, *v], u=[2.0])[2:], acceleration(*STATE), rtol=1e-13)


def test_simulations_are_those_of_scipy(cart):
    q, v, _ = STATE
    inputs = np.linspace(-1.0, 1.0, 100)[:, None]
    motion = cart.simulate(q, v, until=1, step=0.01, u=inputs)
    assert motion._fields == ("t", "q", "v")
    assert motion.t.shape == (101,) and motion.q.shape == motion.v.shape == (101, 2)
    assert motion.t[-1] == 1.0
    # The inputs are constant during each step.
    y = np.array([*q, *v])
    for number in range(100):
        steps = solve_ivp(cart.rhs, (0.0, 0.01), y, args=(inputs[number],), rtol=1e-10, atol=1e-12)
        y = steps.y[:, -1]
    assert_allclose(motion.q[-1], y[:2], rtol=1e-7)
    assert_allclose(motion.v[-1], y[2:], rtol=1e-7)
    # A function gives the same numbers, one step after the other.
    numbers = iter(inputs)
    by_function = cart.simulate(q, v, until=1, step=0.01, u=lambda t, q, v: next(numbers))
    assert_array_equal(by_function.q, motion.q)


def test_feedback(cart):
    from scipy.linalg import solve_continuous_are

    rest = np.zeros(2), np.zeros(2), np.zeros(1)
    a, b = cart.linearize(*rest)
    gain = b.T @ solve_continuous_are(a, b, np.eye(4), np.eye(1))
    motion = cart.simulate([0.0, 0.2], [0.0, 0.0], until=20, step=0.01, u=lambda t, q, v: -gain @ [*q, *v])
    assert np.abs(motion.q[-1]).max() < 1e-4
    free = cart.simulate([0.0, 0.2], [0.0, 0.0], until=20, step=0.01)
    assert np.abs(free.q[:, 1]).max() > 3


def test_the_period_of_a_pendulum():
    pendulum = lagrangian.read("struct P { a: coordinate } T = der(a)^2 / 2; V = -cos(a);")()
    amplitude = 2.0
    period = 4 * ellipk(np.sin(amplitude / 2) ** 2)
    motion = pendulum.simulate([amplitude], [0.0], until=period, step=period / 2000)
    assert motion.q.shape == (2001, 1)
    assert motion.q[-1, 0] == pytest.approx(amplitude, abs=1e-9)
    assert motion.q[1000, 0] == pytest.approx(-amplitude, abs=1e-9)


def test_constraints_hold():
    rod = lagrangian.read(ROD)(m=2.0)
    # At rest below the pivot, the rod carries the weight: 2 r lambda = m g.
    found = rod.solve([0.0, -1.0], [0.0, 0.0])
    assert_allclose(found.acceleration, [0.0, 0.0], atol=1e-15)
    assert_allclose(rod.constraint_forces([0.0, -1.0], [0.0, 0.0]), [0.0, 2 * G], atol=1e-13)
    # A start beside the constraint is moved onto it.
    motion = rod.simulate([1.1, 0.0], [0.2, 0.0], until=3, step=0.01)
    assert_allclose(np.linalg.norm(motion.q, axis=1), 1.0, rtol=1e-14)
    assert_allclose(np.einsum("ij,ij->i", motion.q, motion.v), 0.0, atol=1e-14)
    energies = rod.energy(motion.q, motion.v)
    assert_allclose(energies, energies[0], atol=2e-6)


def test_time_comes_first():
    driven = lagrangian.read(DRIVEN)(l=2.0, c=0.0)
    t, q, v = 0.7, np.array([0.3]), np.array([-0.2])
    # The pivot moves by cos(3 t) upwards: l a'' = -(g - 9 cos(3 t)) sin(a).
    expected = -(G - 9 * np.cos(3 * t)) * np.sin(q) / 2.0
    assert_allclose(driven.acceleration(t, q, v), expected, rtol=1e-13)
    assert_allclose(driven.rhs(t, [*q, *v]), [*v, *expected], rtol=1e-13)
    times = np.array([0.0, 0.7, 1.4])
    together = driven.acceleration(times, q, v)
    assert_array_equal(together, [driven.acceleration(t, q, v) for t in times])
    motion = driven.simulate(q, v, until=1.0, step=1e-3, start=0.5)
    by_scipy = solve_ivp(driven.rhs, (0.5, 1.0), [*q, *v], rtol=1e-11, atol=1e-12)
    assert motion.t[0] == 0.5 and motion.t.shape == (501,)
    assert_allclose(motion.q[-1], by_scipy.y[:1, -1], rtol=1e-9)
    assert driven.energy(motion.t, motion.q, motion.v).shape == (501,)


def test_states_of_first_order():
    drive = lagrangian.read(DRIVE)(j=1.0, l=0.5, r=2.0, k=0.0)
    # Without the motor's constant: i' = (u - r i) / l.
    motion = drive.simulate([0.0], [0.0], until=1.0, step=1e-3, u=[3.0], z=[0.2])
    assert motion._fields == ("t", "q", "v", "z")
    expected = 1.5 + (0.2 - 1.5) * np.exp(-4.0 * motion.t)
    assert_allclose(motion.z[:, 0], expected, rtol=1e-10)
    assert_allclose(drive.state_rates([0.0], [0.0], [0.2], [3.0]), [(3.0 - 0.4) / 0.5], rtol=1e-15)
    assert drive.rhs(0.0, [0.0, 0.0, 0.2], u=3.0).shape == (3,)
    three = drive.simulate([0.0], [0.0], until=0.1, u=lambda t, q, v: 3.0, z=[0.2])
    four = drive.simulate([0.0], [0.0], until=0.1, u=lambda t, q, v, z: 3.0 + 0 * z, z=[0.2])
    assert_array_equal(three.z, motion.z[:101])
    assert_array_equal(four.z, motion.z[:101])


def test_rotations():
    inertia = np.array([1.0, 2.0, 3.0])
    top = lagrangian.read(TOP)(i=inertia)
    w = np.array([0.1, 1.0, 0.2])
    # Euler's equations.
    assert_allclose(top.acceleration([0, 0, 0, 1.0], w), -np.cross(w, inertia * w) / inertia, rtol=1e-14)
    # The quaternion at the start gets unit length, and keeps it.
    motion = top.simulate([0, 0, 0, 5.0], w, until=5, step=1e-3)
    assert_allclose(np.linalg.norm(motion.q, axis=1), 1.0, rtol=1e-15)
    frames = top.body(motion.q)
    assert frames._fields == ("origin", "rotation")
    momenta = np.einsum("kij,kj->ki", frames.rotation, inertia * motion.v)
    assert_allclose(momenta, np.broadcast_to(inertia * w, momenta.shape), atol=1e-10)
    assert_allclose(top.neutral(), [0, 0, 0, 1])


def test_parts_of_results():
    points = lagrangian.read(POINTS)(m=[1.0, 2.0])
    q, v = [0.1, 0.2], [1.0, 2.0]
    found = points.both(q)
    assert found._fields == ("mass_matrix", "hand")
    assert found.hand._fields == ("origin", "rotation")
    assert_allclose(found.mass_matrix, np.diag([1.0, 2.0]))
    assert_allclose(found.hand.origin, [0.1, 0.2, 0.0])
    assert points.both(np.zeros((5, 2))).hand.rotation.shape == (5, 3, 3)
    # A matrix without columns.
    assert points.linearize(q, v).b.shape == (4, 0)
    assert points.linearize(np.zeros((5, 2)), v).b.shape == (5, 4, 0)
    dq, dv = points.inverse_dynamics_derivatives(q, v, [0.0, 0.0])
    assert dq.shape == dv.shape == (2, 2)


def test_contacts():
    ball = lagrangian.read(BALL)(m=2.0)
    assert ball.contacts == ("floor",)
    closed = ball.solve_active([0.0], [0.0], [True])
    assert_allclose(closed.contact_forces, [2 * G])
    open_ = ball.solve_active([0.0], [0.0], np.array([False]))
    assert_allclose(open_.acceleration, [-G])
    assert_allclose(ball.impact([0.0], [-3.0], [True], [0.5]).velocity, [1.5])


def test_contacts_find_their_modes():
    block = lagrangian.read("""
        struct Block { x, y: coordinate, m, mu: parameter, u: input }
        T = m * (der(x)^2 + der(y)^2) / 2;
        V = 9.81 * m * y;
        Q.x = u;
        contact floor: y >= 0 { slip: der(x), friction: mu };
    """)(m=2, mu=0.5)
    still = [0.0, 0.0]
    # It sticks, and slides by a force of more than mu m g = 9.81.
    motion = block.resolve(still, still, [[4.0], [12.0]], [True])
    assert_array_equal(motion.modes, [[1.0], [2.0]])
    assert_allclose(motion.acceleration, [[0.0, 0.0], [1.095, 0.0]], atol=1e-15)
    assert_allclose(motion.friction_forces, [[[-4.0, 0.0]], [[-9.81, 0.0]]], rtol=1e-14)
    assert_allclose(motion.contact_forces, 19.62, rtol=1e-14)
    step = block.contact_step(still, [3.0, 0.0], [0.0], 0.1)
    assert_allclose(step.v, [3.0 - 0.4905, 0.0], rtol=1e-14)
    assert_allclose(step.friction_impulses, [[-0.981, 0.0]], rtol=1e-14)
    # Painleve's rod: no forces meet the laws.
    rod = lagrangian.read("""
        struct Rod { x, y, a: coordinate, mu: parameter }
        T = (der(x)^2 + der(y)^2 + der(a)^2 / 12) / 2;
        V = 9.81 * y;
        let tip = [x - cos(a) / 2, y - sin(a) / 2];
        contact end: tip.y >= 0 { slip: der(tip.x), friction: mu };
    """)(mu=1.6)
    angle = np.arctan(2.0)
    with pytest.raises(lagrangian.MechanicsError, match="no forces of contacts") as caught:
        rod.resolve([0.0, np.sin(angle) / 2, angle], [-1.0, 0.0, 0.0], [True])
    assert caught.value.reason == "NoContactSolution"


@pytest.mark.parametrize("text", [CART_POLE, ROD, DRIVEN, DRIVE, TOP, POINTS, BALL])
def test_every_method_in_batches(text):
    """Each method at many states at once, beside the same states one by one."""
    cls = lagrangian.read(text)
    random = np.random.default_rng(7)
    system = cls(**{name: random.uniform(0.5, 2.0, name.shape) for name in cls.parameters})
    count, found = 19, 0
    for name, _, arguments, _, _ in cls._model.methods():
        function = system.method(name)
        lengths = argument_lengths(cls, arguments)
        given = [random.uniform(-1, 1, (count, length)) if length else 0.01 for length in lengths]
        if "active" in arguments:
            given[arguments.index("active")] = random.integers(0, 2, (count, 1)).astype(bool)
        if "restitution" in arguments:
            given[arguments.index("restitution")] = random.uniform(0, 1, (count, 1))
        try:
            together = function(*given)
        except lagrangian.MechanicsError as error:
            together = error.results
        for at in [0, 7, 8, 18] if lengths else []:
            own = [part[at] if np.ndim(part) else part for part in given]
            try:
                one = function(*own)
            except lagrangian.MechanicsError:
                one = None
            for many, single in zip(leaves(together), leaves(one) if one is not None else [np.nan] * 20):
                assert_allclose(many[at], single, rtol=1e-12, atol=1e-12, err_msg=name)
                found += np.isfinite(many[at]).all()
    assert found > 50


def leaves(result):
    if isinstance(result, tuple):
        return [leaf for part in result for leaf in leaves(part)]
    return [result]


def argument_lengths(cls, arguments):
    m, n, z = len(cls.coordinates), len(cls.velocities), len(cls.states)
    lengths = {
        "t": 0, "h": 0, "q": m, "q0": m, "q1": m, "y": m + n + z, "active": len(cls.contacts),
        "restitution": len(cls.contacts), "lambda": len(cls.constraints), "z": z or n,
        "u": sum(int(np.prod(name.shape, dtype=int)) for name in cls.inputs),
    }  # fmt: skip
    return [lengths.get(name, n) for name in arguments]
