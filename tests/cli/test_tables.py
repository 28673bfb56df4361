"""Tables fit the terminal: names and main figures are whole at every width, and nothing is cut."""

import json
import re
from pathlib import Path

import click
import pytest

from roborally_env.cli import grades
from roborally_env.cli.benchmark import _print_report as print_card
from roborally_env.cli.tables import Column, print_table
from roborally_env.courses import course_names, load_course
from roborally_env.evaluation.benchmark import percent
from roborally_env.evaluation.grades import Grade
from roborally_env.evaluation.tournament import evaluate
from roborally_env.replay import save
from roborally_env.speed import Report, Row

WIDTHS = (60, 80, 120, None)  # None: no terminal
RACES = ("--games", 4, "--seed", 3, "--max-rounds", 10, "--workers", 1, "--lighter")
LONG = "planner:simulations=20,candidates=4"


@pytest.fixture(params=WIDTHS, ids=lambda width: f"{width or 'no'} columns")
def width(request, monkeypatch):
    """The width of the terminal that the command believes in."""
    if request.param is None:
        monkeypatch.delenv("COLUMNS", raising=False)
    else:
        monkeypatch.setenv("COLUMNS", str(request.param))
    return request.param


def cells(out):
    """The cells of the rows of all tables, the lines of a row together."""
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in out.splitlines() if line.startswith("│")]


def check_fits(out, width):
    assert "…" not in out
    assert width is None or max(map(len, out.splitlines())) <= width


def test_evaluate(width, roborally):
    words = ("evaluate", "--agents", LONG, "random", *RACES)
    code, out, _ = roborally(*words)
    check_fits(out, width)
    found = json.loads(roborally(*words, "--json")[1])
    assert code == 0
    text = "".join(row[0] for row in cells(out))  # a name may be broken
    heads = re.sub(r"\s+", " ", out.split("┡")[0])
    assert "won" in heads
    for row in found["table"]:
        assert row["agent"] in text
        assert f"{row['win_rate']:.1%}" in [cell for line in cells(out) for cell in line]
    left_out = out.partition("Columns not shown: ")[2]
    assert bool(left_out) == (width is not None)
    assert all(word in heads + left_out for word in ("races", "rating", "reboots", "damage", "(median)"))


def test_crossplay(width, roborally):
    code, out, _ = roborally("crossplay", "greedy", "random", *RACES)
    assert code == 0
    check_fits(out, width)
    text = "".join("".join(row) for row in cells(out))
    assert "greedy" in text
    assert "random" in text


def test_evaluate_tells_purchases(width, roborally):
    words = ("evaluate", "--agents", "greedy", "random", "--cards", *RACES[:-1])
    _, out, _ = roborally(*words)
    found = [row for row in json.loads(roborally(*words, "--json")[1])["upgrades"] if row["win_rate"] is not None]
    check_fits(out, width)
    bought = {row[0]: row for row in cells(out.partition("Upgrades: ")[2])}
    assert set(bought) == {row["upgrade"] for row in found}
    for row in found:
        assert {str(row["bought"]), f"{row['win_rate']:.1%}"} <= set(bought[row["upgrade"]])


@pytest.mark.parametrize("edition", ["2016", "2005", "community"])
def test_courses(edition, width, roborally):
    code, out, _ = roborally("courses", "--edition", edition)
    check_fits(out, width)
    assert code == 0
    names = [row[0] for row in cells(out) if row[0]]
    assert names == course_names(edition)
    if width is None:
        assert [row[1] for row in cells(out)] == [
            course["title"] for course in json.loads(roborally("courses", "--edition", edition, "--json")[1])
        ]


def test_courses_tiles(width, roborally):
    _, out, _ = roborally("courses", "--tiles")
    check_fits(out, width)
    kinds = {kind["kind"]: kind for kind in json.loads(roborally("courses", "--tiles", "--json")[1])}
    assert [row[0] for row in cells(out) if row[0]] == list(kinds)
    words = re.sub(r"\s+", "", "".join(row[2] for row in cells(out)))
    assert words == re.sub(r"[\s`]+", "", "".join(kind["meaning"] for kind in kinds.values()))


