"""Special rules: the tags in files and maps, what they ask of a course, and what the core's tables say of them."""

import re

import numpy as np
import pytest

from roborally_env.base.errors import ScenarioError
from roborally_env.courses import (
    SPECIAL_BITS,
    SPECIAL_RULES,
    course_as_dict,
    course_from_map,
    list_courses,
    load_course,
    special_table,
)
from roborally_env.courses.reader import SHIPPED
from roborally_env.courses.tables import WIDTH, tables_of

README = (SHIPPED / "README.md").read_text(encoding="utf-8")

GOOD = '''\
title = "Test"
edition = "2005"
players = [2, 2]
special_rules = []
checkpoints = [
  { number = 1, x = 3, y = 0 },
]
[[boards]]
drawing = """
+    +    +    +    +
  d2   .    >>   .
+    +    +    +    +
  .    d1   .    r2
+    +    +    +    +
"""
'''
TEAMS = GOOD.replace("[2, 2]", "[2, 2]\nplayer_counts = [2]")


def with_rules(text, *tags):
    return text.replace("special_rules = []", f"special_rules = {list(tags)}".replace("'", '"'))


def test_the_good_course_is_good(read):
    course, problems = read(GOOD)
    assert problems == []
    assert course.docks == ((1, 1, 1), (2, 0, 0))
    assert (course.special_rules, course.robots_each, course.counts) == ((), 1, (2,))


def test_the_bits_are_those_of_the_order():
    assert list(SPECIAL_BITS.values()) == [1 << i for i in range(len(SPECIAL_RULES))]
    assert len(SPECIAL_RULES) == 18
    used = {tag for course in list_courses("2005") for tag in course.special_rules}
    assert used == set(SPECIAL_RULES)


def test_the_table_of_the_readme_is_the_table_of_tags():
    assert special_table() in README


def test_the_2005_course_of_the_readme_loads(read):
    _, text, *_ = re.findall(r"```toml\n(.*?)```", README, re.S)
    course, problems = read(text)
    assert problems == []
    assert (course.players, course.special_rules) == ((2, 8), ("start_option", "no_power_down"))


def test_moving_flags_are_moving_checkpoints_by_either_name(read):
    by_tag, _ = read(with_rules(GOOD, "moving_flags"))
    by_key, _ = read(GOOD.replace("special_rules = []", "moving_checkpoints = true"))
    assert by_tag == by_key
    assert by_tag.moving_checkpoints
    assert by_tag.special_rules == ("moving_flags",)


def test_player_counts_give_the_players_that_are_left_out(read):
    course, _ = read(GOOD.replace("players = [2, 2]", "player_counts = [2]"))
    assert (course.players, course.player_counts, course.counts) == ((2, 2), (2,), (2,))
    assert load_course("tandem_carnage").counts == (4, 6, 8)
    assert load_course("against_the_grain").counts == (2, 3, 4)


def test_a_racer_and_a_blocker_each_have_a_start_space(read):
    course, problems = read(with_rules(GOOD, "racers_and_blockers"))
    message = "2 start spaces (d) for up to 2 players with 2 robots each; add more, or lower players"
    assert (course, problems) == (None, [f"my.toml:8:1: {message}"])
    assert load_course("interference").robots_each == 2


