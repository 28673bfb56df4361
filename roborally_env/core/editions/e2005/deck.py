"""The one deck of 84 program cards (2005 rulebook p. 4; R67).

`deck` always holds all 84 cards; the first `deck_left`, in no order, can be drawn. Drawing picks one at random, which
equals a shuffled deck. Known cards on top (scenarios) lie in `top`, the uppermost last.
"""

import numpy as np

from roborally_env.core import log
from roborally_env.core.cards2005 import DECK_SIZE, NONE
from roborally_env.core.chance import below
from roborally_env.core.kernel import kernel
from roborally_env.core.state import REGISTERS


@kernel
def deck_is_empty(game):
    """Whether the deck must be shuffled before the next card is drawn."""
    return game.tops == 0 and game.deck_left == 0


@kernel
def draw_card(game):
    """Draw the top card; an empty deck is made from the discarded cards first. NONE if there are none either."""
    if game.tops > 0:
        game.tops -= 1
        card = np.int64(game.top[game.tops])
        game.top[game.tops] = NONE
        return card
    if game.deck_left == 0:
        shuffle(game)
        if game.deck_left == 0:
            return NONE
    last = np.int64(game.deck_left) - 1
    i = below(game, last + 1)
    card = game.deck[i]
    game.deck[i] = game.deck[last]
    game.deck[last] = card
    game.deck_left = last
    return np.int64(card)


@kernel
def shuffle(game):
    """Put all cards into the deck except those in a register, in a hand, on an option or known on top."""
    game.deck_left = DECK_SIZE
    for r in range(game.players):
        for k in range(REGISTERS):
            take_out(game, game.registers[r, k])
            take_out(game, game.laid_on[r, k])
        for i in range(np.int64(game.held[r])):
            take_out(game, game.hand[r, i])
        take_out(game, game.flywheel[r])
        take_out(game, game.conditional[r])
    for i in range(np.int64(game.tops)):
        take_out(game, game.top[i])
    log.log(game, log.SHUFFLE, -1, game.deck_left)


@kernel
def take_out(game, card):
    """Take a card that lies elsewhere out of the cards that can be drawn."""
    if card == NONE or card > DECK_SIZE:
        return
    last = np.int64(game.deck_left) - 1
    for i in range(last + 1):
        if game.deck[i] == card:
            game.deck[i] = game.deck[last]
            game.deck[last] = card
            game.deck_left = last
            return
