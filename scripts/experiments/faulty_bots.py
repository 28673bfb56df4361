"""Race against a bot that misbehaves at every question, and check that the races go on and each fault is one line.

    python scripts/experiments/faulty_bots.py --faults 10000 --out out/faults.json

The bot (scripts/bots/faulty.py) answers nonsense, ends, floods and pauses, drawn by the number of the question. Writes
how many faults of each kind there were, and exits 1 if a fault is not one printable line, a race does not go on, or a
program is left behind.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from roborally_env.agents import foreign, make_agent
from roborally_env.agents.decisions import decide
from roborally_env.agents.foreign import ExecAgent

from roborally_env import BatchRace

BOT = Path(__file__).parents[1] / "bots" / "faulty.py"
MILLISECONDS = 100
LONGEST = 1000  # characters of a line about a fault


class Lines(logging.Handler):
    """Counts the lines of the log, and keeps those that are not as they should be."""

    def __init__(self) -> None:
        super().__init__()
        self.count, self.wrong = 0, []

    def emit(self, record: logging.LogRecord) -> None:
        """Look at a line."""
        line = record.getMessage()
        self.count += 1
        if not line.isprintable() or len(line) > LONGEST or "the default is played" not in line:
            self.wrong.append(line)


def play(faults: int, first: int = 0) -> dict[str, Any]:
    """Race until there are `faults` faults, or Ctrl-C; returns the counts. The numbers of the questions, by which the
    bot draws its faults, begin after `first`."""
    # every fault is reported, not only the first ones
    most, foreign._MOST_REPORTED = foreign._MOST_REPORTED, sys.maxsize
    lines = Lines()
    logger = logging.getLogger("roborally_env")
    logger.addHandler(lines)
    counted: Counter[str] = Counter()
    agent = ExecAgent(f"{sys.executable} -S -E {BOT}", milliseconds=MILLISECONDS)
    agent._number = first
    batch = BatchRace(1, players=2, seed=1, rules={"upgrades": False}, max_rounds=20)
    line_up = np.array([[0, 1]])
    other = make_agent("random", 1)
    races = steps = given_up = 0
    began, cpu = time.monotonic(), os.times()
    with suppress(KeyboardInterrupt):
        while (so_far := sum(counted.values()) + sum(agent.faults.values())) < faults:
            if steps % 500 == 499:
                print(f"{so_far:,} of {faults:,} faults, {races} races", file=sys.stderr, flush=True)
            played = batch.step(*decide(batch, [agent, other], line_up))
            races += int((played.terminated | played.truncated).sum())
            steps += 1
            if agent.faults["given up"]:  # ten starts without an answer: the next command begins again
                given_up += 1
                counted += agent.faults
                agent.close()
                number, agent = agent._number, ExecAgent(agent.command, milliseconds=MILLISECONDS)
                agent._number = number
    counted += agent.faults
    agent.close()
    logger.removeHandler(lines)
    foreign._MOST_REPORTED = most
    now = os.times()
    return {
        "faults": dict(sorted(counted.items())), "total": sum(counted.values()), "lines": lines.count,
        "wrong_lines": lines.wrong[:10], "steps": steps, "races": races, "given_up": given_up,
        "seconds": round(time.monotonic() - began, 1),
        "cpu_seconds": round(sum(now[:4]) - sum(cpu[:4]), 1), "left_behind": children(),
    }  # fmt: skip


def children() -> int:
    """How many programs of this process are still there."""
    try:
        return len(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())
    except OSError:
        return 0


def main() -> None:
    """Read the options, play, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=10_000, help="how many (10,000)")
    parser.add_argument("--first", type=int, default=0, help="other faults: the number before the first question (0)")
    parser.add_argument("--out", type=Path, help="a file for the result")
    options = parser.parse_args()
    if options.faults < 1:
        parser.error(f"--faults: expected at least 1, got {options.faults}")
    found = play(options.faults, options.first)
    text = json.dumps(found, indent=1)
    print(text)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text + "\n", encoding="utf-8")
    if found["wrong_lines"] or found["left_behind"]:
        sys.exit("not as it should be")


if __name__ == "__main__":
    main()
