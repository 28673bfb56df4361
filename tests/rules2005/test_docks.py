"""Which docks robots start on: 2005 rulebook p. 3, step 5; R88."""

import numpy as np
import pytest

from roborally_env.batch import BatchRace
from roborally_env.courses.tables import tables_of
from tests.games import seated

GAMES = 40


def docks(course: str, players: int, **rules: object) -> np.ndarray:
    """The docks, from 1, on which the robots start: [games, robots]."""
    batch = BatchRace(GAMES, course, players=players, seed=1, edition="2005", rules=rules, observation="none")
    cells = tables_of(batch.courses[0])[0]["dock"].tolist()
    starts = seated(batch, "start")[:, : batch.players]
    return np.array([[1 + cells.index(cell) for cell in row] for row in starts.tolist()])


@pytest.mark.parametrize("players", [2, 3, 8])
def test_n_robots_stand_on_docks_1_to_n(players):
    """R88; p. 3: the first player takes dock 1, the next one dock 2, and so on. Who is first is drawn."""
    found = docks("risky_exchange", players)
    assert (np.sort(found, axis=1) == np.arange(1, players + 1)).all()
    assert len({tuple(row) for row in found.tolist()}) > 1


def test_by_option_docks_are_taken_in_order_of_seats():
    """R88, switch `starts`."""
    assert (docks("risky_exchange", 3, starts="listed") == [1, 2, 3]).all()


def test_both_robots_of_a_player_have_a_dock():
    """R88; p. 26: of two players with a racer and a blocker each four docks are taken."""
    assert (np.sort(docks("interference", 2), axis=1) == [1, 2, 3, 4]).all()


@pytest.mark.parametrize("players", [5, 8])
def test_the_robot_on_dock_1_is_the_superbot(players):
    """R88; p. 25: the robot that starts the game on Dock 1. Somebody always does."""
    batch = BatchRace(
        GAMES, "day_of_the_superbot", players=players, seed=1, edition="2005", observation="none", auto_reset=False
    )
    first = int(tables_of(batch.courses[0])[0]["dock"][0])
    games = np.arange(GAMES)
    assert (batch.games["start"][games, batch.games["superbot"]] == first).all()
    assert (batch.games["dock"][games, batch.games["superbot"]] == 0).all()
