"""The slow references against the compiled core: what the two say differently of a scenario."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from roborally_env.base.errors import RoboRallyError
from roborally_env.courses import Course, course_as_dict, load_course
from roborally_env.scenario import differences, load
from tests.rules.picture import ROBOTS, draw, side_by_side

from . import community, e2005, e2016, e2023
from .errors import BadScenario, NeedsChance, Unanswered

Scenario = dict[str, Any]
Outcome = dict[str, Any]


class Reference(NamedTuple):
    """The reference of an edition, and the random scenarios for it."""

    scenario: Callable[[int], Scenario]
    race: Any

    def play(self, drawn: Scenario) -> Outcome:
        """The outcome of a scenario."""
        return self.race.play(drawn)


EDITIONS = {"2016": e2016, "2023": e2023, "2005": e2005, "community": community}
REFERENCES = {name: Reference(edition.scenario, edition.Race) for name, edition in EDITIONS.items()}


def difference_of_seed(edition: str, seed: int) -> str | None:
    """The difference of a random scenario."""
    return difference(REFERENCES[edition].scenario(seed))


def difference(drawn: Scenario, core_decides: bool = False) -> str | None:
    """What core and reference say differently: None for nothing, "" where only a shuffle can tell.

    `core_decides`: the players of the reference answer as those of the core do, not as the scenario says.
    """
    expected, refusal = None, ""
    outcome, refusal_of_core = None, ""
    try:
        outcome = load(drawn).run()
    except RoboRallyError as error:
        refusal_of_core = str(error)
    try:
        expected = play_slowly(drawn, outcome, core_decides)
    except NeedsChance:
        return ""
    except BadScenario as error:
        refusal = str(error)
    if outcome is None:
        return expected and report(drawn, [f"the core refuses it: {refusal_of_core}"], expected, None)
    if expected is None:
        return report(drawn, [f"the reference refuses it: {refusal}"], None, outcome)
    lines = compare(on_a_map(drawn), expected, outcome)
    return report(drawn, lines, expected, outcome) if lines else None


def play_slowly(drawn: Scenario, outcome: Outcome | None, core_decides: bool) -> Outcome:
    """The outcome of the reference. It has no generator: coins fall and the timer places cards as in the core.

    A player without an answer and without a default answers as in the core too.
    """
    decided = {"answers": outcome["decisions"] if outcome else []}
    reference = REFERENCES[drawn["edition"]]
    events = moments(outcome) if outcome else []
    heads = [moment for kind, *moment, _ in events if kind == "board_turned"]
    played = [moment for kind, *moment in events if kind == "play"]
    drawn = {**on_a_map(drawn), "heads": heads, "laid": played, **(decided if core_decides else {})}
    try:
        return reference.play(drawn)
    except Unanswered:
        return reference.play({**drawn, **decided})


def moments(outcome: Outcome) -> list[tuple[Any, ...]]:
    """The events in registers, as (kind, round, register, robot, card)."""
    found, now = [], {"round": 1, "register": 0}
    for event in outcome["events"]:
        if event["kind"] in now:
            now[event["kind"]] = event[event["kind"]]
        else:
            found.append((event["kind"], *now.values(), event.get("robot"), event.get("card")))
    return found


def on_a_map(drawn: Scenario) -> Scenario:
    """The scenario with its course, if it names one, as a map with `boards`: a reference reads no files."""
    if "course" not in drawn:
        return drawn
    return {**drawn, "map": map_of(load_course(drawn["course"], drawn["edition"]))}


def map_of(course: Course) -> dict[str, Any]:
    """A course as a map with `boards`."""
    sides = ("x", "y", "width", "height")
    boards = [{side: getattr(board, side) for side in sides} for board in course.boards]
    return {**course_as_dict(course)["map"], "boards": boards}


def compare(drawn: Scenario, expected: Outcome, outcome: Outcome) -> list[str]:
    """A line for each difference. Of the events only where the checkpoints of the community edition come to lie."""
    expected, outcome = dict(expected), dict(outcome)
    events = expected.pop("events", None), outcome.pop("events")
    if drawn["edition"] == "community":
        expected["robots"] = [without_damage(robot) for robot in expected["robots"]]
    lines = differences(expected, outcome, "outcome")
    lines += [f"outcome.{key}: the reference has no such key" for key in sorted(set(outcome) - set(expected))]
    if drawn["edition"] == "community":
        ends = [checkpoints_at_the_end(drawn, found) for found in events]
        if ends[0] != ends[1]:
            lines.append(f"checkpoints: expected {ends[0]}, got {ends[1]}")
    return lines


def without_damage(robot: dict[str, Any]) -> dict[str, Any]:
    """What is said of a robot; its damage means nothing while it is off the board."""
    return {key: value for key, value in robot.items() if key != "damage" or robot["x"] is not None}


def checkpoints_at_the_end(drawn: Scenario, events: list[dict[str, Any]]) -> dict[int, list[int]]:
    """Number -> cell of each checkpoint when the play ends."""
    cells = {spot["number"]: [spot["x"], spot["y"]] for spot in drawn["map"].get("checkpoints", [])}
    moves = [event for event in events if event["kind"] == "checkpoint_moved"]
    return {**cells, **{event["number"]: list(event["to"]) for event in moves}}


def report(drawn: Scenario, lines: list[str], expected: Outcome | None, outcome: Outcome | None) -> str:
    """What differs, the situation in words and (without heights) as pictures, and the scenario to paste."""
    pasted, drawn = json.dumps(drawn), on_a_map(drawn)
    rules = drawn["map"].get("special_rules")
    parts = [f"{drawn['name']}: core and reference differ", *lines]
    parts.append(f"play {json.dumps(drawn['play'])}" + (f", special rules {rules}" if rules else ""))
    for letter, robot in zip(ROBOTS, drawn["robots"], strict=False):
        more = {key: value for key, value in robot.items() if key not in ("x", "y", "facing", "draw")}
        parts.append(f"  {letter}: ({robot['x']}, {robot['y']}) {robot['facing']} {json.dumps(more)}")
    parts.append(f"answers {json.dumps(drawn.get('answers', []))}")
    if drawn["edition"] != "community":
        after = [picture(drawn, found["robots"]) if found else "refused" for found in (expected, outcome)]
        parts += [picture(drawn, drawn["robots"]), side_by_side(*after, ("reference", "core"))]
    return "\n".join([*parts, pasted])


def picture(drawn: Scenario, robots: list[dict[str, Any]]) -> str:
    """The map with the robots of a scenario or an outcome that are on it."""
    placed = zip(ROBOTS, robots, strict=False)
    places = {letter: (r["x"], r["y"], r["facing"]) for letter, r in placed if r["x"] is not None}
    board = {key: value for key, value in drawn["map"].items() if key != "boards"}
    return draw(board, places, drawn["edition"])
