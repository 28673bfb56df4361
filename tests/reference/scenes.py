"""Short words for small scenarios and what came of them."""

from .e2016.race import play


def robot(x, y, facing="E", *registers, **more):
    """A robot of a scenario."""
    return {"x": x, "y": y, "facing": facing, "registers": list(registers), **more}


def belt(x, y, out, *feeds, speed=1):
    back = {"N": "S", "E": "W", "S": "N", "W": "E"}[out]
    return {"kind": "belt", "x": x, "y": y, "speed": speed, "out": out, "in": list(feeds) or [back]}


def wall(x, y, *sides):
    return {"kind": "wall", "x": x, "y": y, "sides": list(sides)}


def pit(x, y):
    return {"kind": "pit", "x": x, "y": y}


def panel(x, y, push, *registers):
    return {"kind": "panel", "x": x, "y": y, "push": push, "registers": list(registers)}


def laser(x, y, fires, beams=1, **more):
    return {"kind": "laser", "x": x, "y": y, "fires": fires, "beams": beams, **more}


def token(x, y, facing):
    return {"x": x, "y": y, "facing": facing}


def race(robots, elements=(), span=(1, 1), order=None, rules=None, answers=(), **drawing):
    """The outcome of registers span[0] to span[1] on a map of 10 by 6, without upgrades; span None: a round."""
    return game(robots, elements, span, order, {"upgrades": False, **(rules or {})}, answers, **drawing)


def game(robots, elements=(), span=(1, 1), order=None, rules=None, answers=(), shop=None, **drawing):
    """As `race`, with upgrades; a `shop` begins the round with the upgrade phase."""
    drawing = {"width": 10, "height": 6, "elements": list(elements), **drawing}
    played = {"rounds": 1} if span is None else {"from": span[0], "to": span[1]}
    if order is not None:
        played["order"] = order
    scenario = {"map": drawing, "robots": robots, "play": played, "rules": rules or {}, "answers": list(answers)}
    if shop is not None:
        scenario["shop"] = shop
        played["start"] = "upgrade"
    return play(scenario)


def says(index, decision, *choices):
    """Answers of one robot to one decision."""
    return [{"robot": index, "decision": decision, "choice": choice} for choice in choices]


def asked(outcome):
    """What was asked, as (robot, decision, choice)."""
    return [(entry["robot"], entry["decision"], entry["choice"]) for entry in outcome["decisions"]]


def cells(outcome):
    return [(entry["x"], entry["y"]) for entry in outcome["robots"]]


def facings(outcome):
    return "".join(entry["facing"] for entry in outcome["robots"])


def column(outcome, key):
    return [entry[key] for entry in outcome["robots"]]


def spam(outcome):
    return [entry["taken"]["spam"] for entry in outcome["robots"]]
