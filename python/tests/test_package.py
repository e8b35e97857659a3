"""Classes of declarations: names, documentation, texts, and copies of objects."""

import ast
import copy
import inspect
import pathlib
import pickle
import re

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import lagrangian
from systems import CART_POLE, DRIVE, ROD, TOP

FOLDER = pathlib.Path(lagrangian.__file__).parent
ROOT = pathlib.Path(__file__).parent.parent.parent


def blocks(path, language):
    """The blocks of a document."""
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / path).read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("path", ["README.md", "docs/from_sympy.md", "python/README.md"])
def test_documents(path, tmp_path, monkeypatch, capsys):
    """The blocks of documents run. The first one in Rust of the README has the declaration that Python reads there."""
    monkeypatch.chdir(tmp_path)
    for block in blocks("README.md", "rust")[:1]:
        declaration = block.split("lagrangian! {\n")[1].split("\n}\n")[0]
        (tmp_path / "cart_pole.lag").write_text(declaration)
    own = [block for block in blocks(path, "python") if "import lagrangian" in block]
    assert own
    for block in own:
        exec(block, {})


def test_version():
    version = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.M).group(1)
    assert lagrangian.__version__ == version


def test_texts_and_paths(tmp_path):
    path = tmp_path / "cart.lag"
    path.write_text("\ufeff" + CART_POLE, encoding="utf-8")
    for given in [CART_POLE, path, str(path)]:
        cls = lagrangian.read(given)
        assert cls.__name__ == "CartPole"
        assert issubclass(cls, lagrangian.System)


def test_folders(tmp_path):
    (tmp_path / "lift.csv").write_text("angle, lift\n0, 1\n1, 3\n")
    text = 'struct S { x: coordinate } T = der(x)^2 / 2; Q.x = table(x, csv("lift.csv", "angle"), csv("lift.csv", "lift"));'
    (tmp_path / "wing.lag").write_text(text)
    for cls in [lagrangian.read(tmp_path / "wing.lag"), lagrangian.read(text, folder=tmp_path)]:
        assert_array_equal(cls().acceleration([0.5], [0.0]), [2.0])
    with pytest.raises(lagrangian.DeclarationError, match="lift.csv"):
        lagrangian.read(text)


def test_programs_in_rust(tmp_path):
    block = "lagrangian! {" + CART_POLE + "}\n"
    path = tmp_path / "main.rs"
    path.write_text("use lagrangian::lagrangian;\n" + block)
    assert lagrangian.read(path).coordinates == ("x", "theta")
    path.write_text(block + block.replace("CartPole", "Second"))
    assert lagrangian.read(path, name="Second").__name__ == "Second"
    with pytest.raises(ValueError, match="`name` is one of: CartPole, Second"):
        lagrangian.read(path)
    with pytest.raises(ValueError, match="there is no system `Third`; there are: CartPole, Second"):
        lagrangian.read(path, name="Third")
    path.write_text("fn main() {}")
    with pytest.raises(ValueError, match="has no `lagrangian! { .. }`"):
        lagrangian.read(path)
    path.write_text("\n" + block.replace("m_p *", "m_q *"))
    with pytest.raises(lagrangian.DeclarationError, match=r"main\.rs:18:\d+"):
        lagrangian.read(path)


def test_names():
    cls = lagrangian.read(CART_POLE)
    assert cls.coordinates == ("x", "theta")
    assert cls.velocities == ("der(x)", "der(theta)")
    assert cls.parameters == ("m_c", "m_p", "l", "g")
    assert cls.inputs == ("u",)
    assert (cls.states, cls.constraints, cls.contacts) == ((), (), ())
    assert cls.parameters[3].default == 9.81 and cls.parameters[0].default is None
    assert cls.parameters[0].doc == "Mass of the cart."
    assert cls.coordinates[1].doc == "Angle of the pole from upright."
    assert lagrangian.read(ROD).constraints == ("rod",)
    assert lagrangian.read(DRIVE).states == ("i",)
    top = lagrangian.read(TOP)
    assert top.coordinates == ("att.x", "att.y", "att.z", "att.w")
    assert top.parameters[0].shape == (3,)
    labelled = lagrangian.read(
        "struct S { x: coordinate [m], m: parameter[2] [kg] = 2 } T = m[0] * m[1] * der(x)^2 / 2 [kg];"
    )
    assert labelled.parameters[0].unit == "kg"
    assert_array_equal(labelled.parameters[0].default, [2.0, 2.0])
    assert "bob_jacobian" in cls.methods
    assert cls.declaration == CART_POLE


def test_documentation():
    cls = lagrangian.read(CART_POLE)
    assert cls.__doc__ == "A cart that carries an inverted pendulum."
    assert cls.bob.__doc__ == "Place of the bob."
    assert "acceleration" in cls.acceleration.__doc__
    assert cls.m_c.__doc__ == "Mass of the cart."
    assert str(inspect.signature(cls)) == "(*, m_c, m_p, l, g=9.81)"
    assert str(inspect.signature(cls.acceleration)) == "(self, q, v, u)"
    assert repr(cls) == "<system CartPole>"
    system = cls(m_c=1, m_p=0.2, l=0.5)
    assert repr(system) == "CartPole(m_c=1.0, m_p=0.2, l=0.5, g=9.81)"
    assert {"acceleration", "bob", "m_c", "simulate"} <= set(dir(system))
    help_text = inspect.getdoc(cls.simulate)
    assert "Runge-Kutta" in help_text


