"""Mistakes are errors of a class that says which, and never end the interpreter."""

import pickle
import signal
import threading
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import lagrangian
from systems import BALL, CART_POLE, DRIVE, DRIVEN, ROD, TOP


@pytest.fixture
def cart():
    return lagrangian.read(CART_POLE)(m_c=1, m_p=0.2, l=0.5)


Q, V, U = [0.0, 0.3], [0.0, 0.7], [1.0]


def test_declarations():
    with pytest.raises(lagrangian.DeclarationError) as caught:
        lagrangian.read("struct S { x: coordinate, m: parameter }\nT = m * der(y)^2 / 2;")
    assert str(caught.value) == (
        "error[L101]: unknown name `y`\n"
        " --> 2:13\n"
        "  |\n"
        "2 | T = m * der(y)^2 / 2;\n"
        "  |             ^\n"
        "  = help: declare it among the fields, `y: parameter`, or before this by `let y = ..;`"
    )
    (found,) = caught.value.diagnostics
    assert (found.severity, found.code, found.line, found.column, found.end_column) == ("error", "L101", 2, 13, 14)
    assert isinstance(caught.value, ValueError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.diagnostics == caught.value.diagnostics


def test_files(tmp_path):
    path = tmp_path / "wrong.lag"
    path.write_text("struct S { x: coordinat }", encoding="utf-8")
    for given in [path, str(path)]:
        with pytest.raises(lagrangian.DeclarationError, match=r"wrong\.lag:1:15"):
            lagrangian.read(given)
    with pytest.raises(FileNotFoundError) as missing:
        lagrangian.read("nowhere.lag")
    assert missing.value.filename == "nowhere.lag"
    with pytest.raises(FileNotFoundError, match="No such file or directory: .*nowhere.lag"):
        lagrangian.read(tmp_path / "nowhere.lag")
    path.write_bytes(b"\xff{")
    with pytest.raises(ValueError, match="no text in UTF-8"):
        lagrangian.read(path)
    with pytest.raises(OSError):
        lagrangian.read(tmp_path)
    with pytest.raises(OSError):
        lagrangian.read("a" * 10000)
    with pytest.raises(OSError):
        lagrangian.read("a\0b")
    with pytest.raises(TypeError, match="`folder`"):
        lagrangian.read(path, folder=tmp_path)
    for wrong in [3, None, b"struct S { x: coordinate } T = der(x)^2;"]:
        with pytest.raises(TypeError, match="expected the text"):
            lagrangian.read(wrong)


@pytest.mark.parametrize("text", ["{", "{\0}", "struct S {", "{" * 10000, "'{", '"{', "/* {", "{\ud7ff}", "\ufeff{"])
def test_any_text(text):
    with pytest.raises(lagrangian.DeclarationError):
        lagrangian.read(text)


def test_a_text_that_is_no_unicode():
    with pytest.raises(UnicodeEncodeError):
        lagrangian.read("struct \ud800 {")


def test_warnings():
    with pytest.warns(lagrangian.DeclarationWarning, match=r"(?s)unused variable: `c`.*\^"):
        lagrangian.read("struct S { x: coordinate, c: parameter } T = der(x)^2;")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lagrangian.read(CART_POLE)


def test_parameters():
    cls = lagrangian.read(CART_POLE)
    for given, words in [
        ({}, "parameters without a value: m_c, m_p, l; the parameters are: m_c, m_p, l, g"),
        ({"m_c": 1, "m_p": 1, "L": 1}, "unknown parameters: L; parameters without a value: l"),
        ({"m_c": "heavy", "m_p": 1, "l": 1}, "`m_c`: expected real numbers"),
        ({"m_c": 1j, "m_p": 1, "l": 1}, "`m_c`: expected real numbers, found complex128"),
    ]:
        with pytest.raises(TypeError, match=words):
            cls(**given)
    with pytest.raises(TypeError, match="values without names; the parameters are: m_c, m_p, l, g"):
        cls(1, 0.2, 0.5)
    with pytest.raises(ValueError, match=r"`m_c` has the shape \(2,\), expected \(\)"):
        cls(m_c=[1, 2], m_p=1, l=1)
    with pytest.raises(ValueError, match=r"`i` has the shape \(2,\), expected \(3,\)"):
        lagrangian.read(TOP)(i=[1, 2])
    with pytest.raises(TypeError, match="lagrangian.read"):
        lagrangian.System()
    with pytest.raises(AttributeError):
        cls(m_c=1, m_p=1, l=1).m_c = 2
    with pytest.raises(KeyError):
        cls(m_c=1, m_p=1, l=1)["mass"]


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        ([[0, 1, 2], V, U], ValueError, r"`q` has the shape \(3,\), expected \(2,\) or \(batch, 2\)"),
        ([Q, 0.7, U], ValueError, r"`v` has the shape \(\), expected"),
        ([Q, V, []], ValueError, r"`u` has the shape \(0,\)"),
        ([Q, V, np.zeros(3)], ValueError, r"`u` has the shape \(3,\).*`u\[:, None\]` is a batch"),
        ([np.zeros((2, 2)), V, np.zeros((3, 1))], ValueError, "`q` has 2 states, `u` has 3"),
        ([np.zeros((1, 1, 2)), V, U], ValueError, r"`q` has the shape \(1, 1, 2\)"),
        ([np.zeros((2, 0)), V, U], ValueError, r"`q` has the shape \(2, 0\)"),
        ([[[0, 1], [2]], V, U], ValueError, "`q`: "),
        (["ab", V, U], TypeError, "`q`: expected real numbers, found <U2"),
        ([[0, 1j], V, U], TypeError, "`q`: expected real numbers, found complex128"),
        ([None, V, U], TypeError, "`q`: expected real numbers, found object"),
        ([[None, 1], V, U], TypeError, "`q`: expected real numbers, found object"),
        ([np.array(["2020-01-01"] * 2, "datetime64[D]"), V, U], TypeError, "`q`: expected real numbers"),
        ([[10**400, 1], V, U], TypeError, "`q`: expected real numbers, found object"),
        ([{}, V, U], TypeError, "`q`: expected real numbers"),
        ([Q, V], TypeError, r"`acceleration\(q, v, u\)` has no value for `u`"),
        ([Q, V, U, U], TypeError, r"`acceleration\(q, v, u\)` takes 3 arguments, found 4"),
    ],
)
def test_arguments(cart, arguments, error, words):
    with pytest.raises(error, match=words):
        cart.acceleration(*arguments)


