"""Simulates the FMUs by FMPy, beside the motions that the program `lagrangian` simulates."""

import subprocess
import sys

import fmpy
import numpy as np
from fmpy.validation import validate_fmu

# CVode integrates by backward differences: the errors of many steps add up to a thousand tolerances and more.
TOLERANCES = [1e-6, 1e-12]
MOST = 1e-8
GIVEN = {"cart_pole": {"l": 0.9, "u": 1.5}, "four_bar": {"torque": 0.5}, "top": {}}


def simulate(name, tolerance):
    """The motion of the FMU, and that of the program at the same times."""
    expected = np.genfromtxt(f"{name}.csv", delimiter=",", names=True, deletechars="")[::50]
    found = fmpy.simulate_fmu(
        f"{name}.fmu",
        stop_time=expected["t"][-1],
        output_interval=expected["t"][1],
        relative_tolerance=tolerance,
        # The program moves the state onto the constraints.
        start_values=GIVEN[name] | {state: expected[state][0] for state in expected.dtype.names if state != "t"},
    )
    return found, expected


def main():
    failed = False
    for name in GIVEN:
        subprocess.run(["make", "--quiet", f"{name}.csv"], check=True)
        problems = validate_fmu(f"{name}.fmu")
        for tolerance in TOLERANCES:
            found, expected = simulate(name, tolerance)
            np.testing.assert_allclose(found["time"], expected["t"], rtol=1e-12)
            # Relative to the largest value of each state.
            states = [state for state in expected.dtype.names if state != "t"]
            difference = max(
                np.abs(found[state] - expected[state]).max() / max(np.abs(expected[state]).max(), 1e-9)
                for state in states
            )
            print(f"{name}: with the tolerance {tolerance:.0e} {difference:.0e} beside the program", end="")
            gaps = [np.abs(found[output]).max() for output in found.dtype.names if output.startswith("loop_closure")]
            print(f", and the loop opens by {max(gaps):.0e} m" if gaps else "")
        failed |= bool(problems) or not difference < MOST
        print(*problems, sep="\n", end="")
    return int(failed)


sys.exit(main())
