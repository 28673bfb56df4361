"""What only the community edition has: its kinds in maps, files, tables and pictures, and what is wrong with them."""

import pytest

from roborally_env.base.errors import ScenarioError
from roborally_env.courses import (
    E,
    Element,
    N,
    S,
    W,
    check_course,
    course_as_dict,
    course_from_map,
    load_course,
    read_drawing,
)
from roborally_env.courses import tables as tab
from roborally_env.courses.heights import CLOSED, Heights
from roborally_env.courses.values import element_as_map
from roborally_env.render.ansi import draw


def course(drawing, checkpoints=(), edition="community", **more):
    found = read_drawing(drawing)
    assert not found.flaws
    elements = [element_as_map(e) for e in found.elements]
    marks = [{"number": i, "x": x, "y": y} for i, (x, y) in enumerate(checkpoints, 1)]
    size = {"width": found.width, "height": found.height}
    return course_from_map({**size, "elements": elements, "checkpoints": marks, **more}, edition)


def tables(*arguments, **more):
    return tab.tables_of(course(*arguments, **more))[0]


YARD = """
+       +       +       +       +       +
  Ba      R>0a    1       R<1-b   *
+       +       +       +       +       +
  Bab     !>      ~       S135    D2
+       +       +       +       +       +
"""

# -- maps


MAP = {
    "width": 5,
    "height": 2,
    "elements": [
        {"kind": "button", "x": 0, "y": 0, "ramps": [[3, 0], [1, 0]]},  # before its ramps, in any order
        {"kind": "ramp", "x": 1, "y": 0, "up": "E", "level": 0},
        {"kind": "level", "x": 2, "y": 0, "level": 1},
        {"kind": "ramp", "x": 3, "y": 0, "up": "W", "level": 1, "enabled": False},
        {"kind": "one_way", "x": 1, "y": 1, "dir": "N"},
        {"kind": "puddle", "x": 2, "y": 1},
        {"kind": "radiation", "x": 4, "y": 0},
        {"kind": "stomper", "x": 3, "y": 1, "registers": [5, 1]},
        {"kind": "trapdoor", "x": 4, "y": 1, "registers": [2]},
        {"kind": "repair", "x": 0, "y": 1, "level": 2},
    ],
}


def test_every_kind_of_the_edition_is_read_from_a_map():
    assert course_from_map(MAP, "community").elements == (
        Element("button", 0, 0, ramps=((1, 0), (3, 0))),
        Element("ramp", 1, 0, out=E, level=0),
        Element("level", 2, 0, level=1),
        Element("ramp", 3, 0, out=W, level=1, enabled=False),
        Element("one_way", 1, 1, out=N),
        Element("puddle", 2, 1),
        Element("radiation", 4, 0),
        Element("stomper", 3, 1, registers=(1, 5)),
        Element("trapdoor", 4, 1, registers=(2,)),
        Element("repair", 0, 1, level=2),
    )


def test_the_map_of_such_a_course_reads_back():
    found = course_from_map(MAP, "community")
    assert course_from_map(course_as_dict(found)["map"], "community") == found
    again = [element for element in course_as_dict(found)["map"]["elements"] if element["kind"] == "ramp"]
    assert [element.get("enabled") for element in again] == [None, False]


@pytest.mark.parametrize("kind", sorted({e["kind"] for e in MAP["elements"]} - {"repair"}))
def test_its_kinds_are_in_no_other_edition(kind):
    element = next(e for e in MAP["elements"] if e["kind"] == kind)
    for edition in ("2016", "2005"):
        with pytest.raises(ScenarioError, match=rf"map.elements\[0\].kind.*{kind}.*edition {edition}"):
            course_from_map({**MAP, "elements": [element]}, edition)


def test_checkpoints_always_move():
    for moving in (True, False):
        assert course_from_map({**MAP, "moving_checkpoints": moving}, "community").moving_checkpoints


