"""Option cards in front of the players: drawing, losing, asking (2005 rulebook p. 8 and 10)."""

import numpy as np

from roborally_env.core import log, options
from roborally_env.core.cards2005 import NONE
from roborally_env.core.chance import below
from roborally_env.core.choices import NO, OPTION, choose
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import count_bits
from roborally_env.core.rule_options import RULE_NO_OPTIONS

NO_OR_YES = 0b11


@kernel
def has(game, r, option):
    """Whether an option lies in front of player r."""
    return bool(game.options[r] >> option & 1)


@kernel
def on_any_table(game, option):
    """Whether somebody has an option."""
    return bool(game.on_table >> option & 1)


@kernel
def place_option(game, r, option):
    """Place an option in front of player r."""
    game.options[r] |= 1 << option
    game.on_table |= 1 << option
    game.had[r] |= 1 << option
    log.log(game, log.OPTION, r, option)


@kernel
def take_option_card(game):
    """Draw the top card of the option deck; NONE if it is empty (discarded options stay beside it)."""
    left = np.int64(game.options_left)
    if left == 0:
        if game.options_under == 0:
            return options.NONE
        at = options.COUNT - np.int64(game.options_under)
        card = np.int64(game.option_deck[at])
        game.option_deck[at] = options.NONE
        game.options_under -= 1
        return card
    i = below(game, left)
    card = np.int64(game.option_deck[i])
    game.option_deck[i] = game.option_deck[left - 1]
    game.option_deck[left - 1] = options.NONE
    game.options_left = left - 1
    return card


@kernel
def draw_option(game, r):
    """Player r draws an option card, in a game with option cards."""
    if game.rules & RULE_NO_OPTIONS:
        return
    card = take_option_card(game)
    if card != options.NONE:
        place_option(game, r, card)


@kernel
def discard_option(game, r, option):
    """Discard an option to the stack beside the deck, with the tokens and the card on it."""
    game.options[r] &= ~(1 << option)
    game.on_table &= ~(1 << option)
    if option == options.ABLATIVE_COAT:
        game.coat[r] = 0
    elif option == options.MINI_HOWITZER:
        game.howitzer[r] = 0
    elif option == options.FLYWHEEL:
        game.flywheel[r] = NONE
    elif option == options.CONDITIONAL_PROGRAM:
        game.conditional[r] = NONE
    log.log(game, log.OPTION_GONE, r, option)


@kernel
def uses(game, r, option, default):
    """Ask player r whether it uses an option now (`no` or `yes`); `default` 0 or 1."""
    if choose(game, r, OPTION + option, NO_OR_YES, default) == NO:
        return False
    log.log(game, log.OPTION_USED, r, option)
    return True


@kernel
def how_many(game, r):
    """How many options lie in front of player r."""
    return count_bits(np.int64(game.options[r]))


@kernel
def least_option(game, r):
    """The option of robot r that the default policy gives up first; 0 without any."""
    best = 0
    for option in range(1, options.COUNT + 1):
        if has(game, r, option) and (best == 0 or options.VALUE[option] < options.VALUE[best]):
            best = option
    return best
