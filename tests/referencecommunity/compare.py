"""The reference of the community edition against the compiled core, over random scenarios.

python -m tests.referencecommunity.compare START COUNT     prints what differs, seed by seed
"""

import json
import sys

from roborally_env.errors import RoboRallyError
from roborally_env.scenario import differences, load

from .errors import BadScenario, NeedsChance
from .generate import scenario
from .racecommunity import play


def difference(drawn):
    """What core and reference say differently of a scenario: None for nothing, "" where only a shuffle can tell."""
    expected, refusal = None, ""
    try:
        expected = play(drawn)
    except NeedsChance:
        return ""
    except BadScenario as error:
        refusal = str(error)
    try:
        outcome = load(drawn).run()
    except RoboRallyError as error:
        return None if expected is None else report(drawn, [f"the core refuses it: {error}"])
    if expected is None:
        return report(drawn, [f"the reference refuses it: {refusal}"])
    ends = [checkpoints_at_the_end(drawn, found) for found in (expected, outcome)]
    del expected["events"]
    for robot in expected["robots"]:
        if robot["x"] is None:
            del robot["damage"]  # means nothing while it is off the board
    lines = differences(expected, outcome, "outcome")
    if ends[0] != ends[1]:
        lines.append(f"checkpoints: expected {ends[0]}, got {ends[1]}")
    return report(drawn, lines) if lines else None


def checkpoints_at_the_end(drawn, outcome):
    """Number -> cell of each checkpoint when the play ends."""
    cells = {spot["number"]: [spot["x"], spot["y"]] for spot in drawn["map"].get("checkpoints", [])}
    moves = [event for event in outcome["events"] if event["kind"] == "checkpoint_moved"]
    return {**cells, **{event["number"]: list(event["to"]) for event in moves}}


def report(drawn, lines):
    """What differs first, the situation in words, and the scenario to paste."""
    play_of, answers = json.dumps(drawn["play"]), json.dumps(drawn.get("answers", []))
    parts = [f"{drawn['name']}: core and reference differ", *lines, f"play {play_of}"]
    for index, robot in enumerate(drawn["robots"]):
        more = {key: value for key, value in robot.items() if key not in ("x", "y", "facing", "draw")}
        parts.append(f"  {index}: ({robot['x']}, {robot['y']}) {robot['facing']} {json.dumps(more)}")
    return "\n".join([*parts, f"answers {answers}", json.dumps(drawn)])


def main(start, count):
    """Prints every difference and a last line with the numbers."""
    different = undetermined = 0
    for seed in range(start, start + count):
        found = difference(scenario(seed))
        undetermined += found == ""
        if found:
            different += 1
            print(f"---- seed {seed}\n{found}", flush=True)
    print(f"{count} scenarios from seed {start}: {different} different, {undetermined} undetermined")
    return different


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]), int(sys.argv[2])) else 0)
