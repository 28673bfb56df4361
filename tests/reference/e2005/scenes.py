"""Short words for small scenarios of 2005 and what came of them."""

from tests.reference.scenes import belt, laser, panel, pit, wall

from .race import play

__all__ = [
    "asked",
    "belt",
    "cells",
    "column",
    "damage",
    "facings",
    "gear",
    "laser",
    "panel",
    "pit",
    "race",
    "repair",
    "robot",
    "says",
    "turn",
    "wall",
]


def robot(x, y, facing="N", *registers, **more):
    """A robot of a scenario, with cards from register 1 on."""
    return {"x": x, "y": y, "facing": facing, "registers": list(registers), **more}


def gear(x, y, turn):
    return {"kind": "gear", "x": x, "y": y, "turn": turn}


def repair(x, y, level=1):
    return {"kind": "repair", "x": x, "y": y, "level": level}


def race(robots, elements=(), span=(1, 1), order=None, rules=None, answers=(), **drawing):
    """The outcome of registers span[0] to span[1] on a map of 10 by 6; span None: a turn."""
    drawing = {"width": 10, "height": 6, "elements": list(elements), **drawing}
    played = {"rounds": 1} if span is None else {"from": span[0], "to": span[1]}
    if order is not None:
        played["order"] = order
    return play(
        {
            "edition": "2005",
            "map": drawing,
            "robots": robots,
            "play": played,
            "rules": rules or {},
            "answers": list(answers),
        }
    )


def turn(robots, elements=(), answers=(), **drawing):
    """The outcome of a whole turn of robots that have their hands, or are powered down."""
    robots = [{key: value for key, value in entry.items() if value != []} for entry in robots]
    return race(robots, elements, None, None, None, answers, **drawing)


def says(index, decision, *choices):
    """Answers of one robot to one decision."""
    return [{"robot": index, "decision": decision, "choice": choice} for choice in choices]


def asked(outcome):
    """What was asked, as (robot, decision, choice)."""
    return [(entry["robot"], entry["decision"], entry["choice"]) for entry in outcome["decisions"]]


def cells(outcome):
    """Where the robots are; None for one off the board."""
    return [None if entry["x"] is None else (entry["x"], entry["y"]) for entry in outcome["robots"]]


def facings(outcome):
    return "".join(entry["facing"] or "-" for entry in outcome["robots"])


def column(outcome, key):
    return [entry[key] for entry in outcome["robots"]]


def damage(outcome):
    return column(outcome, "damage")
