"""Registers, stack and spills of the kernels, by the reports of `ptxas -v` in a folder.

Spills are those of a kernel and of all functions that it calls, in bytes for a thread. Rare code counts as well, such as
the pivoted solution.
"""

import re
import sys
from pathlib import Path

KERNELS = {"acceleration_batch": "checked", "acceleration_unchecked_batch": "unchecked", "rk4_step_batch": "RK4"}


def reports(text):
    """For each kernel its mangled name, and four numbers: registers, stack, spill stores and spill loads."""
    for part in text.split("Compiling entry function '")[1:]:
        registers, stack = re.search(r"Used (\d+) registers(?:.*?(\d+) bytes cumulative stack size)?", part).groups()
        spills = re.findall(r"(\d+) bytes spill stores, (\d+) bytes spill loads", part)
        stores, loads = (sum(map(int, column)) for column in zip(*spills))
        yield part[: part.index("'")], [int(registers), int(stack or 0), stores, loads]


head = ["registers", "stack", "stores", "loads"]
titles = ["system, kernel", *(f"{scalar}: {word}" for scalar in ("f32", "f64") for word in head)]
print(f"| {' | '.join(titles)} |\n| --- |{' ---: |' * 8}")
for system in sys.argv[2:]:
    found = dict(reports((Path(sys.argv[1]) / f"{system}.ptxas").read_text()))
    for kernel, word in KERNELS.items():
        numbers = []
        for scalar in "fd":
            mark = f"{system}_{kernel}I{scalar}E"
            numbers += next(report for name, report in found.items() if mark in name)
        print(f"| {system}, {word} | {' | '.join(map(str, numbers))} |")