def test_parameters():
    cls = lagrangian.read(CART_POLE)
    system = cls(m_c=1, m_p=np.float32(0.5), l=np.array(0.25))
    assert (system.m_c, system["m_p"], system.l, system.g) == (1.0, 0.5, 0.25, 9.81)
    assert system.replace(l=2) == cls(m_c=1, m_p=0.5, l=2) != system
    top = lagrangian.read(TOP)
    assert_array_equal(top(i=[1, 2, 3]).i, [1.0, 2.0, 3.0])
    assert_array_equal(top(i=2).i, [2.0, 2.0, 2.0])
    with pytest.raises(ValueError, match="read-only"):
        top(i=2).i[0] = 3.0


def test_equations():
    equations = lagrangian.read(CART_POLE).equations
    assert "V = m_p*l*g*cos(theta)" in str(equations)
    assert repr(equations) == str(equations)
    latex = equations._repr_latex_()
    assert latex.startswith("$$\n\\begin{aligned}") and r"\ddot{\theta}" in latex and latex.endswith("$$")
    assert equations.mathml.startswith("<math")


def test_other_languages():
    cls = lagrangian.read(CART_POLE)
    assert "int cart_pole_acceleration(" in cls.c99(["acceleration", "linearize"])
    assert cls.c99("acceleration") == cls.c99(("acceleration",))
    assert "__device__" in cls.cuda(["acceleration"])
    assert "fn cart_pole_acceleration" in cls.wgsl(["acceleration"])
    assert "cart_pole_acceleration_n_in" in cls.casadi(["acceleration"])
    assert "pub fn acceleration" in cls.rust()


def test_names_of_python():
    """Words of Python, names of this package, letters that Python replaces, and names that a method has too."""
    text = """
        struct Odd { x: coordinate, lambda, energy, simulate, \u03f5, def, _flat, _model: parameter = 2, u: input }
        pub let is = lambda * energy * simulate * \u03f5 * def * x;
        pub let replace = 3 * x;
        bundle class { is, replace, mass_matrix }
        T = der(x)^2 / 2;
        V = x;
        Q.x = u;
    """
    cls = lagrangian.read(text)
    system = cls(lambda_=3, energy=5, **{"def": 7, "\u03f5": 11})
    assert (system.lambda_, system["lambda"], system.def_, system["energy"], system["simulate"]) == (3, 3, 7, 5, 2)
    # Python reads the letter of the declaration as this one.
    assert system.ε == system["\u03f5"] == 11
    # Methods come before parameters, and this package before both.
    assert system.energy([1.0], [2.0]) == 3.0
    assert callable(system.simulate) and system.replace(energy=1)["energy"] == 1
    assert system.method("replace")([2.0]) == 6.0
    assert (system["_flat"], system["_model"]) == (2, 2)
    assert system.is_([1.0]) == 3 * 5 * 2 * 11 * 7
    found = system.class_([1.0])
    assert found._fields == ("is_", "replace", "mass_matrix")


def test_copies():
    cls = lagrangian.read(CART_POLE)
    system = cls(m_c=1, m_p=0.2, l=0.5)
    state = [0.0, 0.3], [0.0, 0.7], [1.0]
    motion = system.simulate(*state[:2], until=0.01)
    for copied in [pickle.loads(pickle.dumps(system)), copy.copy(system), copy.deepcopy(system)]:
        assert copied == system and type(copied) is cls
        assert_array_equal(copied.acceleration(*state), system.acceleration(*state))
    assert pickle.loads(pickle.dumps(cls)) is cls
    assert pickle.loads(pickle.dumps(motion))._fields == motion._fields
    found = pickle.loads(pickle.dumps(system.linearize(*state)))
    assert_array_equal(found.a, system.linearize(*state).a)
    name = pickle.loads(pickle.dumps(cls.parameters[3]))
    assert (name, name.default) == ("g", 9.81)


def test_other_processes():
    import concurrent.futures
    import multiprocessing

    system = lagrangian.read(CART_POLE)(m_c=1, m_p=0.2, l=0.5)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        a = pool.submit(system.acceleration, [0.0, 0.3], [0.0, 0.7], [1.0]).result()
    assert_array_equal(a, system.acceleration([0.0, 0.3], [0.0, 0.7], [1.0]))


def declared(path):
    """The public names of a file, and those in its classes."""
    names = set()
    for item in ast.parse(path.read_text()).body:
        if isinstance(item, (ast.ClassDef, ast.FunctionDef)) and not item.name.startswith("_"):
            names.add(item.name)
            for inner in getattr(item, "body", []) if isinstance(item, ast.ClassDef) else []:
                name = getattr(inner, "name", None) or getattr(getattr(inner, "target", None), "id", "_")
                names.update([f"{item.name}.{name}"] if not name.startswith("_") else [])
    return names


def test_type_hints_have_every_name():
    assert (FOLDER / "py.typed").exists()
    hints = declared(FOLDER / "__init__.pyi")
    assert {name for name in hints if "." not in name} == set(lagrangian.__all__)
    for name in lagrangian.__all__:
        assert inspect.getdoc(getattr(lagrangian, name)), name
    own = {name for name in vars(lagrangian.System) if not name.startswith("_")}
    hinted = {name.partition(".")[2] for name in hints if name.startswith("System.")}
    methods = set(lagrangian.read(CART_POLE).methods)
    assert own <= hinted <= own | methods