@pytest.mark.parametrize("words", [("--edition", "2005"), ("--edition", "2016"), ("rail", "gun")])
def test_cards(words, width, roborally):
    code, out, _ = roborally("cards", *words)
    found = json.loads(roborally("cards", *words, "--json")[1])
    check_fits(out, width)
    assert code == 0
    assert [title for title in (card["title"] for card in found) if title not in out] == []


def test_bench(width, roborally, monkeypatch):
    rows = [
        Row("step", "rounds/s", 4096, 2, "symbolic", True, True, "complete", "dizzy_highway", 4, "program", False,
            runs=[1.0], median=12_345_678.0, low=12_000_000.0, high=13_000_000.0, decisions_per_second=49_382_712.0,
            ratio=1.234e-3),
        Row("community rules, a race", "races/s", 64, 1, rules="community", course="community/summit_works", players=6,
            runs=[2.0], median=98.76, low=90.0, high=99.0, ratio=5.6e-9),
    ]  # fmt: skip
    report = Report(machine={"cpu": "a processor " * 8}, settings={"course": "dizzy_highway", "players": 4}, rows=rows)
    monkeypatch.setattr("roborally_env.speed.run", lambda *_, **__: report)
    monkeypatch.setattr("roborally_env.cli.bench._training", lambda *_: [])  # it would play and learn first
    code, out, _ = roborally("bench")
    assert code == 0
    check_fits(out.partition("└")[0], width)
    found = [cell for row in cells(out) for cell in row]
    for cell in ("12,345,678 rounds/s", "0.001", "98.76 races/s", "5.60e-09"):
        assert cell in found
    assert "".join(row[0] for row in cells(out)).startswith("step")


def test_benchmark(width, capsys):
    card = json.loads((Path(__file__).parents[2] / "results" / "2016_learned.json").read_text(encoding="utf-8"))
    print_card(card)
    out = capsys.readouterr().out
    check_fits(out, width)
    text = re.sub(r"\s+", " ", out)
    for against in card["against"].values():
        for row in (*against["scores"].values(), *against["courses"]):
            assert percent(row) in text
        for row in against["courses"]:
            beginning = row["course"] if width != 60 else row["course"][:16]  # two lines for the longest
            assert beginning in text


def test_grades(width, capsys):
    grade = Grade(3, 12.3, 12.5, 0.98, 9.1, 0.33, 0.25, 1.75, 0.42, True, "")
    rows = [
        grades.Row(load_course(name), grade, f"out/courses/{name}.toml") for name in ("twister", "chop_shop_challenge")
    ]
    grades.show(rows, as_json=False)
    out = capsys.readouterr().out
    check_fits(out, width)
    found = ["".join(row[0] for row in cells(out)), "".join(row[-1] for row in cells(out))]
    for row in rows:
        assert row.course.title.replace(" ", "") in found[0].replace(" ", "")
        assert row.file in found[1]
    assert [row[1] for row in cells(out) if row[1]] == ["3", "3"]


def test_compile(width, roborally, monkeypatch):
    from roborally_env import precompile

    done = [precompile.Done("community", "the simulator and the bots", 123.4, 56)]
    monkeypatch.setattr(precompile, "compile_ahead", lambda *_, **__: done)
    code, out, _ = roborally("compile")
    assert code == 0
    check_fits(out.partition("└")[0], width)
    assert {"community", "123.4"} <= {cell for row in cells(out) for cell in row}


@pytest.fixture(scope="module")
def race_file(tmp_path_factory):
    """The replay of a race on Twister."""
    file = tmp_path_factory.mktemp("replay") / "race.json"
    result = evaluate(["random"], "twister", games=1, players=2, seed=2, max_rounds=3, rules={"upgrades": False})
    save(result.replay(result.races[0]), file)
    return file


