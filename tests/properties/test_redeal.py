"""Drawing the hidden cards anew changes nothing that the seat can see."""

import numpy as np
import pytest

from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, CHECKPOINTS, STORE_HANDS
from roborally_env.core.state import REGISTERS
from tests.games import FULL, GAMES, both_games
from tests.invariants import check_game
from tests.sizes import pairs

from .races import HIDDEN, PLAYERS, batch_of, check_all, differing_fields, play, redealt_for, state_bytes


@pytest.mark.parametrize(
    ("decisions", "observation", "rules"), pairs(["program", "all"], ["symbolic", "planes"], GAMES.values())
)
def test_the_seat_sees_the_same(decisions, observation, rules):
    batch = batch_of(20, decisions=decisions, observation=observation, max_rounds=30, rules=rules, dealt=True)
    for steps in (0, 1, 5, 9, 20, 50) if rules == FULL else (0, 1, 5, 9):
        play(batch, steps, steps)
        for seat in range(PLAYERS):
            check_all(redealt_for(batch, seat, HIDDEN, ("hand", "registers", "pile")))


@both_games
def test_the_hands_of_others_change(rules):
    batch = batch_of(40, rules=rules)
    while batch.programming.sum() < 10:
        batch.sample()
        batch.step_prepared()
    other = batch.redeal(1, 7)
    same = (batch.games["hand"] == other.games["hand"])[batch.programming].all(axis=2)
    assert same[:, 1].all()
    assert same[:, [0, 2, 3]].mean() < 0.2


@both_games
def test_another_seed_deals_other_cards_the_same_seed_the_same(rules):
    batch = batch_of(5, rules={**rules, "advanced": True})  # hands are kept
    play(batch, 30)
    first, again, other = batch.redeal(0, 1), batch.redeal(0, 1), batch.redeal(0, 2)
    assert differing_fields(first.games, again.games) == []
    assert "hand" in differing_fields(first.games, other.games)


@both_games
def test_the_batch_itself_is_left_alone(rules):
    batch = batch_of(5, rules=rules)
    before = state_bytes(batch.games)
    play(batch.redeal(2, 3), 2)
    assert state_bytes(batch.games) == before


@both_games
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_open_cards_stay_where_they_are(decisions, rules):
    """Discard piles and revealed registers lie open; each of the others keeps as many cards in hand and draw pile."""
    batch = batch_of(20, max_rounds=30, decisions=decisions, rules=rules, dealt=True)
    hidden = moved = 0
    for i in range(60 if rules == FULL else 10):
        play(batch, 1, i)
        if i % 3:
            continue
        other = batch.redeal(0, 5)
        for one, two in zip(batch.games, other.games, strict=True):
            first = first_hidden(one)
            for r in range(PLAYERS):
                assert discards(one, r) == discards(two, r)
                assert one.held[r] == two.held[r]
                assert one.drawable[r] + one.known[r] == two.drawable[r] + two.known[r]
                assert one.registers[r, :first].tolist() == two.registers[r, :first].tolist()
                assert ((one.registers[r] == 0) == (two.registers[r] == 0)).all()
                assert cards_of(one, r) == cards_of(two, r)
                hidden += r != 0 and one.registers[r, first:].any()
                moved += r != 0 and (one.registers[r, first:] != two.registers[r, first:]).any()
    if decisions == "all":
        assert moved > 0.5 * hidden > 10


def first_hidden(game):
    """The first register whose cards lie face down."""
    if game.step == STORE_HANDS:
        return 0
    return int(game.register) + 1 if BEGIN_REGISTER <= game.step <= CHECKPOINTS else REGISTERS


def cards_of(game, r):
    return sorted([*game.hand[r].tolist(), *game.registers[r].tolist(), *game.pile[r].tolist()])


def discards(game, r):
    return sorted(game.pile[r, game.drawable[r] : game.drawable[r] + game.discarded[r]].tolist())


# -- upgrades


def test_the_upgrades_to_come_are_drawn_anew():
    """What lies in the shop and on the mats stays; the next row is another one."""
    batch = batch_of(20, max_rounds=30)
    others = [batch.redeal(0, seed) for seed in (1, 2)]
    for other in others:
        for name in ("shop", "owned", "upgrade_deck", "energy"):
            assert np.array_equal(batch.games[name], other.games[name])
        rounds = other.games["round_number"].copy()
        while (other.games["round_number"] == rounds).any():
            other.sample(1)
            other.actions[1][:] = np.minimum(other.actions[1], 1)  # nobody buys
            other.step_prepared()
    first, second = (np.sort(other.games["shop"], axis=1) for other in others)
    assert (first != second).any(axis=1).mean() > 0.8


def test_a_redeal_in_the_middle_of_a_step_can_be_played_on():
    """Where answers were given already: what has become illegal by other cards gives way to the default."""
    batch = batch_of(40, decisions="all", dealt=True, max_rounds=3, course="twister")
    found = set()
    for i in range(150):
        found |= set(batch.games["ask_kind"][batch.games["answered"] > 0].tolist())
        for seat in range(PLAYERS) if i % 5 == 0 else ():
            other = batch.redeal(seat, i)
            for k in range(4):
                other.sample(k)
                other.step_prepared()
            for game in other.games[i % 7 :: 7]:
                check_game(game, other.courses[0])
        batch.sample(i)
        batch.step_prepared()
    assert len(found) > 10
