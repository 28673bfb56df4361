"""What `learned-search` does where the race may end soon: it plays programs and purchases out to the end of it."""

import numpy as np
import pytest
from roborally_env.agents import Info, make_agent
from roborally_env.agents.learned_search import may_end
from roborally_env.agents.play_out import drop_worse

from roborally_env import BatchRace

SPEC = "learned-search:effort=0.02"
PLAYERS = 4


def race(purchases: int = 0, rounds: int = 0, games: int = 4, course: str = "dizzy_highway") -> BatchRace:
    """Races that wait for programs after so many rounds, or with `purchases` for the first purchase."""
    batch = BatchRace(games, course, players=PLAYERS, observation="none", seed=8)
    while not purchases and not (batch.programming & (batch.games["round_number"] > rounds)).all():
        batch.step(*batch.sample())
    return batch


def decisions(agent: object, batch: BatchRace, seat: int = 0) -> np.ndarray:
    games = np.arange(batch.num_games)
    info = Info(batch, games, np.full(batch.num_games, seat))
    return agent.act(None, batch.observations["masks"][games, seat], info)  # type: ignore[attr-defined]


@pytest.mark.parametrize("rounds", [0, 1])
def test_no_decision_depends_on_the_cards_that_others_hold(rounds: int) -> None:
    batch = race(rounds=rounds)
    other = batch.redeal(0, 9)
    assert (other.games["hand"][:, 1:] != batch.games["hand"][:, 1:]).any(axis=(1, 2)).all()
    other.games["key"], other.games["draws"] = batch.games["key"], batch.games["draws"]
    agent = make_agent(SPEC, 2)
    np.testing.assert_array_equal(decisions(agent, batch), decisions(agent, other))


def test_no_decision_depends_on_the_order_of_the_own_pile() -> None:
    batch = race(rounds=1)
    agent = make_agent(SPEC, 2)
    before = decisions(agent, batch)
    for game in range(batch.num_games):
        drawable = int(batch.games["drawable"][game, 0])
        batch.games["pile"][game, 0, :drawable] = batch.games["pile"][game, 0, :drawable][::-1].copy()
    np.testing.assert_array_equal(decisions(agent, batch), before)


def test_what_was_looked_at_before_changes_nothing() -> None:
    batch, elsewhere = race(rounds=1), race(course="twister")
    agent = make_agent(SPEC, 2)
    first = decisions(agent, batch)
    decisions(agent, elsewhere)
    np.testing.assert_array_equal(decisions(agent, batch), first)


def test_purchases_are_legal_and_no_row_depends_on_those_beside_it() -> None:
    batch = race(purchases=1, games=6)
    games, seats = np.arange(6), batch.games["ask_seat"].astype(np.int64)
    masks = batch.observations["choice_masks"][games, seats]
    agent = make_agent(SPEC, 2)
    bought = agent.choose(None, masks, Info(batch, games, seats))  # type: ignore[attr-defined]
    assert (batch.games["ask_options"] >> (bought.astype(np.uint64) - np.uint64(1)) & np.uint64(1)).all()
    alone = agent.choose(None, masks[3:4], Info(batch, games[3:4], seats[3:4]))  # type: ignore[attr-defined]
    assert alone[0] == bought[3]


def test_a_short_course_may_end_soon_and_a_long_one_not() -> None:
    short, long = race(), race(course="extra_crispy")
    assert may_end(short.maps, short.games[0])
    assert not may_end(long.maps, long.games[0])


def test_candidates_that_are_clearly_behind_drop_out_and_equal_ones_count_once() -> None:
    results = np.zeros((4, 40), np.float32)
    results[0, :10] = 1.0  # clearly behind
    results[1, :30] = results[2, :30] = 1.0  # equals
    results[3, 10:38] = 1.0  # behind, but not clearly
    order = np.arange(4)
    left = drop_worse(results, order, 4, 40, 4, 2.0)
    assert order[:left].tolist() == [1, 3]
    order = np.arange(4)
    assert drop_worse(results, order, 4, 4, 1, 2.0) == 1
