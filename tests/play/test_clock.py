"""The rules' timer: when it begins, when it runs out, and what lies then."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.courses import load_course
from roborally_env.play import table as tables
from roborally_env.play.clock import GRACE, Clock, Timer
from roborally_env.play.messages import Draft, Program, Shown
from roborally_env.play.questions import Refused
from roborally_env.play.race import PlayRace
from roborally_env.play.setup import check_play
from roborally_env.play.table import ASKING, Table
from roborally_env.replay import load, play, save
from tests.play.helpers import COMPLETE, LIGHTER, RACE_2005, RACE_COMMUNITY, answer_all, program_of, wait_for

TIMER = Timer(30, 60)
OPEN = (None,) * 5


def clock(
    course: str = "fractionation", people: tuple[int, ...] = (0,), bots: bool = True, timer: Timer = TIMER
) -> Clock:
    return Clock(timer, load_course(course), people, bots, now=1000.0)


def test_nothing_runs_before_everybody_has_seen_the_hand_but_nobody_can_stop_it() -> None:
    timer = clock(timer=Timer(30, 0))
    assert timer.look(1000.0, {0: 1}, seen=False) == GRACE
    assert timer.look(1000.0 + GRACE - 1, {0: 1}, seen=False) == 1
    assert not timer.running
    assert timer.look(1000.0 + GRACE, {0: 1}, seen=False) == 30
    assert timer.running


def test_bots_have_finished_after_their_time() -> None:
    timer = clock()
    assert timer.look(1005.0, {0: 1}, seen=True) == 60
    assert timer.look(1064.0, {0: 1}, seen=True) == 1
    assert not timer.running
    assert timer.look(1065.5, {0: 1}, seen=True) == 30
    assert timer.left(1080.5) == 15
    assert timer.look(1096.0, {0: 1}, seen=True) == 0


def test_bots_may_have_finished_at_once() -> None:
    assert clock(timer=Timer(20, 0)).look(1001.0, {0: 1}, seen=True) == 20


def test_the_first_person_who_has_finished_starts_it() -> None:
    """2016 rulebook p. 7: after the first player has finished, that player must flip the timer."""
    timer = clock(people=(0, 1, 2), bots=False)
    assert timer.look(1001.0, {0: 1, 1: 1, 2: 1}, seen=True) == math.inf
    assert timer.look(1010.0, {0: 1, 2: 1}, seen=True) == 30


def test_in_2005_it_starts_when_one_player_is_left() -> None:
    """2005 rulebook p. 4: when only one player remains who has not said "Done"."""
    timer = clock("2005/risky_exchange", (0, 1, 2), bots=False)
    assert timer.look(1001.0, {0: 1, 1: 1}, seen=True) == math.inf
    assert timer.look(1010.0, {1: 1}, seen=True) == 30


def test_in_2005_who_programs_alone_has_it_from_the_deal_on() -> None:
    """2005 rulebook p. 4: if only one player is programming, flip the timer over as soon as the cards are dealt."""
    assert clock("2005/risky_exchange", bots=False).look(1001.0, {0: 1}, seen=True) == 30


def test_in_2005_the_bots_must_have_finished_too() -> None:
    timer = clock("2005/risky_exchange", (0, 1))
    assert timer.look(1000.0, {1: 1}, seen=True) == 60
    assert timer.look(1060.0, {1: 1}, seen=True) == 30


def test_two_robots_have_twice_the_time() -> None:
    """2005 rulebook p. 4: thirty seconds for each unprogrammed robot."""
    assert clock("2005/interference", bots=False).look(1000.0, {0: 2}, seen=True) == 60


@pytest.mark.parametrize(("course", "seconds"), [("2005/ball_lightning", 30), ("2005/tight_collar", 60)])
def test_program_timers_of_a_course_run_for_everybody_from_the_deal_on(course: str, seconds: int) -> None:
    timer = clock(course, (0, 1), timer=Timer(5, 300))
    assert timer.look(1000.0, {0: 1, 1: 1}, seen=True) == seconds


# -- the race


def timed_race(given: dict[str, Any]) -> PlayRace:
    return PlayRace(check_play(**given, timer=30))


@pytest.mark.parametrize(
    "given", [COMPLETE, LIGHTER, RACE_2005, RACE_COMMUNITY], ids=["complete", "lighter", "2005", "community"]
)
def test_what_lies_stays_and_the_rest_is_filled_and_the_replay_plays_it_again(
    given: dict[str, Any], tmp_path: Path
) -> None:
    race, dice = timed_race({**given, "max_rounds": 4}), random.Random(2)
    caught = 0
    while not race.over:
        race.think()
        if race.programming and 0 in race.waiting:
            question = race.open[0]
            whole = program_of(question, dice)
            placed = [slot if k in (0, 3) else None for k, slot in enumerate(whole)]
            race.draft(0, race.number, 0, placed)
            assert race.run_out() == [0]
            with pytest.raises(Refused, match="timer"):
                race.answer(0, race.number, 0, whole)
            race.step()
            assert race.recorder._opened[0] == question.open_registers(placed)
            placed_then = race.recorder._programs[0]
            assert all(slot in (None, then) for slot, then in zip(placed, placed_then, strict=True))
            caught += 1
        else:
            answer_all(race, dice)
            race.step()
    assert caught
    replay = race.replay()
    assert replay.rounds[0].opened[0] == 0b10110
    save(replay, tmp_path / "race.json")
    *_, end = play(load(tmp_path / "race.json"))
    assert end.over


def test_a_program_that_lies_complete_is_played_as_it_lies() -> None:
    race, untimed = timed_race(LIGHTER), PlayRace(check_play(**LIGHTER))
    for each in (race, untimed):
        each.think()
    program = program_of(race.open[0])
    race.draft(0, 1, 0, program)
    assert race.run_out() == []
    untimed.answer(0, 1, 0, program)
    assert race.step() == untimed.step()
    assert race.recorder._programs == untimed.recorder._programs


@pytest.mark.parametrize(
    ("slots", "message"),
    [
        ((9, None, None, None, None), "slot 9"),
        ((0, 0, None, None, None), "register 1"),
    ],
)
def test_cards_that_may_not_lie_there_are_refused(slots: tuple[int | None, ...], message: str) -> None:
    race = timed_race(LIGHTER)
    with pytest.raises(Refused, match=message):
        race.draft(0, 1, 0, slots)
    with pytest.raises(Refused, match="robot 1"):
        race.draft(0, 1, 1, OPEN)
    with pytest.raises(Refused, match="7"):
        race.draft(0, 7, 0, OPEN)


def test_without_the_option_no_register_is_ever_left_open() -> None:
    assert check_play(**LIGHTER).rules["timer"] is False
    with pytest.raises(RoboRallyError, match="--timer 30"):
        check_play(**{**LIGHTER, "rules": {"timer": True}})


# -- the table


def test_a_table_plays_on_when_the_timer_has_run_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "_LOOK", 0.02)
    table = Table(check_play(**LIGHTER, max_rounds=2, timer=1, bot_time=0), tmp_path / "race.json")
    caught: list[list[int]] = []  # by the timer, at each message to the pages
    table.changed = lambda: caught.append(table.now(0)["timer"]["caught"])
    table.start()
    try:
        wait_for(lambda: table.phase == ASKING and table.thinking is None, "the first program")
        race = table.race
        assert race is not None
        hand = race.open[0].hand
        first = program_of(race.open[0])[0]
        table.answer(0, Draft(1, 0, (first, None, None, None, None)))
        assert not table.now(0)["timer"]["runs"]  # nothing was shown yet
        table.answer(0, Shown(len(table.feed(0))))
        wait_for(lambda: table.now(0)["timer"]["runs"], "the timer")
        assert 0 < table.seconds_left() <= 1
        wait_for(lambda: race.round == 2, "the next round")
        assert [0] in caught
        replay = race.replay()
        assert replay.rounds[0].opened[0] == 0b11110
        assert hand[replay.rounds[0].programs[0][0]] == hand[first or 0]
        wait_for(lambda: table.phase == ASKING and table.thinking is None, "the next program")
        table.answer(0, Program(race.number, 0, tuple(program_of(race.open[0]))))
        wait_for(lambda: table.phase == "over", "the end")
        assert table.now(0)["timer"]["caught"] == []
    finally:
        table.stop()
    *_, end = play(load(tmp_path / "race.json"))
    assert end.over
