"""Programs that the button "as Python" of the playground gives, as `examples/playground/programs` has them. Beside each is
the acceleration at the start that the page computes."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

PROGRAMS = Path(__file__).parents[2] / "examples" / "playground" / "programs"


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.py")), ids=lambda path: path.stem)
def test_programs(path, capsys):
    names = {}
    exec(compile(path.read_text(), path, "exec"), names)
    system, motion = names["system"], names["motion"]
    assert capsys.readouterr().out.strip() == str(motion.q[-1])
    # The last step has an end of its own.
    assert motion.t[-1] == 10 and len(motion.t) == 10_001
    assert np.isfinite(motion.q).all()
    # The inputs of the programs are 0.25, -0.75, ..
    inputs = 0.25 - np.arange(sum(int(np.prod(each.shape)) for each in system.inputs))
    given = {"t": 0.0, "q": motion.q[0], "v": motion.v[0], "z": getattr(motion, "z", [None])[0], "u": inputs}
    found = system.acceleration(*(given[name] for name in inspect.signature(system.acceleration).parameters))
    expected = [float(number) for number in path.with_suffix(".txt").read_text().split(",")]
    assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_there_are_programs():
    assert len(list(PROGRAMS.glob("*.py"))) == 6