# the course, what is changed in it: old, new, and how the mistake begins
MISTAKES = {
    "unknown tag": (GOOD, "rules = []", 'rules = ["claims", "moving_flag"]', "4:28: special_rules: unknown special"),
    "nearest tag": (GOOD, "rules = []", 'rules = ["moving_flag"]', "4:18: .*'moving_flag' \\(did you mean moving_fl"),
    "tag twice": (GOOD, "rules = []", 'rules = ["sit_out", "sit_out"]', "4:29: .*'sit_out' occurs twice"),
    "no list": (GOOD, "rules = []", 'rules = "sit_out"', "4:17: special_rules: expected a list of special rules"),
    "no tag": (GOOD, "rules = []", "rules = [3]", "4:18: special_rules: unknown special rule 3; known: moving_flags"),
    "tag of another edition": (
        GOOD.replace("2005", "2016"),
        "rules = []",
        'rules = ["sit_out"]',
        "4:18: special_rules: special rule 'sit_out' is not in edition 2016",
    ),
    "two times": (
        GOOD,
        "rules = []",
        'rules = ["program_time_30", "program_time_60"]',
        "4:17: special rules program_time_30 and program_time_60 exclude each other",
    ),
    "claims alone": (GOOD, "rules = []", 'rules = ["claims"]', "4:17: special rule claims needs two_teams beside it"),
    "odd teams": (
        GOOD.replace("[2, 2]", "[2, 3]"),
        "rules = []",
        'rules = ["two_teams"]',
        "1:1: two_teams needs even numbers of players; write player_counts = \\[2\\]",
    ),
    "counts": (
        TEAMS,
        "counts = [2]",
        "counts = [2, 9]",
        "4:17: player_counts: expected ascending numbers of .* 2 to 8",
    ),
    "counts and players": (TEAMS, "[2, 2]", "[2, 3]", "4:17: player_counts: it goes from 2 to 2, and players is \\[2"),
    "no checkpoints": (GOOD, "  { number = 1, x = 3, y = 0 },\n", "", "5:15: missing checkpoints"),
    "antenna": (GOOD, "players", 'antenna = { x = 2, y = 1, facing = "E" }\nplayers', "3:11: edition 2005 has no ant"),
    "token": (GOOD, "players", 'reboots = [{ x = 2, y = 1, facing = "E" }]\nplayers', "3:11: edition 2005 has no reb"),
    "cube": (GOOD, "players", "energy = [{ x = 2, y = 1 }]\nplayers", "3:10: edition 2005 has no energy cubes; take"),
    "energy space": (GOOD, "r2", "e ", "13:18: kind energy is not in edition 2005"),
    "crusher": (GOOD, "r2", "C2", "13:18: kind crusher is not in edition 2005"),
    "flag in a pit": (GOOD, ">>   .", ">>   O", "6:3: checkpoint 1 at x=3, y=0 lies on a pit"),
    "capture on one board": (
        TEAMS,
        "rules = []",
        'rules = ["two_teams", "capture_the_flag"]',
        "9:1: capture_the_flag needs two boards, a home for each team; got 1",
    ),
    "turning a long board": (
        GOOD,
        "rules = []",
        'rules = ["turning_boards"]',
        "6:3: checkpoint 1 lies on board board_0, which is 4 x 2; only square boards can turn",
    ),
    "players": (GOOD, "[2, 2]", "[2, 9]", "3:11: players: expected \\[fewest, most\\] within \\[2, 8\\]"),
    "start spaces": (GOOD, "[2, 2]", "[2, 8]", "8:1: 2 start spaces \\(d\\) for up to 8 players"),
}


