"""Drawing anew what a seat cannot know in the 2016 games; see `core.seeing.redeal`."""

from roborally_env.core import cards
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, STORE_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.piles import add_to_draw_pile, take_top
from roborally_env.core.rule import rule
from roborally_env.core.state import PILE, REGISTERS
from roborally_env.core.steps import OVER


@kernel
def redeal_others(game, seat):
    """See `redeal.redeal_others`."""
    for r in range(game.players):
        if r != seat:
            redeal_robot(game, r)
    redeal_collections(game, seat)


@kernel
def redeal_robot(game, r):
    """Put robot r's hand, face-down registers and known top into its draw pile, and deal as many cards again to
    each."""
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
    """Whether the cards of a beginning register are already revealed, because a player decides at its start."""
    return game.step == BEGIN_REGISTER and game.ask_seat >= 0


@rule
def redeal_collections(game, seat):
    """Draw the other players' collections, in their sizes, and the order of the deck from the game's stream."""
