"""The invariants hold after every step of random races, and check_game notices when one does not."""

import re

import numpy as np
import pytest

from roborally_env.batch import BatchRace
from roborally_env.core import cards, upgrades
from roborally_env.core.choices import REBOOT_FACING
from roborally_env.core.editions.e2016.race import play_step
from roborally_env.core.editions.e2016.steps import BUY_UPGRADES
from roborally_env.core.state import ASK_NOTHING
from roborally_env.core.steps import OVER, PROGRAM
from tests.games import FULL, LIGHTER, both_games, deal_upgrades
from tests.invariants import check_game
from tests.invariants.e2016 import CHECKS

from .races import COURSES, PLAYERS, batch_of, begin_registers, check_all, steps_for, submit_program

OPTIONS = {
    "plain": {},
    "advanced": {"rules": {"advanced": True}},
    "all decisions": {"decisions": "all"},
    "all decisions, advanced": {"decisions": "all", "rules": {"advanced": True}},
    "three players": {"players": 3},
    "listed starts": {"rules": {"starts": "listed"}},
    "timer": {"rules": {"timer": True}},
    "all decisions, timer": {"decisions": "all", "rules": {"timer": True, "advanced": True}},
    "again repeats": {"rules": {"again_after_damage": "repeat"}},
}


@both_games
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_every_invariant_holds_after_each_step(options, rules):
    rules = {**rules, **options.get("rules", {})}
    decisions = options.get("decisions", "program")
    batch = batch_of(10, max_rounds=20, dealt=True, **{**options, "rules": rules})
    check_all(batch)
    dice = np.random.default_rng(0)
    for i in range({"program": 40, "all": 100}[decisions] if rules["upgrades"] else 30):
        batch.sample(i)
        if rules.get("timer"):  # each player is caught now and then, with any registers open
            batch.actions[2][:] = dice.integers(32, size=(10, batch.players)) * (dice.random((10, batch.players)) < 0.3)
        batch.step_prepared()
        assert not batch.corrected.any()
        check_all(batch)


@both_games
@pytest.mark.parametrize("course", COURSES)
def test_every_invariant_holds_within_the_round(course, rules):
    """After each step that the rules are made of; with upgrades every default is taken, and nothing bought."""
    batch = batch_of(1, course=course, auto_reset=False, rules=rules, dealt=True)
    for i in range(steps_for(4, rules)):
        batch.sample(i)
        batch.step_prepared()  # so that the robots are somewhere
    game, tables = batch.games[0], batch.maps.courses[0]
    game.asking = ASK_NOTHING
    while game.ask_seat >= 0:
        decline(batch)
    rounds = set()
    while len(rounds) < 3 and game.step != OVER:
        rounds.add(int(game.round_number))
        while game.step not in (PROGRAM, OVER):
            play_step(tables, game)
            check_game(game, batch.courses[0])
        if game.step == PROGRAM:
            for r in range(game.players):
                submit_program(game, r, [4, 3, 2, 1, 0])
            begin_registers(game)
            play_step(tables, game)


def decline(batch):
    """Answer a purchase with no."""
    choices = np.zeros((1, PLAYERS), np.int8)
    choices[0, batch.games["ask_seat"][0]] = 1
    batch.step(np.zeros((1, PLAYERS, 5), np.int8), choices)


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


def card_that_was_not_bought(game):
    game.hand[2, game.held[2]] = cards.SPEED_ROUTINE
    game.held[2] += 1


def bought_card_that_is_nowhere(game):
    game.had[0] |= 1 << upgrades.WEASEL_ROUTINE


def hole_in_the_hand(game):
    held, end = int(game.held[0]), int(game.drawable[0]) + int(game.discarded[0])
    game.pile[0, end] = game.hand[0, held - 1]
    game.discarded[0] += 1
    game.hand[0, held - 1], game.hand[0, 0] = game.hand[0, 0], 0
    game.held[0] -= 1


def open_question(seat, kind, options, default):
    """A question in a game that waits for programs, or with a step in which one may be open."""

    def change(game):
        game.ask_seat, game.ask_kind, game.ask_options, game.ask_default = seat, kind, options, default

    return change


def question_of_another_kind(game):
    game.step = BUY_UPGRADES
    open_question(0, REBOOT_FACING, 0b1111, 0)(game)


