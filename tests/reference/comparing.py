"""A slow reference against the compiled core: what the two say differently of a scenario."""

import json
from collections.abc import Callable
from typing import Any

from roborally_env.errors import RoboRallyError
from roborally_env.scenario import load

Scenario = dict[str, Any]
Outcome = dict[str, Any]
Report = Callable[[Scenario, list[str], Outcome | None, Outcome | None], str]


def difference(
    drawn: Scenario,
    play: Callable[[Scenario], Outcome],
    undetermined: type[Exception],
    refused: type[Exception],
    compare: Callable[[Scenario, Outcome, Outcome], list[str]],
    report: Report,
) -> str | None:
    """None for nothing, "" where only a shuffle can tell.

    `play` is the reference, which raises `undetermined` for the latter and `refused` for a scenario that is not legal.
    `compare` gives a line for each difference of two outcomes.
    """
    expected, refusal = None, ""
    try:
        expected = play(drawn)
    except undetermined:
        return ""
    except refused as error:
        refusal = str(error)
    try:
        outcome = load(drawn).run()
    except RoboRallyError as error:
        return None if expected is None else report(drawn, [f"the core refuses it: {error}"], expected, None)
    if expected is None:
        return report(drawn, [f"the reference refuses it: {refusal}"], None, outcome)
    lines = compare(drawn, expected, outcome)
    return report(drawn, lines, expected, outcome) if lines else None


def in_words(drawn: Scenario, lines: list[str], *outcomes: Outcome | None) -> str:
    """What differs first, the situation in words, and the scenario to paste."""
    rules = drawn["map"].get("special_rules")
    played = f"play {json.dumps(drawn['play'])}" + (f", special rules {rules}" if rules else "")
    parts = [f"{drawn['name']}: core and reference differ", *lines, played]
    for index, robot in enumerate(drawn["robots"]):
        more = {key: value for key, value in robot.items() if key not in ("x", "y", "facing", "draw")}
        parts.append(f"  {index}: ({robot['x']}, {robot['y']}) {robot['facing']} {json.dumps(more)}")
    return "\n".join([*parts, f"answers {json.dumps(drawn.get('answers', []))}", json.dumps(drawn)])


def print_all(start: int, count: int, difference_of_seed: Callable[[int], str | None]) -> int:
    """Prints every difference and a last line with the numbers; how many there are."""
    different = undetermined = 0
    for seed in range(start, start + count):
        found = difference_of_seed(seed)
        undetermined += found == ""
        if found:
            different += 1
            print(f"---- seed {seed}\n{found}", flush=True)
    print(f"{count} scenarios from seed {start}: {different} different, {undetermined} undetermined")
    return different
