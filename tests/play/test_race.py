"""The race as a state machine: questions, answers, bots, what is recorded."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.core import upgrades
from roborally_env.core.choices import NAMES as DECISIONS
from roborally_env.play import outcomes
from roborally_env.play.questions import PROGRAM, Answer, Question, Refused
from roborally_env.play.race import PlayRace
from roborally_env.replay import load, play, save
from tests.games import put_on_mat
from tests.play.helpers import COMPLETE, LIGHTER, RACE_2005, RACE_COMMUNITY, answer_all, new_race, program_of


def asked_for(race: PlayRace, kind: str, dice: random.Random, robot: int = 0) -> Question:
    """Play on until a robot is asked for this kind of decision; the others answer by chance."""
    for _ in range(2000):
        if not race.over and robot in race.waiting and race.open[robot].kind == kind:
            return race.open[robot]
        answer_all(race, dice)
        race.step()
    raise AssertionError(f"{kind} was not asked")


GIVEN = {"complete": COMPLETE, "lighter": LIGHTER, "2005": RACE_2005, "community": RACE_COMMUNITY}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_a_race_is_played_to_its_end_and_its_replay_checks(given: dict[str, Any], tmp_path: Path) -> None:
    race = new_race(**given, max_rounds=6)
    dice = random.Random(5)
    while not race.over:
        answer_all(race, dice)
        race.step()
    result = race.result()
    assert sorted(result) == ["cut", "hints", "places", "reached", "rounds", "to_go", "winners"]
    assert len(result["places"]) == 4
    save(race.replay(), tmp_path / "race.json")
    *_, end = play(load(tmp_path / "race.json"))
    assert end.over
    assert end.number == result["rounds"]
    assert load(tmp_path / "race.json").agents == race.names


def test_the_bots_play_as_they_do_in_a_batch_of_their_own() -> None:
    race = new_race(**LIGHTER)
    race.think()
    from roborally_env.evaluation.races import decide

    line_up = [[-1, 0, 1, 2]]
    import numpy as np

    programs, _ = decide(race.batch, race.agents, np.array(line_up, np.int64))
    assert [race._given[r] for r in (1, 2, 3)] == [tuple(row) for row in programs[0, 1:].tolist()]


def test_nobody_is_played_for_before_every_person_has_answered() -> None:
    race = new_race(**{**LIGHTER, "opponents": ["random"] * 2}, humans=2)
    race.think()
    assert race.waiting == [0, 1]
    assert race.answered == [2, 3]
    race.answer(1, race.number, 1, program_of(race.open[1]))
    assert race.waiting == [0]
    assert race.questions(1) == []
    with pytest.raises(RoboRallyError, match="robot 0"):
        race.step()


def test_by_community_rules_locked_registers_take_no_card() -> None:
    race = new_race(**RACE_COMMUNITY)
    batch = race.batch
    batch.games[0]["damage"][0] = 6
    dice = random.Random(5)
    question = asked_for(race, PROGRAM, dice)
    assert "three cards" in question.text
    assert "2 registers are locked" in question.text
    assert [bool(register.slots) for register in question.registers] == [True, True, True, False, False]
    assert all(register.card for register in question.registers[3:])


@pytest.mark.parametrize("announced", [True, False])
@pytest.mark.parametrize("given", [RACE_COMMUNITY, RACE_2005], ids=["community", "2005"])
def test_a_power_down_is_announced_with_the_program_and_not_asked_for(given: dict[str, Any], announced: bool) -> None:
    race = new_race(**given)
    dice = random.Random(5)
    question = asked_for(race, PROGRAM, dice)
    assert not question.may_power_down  # there is no damage to lose
    with pytest.raises(Refused, match="robot 0"):
        race.answer(0, race.number, 0, program_of(question), power_down=True)
    race.batch.games[0]["damage"][0] = 3
    race._ask()  # as it would have been asked with that damage
    question = race.open[0]
    assert question.may_power_down
    race.answer(0, race.number, 0, program_of(question), power_down=announced)
    kinds = set()
    number = race.round
    while race.round == number:
        kinds |= {each.kind for each in answer_all(race, dice)}
        race.step()
        texts = str(race.timelines[0].chunks)
    assert "power_down" not in kinds
    assert ("{0} announces a power down." in texts) == announced


def test_answers_say_what_they_lead_to() -> None:
    race = new_race(**{**COMPLETE, "course": "burnout", "opponents": ["random"] * 5})
    question = asked_for(race, "reboot_facing", random.Random(2))
    then = [answer.then for answer in question.answers]
    assert len(set(then)) == 4
    assert all(f"faces {facing}" in text for text, facing in zip(then, ("north", "east", "south", "west"), strict=True))
    assert all("ends on 0,6" in text for text in then)


def test_answers_that_lead_to_other_questions_first_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    race = new_race(**COMPLETE)
    for found, texts in (
        ([(("a",), (), False), (("b",), (), False)], ("a", "b")),
        ([(("a",), (), True), (("b",), ("c",), True)], ("a", "b; c")),
        ([(("a",), (), True), (("b",), (), False)], ("a; another question follows", "b")),
        ([((), (), True), (("b",), (), False)], ("another question follows", "b")),
        ([(("a",), (), False), (("a",), (), False)], ("", "")),
        ([((), (), False), (("a",), (), False)], ("nothing changes", "a")),
        ([((), (), False), ((), ("pays",), False)], ("", "pays")),
    ):
        monkeypatch.setattr(outcomes, "_outcome", lambda _, option, found=found: outcomes._Outcome(*found[option]))
        assert outcomes.outcomes(race.batch, [0, 1]) == texts


def test_cubes_and_cards_that_an_answer_costs_are_named() -> None:
    race = new_race(**COMPLETE)
    put_on_mat(race.batch.games[0], 0, upgrades.NUMBERS["teleporter"])
    before, after = race.batch.games[0].copy(), race.batch.games[0].copy()
    after["energy"][0] -= 1
    assert outcomes._changes(before, after, 0) == []
    assert outcomes._costs(before, after, 0) == ["pays 1 energy"]
    after["owned"][0] = 0
    after["energy"][0] += 3
    assert outcomes._costs(before, after, 0) == ["gains 2 energy", "discards 1 upgrade"]


def test_a_person_is_not_asked_where_one_answer_alone_is_legal() -> None:
    race = new_race(**COMPLETE)
    asked = asked_for(race, PROGRAM, random.Random(5))
    only = dataclasses.replace(asked, kind="install_upgrade", answers=(Answer(0, "no", "Install nothing"),))
    assert race._said_before(only) == 0
    assert race._said_before(dataclasses.replace(only, robot=1)) is None, "bots answer for themselves"
    assert race._said_before(dataclasses.replace(only, answers=(*only.answers, Answer(1, "yes", "Yes")))) is None


def test_a_question_is_left_out_for_the_rest_of_a_round() -> None:
    race = new_race(**{**COMPLETE, "course": "burnout", "opponents": ["random"] * 5})
    put_on_mat(race.batch.games[0], 0, upgrades.NUMBERS["deflector_shield"])
    dice = random.Random(2)
    question = asked_for(race, "deflector_shield", dice)
    assert question.may_rest
    assert {answer.name: answer.then for answer in question.answers} == {"no": "", "yes": "your robot pays 1 energy"}
    yes = next(answer.option for answer in question.answers if answer.name == "yes")
    with pytest.raises(Refused, match="deflector_shield"):
        race.answer(0, race.number, 0, yes, rest=True)
    number = race.round
    race.answer(0, race.number, 0, 0, rest=True)
    asked = []
    while race.round == number:
        asked += [each.kind for each in answer_all(race, dice)]
        race.step()
    assert "deflector_shield" not in asked
    asked_for(race, "deflector_shield", dice)  # in another round it is asked again
    assert race.round > number


def test_what_led_to_a_question_is_told_before_it() -> None:
    race = new_race(**{**LIGHTER, "opponents": ["random"] * 3})
    question = asked_for(race, "reboot_facing", random.Random(1))
    said = [text for moment in race.timelines[0].chunk()["moments"] for text in moment["text"]]
    assert "{0} reboots." in said
    assert question.cell is not None
    race.answer(0, race.number, 0, question.answers[0].option)
    race.think()
    race.step()
    texts = [text for chunk in race.timelines[0].chunks for moment in chunk["moments"] for text in moment["text"]]
    x, y = question.cell
    assert f"{{0}} is placed on {x},{y}, facing north." in texts
    assert texts.count("{0} reboots.") == said.count("{0} reboots.")  # reported once, though it is played twice


def test_again_is_not_offered_for_register_one() -> None:
    dice = random.Random(1)
    race = new_race(**LIGHTER)
    question = asked_for(race, PROGRAM, dice)
    for _ in range(40):
        if "again" in question.hand:
            break
        answer_all(race, dice)
        race.step()
        question = asked_for(race, PROGRAM, dice)
    slot = question.hand.index("again")
    assert slot not in question.registers[0].slots
    assert slot in question.registers[1].slots
    others = [s for s in range(9) if s != slot][:4]
    with pytest.raises(Refused, match=rf"slot {slot} .*again.*register 1"):
        race.answer(0, race.number, 0, [slot, *others])
    assert race.waiting == [0]
    race.answer(0, race.number, 0, [others[0], slot, *others[1:]])


def test_locked_registers_are_shown_closed_with_their_card() -> None:
    race = new_race(**RACE_2005)
    batch = race.batch
    batch.games[0]["damage"][0] = 6
    batch.games[0]["registers"][0][3:] = [60, 70]
    batch.games[0]["hand"][0][3:] = 0
    batch.games[0]["held"][0] = 3
    batch.observe()
    race._ask()
    question = race.open[0]
    assert [bool(r.slots) for r in question.registers] == [True, True, True, False, False]
    assert [r.card for r in question.registers] == [None, None, None, "move_1:600", "move_2:700"]
    assert "three cards" in question.text
    assert "2 registers are locked" in question.text
    with pytest.raises(Refused, match="register 4"):
        question.check_program([0, 1, 2, 0, None])
    assert question.check_program([2, 1, 0, None, None]) == (2, 1, 0, 0, 0)


@pytest.mark.parametrize(
    ("slots", "message"),
    [
        ([0, 1, 2, 3], "5.*4"),
        ([0, 1, 2, 3, None], "register 5"),
        ([0, 1, 2, 3, 3], "slot 3.*register 4"),
        ([0, 1, 2, 3, 9], "slot 9.*register 5"),
    ],
)
def test_an_illegal_program_is_refused_and_changes_nothing(slots: list[int | None], message: str) -> None:
    race = new_race(**LIGHTER)
    with pytest.raises(Refused, match=message):
        race.answer(0, race.number, 0, slots)
    assert race.waiting == [0]


def test_late_and_foreign_messages_are_named() -> None:
    race = new_race(**{**LIGHTER, "opponents": ["random"] * 2}, humans=2)
    dice = random.Random(2)
    slots = program_of(race.open[0])
    with pytest.raises(Refused, match="robot 1"):
        race.answer(0, race.number, 1, slots)
    with pytest.raises(Refused, match="robot 2"):
        race.answer(1, race.number, 2, slots)
    with pytest.raises(Refused, match="robot 77"):
        race.answer(1, race.number, 77, slots)
    with pytest.raises(Refused, match="question 9"):
        race.answer(0, 9, 0, slots)
    with pytest.raises(Refused):
        race.answer(0, race.number, 0, 1)
    race.answer(0, race.number, 0, slots)
    with pytest.raises(Refused):
        race.answer(0, race.number, 0, slots)
    first = race.number
    answer_all(race, dice)
    race.step()
    asked_for(race, PROGRAM, dice)
    assert race.round == 2
    with pytest.raises(Refused, match="round 1"):
        race.answer(0, first, 0, slots)


def test_purchases_are_asked_with_prices_and_rules() -> None:
    race = new_race(**COMPLETE)
    question = asked_for(race, "buy_upgrade", random.Random(0))
    assert "buy one of these" in question.text
    nothing, *cards = question.answers
    assert nothing.title == "Buy nothing"
    assert cards
    assert all(card.cost is not None and card.hint for card in cards)
    with pytest.raises(Refused, match=r"buy_upgrade.*0"):
        race.answer(0, race.number, 0, 63)
    with pytest.raises(Refused, match="buy_upgrade"):
        race.answer(0, race.number, 0, [0, 1, 2, 3, 4])
    race.answer(0, race.number, 0, cards[0].option)
    race.think()
    race.step()
    assert int(race.batch.games[0]["bought"][0]) >> cards[0].option & 1


@pytest.mark.parametrize("given", [COMPLETE, RACE_2005], ids=["complete", "2005"])
def test_every_question_has_a_sentence_and_named_answers(given: dict[str, Any]) -> None:
    seen: dict[str, Question] = {}
    for seed in range(3):
        race = new_race(**{**given, "opponents": ["random"] * 2, "seed": seed}, humans=2, max_rounds=8)
        deal_cards(race, seed)
        dice = random.Random(seed)
        while not race.over:
            for question in answer_all(race, dice):
                seen[question.kind] = question
            race.step()
    assert len(seen) > 10
    for kind, question in seen.items():
        assert question.text
        assert question.text[0].isupper()
        assert question.text[-1] in ".?"
        if kind != PROGRAM:
            assert kind in DECISIONS
            titles = [answer.title for answer in question.answers]
            assert len(set(titles)) == len(titles)
            assert not any("_" in title for title in titles)


def deal_cards(race: PlayRace, seed: int) -> None:
    """Upgrades on all mats, in 2005 options, in both records alike."""
    from tests.games import deal_upgrades

    batch = race.batch
    if batch.game == "2005":
        dice = random.Random(seed)
        cards = dice.sample(range(1, 27), 16)
        for robot in range(4):
            bits = sum(1 << card for card in cards[robot * 4 : robot * 4 + 4])
            batch.games[0]["options"][robot] = bits
            batch.games[0]["on_table"] |= bits
        left = [card for card in range(1, 27) if card not in cards]
        batch.games[0]["option_deck"][:] = left + [0] * 16
        batch.games[0]["options_left"] = len(left)
        batch.observe()
    else:
        deal_upgrades(batch, seed)
    race._ask()


def test_a_robot_that_is_powered_down_is_not_asked_for_a_program() -> None:
    race = new_race(**RACE_2005)
    batch = race.batch
    batch.games[0]["down"] = 1
    batch.observe()
    race._ask()
    assert 0 not in race.open
    assert race.waiting == []


def test_a_team_wins_together() -> None:
    race = new_race(course="2005/toggle_boggle", opponents=["random"] * 3, seed=1)
    race.batch.results[0]["winner"] = 1
    teams = race.batch.games[0]["team"][:4].tolist()
    assert race.result()["winners"] == [r for r in range(4) if teams[r] == teams[1]]
    assert len(race.result()["winners"]) == 2


def test_a_person_in_interference_answers_for_two_robots_and_for_no_other() -> None:
    race = new_race(course="2005/interference", opponents=["random"] * 3, seed=1)
    race.think()
    assert race.waiting == [0, 1]
    for question in race.questions(0):
        race.answer(0, race.number, question.robot, program_of(question))
    with pytest.raises(Refused, match="robot 2"):
        race.answer(0, race.number, 2, [0, 1, 2, 3, 4])
    race.step()
