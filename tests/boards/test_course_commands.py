"""`roborally courses`, `draw` and `check`, as a user calls them."""

import json

import pytest

from roborally_env.cli import main


@pytest.fixture
def roborally(capsys):
    """Runs the command; gives its exit code, stdout and stderr."""

    def run(*words):
        with pytest.raises(SystemExit) as ended:
            main(list(words))
        out = capsys.readouterr()
        return ended.value.code, out.out, out.err

    return run


@pytest.fixture
def bad_file(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('titel = "Bad"\nboards = [{ board = "5q" }]\n', encoding="utf-8")
    return str(path)


def test_courses_are_listed(roborally):
    code, out, err = roborally("courses")
    assert (code, err) == (0, "")
    row = next(line for line in out.split("\n") if "gear_stripper" in line)
    for word in ("Gear Stripper", "2016", "robots must die", "long", "2-6", "20 x 13", "moving checkpoints"):
        assert word in row


def test_courses_as_json(roborally):
    code, out, err = roborally("courses", "--edition", "2016", "--json")
    rows = json.loads(out)
    assert (code, err, len(rows)) == (0, "", 19)
    dizzy = next(row for row in rows if row["name"] == "dizzy_highway")
    assert dizzy == {
        "name": "dizzy_highway",
        "title": "Dizzy Highway",
        "edition": "2016",
        "difficulty": "starter",
        "length": "short",
        "players": [2, 6],
        "width": 13,
        "height": 10,
        "checkpoints": 1,
        "boards": ["start_a", "5b"],
        "special_rules": [],
    }


def test_the_courses_of_2005_are_listed_with_their_sections_counts_and_tags(roborally):
    _, out, _ = roborally("courses", "--edition", "2005")
    row = next(line for line in out.split("\n") if "toggle_boggle" in line)
    for word in ("Toggle Boggle", "2005", " team ", "medium", "4, 6, 8", "12 x 16", "two_teams, claims, sit_out"):
        assert word in row
    assert "beginner, easy" in next(line for line in out.split("\n") if "checkmate" in line)
    assert "all_for_one_or_one_for_all " in out  # names are shown whole
    assert "dizzy_highway" not in out
    rows = json.loads(roborally("courses", "--json")[1])
    assert [row["edition"] for row in rows] == ["2016"] * 19 + ["2005"] * 34 + ["community"] * 4
    boggle = next(row for row in rows if row["name"] == "toggle_boggle")
    assert (boggle["section"], boggle["player_counts"]) == ("team", [4, 6, 8])


def test_a_course_of_2005_is_drawn_with_its_special_rules(roborally):
    code, out, err = roborally("draw", "war_zone", "--no-color")
    assert (code, err) == (0, "")
    assert out.startswith("War Zone (edition 2005, team, medium, 4, 6 or 8 players, no flags)\n")
    for word in ("dock8", "r2 repair site, two tools", "belt, 1 step", "   * start_option: each player is dealt"):
        assert word in out
    assert "checkpoint" not in out
    assert "green" not in out
    assert roborally("draw", "twister", "--edition", "2005", "--no-color")[1].startswith("Twister (edition 2005, beg")


def test_a_course_is_drawn_by_name_and_by_path(roborally):
    code, out, err = roborally("draw", "2016/twister", "--no-color")
    assert (code, err) == (0, "")
    assert out.startswith("Twister (edition 2016, intermediate, medium, 2 to 6 players, 4 checkpoints)\n")
    assert "[4]" in out
    assert "\x1b" not in out
    assert "\x1b[" in roborally("draw", "twister", "--color")[1]


def test_the_courses_of_the_community_edition_are_its_own_and_those_of_2016(roborally):
    rows = json.loads(roborally("courses", "--edition", "community", "--json")[1])
    assert [row["name"] for row in rows[:4]] == ["hot_floor", "rain_yard", "summit_works", "terraces"]
    assert len(rows) == 4 + 19
    assert "moving" not in roborally("courses", "--edition", "community")[1].split("burnout")[0]


def test_a_course_of_2016_is_drawn_as_the_community_races_it(roborally):
    code, out, _ = roborally("draw", "dizzy_highway", "--edition", "community", "--no-color")
    assert code == 0
    assert out.startswith("Dizzy Highway (edition community, starter, short, 2 to 6 players, 1 checkpoint)\n")


def test_a_course_as_json(roborally):
    code, out, _ = roborally("draw", "twister", "--json")
    assert code == 0
    assert json.loads(out)["map"]["moving_checkpoints"] is True


def test_check_tells_every_mistake_and_exits_1(roborally, bad_file, tmp_path):
    good = tmp_path / "good.toml"
    good.write_text(
        'title = "Good"\nantenna = { x = 0, y = 4, facing = "E" }\ncheckpoints = [{ number = 1, x = 12, y = 3 }]\n'
        'boards = [{ board = "start_a" }, { board = "5b", x = 3 }]\n',
        encoding="utf-8",
    )
    code, out, err = roborally("check", bad_file, str(good))
    lines = out.strip().split("\n")
    assert (code, err) == (1, "")
    assert lines[0] == f"{bad_file}:1:1: unknown key 'titel' (did you mean title?)"
    for line, key in zip(lines[1:4], ("title", "antenna", "checkpoints"), strict=True):
        assert line.startswith(f"{bad_file}:1:1: missing {key}")
    assert lines[4].startswith(f"{bad_file}:2:21: unknown board '5q' (did you mean")
    assert lines[5:] == [f"{good}: ok (Good, 13 x 10, 1 checkpoint, 6 start spaces)"]
    assert roborally("check", str(good))[0] == 0


def test_check_tells_of_every_file_beside_those_that_cannot_be_read(roborally, bad_file, tmp_path):
    broken = tmp_path / "broken.toml"
    broken.write_text('title = "Broken\n', encoding="utf-8")
    gone = [str(tmp_path / name) for name in ("gone.toml", "lost.toml")]
    code, out, err = roborally("check", gone[0], str(broken), gone[1], bad_file)
    assert code == 2
    assert [line.partition(": there is no such file")[0] for line in err.splitlines()] == [
        f"roborally: {file}" for file in gone
    ]
    assert out.startswith(f"{broken}:1:16: not TOML: ")
    assert out.splitlines()[1] == f"{bad_file}:1:1: unknown key 'titel' (did you mean title?)"
    code, out, err = roborally("check", gone[0], bad_file, "--json")
    assert (code, err) == (2, "")
    assert [(report["ok"], report["problems"][0]["line"]) for report in json.loads(out)] == [(False, 0), (False, 1)]


def test_check_as_json(roborally, bad_file):
    code, out, _ = roborally("check", bad_file, "--json")
    (report,) = json.loads(out)
    assert (code, report["file"], report["ok"]) == (1, bad_file, False)
    first = report["problems"][0]
    assert (first["line"], first["column"]) == (1, 1)
    assert first["message"].startswith("unknown key 'titel'")


WRONG = {
    "edition": (("courses", "--edition", "2061"), "unknown edition '2061'"),
    "course": (("draw", "twistr"), "did you mean twister"),
    "file": (("draw", "none.toml"), "none.toml: cannot read it"),
    "checked file": (
        ("check", "none.toml"),
        "none.toml: there is no such file; check takes course files, such as my_course.toml",
    ),
    "checked name": (("check", "twister"), "it is a course of the package, and those are checked: `roborally draw twi"),
    "folder": (("check", "."), "cannot read it"),
    "no file": (("check",), "Missing argument 'FILE...'"),
    "option": (("courses", "--jsn"), "No such option"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_one_line_and_exit_code_2(roborally, words, message):
    code, out, err = roborally(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_course_file_with_mistakes_is_not_drawn(roborally, bad_file):
    code, out, err = roborally("draw", bad_file)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert ":1:1: unknown key 'titel'" in err
