"""Short words for small scenarios and what came of them."""


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


def gear(x, y, turn):
    return {"kind": "gear", "x": x, "y": y, "turn": turn}


def play_scene(race, robots, elements, span, order, rules, answers, drawing, **more):
    """The outcome of registers span[0] to span[1] on a map of 10 by 6 by this race; span None: a round."""
    drawing = {"width": 10, "height": 6, "elements": list(elements), **drawing}
    played = {"rounds": 1} if span is None else {"from": span[0], "to": span[1]}
    if order is not None:
        played["order"] = order
    if "shop" in more:
        played["start"] = "upgrade"
    scene = {"map": drawing, "robots": robots, "play": played, "rules": rules or {}, "answers": list(answers), **more}
    return race.play({"edition": race.edition, **scene})


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
