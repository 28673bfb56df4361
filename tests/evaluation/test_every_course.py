"""Every course can be finished: greedy robots reach its last checkpoint."""

import numpy as np
import pytest
from roborally_env.agents import make_agent

from roborally_env import BatchRace, course_names
from roborally_env.evaluation.races import decide
from tests.games import FULL, both_games

GAMES, PLAYERS = 4, 3
MOST_ROUNDS = 150


@both_games
@pytest.mark.parametrize("course", course_names("2016"))
def test_greedy_robots_finish_the_course(course, rules):
    race = BatchRace(
        GAMES, course, players=PLAYERS, rules=rules, observation="none", seed=5, auto_reset=False,
        max_rounds=MOST_ROUNDS,
    )  # fmt: skip
    everybody = np.zeros((GAMES, PLAYERS), np.int64)
    while not race.over.all():
        race.step(*decide(race, [make_agent("greedy")], everybody))
    assert (race.results["winner"] >= 0).all()
    assert (race.results["reached"].max(axis=1) == race.maps.courses[0].checkpoints).all()
    if rules == FULL:
        assert race.games["bought"].any()
