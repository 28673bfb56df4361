"""Prioritised level replay: what is drawn by which scores, and that it goes on as it was."""

import json
import re
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.courses import load_course
from roborally_env.generated import mutate
from roborally_env.generated.level_replay import CURRICULA, LevelReplay
from roborally_env.generated.mixture import Mixture

NAMED = ["twister", "dizzy_highway", "burnout", "undertow"]
VALUES = dict(zip(NAMED, (0.8, 0.1, 0.45, 0.6), strict=True))


def scored(curriculum: str, **given: float) -> LevelReplay:
    """A curriculum over the named courses, each of which was seen once."""
    replay = LevelReplay(Mixture(NAMED), curriculum, seed=1, **given)
    assert replay.draw(4) == NAMED
    for name, value in VALUES.items():
        replay.note(name, 2 * value, 2)
    replay.note_rounds("burnout", 2.0)
    return replay


@pytest.mark.parametrize(
    ("curriculum", "order"),
    [
        ("regret", ["twister", "undertow", "burnout", "dizzy_highway"]),
        ("race_regret", ["burnout", "twister", "undertow", "dizzy_highway"]),
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


def edited(replay: LevelReplay) -> list[str]:
    """The new levels of the last draw that are changes of others."""
    return sorted(name for name in replay.first_time if replay.mixture.changes(name))


def test_a_share_of_the_new_courses_are_changes_of_those_with_a_high_score() -> None:
    replay = scored("regret", fresh=1.0, edit=0.25, temperature=0.5)
    replay.mixture = Mixture([*NAMED, "generated"])
    counts, parents = [], Counter[str]()
    for _ in range(20):
        new = replay.draw(20)
        assert set(new) == replay.first_time
        counts.append(len(edited(replay)))
        parents.update(name.rpartition("~")[0] for name in edited(replay))
        for name in new:
            replay.note(name, 0.0, 1)  # so that the named ones keep the highest scores
    assert 4 < np.mean(counts) < 6
    assert set(parents) >= {"twister", "undertow", "burnout"}
    assert parents["twister"] > 2 * parents["undertow"] > 2 * parents["burnout"]  # by rank, 1 / rank^2
    # numbered by how often a course was changed, and `load_course` makes them again
    mine = [name for name in replay.levels if name.rpartition("~")[0] == "twister"]
    assert mine == [f"twister~{seed}" for seed in range(parents["twister"])]
    assert load_course(mine[3]) == mutate("twister", 3) == replay.mixture.course(mine[3])


def test_changes_of_changes_end_where_they_are_too_many() -> None:
    replay = LevelReplay(Mixture(["twister"]), "regret", fresh=1.0, edit=1.0, longest=3)
    for _ in range(8):
        for name in replay.draw(6):
            replay.note(name, float(replay.mixture.changes(name)), 1)  # the longest chains have the highest scores
    changes = Counter(map(replay.mixture.changes, replay.levels))
    assert set(changes) == {0, 1, 2, 3}
    assert changes[3] > changes[2] > 0
    chain = next(name for name in replay.levels if replay.mixture.changes(name) == 3)
    course = load_course("twister")
    for seed in chain.split("~")[1:]:
        course = mutate(course, int(seed))
    assert replay.mixture.course(chain) == load_course(chain) == course


def test_nothing_is_changed_that_has_no_score_or_cannot_be_changed() -> None:
    replay = LevelReplay(Mixture(["interference", "2005/twister"], "2005"), "regret", fresh=1.0, edit=1.0)
    assert replay.draw(4)[:2] == ["interference", "2005/twister"]
    replay.draw(2)
    assert not edited(replay)
    replay.note("interference", 9.0, 1)  # a course with special rules
    replay.draw(2)
    assert not edited(replay)
    assert replay.levels["interference"].fixed
    replay.note("2005/twister", 1.0, 1)
    assert replay.draw(2) == ["2005/twister~0", "2005/twister~1"]


def test_a_changed_course_stays_if_its_score_is_high_enough() -> None:
    replay = LevelReplay(Mixture(["twister"]), "regret", fresh=1.0, edit=1.0, most=3)
    replay.draw(1)
    replay.note("twister", 1.0, 1)
    for value, name in zip((0.3, 0.1, 0.2), replay.draw(3), strict=True):
        replay.note(name, value, 1)
    replay.draw(1)
    (new,) = replay.first_time
    assert list(replay.levels) == ["twister", "twister~0", "twister~2", new]
    replay.note(new, 0.0, 1)
    replay.draw(1)
    assert new not in replay.levels
    assert set(replay.levels) == {"twister", "twister~0", "twister~2", *replay.first_time}


def test_without_editing_no_draw_is_another() -> None:
    plain, also = (LevelReplay(Mixture(["generated"]), "regret", seed=2, **given) for given in ({}, {"edit": 0.0}))
    for _ in range(3):
        assert plain.draw(9) == also.draw(9)
        for name in plain.levels:
            plain.note(name, len(name), 1)
            also.note(name, len(name), 1)
    assert not any("~" in name for name in plain.levels)


def test_what_is_known_is_told_in_numbers_and_in_rows() -> None:
    replay = LevelReplay(Mixture(["dizzy_highway", "twister~7"]), "weakest", fresh=1.0, edit=1.0)
    assert replay.summary() == {"known": 0, "draws": 0}
    replay.draw(2)
    replay.note("dizzy_highway", 1.0, 4)
    replay.note("twister~7", 2.0, 4)
    replay.note_rounds("twister~7", 7.5)
    replay.note_rounds("nowhere", 1.0)
    replay.draw(1)
    (new,) = replay.first_time
    assert replay.summary() == {"known": 3, "draws": 2, "score_mean": 0.625, "score_max": 0.75}
    assert replay.table() == [
        {"level": "dizzy_highway", "score": 0.75, "times": 1, "last_draw": 1, "rounds": None, "changes": 0},
        {"level": "twister~7", "score": 0.5, "times": 1, "last_draw": 1, "rounds": 7.5, "changes": 0},
        {"level": new, "score": None, "times": 1, "last_draw": 2, "rounds": None, "changes": 1},
    ]


def test_levels_of_an_earlier_version_are_read() -> None:
    replay = scored("regret")
    state = replay.state_dict()
    for level in state["levels"].values():
        for key in ("times", "edits", "fixed", "rounds"):
            del level[key]
    replay.load_state_dict(state)
    assert replay.levels["twister"].value == 0.8


@pytest.mark.parametrize("edit", [0.0, 0.5])
@pytest.mark.parametrize("curriculum", CURRICULA)
def test_it_goes_on_as_it_was(curriculum: str, edit: float) -> None:
    def notes(replay: LevelReplay, drawn: list[str]) -> None:
        for place, name in enumerate(drawn):
            replay.note(name, (7 * place % 5) / 5, 1)

    whole = LevelReplay(Mixture(["twister", "generated:levels=40"]), curriculum, seed=5, edit=edit)
    for _ in range(3):
        notes(whole, whole.draw(8))
    state = json.loads(json.dumps(whole.state_dict()))
    again = LevelReplay(Mixture(["twister", "generated:levels=40"]), curriculum, seed=99, edit=edit)
    again.load_state_dict(state)
    for _ in range(4):
        drawn = whole.draw(8)
        assert drawn == again.draw(8)
        assert whole.first_time == again.first_time
        for each in (whole, again):
            notes(each, drawn)
    assert whole.state_dict() == again.state_dict()
    assert any("~" in name for name in whole.levels) == (edit > 0)
    other = LevelReplay(Mixture(["twister", "generated:levels=40"]), curriculum, seed=6)
    assert other.draw(8) != LevelReplay(Mixture(["twister", "generated:levels=40"]), curriculum, seed=5).draw(8)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"curriculum": "regrets"},
            "curriculum.*regret, race_regret, success, weakest",
        ),
        ({"temperature": 0}, "temperature.*0.*0"),
        ({"temperature": float("nan")}, "temperature.*0.*nan"),
        ({"fresh": 2}, "fresh.*0.*1.*2"),
        ({"staleness": -1}, "staleness.*0.*1.*1"),
        ({"edit": "half"}, "edit.*0.*1.*'half'"),
        ({"edit": True}, "edit.*0.*1"),
        ({"longest": 0}, "longest.*1.*1000.*0"),
        ({"most": 0}, "most.*1.*10000000.*0"),
        ({"memory": 0.0}, r"memory.*0.*0\.0"),
        ({"seed": -1}, "seed.*0"),
    ],
)
def test_wrong_arguments_are_refused_at_once(given: dict[str, Any], message: str) -> None:
    with pytest.raises(RoboRallyError) as caught:
        LevelReplay(Mixture(["twister"]), **{"curriculum": "regret", **given})
    assert re.search(message, str(caught.value))
