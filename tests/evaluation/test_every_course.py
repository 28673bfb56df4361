"""Every course can be finished: greedy robots reach its last checkpoint."""

import numpy as np
import pytest
from roborally_env.agents import Info, make_agent

from roborally_env import BatchRace, course_names

GAMES, PLAYERS = 4, 3
MOST_ROUNDS = 150


@pytest.mark.parametrize("course", course_names("2016"))
def test_greedy_robots_finish_the_course(course: str) -> None:
    race = BatchRace(
        GAMES, course, players=PLAYERS, observation="none", seed=5, auto_reset=False, max_rounds=MOST_ROUNDS
    )
    greedy = make_agent("greedy")
    games = np.repeat(np.arange(GAMES), PLAYERS)
    seats = np.tile(np.arange(PLAYERS), GAMES)
    while not race.over.all():
        masks = race.observations["masks"][games, seats]
        race.step(greedy.act(None, masks, Info(race, games, seats)).reshape(GAMES, PLAYERS, 5))
    assert (race.results["winner"] >= 0).all()
    assert (race.results["reached"].max(axis=1) == race.maps.courses[0].checkpoints).all()
