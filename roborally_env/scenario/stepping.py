"""The compiled entry points of the scenario runner, which play single games step by step."""

import numpy as np

from roborally_env.core import options
from roborally_env.core.driving.advance import answer, step_asking
from roborally_env.core.editions.community import damage as community_damage
from roborally_env.core.editions.community import programming as community_programming
from roborally_env.core.editions.e2005 import programming, steps
from roborally_env.core.editions.e2005.table import take_option_card
from roborally_env.core.editions.e2016.steps import DRAW_HANDS, END_ROUND, UPGRADE_PHASE
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.mats import plays_upgrades
from roborally_env.core.mechanics.piles import draw_hand
from roborally_env.core.mechanics.priority import set_order
from roborally_env.core.mechanics.programs import legal_slot, program, repair_program
from roborally_env.core.mechanics.setup import clear
from roborally_env.core.rule_options import RULE_ADVANCED
from roborally_env.core.state import REGISTERS
from roborally_env.core.steps import OVER, PROGRAM

PLAYED, ASKS, STOPS = 0, 1, 2
_LOG_FILLED = 128  # a log with this many rows is read out first; one step never fills the rest


@kernel
def clear_game(games):
    """Set the only game of the array to a race's start, without robots or decks."""
    clear(games[0])


@kernel
def play_on(courses, games, kept, last_register):
    """Play the steps of a register, or some of them (PLAYED), up to an open question (ASKS).

    STOPS if the game is over or register `last_register` (0..4) is done; 5: if the round has ended.
    """
    game = games[0]
    register = game.register
    while game.register == register and game.logged < _LOG_FILLED:
        if game.step == PROGRAM or game.step == OVER:
            return STOPS
        if not step_asking(courses, games, 0, kept):
            return ASKS
        step = game.step
        if step in (OVER, DRAW_HANDS, UPGRADE_PHASE) or game.register > last_register:
            return STOPS
        if game.step == END_ROUND and last_register == REGISTERS - 1:
            return STOPS
    return PLAYED


@kernel
def give_answer(games, option):
    """Answer the open question; the step is played again by the next play_on."""
    answer(games[0], option)


@kernel
def deal_hand(games, r):
    """Robot r draws up to nine cards."""
    draw_hand(games[0], r)


@kernel
def lay_program(games, r, wish, slots, opened):
    """Robot r lays hand slots `wish` [1, 5]; `slots` [1, 5] receives what was laid; `opened` the timer's bits.

    With upgrades the rest of the hand stays until the step that stores hands.
    """
    game = games[0]
    repair_program(game, r, wish, slots, 0, opened)
    program(game, r, slots, 0, opened, plays_upgrades(game) or game.rules & RULE_ADVANCED)


@kernel
def measure_order(courses, games):
    """Set the turn order from the robots' positions."""
    set_order(courses[0], games[0])


# -- the 2005 edition


@kernel
def play_on_2005(courses, games, kept, last_register):
    """Play steps up to an open question (ASKS), or some of them (PLAYED): at most to the end of a register, or until a
    board turns.

    STOPS where programs are wanted, the game or the turn is over or register `last_register` (0..4) is done; 5: the
    clean-up is played too.
    """
    game = games[0]
    register, tables = game.register, game.tables_at
    while game.register == register and game.tables_at == tables and game.logged < _LOG_FILLED:
        if not step_asking(courses, games, 0, kept):
            return ASKS
        step = game.step
        if step in (PROGRAM, OVER, steps.BEGIN_TURN) or game.register > last_register:
            return STOPS
        if step == steps.REPAIRS and last_register < REGISTERS:
            return STOPS
    return PLAYED


@kernel
def deal_hand_2005(games, r):
    """Deal robot r the cards that its hand lacks."""
    programming.deal_hand(games[0], r)


@kernel
def lay_program_2005(games, r, wish, slots, opened):
    """Robot r lays hand slots `wish` [1, 5]; `slots` [1, 5] receives what was laid; `opened` the timer's bits."""
    programming.lay_program(games[0], r, wish, 0, opened, slots)


@kernel
def order_options_2005(games, known):
    """Put the options `known` on top of the option deck, the first one uppermost, and shuffle the others below."""
    game = games[0]
    left = np.int64(game.options_left)
    place = options.COUNT - left
    named = 0
    for i in range(known.shape[0]):
        named |= 1 << known[i]
    shuffled = np.zeros(left, np.int64)
    for i in range(left):
        shuffled[i] = take_option_card(game)
    for i in range(known.shape[0]):
        game.option_deck[place + i] = known[i]
    place += known.shape[0]
    for i in range(left):
        if not named >> shuffled[i] & 1:
            game.option_deck[place] = shuffled[i]
            place += 1
    game.options_under = left  # cards under the deck are drawn in order


@kernel
def drop_card_2005(games, r, slot):
    """Take a card out of the hand of robot r."""
    programming.drop_card(games[0], r, slot)


# -- the community edition


@kernel
def programs_now(games, r):
    """Whether robot r lays a program in this round."""
    return community_damage.programs_now(games[0], r)


@kernel
def deal_hand_community(games, r):
    """Robot r gets a card in each locked register that is empty, then its hand."""
    community_damage.deal_hand(games[0], r)


@kernel
def is_legal(games, r, slot, k):
    """Whether the card in a hand slot may go into register k (0..4)."""
    return legal_slot(games[0], r, slot, k, 0)


@kernel
def lay_program_community(games, r, wish, slots, opened):
    """Robot r lays hand slots `wish` [1, 5]; `slots` [1, 5] receives what was laid; `opened` the timer's bits."""
    community_programming.lay_program(games[0], r, wish, 0, opened, slots)
