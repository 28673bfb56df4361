"""Where robots stand, and how they move: always a line of robots by one cell."""

from roborally_env.core import log, upgrades
from roborally_env.core.kernel import kernel
from roborally_env.core.rule import rule
from roborally_env.core.state import NOBODY
from roborally_env.core.traits import with_upgrades
from roborally_env.courses.tables import BLOCKED, EDGE, PIT

STOPPED = -1  # nobody moved
MOVED = 0  # the line moved, nobody fell
# any other result of shift_line is 1 + the robot that fell


@rule
def way(course, game, cell, direction):
    """Where a step from a cell leads: a cell, BLOCKED, EDGE or PIT - cell."""
    return int(course.next[cell, direction])


@rule
def robot_at(game, cell):
    """The robot on a cell, or NOBODY."""
    for r in range(game.cell.shape[0]):
        if game.cell[r] == cell:
            return r
    return NOBODY


@rule
def is_gone(game, r):
    """Whether robot r has left the board for the rest of the round, as robots of the community edition do."""
    return False


@kernel
def falling_from(cell):
    """The value of the field `cell` for a robot that fell at `cell`, which selects its reboot token (R16). The function
    is its own inverse."""
    return -2 - cell


@rule(often=True)
def shift_line(course, game, first, direction, spared, kind):
    """Move robot `first` and all robots in line ahead of it one cell, or none (R10).

    Returns STOPPED, MOVED or 1 + the robot that fell. A shift that would make a robot of the bit set `spared` fall does
    not happen (R17b). Only the last robot of the line can fall; it is left off the board, and the caller must reboot
    it. `kind` is the event logged for `first`.
    """
    if somebody_hovers(course, game):
        return shift_past_hovering(course, game, first, direction, spared, kind)
    line = first
    cell = int(game.cell[first])
    while True:
        to = int(course.next[cell, direction])
        if to == BLOCKED:
            log.log(game, log.BLOCKED, first, game.cell[first], direction)
            return STOPPED
        if to < 0:
            break
        other = robot_at(game, to)
        if other == NOBODY:
            break
        line = line << 4 | other
        cell = to
    result = MOVED
    if to < 0:
        last = line & 15
        if spared >> last & 1:
            return STOPPED
        result = 1 + last
        to = falling_from(PIT - to if to <= PIT else cell)
    if game.log_at:
        shift_logged(game, line, to, first, kind)
        return result
    while True:  # from the far end back to `first`, each into the cell that the one before it left
        r = line & 15
        left = int(game.cell[r])
        game.cell[r] = to
        to = left
        if r == first:
            return result
        line >>= 4


@kernel(seldom=True)
def shift_logged(game, line, to, first, kind):
    """The end of `shift_line` in a game with a log: the robots of a line move, from the far end on, whose robot goes to
    `to`."""
    while True:
        r = line & 15
        left = int(game.cell[r])
        game.cell[r] = to
        if to < 0:
            fell_at = falling_from(to)
            log.log(game, log.FALL, r, left, fell_at if fell_at != left else -1)
        else:
            log.log(game, kind if r == first else log.PUSH, r, left, to)
        to = left
        if r == first:
            return
        line >>= 4


@with_upgrades(False)
def somebody_hovers(course, game):
    """Whether a robot with Hover Unit is above a pit just now, in the middle of a card."""
    if not game.on_mats >> upgrades.HOVER_UNIT & 1:
        return False
    for r in range(game.players):  # noqa: SIM110
        if game.cell[r] >= 0 and course.pit[game.cell[r]]:
            return True
    return False


@kernel
def shift_past_hovering(course, game, first, direction, spared, kind):
    """As shift_line while a robot hovers: a robot that enters its cell pushes it and falls; no other robot hovers.

    If several fall, the one farthest from `first` is returned; the others stay off the board until the card ends.
    """
    line = line_over_pits(course, game, first, direction, spared)
    if line == STOPPED:
        return STOPPED
    result = MOVED
    while True:
        r = line & 15
        left = int(game.cell[r])
        to = int(course.next[left, direction])
        if to < 0:
            game.cell[r] = falling_from(PIT - to if to <= PIT else left)
            log.log(game, log.FALL, r, left, PIT - to if to <= PIT else -1)
            if result == MOVED:
                result = 1 + r
        else:
            game.cell[r] = to
            log.log(game, kind if r == first else log.PUSH, r, left, to)
        if r == first:
            return result
        line >>= 4


@kernel
def line_over_pits(course, game, first, direction, spared):
    """The line of robots that moves with `first` where robots may hover above pits, four bits for each, the farthest
    in the lowest; STOPPED if it cannot move."""
    line = first
    cell = int(game.cell[first])
    while True:
        to = int(course.next[cell, direction])
        if to == BLOCKED:
            log.log(game, log.BLOCKED, first, game.cell[first], direction)
            return STOPPED
        if to < 0 and spared >> (line & 15) & 1:
            return STOPPED
        if to == EDGE:
            return line
        cell = PIT - to if to <= PIT else to
        other = robot_at(game, cell)
        if other == NOBODY:
            return line
        line = line << 4 | other


@kernel
def turn(game, r, quarters, kind=log.TURN):
    """Turn robot r clockwise by a number of quarter turns. `kind` is the event logged: by its card, or by a gear."""
    before = game.facing[r]
    game.facing[r] = (before + quarters) & 3
    log.log(game, kind, r, before, game.facing[r])


@rule
def cost_of_step(course, game, r):
    """How many steps of a card robot r's next step uses up: two to leave a puddle, else one."""
    return 1
