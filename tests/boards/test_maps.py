"""Courses from the `map` of a scenario: what is given is there, and everything else is refused by its key."""

import copy
import itertools

import pytest

from roborally_env.base.errors import RoboRallyError, ScenarioError
from roborally_env.courses import E, Element, N, W, course_as_dict, course_from_map, load_course
from roborally_env.courses.tables import tables_of

MAP = {
    "width": 6,
    "height": 4,
    "elements": [
        {"kind": "belt", "x": 2, "y": 1, "speed": 2, "out": "E", "in": ["W", "N"]},
        {"kind": "gear", "x": 0, "y": 1, "turn": "ccw"},
        {"kind": "pit", "x": 0, "y": 2},
        {"kind": "wall", "x": 1, "y": 2, "sides": ["N", "W"]},
        {"kind": "panel", "x": 2, "y": 2, "push": "W", "registers": [5, 1]},
        {"kind": "laser", "x": 3, "y": 2, "fires": "N", "beams": 2, "two_ended": True},
        {"kind": "energy", "x": 4, "y": 2},
        {"kind": "dock", "x": 5, "y": 2, "number": 0},
    ],
    "antenna": {"x": 0, "y": 0, "facing": "W"},
    "reboots": [{"x": 5, "y": 3, "facing": "W"}],
    "checkpoints": [{"number": 2, "x": 4, "y": 1}, {"number": 1, "x": 4, "y": 0}],
    "energy": [{"x": 3, "y": 3}],
    "moving_checkpoints": True,
    "start_facing": "N",
}


def test_a_map_becomes_a_course_of_one_board():
    course = course_from_map(MAP)
    assert course.elements == (
        Element("belt", 2, 1, speed=2, out=E, feeds=(N, W)),
        Element("gear", 0, 1, turn=-1),
        Element("pit", 0, 2),
        Element("wall", 1, 2, sides=(N, W)),
        Element("panel", 2, 2, push=W, registers=(1, 5)),
        Element("laser", 3, 2, fires=N, beams=2, two_ended=True),
        Element("energy", 4, 2),
        Element("dock", 5, 2, number=0),
        Element("energy", 3, 3),  # a cube makes its cell an energy space
    )
    assert course.board_at == ((0,) * 6,) * 4
    assert course.docks == ((0, 5, 2),)
    assert (course.antenna, course.reboots) == ((0, 0, W), ((5, 3, W),))
    assert course.checkpoints == ((1, 4, 0), (2, 4, 1))
    assert course.energy == ((3, 3),)
    assert course.moving_checkpoints
    assert course.start_facing == N


def test_what_is_left_out_takes_its_default():
    course = course_from_map({"width": 1, "height": 1})
    assert (course.elements, course.antenna, course.reboots, course.checkpoints) == ((), None, (), ())
    assert (course.moving_checkpoints, course.start_facing) == (False, E)
    assert course_from_map({"width": 1, "height": 1, "antenna": {"x": 0, "y": 0, "facing": "W"}}).start_facing == W


def test_the_map_of_a_course_reads_back():
    course = load_course("pilgrimage")
    again = course_from_map(course_as_dict(course)["map"])
    assert set(again.elements) == set(course.elements)
    for name in ("width", "height", "docks", "antenna", "reboots", "checkpoints", "energy", "start_facing"):
        assert getattr(again, name) == getattr(course, name)


# the place that is changed, its new value (None: taken out), the message
REFUSED = {
    "direction": (("elements", 0, "out"), "X", r"map\.elements\[0\]\.out.*N, E, S, W.*'X'"),
    "direction as a list": (("elements", 0, "out"), ["N"], r"map\.elements\[0\]\.out.*N, E, S, W"),
    "feeds": (("elements", 0, "in"), ["Q"], r"map\.elements\[0\]\.in.*N, E, S, W.*'Q'"),
    "feeds twice": (("elements", 0, "in"), ["N", "N"], r"map\.elements\[0\]\.in"),
    "feeds left out": (("elements", 0, "in"), None, r"map\.elements\[0\]\.in"),
    "belt on itself": (("elements", 0, "in"), ["E"], r"map\.elements\[0\]\.in"),
    "speed": (("elements", 0, "speed"), 3, r"map\.elements\[0\]\.speed.*1.*2.*3"),
    "speed as bool": (("elements", 0, "speed"), True, r"map\.elements\[0\]\.speed"),
    "speed as float": (("elements", 0, "speed"), 1.0, r"map\.elements\[0\]\.speed"),
    "turn": (("elements", 1, "turn"), "left", r"map\.elements\[1\]\.turn.*'left'"),
    "registers": (("elements", 4, "registers"), [0], r"map\.elements\[4\]\.registers"),
    "registers as bools": (("elements", 4, "registers"), [True], r"map\.elements\[4\]\.registers"),
    "registers as lists": (("elements", 4, "registers"), [[1]], r"map\.elements\[4\]\.registers"),
    "beams": (("elements", 5, "beams"), 4, r"map\.elements\[5\]\.beams.*1.*3"),
    "two_ended": (("elements", 5, "two_ended"), 1, r"map\.elements\[5\]\.two_ended"),
    "unknown key": (("elements", 2, "depth"), 1, r"map\.elements\[2\]\.depth"),
    "nearest key": (("widht",), 6, r"map\.widht.*width"),
    "unknown kind": (("elements", 2, "kind"), "pti", r"map\.elements\[2\]\.kind.*'pti'.*pit"),
    "kind left out": (("elements", 2, "kind"), None, r"map\.elements\[2\]\.kind"),
    "kind of 2005": (("elements", 2, "kind"), "crusher", r"map\.elements\[2\]\.kind.*edition 2016"),
    "kind of the community": (("elements", 2, "kind"), "ramp", r"map\.elements\[2\]\.kind"),
    "kind as a list": (("elements", 2, "kind"), ["pit"], r"map\.elements\[2\]\.kind"),
    "outside": (("elements", 2, "x"), 6, r"map\.elements\[2\]\.x.*0.*5.*6.*4"),
    "x left out": (("elements", 2, "x"), None, r"map\.elements\[2\]\.x"),
    "no element": (("elements", 2), 7, r"map\.elements\[2\].*7"),
    "no list": (("elements",), {}, r"map\.elements"),
    "two on a cell": (
        ("elements", 2),
        {"kind": "gear", "x": 0, "y": 1, "turn": "cw"},
        r"map\.elements\[2\].*x=0.*y=1",
    ),
    "width": (("width",), 33, r"map\.width.*1.*32.*33"),
    "height left out": (("height",), None, r"map\.height"),
    "antenna": (("antenna", "facing"), 1, r"map\.antenna\.facing.*N, E, S, W.*1"),
    "antenna's key": (("antenna", "turn"), 1, r"map\.antenna\.turn"),
    "antenna outside": (("antenna", "y"), 4, r"map\.antenna\.y.*0.*3"),
    "token": (("reboots", 0, "facing"), None, r"map\.reboots\[0\]\.facing"),
    "token no object": (("reboots", 0), "N", r"map\.reboots\[0\]"),
    "number": (("checkpoints", 0, "number"), 9, r"map\.checkpoints\[0\]\.number.*1.*8"),
    "number twice": (("checkpoints", 0, "number"), 1, r"map\.checkpoints"),
    "cube": (("energy", 0), {"x": 1}, r"map\.energy\[0\]\.y"),
    "cube twice": (("energy",), [{"x": 1, "y": 1}] * 2, r"map\.energy"),
    "moving": (("moving_checkpoints",), "yes", r"map\.moving_checkpoints"),
    "facing": (("start_facing",), "up", r"map\.start_facing.*N, E, S, W"),
}


