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
        # Otherwise there are two rows where the FMU moves the state onto the constraints.
        record_events=False,
        # The program moves the state onto the constraints.
        start_values=GIVEN[name] | {state: expected[state][0] for state in expected.dtype.names if state != "t"},
    )
    return found, expected


def gap(found):
    """The largest residual of the loop, in m; 0 for systems without one."""
    return max((np.abs(found[name]).max() for name in found.dtype.names if name.startswith("loop_closure")), default=0)


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
            print(f", and the loop opens by {gap(found):.0e} m" if gap(found) else "")
        failed |= bool(problems) or not difference < MOST
        print(*problems, sep="\n", end="")
    # 200 s, hundreds of turns of the crank.
    turning = {"start_values": {"der(crank)": 4}, "relative_tolerance": 1e-6, "record_events": False}
    opened = gap(fmpy.simulate_fmu("four_bar.fmu", stop_time=200, output_interval=0.05, **turning))
    print(f"four_bar: in 200 s with the tolerance 1e-06 the loop opens by {opened:.0e} m")
    return int(failed or not opened < MOST)


sys.exit(main())