# what is added to the map's elements, and the message
REFUSED = {
    "level": ({"kind": "level", "x": 0, "y": 0, "level": 4}, "level.*1.*3.*4"),
    "ground": ({"kind": "level", "x": 0, "y": 0, "level": 0}, "level.*1.*3.*0"),
    "ramp's level": ({"kind": "ramp", "x": 0, "y": 0, "up": "N", "level": 3}, "level.*0"),
    "ramp's way": ({"kind": "ramp", "x": 0, "y": 0, "level": 0}, "up"),
    "enabled": (
        {"kind": "ramp", "x": 0, "y": 1, "up": "N", "level": 0, "enabled": 1},
        "enabled",
    ),
    "way": ({"kind": "one_way", "x": 0, "y": 0, "dir": "up"}, "dir.*N, E, S, W.*'up'"),
    "no ramp there": (
        {"kind": "button", "x": 4, "y": 1, "ramps": [[2, 0]]},
        "ramps.*2.*0",
    ),
    "ramps": ({"kind": "button", "x": 4, "y": 1, "ramps": 3}, "ramps.*3"),
    "ramp": ({"kind": "button", "x": 4, "y": 1, "ramps": [[3]]}, r"ramps\[0\].*\[3\]"),
    "ramp twice": ({"kind": "button", "x": 4, "y": 1, "ramps": [[3, 0], [3, 0]]}, r"ramps\[1\].*3.*0"),
    "true as a number": ({"kind": "button", "x": 4, "y": 1, "ramps": [[True, 0]]}, r"ramps\[0\]"),
    "registers": ({"kind": "stomper", "x": 0, "y": 0, "registers": [6]}, "registers"),
    "two ramps": ({"kind": "ramp", "x": 1, "y": 0, "up": "N", "level": 0}, "x=1.*y=0"),
    "pit on a ramp": ({"kind": "pit", "x": 1, "y": 0}, "x=1.*y=0"),
    "two levels": ({"kind": "level", "x": 2, "y": 0, "level": 2}, "x=2.*y=0"),
    "crusher": ({"kind": "crusher", "x": 0, "y": 0, "registers": [1]}, ""),
    "unknown key": ({"kind": "puddle", "x": 0, "y": 0, "deep": 1}, "deep"),
}


