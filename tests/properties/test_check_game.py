"""The invariants hold after every step of random races, and check_game notices when one does not."""

import re

import numpy as np
import pytest

from roborally_env.check_game import CHECKS, check_game
from roborally_env.core.cards import SPAM
from roborally_env.core.editions.race2016 import play_step
from roborally_env.core.editions.steps2016 import OVER, PROGRAM

from .races import COURSES, batch_of, begin_registers, check_all, lay_program


@pytest.mark.parametrize(
    "options",
    [{}, {"rules": {"advanced": True}}, {"decisions": "all"}, {"players": 3}, {"rules": {"starts": "listed"}}],
    ids=["plain", "advanced", "all decisions", "three players", "listed starts"],
)
def test_every_invariant_holds_after_each_step(options):
    batch = batch_of(10, max_rounds=20, **options)
    check_all(batch)
    for i in range(30):
        batch.sample(i)
        batch.step_prepared()
        assert not batch.repairs.any()
        check_all(batch)


@pytest.mark.parametrize("course", COURSES)
def test_every_invariant_holds_within_the_round(course):
    batch = batch_of(1, course=course, auto_reset=False)
    for i in range(4):
        batch.sample(i)
        batch.step_prepared()  # a round, so that the robots are somewhere
    game, tables = batch.games[0], batch.maps.courses[0]
    for r in range(game.players):
        lay_program(game, r, [4, 3, 2, 1, 0])
    begin_registers(game)
    while game.step not in (PROGRAM, OVER):
        play_step(tables, game)
        check_game(game, batch.courses[0])


def put(name, value, *at):
    """A change of one field of a game."""

    def change(game):
        if at:
            game[name][at] = value
        else:
            game[name] = value

    return change


def same_cell(game):
    game.cell[1] = game.cell[0]


def lost_card(game):
    game.hand[2, game.held[2] - 1] = 0
    game.held[2] -= 1


def hole_in_the_hand(game):
    game.hand[0, 9], game.hand[0, 0] = game.hand[0, 0], 0


# the invariant that breaks -> what breaks it, in a game that waits for programs
BREAKS = {
    "seats": put("players", 3),
    "places": same_cell,
    "starts": put("start", 0, slice(None)),
    "turn_order": put("order", 0, slice(None)),
    "phase": put("register", 5),
    "scratch": put("want", 7, 2),
    "own_cards": lost_card,
    "damage_cards": put("damage_pile", 0, 0),
    "piles": hole_in_the_hand,
    "registers": put("rebooted", 1),
    "actions": put("done", SPAM, 0, 0),
    "progress": put("winner", 0),
    "board": put("checkpoint", 0, 0),
    "question": put("ask_options", 3),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_invariant_is_named(name):
    batch = batch_of(1, course="dizzy_highway")
    BREAKS[name](batch.games[0])
    with pytest.raises(AssertionError, match=re.escape(f"{name}: ")):
        check_all(batch)


def test_each_invariant_has_a_test_that_breaks_it():
    assert [check.__name__.removeprefix("_") for check in CHECKS] == list(BREAKS)
    assert np.all([check.__doc__ for check in CHECKS])
