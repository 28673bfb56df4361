"""Hints: programs that a search would choose, from what the player knows, with a reason."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from roborally_env.play.ghost import Fall, Ghost, Pose
from roborally_env.play.hint import hint_of, purchase_hint, purchase_reason, reason
from roborally_env.play.questions import Refused
from tests.play.helpers import RACE_2005, answer_all, new_race
from tests.play.test_ghost import EDITIONS, NAMES
from tests.sizes import some

GAMES = dict(zip(NAMES, EDITIONS, strict=True))


@pytest.mark.parametrize("given", some(GAMES, usual=["complete", "2005"]))
def test_a_hint_is_a_legal_program_and_leaves_the_race_alone(given: dict[str, Any]) -> None:
    race, dice = new_race(**given), random.Random(1)
    hints = 0
    while not race.over and race.round < 4:
        if race.programming and 0 in race.waiting:
            batch, question = race.position(0, race.number, 0)
            before = race.batch.snapshot()
            hint = hint_of(batch, question)
            question.check_program(hint.slots)
            assert race.batch.snapshot() == before
            assert hint.why.endswith(".")
            assert hint.why[0].isupper()
            assert hint == hint_of(race.batch.copy(), question)  # the same again
            hints += 1
        answer_all(race, dice)
        race.step()
    assert hints


@pytest.mark.parametrize("given", [GAMES["complete"]], ids=["complete"])
def test_following_hints_is_better_than_chance(given: dict[str, Any]) -> None:
    """Against bots that play by chance the hints win."""
    race = new_race(**{**given, "opponents": ["random"] * 3, "max_rounds": 12})
    while not race.over:
        race.think()
        for robot in race.waiting:
            question = race.open[robot]
            if question.kind == "program":
                race.answer(0, race.number, robot, hint_of(race.batch.copy(), question).slots)
            else:
                race.answer(0, race.number, robot, question.answers[0].option)
        race.step()
    assert race.result()["winners"] == [0]


def test_a_hint_does_not_depend_on_what_others_hold() -> None:
    """The search deals the hidden cards anew. What it finds may differ from deal to deal, but not systematically: it is
    the same for most."""
    race = new_race(**GAMES["lighter"])
    question = race.open[0]
    found = [hint_of(race.batch.redeal(0, seed), question).ghost.path[-1] for seed in range(12)]
    assert max(found.count(each) for each in found) >= 8


@pytest.mark.parametrize("given", some({name: GAMES[name] for name in ("complete", "community")}, usual=["complete"]))
def test_a_hint_for_a_purchase_is_one_of_the_answers_and_leaves_the_race_alone(given: dict[str, Any]) -> None:
    race, dice = new_race(**given), random.Random(1)
    hints = 0
    while not race.over and race.round < 4:
        race.think()
        for robot in race.waiting:
            if race.open[robot].may_hint and not race.programming:
                batch, question = race.position(0, race.number, robot)
                before = race.batch.snapshot()
                hint = purchase_hint(batch, question)
                assert question.kind == "buy_upgrade"
                assert question.check_option(hint.option) == hint.option
                assert hint.why.startswith(next(a.title for a in question.answers if a.option == hint.option))
                assert race.batch.snapshot() == before
                hints += 1
        answer_all(race, dice)
        race.step()
    assert hints


def test_only_what_can_be_advised_is() -> None:
    race = new_race(**GAMES["complete"])
    while not race.waiting:
        race.think()
        race.step()
    batch, question = race.position(0, race.number, 0)
    with pytest.raises(Refused, match=r"robot 0.*buy_upgrade"):
        hint_of(batch, question)
    with pytest.raises(Refused, match=r"robot 0.*buy_upgrade"):
        question.check_program([None] * 5, partly=True)
    with pytest.raises(Refused, match="robot 1"):
        race.position(0, race.number, 1)
    with pytest.raises(Refused, match="buy_upgrade"):
        purchase_hint(batch, replace(question, may_hint=False))


@pytest.mark.parametrize(
    ("gain", "sentence"),
    [
        (0.2, r"^Brakes: .* 100 .* 29 .* 25 "),
        (0.01, "^Brakes: .* less than 1 in 100"),
        (0.0, r"^Brakes: \D*$"),
    ],
)
def test_reasons_for_purchases_have_their_numbers(gain: float, sentence: str) -> None:
    assert re.search(sentence, purchase_reason("Brakes", gain, 0.25))


def test_hints_are_told_in_the_result_and_in_the_replay() -> None:
    race = new_race(**{**RACE_2005, "max_rounds": 1})
    dice = random.Random(1)
    while not race.over:
        if race.programming:
            race.note_hint(race.open[0])
            race.note_hint(race.open[0])  # the same question counts once
        answer_all(race, dice)
        race.step()
    assert race.result()["hints"] == [1, 0, 0, 0]
    assert race.replay().agents == ("player 1 (1 hint)", "greedy", "random 2", "random 3")


START, END = Pose((0, 0), 1, 0, "start"), Pose((3, 0), 1, 5, "move")
GHOST = {"path": (START, END), "registers": 5}


@pytest.mark.parametrize(
    ("ghost", "others", "sentence"),
    [
        ({"gained": 3.2}, 3.2, r"3 registers nearer[^.]*\.$"),
        ({"gained": 0.6, "damage": 2}, 0.6, r"1 register nearer.* 2 damage[^.]*\.$"),
        ({"gained": 4.0, "checkpoints": ((2, 1),)}, 4.0, r"flag 1 in register 2 .* 4 registers nearer[^.]*\.$"),
        ({"gained": 4.0, "checkpoints": ((4, 3),), "won": True}, 9.0, r"flag 3 in register 4 and wins\.$"),
        ({"gained": 2.0}, 4.0, r"2 registers nearer.*\. Another program .*\.$"),
        ({"gained": -1.6}, -1.6, "2 registers farther.*best that this hand allows"),
        ({"gained": -1.2}, 1.5, r"1 register farther from the goal\. Another program"),
        ({"gained": 0.1}, 2.0, r"no nearer to the goal\. Another program"),
        ({"gained": 0.1}, 0.1, "no nearer"),
        ({"gained": 1.0, "chance": 3, "registers": 2}, 5.0, "1 register nearer.* register 3"),
        ({"gained": 1.0, "chance": 1, "registers": 0}, 5.0, "register 1"),
        ({"gained": 2.0, "falls": (Fall(4, (3, 0), (5, 5)),), "damage": 2}, 2.0,
         "falls in register 4.* 2 registers nearer"),
    ],
)  # fmt: skip
def test_reasons_have_their_facts(ghost: dict[str, Any], others: float, sentence: str) -> None:
    assert re.search(sentence, reason(Ghost(**{**GHOST, **ghost}), others, "flag", last=3), re.IGNORECASE)
