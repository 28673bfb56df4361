"""The reference against the compiled core, over random scenarios.

python -m tests.reference2005.compare START COUNT     prints what differs, seed by seed
"""

import json
import sys

from roborally_env.errors import RoboRallyError
from roborally_env.scenario import differences, load

from .errors import BadScenario, Undetermined
from .generate import scenario
from .race2005 import play


def refusal_of_the_core():
    """Why the core does not play this edition, or None."""
    plain = {
        "edition": "2005",
        "map": {"width": 2, "height": 2, "elements": []},
        "robots": [{"x": 0, "y": 0, "facing": "N", "registers": ["turn_left:70"]}],
        "play": {"from": 1, "to": 1},
    }
    try:
        load(plain).run()
    except RoboRallyError as error:
        return str(error)
    return None


def difference(drawn):
    """What core and reference say differently of a scenario: None for nothing, "" where only a shuffle can tell."""
    expected, refusal = None, ""
    try:
        expected = play(drawn)
    except Undetermined:
        return ""
    except BadScenario as error:
        refusal = str(error)
    try:
        outcome = load(drawn).run()
    except RoboRallyError as error:
        return None if expected is None else report(drawn, [f"the core refuses it: {error}"])
    if expected is None:
        return report(drawn, [f"the reference refuses it: {refusal}"])
    del outcome["events"]
    lines = differences(expected, outcome, "outcome")
    lines += [f"outcome.{key}: the reference has no such key" for key in sorted(set(outcome) - set(expected))]
    return report(drawn, lines) if lines else None


def report(drawn, lines):
    """What differs first, the situation in words, and the scenario to paste."""
    play_of, answers = json.dumps(drawn["play"]), json.dumps(drawn.get("answers", []))
    rules = drawn["map"].get("special_rules", [])
    parts = [f"{drawn['name']}: core and reference differ", *lines, f"play {play_of}, special rules {rules}"]
    for index, robot in enumerate(drawn["robots"]):
        more = {key: value for key, value in robot.items() if key not in ("x", "y", "facing", "draw", "hand")}
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
            print(f"---- seed {seed}\n{found}")
    print(f"{count} scenarios from seed {start}: {different} different, {undetermined} undetermined")
    return different


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]), int(sys.argv[2])) else 0)
