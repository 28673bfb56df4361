"""Steps and pushes on levels, buttons, virtual mode (community rules, Board Elements, Pushing, Virtual Mode)."""

import numpy as np

from roborally_env.core import log, upgrades
from roborally_env.core.editions.community.damage import hurt
from roborally_env.core.editions.community.destruction import remove, settle_virtual
from roborally_env.core.editions.community.heights import can_push_into, entered_by, levels_between, way
from roborally_env.core.editions.e2016.upgrades.moving import enter
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import MOVED, STOPPED, falling_from
from roborally_env.core.mechanics.owned_upgrades import can_use
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.courses.tables import BLOCKED, EDGE, HAS_BUTTONS, HAS_LEVELS, PIT

LEDGE_DAMAGE = 2  # for each level


@kernel
def real_robot_at(game, cell):
    """The robot on a cell that is not in virtual mode, or NOBODY."""
    for r in range(game.cell.shape[0]):
        if game.cell[r] == cell and not game.virtual >> r & 1:
            return r
    return NOBODY


@kernel
def robot_before(course, game, cell, direction):
    """The robot that a step from a cell would touch, which it pushes if there is room; or NOBODY."""
    to = way(course, game, cell, direction)
    if to in (BLOCKED, EDGE):
        return NOBODY
    there = entered_by(to)
    other = real_robot_at(game, there)
    return other if other != NOBODY and can_push_into(course, game, cell, there, direction) else NOBODY


@kernel
def is_blocked(course, game, cell, direction):
    """Whether the line of robots from a cell on cannot be moved by one cell."""
    while True:
        to = way(course, game, cell, direction)
        if to == BLOCKED:
            return True
        if to == EDGE:
            return False
        there = entered_by(to)
        if real_robot_at(game, there) == NOBODY:
            return False
        if not can_push_into(course, game, cell, there, direction):
            return True
        cell = there


@kernel
def can_step(course, game, r, direction):
    """See `moving.can_step`: in virtual mode no robot is in the way."""
    cell = int(game.cell[r])
    if game.virtual >> r & 1:
        return way(course, game, cell, direction) != BLOCKED
    return not is_blocked(course, game, cell, direction)


@kernel
def shift_line(course, game, first, direction, spared, kind):
    """See `movement.shift_line`; a robot that falls is destroyed at once, so the result is STOPPED or MOVED."""
    to = free_cell(course, game, first, direction)
    if to >= 0:
        enter(game, first, to, kind)
        return MOVED
    fell = shift(course, game, first, direction, kind, False, True)
    if fell == STOPPED:
        return STOPPED
    for r in range(game.players):
        if fell >> r & 1:
            remove(game, r)
    return MOVED


@kernel
def free_cell(course, game, r, direction):
    """See `moving.free_cell`."""
    cell = int(game.cell[r])
    to = way(course, game, cell, direction)
    if to < 0 or game.virtual or real_robot_at(game, to) != NOBODY:
        return np.int64(NOWHERE)
    if course.has & (HAS_LEVELS | HAS_BUTTONS):
        if course.button[to] or levels_between(course, game, cell, to, direction) != 0:
            return np.int64(NOWHERE)
    return to


@kernel
def shift_by_card(course, game, first, direction, kind):
    """As shift_line, for a step of a card: robots with Hover Unit cross pits. STOPPED, or the fallen robots as bits."""
    return shift(course, game, first, direction, kind, True, True)


@kernel
def push_aside(course, game, r, direction):
    """See `moving.push_aside`: robots in virtual mode on the cell that is left stay so, as the mover comes there."""
    cell, virtual = int(game.cell[r]), int(game.virtual)
    fell = shift(course, game, r, direction, log.PUSH, True, False)
    for q in range(game.players):  # also where somebody was destroyed
        if virtual >> q & 1 and game.cell[q] == cell:
            game.virtual = int(game.virtual) | 1 << q
    return fell


