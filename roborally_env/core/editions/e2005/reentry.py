"""Coming back (2005 rulebook p. 9, Multiple Archive Markers on the Same Space; R61, R63)."""

import numpy as np

from roborally_env.core import log, options
from roborally_env.core.chance import below
from roborally_env.core.choices import NO, REBOOT_FACING, REENTER_POWERED_DOWN, REENTRY_CELL, REENTRY_ROW, YES, choose
from roborally_env.core.editions.e2005.flags import drop_flags
from roborally_env.core.editions.e2005.table import NO_OR_YES, has
from roborally_env.core.editions.e2005.touching import BY_ROWS
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import falling_from, robot_at
from roborally_env.core.mechanics.owned_upgrades import lowest_bit
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.courses.special import NO_POWER_DOWN
from roborally_env.courses.tables import CELLS, WIDTH

ALL_FACINGS = 0b1111
DAMAGE = 2  # tokens of a robot that comes back
SIGHT = 3  # spaces in its line of sight that must have no robot


@kernel
def next_to_reenter(game):
    """The destroyed robot that comes back next, in the order of destruction, or NOBODY."""
    first, since = NOBODY, np.int64(1 << 30)
    for r in range(game.players):
        if game.dead_since[r] and game.dead_since[r] < since and game.lives[r] > 0 and game.sits_out[r] != 1:
            first, since = r, np.int64(game.dead_since[r])
    return first


@kernel
def reenter(course, game, r):
    """Robot r comes back with two damage on the space of its archive marker, or next to it if a robot is there or a
    turned board has put a pit there."""
    spot = np.int64(game.archive[r])
    legal = ALL_FACINGS
    if robot_at(game, spot) != NOBODY or course.pit[spot]:
        spot = adjacent_space(course, game, r, spot)
        if spot >= 0:
            legal = free_facings(course, game, spot)
        else:
            spot = ~spot
    game.destroyed = np.int64(game.destroyed) & ~(1 << r)
    game.dead_since[r] = 0
    game.sits_out[r] = 0
    game.damage[r] = 0 if has(game, r, options.SUPERIOR_ARCHIVE) else DAMAGE
    game.jammed[r] = 0
    stand(course, game, r, spot, legal)
    game.announced = np.int64(game.announced) & ~(1 << r)
    if not game.special & NO_POWER_DOWN and choose(game, r, REENTER_POWERED_DOWN, NO_OR_YES, NO) == YES:
        game.announced |= 1 << r
        log.log(game, log.ANNOUNCED, r)


@kernel
def stand(course, game, r, spot, legal):
    """Put robot r on a cell, facing one of the legal directions that its player chooses."""
    default = np.int64(course.start_facing)
    while not legal >> default & 1:
        default = (default + 1) & 3
    game.facing[r] = choose(game, r, REBOOT_FACING, legal, default)
    game.cell[r] = spot
    log.log(game, log.PLACED, r, spot, game.facing[r])


@kernel
def free_facings(course, game, spot):
    """Facings with no robot in sight within three spaces, as bits."""
    legal = 0
    for facing in range(4):
        if robot_in_sight(course, game, spot, facing) == NOBODY:
            legal |= 1 << facing
    return legal


@kernel
def robot_in_sight(course, game, spot, facing):
    """The first robot in line of sight of a cell that is three spaces away or closer, or NOBODY."""
    end = np.int64(course.ray_end[spot, facing])
    step = -WIDTH if facing == 0 else 1 if facing == 1 else WIDTH if facing == 2 else -1
    cell = spot
    for _ in range(SIGHT):
        if cell == end:
            return NOBODY
        cell += step
        other = robot_at(game, cell)
        if other != NOBODY:
            return other
    return NOBODY


@kernel
def is_free_space(course, game, x, y):
    """Whether a robot could be put on column x, row y: a free space, not a pit."""
    if x < 0 or y < 0 or x >= course.width or y >= course.height:
        return False
    cell = y * WIDTH + x
    return course.on_board[cell] and not course.pit[cell] and robot_at(game, cell) == NOBODY