@pytest.mark.parametrize(("element", "message"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_element_is_refused_by_its_key(element, message):
    with pytest.raises(ScenarioError, match=message):
        course_from_map({**MAP, "elements": [*MAP["elements"], element]}, "community")


def test_more_than_sixty_four_ramps_are_refused():
    ramps = [{"kind": "ramp", "x": i % 32, "y": i // 32, "up": "N", "level": 0} for i in range(65)]
    with pytest.raises(ScenarioError, match=r"map: 65.*64"):
        course_from_map({"width": 32, "height": 3, "elements": ramps}, "community")


# -- tables


def test_the_tables_have_floors_ramps_buttons_and_what_acts():
    t = tables(YARD)
    assert list(t.level[:5]) == [0, 0, 1, 1, 0]
    assert (list(t.ramp_cell[:3]), t.ramps, bin(t.ramps_on)) == ([1, 3, -1], 2, "0b1")
    assert list(t.ramp[:5]) == [-1, 0, -1, 1, -1]
    assert (t.ramp_up[1], t.ramp_up[3]) == (E, W)
    assert (t.button[0], t.button[32], t.button[1]) == (0b01, 0b11, 0)
    assert (t.stomper[32 + 3], t.trapdoor[32 + 4], t.puddle[32 + 2], t.radiation[4]) == (0b10101, 0b10, 1, 1)
    assert (t.machines[1], t.machines[32 + 3], t.machines[32 + 4]) == (
        tab.HAS_RAMPS,
        tab.HAS_STOMPERS,
        tab.HAS_TRAPDOORS,
    )
    everything = tab.HAS_RAMPS | tab.HAS_TRAPDOORS | tab.HAS_STOMPERS | tab.HAS_LEVELS
    assert t.has == everything | tab.HAS_CLEANUP | tab.HAS_PUDDLES | tab.HAS_BUTTONS


def test_the_last_of_sixty_four_ramps_has_a_bit():
    ramps = [{"kind": "ramp", "x": i % 32, "y": i // 32, "up": "N", "level": 0} for i in range(64)]
    button = {"kind": "button", "x": 0, "y": 2, "ramps": [[31, 1], [0, 0]]}
    t = tab.tables_of(course_from_map({"width": 32, "height": 3, "elements": [*ramps, button]}, "community"))[0]
    assert (int(t.ramps_on), int(t.button[64])) == (2**64 - 1, 2**63 + 1)


def test_a_one_way_cell_is_entered_one_way_and_left_all_ways():
    t = tables("+    +    +    +\n  .    !>   .\n+    +    +    +\n  .    .    .\n+    +    +    +\n")
    assert (t.next[0, E], t.next[2, W], t.next[32 + 1, N]) == (1, tab.BLOCKED, tab.BLOCKED)
    assert list(t.next[1]) == [tab.EDGE, 2, 32 + 1, 0]
    assert (t.ray_end[0, E], t.ray_end[2, W], t.ray_end[33, N]) == (2, 2, 33)


def test_a_belt_carries_nothing_into_a_one_way_cell_from_the_wrong_side():
    t = tables("+    +    +\n  >    !<\n+    +    +\n")
    assert (t.belt_to[0, 0], t.belt_turn[0]) == (0, 0)


def test_a_beam_ends_before_a_one_way_cell_that_it_may_not_enter():
    t = tables("+    +    +    +\n  L>   .    !<\n+    +    +    +\n")
    assert list(t.beams_on[:3]) == [1, 1, 0]


def test_a_pusher_has_a_wall_behind_it_in_this_edition_alone():
    drawing = "+    +    +\n  .    P>1\n+    +    +\n"
    t, before = tables(drawing), tables(drawing, edition="2016")
    assert (t.next[0, E], t.next[1, W], t.ray_end[0, E], t.walls[1]) == (tab.BLOCKED, tab.BLOCKED, 0, 1 << W)
    assert (before.next[0, E], before.next[1, W], before.walls[1]) == (1, 0, 0)


def test_heights_are_left_to_the_core():
    t = tables("+    +    +\n  .    2\n+    +    +\n")
    assert (t.next[0, E], t.next[1, W], t.ray_end[0, E]) == (1, 0, 1)


@pytest.mark.parametrize(("cell", "moves"), [((0, 0), True), ((1, 0), True), ((2, 0), False)])
def test_checkpoints_move_where_one_lies_on_a_belt_or_a_pusher(cell, moves):
    t = tables("+    +    +    +\n  >    P>1  .\n+    +    +    +\n", [cell])
    assert bool(t.has & tab.HAS_MOVING) == moves


def test_a_course_of_2005_with_repair_sites_has_no_clean_up_of_this_edition():
    assert not tab.tables_of(load_course("checkmate"))[0].has & tab.HAS_CLEANUP


# -- heights


HILL = """
+       +       +       +       +
  .       R>0     1       3
+       +       +       +       +
  .       .       1       R>1-
+       +       +       +       +
"""


def test_a_ramp_joins_two_levels_and_is_closed_at_its_sides():
    heights = Heights(course(HILL).elements)
    assert [heights.side((1, 0), way, on=True) for way in (N, E, S, W)] == [CLOSED, 1, CLOSED, 0]
    assert [heights.drops((1, 0), way) for way in (E, S, W)] == [{0}, set(), {0}]
    assert heights.drops((1, 1), N) == set()
    assert heights.drops((2, 0), W) == {0}


def test_a_ledge_is_passed_downwards_only():
    heights = Heights(course(HILL).elements)
    assert (heights.drops((2, 1), W), heights.drops((1, 1), E)) == ({1}, set())
    assert (heights.drops((3, 0), W), heights.drops((2, 0), E)) == ({2}, set())


def test_a_ramp_that_is_off_is_floor_of_its_foot_s_level():
    heights = Heights(course(HILL).elements)
    assert heights.level((3, 1)) == 1
    assert (heights.drops((2, 1), E), heights.drops((3, 0), S)) == ({0}, {2})
    assert Heights(course(HILL).elements, on=[]).drops((0, 0), E) == {0}
    assert Heights(course(HILL).elements, on=[]).drops((1, 0), E) == set()
    assert Heights(course(HILL).elements, either=[(1, 0)]).drops((2, 0), W) == {0, 1}


# -- mistakes in files


GOOD = '''\
title = "Hill"
edition = "community"
players = [2, 2]
antenna = { x = 0, y = 0, facing = "E" }
checkpoints = [{ number = 1, x = 5, y = 1 }]

[[boards]]
drawing = """
+       +       +       +       +       +       +
  .       d       .       1       1       1
+       +       +       +       +       +       +
  .       Ba      R>0a    1       R>1     2
+       +       +       +       +       +       +
  .       d       !v      1       1       1
+       +       +       +       +       +       +
"""
'''


def test_the_good_course_is_good(check):
    assert check(GOOD.replace("!v", ". ")) == []


MISTAKES = {
    "foot": ("R>0a ", "R>1a ", "12:19: the ramp joins level 1 with 2, but at its foot, x=1, y=1, is level 0"),
    "top": ("R>1 ", "R>0 ", "12:35: the ramp joins level 0 with 1, but at its top, x=5, y=1, is level 2"),
    "foot at the side of a ramp": (
        "R>0a    1       R>1     2",
        "R>0a    Rv0     R>1     2",
        "12:35: the ramp joins level 1 with 2, but at its foot, x=3, y=1, is the closed side of a ramp",
    ),
    "edge": (
        "  .       Ba",
        "  R>0     Ba",
        "12:3: the foot of the ramp is at the edge of the board; it must join floor",
    ),
    "dead ramp": ("R>1 ", "R>1-", "12:35: the ramp is off and no button switches it; give it a button's letter"),
    "lone letter of a button": ("Ba ", "Bb ", "12:11: button b switches no ramp: none has the letter b"),
    "lone letter of a ramp": ("Ba ", ".  ", "12:19: no button switches ramp a; draw Ba somewhere"),
    "level and ramp": ("R>1 ", "1+R>1 ", "12:37: level and ramp cannot share a cell"),
    "belt and ramp": ("R>1 ", "R>1+> ", "12:39: ramp and belt cannot share a cell"),
    "two puddles": ("  .       Ba", "  ~+~     Ba", "12:3: two puddles cannot share a cell"),
    "one-way without a way in": (
        "!v",
        "!^",
        "14:19: no robot can enter the one-way cell: its S side, the only open one",
    ),
    "checkpoint on a ramp": ("x = 5, y = 1", "x = 4, y = 1", "5:16: the checkpoint at x=4, y=1 lies on a ramp"),
    "antenna on a ramp": (
        "antenna = { x = 0, y = 0",
        "antenna = { x = 4, y = 1",
        "4:11: the antenna at x=4, y=1 stands",
    ),
    "still checkpoints": (
        "title",
        "moving_checkpoints = false\ntitle",
        "1:22: moving_checkpoints: in this edition belts",
    ),
    "crusher": ("!v", "C1", "14:19: kind crusher is not in edition community"),
    "level of another edition": ('"community"', '"2016"', "10:27: kind level is not in edition 2016"),
}


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_file_line_and_column(check, old, new, message):
    assert old in GOOD
    found = check(GOOD.replace(old, new, 1))
    assert any(line.startswith(f"my.toml:{message}") for line in found), found


def test_a_button_that_nobody_gets_to_switches_nothing(check):
    """The ramp is off, and its button lies up where it would lead; a second button below brings robots up."""
    up = GOOD.replace("!v", ". ").replace("Ba      R>0a    1 ", ".       R>0-a   1+Ba ")
    assert [line.partition(": ")[2] for line in check(up)] == [
        f"checkpoint 1 cannot be reached from the start space at x=1, y={y}; no robot can finish" for y in (0, 2)
    ]
    assert check(up.replace("  .       d       .  ", "  .       d       Ba ")) == []


def test_a_button_of_a_course_needs_a_ramp():
    found = course(YARD, [(4, 1)])
    buttons = tuple(e._replace(ramps=()) if e.kind == "button" else e for e in found.elements)
    lone = check_course(type(found)(**{name: getattr(found, name) for name in found.__slots__} | {"elements": buttons}))
    assert "x=0, y=0: the button switches no ramp; give it the letter of one, as Ba for R^0a" in lone


# -- pictures


def test_levels_ledges_ramps_and_buttons_are_seen():
    text = draw(course(YARD), color=False).split("\n\n")[0]
    for glyph in ("◉a", "◉ab", "►►►►a", "◁◁◁◁b", "·¹", "┇", "!→", "≈≈", "S135", "D2", "**"):
        assert glyph in text


def test_many_registers_are_seen():
    corners = "+        " * 4 + "+"
    text = draw(course(f"{corners}\n  S12345   D1234    P>12345  P>1345\n{corners}\n"), color=False)
    for sign in ("S1-5", "D1234", "P→1-5", "→1345"):
        assert sign in text


def test_a_button_with_more_letters_than_its_cell_has_room_for_is_drawn():
    elements = [{"kind": "ramp", "x": x, "y": 0, "up": "N", "level": 0} for x in range(6)]
    elements += [{"kind": "button", "x": x, "y": 1, "ramps": [[x, 0], [5, 0]]} for x in range(5)]
    elements += [{"kind": "button", "x": 5, "y": 1, "ramps": [[x, 0] for x in range(6)]}]
    found = course_from_map({"width": 6, "height": 2, "elements": elements}, "community")
    assert "◉abc…" in draw(found, color=False)


def test_a_picture_shows_the_ramps_that_are_on_now():
    text = draw(course(YARD), color=False, ramps=[(3, 0)]).split("\n\n")[0]
    assert "▷▷▷▷a" in text
    assert "◄◄◄◄b" in text


def test_a_beam_ends_at_a_higher_floor_and_passes_over_robots_below():
    found = course("+      +      +      +      +\n  1+L>   .      1      2\n+      +      +      +      +\n")
    robots = [{"x": 1, "y": 0, "facing": "N"}]
    line = draw(found, robots=robots, color=False).split("\n")[3]
    assert line == "    L→╌╌╌┇@0↑╌╌┇╌╌╌╌╌┇"


def test_the_legend_tells_the_signs():
    legend = draw(course(YARD), color=False).rsplit("\n\n", 1)[1]
    for words in ("ledge, side of a ramp", "ramp up, on or off", "button of the ramps a", "puddle", "radiation"):
        assert words in legend