@kernel
def shift(course, game, first, direction, kind, hovering, is_whole):
    """Move robot `first` and all robots in line ahead of it one cell, or none. STOPPED, or the fallen robots as bits.

    Then the last of the line takes the damage of a ledge, and the buttons of the cells entered are pressed. At the end
    of a whole act robots in virtual mode that are alone on their cells are real again.
    """
    line = find_line(course, game, first, direction)
    if line == STOPPED:
        log.log(game, log.BLOCKED, first, game.cell[first], direction)
        return STOPPED
    fell = 0
    levels = np.int64(0)  # only the last robot can fall: each other one has a robot of its level ahead
    last = line & 15
    rest = line
    while True:
        r = rest & 15
        left = int(game.cell[r])
        to = way(course, game, left, direction)
        if to == EDGE or (to <= PIT and not (hovering and can_use(game, r, upgrades.HOVER_UNIT))):
            fell |= 1 << r
            game.cell[r] = falling_from(entered_by(to) if to <= PIT else left)
            log.log(game, log.FALL, r, left, PIT - to if to <= PIT else -1)
        else:
            there = entered_by(to)
            if r == last:
                levels = levels_between(course, game, left, there, direction)
            game.cell[r] = there
            log.log(game, kind if r == first else log.PUSH, r, left, there)
        if r == first:
            break
        rest >>= 4
    was_virtual = np.int64(game.virtual) >> last & 1
    if is_whole:
        settle_virtual(game)
    if levels > 0 and not was_virtual:
        drop(game, last, levels)
    if course.has & HAS_BUTTONS:
        while True:
            r = line & 15
            if not fell >> r & 1:
                press_button(course, game, r)
            if r == first:
                break
            line >>= 4
    return fell


@kernel
def find_line(course, game, first, direction):
    """Robot `first` and those that its step pushes, four bits for each, the farthest lowest; STOPPED if it is
    blocked."""
    line = first
    cell = int(game.cell[first])
    while True:
        to = way(course, game, cell, direction)
        if to == BLOCKED:
            return STOPPED
        if to == EDGE or game.virtual >> first & 1:
            return line
        there = entered_by(to)
        other = real_robot_at(game, there)
        if other == NOBODY:
            return line
        if not can_push_into(course, game, cell, there, direction):
            return STOPPED
        line = line << 4 | other
        cell = there


@kernel
def drop(game, r, levels):
    """Robot r, which was not in virtual mode, fell down a ledge."""
    log.log(game, log.LEDGE, r, game.cell[r], levels)
    hurt(game, r, LEDGE_DAMAGE * levels)


@kernel
def press_button(course, game, r):
    """Robot r has entered its cell: a button there toggles its ramps; robots on a ramp that goes off take one
    damage."""
    cell = int(game.cell[r]) if game.cell[r] >= 0 else falling_from(int(game.cell[r]))
    linked = course.button[cell]
    if linked == 0:
        return
    log.log(game, log.BUTTON, r, cell)
    game.ramps ^= linked
    for i in range(course.ramps):
        if np.int64(linked) >> i & 1:
            on = np.int64(game.ramps) >> i & 1
            log.log(game, log.RAMP, -1, course.ramp_cell[i], on)
            if not on:
                rider = real_robot_at(game, course.ramp_cell[i])
                if rider != NOBODY:
                    hurt(game, rider, 1)


@kernel
def arrive(course, game, r, other):
    """A teleported robot, and one that it changed places with, have entered their cells."""
    settle_virtual(game)
    press_button(course, game, r)
    if other != NOBODY:
        press_button(course, game, other)


@kernel
def in_the_way(game, r, q):
    """Whether two robots on one cell are in each other's way: not in virtual mode."""
    return not (int(game.virtual) >> r | int(game.virtual) >> q) & 1


@kernel
def is_gone(game, r):
    """Whether robot r has left the board for the rest of the round, as robots of the community edition do."""
    return bool(game.rebooted >> r & 1)


@kernel
def cost_of_step(course, game, r):
    """How many steps of a card robot r's next step uses up: two to leave a puddle, else one."""
    return 2 if course.puddle[game.cell[r]] else 1


@kernel
def takes_part(game, r):
    """Whether robot r and the others push and hit each other: not in virtual mode."""
    return not game.virtual >> r & 1
