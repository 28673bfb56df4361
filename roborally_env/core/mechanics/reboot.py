"""Falling off the board, worms, and being put back (2016 rulebook, Damage and Reboots; R15 to R20)."""

from roborally_env.core import log
from roborally_env.core.choices import REBOOT_FACING, choose
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import MOVED, STOPPED, falling_from, robot_at, shift_line
from roborally_env.core.mechanics.owned_upgrades import can_use
from roborally_env.core.mechanics.piles import discard_hand, discard_registers, take_damage
from roborally_env.core.mechanics.places import column_of, row_of
from roborally_env.core.rule import rule
from roborally_env.core.state import NOBODY
from roborally_env.core.traits import with_upgrades
from roborally_env.core.upgrades import FIREWALL
from roborally_env.courses.tables import CELLS, priority_key

ALL_FACINGS = 0b1111
clockwise_key = kernel(priority_key)  # R41, measured here from a start space and its facing


@rule
def reboot(course, game, r):
    """Handle robot r, which fell off the board or into a pit."""
    reboot_chain(course, game, r, 0)


@kernel
def reboot_chain(course, game, r, spared):
    """As `reboot`; the robots of the bit set `spared` take no SPAM."""
    chain = 0
    while r != NOBODY:
        chain |= 1 << r
        pay_for_reboot(game, r, spared >> r & 1)
        r = put_down(course, game, r, chain)


@kernel
def pay_for_reboot(game, r, spared):
    """Robot r takes two SPAM and discards its remaining registers and its hand (R15)."""
    spared = spared or can_use(game, r, FIREWALL)
    game.reboots[r] += 1
    game.rebooted |= 1 << r
    drop_shield(game, r)
    log.log(game, log.REBOOT, r, falling_from(game.cell[r]))
    if not spared:
        take_damage(game, r, 0)
        take_damage(game, r, 0)
    next_register = game.register + (game.acted >> r & 1)
    discard_registers(game, r, next_register)
    discard_hand(game, r)


@with_upgrades()
def drop_shield(game, r):
    """Drop the shield of robot r: a rebooted robot can use no upgrade, not even one already paid for (R48)."""
    game.shielded = int(game.shielded) & ~(1 << r)


@kernel
def put_down(course, game, r, chain):
    """Put robot r on its token, else its start space, else the nearest free cell.

    Returns the robot that this pushed off the board, or NOBODY.
    """
    token = course.token[falling_from(game.cell[r])]
    spot, arrow, pushed = -1, 0, STOPPED
    if token >= 0:
        spot, arrow = int(course.token_cell[token]), int(course.token_facing[token])
        pushed = clear_spot(course, game, spot, arrow, chain)
    if pushed == STOPPED:
        spot, arrow = int(game.start[r]), int(course.start_facing)
        pushed = clear_spot(course, game, spot, arrow, chain)
    if pushed == STOPPED:
        spot, pushed = nearest_free(course, game, spot, arrow), MOVED
    game.cell[r] = spot
    game.facing[r] = choose(game, r, REBOOT_FACING, ALL_FACINGS, arrow)
    log.log(game, log.PLACED, r, spot, game.facing[r])
    return pushed - 1 if pushed > MOVED else NOBODY


@kernel
def clear_spot(course, game, spot, arrow, chain):
    """Push the occupant of a spot along its arrow, or if blocked the next way clockwise (R17, R17b). As shift_line."""
    occupant = robot_at(game, spot)
    if occupant == NOBODY:
        return MOVED
    for quarters in range(4):
        result = shift_line(course, game, occupant, (arrow + quarters) & 3, chain, log.PUSH)
        if result != STOPPED:
            return result
    return STOPPED


@kernel
def nearest_free(course, game, spot, facing):
    """The free cell nearest to a spot; ties clockwise from its facing, by the key of R41 (R17b)."""
    best, best_distance, best_key = spot, 1 << 30, 0
    for cell in range(CELLS):
        if course.on_board[cell] and not course.pit[cell] and cell != course.antenna and robot_at(game, cell) == NOBODY:
            distance, key = clockwise_key(column_of(cell) - column_of(spot), row_of(cell) - row_of(spot), facing)
            if distance < best_distance or (distance == best_distance and key < best_key):
                best, best_distance, best_key = cell, distance, key
    return best


@kernel
def reboot_where_it_stands(course, game, r):
    """A Worm's reboot: the token is that of the board on which the robot is (R20)."""
    game.cell[r] = falling_from(game.cell[r])
    reboot(course, game, r)


@rule
def reboot_for_nothing(course, game, r):
    """The reboot of the upgrade Reboot: where the robot stands, and it takes no damage."""
    game.cell[r] = falling_from(game.cell[r])
    reboot_chain(course, game, r, 1 << r)
