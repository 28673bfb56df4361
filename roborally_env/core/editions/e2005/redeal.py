"""Drawing anew what a seat cannot know in the 2005 edition; see `core.seeing.redeal`."""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.cards2005 import ACTION, DECK_SIZE, PACE
from roborally_env.core.chance import below
from roborally_env.core.editions.e2005.locks import locked
from roborally_env.core.editions.e2005.observation import shown_registers
from roborally_env.core.kernel import kernel
from roborally_env.core.state import REGISTERS


@kernel
def redeal_others(game, seat):
    """Put the other players' hands, face-down registers and cards on Conditional Programs and Flywheels into the deck,
    and deal as many cards again to each place.

    Revealed and locked registers lie open and stay. Two cards in one register keep their kinds, because players see
    that they belong together.
    """
    shown = shown_registers(game)
    for r in range(game.players):
        if r != seat:
            put_back_cards(game, r, shown | locked(game, r))
    for r in range(game.players):
        if r != seat:
            deal_pairs(game, r, shown | locked(game, r))
    for r in range(game.players):
        if r != seat:
            deal_cards(game, r, shown | locked(game, r))


@kernel
def put_back_cards(game, r, seen):
    """Return robot r's hidden cards to the deck; their places keep the old cards until new ones are dealt."""
    for k in range(REGISTERS):
        if not seen >> k & 1:
            put_back(game, game.registers[r, k])
            put_back(game, game.laid_on[r, k])
    for i in range(game.held[r]):
        put_back(game, game.hand[r, i])
    put_back(game, game.conditional[r])
    put_back(game, game.flywheel[r])


@kernel
def put_back(game, card):
    """A card from elsewhere can be drawn again."""
    left = int(game.deck_left)
    for i in range(left, DECK_SIZE):
        if game.deck[i] == card:
            game.deck[i] = game.deck[left]
            game.deck[left] = card
            game.deck_left = left + 1
            return


@kernel
def anew(game, card, same_kind):
    """Draw a new card for a place that has `card`, on request of the same kind; the card itself if there is none."""
    left = int(game.deck_left)
    fitting = 0
    for i in range(left):
        fitting += not same_kind or ACTION[game.deck[i]] == ACTION[card]
    if card == cards.NONE or card > DECK_SIZE or fitting == 0:
        return np.int64(card)
    pick = below(game, fitting)
    for i in range(left):
        if not same_kind or ACTION[game.deck[i]] == ACTION[card]:
            if pick == 0:
                drawn = np.int64(game.deck[i])
                game.deck[i] = game.deck[left - 1]
                game.deck[left - 1] = drawn
                game.deck_left = left - 1
                return drawn
            pick -= 1
    return np.int64(card)


@kernel
def deal_pairs(game, r, seen):
    """Deal the registers with two cards anew."""
    for k in range(REGISTERS):
        if not seen >> k & 1 and game.laid_on[r, k] != cards.NONE:
            by_second = game.pace[r, k] == PACE[game.laid_on[r, k]]
            game.registers[r, k] = anew(game, game.registers[r, k], True)
            game.laid_on[r, k] = anew(game, game.laid_on[r, k], True)
            game.pace[r, k] = PACE[game.laid_on[r, k] if by_second else game.registers[r, k]]


@kernel
def deal_cards(game, r, seen):
    """Deal all other places anew."""
    for k in range(REGISTERS):
        if not seen >> k & 1 and game.laid_on[r, k] == cards.NONE:
            game.registers[r, k] = anew(game, game.registers[r, k], False)
            game.pace[r, k] = PACE[game.registers[r, k]]
    for i in range(game.held[r]):
        game.hand[r, i] = anew(game, game.hand[r, i], False)
    game.conditional[r] = anew(game, game.conditional[r], False)
    game.flywheel[r] = anew(game, game.flywheel[r], False)
