"""Simulates the FMUs by FMPy, beside the trajectories by the methods in Rust."""

import sys

import fmpy
import numpy as np
from fmpy.validation import validate_fmu

# CVode integrates by backward differences: the errors of many steps add up to a thousand tolerances and more.
TOLERANCES = [1e-6, 1e-12]
MOST = 1e-8


def simulate(name, tolerance):
    """The trajectory of the FMU, and that in Rust."""
    expected = np.genfromtxt(f"{name}/reference.csv", delimiter=",", names=True, deletechars="")
    variables = fmpy.read_model_description(f"{name}.fmu").modelVariables
    given = [v.name for v in variables if v.causality in ("parameter", "input")]
    found = fmpy.simulate_fmu(
        f"{name}.fmu",
        stop_time=expected["time"][-1],
        output_interval=expected["time"][1],
        relative_tolerance=tolerance,
        start_values={name: expected[name][0] for name in given if name in expected.dtype.names},
    )
    return found, expected


def main():
    failed = False
    for name in ["cart_pole", "four_bar"]:
        problems = validate_fmu(f"{name}.fmu")
        for tolerance in TOLERANCES:
            found, expected = simulate(name, tolerance)
            np.testing.assert_allclose(found["time"], expected["time"], rtol=1e-12)
            residuals = [output for output in found.dtype.names if output.startswith("loop_closure")]
            # Relative to the largest value of each output; a residual has only its errors.
            difference = max(
                np.abs(found[output] - expected[output]).max() / np.abs(expected[output]).max()
                for output in found.dtype.names
                if output not in residuals + ["time"]
            )
            print(f"{name}: with the tolerance {tolerance:.0e} {difference:.0e} beside Rust", end="")
            gaps = [np.abs(found[output]).max() for output in residuals]
            print(f", and the loop opens by {max(gaps):.0e} m" if gaps else "")
        failed |= bool(problems) or not difference < MOST
        print(*problems, sep="\n", end="")
    return int(failed)


sys.exit(main())
