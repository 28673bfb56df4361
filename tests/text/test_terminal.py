"""`roborally play --text`: a race in the terminal, stopped and resumed, and wrong words."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from roborally_env.cli import main
from roborally_env.play.race import PlayRace, going_on
from roborally_env.play.setup import check_play
from roborally_env.replay import load
from roborally_env.text.terminal import play_in_terminal, wrapped


class Person:
    """Answers by what has been shown, until there are `most` answers."""

    def __init__(self, most: int = 50, before: Sequence[str] = ()) -> None:
        self.shown: list[str] = []
        self.most, self.before = most, iter(before)

    def read(self, prompt: str) -> str:
        """The next line."""
        for line in self.before:
            return line
        self.most -= 1
        if self.most < 0:
            raise EOFError
        asked = next(text for text in reversed(self.shown) if "Answer with the name" in text)
        return asked.rpartition("For example: ")[2] if "Your hand:" in asked else "default"

    def play(self, race: PlayRace, path: Path) -> int:
        """Play, and return the exit code."""
        return play_in_terminal(race, path, self.read, self.shown.append)


def new_race(rounds: int = 2) -> PlayRace:
    """A short race."""
    return PlayRace(check_play(None, ["random"], seed=4, max_rounds=rounds, rules={"upgrades": False}))


def test_a_race_in_the_terminal_is_saved(tmp_path: Path) -> None:
    person = Person(before=["?", "board", "course", "nonsense", "again?"])
    assert person.play(new_race(), tmp_path / "race.json") == 0
    assert len(load(tmp_path / "race.json").rounds) == 2
    text = "\n".join(person.shown)
    assert "\x1b" not in text
    assert "Wall, " in text
    assert "Your answer has 1 card" in text
    assert "The race is stopped after 2 rounds." in text


def test_the_map_says_which_robot_is_whose_and_long_lines_are_broken_between_words(tmp_path: Path) -> None:
    person = Person()
    race = PlayRace(check_play(None, ["random"], seed=4, max_rounds=1, rules={"upgrades": False}, names=["Anna"]))
    person.play(race, tmp_path / "race.json")
    assert "@0 Anna, @1 random" in person.shown[0]
    assert wrapped("- Anna moves to 2,5, 2,6.", 0) == ["- Anna moves to 2,5, 2,6."]
    assert wrapped("- Anna moves to 2,5, 2,6.", 16) == ["- Anna moves to", "  2,5, 2,6."]
    drawn = next(line for line in person.shown[0].splitlines() if "[3]" in line)
    assert wrapped(drawn, 30) == [drawn]


def test_a_stopped_race_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    first = Person(most=1)
    assert first.play(new_race(3), path) == 0
    assert "--resume" in first.shown[-1]
    race, _ = going_on(path)
    assert Person().play(race, path) == 0
    whole = Person()
    whole.play(new_race(3), tmp_path / "whole.json")
    assert load(path).rounds == load(tmp_path / "whole.json").rounds


def test_ctrl_c_saves_the_race(tmp_path: Path) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    assert play_in_terminal(new_race(), tmp_path / "race.json", interrupt, lambda text: None) == 130
    going_on(tmp_path / "race.json")


@pytest.mark.parametrize(
    "words",
    [
        ["--port", "1"], ["--host", "x"], ["--guide"], ["--no-open"], ["--timer"], ["--humans", "2"],
        ["--opponents", "nobody"], ["--course", "nowhere"], ["--resume", "not_there.json"], ["--save", "/not/there"],
        ["--max-rounds", "0"], ["--edition", "2017"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_words_are_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", "--text", *words])
    assert ended.value.code == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert "Traceback" not in "".join(lines)
    assert len([line for line in lines if line.startswith("Error") or "error" in line.lower()]) <= 1
    assert len(lines) <= 4


def test_the_command_plays_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("default\n" * 20))
    words = ["--seed", "4", "--opponents", "random", "--rules", "upgrades=false", "--max-rounds", "1"]
    with pytest.raises(SystemExit) as ended:
        main(["play", "--text", *words, "--save", str(tmp_path / "race.json")])
    assert ended.value.code == 0
    assert "Program your robot" in capsys.readouterr().out
    assert len(load(tmp_path / "race.json").rounds) == 1
