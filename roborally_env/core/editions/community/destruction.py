"""Destruction: off the board until the round's end (community rules, Damage and destruction; Falling of the board)."""

from roborally_env.core import log
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import falling_from
from roborally_env.core.mechanics.piles import discard_hand, discard_registers
from roborally_env.core.mechanics.reboot import drop_shield
from roborally_env.courses.tables import PIT


@kernel
def remove(game, r):
    """Robot r is destroyed where it stands or fell: all its cards go to its discard pile, its upgrades stay."""
    if game.rebooted >> r & 1:
        return
    last = int(game.cell[r]) if game.cell[r] >= 0 else falling_from(int(game.cell[r]))
    game.reboots[r] += 1
    leave_board(game, r, last)
    log.log(game, log.LOST, r, last)
    settle_virtual(game)


@kernel
def leave_board(game, r, last):
    """Robot r leaves the board from a cell and takes part in nothing from now on. Then `settle_virtual` is due."""
    game.cell[r] = falling_from(last)
    bit = 1 << r
    game.rebooted |= bit
    game.announced = int(game.announced) & ~bit
    game.stomped = int(game.stomped) & ~bit
    game.virtual = int(game.virtual) & ~bit
    discard_registers(game, r, 0)
    discard_hand(game, r)
    drop_shield(game, r)


@kernel
def settle_virtual(game):
    """Robots in virtual mode that share their cell with no other robot are real again."""
    if game.virtual == 0:
        return
    for r in range(game.players):
        if game.virtual >> r & 1 and not shares_cell(game, r):
            game.virtual = int(game.virtual) & ~(1 << r)
            log.log(game, log.REAL, r)


@kernel
def shares_cell(game, r):
    """Whether another robot, in whatever mode, is on robot r's cell."""
    for q in range(game.players):  # noqa: SIM110  numba compiles no generators into kernels
        if q != r and game.cell[q] == game.cell[r]:
            return True
    return False


@kernel
def destroy(course, game, r):
    """See `reboot.reboot`."""
    remove(game, r)


@kernel
def destroy_fallen(course, game, fell):
    """Destroy, in turn order, the robots of a bit set that fell because of belts; a pit's board counts as theirs
    (R16)."""
    for place in range(game.players):
        r = int(game.order[place])
        if fell >> r & 1:
            if game.want[r] <= PIT:
                game.cell[r] = falling_from(PIT - int(game.want[r]))
            remove(game, r)


@kernel
def leave_unhurt(course, game, r):
    """The upgrade Reboot: the robot comes back at the round's end, without damage."""
    remove(game, r)
    game.unhurt |= 1 << r
