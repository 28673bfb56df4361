"""Course files: own courses load, and each error message has the file, line, column and what would be right."""

import re
from pathlib import Path

import pytest

from roborally_env.base.errors import CourseError
from roborally_env.courses import KINDS, check_file, course_names, load_course, token_table
from roborally_env.courses.reader import SHIPPED
from roborally_env.courses.toml_places import TomlPlaces

README = (SHIPPED / "README.md").read_text(encoding="utf-8")

GOOD = '''\
title = "Test"
players = [2, 2]
antenna = { x = 0, y = 1, facing = "E" }
reboots = [{ x = 2, y = 1, facing = "E" }]
checkpoints = [
  { number = 1, x = 3, y = 0 },
  { number = 2, x = 3, y = 1 },
]

[[boards]]
drawing = """
+    +    +    +    +
  d    .    >>   .
+    +    +    +    +
  .    d    .    .
+    +    +    +    +
"""
'''


def test_the_good_course_is_good(check):
    assert check(GOOD) == []


# what is changed in GOOD: old, new, and how the mistake begins
MISTAKES = {
    "unknown token": (">>   .", "Q    .", "13:13: unknown token 'Q'"),
    "ragged grid": ("  d    .    >>   .", "  d    .    >>", "13:15: ragged grid: this row has 3 cells"),
    "belt turning on itself": (">>   .", "E>   .", "13:13: belt turns on itself: it moves E and is fed from E"),
    "two belts in a cell": ("d    .    >>   .", "d    .    >+v  .", "13:13: two belts cannot share a cell"),
    "belt on a pit": ("d    .    >>   .", "d    .    >+O  .", "13:13: pit and belt cannot share a cell"),
    "kind of another edition": (">>   .", "r1   .", "13:13: kind repair is not in edition 2016"),
    "two-ended laser alone": (">>   .", "T>   .", "13:13: a two-ended laser needs its other end"),
    "start space numbers": ("  d    .    >>   .", "  d1   d1   >>   .", "13:8: start space 1 is there twice"),
    "checkpoint on a pit": (">>   .", ">>   O", "6:3: checkpoint 1 at x=3, y=0 lies on a pit"),
    "checkpoint off the board": ("x = 3, y = 0", "x = 4, y = 0", "6:3: checkpoint 1 at x=4, y=0 is off the"),
    "checkpoint under the antenna": ("x = 3, y = 0", "x = 0, y = 1", "6:3: checkpoint 1 at x=0, y=1 lies under"),
    "two checkpoints on a cell": ("x = 3, y = 1 }", "x = 3, y = 0 }", "7:3: checkpoint 2 at x=3, y=0: another"),
    "checkpoint without number": ("number = 2, ", "", "7:3: missing number; checkpoints are numbered"),
    "checkpoint numbers with a gap": ("number = 2", "number = 3", "5:15: checkpoint 2 is missing"),
    "checkpoint numbers twice": ("number = 2", "number = 1", "7:3: checkpoint 1 is there twice"),
    "checkpoint number too large": ("number = 2", "number = 9", "7:14: number: expected a whole number from 1"),
    "no checkpoint": (re.search(r"checkpoints = .*?\n\]", GOOD, re.S)[0], "", "1:1: missing checkpoints"),
    "no antenna": ('antenna = { x = 0, y = 1, facing = "E" }', "", "1:1: missing antenna; edition 2016 needs one"),
    "antenna on a start space": ("antenna = { x = 0, y = 1", "antenna = { x = 0, y = 0", "3:11: the antenna at"),
    "antenna on a belt": ("antenna = { x = 0, y = 1", "antenna = { x = 2, y = 0", "3:11: the antenna at"),
    "antenna off the board": ("antenna = { x = 0", "antenna = { x = 9", "3:11: the antenna at x=9, y=1 is off"),
    "antenna without facing": (', facing = "E" }\nreboots', " }\nreboots", "3:1: missing facing; the dish points"),
    "token on a pit": (
        'd    .    .\n+    +    +    +    +\n"',
        'd    O    .\n+    +    +    +    +\n"',
        "4:12: the reboot token at x=2, y=1 lies on a pit",
    ),
    "token off the board": ("reboots = [{ x = 2", "reboots = [{ x = 7", "4:12: the reboot token at x=7, y=1 is off"),
    "token facing nowhere": (
        '[{ x = 2, y = 1, facing = "E"',
        '[{ x = 2, y = 1, facing = "X"',
        "4:37: facing: expected one of N, E, S, W, got 'X'",
    ),
    "no start spaces": (
        "  d    .    >>   .\n+    +    +    +    +\n  .    d",
        "  .    .    >>   .\n+    +    +    +    +\n  .    .",
        "10:1: no start spaces; mark 2 cells with d",
    ),
    "too few start spaces": ("[2, 2]", "[2, 6]", "10:1: 2 start spaces (d) for up to 6 players"),
    "players outside": ("[2, 2]", "[2, 7]", "2:11: players: expected [fewest, most] within [2, 6], got [2, 7]"),
    "board outside": ("[[boards]]", "[[boards]]\nx = -1", "11:5: board board_0 lies outside: x must be 0 or more"),
    "bad rotation": ("[[boards]]", "[[boards]]\nrotation = 45", "11:12: rotation: expected 0, 90, 180 or 270"),
    "board and drawing": ("[[boards]]", '[[boards]]\nboard = "5b"', "10:1: give either board"),
    "unknown key": ("title", "titel", "1:1: unknown key 'titel' (did you mean title?)"),
    "unknown key of a board": ("[[boards]]", "[[boards]]\nrotatoin = 0", "11:1: unknown key 'rotatoin'"),
    "unknown key of a checkpoint": ("number = 2,", "nubmer = 2,", "7:5: unknown key 'nubmer' (did you mean number?)"),
    "unknown edition": (
        "players",
        'edition = "2106"\nplayers',
        "2:11: edition: unknown edition '2106' (did you mean 2016",
    ),
    "not TOML": ("players = [2, 2]", "players = [2, 2", "3:1: not TOML: "),
    "not TOML in a drawing": ('"""\n+', '"\n+', "11:12: not TOML: "),
    "wrong type": ('title = "Test"', "title = 3", "1:9: title: expected a text, got 3"),
    "wrong type of list": (
        'reboots = [{ x = 2, y = 1, facing = "E" }]',
        "reboots = 3",
        "4:11: reboots: expected a list of tables",
    ),
    "cube off the board": (
        "players",
        "energy = [{ x = 8, y = 0 }]\nplayers",
        "2:11: the energy cube at x=8, y=0 is off",
    ),
    "too wide": ("[[boards]]", "[[boards]]\nx = 29", "10:1: the course becomes too large"),
}


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_file_line_and_column(check, old, new, message):
    assert old in GOOD
    found = check(GOOD.replace(old, new, 1))
    assert any(line.startswith(f"my.toml:{message}") for line in found), found