def test_names_of_arguments(cart):
    assert_array_equal(cart.acceleration(u=U, q=Q, v=V), cart.acceleration(Q, V, U))
    with pytest.raises(TypeError, match="has no argument `w`"):
        cart.acceleration(Q, V, w=U)
    with pytest.raises(TypeError, match="has two values for `q`"):
        cart.acceleration(Q, V, U, q=Q)
    with pytest.raises(AttributeError, match="did you mean `acceleration`"):
        cart.method("acelleration")
    with pytest.raises(AttributeError):
        cart.acelleration


def test_kinds_of_arrays(cart):
    """Integers, gaps, other bytes and orders: the values are right."""
    expected = cart.acceleration([1.0, 2.0], [3.0, 4.0], [5.0])
    wide = np.arange(12.0).reshape(2, 6)
    unaligned = np.frombuffer(b"\0" + np.array([3.0, 4.0]).tobytes(), offset=1)
    assert not unaligned.flags.aligned
    read_only = np.array([1.0, 2.0])
    read_only.flags.writeable = False
    for q, v, u in [
        (np.array([1, 2]), np.array([3, 4], np.uint8), np.array([5], np.float32)),
        (wide[0, 1:3], unaligned, [np.float16(5)]),
        (np.array([2.0, 1.0])[::-1], np.array([3.0, 4.0], ">f8"), np.array(5.0)),
        (read_only, (3, 4), 5),
        (np.array([1, 2], np.longdouble), np.ma.array([3.0, 4.0]), np.int64(5)),
        ((True, 2), [np.float64(3.0), 4], range(5, 6)),
    ]:
        assert_array_equal(cart.acceleration(q, v, u), expected)
    columns = np.asfortranarray([[1.0, 2.0], [0.1, 0.2], [1.0, 2.0]])
    found = cart.acceleration(columns, [[3.0, 4.0]], [5.0])
    assert_array_equal(found[0], expected)
    assert_array_equal(found[1], cart.acceleration([0.1, 0.2], [3.0, 4.0], [5.0]))
    assert_array_equal(cart.acceleration(np.broadcast_to([1.0, 2.0], (4, 2)), [3.0, 4.0], [5.0])[3], expected)
    assert found.flags.c_contiguous and found.flags.writeable


