"""Drawing anew what a seat cannot know in the community edition; see `redeal`."""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.editions.community.damage import locked
from roborally_env.core.editions.e2016.redeal import revealed
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, STORE_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.piles import add_to_draw_pile, take_top
from roborally_env.core.state import PILE, REGISTERS
from roborally_env.core.steps import OVER


@kernel
def redeal_others(game, seat):
    """Split each other player's hidden cards anew into hand, face-down registers and draw pile. Locked registers
    stay."""
    for r in range(game.players):
        if r != seat:
            redeal_robot(game, r)


@kernel
def redeal_robot(game, r):
    """See `redeal.redeal_robot`."""
    hidden = hidden_registers(game, r)
    for k in range(REGISTERS):
        if hidden >> k & 1:
            add_to_draw_pile(game, r, game.registers[r, k])
    for i in range(np.int64(game.held[r])):
        add_to_draw_pile(game, r, game.hand[r, i])
    for i in range(PILE - np.int64(game.known[r]), PILE):
        card = game.pile[r, i]
        game.pile[r, i] = cards.NONE
        game.known[r] -= 1
        add_to_draw_pile(game, r, card)
    for k in range(REGISTERS):
        if hidden >> k & 1:
            game.registers[r, k] = take_top(game, r)
    for i in range(np.int64(game.held[r])):
        game.hand[r, i] = take_top(game, r)


@kernel
def hidden_registers(game, r):
    """The registers of robot r with a card that lies face down, as bits."""
    hidden = np.int64(0)
    if game.step < STORE_HANDS or game.step == OVER:
        return hidden
    first = np.int64(game.register) + (0 if game.step <= BEGIN_REGISTER and not revealed(game) else 1)
    locks = locked(game, r)
    for k in range(first, REGISTERS):
        if game.registers[r, k] != cards.NONE and not locks >> k & 1:
            hidden |= 1 << k
    return hidden