def test_mistakes_of_every_sort_are_told_in_one_run(check):
    text = (
        GOOD.replace("number = 2", "number = 1")
        .replace("d    .    >>   .", "d    Q    P<29 .")
        .replace("  .    d    .    .", "  .    S0   .\n  d1   .    d1   O")
    )
    starts = [
        "my.toml:7:3: checkpoint 1 is there twice",
        "my.toml:13:8: unknown token 'Q'; tokens are like",
        "my.toml:13:13: unknown token 'P<29'; P>135: push panel",
        "my.toml:13:16: ragged grid: below a corner stands",
        "my.toml:15:8: unknown token 'S0'; S24: stomper",
        "my.toml:15:14: ragged grid: this row has 3 cells",
        "my.toml:16:1: ragged grid: expected a line of corners here",
        "my.toml:16:13: start space 1 is there twice",
    ]
    found = check(text)
    for start in starts:
        assert [line for line in found if line.startswith(start)], start
    assert len(found) == len(starts)
    (panel,) = [line for line in found if "P<29" in line]
    assert panel.endswith("registers go from 1 to 5, each at most once, in ascending order")


def test_boards_that_cannot_be_placed_hide_no_other_mistake(check):
    head = GOOD.split("[[boards]]")[0].replace("number = 2", "number = 1")
    for boards in ('boards = [{ board = "strat_a" }]', "boards = 3", 'boards = [{ drawing = "nothing" }]', ""):
        found = check(f"{head}{boards}\n")
        assert "my.toml:7:3: checkpoint 1 is there twice; each number once" in found
        assert len(found) == 2
    found = check(GOOD.replace("number = 2", "number = 1").replace("antenna =", 'edition = "2106" #'))
    assert len(found) == 2
    assert found[0].startswith("my.toml:3:11: edition: unknown edition '2106'")
    assert found[1].startswith("my.toml:7:3: checkpoint 1 is there twice")


