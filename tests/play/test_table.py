"""The race on its own thread: what each player is sent, what is not, and what is saved."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env.play.lobby import usual_path
from roborally_env.play.messages import Choice, Program, Shown
from roborally_env.play.questions import PROGRAM, Refused
from roborally_env.play.race import going_on
from roborally_env.play.setup import check_play
from roborally_env.play.table import ASKING, FAILED, OVER, STOPPED, Table
from roborally_env.replay import load, play
from tests.play.helpers import COMPLETE, LIGHTER, RACE_2005, program_of, wait_for

HIDING = {"opponents": ["greedy", "random"], "seed": 123_456_789, "humans": 2, "max_rounds": 4}


class Raises:
    """An agent that breaks."""

    name = "raises"
    needs_observation = False

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, observations: Any, masks: Any, info: Any) -> Any:
        raise ZeroDivisionError("a mistake of its own")


class Slow:
    """An agent that takes its time, and programs its first cards."""

    name = "slow"
    needs_observation = False

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, observations: Any, masks: Any, info: Any) -> Any:
        time.sleep(1.0)
        return np.tile(np.arange(5), (len(info.seats), 1))


def new_table(path: Path, **given: Any) -> Table:
    table = Table(check_play(**given), path)
    table.start()
    return table


def answer(table: Table, player: int, dice: random.Random) -> bool:
    """Answer what a player is asked now; whether anything was."""
    race = table.race
    if race is None or table.phase != ASKING:
        return False
    questions = race.questions(player)
    for question in questions:
        if question.kind == PROGRAM:
            table.answer(player, Program(question.number, question.robot, tuple(program_of(question, dice))))
        else:
            table.answer(player, Choice(question.number, question.robot, dice.choice(question.answers).option))
    return bool(questions)


def play_on(table: Table, people: int, until: Any, dice: random.Random) -> None:
    """People answer by chance, and see all that they are sent, until something holds."""

    def done() -> bool:
        for player in range(people):
            answer(table, player, dice)
            table.answer(player, Shown(len(table.feed(player))))
        assert table.phase != FAILED, table.failure
        return bool(until())

    wait_for(done, "the race")


@pytest.mark.parametrize("given", [COMPLETE, RACE_2005], ids=["complete", "2005"])
def test_a_table_plays_a_race_to_its_end_and_saves_it(given: dict[str, Any], tmp_path: Path) -> None:
    lines: list[str] = []
    table = Table(check_play(**given, max_rounds=4), tmp_path / "race.json", log=lines.append)
    assert table.now(0) == {
        "type": "now", "race": table.id, "phase": "starting", "text": table.now(0)["text"], "items": 0,
        "thinking": None,
    }  # fmt: skip
    table.start()
    play_on(table, 1, lambda: table.phase == OVER, random.Random(3))
    wait_for(lambda: lines, "a line for the terminal")
    assert "win" in lines[0]
    assert table.now(0)["saved"] == "race.json"
    *_, end = play(load(tmp_path / "race.json"))
    assert end.over
    with pytest.raises(Refused):
        table.answer(0, Program(1, 0, (0, 1, 2, 3, 4)))


@pytest.mark.parametrize("given", [COMPLETE, RACE_2005], ids=["complete", "2005"])
def test_a_player_is_sent_what_it_may_see_and_nothing_else(given: dict[str, Any], tmp_path: Path) -> None:
    """Other hands are numbers and face-down registers are "?" in every state that the messages have."""
    table = new_table(tmp_path / "race.json", **given | HIDING)
    assert table.setup.seed == 123_456_789
    seen_cards = 0
    try:
        play_on(table, 2, lambda: table.phase == OVER, random.Random(7))
        for player in range(2):
            header, *pieces = map(json.loads, table.feed(player))
            assert header["robots"] == [player]
            assert str(table.setup.seed) not in json.dumps(header)
            state: dict[str, Any] = {}
            for piece in pieces:
                state = piece.get("state", state)
                check_hidden(state, player)
                for moment in piece["moments"]:
                    state = {**state, **moment.get("set", {})}
                    robots = list(state["robots"])
                    for robot, changes in moment.get("robots", {}).items():
                        robots[int(robot)] = {**robots[int(robot)], **changes}
                    state["robots"] = robots
                    check_hidden(state, player)
                    check_text(moment, player)
                    seen_cards += moment["kind"] == "card"
    finally:
        table.stop()
    assert seen_cards > 10


def check_hidden(state: dict[str, Any], player: int) -> None:
    """No card of another robot that lies hidden."""
    for robot, its in enumerate(state["robots"]):
        if robot == player:
            continue
        assert isinstance(its["hand"], int)
        open_ones = {*range(state["register"]), *(k - 1 for k in its.get("locked", ()))}
        assert all(its["registers"][k] in (None, "?") for k in range(5) if k not in open_ones)
        assert {int(k) for k in its["laid_on"]} <= open_ones


def check_text(moment: dict[str, Any], player: int) -> None:
    """No sentence names the cards that another player draws or programs."""
    if moment["kind"] not in ("hands", "program"):
        return
    for sentence in moment["text"]:
        if f"{{{player}}}" not in sentence:
            assert not any(title in sentence for title in ("Move", "Turn", "Rotate", "Back Up", "Power Up", "SPAM"))


def test_what_is_asked_of_one_player_is_not_told_to_the_other(tmp_path: Path) -> None:
    table = new_table(tmp_path / "race.json", **{**LIGHTER, "opponents": ["random"]}, humans=2)
    try:
        wait_for(lambda: table.phase == ASKING and table.thinking is None, "the first programs")
        mine, other = table.now(0), table.now(1)
        assert [q["robot"] for q in mine["questions"]] == [0]
        assert [q["robot"] for q in other["questions"]] == [1]
        race = table.race
        assert race is not None
        table.answer(0, Program(race.number, 0, tuple(program_of(race.open[0]))))
        assert table.now(0)["questions"] == []
        assert table.now(1)["waiting"] == [1]
        assert "slots" not in json.dumps({**table.now(1), "questions": []})
    finally:
        table.stop()


def test_a_stopped_table_saves_the_rounds_that_are_complete(tmp_path: Path) -> None:
    table = new_table(tmp_path / "race.json", **{**COMPLETE, "opponents": ["random"] * 3})
    play_on(table, 1, lambda: table.race is not None and table.race.round == 3, random.Random(1))
    table.stop()
    assert table.phase == STOPPED
    assert table.saved == tmp_path / "race.json"
    rounds = [played.number for played in play(load(tmp_path / "race.json"))]
    assert rounds == [0, 1, 2]
    with pytest.raises(Refused, match="stopped"):
        table.answer(0, Choice(1, 0, 0))


def test_a_table_that_is_stopped_in_the_first_round_can_go_on(tmp_path: Path) -> None:
    table = new_table(tmp_path / "race.json", **COMPLETE)
    wait_for(lambda: table.phase == ASKING, "the first question")
    table.stop()
    assert table.saved == tmp_path / "race.json"
    assert going_on(table.saved)[0].setup == table.setup


def test_an_agent_that_breaks_stops_the_race_and_is_named(tmp_path: Path) -> None:
    lines: list[str] = []
    place = f"{Raises.__module__}:{Raises.__qualname__}"
    setup = check_play("dizzy_highway", [place, "random", "random"], rules={"upgrades": False}, seed=1)
    table = Table(setup, tmp_path / "race.json", log=lines.append)
    table.start()
    wait_for(lambda: table.phase == FAILED, "the failure")
    expected = (
        "The race had to stop: agent 'raises': act raised ZeroDivisionError: a mistake of its own (test_table.py, line "
    )
    assert table.now(0)["text"].startswith(expected)
    assert lines == [table.failure]


def test_a_person_can_answer_while_a_bot_thinks(tmp_path: Path) -> None:
    place = f"{Slow.__module__}:{Slow.__qualname__}"
    table = new_table(tmp_path / "race.json", **{**LIGHTER, "opponents": [place, "random", "random"]})
    try:
        wait_for(lambda: table.thinking == 1, "the slow agent")
        assert table.now(0)["thinking"] == 1
        started = time.monotonic()
        assert answer(table, 0, random.Random(1))
        assert time.monotonic() - started < 0.6
        assert table.thinking == 1
        assert table.now(0)["answered"] == [0]
        wait_for(lambda: len(table.feed(0)) > 3, "the round")
    finally:
        table.stop()


def test_rounds_in_which_no_person_is_asked_wait_until_somebody_has_seen_the_race(tmp_path: Path) -> None:
    table = new_table(tmp_path / "race.json", **RACE_2005, max_rounds=12)
    dice = random.Random(1)
    wait_for(lambda: table.phase == ASKING, "the first question")
    race = table.race
    assert race is not None
    batch = race.batch  # the person's robot is out after this round
    batch.games[0]["lives"][0] = 1
    batch.games[0]["cell"][0] = -2
    batch.games[0]["destroyed"] = 1
    batch.games[0]["lives"][0] = 0
    answer(table, 0, dice)
    try:
        wait_for(lambda: race.round == 2 and table.phase == "playing", "round 2")
        number = race.number
        assert len(table.feed(0)) > 2
        time.sleep(0.3)
        assert race.number == number
        table.answer(0, Shown(len(table.feed(0))))
        wait_for(lambda: race.number > number, "the next step")
    finally:
        table.stop()


def test_who_answers_before_the_table_looks_is_not_taken_for_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The race went to sleep where an answer came between two of its lines; pages woke it, other programs did not."""
    table = Table(check_play(**LIGHTER), tmp_path / "race.json")
    dice = random.Random(1)
    monkeypatch.setattr(table, "changed", lambda: table.phase == ASKING and answer(table, 0, dice))
    table.start()
    try:
        wait_for(
            lambda: table.race is not None and (table.race.round == 2 or table.race.over), "round 2, with nothing shown"
        )
    finally:
        table.stop()


def test_the_usual_file_is_named_by_course_and_time() -> None:
    path = usual_path(check_play("twister"), 0.0)
    assert path.name.startswith("twister_19")
    assert path.suffix == ".json"
