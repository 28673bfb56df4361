"""The whole symbolic vector of every kind of game, held to the slow reference bit by bit."""

from typing import Any

import numpy as np
import pytest

from roborally_env import BatchRace
from tests.properties.seen import assert_seen

GAMES: dict[str, dict[str, Any]] = {
    "lighter": {"course": ["dizzy_highway", "burnout", "twister"], "rules": {"upgrades": False}},
    "complete": {"course": ["dizzy_highway", "burnout", "undertow"]},
    "2023": {"course": ["chop_shop_challenge", "twister"], "edition": "2023"},
    "2005": {"course": ["risky_exchange", "robot_stew", "option_world"], "edition": "2005"},
    "community": {"course": ["hot_floor", "terraces", "summit_works", "rain_yard"], "edition": "community"},
}
DECISIONS = ("program", "all")
every_game = pytest.mark.parametrize("game", list(GAMES))


def batch_of(game: str, **options: Any) -> BatchRace:
    """Four races that are cut after a few rounds, so that new ones begin on other courses."""
    return BatchRace(4, **{"players": 4, "seed": 3, "max_rounds": 6, **GAMES[game], **options})


def play(batch: BatchRace, steps: int, stride: int = 1) -> None:
    """`steps` steps of random legal answers; the vectors are compared after each `stride` of them."""
    for step in range(steps):
        batch.sample(step)
        batch.step_prepared()
        if step % stride == 0:
            assert_seen(batch, f"after step {step}")


@pytest.mark.parametrize("decisions", DECISIONS)
@every_game
def test_every_number_is_what_the_reference_says(game: str, decisions: str) -> None:
    batch = batch_of(game, decisions=decisions)
    assert_seen(batch, "at the start")
    play(batch, 120, 3)
    assert batch.games["episode"].any()


@every_game
def test_rows_of_who_is_asked(game: str) -> None:
    play(batch_of(game, decisions="all", players=3, observe_idle=False), 60, 2)


@pytest.mark.parametrize("players", [2, 6])
@every_game
def test_few_and_many_robots(game: str, players: int) -> None:
    course = "risky_exchange" if game == "2005" else GAMES[game]["course"][0]
    play(batch_of(game, players=players, course=course), 12, 4)


def test_a_robot_off_the_board_sees_no_levels() -> None:
    """Its rows of the others are copied from a player who stands on the board, perhaps on another level than they."""
    batch = batch_of("community", course="summit_works", decisions="all")
    raised = np.flatnonzero(batch.maps.courses[0]["level"])
    off_board = 0
    for step in range(90):
        batch.sample(step)
        batch.step_prepared()
        games, robots = np.nonzero(batch.games["cell"][:, :4] >= 0)
        if len(games) < 16:
            lifted = batch.copy()
            lifted.games["cell"][games, robots] = raised[10 * robots + step % 10]
            lifted.observe()
            assert_seen(lifted, f"after step {step}")
            off_board += 1
    assert off_board > 10


@pytest.mark.parametrize("dtype", ["float16", "uint8"])
@every_game
def test_fewer_bytes(game: str, dtype: str) -> None:
    play(batch_of(game, dtype=dtype), 30, 6)


@every_game
def test_games_that_are_reset_restored_and_copied(game: str) -> None:
    batch = batch_of(game, decisions="all")
    play(batch, 20, 20)
    kept = batch.snapshot()
    play(batch, 10, 10)
    batch.reset(mask=np.array([True, False, False, True]))
    assert_seen(batch, "after a reset of some")
    batch.restore(kept)
    assert_seen(batch, "after restore")
    batch.clone(0, 2)
    assert_seen(batch, "after clone")
    assert_seen(batch.copy(), "in a copy")
    play(batch, 10, 5)


# teams, a SuperBot, blockers, boards that turn, flags that are carried or ride on belts
SPECIAL = {
    "frenetic_factory": 5,
    "day_of_the_superbot": 5,
    "interference": 2,
    "capture_the_flag": 4,
    "toggle_boggle": 4,
    "tandem_carnage": 4,
    "moving_targets": 8,
}


@pytest.mark.parametrize("course", list(SPECIAL))
def test_courses_of_2005_with_rules_of_their_own(course: str) -> None:
    play(batch_of("2005", course=course, players=SPECIAL[course], decisions="all", max_rounds=30), 160, 8)


@pytest.mark.parametrize("game", ["lighter", "2005", "community"])
def test_courses_drawn_anew(game: str) -> None:
    edition = {"lighter": "2016"}.get(game, game)
    batch = batch_of(game, course="generated:difficulty=3", edition=edition, max_rounds=3)
    play(batch, 24, 4)
    assert batch.games["episode"].any()
    batch.close()
