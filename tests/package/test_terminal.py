"""What is printed has printable characters only, wherever its words come from."""

from __future__ import annotations

import ast
import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

from roborally_env.base.errors import RoboRallyError, one_line
from roborally_env.base.terminal import print_as_json, print_lines, printable
from roborally_env.cli import main
from roborally_env.cli.tables import Column, print_table
from roborally_env.courses.reader import SHIPPED
from roborally_env.play.questions import Refused
from roborally_env.replay import load, save
from roborally_env.training.progress import ProgressLine
from tests.watch.conftest import record_race

ROOT = Path(__file__).parents[2]
# a title of the window and a bell, an empty screen, C1, a byte order that turns, a surrogate, a line of its own
HOSTILE = "\x1b]0;OWNED\x07\x1b[2J\x9b31m\u202egreedy\u200b\r\x7f\x08"
ESCAPED = r"\x1b]0;OWNED\x07\x1b[2J\x9b31m\u202egreedy\u200b\r\x7f\x08"


def test_characters_that_a_terminal_obeys_are_written_as_python_writes_them() -> None:
    assert printable(HOSTILE) == ESCAPED
    assert printable("a\nb\tc") == r"a\nb\tc"
    assert printable("a\nb\tc", "\n") == "a\nb\\tc"
    assert printable("\ud800\U000e0001") == r"\ud800\U000e0001"
    for text in ("", "Ann", "Zoë 3 \u00a0 ± ━ 🤖 机器人", "\\x1b"):
        assert printable(text) == text
    every = "".join(map(chr, range(0x11000)))
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", printable(every))


def test_each_line_stays_one(capsys: pytest.CaptureFixture[str]) -> None:
    print_lines(HOSTILE, "a\nroborally: b")
    print_lines(HOSTILE, err=True)
    print_lines()
    out, err = capsys.readouterr()
    assert out == f"{ESCAPED}\na\\nroborally: b\n\n"
    assert err == f"{ESCAPED}\n"


def test_json_is_printable_and_the_same_value(capsys: pytest.CaptureFixture[str]) -> None:
    for given in ({}, {"ensure_ascii": False}, {"indent": None, "ensure_ascii": False}):
        value = {HOSTILE: [HOSTILE, "Zoë", "\U000e0001"]}
        print_as_json(value, **given)  # type: ignore[arg-type]
        out = capsys.readouterr().out
        assert json.loads(out) == value
        assert out.replace("\n", "").isprintable()


@pytest.mark.parametrize("kind", [RoboRallyError, Refused])
def test_messages_of_errors_are_printable_wherever_they_are_shown(kind: type[RoboRallyError]) -> None:
    error = kind(f"race.json: agents: {HOSTILE}\nand more")
    assert str(error) == f"race.json: agents: {ESCAPED}\nand more"
    assert error.args == (str(error),)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (kind, str(error))
    assert one_line(ValueError(HOSTILE)).isprintable()


