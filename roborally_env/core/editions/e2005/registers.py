"""A. Reveal program cards: announcements, replaced cards, and the order of moves (p. 5 and 6; R65)."""

import numpy as np

from roborally_env.core import log, options
from roborally_env.core.cards2005 import NONE
from roborally_env.core.choices import NO, OPTION, USE, choose
from roborally_env.core.editions.e2005.flags import bring_flags_back
from roborally_env.core.editions.e2005.locks import locked, place_from_deck, set_register
from roborally_env.core.editions.e2005.policy import saves_itself
from roborally_env.core.editions.e2005.table import has, on_any_table, uses
from roborally_env.core.editions.e2005.turn_order import plays, set_order
from roborally_env.core.kernel import kernel
from roborally_env.core.state import NOBODY


@kernel
def begin_register(course, game):
    """A register begins: announcements in dock order, cards are revealed, the order of moves is set."""
    log.log(game, log.REGISTER, -1, game.register + 1)
    game.acted = 0
    game.turn = 0
    game.as_dual = 0
    for r in range(game.players):
        game.shield[r] = 0
        game.barred[r] = 0
        game.pushers[r] = 0
    bring_flags_back(course, game)
    if game.on_table or game.aborted:
        announce_options(game)
        throw_switches(course, game)
    set_order(game)


@kernel
def plays_own(game, r):
    """Whether robot r plays its own program in this register."""
    return plays(game, r) and game.controller[r] == NOBODY


@kernel
def announce_options(game):
    """Announcements before cards are revealed: Conditional Program, and in register one Gyroscopic Stabilizer."""
    k = np.int64(game.register)
    for i in range(game.players):
        r = np.int64(game.dock_order[i])
        if game.conditional[r] != NONE and plays_own(game, r) and not locked(game, r) >> k & 1:
            kind = OPTION + options.CONDITIONAL_PROGRAM
            if choose(game, r, kind, 1 | 1 << USE, NO) == USE:
                set_register(game, r, k, np.int64(game.conditional[r]))
                game.conditional[r] = NONE
                log.log(game, log.REPLACED, r, k + 1, game.registers[r, k])
    if k > 0 or not on_any_table(game, options.GYROSCOPIC_STABILIZER):
        return
    for i in range(game.players):
        r = np.int64(game.dock_order[i])
        if game.cell[r] < 0 or not has(game, r, options.GYROSCOPIC_STABILIZER):
            continue
        if uses(game, r, options.GYROSCOPIC_STABILIZER, 0):
            game.stabilized |= 1 << r


@kernel
def throw_switches(course, game):
    """Abort Switch: from the register in which it is thrown on, cards come from the deck; locked ones stay (R65)."""
    if not on_any_table(game, options.ABORT_SWITCH) and game.aborted == 0:
        return
    k = np.int64(game.register)
    for i in range(game.players):
        r = np.int64(game.dock_order[i])
        if not plays_own(game, r) or locked(game, r) >> k & 1 or game.registers[r, k] == NONE:
            continue
        if not game.aborted >> r & 1:
            if not has(game, r, options.ABORT_SWITCH):
                continue
            if not uses(game, r, options.ABORT_SWITCH, saves_itself(course, game, r)):
                continue
            game.aborted |= 1 << r
        pace = game.pace[r, k]
        place_from_deck(game, r, k)
        game.pace[r, k] = pace  # the drawn card's number does not change the order
