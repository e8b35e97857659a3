"""The longest straight line in the machine code of `acceleration_unchecked_batch`, by `cuobjdump -sass` of the programs in a
folder: its instructions, and those that store to the stack or load from it.

No call and no branch is in it, so that slow paths of sines or divisions would cut it.
"""

import re
import subprocess
import sys
from pathlib import Path

INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(.*?);", re.MULTILINE)
JUMP = re.compile(r"\b(BRA|BRX|CALL\S*|RET\S*|EXIT)\b")


def lines(code):
    """The straight lines of a function: they end with a jump, or where one leads."""
    code = [(int(place, 16), text) for place, text in INSTRUCTION.findall(code)]
    targets = {int(text.split("0x")[-1], 16) for _, text in code if re.search(r"\b(BRA|CALL\S*)\b.* 0x[0-9a-f]+", text)}
    line = []
    for place, text in code:
        if place in targets:
            yield line
            line = []
        line.append(text)
        if JUMP.search(text):
            yield line
            line = []


def count(line, word):
    return sum(word in text for text in line)


words = ["instructions", "stores", "loads"]
titles = ["system", *(f"{scalar}: {word}" for scalar in ("f32", "f64") for word in words)]
print(f"| {' | '.join(titles)} |\n| --- |{' ---: |' * 6}")
for system in sys.argv[2:]:
    program = Path(sys.argv[1]) / system
    text = subprocess.run(["cuobjdump", "-sass", program], check=True, capture_output=True, text=True).stdout
    numbers = []
    for scalar in "fd":
        mark = f"{system}_acceleration_unchecked_batchI{scalar}E"
        code = next(part for part in text.split("Function : ")[1:] if mark in part.split("\n", 1)[0])
        longest = max(lines(code), key=len)
        numbers += [len(longest), count(longest, "STL"), count(longest, "LDL")]
    print(f"| {system} | {' | '.join(map(str, numbers))} |")
