"""Drawing anew what a seat cannot know."""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.chance import below, key_of
from roborally_env.core.editions.e2005.cards import ACTION, DECK_SIZE, PACE
from roborally_env.core.editions.e2005.locks import locked
from roborally_env.core.editions.e2005.observation import shown_registers
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, OVER, STORE_HANDS
from roborally_env.core.editions.e2023.hidden import redeal_collections
from roborally_env.core.kernel import by_edition, kernel
from roborally_env.core.mechanics.piles import take_top
from roborally_env.core.state import PILE, REGISTERS


@kernel
def redeal(games, seat, seed):
    """Draw anew, in every game, what `seat` cannot know: others' cards as far as they are hidden, and all chance to
    come."""
    for i in range(games.shape[0]):
        game = games[i]
        game.key = key_of(game.key, np.uint64(seed) ^ np.uint64(0x5EED))
        game.draws = 0
        redeal_others(game, seat)


@by_edition(
    "seeing.redeal:redeal_others_2016", "seeing.redeal:redeal_others_2005", "editions.community.redeal:redeal_others"
)
def redeal_others(game, seat):
    """The hidden cards of all players but `seat`, from the game's stream."""


# -- edition 2016


@kernel
def redeal_others_2016(game, seat):
    """How each other player's hand and draw pile are split.

    Discard piles lie open; registers that have been revealed stay, face-down ones are drawn anew too.
    """
    for r in range(game.players):
        if r != seat:
            redeal_robot(game, r)
    redeal_collections(game, seat)


@kernel
def redeal_robot(game, r):
    """Put robot r's hand, face-down registers and known top into its draw pile and deal them again in the same
    numbers."""
    first_hidden = REGISTERS
    if game.step >= STORE_HANDS and game.step != OVER:
        first_hidden = int(game.register) + (0 if game.step <= BEGIN_REGISTER and not revealed(game) else 1)
    for k in range(first_hidden, REGISTERS):
        if game.registers[r, k] != cards.NONE:
            add_to_draw_pile(game, r, game.registers[r, k])
    for i in range(game.held[r]):
        add_to_draw_pile(game, r, game.hand[r, i])
    known = int(game.known[r])
    for i in range(PILE - known, PILE):
        card = game.pile[r, i]
        game.pile[r, i] = cards.NONE
        game.known[r] -= 1
        add_to_draw_pile(game, r, card)
    for k in range(first_hidden, REGISTERS):
        if game.registers[r, k] != cards.NONE:
            game.registers[r, k] = take_top(game, r)
    for i in range(game.held[r]):
        game.hand[r, i] = take_top(game, r)


@kernel
def revealed(game):
    """Whether a register that begins is revealed already: where somebody is asked at its start."""
    return game.step == BEGIN_REGISTER and game.ask_seat >= 0


@kernel
def add_to_draw_pile(game, r, card):
    """One more card for the bag; the first of the discard pile makes room."""
    at = int(game.drawable[r])
    game.pile[r, at + game.discarded[r]] = game.pile[r, at]
    game.pile[r, at] = card
    game.drawable[r] = at + 1


# -- edition 2005


@kernel
def redeal_others_2005(game, seat):
    """The hands of the others, their face-down registers, the cards on their Conditional Programs and Flywheels:
    put into the deck and dealt again in the same numbers.

    Revealed and locked registers lie open and stay. Two cards in one register stay of their kinds: that they go
    together is seen.
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
    """Robot r's hidden cards can be drawn once more; the places keep their old cards until new ones are dealt."""
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
    """A card that lay somewhere can be drawn."""
    left = int(game.deck_left)
    for i in range(left, DECK_SIZE):
        if game.deck[i] == card:
            game.deck[i] = game.deck[left]
            game.deck[left] = card
            game.deck_left = left + 1
            return


@kernel
def anew(game, card, same_kind):
    """Another card from the deck for a place that has `card`, of the same kind if so wanted; the same where none is."""
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
    """Registers with two cards."""
    for k in range(REGISTERS):
        if not seen >> k & 1 and game.laid_on[r, k] != cards.NONE:
            by_second = game.pace[r, k] == PACE[game.laid_on[r, k]]
            game.registers[r, k] = anew(game, game.registers[r, k], True)
            game.laid_on[r, k] = anew(game, game.laid_on[r, k], True)
            game.pace[r, k] = PACE[game.laid_on[r, k] if by_second else game.registers[r, k]]


@kernel
def deal_cards(game, r, seen):
    """All other places."""
    for k in range(REGISTERS):
        if not seen >> k & 1 and game.laid_on[r, k] == cards.NONE:
            game.registers[r, k] = anew(game, game.registers[r, k], False)
            game.pace[r, k] = PACE[game.registers[r, k]]
    for i in range(game.held[r]):
        game.hand[r, i] = anew(game, game.hand[r, i], False)
    game.conditional[r] = anew(game, game.conditional[r], False)
    game.flywheel[r] = anew(game, game.flywheel[r], False)
