"""Races of people by the 2023 edition: what is asked, in words, and what the others see."""

import random

from roborally_env.core.choices import KINDS_2023, NAMES
from roborally_env.play.questions import Question
from roborally_env.replay import load, play, save

from .helpers import answer_all, new_race

GIVEN = {"course": "2023/dizzy_highway", "opponents": ["random"], "humans": 2}


def test_a_race_is_played_to_its_end_with_every_question_in_words(tmp_path):
    seen: dict[str, Question] = {}
    for seed in range(2):
        race, dice = new_race(**GIVEN, seed=seed, max_rounds=4), random.Random(seed)
        while not race.over:
            for question in answer_all(race, dice):
                seen[question.kind] = question
            race.step()
        save(race.replay(), tmp_path / "race.json")
        *_, end = play(load(tmp_path / "race.json"))
        assert end.over
    assert {NAMES[kind] for kind in KINDS_2023} < set(seen)
    for question in seen.values():
        assert question.text[0].isupper()
        assert question.text[-1] in ".?"
        titles = [answer.title for answer in question.answers]
        assert len(set(titles)) == len(titles)
        assert not any("_" in title for title in titles)
    draw, install = seen["draw_upgrade"], seen["install_upgrade"]
    assert "energy cube" in draw.text
    assert [answer.title for answer in draw.answers] == ["Draw nothing", "Draw one"]
    assert install.answers[0].title == "Install nothing"
    assert all(answer.hint and answer.cost is not None for answer in install.answers[1:])
    assert seen["uninstall_upgrade"].answers[0].title == "Discard nothing"


def test_a_page_is_never_sent_what_others_collect():
    race, dice = new_race(**GIVEN, seed=3, max_rounds=4), random.Random(3)
    collected = 0
    while not race.over:
        answer_all(race, dice)
        race.step()
        for player, timeline in enumerate(race.timelines):
            for chunk in timeline.chunks:
                for number, robot in enumerate(chunk["state"]["robots"]):
                    is_own = number == player < GIVEN["humans"]  # the last timeline is for all who watch
                    assert isinstance(robot["collection"], list) == is_own
                    collected += 0 if is_own else robot["collection"]
    assert collected
