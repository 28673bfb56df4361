"""Short words for small scenarios of the community edition and what came of them."""

from tests.reference.e2016.scenes import belt, laser, panel, pit, robot, says, token, wall

from .race import play

__all__ = ["belt", "column", "laser", "panel", "pit", "place", "race", "robot", "says", "token", "wall"]


def race(robots, elements=(), span=(1, 1), order=None, rules=None, answers=(), **drawing):
    """The outcome of registers span[0] to span[1] on a map of 10 by 6; span None: a round."""
    drawing = {"width": 10, "height": 6, "elements": list(elements), **drawing}
    played = {"rounds": 1} if span is None else {"from": span[0], "to": span[1]}
    if order is not None:
        played["order"] = order
    scenario = {"edition": "community", "map": drawing, "robots": robots, "play": played, "rules": rules or {}}
    return play({**scenario, "answers": list(answers)})


def place(outcome, index=0):
    """Where a robot is, as (x, y, facing), and its damage."""
    entry = outcome["robots"][index]
    return (entry["x"], entry["y"], entry["facing"]), entry["damage"]


def column(outcome, key):
    """One key of all robots."""
    return [entry[key] for entry in outcome["robots"]]
