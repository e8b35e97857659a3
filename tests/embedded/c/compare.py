"""Compares the numbers of the exported C on the board with those of Rust, and prints code and stack of each function.

Reads from the folder of the argument what `run` wrote: `computer` with the numbers of Rust, and for each scalar the output
of the board and the symbols of its program.
"""

import struct
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1])
# The libraries' sines differ in their last digits, which the motions magnify.
SCALARS = {"float": ("32", "!f", 1e-4), "double": ("64", "!d", 1e-12)}


def numbers(lines, form):
    return [struct.unpack(form, bytes.fromhex(line.split()[1]))[0] for line in lines]


stacks, sizes = {}, {}
for scalar, (digits, form, tolerance) in SCALARS.items():
    board = (FOLDER / scalar).read_text().splitlines()
    of_rust = [line for line in (FOLDER / "computer").read_text().splitlines() if digits in line.split()[0]]
    of_c = [line for line in board if not line.startswith("stack ")]
    pairs = list(zip(numbers(of_rust, form), numbers(of_c, form), strict=True))
    size = max(abs(value) for value, _ in pairs)
    worst = max(abs(value - other) for value, other in pairs) / size
    assert worst < tolerance, f"{scalar}: the C deviates by {worst}"
    print(f"{len(pairs)} numbers of {scalar}, off by {worst:.0e} of the largest at most")
    stacks[scalar] = {words[1]: words[2] for words in map(str.split, board) if words[0] == "stack"}
    symbols = map(str.split, (FOLDER / f"{scalar}.symbols").read_text().splitlines())
    sizes[scalar] = {words[3]: int(words[1], 16) for words in symbols if len(words) == 4}

print("\n| in C | code, f32 | stack, f32 | code, f64 | stack, f64 |\n| --- | --- | --- | --- | --- |")
for method in stacks["float"]:
    system, name = method.split("::")
    function = {"CartPole": "cart_pole", "FourBar": "four_bar"}[system] + "_" + name
    cells = [f"{sizes[scalar][function]} | {stacks[scalar][method]}" for scalar in SCALARS]
    print(f"| `{function}` | {' | '.join(cells)} |")
