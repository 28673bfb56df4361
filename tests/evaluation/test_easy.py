"""`easy`: it plays legal programs of its own slips, the same each time, and is weaker than `greedy`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from roborally_env.agents import Info, make_agent

from roborally_env.base.errors import AgentError
from roborally_env.batch import BatchRace
from roborally_env.core import cards, cards2005
from roborally_env.editions import edition_of
from roborally_env.evaluation.benchmark.checkup import check_agent
from roborally_env.evaluation.tournament import evaluate

GAMES = 60


def batch_of(hand: list[int] | None = None, edition: str = "2016") -> BatchRace:
    """The lighter game of two; `hand` for seat 0 of every game."""
    course, rules = ("risky_exchange", {}) if edition == "2005" else ("dizzy_highway", {"upgrades": False})
    batch = BatchRace(GAMES, course, edition=edition, players=2, seed=1, observation="none", masks=True, rules=rules)
    if hand is not None:
        batch.games["hand"][:, 0, : len(hand)] = hand
    return batch


def programs(spec: str, batch: BatchRace) -> Any:
    """The programs of seat 0."""
    rows = np.arange(GAMES)
    masks = batch.observe()["masks"][:, 0]  # of hands that were changed
    return make_agent(spec, 5).act(None, masks, Info(batch, rows, np.zeros(GAMES, np.int64)))


def kinds(spec: str, batch: BatchRace) -> Any:
    """The actions of the cards in these programs."""
    found = np.take_along_axis(batch.games["hand"][:, 0], programs(spec, batch).astype(np.int64), 1)
    return cards2005.ACTION[found] if batch.edition == "2005" else found


def test_without_slips_and_with_the_whole_hand_in_sight_it_is_greedy() -> None:
    batch = batch_of()
    before = batch.games.copy()
    np.testing.assert_array_equal(programs("easy:cards=9,slips=0", batch), programs("greedy", batch))
    assert (batch.games == before).all()


@pytest.mark.parametrize("edition", ["2016", "2005"])
def test_a_slip_changes_cards_for_like_ones_or_the_order(edition: str) -> None:
    batch = batch_of(edition=edition)
    usual, slipped = kinds("greedy", batch), kinds("easy:cards=9,slips=1", batch)
    turns, moves = {cards.TURN_LEFT, cards.TURN_RIGHT}, {cards.MOVE_1, cards.MOVE_2, cards.MOVE_3}
    taken = 0
    for before, after in zip(usual, slipped, strict=True):
        changed = np.flatnonzero(before != after)
        if len(changed) == 2:
            assert sorted(before) == sorted(after)
            assert changed[1] - changed[0] == 1
        elif len(changed):
            (register,) = changed
            assert any({before[register], after[register]} <= like for like in (turns, moves))
            taken += 1
    assert taken > 10
    assert (usual != slipped).any(axis=1).mean() > 0.7  # equal cards swapped are no change


@pytest.mark.parametrize(("edition", "slips"), [("2016", 0.7), ("2005", 1.0)])
def test_without_a_number_it_slips_as_often_as_the_edition_says(edition: str, slips: float) -> None:
    batch = batch_of(edition=edition)
    assert edition_of(edition).start_page.slips == slips
    np.testing.assert_array_equal(programs("easy", batch), programs(f"easy:slips={slips}", batch))
    assert (programs("easy", batch) != programs("easy:slips=0", batch)).any()


def test_it_overlooks_cards() -> None:
    batch = batch_of([cards.MOVE_1] * 8 + [cards.MOVE_3])
    useful = (kinds("greedy", batch) == cards.MOVE_3).any(axis=1)
    seen = (kinds("easy:cards=6,slips=0", batch) == cards.MOVE_3).any(axis=1)
    assert 0.4 < seen[useful].mean() < 0.9  # six of nine


def test_it_plays_what_it_holds_when_hardly_anything_is_legal() -> None:
    batch = batch_of([cards.AGAIN] * 8 + [cards.TURN_LEFT])
    assert (kinds("easy:cards=5,slips=1", batch)[:, 0] == cards.TURN_LEFT).all()


@pytest.mark.parametrize("edition", ["2016", "2005", "2023", "community"])
def test_it_is_an_agent_in_every_edition(edition: str) -> None:
    """Legal programs and choices that depend on the own game, seat and seed alone."""
    assert [found.text for found in check_agent("easy", (edition,)) if not found.ok] == []


def test_it_wins_less_than_greedy_and_more_than_random() -> None:
    easy, *randoms = (row.wins for row in evaluate(["easy", *["random"] * 3], "twister", games=24, seed=3).rows)
    assert easy > 4 * sum(randoms)
    greedy, *others = (row.wins for row in evaluate(["greedy", *["easy"] * 3], "twister", games=24, seed=3).rows)
    assert greedy > 2 * sum(others)


@pytest.mark.parametrize("spec", ["easy:cards=4", "easy:cards=10", "easy:slips=2", "easy:slips=x", "easy:slips=true"])
def test_values_outside_are_refused(spec: str) -> None:
    with pytest.raises(AgentError, match=spec[5:10]):
        make_agent(spec)
