"""Conveyor belts: one step of every robot and checkpoint on an acting belt, at once (R1 to R8, R38)."""

from roborally_env.core import log
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import falling_from, robot_at
from roborally_env.core.mechanics.owned_upgrades import lowest_bit
from roborally_env.core.mechanics.priority import rank_of
from roborally_env.core.mechanics.reboot import reboot
from roborally_env.core.rule import rule
from roborally_env.core.state import NOBODY, NOWHERE
from roborally_env.courses.tables import ANY_BELT, HAS_MOVING, PIT


@kernel
def runs(belt, speed):
    """Whether a belt of speed `belt` (0: no belt) runs in the pass of speed `speed`."""
    return belt > 0 if speed == ANY_BELT else belt == speed


@rule
def turned_by_board(game, r):
    """Whether belts and gears turn robot r."""
    return True


@kernel
def belt_step(course, game, speed):
    """One step of the belts of a speed: settle conflicts, move and turn robots, then handle falls (R17a)."""
    if course.has & HAS_MOVING:
        carry_checkpoints(course, game, speed)
    seats = game.cell.shape[0]
    riders = 0
    for r in range(seats):
        cell = int(game.cell[r])
        if cell >= 0 and carried_to(course, game, speed, cell) != cell:
            riders |= 1 << r
    if riders == 0:
        return
    for r in range(seats):
        cell = int(game.cell[r])
        game.want[r] = carried_to(course, game, speed, cell) if riders >> r & 1 else cell
    if not moves_alone(game, riders):
        settle_conflicts(game)
    fell = 0
    dropped = 0  # four bits for each robot that was carried on: 8 + the levels that it fell
    for r in range(seats):
        cell, to = int(game.cell[r]), int(game.want[r])
        if to == cell:
            continue
        if to < 0:
            fell |= 1 << r
            game.cell[r] = falling_from(cell)
        else:
            game.cell[r] = to
            game.want[r] = cell
            dropped |= (8 | levels_down(course, game, cell, to)) << 4 * r
            if turned_by_board(game, r):
                game.facing[r] = (game.facing[r] + course.belt_turn[cell]) & 3
    if game.log_at:
        log_carried(game, speed, fell)
    if fell:
        settle_falls(course, game, fell)
    land(course, game, dropped)
    for r in range(seats):
        game.want[r] = 0


@kernel(seldom=True)
def log_carried(game, speed, fell):
    """Log the cells to which the belts have carried the robots, of which those in the bit set `fell` fell.

    In `want` are the cells that the others have left, and whether it was a pit into which a robot fell.
    """
    for r in range(game.players):
        want = int(game.want[r])
        if fell >> r & 1:
            log.log(game, log.FALL, r, left_cell(game, r), PIT - want if want <= PIT else -1)
        elif want != game.cell[r]:
            log.log_long(game, log.BELT, r, want, game.cell[r], game.facing[r], speed)


@rule
def carried_to(course, game, speed, cell):
    """The cell to which a belt of that speed carries a robot from a cell; the cell itself without such a belt."""
    return int(course.belt_to[speed, cell])


@rule
def levels_down(course, game, cell, to):
    """How many levels a robot falls when a belt carries it from a cell to the next."""
    return 0


@rule
def land(course, game, dropped):
    """Effects on the robots that were carried on, after all have moved."""


@rule
def in_the_way(game, r, q):
    """Whether two robots on one cell are in each other's way: not in virtual mode."""
    return True


@kernel
def moves_alone(game, riders):
    """Whether only one robot wants to move, to a cell where nobody is."""
    if riders & riders - 1:
        return False
    wanted = game.want[lowest_bit(riders)]
    for q in range(game.players):  # noqa: SIM110  numba compiles no generators into kernels
        if game.cell[q] == wanted:
            return False
    return True


@kernel
def settle_conflicts(game):
    """In `want`, send back each robot that wants the same cell as another robot, or would swap cells with one.

    Repeats until nothing changes (R1 to R4).
    """
    seats = game.cell.shape[0]
    changed = True
    while changed:
        changed = False
        for r in range(seats):
            wanted, home = game.want[r], game.cell[r]
            if wanted < 0 or wanted == home:
                continue
            contested = False
            swapped = NOBODY
            for q in range(seats):
                if q != r and game.want[q] == wanted and in_the_way(game, r, q):
                    contested = True
                if game.cell[q] == wanted and game.want[q] == home and in_the_way(game, r, q):
                    swapped = q
            if contested:
                for q in range(seats):
                    if game.want[q] == wanted and in_the_way(game, r, q):
                        game.want[q] = game.cell[q]
                changed = True
            elif swapped != NOBODY:
                game.want[r] = home
                game.want[swapped] = wanted
                changed = True


@rule
def settle_falls(course, game, fell):
    """Handle the robots of a bit set that fell because of belts."""
    seats = game.cell.shape[0]
    while fell:
        first, best = NOBODY, 1 << 30
        for r in range(seats):
            if fell >> r & 1:
                rank = rank_of(course, game, r, left_cell(game, r))
                if rank < best:
                    first, best = r, rank
        fell &= ~(1 << first)
        to = int(game.want[first])
        if to <= PIT:
            game.cell[first] = falling_from(PIT - to)
        reboot(course, game, first)


@kernel
def left_cell(game, r):
    """The cell on which a robot stood before it fell in this belt step."""
    return falling_from(game.cell[r])


@rule
def place_of_lost(course, i, game):
    """The cell of checkpoint i + 1 after it fell."""
    return course.checkpoint[i]


@rule
def stays(course, cell, to, game):
    """Whether a belt leaves a checkpoint on its cell instead of carrying it to the other."""
    return False


@kernel
def carry_checkpoints(course, game, speed):
    """Checkpoints on acting belts move as robots would, stopped by walls only.

    A checkpoint that is lost goes back to its start and rests (R38, R38a).
    """
    for i in range(course.checkpoints):
        cell = game.checkpoint[i]
        if cell == NOWHERE or game.rested >> i & 1 or not runs(course.belt[cell], speed):
            continue
        to = carried_to(course, game, speed, int(cell))
        if to == cell or stays(course, int(cell), to, game):
            continue
        if to < 0:
            to = place_of_lost(course, i, game)
            game.rested |= 1 << i
            rider = robot_at(game, cell)
            if rider != NOBODY:
                game.barred[rider] |= 1 << i
        game.checkpoint[i] = to
        log.log_long(game, log.CHECKPOINT_MOVED, -1, i + 1, cell, to)
