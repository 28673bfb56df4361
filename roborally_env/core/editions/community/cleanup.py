"""The end of a round: radiation, repairs, registers wiped, re-entry (community rules, End of turn effects)."""

import numpy as np

from roborally_env.core import cards, log, upgrades
from roborally_env.core.choices import REBOOT_FACING, choose
from roborally_env.core.editions.community.damage import hurt, locked, repair
from roborally_env.core.editions.community.destruction import shares_cell
from roborally_env.core.editions.community.moving import press_button
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import falling_from
from roborally_env.core.mechanics.piles import end_of_pile
from roborally_env.core.state import REGISTERS
from roborally_env.courses.tables import HAS_CLEANUP

REENTRY_DAMAGE = 2
ALL_FACINGS = 0b1111


@kernel
def board_effects(course, game):
    """Radiation, then repair sites, then checkpoints act on the robots on them."""
    if course.has & HAS_CLEANUP:
        exposed = 0
        for r in range(game.players):
            cell = int(game.cell[r])
            if cell >= 0 and course.radiation[cell] and not game.virtual >> r & 1:
                exposed |= 1 << r
        for r in range(game.players):
            if exposed >> r & 1:
                log.log(game, log.RADIATION, r, game.cell[r])
                hurt(game, r, 1)
        for r in range(game.players):
            if game.cell[r] >= 0:
                for _ in range(course.repair[game.cell[r]]):
                    repair(game, r)
    for r in range(game.players):
        if game.cell[r] >= 0 and on_checkpoint(course, game, int(game.cell[r])):
            repair(game, r)


@kernel
def on_checkpoint(course, game, cell):
    """Whether any checkpoint is on a cell now."""
    for i in range(course.checkpoints):  # noqa: SIM110  numba compiles no generators into kernels
        if game.checkpoint[i] == cell:
            return True
    return False


@kernel
def wipe_registers(game):
    """Cards of registers that are not locked go to the discard piles."""
    for r in range(game.players):
        at = first_at = end_of_pile(game, r)
        kept = locked(game, r)
        for k in range(REGISTERS):
            game.done[r, k] = cards.NONE
            if game.laid_on[r, k] != cards.NONE:
                game.pile[r, at] = game.laid_on[r, k]
                game.laid_on[r, k] = cards.NONE
                at += 1
            if game.registers[r, k] != cards.NONE and not kept >> k & 1:
                game.pile[r, at] = game.registers[r, k]
                game.registers[r, k] = cards.NONE
                at += 1
        game.discarded[r] += at - first_at


@kernel
def reenter(course, game):
    """The robots that were destroyed in this round come back, in turn order; one that a button destroys meanwhile comes
    back after the others."""
    returned = True
    while returned:  # ends: each return hurts a robot once at most, and one that is back survives seven
        returned = False
        for place in range(game.players):
            r = int(game.order[place])
            if game.rebooted >> r & 1 and game.place[r] == 0:
                put_down(course, game, r)
                returned = True
    game.unhurt = 0


@kernel
def put_down(course, game, r):
    """Put robot r on the entry point of the board where it last stood, with two damage, and in virtual mode if another
    robot is there."""
    last = falling_from(int(game.cell[r]))
    token = np.int64(course.token[last])
    spot, arrow = np.int64(game.start[r]), np.int64(course.start_facing)
    if token >= 0:
        spot, arrow = np.int64(course.token_cell[token]), np.int64(course.token_facing[token])
    spared = game.unhurt >> r & 1 or game.owned[r] >> upgrades.FIREWALL & 1
    game.damage[r] = 0 if spared else REENTRY_DAMAGE
    game.tokens[r] += game.damage[r]
    game.rebooted = int(game.rebooted) & ~(1 << r)
    game.cell[r] = spot
    game.facing[r] = choose(game, r, REBOOT_FACING, ALL_FACINGS, arrow)
    log.log(game, log.PLACED, r, spot, game.facing[r])
    log.log(game, log.HURT, r, game.damage[r])
    if shares_cell(game, r):
        game.virtual |= 1 << r
        log.log(game, log.VIRTUAL, r)
    press_button(course, game, r)
