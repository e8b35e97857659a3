"""Values that are live at once in the straight-line code of `acceleration_unchecked`, by the CUDA texts in a folder.

A value is live from its computation to its last use. A GPU keeps live values in registers, at most 255 of 32 bits for a
thread; further ones go to memory.
"""

import re
import sys
from pathlib import Path

NAME = re.compile(r"\bt\d+\b")


def statements(text, system):
    """The lines of the innermost block of the function."""
    body = text[text.index(f"int {system}_acceleration_unchecked(") :]
    begin = body.index("\n    {\n") + 7
    return body[begin : body.index("\n    }\n", begin)].splitlines()


def most_live(lines):
    """The number of computed values, and the largest number of those that are live at once."""
    first, last = {}, {}
    for at, line in enumerate(lines):
        if re.match(r"\s*S t\d+(, t\d+)*;$", line):
            continue  # A declaration of results that the next line computes.
        for name in NAME.findall(line):
            first.setdefault(name, at)
            last[name] = at
    changes = [0] * (len(lines) + 1)
    for name, at in first.items():
        changes[at] += 1
        changes[last[name]] -= 1
    live = most = 0
    for change in changes:
        live += change
        most = max(most, live)
    return len(first), most


print("| system | values | live at once |\n| --- | ---: | ---: |")
for system in sys.argv[2:]:
    lines = statements((Path(sys.argv[1]) / f"{system}.cuh").read_text(), system)
    values, live = most_live(lines)
    print(f"| {system} | {values} | {live} |")
