"""5. Clean-up (2005 rulebook p. 8 and 9; R60, R65, R67), and the turn that follows."""

import numpy as np

from roborally_env.core import log, options
from roborally_env.core.cards2005 import NONE
from roborally_env.core.choices import NO, STAY_DOWN, YES, choose
from roborally_env.core.editions.e2005.deck import shuffle
from roborally_env.core.editions.e2005.locks import locked, repair, repair_all, wipe
from roborally_env.core.editions.e2005.programming import announce
from roborally_env.core.editions.e2005.table import NO_OR_YES, draw_option, has
from roborally_env.core.editions.e2005.touching import flag_on, touched_cell, worth
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.programs import ALL
from roborally_env.core.state import NOBODY
from roborally_env.courses.special import NO_POWER_DOWN, OPTIONS_FOR_REPAIRS, SUPERBOT

CIRCUIT_BREAKER_TOKENS = 3


@kernel
def begin_turn(game):
    """Robots whose power down was announced power down now and discard their damage (p. 5)."""
    game.round_number += 1
    game.down = 0
    log.log(game, log.ROUND, -1, game.round_number)
    for r in range(game.players):
        bit = 1 << r
        if game.announced & bit:
            game.announced = np.int64(game.announced) & ~bit
            game.down |= bit
            log.log(game, log.POWERED_DOWN, r)
            repair_all(game, r)
    shuffle(game)


@kernel
def repair_robots(course, game):
    """Repairs and options on repair sites and flags; the SuperBot is repaired; then Circuit Breaker (R65)."""
    for i in range(game.players):
        r = np.int64(game.dock_order[i])
        if game.cell[r] >= 0:
            repair_in_place(course, game, r)
        if is_in(game, r) and has(game, r, options.CIRCUIT_BREAKER) and game.damage[r] >= CIRCUIT_BREAKER_TOKENS:
            if not game.special & NO_POWER_DOWN and not game.announced >> r & 1:
                log.log(game, log.OPTION_USED, r, options.CIRCUIT_BREAKER)
                announce(game, r)


@kernel
def repair_in_place(course, game, r):
    """The repair site or flag that repairs robot r; the SuperBot loses all its tokens."""
    level = repair_level(course, game, r, np.int64(game.cell[r]))
    if has(game, r, options.MECHANICAL_ARM) and worth(course, game, r, touched_cell(course, game, r)) > 0:
        touched = np.int64(game.archive[r])  # in the last register (R65)
        level = max(level, repair_level(course, game, r, touched))
    if level > 0:
        if game.special & OPTIONS_FOR_REPAIRS:
            for _ in range(level):
                draw_option(game, r)
        else:
            repair(game, r)
            if level == 2:
                draw_option(game, r)
    if game.special & SUPERBOT and game.superbot == r:
        repair_all(game, r)


@kernel
def repair_level(course, game, r, cell):
    """How a cell repairs robot r: 2 for crossed wrench and hammer, 1 for one wrench or a flag that counts for it, 0 for
    any other."""
    return max(np.int64(course.repair[cell]), 1 if flag_on(game, r, cell) != NOBODY else 0)


@kernel
def is_in(game, r):
    """Whether robot r is on the board, or off it without having been destroyed (Capture the Flag)."""
    return game.cell[r] >= 0 or bool(game.sent_home >> r & 1)


@kernel
def wipe_registers(game):
    """Discard the cards of registers that are not locked, and end all effects of the turn."""
    for r in range(game.players):
        wipe(game, r, ALL & ~locked(game, r) if is_in(game, r) else ALL)
        game.conditional[r] = NONE
        game.controller[r] = NOBODY
    game.aborted = game.stabilized = game.recompiled = 0
    game.register = 0


@kernel
def stay_down(game):
    """Players of powered-down robots announce, in dock order, whether they stay down (p. 5, p. 9)."""
    if game.special & NO_POWER_DOWN:
        return
    for i in range(game.players):
        r = np.int64(game.dock_order[i])
        if game.down >> r & 1 and is_in(game, r) and not game.announced >> r & 1:
            if choose(game, r, STAY_DOWN, NO_OR_YES, NO) == YES:
                announce(game, r)