def test_a_missing_element_is_not_blamed_for_another_mistake(check):
    """Nothing is said about start spaces and the ends of lasers that may stand where the mistake is."""
    text = GOOD.replace("  d    .    >>   .", "  dd   .    T>   Q")
    assert [line.partition(": ")[2][:20] for line in check(text)] == ["unknown token 'dd' (", "unknown token 'Q'; t"]


def test_a_walled_off_checkpoint_is_refused(check):
    walled = GOOD.replace("+    +    +    +    +\n  .    d    .    .", "+    +    +    +----+\n  .    d    .  | .")
    found = check(walled)
    assert found == ["my.toml:7:3: checkpoint 2 cannot be reached from checkpoint 1; no robot can finish"]


def test_a_checkpoint_that_one_start_space_cannot_reach_is_refused(check):
    closed = GOOD.replace("+    +    +    +    +\n  d    .", "+----+    +    +    +\n| d  | .", 1)
    found = check(closed)
    assert found == [
        "my.toml:6:3: checkpoint 1 cannot be reached from the start space at x=0, y=0; no robot can finish"
    ]


def test_a_cube_on_a_pit_is_told_once(check):
    text = GOOD.replace("d    .    >>", "d    O    >>").replace("players", "energy = [{ x = 1, y = 0 }]\nplayers")
    found = check(text)
    assert found == [
        "my.toml:2:11: the energy cube at x=1, y=0 lies on a pit; move it to a cell where a robot can stand"
    ]


def test_boards_that_overlap_are_reported(check):
    text = GOOD.split("[[boards]]")[0].replace("x = 3, y", "x = 5, y") + (
        'boards = [\n  { board = "start_a", x = 0 },\n  { board = "5b", x = 2, y = 5 },\n]\n'
    )
    found = check(text)
    assert found[0].startswith("my.toml:12:3: board 5b overlaps board start_a at columns 0 to 2, rows 0 to 9")


def test_an_unknown_board_is_told_with_the_nearest_names(check):
    text = GOOD.split("[[boards]]")[0] + 'boards = [{ board = "strat_a" }]\n'
    assert check(text)[0].startswith("my.toml:10:21: unknown board 'strat_a' (did you mean start_a")


def test_a_mistake_in_a_board_file_is_told_there(check, tmp_path):
    (tmp_path / "yard.txt").write_text("# mine\n+    +    +\n  d    Z\n+    +    +\n", encoding="utf-8")
    text = GOOD.split("[[boards]]")[0] + 'boards = [{ board = "yard" }]\n'
    assert check(text)[0].startswith("yard.txt:3:8: unknown token 'Z'; tokens are like . ")


def test_all_mistakes_are_reported(check):
    text = GOOD.replace("title", "titel").replace("[2, 2]", "[3, 2]").replace(">>   .", "??   !!")
    places = [line.split(" ")[0] for line in check(text)]
    assert places == ["my.toml:1:1:", "my.toml:1:1:", "my.toml:2:11:", "my.toml:13:13:", "my.toml:13:18:"]


def test_load_course_tells_the_first_mistake_and_counts_the_rest(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text(GOOD.replace("title", "titel"), encoding="utf-8")
    with pytest.raises(CourseError, match=r"my\.toml:1:1.*'titel'.*1"):
        load_course(path)


def test_a_board_beside_the_course_goes_before_a_shipped_one(tmp_path):
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "5b.txt").write_text(GOOD.split('"""')[1], encoding="utf-8")
    path = tmp_path / "my.toml"
    path.write_text(GOOD.split("[[boards]]")[0] + 'boards = [{ board = "5b" }]\n', encoding="utf-8")
    assert load_course(str(path)).width == 4


