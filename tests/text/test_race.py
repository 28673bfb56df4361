"""Races in words: a whole race by a player that reads only the text, right and wrong answers, hidden information."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from roborally_env import RoboRallyError, load_course
from roborally_env.play.questions import PROGRAM, Register
from roborally_env.text import AnswerError, TextRace
from roborally_env.text.answers import read_program
from roborally_env.text.race import Seats
from roborally_env.text.words import goal_text, position_text, question_text
from tests.learning.nets import load_script
from tests.sizes import size

reader: Any = load_script("bots/reader")
EDITIONS = ("2016", "2005", "2023", "community")


def test_a_race_is_played_to_its_end_by_a_script_that_reads_only_the_text() -> None:
    race = TextRace(opponents=["random"])
    rewards, info = race.play(reader.answer, seed=1)
    assert rewards == {0: 1.0}
    assert info["winners"] == [0]
    assert not info["cut"]
    assert not info["faults"]
    assert not info["wrong"]
    assert len(race.replay().rounds) == info["rounds"]


def test_the_same_seed_and_answers_are_the_same_race() -> None:
    texts: list[list[str]] = [[], []]
    race = TextRace(opponents=["greedy"], players=2, max_rounds=2)
    for found in texts:

        def agent(text: str, found: list[str] = found) -> str:
            found.append(text)
            return str(reader.answer(text))

        race.play(agent, seed=5)
    assert texts[0] == texts[1]
    assert len(texts[0]) >= 4


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_is_raced_in_plain_words(edition: str) -> None:
    race = TextRace(edition=edition, opponents=["random"], max_rounds=size(4, 20), decisions="all")
    race.reset(num_players=1, seed=3)
    kinds, done = set(), False
    while not done:
        player, text = race.get_observation()
        assert player == 0
        assert "\x1b" not in text
        assert all(line.isprintable() for line in text.splitlines())
        assert "player 1 (you)" in text
        kinds.add("program" if "For example" in text else "option")
        done, info = race.step(reader.answer(text))
        assert info["accepted"], (info, text)
    assert kinds == {"program", "option"} or edition in ("2005", "community")
    assert "\nThe race is" in race.get_observation()[1]


def test_the_last_text_says_what_happened_and_who_won() -> None:
    race = TextRace(opponents=["random"], names=["Anna"])
    race.play(reader.answer, seed=1)
    text = race.get_observation()[1]
    assert "Anna reaches checkpoint 3 of 3." in text
    assert "Anna wins in round" in text
    assert text.rpartition("\n\n")[2].splitlines()[1:] == [
        "1. Anna (you): 3 of 3 checkpoints", "2. random: 0 of 3 checkpoints"
    ]  # fmt: skip


def test_news_have_a_line_for_each_register() -> None:
    race = TextRace(opponents=["random"], rules={"upgrades": False})
    race.reset(seed=1)
    first = race.get_observation()[1]
    assert "So far:\n- Round 1: " in first
    race.step(reader.answer(first))
    news = race.get_observation()[1].partition("Since your last answer:\n")[2].partition("\n\n")[0].splitlines()
    heads = [line.partition(":")[0] for line in news]
    assert heads == ["- Round 1, continued", *(f"- Register {k}" for k in range(1, 6)), "- Round 2"]


def test_a_robot_that_falls_is_off_the_board_when_its_heading_is_asked() -> None:
    race = TextRace(opponents=["random"], rules={"upgrades": False}, decisions="all")
    seats, kind = first_program(race)[0], PROGRAM
    for seed in range(40):
        seats, question = first_program(race, seed)
        rest = [name for name in question.hand if name not in ("u_turn", "move_3")]
        if "u_turn" in question.hand and "move_3" in question.hand:
            race.step(", ".join(["u_turn", "move_3", *rest[:3]]))
            kind = seats.question.kind if seats.question else ""
            if kind != PROGRAM:
                break
    assert kind == "reboot_facing"
    text = race.get_observation()[1]
    assert "player 1 falls off the board" in text
    assert "- player 1 (you): off the board" in text
    assert "Round 1, register 2. You are player 1." in text


def test_upgrades_of_robots_have_their_rules_and_outcomes_have_names() -> None:
    race = TextRace("community/hot_floor", opponents=["random"], decisions="all", max_rounds=15)
    race.reset(seed=1)
    options, owned = "", False
    while not race.done:
        text = race.get_observation()[1]
        owned |= "Their upgrades:\n- " in text
        asked = text.rpartition("Options:\n")[2] if "Options:\n" in text else ""
        assert len(asked.splitlines()) != 2, "one option is no choice"
        options += asked
        bought = [name for name in re.findall(r"^- (\S+)", asked, re.MULTILINE) if name != "no"]
        race.step(bought[0] if bought else reader.answer(text))
    assert owned
    assert "damage" in options
    assert "random takes" in options
    assert "robot 1" not in options


def first_program(race: TextRace, seed: int = 1) -> tuple[Seats, Any]:
    """The race at its first program."""
    race.reset(seed=seed)
    seats = race._started()
    while seats.question is not None and seats.question.kind != PROGRAM:
        seats.play_default(seats.question)
    return seats, seats.question


def test_programs_are_read_in_many_spellings() -> None:
    seats, question = first_program(TextRace(opponents=["random"], rules={"upgrades": False}))
    kind, hand = seats.race.batch.kind, question.hand
    program = [name for name in hand if name != "again"][:5]
    expected = read_program(", ".join(program), question, kind)
    spellings = [
        " ".join(program),
        f"Let me think.\nMove there, then here.\n\nAnswer: {', '.join(program)}.\n",
        "; ".join(name.replace("_", " ").title() for name in program),
        ", ".join(f"{k + 1}. {name}" for k, name in enumerate(program)),
        f"**[{', '.join(program)}]**",
    ]
    for spelling in spellings:
        assert read_program(spelling, question, kind) == expected, spelling


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "empty"), ("...", "empty"), (7, "int"), ("move_1", "1 card"), ("rail_gun, a, b, c, d", "rail_gun"),
        ("{hand}, {hand}", "cards"), ("{first}, {first}, {first}, {first}, {first}", "only"),
        ("{five}, power down", "power down"), ("x" * 100_000, "1 card"), ("\x1b[2J, a, b, c, d", "hand"),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_explained_in_one_line_and_changes_nothing(text: Any, fact: str) -> None:
    seats, question = first_program(TextRace(opponents=["random"], rules={"upgrades": False}))
    hand = question.hand
    if isinstance(text, str):
        text = text.format(hand=", ".join(hand), first=hand[0], five=", ".join(hand[:5]))
    with pytest.raises(AnswerError, match=re.escape(fact)) as raised:
        seats.answer(question, text)
    assert str(raised.value).isprintable()
    assert len(str(raised.value)) < 500
    assert seats.question is question


def test_after_some_wrong_answers_the_default_is_played_and_counted() -> None:
    race = TextRace(opponents=["random"], rules={"upgrades": False}, max_rounds=1, tries=2)
    race.reset(seed=1)
    done, info = race.step("north")
    assert not done
    assert not info["accepted"]
    assert not info["default"]
    assert info["error"] in race.get_observation()[1]
    done, info = race.step("north again")
    assert info["default"]
    assert done
    rewards, info = race.close()
    assert info["faults"] == {0: 1}
    assert info["wrong"] == {0: 2}
    assert set(rewards) == {0}
    with pytest.raises(RoboRallyError):
        race.step("move_1")


def test_again_may_not_lie_in_register_one() -> None:
    race = TextRace(opponents=["random"], rules={"upgrades": False})
    for seed in range(40):
        race.reset(seed=seed)
        seats = race._started()
        question = seats.question
        assert question is not None
        if "again" in question.hand:
            break
    rest = [name for name in question.hand if name != "again"]
    with pytest.raises(AnswerError, match="register 1"):
        seats.answer(question, ", ".join(["again", *rest[:4]]))
    assert "Register 1 does not take: again." in race.get_observation()[1]
    _, info = race.step(", ".join([rest[0], "again", *rest[1:4]]))
    assert info["accepted"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_text_says_nothing_that_the_player_does_not_see(edition: str) -> None:
    race = TextRace(edition=edition, opponents=["greedy", "random"], max_rounds=6)
    race.reset(seed=2)
    seats = race._started()
    for _ in range(3):
        question = seats.question
        if question is None:
            break
        shown = position_text(seats.race, question.robot)
        own = seats.race.batch
        for seed in range(3):
            seats.race.batch = own.redeal(question.robot, seed)
            assert position_text(seats.race, question.robot) == shown
        seats.race.batch = own
        seats.play_default(question)


def test_only_the_first_text_has_the_course_if_wanted() -> None:
    race = TextRace(opponents=["random"], rules={"upgrades": False}, repeat_course=False)
    race.reset(seed=1)
    first = race.get_observation()[1]
    race.step(reader.answer(first))
    assert "Course " in first
    assert "Course " not in race.get_observation()[1]


@pytest.mark.parametrize(
    "options",
    [
        {"course": "nowhere"}, {"edition": "2017"}, {"players": 0}, {"opponents": ["nobody"]}, {"tries": 0},
        {"decisions": "some"}, {"repeat_course": 1}, {"players": 9}, {"rules": {"gravity": 1}}, {"opponents": []},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_arguments_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RoboRallyError) as raised:
        TextRace(**options)
    assert "\n" not in str(raised.value)


def test_wrong_calls_are_refused() -> None:
    race = TextRace(opponents=["random"])
    for call in (race.get_observation, race.close, lambda: race.step("no"), race.replay):
        with pytest.raises(RoboRallyError, match="reset"):
            call()
    with pytest.raises(RoboRallyError, match="num_players"):
        race.reset(num_players=2)
    with pytest.raises(RoboRallyError, match="agents"):
        race.play([reader.answer, reader.answer])


def test_robots_of_one_player_have_names_of_their_own() -> None:
    race = TextRace("interference", edition="2005", opponents=["random"] * 3, max_rounds=2)
    race.reset(seed=2)
    asked = []
    while not race.done:
        text = race.get_observation()[1]
        asked.append(re.search(r"You are (.*)\.", text)[1])  # type: ignore[index]
        assert text.count(f"- {asked[-1]} (you): ") == text.count(" (you): ") == 1
        assert "random 2's robot 3" in text
        race.step(example(text))
    assert set(asked) == {"player 1's robot 0", "player 1's robot 1"}
    assert "player 1's robot 1 (you): " in race.get_observation()[1]


def example(text: str) -> str:
    """The program that a text gives as an example."""
    return text.rpartition("For example: ")[2].splitlines()[0] if "For example: " in text else "no"


@pytest.mark.parametrize("course", ["interference", "capture_the_flag"])
def test_a_team_has_one_place(course: str) -> None:
    race = TextRace(course, edition="2005", opponents=["random"] * 3, max_rounds=size(30, 60), players=1)
    for seed in range(size(3, 10)):
        race.play(lambda text: example(text), seed=seed)
        rewards, info = race.close()
        teams = race._started().race.batch.games["team"][0].tolist()
        firsts = {teams[robot] for robot, place in enumerate(info["places"]) if place == 1}
        if len(firsts) == 1:
            assert (rewards[0] == 1) == (firsts == {teams[0]})
        assert -1 <= rewards[0] <= 1


AIMS = {
    "burnout": (["in order wins", "One reboot token"], "no flags are needed"),
    "capture_the_flag": (["carrying the enemy flag home", "two teams of equal size"], "in order wins"),
    "interference": (["flags 1 to 3 in order wins", "a racer and a blocker"], "no flags are needed"),
    "tight_collar": (["in order wins"], "enemy flag"),
}


@pytest.mark.parametrize(("course", "said", "not_said"), [(k, *v) for k, v in AIMS.items()], ids=AIMS)
def test_the_goal_is_that_of_the_special_rules(course: str, said: list[str], not_said: str) -> None:
    edition = "2016" if course == "burnout" else "2005"
    text = goal_text(load_course(course, edition))
    assert all(each in text for each in said)
    assert not_said not in text


def test_a_robot_whose_registers_are_all_locked_is_asked_at_most_for_a_power_down() -> None:
    race = TextRace(edition="2005", opponents=["random"], max_rounds=3)
    race.reset(seed=1)
    inner = race._started().race
    while inner.round < 2:
        race.step(example(race.get_observation()[1]))
    question = race._started().question
    assert question is not None
    assert question.kind == PROGRAM
    closed = dataclasses.replace(question, hand=(), registers=tuple(Register((), "move_1") for _ in range(5)))
    text = question_text(inner, dataclasses.replace(closed, may_power_down=True))
    assert "0 cards" not in text
    for words, down in (("no", False), ("none", False), ("power down", True)):
        asked = dataclasses.replace(closed, may_power_down=True)
        assert read_program(words, asked, inner.batch.kind) == ([None] * 5, down)
    seats = race._started()
    assert not seats._is_asked(dataclasses.replace(closed, may_power_down=False))
    assert seats._default(closed) == [None] * 5