@pytest.mark.parametrize("kind", [RoboRallyError, Refused])
def test_messages_of_errors_have_a_limit(kind: type[RoboRallyError]) -> None:
    error = kind(f"race.json: agents: {'x' * 1_000_000} and an end")
    assert len(str(error)) <= 2000
    assert str(error).startswith("race.json: agents: x")
    assert str(error).endswith("x and an end")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_tables_and_lines_of_progress(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([Column("agent", left=True), Column("won")], [(HOSTILE, "1"), ("[red]x[/red]", "2")], HOSTILE)
    line = ProgressLine()
    line.show(HOSTILE)
    line.say(HOSTILE)
    line.close()
    out = capsys.readouterr().out
    assert out.count(ESCAPED) == 4
    assert "[red]x[/red]" in out
    assert out.replace("\n", "").isprintable()


# -- commands on files with such names


@pytest.fixture
def roborally(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs the command; gives all that it prints, which is printable, on a terminal without colours."""

    def run(*words: object) -> str:
        with pytest.raises(SystemExit):
            main([str(word) for word in words])
        out, err = capsys.readouterr()
        for text in (out, err):
            text = re.sub(r"\rroborally_env: compiling[^\r\n]*", "", text)
            assert printable(text, "\n") == text
        return out + err

    return run


def course_file(folder: Path, title: str = HOSTILE) -> Path:
    """A course with a hostile title."""
    text = (SHIPPED / "2016" / "dizzy_highway.toml").read_text(encoding="utf-8")
    path = folder / "course.toml"
    path.write_text(re.sub(r'title = ".*?"', lambda _: f"title = {json.dumps(title)}", text), encoding="utf-8")
    return path


def test_courses(tmp_path: Path, roborally: Any) -> None:
    path = course_file(tmp_path)
    assert ESCAPED in roborally("draw", path, "--no-color")
    assert ESCAPED in roborally("check", path)
    assert "OWNED" in roborally("draw", path, "--json")
    path.write_text(path.read_text().replace("players", json.dumps(HOSTILE)))
    assert "OWNED" in roborally("check", path)
    assert roborally("check", "--json", path)
    assert "OWNED" in roborally("draw", tmp_path / HOSTILE.replace("/", ""))


def test_replays(tmp_path: Path, roborally: Any) -> None:
    names = (HOSTILE, "greedy\nroborally: checked", "a", "b")
    replay = record_race(str(course_file(tmp_path)), agents=names, rules={"upgrades": False}, max_rounds=2)
    path = tmp_path / "race.json"
    save(replay, path)
    assert load(path).agents[0] == HOSTILE  # names stay what they are
    printed = roborally("replay", path, "--no-color")
    assert f"robot 0, {ESCAPED}: " in printed
    assert "greedy\\nroborally: checked" in printed
    assert ESCAPED in printed.splitlines()[0]
    assert "OWNED" in roborally("replay", path, "--json")
    data = json.loads(path.read_text())
    for change in (
        {"edition": HOSTILE},
        {"rules": {HOSTILE: 1}},
        {HOSTILE: 1},
        {"courses": [{"name": HOSTILE, "digest": "0" * 16}]},
    ):
        path.write_text(json.dumps({**data, "config": {**data["config"], **change}}))
        assert "OWNED" in roborally("replay", path)


def test_scenarios_and_folders(tmp_path: Path, roborally: Any) -> None:
    for number, given in enumerate(({"edition": HOSTILE}, {HOSTILE: 1}, {"edition": "2016", "map": [HOSTILE]})):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(given))
        assert "OWNED" in roborally("scenario", path)
    pytest.importorskip("pyarrow")
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps({"schema": HOSTILE}))
    assert "OWNED" in roborally("replay", folder, "--episode", 0)


def test_words_of_the_command(roborally: Any) -> None:
    assert "OWNED" in roborally("draw", HOSTILE)
    assert "OWNED" in roborally(HOSTILE)
    assert "OWNED" in roborally("evaluate", "--agents", HOSTILE)
    assert "OWNED" in roborally("--traceback", "draw", HOSTILE)


# -- where the package prints

PRINTERS = {
    "roborally_env/base/terminal.py",
    "roborally_env/training/progress.py",  # a line that is written over
    "roborally_env/compiling/progress.py",
    "roborally_env/compiling/cache.py",
}
FILES = sorted([*(ROOT / "roborally_env").rglob("*.py"), *(ROOT / "agents").rglob("*.py")])


def test_all_output_goes_through_the_module_terminal() -> None:
    """But for drawings, whose colours are commands to the terminal: they are made of the characters of tiles. What rich
    prints is a Text of printable characters, or the package's own words."""
    for path in FILES:
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("console.print", "notes.print"):
                word = ast.unparse(node.args[0])
                assert word.startswith("Text(printable(") or name == "roborally_env/cli/cards.py", f"{name}: {word}"
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "click.echo", "click.secho"):
                colored = any(word.arg == "color" for word in node.keywords)
                assert name in PRINTERS or colored, f"{name}, line {node.lineno}: use base.terminal.print_lines"