# command that draws a course of ten rows -> its words, and what it names where the drawing is too wide
DRAWINGS = {
    "draw": (("twister", "--no-color"), "--svg FILE draws a picture"),
    "generate": (("--difficulty", 3, "--seed", 7), "--out FILE --svg draws a picture"),
    "replay": (("--round", 1, "--no-color"), "`roborally watch` shows it in the browser"),
    "evaluate": (("--agents", "random", "--course", "twister", "--draw", *RACES), "--out DIR writes it as a page"),
}


@pytest.mark.parametrize("command", DRAWINGS)
def test_a_drawing_is_whole_and_said_to_be_wider_than_the_terminal(command, width, roborally, race_file):
    words, instead = DRAWINGS[command]
    code, out, err = roborally(command, *([race_file] if command == "replay" else []), *words)
    lines = click.unstyle(out).splitlines()
    corners = [at for at, line in enumerate(lines) if line.startswith("   ·")]
    drawing = lines[corners[0] : corners[-1] + 1]
    needed = max(map(len, drawing))
    assert (code, len(corners)) == (0, 11)
    assert {len(lines[at]) for at in corners} == {needed}
    assert max(map(len, lines[corners[-1] + 1 :])) <= needed  # the legend and what stands below
    expected = [f"the drawing needs {needed} columns, the terminal has {width}; {instead}"]
    assert [line for line in err.splitlines() if "drawing" in line] == (expected if width and width < needed else [])


def test_every_command_with_a_table_is_here():
    """Another command that prints a table gets a test above; that of `review` is in test_review.py."""
    folder = Path(print_table.__code__.co_filename).parent
    using = {path.stem for path in folder.glob("*.py") if "print_table(" in path.read_text(encoding="utf-8")}
    assert using == {"tables", "bench", "benchmark", "compile", "courses", "crossplay", "evaluate", "grades", "review"}
    assert not [
        path
        for path in folder.glob("*.py")
        if "Table(" in path.read_text() and path.stem not in ("tables", "cards", "play")
    ]


def test_every_command_with_a_drawing_is_here():
    """Another command that draws gets a row in DRAWINGS."""
    folder = Path(print_table.__code__.co_filename).parent
    noting = {path.stem for path in folder.glob("*.py") if "note_width(" in path.read_text(encoding="utf-8")}
    drawing = {path.stem for path in folder.glob("*.py") if "render.ansi" in path.read_text(encoding="utf-8")}
    assert {"courses" if command == "draw" else command for command in DRAWINGS} == noting - {"tables"}
    assert drawing <= noting


COLUMNS = (Column("agent", left=True), Column("won"), Column("95% interval", rank=1), Column("rating", rank=2))
ROWS = [("a" * 20, "100.0%", "96.3% - 100.0%", "25.0 ± 8.3")]


def lines_of(capsys, width, monkeypatch, plain=False):
    monkeypatch.setenv("COLUMNS", str(width))
    print_table(COLUMNS, ROWS, plain=plain)
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("plain", [False, True])
def test_columns_go_by_rank_and_come_back_as_soon_as_they_fit(plain, capsys, monkeypatch):
    shown = {}
    for width in range(20, 90):
        lines = lines_of(capsys, width, monkeypatch, plain)
        assert max(map(len, lines)) <= width
        assert "100.0%" in "".join(lines)
        shown[width] = ["96.3% - 100.0%" in "".join(lines), "25.0 ± 8.3" in "".join(lines)]
    widest = 20 + 6 + 14 + 10 + (4 * 3 + 1 if not plain else 3 * 2)
    assert shown[widest] == [True, True]
    assert shown[widest - 1] == [True, False]
    assert shown[widest - 10 - (3 if not plain else 2)] == [True, False]
    assert shown[widest - 11 - (3 if not plain else 2)] == [False, False]


def test_a_name_longer_than_the_terminal_is_broken_not_cut(capsys, monkeypatch):
    lines = lines_of(capsys, 24, monkeypatch)
    assert "".join(row[0] for row in cells("\n".join(lines))) == "a" * 20