def test_empty_batches(cart):
    empty = np.zeros((0, 2))
    assert cart.acceleration(empty, V, U).shape == (0, 2)
    assert cart.linearize(empty, empty, np.zeros((0, 1))).a.shape == (0, 4, 4)
    assert cart.energy(empty, V).shape == (0,)
    # A batch of one state, which is that of all, beside none.
    assert cart.acceleration(empty, [V], U).shape == (0, 2)
    driven = lagrangian.read(DRIVEN)(l=2.0, c=0.0)
    assert driven.acceleration(np.zeros(0), [0.1], [0.2]).shape == (0, 1)


def test_states_without_values(cart):
    with pytest.raises(lagrangian.MechanicsError, match=r"NaN or infinite: `q`$") as caught:
        cart.acceleration([np.nan, 0.0], V, U)
    assert (caught.value.index, caught.value.reason, caught.value.argument) == (0, "NotFinite", "q")
    assert isinstance(caught.value, ArithmeticError)
    with pytest.raises(lagrangian.MechanicsError, match="`u`"):
        cart.acceleration(Q, V, [np.inf])
    with pytest.raises(lagrangian.MechanicsError, match="`l`"):
        cart.replace(l=np.nan).acceleration(Q, V, U)
    with pytest.raises(lagrangian.MechanicsError) as caught:
        cart.replace(m_c=0, m_p=0).acceleration(Q, V, U)
    assert caught.value.reason == "SingularMassMatrix"


def test_dependent_constraints():
    rod = lagrangian.read(ROD)(m=1.0)
    with pytest.raises(lagrangian.MechanicsError, match=r"at this state: `rod` \(state 1\)$") as caught:
        rod.acceleration([[1.0, 0.0], [0.0, 0.0]], [0.0, 0.0])
    error = caught.value
    assert (error.reason, error.row, error.constraint) == ("DependentConstraints", 0, "rod")
    assert (error.index, error.argument) == (1, None)
    again = pickle.loads(pickle.dumps(error))
    assert (again.row, again.constraint, again.index) == (0, "rod", 1)
    assert_array_equal(again.results, error.results)
    with pytest.raises(lagrangian.MechanicsError, match="^at t = 0: .*`rod`$") as caught:
        rod.simulate([0.0, 0.0], [0.0, 0.0])
    assert caught.value.constraint == "rod"


@pytest.mark.parametrize("count, bad", [(1, 0), (9, 8), (3000, 1234)])
def test_failing_batches(cart, count, bad):
    q = np.tile(Q, (count, 1))
    q[[bad, count - 1]] = np.nan
    with pytest.raises(lagrangian.MechanicsError, match=rf"\(state {bad}\)$") as caught:
        cart.acceleration(q, V, U)
    error = caught.value
    assert error.index == bad
    is_bad = np.isnan(error.results).all(axis=1)
    assert list(np.flatnonzero(is_bad)) == sorted({bad, count - 1})
    assert_array_equal(error.results[~is_bad], np.tile(cart.acceleration(Q, V, U), (count, 1))[~is_bad])
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.index, again.reason) == (str(error), bad, "NotFinite")
    with pytest.raises(lagrangian.MechanicsError) as caught:
        cart.linearize(q, V, U)
    assert caught.value.results.a.shape == (count, 4, 4)


def test_failing_times():
    driven = lagrangian.read(DRIVEN)(l=2.0, c=0.0)
    with pytest.raises(lagrangian.MechanicsError) as caught:
        driven.acceleration([0.0, 0.1, np.nan, np.inf], [0.1], [0.2])
    assert (caught.value.index, caught.value.argument) == (2, "t")
    with pytest.raises(ValueError, match=r"`t` has the shape \(1, 1\)"):
        driven.acceleration([[0.0]], [0.1], [0.2])


def test_flags():
    ball = lagrangian.read(BALL)(m=1.0)
    with pytest.raises(ValueError, match="neither True nor False"):
        ball.solve_active([0.0], [0.0], [2])