def test_boards_are_turned_and_placed(tmp_path):
    path = tmp_path / "my.toml"
    text = GOOD.replace("[[boards]]", "[[boards]]\nrotation = 90\nx = 1").replace("x = 0, y = 1", "x = 2, y = 0")
    text = text.replace("x = 2, y = 1", "x = 1, y = 1").replace("x = 3, y = 0", "x = 1, y = 3")
    text = text.replace("x = 3, y = 1", "x = 2, y = 3").replace("antenna = { x = 2, y = 0", "antenna = { x = 1, y = 0")
    path.write_text(text, encoding="utf-8")
    course = load_course(path)
    assert (course.width, course.height) == (3, 4)
    assert course.docks == ((0, 2, 0), (0, 1, 1))
    assert course.board_at == ((-1, 0, 0),) * 4
    belt = next(e for e in course.elements if e.kind == "belt")
    assert (belt.x, belt.y, belt.out, belt.feeds) == (2, 2, 2, (0,))


def test_cubes_lie_on_every_energy_space_unless_they_are_listed(tmp_path):
    path = tmp_path / "my.toml"
    text = GOOD.replace("d    .    >>", "d    e    >>")
    path.write_text(text, encoding="utf-8")
    assert load_course(path).energy == ((1, 0),)
    path.write_text(text.replace("players", "energy = []\nplayers"), encoding="utf-8")
    assert load_course(path).energy == ()
    path.write_text(text.replace("players", "energy = [{ x = 3, y = 0 }]\nplayers"), encoding="utf-8")
    course = load_course(path)
    assert course.energy == ((3, 0),)
    assert {(e.x, e.y) for e in course.elements if e.kind == "energy"} == {(1, 0), (3, 0)}


@pytest.mark.parametrize("name", ["dizzy_highway", "2016/dizzy_highway", "Dizzy Highway", "DIZZY_HIGHWAY"])
def test_a_shipped_course_has_several_names(name):
    assert load_course(name) is load_course("dizzy_highway", edition="2016")


@pytest.mark.parametrize("name", ["twister", "pilgrimage", "death_trap", "lost_bearings", "chop_shop_challenge"])
def test_a_name_of_two_editions_is_told_apart_by_the_edition(name):
    both = {edition: load_course(name, edition=edition) for edition in ("2016", "2005")}
    assert [course.edition for course in both.values()] == ["2016", "2005"]
    assert load_course(name) is both["2016"]
    for edition, course in both.items():
        assert load_course(f"{edition}/{name}") is course
        assert load_course(f"{edition}/{name}", edition=edition) is course
        assert load_course(course.title, edition=edition) is course


def test_a_name_of_one_edition_needs_none():
    assert load_course("checkmate") is load_course("2005/checkmate")
    assert load_course("All for One or One for All?").slug == "all_for_one_or_one_for_all"
    assert len(set(course_names("2016")) & set(course_names("2005"))) == 5
    assert course_names()[: 19 + 34] == course_names("2016") + course_names("2005")
    assert course_names(2005) == course_names("2005")  # as parallel_env takes it


NAMES = {
    "near": ("dizy_highway", None, "'dizy_highway'.*dizzy_highway"),
    "a word": ("highwy", None, "dizzy_highway"),
    "far": ("zzz", None, "'zzz'"),
    "edition": (
        "twister",
        "2015",
        "'2015'.*2016, 2005, 2023.*2016.*2005",
    ),
    "another edition": ("dizzy_highway", "2005", "dizzy_highway.*edition 2016.*2005"),
    "two editions": ("2016/twister", "2005", "2016/twister.*'2005'"),
    "near in two editions": ("twistr", None, "twister"),
    "not the community's": ("checkmate", "community", "checkmate.*edition 2005"),
    "the community's own": ("rain_yard", "2016", "rain_yard.*2016"),
    "no lender": ("2023/twister", "2016", "2023/twister.*'2016'"),
    "not borrowed": ("checkmate", "2023", "checkmate.*edition 2005.*2023"),
    "edition in the name": ("1999/twister", None, "'1999'"),
    "no file": ("no/such.toml", None, r"no/such\.toml"),
    "not a name": (3, None, ""),
}


@pytest.mark.parametrize(("name", "edition", "message"), NAMES.values(), ids=NAMES)
def test_a_wrong_name_is_refused(name, edition, message):
    with pytest.raises(CourseError, match=message):
        load_course(name, edition=edition)