def changed(path, value):
    source = copy.deepcopy(MAP)
    holder = source
    for key in path[:-1]:
        holder = holder[key]
    if value is None:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return source


@pytest.mark.parametrize(("path", "value", "message"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_value_is_refused_by_its_key(path, value, message):
    with pytest.raises(ScenarioError, match=message):
        course_from_map(changed(path, value))


@pytest.mark.parametrize("odd", [None, 3, 1.5, "x", True, [], [[]], {}, [{}], [None]], ids=repr)
def test_no_value_of_the_wrong_type_breaks_it(odd):
    for key, value in MAP.items():
        try_map({**MAP, key: odd})
        entry = value[0] if isinstance(value, list) else value
        for inner in entry if isinstance(entry, dict) else ():
            broken = {**entry, inner: odd}
            try_map({**MAP, key: [broken] if isinstance(value, list) else broken})
    try_map(odd)


def try_map(source):
    try:
        course_from_map(source)
    except RoboRallyError as error:
        assert str(error).startswith("map")  # noqa: PT017  # either outcome is fine, only no other exception


def test_an_unknown_edition_is_refused():
    for edition in ("2061", 2016, ["2016"]):
        with pytest.raises(ScenarioError):
            course_from_map(MAP, edition=edition)


def test_the_limits_of_the_core_are_kept():
    lasers = [
        {"kind": "laser", "x": x, "y": y, "fires": d, "beams": 1} for x in range(5) for y in range(4) for d in "NESW"
    ]
    with pytest.raises(ScenarioError, match=r"map: 80.*64"):
        course_from_map({"width": 6, "height": 4, "elements": lasers})
    docks = [{"kind": "dock", "x": x, "y": 0, "number": 0} for x in range(9)]
    with pytest.raises(ScenarioError, match=r"map: 9.*8"):
        course_from_map({"width": 9, "height": 1, "elements": docks})


def test_a_situation_may_leave_checkpoints_out():
    course = course_from_map({"width": 3, "height": 1, "checkpoints": [{"number": 2, "x": 1, "y": 0}]})
    assert course.checkpoints == ((2, 1, 0),)


@pytest.mark.parametrize("key", ["checkpoints", "energy", "reboots"])
@pytest.mark.parametrize(("x", "what"), [(0, "the antenna"), (1, "a pit")])
def test_nothing_stands_on_the_antenna_or_a_pit(key, x, what):
    item = {"x": x, "y": 0, **({"number": 1} if key == "checkpoints" else {"facing": "E"} if key == "reboots" else {})}
    source = {
        "width": 3,
        "height": 1,
        "antenna": {"x": 0, "y": 0, "facing": "E"},
        "elements": [{"kind": "pit", "x": 1, "y": 0}],
        key: [item],
    }
    with pytest.raises(ScenarioError, match=rf"map.{key}.*{what}"):
        course_from_map(source)


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
def test_two_ended_lasers_in_one_line_are_pairs_of_neighbours(order):
    """R33, in whatever order a map names their ends: cells 0 and 2, and cells 4 and 7."""
    ends = [
        {"kind": "laser", "x": x, "y": 0, "fires": fires, "beams": 1, "two_ended": True}
        for x, fires in ((0, "E"), (2, "W"), (4, "E"), (7, "W"))
    ]
    tables = tables_of(course_from_map({"width": 8, "height": 1, "elements": [ends[k] for k in order]}))[0]
    cells, pairs = tables["laser_cell"][:4].tolist(), tables["laser_pair"][:4].tolist()
    assert {frozenset((cells[i], cells[pair])) for i, pair in enumerate(pairs)} == {
        frozenset((0, 2)),
        frozenset((4, 7)),
    }
