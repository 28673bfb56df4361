"""Small scenarios of 2005 and what came of them, on a map of 10 by 6."""

from tests.reference.scenes import column, play_scene

from .race import Race


def repair(x, y, level=1):
    return {"kind": "repair", "x": x, "y": y, "level": level}


def race(robots, elements=(), span=(1, 1), order=None, rules=None, answers=(), **drawing):
    """The outcome of some registers; span None: a turn."""
    return play_scene(Race, robots, elements, span, order, rules, answers, drawing)


def turn(robots, elements=(), answers=(), **drawing):
    """The outcome of a whole turn of robots that have their hands, or are powered down."""
    robots = [{key: value for key, value in entry.items() if value != []} for entry in robots]
    return race(robots, elements, None, None, None, answers, **drawing)


def damage(outcome):
    return column(outcome, "damage")
