"""Push panels, gears, energy spaces and checkpoints."""

from roborally_env.core import log
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.belts import turned_by_board
from roborally_env.core.mechanics.energy import gain_energy
from roborally_env.core.mechanics.movement import MOVED, shift_line, turn
from roborally_env.core.mechanics.reboot import reboot
from roborally_env.core.rule import rule
from roborally_env.core.state import NOWHERE, REGISTERS


@kernel
def push_panels(course, game):
    """The panels of this register push the robots that stood on them when the phase began, each once, in turn order
    (R13)."""
    seats = game.cell.shape[0]
    pushed = 0
    for r in range(seats):
        cell = game.cell[r]
        if cell >= 0 and course.panel[cell] >> game.register & 1:
            pushed |= 1 << r
            game.want[r] = cell
    if pushed == 0:
        return
    for place in range(game.players):
        r = int(game.order[place])
        if pushed >> r & 1 and game.cell[r] == game.want[r]:
            direction = course.panel_push[game.cell[r]]
            fell = shift_line(course, game, r, direction, 0, log.PANEL)
            if fell > MOVED:
                reboot(course, game, fell - 1)
    for r in range(seats):
        game.want[r] = 0


@kernel
def turn_gears(course, game):
    """Gears turn the robots on them by a quarter; then the additional elements of an edition act."""
    for r in range(game.cell.shape[0]):
        cell = game.cell[r]
        if cell >= 0 and course.gear[cell] and turned_by_board(game, r):
            turn(game, r, course.gear[cell], log.GEAR)
    act_on_tiles(course, game)


@rule
def act_on_tiles(course, game):
    """After the gears of a register, the elements of an edition from outside act on the robots on them."""


@kernel
def take_energy(course, game):
    """Robots on energy spaces take the cube there, or if there is none, in register five one from the bank (R36)."""
    for r in range(game.cell.shape[0]):
        cell = game.cell[r]
        if cell < 0 or course.energy_at[cell] < 0:
            continue
        cube = 1 << int(course.energy_at[cell])
        if int(game.cubes) & cube:
            game.cubes = int(game.cubes) & ~cube
        elif game.register != REGISTERS - 1:
            continue
        gain_energy(game, r, 1)


@kernel
def touch_checkpoints(course, game):
    """Each robot on its next checkpoint reaches it, at most one in a register; the last checkpoint wins (R37)."""
    for r in range(game.cell.shape[0]):
        number = game.reached[r]
        if game.cell[r] >= 0 and number < course.checkpoints:
            at = game.checkpoint[number]
            if at != NOWHERE and at == game.cell[r] and not game.barred[r] >> number & 1:
                game.reached[r] = number + 1
                log.log(game, log.CHECKPOINT, r, number + 1)
                if number + 1 == course.checkpoints:
                    game.winner = r
                    log.log(game, log.WIN, r)
