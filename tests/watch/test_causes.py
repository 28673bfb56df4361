"""Sentences say what stopped a robot, and who moved it by which weapon."""

from types import SimpleNamespace

import numpy as np
import pytest

from roborally_env.courses import load_course
from roborally_env.courses.tables import BLOCKED, CELLS, STEP, cell_of, tables_of
from roborally_env.watch.causes import obstacle
from roborally_env.watch.text import Words


def robots_at(*places):
    return [{"at": place and list(place)} for place in places]


def open_floor(*walls):
    """A floor without edges; `walls` are (x, y, direction)."""
    cells = np.arange(CELLS)[:, None] + np.array(STEP)
    for x, y, direction in walls:
        cells[cell_of(x, y), "NESW".index(direction)] = BLOCKED
    return SimpleNamespace(next=cells, antenna=-1)


def stopped(x, y, direction):
    return {"kind": "blocked", "robot": 0, "cell": [x, y], "direction": direction}


def test_a_wall_and_a_robot_before_a_wall_are_named():
    ground = open_floor((5, 5, "E"), (7, 5, "E"))
    assert obstacle(stopped(5, 5, "E"), robots_at((5, 5)), ground) == "a wall"
    line = robots_at((6, 5), (7, 5))
    assert obstacle(stopped(6, 5, "E"), line, ground) == "{1}, which cannot be pushed because of a wall"


def test_robots_that_share_their_space_stop_nobody():
    virtual = [{"at": [5, 5]}, {"at": [6, 5], "virtual": True}]
    assert obstacle(stopped(5, 5, "E"), virtual, open_floor()) == "a higher floor"


def test_the_antenna_is_named():
    course = load_course("fractionation")
    x, y = course.antenna[:2]
    ground = tables_of(course)[0]
    assert obstacle(stopped(x, y - 1, "S"), robots_at((x, y - 1)), ground) == "the antenna"


@pytest.mark.parametrize(
    ("edition", "used", "moved", "wanted"),
    [
        ("2005", {"kind": "option_used", "option": "tractor_beam"}, "shift", "pulled by {1} with its Tractor Beam"),
        ("2005", {"kind": "option_used", "option": "pressor_beam"}, "shift", "pushed by {1} with its Pressor Beam"),
        ("2016", {"kind": "use", "upgrade": "tractor_beam"}, "push", "pulled by {1} with its Tractor Beam"),
        ("2016", {"kind": "use", "upgrade": "deflector_shield"}, "push", "pushed"),
    ],
)
def test_who_moves_a_robot_by_a_beam_is_named(edition, used, moved, wanted):
    words = Words(edition, "checkpoint", 3, lambda seat: True)
    context = {
        "register": 2,
        "kind": moved,
        "dealt": {},
        "robots": robots_at(None, (3, 8), (3, 4)),
        "ground": open_floor,
    }
    words.of([{"kind": "register", "register": 2}], context)
    words.of([used | {"robot": 1}], context)
    to = [3, 5] if "pulled" in wanted or wanted == "pushed" else [3, 3]
    event = {"kind": moved, "robot": 2, "from": [3, 4], "to": to}
    assert words.of([event], context) == [f"{{2}} is {wanted} from 3,4 to 3,{to[1]}."]
    words.of([{"kind": "register", "register": 3}], context)
    assert words.of([event], context) == [f"{{2}} is pushed from 3,4 to 3,{to[1]}."]