def owned_twice(game):
    game.owned[1] |= game.owned[0]
    game.had[1] |= game.had[0]


def four_of_a_type(game):
    deck = game.upgrade_deck[: game.upgrades_left].tolist()
    new = next(u for u in deck if upgrades.upgrade(u).type == upgrades.PERMANENT)
    deck.remove(new)
    game.upgrade_deck[:] = [*deck, *[0] * (upgrades.COUNT - len(deck))]
    game.upgrades_left -= 1
    game.owned[0] |= 1 << new
    game.had[0] |= 1 << new


def routine_on_the_mat(game):
    game.owned[0] = game.had[0] = 1 << upgrades.SPEED_ROUTINE
    game.pile[0, game.drawable[0] + game.discarded[0]] = cards.SPEED_ROUTINE
    game.discarded[0] += 1
    game.upgrade_deck[:] = 0
    game.upgrades_left = 0


def never_got_it(game):
    game.had[0] &= ~game.owned[0]


def in_the_shop_and_the_deck(game):
    game.shop[0] = game.upgrade_deck[0]


def hole_in_the_deck(game):
    game.upgrade_deck[0] = 0


# the invariant that breaks -> what breaks it, in a game that waits for programs
BREAKS = {
    "seats": [put("players", 3)],
    "places": [same_cell],
    "starts": [put("start", 0, slice(None))],
    "turn_order": [put("order", 0, slice(None))],
    "phase": [put("register", 5)],
    "scratch": [put("want", 7, 2)],
    "own_cards": [lost_card],
    "damage_cards": [put("damage_pile", 0, 0)],
    "piles": [hole_in_the_hand],
    "registers": [put("rebooted", 1)],
    "actions": [put("done", cards.SPAM, 0, 0), put("done", cards.AGAIN, 3, 4)],
    "progress": [put("winner", 0)],
    "board": [put("checkpoint", 0, 0)],
    "question": [put("ask_options", 3), open_question(0, REBOOT_FACING, 3, 1)],
    "mats": [],
}
# the same, only in a game with upgrades
BREAKS_WITH_UPGRADES = {
    "own_cards": [card_that_was_not_bought, bought_card_that_is_nowhere],
    "actions": [put("done", cards.REPEAT_ROUTINE, 0, 0)],
    "question": [question_of_another_kind, open_question(1, 4, 0b110, 0)],
    "mats": [
        owned_twice,
        four_of_a_type,
        routine_on_the_mat,
        never_got_it,
        in_the_shop_and_the_deck,
        hole_in_the_deck,
        put("on_mats", 0),
        put("upgrades_left", 1),
        put("shop", upgrades.BRAKES, 5),
        put("shots", 1, 0, 1),
        put("instead", cards.MOVE_1, 2),
    ],
}
CASES = [
    *((name, change, rules) for rules in (FULL, LIGHTER) for name, changes in BREAKS.items() for change in changes),
    *((name, change, FULL) for name, changes in BREAKS_WITH_UPGRADES.items() for change in changes),
]


@pytest.mark.parametrize(("name", "change", "rules"), CASES)
def test_a_broken_invariant_is_named(name, change, rules):
    batch = BatchRace(1, "dizzy_highway", players=4, seed=11, rules=rules)
    while not batch.programming[0]:
        decline(batch)
    if rules == FULL:
        deal_upgrades(batch, 1)
    check_all(batch)
    change(batch.games[0])
    with pytest.raises(AssertionError, match=re.escape(f"{name}: ")):
        check_all(batch)


def test_each_invariant_has_a_test_that_breaks_it():
    assert [check.__name__.removeprefix("_") for check in CHECKS] == list(BREAKS)
    assert all(BREAKS[name] or BREAKS_WITH_UPGRADES[name] for name in BREAKS)
    assert np.all([check.__doc__ for check in CHECKS])


def test_a_hand_of_more_than_ten_cards_is_noticed():
    batch = BatchRace(1, "dizzy_highway", players=4, seed=11)
    while not batch.programming[0]:
        decline(batch)
    game = batch.games[0]
    for _ in range(2):
        game.hand[0, game.held[0]] = game.pile[0, game.drawable[0] - 1]
        game.pile[0, game.drawable[0] - 1] = 0
        game.drawable[0] -= 1
        game.held[0] += 1
    with pytest.raises(AssertionError, match=r"(?s)registers: .*11 cards"):
        check_all(batch)