PARTS = {
    "title": '"T"',
    "edition": '"2016"',
    "difficulty": '"x"',
    "length": '"x"',
    "section": '"x"',
    "players": "[2, 6]",
    "player_counts": "[2, 6]",
    "start_facing": '"E"',
    "moving_checkpoints": "true",
    "special_rules": '["x"]',
    "boards": '[{ board = "start_a", x = 0, y = 0, rotation = 0 }, { board = "5b", x = 3 }]',
    "antenna": '{ x = 0, y = 4, facing = "E" }',
    "reboots": '[{ x = 7, y = 3, facing = "S" }]',
    "checkpoints": "[{ number = 1, x = 12, y = 3 }]",
    "energy": "[{ x = 12, y = 0 }]",
}
ODD = (
    "3",
    "-1",
    "1.5",
    "true",
    '"?"',
    '""',
    "[]",
    "{}",
    "[3]",
    "[[]]",
    "[{}]",
    "[{ x = [] }]",
    "{ x = {} }",
    "1979-05-27",
)


@pytest.mark.parametrize("key", PARTS)
def test_no_value_of_the_wrong_type_breaks_the_check(check, key):
    assert check("\n".join(f"{name} = {value}" for name, value in PARTS.items())) == []
    for odd in ODD:
        assert all(re.match(r"my\.toml:\d+:\d+: .", line) for line in check(_with(key, odd)))
    for inner in re.findall(r"(\w+) = ", PARTS[key]):
        for odd in ODD:
            value = re.sub(rf'\b{inner} = (".*?"|\w+)', f"{inner} = {odd}", PARTS[key])
            found = check(_with(key, value))
            assert all(re.match(r"my\.toml:\d+:\d+: .", line) for line in found)


def _with(key, value):
    return "\n".join(f"{name} = {value if name == key else usual}" for name, usual in PARTS.items())


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "my.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CourseError, match="UTF-8"):
        check_file(path)


def readme_example():
    return re.search(r"```toml\n(.*?)```", README, re.S)[1]


def test_the_community_course_of_the_readme_loads(check, tmp_path):
    examples = re.findall(r"```toml\n(.*?)```", README, re.S)
    text = next(text for text in examples if '"community"' in text)
    assert check(text) == []
    course = load_course(Path(tmp_path) / "my.toml")
    assert (course.title, course.moving_checkpoints) == ("Lookout", True)


def test_the_course_of_the_readme_loads(check, tmp_path):
    assert check(readme_example()) == []
    course = load_course(Path(tmp_path) / "my.toml")
    assert (course.title, course.width, course.height, len(course.docks)) == ("Back Yard", 8, 5, 4)


def test_the_table_of_the_readme_is_the_table_of_tokens():
    assert token_table() in README


def test_the_readme_names_the_keys_of_every_element_of_a_map():
    section = README.split("## Elements in a scenario's map")[1]
    rows = [line.split("|") for line in section.split("\n") if line.startswith("| `")]
    named = {kind: set(re.findall(r"`(\w+)`", row[2])) for row in rows for kind in re.findall(r"`(\w+)`", row[1])}
    assert named == {name: {key.key for key in kind.keys} for name, kind in KINDS.items()}


def test_places_of_keys_and_values():
    text = """\
# a comment with [brackets] and "quotes"
a.b = 'x' # end
list = [ 1, # one
  [2, "]"], { c = '''
}''', "d e" = 3 } ]
[[t]]
k = 1979-05-27
[[t]]
k = 2
[t.sub]
k = \"\"\"
two\"\"\"
"""
    places = TomlPlaces(text)
    assert places.value(("a", "b")) == (2, 7)
    assert places.value(("list", 0)) == (3, 10)
    assert places.value(("list", 1, 1)) == (4, 7)
    assert places.key(("list", 2, "d e")) == (5, 7)
    assert places.value(("t", 0, "k")) == (7, 5)
    assert places.value(("t", 1, "k")) == (9, 5)
    assert places.value(("t", 1, "sub", "k")) == (11, 5)
    assert places.string_start(("t", 1, "sub", "k")) == 12
    assert places.key(("t", 1, "missing")) == (8, 1)
