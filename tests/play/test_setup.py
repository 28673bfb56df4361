"""What is raced is checked before anything starts."""

from typing import Any

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.play.setup import check_play


def test_people_have_the_first_seats_and_bots_the_others() -> None:
    setup = check_play("twister", ["random", "greedy", "random"], humans=2, names=["Ann"])
    assert setup.names == ("Ann", "player 2", "random 2", "greedy", "random 4")  # the numbers of their robots
    assert setup.players == 5


def test_a_bot_is_told_apart_from_a_person_of_its_name() -> None:
    setup = check_play("twister", ["random", "greedy", "random"], names=["random"])
    assert setup.names == ("random", "random 1", "greedy", "random 3")
    assert check_play("twister", ["random"]).names == ("player 1", "random")


def test_usual_opponents_make_four_players_or_the_nearest_number_that_the_course_allows() -> None:
    assert check_play().opponents == ("planner", "greedy", "learned")
    assert check_play("terraces", edition="community").opponents == ("planner", "greedy", "learned")
    assert check_play(humans=3).opponents == ("planner",)
    assert check_play(humans=5).opponents == ()
    for course in ("2005/toggle_boggle", "2005/capture_the_flag"):
        setup = check_play(course)
        assert setup.players in setup.course.counts


def test_in_interference_a_player_has_two_robots() -> None:
    setup = check_play("2005/interference", ["random"] * 3)
    assert setup.robots_each == 2
    assert list(setup.robots_of(1)) == [2, 3]
    assert setup.names == ("player 1",) * 2 + ("random 2",) * 2 + ("random 4",) * 2 + ("random 6",) * 2


def test_people_may_race_without_bots() -> None:
    assert check_play(opponents=["none"], humans=2).opponents == ()


def test_a_seed_is_drawn_where_none_is_given() -> None:
    assert check_play().seed != check_play().seed
    assert check_play(seed=5).seed == 5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"course": "dizzy_higway"}, "course"),
        ({"opponents": ["planer"]}, "planner"),
        ({"opponents": "planner"}, "agents"),
        ({"humans": 0}, "humans.*1.*8"),
        ({"humans": 1.5}, "humans"),
        ({"humans": 4, "opponents": ["random"] * 3}, "7.*4.*3"),
        ({"opponents": ["none"]}, "1.*1.*0"),
        ({"edition": "comunity"}, "community"),
        ({"rules": {"timer": True}}, "rules.timer.*timer"),
        ({"timer": 0}, "timer.*1.*3600.*0"),
        ({"timer": 30, "bot_time": -1}, "bot_time.*0.*3600"),
        ({"rules": {"upgrade": False}}, "upgrades"),
        ({"course": "2005/risky_exchange", "rules": {"lives": 4}}, "rules.lives"),
        ({"seed": -1}, "seed"),
        ({"max_rounds": 0}, "max_rounds"),
        ({"names": ["a", "b"]}, "names.*1"),
        ({"names": ["a" * 25]}, "1.*24"),
        ({"names": [" "]}, "1.*24"),
        ({"humans": 2, "names": ["a", "a"]}, "names"),
    ],
)
def test_a_wrong_value_is_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(RoboRallyError, match=message):
        check_play(**given)
