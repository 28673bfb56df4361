"""The reference of the community edition against the compiled core, over random scenarios.

python -m tests.reference.community.compare START COUNT     prints what differs, seed by seed
"""

import sys

from roborally_env.scenario import differences
from tests.reference import comparing
from tests.reference.errors import BadScenario, NeedsChance

from .generate import scenario
from .race import play


def difference(drawn):
    """What core and reference say differently of a scenario: None for nothing, "" where only a shuffle can tell."""
    return comparing.difference(drawn, play, NeedsChance, BadScenario, compare, comparing.in_words)


def compare(drawn, expected, outcome):
    """A line for each difference. Of the events only where the checkpoints come to lie."""
    ends = [checkpoints_at_the_end(drawn, found) for found in (expected, outcome)]
    del expected["events"]
    for robot in expected["robots"]:
        if robot["x"] is None:
            del robot["damage"]  # means nothing while it is off the board
    lines = differences(expected, outcome, "outcome")
    if ends[0] != ends[1]:
        lines.append(f"checkpoints: expected {ends[0]}, got {ends[1]}")
    return lines


def checkpoints_at_the_end(drawn, outcome):
    """Number -> cell of each checkpoint when the play ends."""
    cells = {spot["number"]: [spot["x"], spot["y"]] for spot in drawn["map"].get("checkpoints", [])}
    moves = [event for event in outcome["events"] if event["kind"] == "checkpoint_moved"]
    return {**cells, **{event["number"]: list(event["to"]) for event in moves}}


if __name__ == "__main__":
    first, number = map(int, sys.argv[1:3])
    sys.exit(1 if comparing.print_all(first, number, lambda seed: difference(scenario(seed))) else 0)
