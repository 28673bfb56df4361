"""Ramps, trapdoors, stompers and goals of a register (community rules, Register phase elements)."""

import numpy as np

from roborally_env.core import log
from roborally_env.core.editions.community.damage import hurt
from roborally_env.core.editions.community.destruction import leave_board, remove, settle_virtual
from roborally_env.core.editions.community.heights import entered_by, levels_between, ramp_is_on, way
from roborally_env.core.editions.community.moving import drop, press_button, real_robot_at
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import falling_from
from roborally_env.core.rule_options import RULE_RACE_ON
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.courses.tables import BLOCKED, EDGE, PIT

STOMP_DAMAGE = 2


@kernel
def slide_down_ramps(course, game):
    """Robots that stand on ramps which are on slide one cell to the foot, in turn order, unless a robot is there."""
    sliding = 0
    for r in range(game.players):
        if game.cell[r] >= 0 and ramp_is_on(course, game, int(game.cell[r])):
            sliding |= 1 << r
    for place in range(game.players):
        r = int(game.order[place])
        if sliding >> r & 1 and game.cell[r] >= 0 and ramp_is_on(course, game, int(game.cell[r])):
            slide(course, game, r)


@kernel
def slide(course, game, r):
    """Move robot r one cell down; it enters the cell as by a step."""
    cell = int(game.cell[r])
    down = (np.int64(course.ramp_up[cell]) + 2) & 3
    to = way(course, game, cell, down)
    if to == BLOCKED:
        return
    if to == EDGE or to <= PIT:
        game.cell[r] = falling_from(entered_by(to) if to <= PIT else cell)
        log.log(game, log.FALL, r, cell, PIT - to if to <= PIT else -1)
        remove(game, r)
        return
    if real_robot_at(game, to) != NOBODY and not game.virtual >> r & 1:
        return
    levels = levels_between(course, game, cell, to, down)
    game.cell[r] = to
    log.log(game, log.SLIDE, r, cell, to)
    was_virtual = np.int64(game.virtual) >> r & 1
    settle_virtual(game)
    if levels > 0 and not was_virtual:
        drop(game, r, levels)
    press_button(course, game, r)


@kernel
def open_trapdoors(course, game):
    """The trapdoors of this register destroy the robots on them."""
    for place in range(game.players):
        r = int(game.order[place])
        cell = int(game.cell[r])
        if cell >= 0 and course.trapdoor[cell] >> game.register & 1:
            log.log(game, log.TRAPDOOR, r, cell)
            remove(game, r)


@kernel
def stomp(course, game):
    """The stompers of this register deal two damage; a robot that survives acts last in the next register."""
    beneath = 0  # found before any damage: a robot left alone when another is destroyed there is not stomped
    for r in range(game.players):
        cell = int(game.cell[r])
        if cell >= 0 and course.stomper[cell] >> game.register & 1 and not game.virtual >> r & 1:
            beneath |= 1 << r
    for place in range(game.players):
        r = int(game.order[place])
        if beneath >> r & 1:
            game.stomped |= 1 << r
            log.log(game, log.STOMPED, r, game.cell[r])
            hurt(game, r, STOMP_DAMAGE)


@kernel
def move_stomped_back(game):
    """Move stomped robots to the end of the turn order; they keep their order among themselves."""
    if game.stomped == 0:
        return
    measured = 0
    for place in range(game.players):
        measured |= int(game.order[place]) << 4 * place
    filled = 0
    for late in range(2):
        for place in range(game.players):
            r = measured >> 4 * place & 15
            if int(game.stomped) >> r & 1 == late:
                game.order[filled] = r
                filled += 1


@kernel
def touch_checkpoints(course, game):
    """Robots on their next checkpoints reach them, in turn order: two robots on one cell can win in one register."""
    for place in range(game.players):
        r = int(game.order[place])
        number = int(game.reached[r])
        if game.cell[r] < 0 or number >= course.checkpoints:
            continue
        at = game.checkpoint[number]
        if at != NOWHERE and at == game.cell[r]:
            game.reached[r] = number + 1
            log.log(game, log.CHECKPOINT, r, number + 1)
            if number + 1 == course.checkpoints:
                finish(game, r)


@kernel
def finish(game, r):
    """Robot r is at the goal; the first robot there wins. If the others race on, robot r leaves the board."""
    at_goal = 0
    for q in range(game.players):
        at_goal += game.place[q] > 0
    game.place[r] = at_goal + 1
    if game.winner == NOBODY:
        game.winner = r
        log.log(game, log.WIN, r)
    if game.rules & RULE_RACE_ON:
        leave_board(game, r, int(game.cell[r]))
        log.log(game, log.FINISHED, r, game.place[r])
        settle_virtual(game)


@kernel
def race_is_over(game):
    """Whether the race is over: with the first winner or, if the others race on, when one robot is left."""
    if game.winner == NOBODY:
        return False
    if not game.rules & RULE_RACE_ON:
        return True
    racing = 0
    for r in range(game.players):
        racing += game.place[r] == 0
    return racing < 2