@kernel
def adjacent_space(course, game, r, archive):
    """The space next to an occupied archive space that the player chooses, orthogonally or diagonally (R63).

    Returns ~cell if none is legal: the nearest free cell, where the robot may have any facing.
    """
    x, y = archive % WIDTH, archive // WIDTH
    legal = 0
    first = NOBODY
    for i in range(8):
        around = BY_ROWS[i]
        nx, ny = x + column_step(around), y + column_step((around + 6) & 7)
        if is_free_space(course, game, nx, ny):
            cell = ny * WIDTH + nx
            for facing in range(4):
                if robot_in_sight(course, game, cell, facing) == NOBODY:
                    legal |= 1 << around
                    if first == NOBODY:
                        first = around
    if legal == 0:
        return ~nearest_space(course, game, archive)
    around = choose(game, r, REENTRY_CELL, legal, first)
    return (y + column_step((around + 6) & 7)) * WIDTH + x + column_step(around)


@kernel
def column_step(around):
    """The column offset of a neighbour, 0..7 clockwise from north. With `around - 2` it is the row offset."""
    return 1 if 1 <= around <= 3 else -1 if around >= 5 else 0


@kernel
def nearest_space(course, game, archive):
    """The nearest space where a robot can be put: by rings, then row, then column."""
    x, y = archive % WIDTH, archive // WIDTH
    best, best_ring = archive, 1 << 30
    for cell in range(CELLS):
        if course.on_board[cell] and not course.pit[cell] and robot_at(game, cell) == NOBODY:
            ring = max(abs(cell % WIDTH - x), abs(cell // WIDTH - y))
            if ring < best_ring:
                best, best_ring = cell, ring
    return best


# -- Capture the Flag: anywhere in the back six rows of the home board


@kernel
def enter_yard(course, game, r, careful):
    """Robot r is put down in its back rows; if `careful`, with no enemy in sight within three spaces."""
    columns = 0
    first, count = NOBODY, 0
    for cell in range(CELLS):
        if may_enter(course, game, r, cell, careful):
            columns |= 1 << cell % WIDTH
            count += 1
    if count == 0:  # enemies see every space
        careful = False
        for cell in range(CELLS):
            if may_enter(course, game, r, cell, careful):
                columns |= 1 << cell % WIDTH
                count += 1
    pick = below(game, count)
    for cell in range(CELLS):
        if may_enter(course, game, r, cell, careful):
            if pick == 0:
                first = cell
                break
            pick -= 1
    x = choose(game, r, REENTRY_CELL, columns, first % WIDTH)
    rows, default = 0, NOBODY
    for y in range(course.height):
        cell = y * WIDTH + x
        if may_enter(course, game, r, cell, careful):
            rows |= 1 << y
            if default == NOBODY or cell == first:
                default = y
    cell = choose(game, r, REENTRY_ROW, rows, default) * WIDTH + x
    stand(course, game, r, cell, safe_facings(course, game, r, cell, careful))


@kernel
def may_enter(course, game, r, cell, careful):
    """Whether robot r can be put on a cell: free and in its yard, with a facing that is allowed."""
    if course.yard[cell] != game.home[game.team[r]] or robot_at(game, cell) != NOBODY:
        return False
    return safe_facings(course, game, r, cell, careful) != 0


@kernel
def safe_facings(course, game, r, spot, careful):
    """The facings that are allowed in the yard, as bits: with `careful` no enemy may stand in sight within three
    spaces."""
    if not careful:
        return ALL_FACINGS
    legal = 0
    for facing in range(4):
        other = robot_in_sight(course, game, spot, facing)
        if other == NOBODY or game.team[other] == game.team[r]:
            legal |= 1 << facing
    return legal


@kernel
def send_home(course, game):
    """Robots that an enemy pushed on its home board leave the board, without their flags, if that enemy has survived
    the register."""
    survivors = 0
    for r in range(game.players):
        survivors |= (game.cell[r] >= 0) << r
    for r in range(game.players):
        if game.pushers[r] & survivors and survivors >> r & 1:
            game.sent_home |= 1 << r
            game.cell[r] = falling_from(game.cell[r])
            log.log(game, log.SENT_HOME, r, lowest_bit(game.pushers[r] & survivors))
    for r in range(game.players):
        if game.cell[r] < NOWHERE:
            drop_flags(course, game, r)
            game.cell[r] = NOWHERE
