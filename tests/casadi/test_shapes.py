"""Functions for CasADi of systems of several shapes, in CasADi: values beside the methods in Rust, Jacobians beside
differences, patterns beside both, errors, threads, and no memory between calls.

`main.rs` writes the systems and the values: `cargo run -p lagrangian-tests --example casadi -- FOLDER`. Then
`python test_shapes.py FOLDER`.
"""

import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

import casadi as ca
import numpy as np

FOLDER = Path(sys.argv.pop()).resolve()
FLAGS = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fPIC", "-shared"]


# Beginnings of the names of functions with entries that cancel in products and solutions of matrices.
CANCELLING = (
    "bead_",
    "drone_linearize_fixed_axes",
    "sledge_solve",
    "sledge_project",
    "sledge_constraint_forces",
    "sledge_multiplier_derivatives",
    "sledge_by_size",
)


def entries(matrix):
    return np.array(ca.densify(matrix).full())


def call(function, arguments):
    """All outputs in full. A Jacobian takes the outputs after the arguments, and does not read them."""
    given = [ca.DM(x) if len(x) else ca.DM(0, 1) for x in arguments]
    given += [ca.DM(*function.size_in(at)) for at in range(len(given), function.n_in())]
    return [entries(x) for x in function.call(given)]


class Function:
    """A function of a shape, with the arguments and results of a call in Rust."""

    def __init__(self, shape, number, name, arguments, results):
        escaped = "".join(c if c.isascii() else f"u{ord(c):04X}" for c in name)
        self.name = f"{shape['name']}_{escaped}"
        self.library = str(FOLDER / f"{number}.so")
        self.arguments = [*arguments, shape["parameters"]]
        self.results = results
        self.value = ca.external(self.name, self.library)
        self.has_derivative = name not in shape["derivatives"]
        quaternions = [c[:-2] for c in shape["coordinates"] if c.endswith(".w")]
        self.turns = [shape["coordinates"].index(f"{c}.x") for c in quaternions]

    def inputs(self):
        return [self.value.name_in(at) for at in range(self.value.n_in())]

    def rotations(self, name):
        """The first entry of each quaternion in an input."""
        return self.turns if name in ("q", "q0", "q1", "y") else []

    def near(self, random):
        """Other arguments of the same kind."""
        moved = []
        for name, argument in zip(self.inputs(), self.arguments):
            if name == "active":
                argument = random.integers(0, 2, len(argument))
            else:
                argument = argument * random.uniform(0.9, 1.1, len(argument)) + random.uniform(0, 0.01, len(argument))
            for first in self.rotations(name):
                argument[first : first + 4] /= np.linalg.norm(argument[first : first + 4])
            moved.append(argument)
        return moved

    def differences(self, arguments, at):
        """The derivatives of each output by an input, along the turns of quaternions."""
        columns, base = [], np.array(arguments[at], dtype=float)
        for i in range(len(base)):
            values, h = [], 2e-4
            for step in (h, -h, 2 * h, -2 * h):
                moved = base.copy()
                moved[i] += step
                found = call(self.value, [*arguments[:at], moved, *arguments[at + 1 :]])
                values.append([x.ravel(order="F") for x in found])
            columns.append([(8 * (a - b) - (c - d)) / (12 * h) for a, b, c, d in zip(*values)])
        for output in range(self.value.n_out()):
            block = np.zeros((self.value.numel_out(output), 0))
            if columns:
                block = np.array([column[output] for column in columns]).T
            for first in self.rotations(self.inputs()[at]):
                quaternion = base[first : first + 4]
                along = block[:, first : first + 4] @ quaternion
                block[:, first : first + 4] -= np.outer(along, quaternion) / (quaternion @ quaternion)
            yield block


def pattern(sparsity):
    return np.array(ca.DM(sparsity, 1).full()) != 0


class ShapesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shapes = json.loads((FOLDER / "shapes.json").read_text())
        cls.functions = []
        for number, shape in enumerate(cls.shapes):
            source, library = FOLDER / f"{number}.c", FOLDER / f"{number}.so"
            subprocess.run(["cc", *FLAGS, "-o", library, source, "-lm"], check=True)
            cls.functions += [Function(shape, number, *given) for given in shape["calls"]]

    def test_every_function_is_called(self):
        for number, shape in enumerate(self.shapes):
            text = (FOLDER / f"{number}.c").read_text()
            found = set(re.findall(r"int (\w+)\(const double \*\*arg", text))
            of_shape = [f for f in self.functions if f.library == str(FOLDER / f"{number}.so")]
            names = {f.name for f in of_shape}
            self.assertEqual(found, names | {f"jac_{f.name}" for f in of_shape if f.has_derivative}, shape["name"])

    def test_values(self):
        for function in self.functions:
            with self.subTest(function.name):
                sizes = [(len(x), 1) for x in function.arguments]
                self.assertEqual([function.value.size_in(at) for at in range(function.value.n_in())], sizes)
                self.assertEqual(function.inputs()[-1].split("_")[0], "p")
                found = call(function.value, function.arguments)
                results = [x for x in function.results if x]
                self.assertEqual([x.size for x in found], [len(x) for x in results])
                for value, expected in zip(found, results):
                    scale = max(1, np.abs(expected).max())
                    np.testing.assert_allclose(value.ravel(order="F"), expected, rtol=0, atol=1e-13 * scale)

    def test_derivatives(self):
        for function in self.functions:
            if not function.has_derivative:
                continue
            arguments = [np.array(x, dtype=float) for x in function.arguments]
            found = call(function.value.jacobian(), arguments)
            for at, name in enumerate(function.inputs()):
                if name == "active":
                    continue
                for output, expected in enumerate(function.differences(arguments, at)):
                    with self.subTest(f"{function.name}: {function.value.name_out(output)} by {name}"):
                        block = found[output * len(arguments) + at]
                        self.assertEqual(block.shape, expected.shape)
                        if block.size:
                            scale = 1 + np.abs(expected).max()
                            np.testing.assert_allclose(block, expected, rtol=0, atol=1e-7 * scale)

    def test_patterns(self):
        """An entry is in a pattern exactly if some state shows it. That the blocks have all entries is in the tests above."""
        random = np.random.default_rng(0)
        for function in self.functions:
            if function.name.startswith(CANCELLING):
                continue
            derivatives = [function.value.jacobian()] if function.has_derivative else []
            for of in [function.value, *derivatives]:
                largest = [np.zeros(of.size_out(at)) for at in range(of.n_out())]
                for _ in range(8):
                    found = call(of, function.near(random))
                    largest = [np.maximum(x, np.abs(y)) for x, y in zip(largest, found)]
                for at, values in enumerate(largest):
                    with self.subTest(f"{of.name()}: {of.name_out(at)}"):
                        unseen = pattern(of.sparsity_out(at)) & (values < 1e-14)
                        self.assertEqual(np.argwhere(unseen).tolist(), [])

    def test_errors(self):
        for number, shape in enumerate(self.shapes):
            for name, arguments, parameters in shape["failures"]:
                function = Function({**shape, "parameters": parameters}, number, name, arguments, [])
                with self.subTest(function.name):
                    for of in (function.value, function.value.jacobian()):
                        with self.assertRaises(RuntimeError):
                            call(of, function.arguments)

    def test_threads(self):
        random = np.random.default_rng(1)
        for function in self.functions:
            derivatives = [function.value.jacobian()] if function.has_derivative else []
            for of in [function.value, *derivatives]:
                count = 50
                states = [function.near(random) for _ in range(count)]
                given = [np.array(x).T if len(x[0]) else ca.DM(0, count) for x in zip(*states)]
                given += [ca.DM(of.size1_in(at), count * of.size2_in(at)) for at in range(len(given), of.n_in())]
                alone, together = of.map(count).call(given), of.map(count, "thread", 4).call(given)
                for x, y in zip(alone, together):
                    np.testing.assert_array_equal(entries(x), entries(y), of.name())

    def test_no_memory(self):
        """No library has data that it may write."""
        for number, shape in enumerate(self.shapes):
            symbols = subprocess.run(["nm", FOLDER / f"{number}.so"], check=True, capture_output=True, text=True).stdout
            written = [line for line in symbols.splitlines() if re.search(rf" [bBdDC] {shape['name']}", line)]
            self.assertEqual(written, [])
            self.assertRegex(symbols, rf" r {shape['name']}")


if __name__ == "__main__":
    unittest.main()
