"""Prioritised level replay: what is drawn by which scores, and that it goes on as it was."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.courses.generate.level_replay import CURRICULA, LevelReplay
from roborally_env.courses.generate.mixture import Mixture

NAMED = ["twister", "dizzy_highway", "burnout", "undertow"]
VALUES = dict(zip(NAMED, (0.8, 0.1, 0.45, 0.6), strict=True))


def scored(curriculum: str, **given: float) -> LevelReplay:
    """A curriculum over the named courses, each of which was seen once."""
    replay = LevelReplay(Mixture(NAMED), curriculum, seed=1, **given)
    assert replay.draw(4) == NAMED
    for name, value in VALUES.items():
        replay.note(name, 2 * value, 2)
    return replay


@pytest.mark.parametrize(
    ("curriculum", "order"),
    [
        ("regret", ["twister", "undertow", "burnout", "dizzy_highway"]),
        ("success", ["burnout", "undertow", "twister", "dizzy_highway"]),
        ("weakest", ["dizzy_highway", "burnout", "undertow", "twister"]),
    ],
)
def test_courses_are_drawn_in_the_order_of_their_scores(curriculum: str, order: list[str]) -> None:
    drawn = Counter(scored(curriculum, staleness=0.0).draw(4000))
    shares = [drawn[name] / 4000 for name in order]
    assert all(one > other for one, other in pairwise(shares))
    # by rank, 1 / rank at temperature 1
    np.testing.assert_allclose(shares, np.array([1, 1 / 2, 1 / 3, 1 / 4]) / (25 / 12), atol=0.03)


def test_a_low_temperature_draws_the_best_alone_and_a_high_one_all_alike() -> None:
    cold, hot = (scored("regret", staleness=0.0, temperature=t) for t in (0.05, 1000.0))
    assert set(cold.draw(200)) == {"twister"}
    assert min(Counter(hot.draw(2000)).values()) > 400


def test_courses_that_came_long_ago_come_by_staleness() -> None:
    replay = scored("regret", staleness=1.0, temperature=0.05)
    before = set(NAMED)
    for _ in range(9):
        drawn = set(replay.draw(2))
        # those that came just now do not come again, where others have waited
        assert drawn.isdisjoint(before) or before == set(NAMED)
        before = drawn


def test_new_courses_come_as_long_as_there_are_any() -> None:
    replay = LevelReplay(Mixture(["twister", "generated:levels=5"]), "regret", fresh=1.0)
    first = replay.draw(4)
    assert first[0] == "twister"
    assert set(first) == replay.first_time
    assert len(set(first)) == 4
    second = replay.draw(4)
    assert len(replay.first_time) == 2
    assert second[:2] == [name for name in second if name in replay.first_time]
    replay.draw(4)
    assert replay.first_time == set()
    assert len(replay.levels) == 6


def test_more_places_than_courses_are_filled() -> None:
    replay = LevelReplay(Mixture(["generated:levels=1"]), "success")
    assert replay.draw(3) == ["generated:number=0"] * 3 == replay.draw(3)


def test_half_of_the_courses_are_new_by_default_where_they_never_end() -> None:
    replay = LevelReplay(Mixture(["generated"]), "regret", seed=3)
    replay.draw(50)
    counts = [len(replay.first_time) for _ in range(20) if replay.draw(50)]
    assert 22 < np.mean(counts) < 28


def test_values_are_means_in_which_what_is_old_fades() -> None:
    replay = scored("regret", memory=2.0)
    replay.note("twister", 0.0, 2)
    assert replay.levels["twister"].value == pytest.approx(0.4)
    replay.note("twister", 0.0, 2)
    assert replay.levels["twister"].value == pytest.approx(0.2)  # not 0.27, as the mean of all
    before = replay.state_dict()
    replay.note("nowhere", 5.0, 1)
    replay.note("twister", 0.0, 0)
    assert replay.state_dict() == before


def test_a_course_of_which_nothing_is_known_comes_first() -> None:
    replay = scored("weakest", staleness=0.0, temperature=0.05)
    replay.levels["undertow"].weight = 0.0
    assert set(replay.draw(50)) == {"undertow"}


def test_of_too_many_generated_courses_the_lowest_are_forgotten_and_no_named_one() -> None:
    replay = LevelReplay(Mixture(["twister", "generated"]), "regret", fresh=1.0, most=3)
    drawn = replay.draw(6)
    for value, name in enumerate(drawn):
        replay.note(name, float(value), 1)
    replay.draw(1)
    assert set(replay.levels) == {"twister", *drawn[-2:], *replay.first_time}


@pytest.mark.parametrize("curriculum", CURRICULA)
def test_it_goes_on_as_it_was(curriculum: str) -> None:
    def notes(replay: LevelReplay, drawn: list[str]) -> None:
        for place, name in enumerate(drawn):
            replay.note(name, (7 * place % 5) / 5, 1)

    whole = LevelReplay(Mixture(["twister", "generated:levels=40"]), curriculum, seed=5)
    for _ in range(3):
        notes(whole, whole.draw(8))
    state = json.loads(json.dumps(whole.state_dict()))
    again = LevelReplay(Mixture(["twister", "generated:levels=40"]), curriculum, seed=99)
    again.load_state_dict(state)
    for _ in range(4):
        drawn = whole.draw(8)
        assert drawn == again.draw(8)
        assert whole.first_time == again.first_time
        for each in (whole, again):
            notes(each, drawn)
    assert whole.state_dict() == again.state_dict()
    other = LevelReplay(Mixture(["twister", "generated:levels=40"]), curriculum, seed=6)
    assert other.draw(8) != LevelReplay(Mixture(["twister", "generated:levels=40"]), curriculum, seed=5).draw(8)


def test_an_unknown_curriculum_is_told() -> None:
    with pytest.raises(RoboRallyError, match=r"curriculum: expected one of regret.*did you mean regret"):
        LevelReplay(Mixture(["twister"]), "regrets")