def test_simulations(cart):
    for arguments, error, words in [
        ({"until": 0}, ValueError, "no steps"),
        ({"until": -1}, ValueError, "no steps"),
        ({"until": np.nan}, ValueError, "no steps"),
        ({"step": 0}, ValueError, "no steps"),
        ({"step": np.inf}, None, ""),
        ({"step": 1e-300}, ValueError, "no steps"),
        ({"until": 1e12, "step": 1e-3}, MemoryError, "larger than the memory"),
        ({"u": [1.0, 2.0]}, ValueError, r"`u` has the shape \(2,\), expected \(1,\), or \(10, 1\) for 10 steps"),
        ({"u": np.zeros((9, 1))}, ValueError, "for 10 steps"),
        ({"u": "push"}, TypeError, "`u`: expected real numbers"),
        ({"u": lambda t, q, v: [1.0, 2.0]}, ValueError, r"`u` gives an array of the shape \(2,\)"),
        ({"u": lambda t, q, v: None}, TypeError, "`u`: expected real numbers"),
        ({"u": lambda t: 1.0}, TypeError, "positional argument"),
        ({"u": lambda t, q, v: 1 / 0}, ZeroDivisionError, "zero"),
        ({"z": [1.0]}, TypeError, "no states"),
    ]:
        given = {"until": 1.0, "step": 0.1, **arguments}
        if error is None:
            assert len(cart.simulate(Q, V, **given).t) == 2
            continue
        with pytest.raises(error, match=words):
            cart.simulate(Q, V, **given)
    for q, v in [([0.0], V), (Q, [0.0, 1.0, 2.0]), (np.zeros((1, 2)), V), (0.0, V)]:
        with pytest.raises(ValueError, match="has the shape"):
            cart.simulate(q, v)
    rod = lagrangian.read(ROD)(m=1.0)
    with pytest.raises(TypeError, match="no inputs"):
        rod.simulate([1.0, 0.0], [0.0, 0.0], u=[1.0])
    for y in [1.0, [1.0], np.zeros((2, 3)), np.zeros(5)]:
        with pytest.raises(ValueError, match="`y` has the shape"):
            cart.rhs(0.0, y, u=lambda t, q, v: 1.0)
    with pytest.raises(TypeError, match="no inputs"):
        rod.rhs(0.0, [1.0, 0.0, 0.0, 0.0], u=[1.0])
    with pytest.raises(ValueError, match=r"`z` has the shape \(2,\)"):
        lagrangian.read(DRIVE)(j=1, l=1, r=1, k=1).simulate([0.0], [0.0], z=[1.0, 2.0])


def test_failing_simulations(cart):
    def late(t, q, v):
        return np.nan if t > 0.45 else 0.0

    with pytest.raises(lagrangian.MechanicsError, match=r"^at t = 0\.5: .*`u`") as caught:
        cart.simulate(Q, V, until=1, step=0.1, u=late)
    error = caught.value
    assert (error.index, error.time, error.argument) == (5, 0.5, "u")
    assert error.results._fields == ("t", "q", "v")
    assert_array_equal(error.results.q, cart.simulate(Q, V, until=1, step=0.1).q[:6])
    with pytest.raises(lagrangian.MechanicsError, match="at t = 0: .*`v`"):
        cart.simulate(Q, [0.0, np.nan])
    # No motion: the constraint has no direction at the pivot, and a quaternion of 0 is no rotation.
    with pytest.raises(lagrangian.MechanicsError) as caught:
        lagrangian.read(ROD)(m=1.0).simulate([0.0, 0.0], [0.0, 0.0])
    assert caught.value.results is None
    with pytest.raises(lagrangian.MechanicsError, match="`q`"):
        lagrangian.read(TOP)(i=1).simulate([0.0] * 4, [0.0] * 3)


def test_texts():
    cls = lagrangian.read(CART_POLE)
    with pytest.raises(ValueError, match="did you mean `acceleration`"):
        cls.c99(["acelleration"])
    with pytest.raises(ValueError, match="cannot be exported"):
        cls.wgsl("midpoint_terms")
    with pytest.raises(TypeError):
        cls.c99([3])


def test_threads(cart):
    """Threads share a system, and a method that none of them has called before."""
    q = np.random.default_rng(3).uniform(-1, 1, (5000, 2))
    found = [None] * 8

    def work(number):
        found[number] = cart.linearize(q, V, U).a

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for values in found:
        assert_array_equal(values, found[0])
    assert_allclose(found[0][17], cart.linearize(q[17], V, U).a, rtol=1e-13)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="signals of POSIX")
@pytest.mark.parametrize("is_motion", [True, False])
def test_signals(cart, is_motion):
    """Ctrl-C and other signals end long work: here one comes while it runs."""

    class Stop(Exception):
        pass

    def stop(*_):
        raise Stop

    many = np.tile(Q, (3_000_000, 1))
    before = signal.signal(signal.SIGALRM, stop)
    try:
        with pytest.raises(Stop):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            for _ in range(1000):
                cart.simulate(Q, V, until=10_000.0) if is_motion else cart.linearize(many, V, U)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
