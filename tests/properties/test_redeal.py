"""Drawing the hidden cards anew changes nothing that the seat can see."""

import numpy as np
import pytest

from .races import PLAYERS, batch_of, check_all, differing_fields, play, state_bytes

# what may change: cards that others hold or will draw, and chance to come
HIDDEN = ("key", "draws", "hand", "registers", "pile", "drawable", "discarded", "known")


@pytest.mark.parametrize("decisions", ["program", "all"])
@pytest.mark.parametrize("observation", ["symbolic", "planes"])
def test_the_seat_sees_the_same(decisions, observation):
    batch = batch_of(20, decisions=decisions, observation=observation, max_rounds=30)
    for steps in (0, 1, 5, 9):
        play(batch, steps, steps)
        for seat in range(PLAYERS):
            other = batch.redeal(seat, 99)
            for name in batch.observations:
                mine, its = batch.observations[name][:, seat], other.observations[name][:, seat]
                assert mine.tobytes() == its.tobytes(), f"{name} of seat {seat} after {steps} more steps"
            assert set(differing_fields(batch.games, other.games)) <= set(HIDDEN)
            for name in ("hand", "registers", "pile"):
                assert np.array_equal(batch.games[name][:, seat], other.games[name][:, seat])
            check_all(other)


def test_the_hands_of_others_change():
    batch = batch_of(20)
    other = batch.redeal(1, 7)
    same = (batch.games["hand"] == other.games["hand"]).all(axis=2)
    assert same[:, 1].all()
    assert same[:, [0, 2, 3]].mean() < 0.2


def test_another_seed_deals_other_cards_the_same_seed_the_same():
    batch = batch_of(5)
    first, again, other = batch.redeal(0, 1), batch.redeal(0, 1), batch.redeal(0, 2)
    assert differing_fields(first.games, again.games) == []
    assert "hand" in differing_fields(first.games, other.games)


def test_the_batch_itself_is_left_alone():
    batch = batch_of(5)
    before = state_bytes(batch.games)
    play(batch.redeal(2, 3), 2)
    assert state_bytes(batch.games) == before


def test_open_cards_stay_where_they_are():
    """Discard piles lie open; each of the others keeps as many cards in hand and draw pile."""
    batch = batch_of(20, max_rounds=30)
    play(batch, 4)
    other = batch.redeal(0, 5)
    for one, two in zip(batch.games, other.games, strict=True):
        for r in range(PLAYERS):
            assert discards(one, r) == discards(two, r)
            assert one.held[r] == two.held[r]
            assert one.drawable[r] + one.known[r] == two.drawable[r] + two.known[r]


def discards(game, r):
    return sorted(game.pile[r, game.drawable[r] : game.drawable[r] + game.discarded[r]].tolist())
