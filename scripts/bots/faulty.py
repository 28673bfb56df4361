"""A bot that misbehaves in every way that the protocol names, one way a question, drawn by the question's number.

python scripts/experiments/faulty_bots.py        # 10,000 of its faults, and the races go on
"""

import json
import os
import random
import sys
import time

NONSENSE = [
    "I go left", "", "null", "[]", "{}", "3", '"x"', "[" * 5000, "{" * 5000, '{"id": NaN}', '{"id": %d}',
    '{"id": %d, "answers": 3}', '{"id": %d, "answers": []}', '{"id": %d, "answers": [[0, 1, 2, 3]]}',
    '{"id": %d, "answers": [[0, 0, 0, 0, 0]]}', '{"id": %d, "answers": [[0, 1, 2, 3, 99]]}',
    '{"id": %d, "answers": [["a", "b", "c", "d", "e"]]}', '{"id": %d, "answers": [[0, 1, 2, 3, 1e400]]}',
    '{"id": %d, "answers": [[0, 1, 2, 3, -1]]}', '{"id": %d, "answers": [[true, 1, 2, 3, 4]]}',
    '{"id": %d, "answers": [{"program": [0, 1, 2, 3, 4], "power_down": 7}]}', '{"id": %d, "answers": [null]}',
    '{"id": 10000000000000000000000000, "answers": [[0, 1, 2, 3, 4]]}', '{"id": "%d", "answers": [[0, 1, 2, 3, 4]]}',
    '{"error": "no \\u001b[2J\\n\\u202e more"}', '{"error": 7}', '{"id": %d, "id": %d, "answers": [7, 7]}',
]  # fmt: skip
LONGEST = 1 << 20  # bytes of a line


def nonsense(number, draw):
    """A line that is no answer, or no answer to this question."""
    if draw.random() < 0.2:
        line = draw.randbytes(draw.randrange(1, 300)).replace(b"\n", b"\r")
        sys.stdout.buffer.write(line + b"\n")
    else:
        text = draw.choice(NONSENSE)
        sys.stdout.buffer.write(text.replace("%d", str(number)).encode() + b"\n")
    sys.stdout.buffer.flush()


def death(number, draw):
    """The program ends, with or without words, in the middle of a line, or by a signal."""
    kind = draw.randrange(4)
    if kind == 0:
        sys.exit(f"question {number}: out of ideas \x1b[31m")
    if kind == 1:
        sys.stdout.write('{"id": ')
        sys.stdout.flush()
        os._exit(0)
    if kind == 2:
        os.kill(os.getpid(), draw.choice([6, 9, 15]))
    os.close(1)
    os._exit(3)


def flood(number, draw):
    """A line that does not end, or very many late answers."""
    if draw.random() < 0.5:
        for _ in range(64):
            os.write(1, b"x" * (1 << 16))
    else:
        for _ in range(40):
            os.write(1, b'{"id": 0}\n' * 100)
    time.sleep(draw.choice([0, 0, 0, 60]))


def pause(number, draw):
    """Too long for the time of a decision."""
    time.sleep(draw.choice([0.2, 0.2, 0.2, 60]))


def main():
    """Misbehave once a question."""
    for asked, line in enumerate(sys.stdin):
        ask = json.loads(line)
        draw = random.Random(ask["id"])
        kinds = [nonsense, nonsense, nonsense, nonsense, nonsense, death, flood, pause]
        if asked == 0:
            kinds.remove(pause)  # the first line has ten seconds
        draw.choice(kinds)(ask["id"], draw)


if __name__ == "__main__":
    try:
        main()
    except BrokenPipeError:
        os._exit(0)
