"""Which programs and choices are legal, for every seat."""

import numpy as np

from roborally_env.core.cards import NONE
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.programs import ALL, announces_with_program, closed, legal_card, programs_now
from roborally_env.core.seeing.parts import layout
from roborally_env.core.state import REGISTERS
from roborally_env.core.steps import OVER, PROGRAM


@kernel
def write_masks(game, g, masks, choice_masks):
    """Write `masks` [B, P, 5, slots] and `choice_masks` [B, P, 1 + options] of game g.

    A mask says which hand slot may go into which register; choice 0 is "nothing to choose", 1 + o is option o. A
    closed register, and every register of a seat that is not programmed, has slot 0 as its one legal value. A seat with
    nothing to choose has choice 0.
    """
    for r in range(game.players):
        shut = np.int64(ALL)
        if game.step == PROGRAM and game.held[r] > 0:
            shut = np.int64(closed(game, r))
        if shut != ALL:
            for i in range(layout(game).slots):
                card = game.hand[r, i]
                masks[g, r, 0, i] = card != NONE and legal_card(game, r, card, 0)
                later = card != NONE and legal_card(game, r, card, 1)
                for k in range(1, REGISTERS):
                    masks[g, r, k, i] = later
        if shut:
            for k in range(REGISTERS):
                if shut >> k & 1:
                    for i in range(layout(game).slots):
                        masks[g, r, k, i] = i == 0
        for option in range(choice_masks.shape[2]):
            choice_masks[g, r, option] = 0
        if game.step == PROGRAM:
            choice_masks[g, r, 0] = 1
            if announces_with_program(game, r):
                choice_masks[g, r, 1] = 1
        elif game.ask_seat == r and game.step != OVER:
            legal = np.int64(game.ask_options)
            for option in range(choice_masks.shape[2] - 1):
                choice_masks[g, r, 1 + option] = legal >> option & 1
        else:
            choice_masks[g, r, 0] = 1


@kernel
def write_seats(games, programmed, shut, announcing):
    """Write what each seat of each game may do while programming, into three arrays [B, P].

    `programmed` b1: it is programmed; `shut` u1: its registers that take no card, as bits;
    `announcing` b1: a power down may be announced with its program.
    """
    for i in range(games.shape[0]):
        game = games[i]
        for r in range(game.players):
            programmed[i, r] = programs_now(game, r)
            shut[i, r] = closed(game, r)
            announcing[i, r] = game.step == PROGRAM and announces_with_program(game, r)