@pytest.mark.parametrize(("text", "old", "new", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_once_with_file_line_and_column(read, text, old, new, message):
    assert old in text
    course, problems = read(text.replace(old, new, 1))
    assert course is None
    assert len([line for line in problems if re.match(rf"my\.toml:{message}", line)]) == 1, problems


def test_a_course_for_the_last_team_needs_no_checkpoints(read):
    text = with_rules(TEAMS, "two_teams", "last_team_standing").replace("  { number = 1, x = 3, y = 0 },\n", "")
    course, problems = read(text)
    assert problems == []
    assert course.checkpoints == ()


CAPTURE = """\
title = "Two Homes"
edition = "2005"
players = [2, 2]
player_counts = [2]
special_rules = ["two_teams", "capture_the_flag"]
boards = [
  { board = "vault" },
  { board = "chess", y = 12 },
]
checkpoints = [
  { number = 1, x = 3, y = 0 },
  { number = 2, x = 3, y = 23 },
]
"""


def test_capture_the_flag_needs_a_flag_on_each_board_and_no_start_spaces(read):
    course, problems = read(CAPTURE)
    assert problems == []
    assert course.docks == ()
    assert read(CAPTURE.replace("y = 23", "y = 1"))[1] == [
        "my.toml:10:15: capture_the_flag needs two checkpoints, one on each board"
    ]


def yards(course):
    """[y, x] of the course's yards."""
    table = tables_of(course)[0]["yard"].reshape(-1, WIDTH)
    return table[: course.height, : course.width]


def test_the_yards_are_the_six_rows_farthest_from_the_other_board(read):
    found = yards(read(CAPTURE)[0])
    pits = np.zeros((24, 12), bool)
    for e in read(CAPTURE)[0].elements:
        pits[e.y, e.x] |= e.kind == "pit"
    expected = np.full((24, 12), -1)
    expected[:6], expected[18:] = 0, 1
    expected[pits] = -1
    assert (found == expected).all()


def test_the_yards_of_capture_the_flag_lie_left_and_right():
    course = load_course("capture_the_flag")
    found = yards(course)
    pits = {(e.x, e.y) for e in course.elements if e.kind == "pit"}
    for y in range(12):
        for x in range(24):
            assert found[y, x] == (-1 if (x, y) in pits else 0 if x < 6 else 1 if x >= 18 else -1), (x, y)


def test_no_other_course_has_yards():
    for course in list_courses():
        has = (tables_of(course)[0]["yard"] >= 0).any()
        assert has == (course.slug == "capture_the_flag")


@pytest.mark.parametrize("course", list_courses(), ids=lambda course: f"{course.edition}/{course.slug}")
def test_the_tables_say_repair_sites_boards_and_special_rules(course):
    table = tables_of(course)[0]
    levels = {e.y * WIDTH + e.x: e.level for e in course.elements if e.kind == "repair"}
    assert {int(cell): int(table["repair"][cell]) for cell in np.flatnonzero(table["repair"])} == levels
    boards = table["board"].reshape(-1, WIDTH)
    assert boards[: course.height, : course.width].tolist() == [list(row) for row in course.board_at]
    assert (boards >= 0).sum() == table["on_board"].sum()
    tags = [tag for tag, bit in SPECIAL_BITS.items() if int(table["special"]) & bit]
    assert sorted(tags) == sorted(course.special_rules if course.edition == "2005" else [])


@pytest.mark.parametrize("course", list_courses(), ids=lambda course: f"{course.edition}/{course.slug}")
def test_any_belt_carries_where_its_own_speed_does(course):
    table = tables_of(course)[0]
    own = np.where(table["belt"] == 2, table["belt_to"][2], table["belt_to"][1])
    assert (table["belt_to"][0] == own).all()


MAP = {
    "width": 4,
    "height": 2,
    "elements": [
        {"kind": "repair", "x": 0, "y": 0, "level": 2},
        {"kind": "dock", "x": 1, "y": 1, "number": 2},
        {"kind": "dock", "x": 2, "y": 1, "number": 1},
    ],
    "checkpoints": [{"number": 1, "x": 3, "y": 0}],
    "special_rules": ["double_lasers", "moving_flags"],
    "start_facing": "N",
}


def test_a_map_may_have_special_rules():
    course = course_from_map(MAP, edition="2005")
    assert course.special_rules == ("double_lasers", "moving_flags")
    assert course.moving_checkpoints
    assert course.docks == ((1, 2, 1), (2, 1, 1))
    assert course.players == (2, 8)
    moving = course_from_map({"width": 1, "height": 1, "moving_checkpoints": True}, edition="2005")
    assert moving.special_rules == ("moving_flags",)


@pytest.mark.parametrize("course", list_courses("2005"), ids=lambda course: course.slug)
def test_the_map_of_a_course_reads_back(course):
    again = course_from_map(course_as_dict(course)["map"], edition="2005")
    assert set(again.elements) == set(course.elements)
    for name in ("width", "height", "docks", "checkpoints", "start_facing", "special_rules", "moving_checkpoints"):
        assert getattr(again, name) == getattr(course, name)


# what is added to MAP, the edition, the message
REFUSED = {
    "antenna": ({"antenna": {"x": 0, "y": 0, "facing": "E"}}, r"map\.antenna: edition 2005"),
    "tokens": ({"reboots": [{"x": 0, "y": 0, "facing": "E"}]}, r"map\.reboots: edition 2005"),
    "cubes": ({"energy": [{"x": 0, "y": 0}]}, r"map\.energy: edition 2005"),
    "kind": ({"elements": [{"kind": "energy", "x": 0, "y": 0}]}, r"map\.elements\[0\]\.kind"),
    "tag": ({"special_rules": ["sit_up"]}, r"map\.special_rules\[0\].*'sit_up'.*sit_out"),
    "fact sheet": (
        {"special_rules": ["start-damage-2: words"]},
        r"map\.special_rules\[0\].*'start-damage-2: words'",
    ),
    "no list": ({"special_rules": "sit_out"}, r"map\.special_rules.*'sit_out'"),
    "level": (
        {"elements": [{"kind": "repair", "x": 0, "y": 0, "level": 3}]},
        r"map\.elements\[0\]\.level",
    ),
}


@pytest.mark.parametrize(("more", "message"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_map_is_refused_by_its_key(more, message):
    with pytest.raises(ScenarioError, match=message):
        course_from_map({**MAP, **more}, edition="2005")


def test_the_maps_of_2016_have_no_special_rules():
    with pytest.raises(ScenarioError, match=r"map\.special_rules\[0\]: edition 2016"):
        course_from_map({"width": 1, "height": 1, "special_rules": ["sit_out"]})
    assert course_from_map({"width": 1, "height": 1, "special_rules": []}).special_rules == ()


@pytest.mark.parametrize(
    "odd", ["3", "true", '""', "[]", "{}", "[3]", "[[]]", "[{}]", "[true, 2]", "1979-05-27", "[-1]"]
)
def test_no_value_of_the_wrong_type_breaks_the_check(read, odd):
    for key in ("special_rules", "player_counts", "section", "players", "moving_checkpoints", "edition"):
        lines = [line for line in GOOD.split("\n") if not line.startswith(f"{key} = ")]
        course, problems = read("\n".join([f"{key} = {odd}", *lines]))
        assert (course is None) == bool(problems)
        assert all(re.match(r"my\.toml:\d+:\d+: .", line) for line in problems)
