"""D. Lasers fire: all hits are found first, then dealt (2005 rulebook p. 8; R32 to R35, R61, R64, R66)."""

import numpy as np

from roborally_env.core import log, options
from roborally_env.core.choices import NO, OPTION, REGISTER_OPTION, choose
from roborally_env.core.editions.e2005.damage import take_token
from roborally_env.core.editions.e2005.destruction import destroy
from roborally_env.core.editions.e2005.locks import DESTRUCTION, jam, locked
from roborally_env.core.editions.e2005.superbot import note_hit
from roborally_env.core.editions.e2005.table import discard_option, has, uses
from roborally_env.core.editions.e2005.weapons import option_to_destroy, shift_targets, switch_programs
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.lasers import fire_board_lasers, robots_in_line, target_in
from roborally_env.core.mechanics.movement import robot_at
from roborally_env.core.state import NOBODY, REGISTERS
from roborally_env.courses.special import DOUBLE_LASERS, SUPERBOT
from roborally_env.courses.tables import HAS_LASERS, WIDTH

WEAPONS = (
    1 << options.FIRE_CONTROL
    | 1 << options.MINI_HOWITZER
    | 1 << options.PRESSOR_BEAM
    | 1 << options.RADIO_CONTROL
    | 1 << options.SCRAMBLER
    | 1 << options.TRACTOR_BEAM
)
_SIMPLE = (options.MINI_HOWITZER, options.PRESSOR_BEAM, options.RADIO_CONTROL, options.SCRAMBLER, options.TRACTOR_BEAM)
_GUNS = 1 << options.HIGH_POWER_LASER | 1 << options.REAR_FIRING_LASER | 1 << options.DOUBLE_BARRELED_LASER | WEAPONS


@kernel
def fire_lasers(course, game):
    """Board and robot lasers of a register fire together; robots with ten damage are destroyed; weapons act last."""
    if course.has & HAS_LASERS:
        fire_board_lasers(course, game)
    shooters = robots_in_line(game) & ~game.down
    armed = game.on_table & _GUNS or game.special & (DOUBLE_LASERS | SUPERBOT)
    fired = False
    for i in range(game.players):
        r = np.int64(game.dock_order[i])
        if shooters >> r & 1 and game.cell[r] >= 0:
            fired |= aim_armed(course, game, r) if armed else aim(course, game, r)
    deal_hits(course, game, fired)
    destroy_wrecks(course, game)
    if fired and armed:
        switch_programs(game)
        shift_targets(course, game)
    if fired:
        clear_shots(game)


@kernel
def aim(course, game, r):
    """Fire the main laser of a robot in a game without options that change it. True if it hits."""
    target = target_in(course, game, r, game.facing[r])
    if target == NOBODY:
        return False
    game.shots[r, target] = 1
    log.log(game, log.ROBOT_LASER, target, r)
    return True


@kernel
def aim_armed(course, game, r):
    """Fire all lasers of a robot, and the weapons that it uses in place of its main laser. True if one hits."""
    doubled = 2 if game.special & DOUBLE_LASERS or (game.special & SUPERBOT and game.superbot == r) else 1
    shots = doubled * (2 if has(game, r, options.DOUBLE_BARRELED_LASER) else 1)
    fired = False
    facing = np.int64(game.facing[r])
    target = target_in(course, game, r, facing)
    second = NOBODY
    if has(game, r, options.HIGH_POWER_LASER):
        second = target_behind(course, game, r, facing, target)
        if target == NOBODY:
            target, second = second, NOBODY
    if target != NOBODY:
        fired = True
        hit(game, r, target, shots)
    if second != NOBODY:
        hit(game, r, second, shots)
    if has(game, r, options.REAR_FIRING_LASER):
        behind = target_in(course, game, r, facing ^ 2)
        if behind != NOBODY:
            fired = True
            game.rear_shots[r, behind] = doubled
            log.log(game, log.REAR_LASER, behind, r)
    return fired


@kernel
def target_behind(course, game, r, facing, target):
    """The robot that High-Power Laser hits beyond the first target, or beyond one wall if there is no first target."""
    origin = np.int64(game.cell[r])
    if target != NOBODY:
        end = np.int64(course.ray_end[origin, facing])
        return first_between(game, np.int64(game.cell[target]), end, facing, r)
    wall = np.int64(course.ray_end[origin, facing])
    x, y = wall % WIDTH + (facing == 1) - (facing == 3), wall // WIDTH + (facing == 2) - (facing == 0)
    if x < 0 or y < 0 or x >= course.width or y >= course.height:
        return NOBODY
    beyond = y * WIDTH + x
    first = robot_at(game, beyond)
    return (
        first if first != NOBODY else first_between(game, beyond, np.int64(course.ray_end[beyond, facing]), facing, r)
    )


@kernel
def first_between(game, start, end, facing, shooter):
    """The first robot after the cell `start` up to the cell `end` in a direction, or NOBODY."""
    step = -WIDTH if facing == 0 else 1 if facing == 1 else WIDTH if facing == 2 else -1
    cell = start
    while cell != end:
        cell += step
        found = robot_at(game, cell)
        if found != NOBODY and found != shooter:
            return found
    return NOBODY


@kernel
def hit(game, r, target, shots):
    """The main laser of robot r hits with `shots`, or its player chooses a weapon instead (R64)."""
    mine = np.int64(game.options[r])
    if mine & WEAPONS:
        taken = shots_controlled(game, r, target, shots) if mine >> options.FIRE_CONTROL & 1 else 0
        if taken > 0:
            game.instead[r, target] = options.FIRE_CONTROL
            if taken < shots:
                log.log(game, log.ROBOT_LASER, target, r)
            return
        for option in _SIMPLE:
            if mine >> option & 1 and may_use(game, r, target, option):
                if uses(game, r, option, uses_by_default(game, r, target, option)):
                    game.instead[r, target] = option
                    if option == options.MINI_HOWITZER:
                        count_use(game, r)
                    return
    game.shots[r, target] = shots
    log.log(game, log.ROBOT_LASER, target, r)


@kernel
def count_use(game, r):
    """One more token on the Mini Howitzer of robot r; with the fifth it is discarded."""
    game.howitzer[r] += 1
    if game.howitzer[r] == options.HOWITZER_USES:
        discard_option(game, r, options.MINI_HOWITZER)


@kernel
def may_use(game, r, target, option):
    """Whether a weapon can do anything to this target now."""
    if option == options.TRACTOR_BEAM:
        apart = abs(np.int64(game.cell[r]) - np.int64(game.cell[target]))
        return apart != 1 and apart != WIDTH
    if option == options.SCRAMBLER:
        k = np.int64(game.register) + 1
        return k < REGISTERS and not locked(game, target) >> k & 1 and game.registers[target, k] != 0
    return True


@kernel
def uses_by_default(game, r, target, option):
    """The default policy: use Mini Howitzer always, other weapons never."""
    return 1 if option == options.MINI_HOWITZER else 0


@kernel
def shots_controlled(game, r, target, shots):
    """Decide for each shot what Fire Control does in place of damage; fills `controls`, returns how many shots it
    takes."""
    first = 0
    while first < game.controls.shape[0] and game.controls[first, 0]:
        first += 1
    legal = 1 | np.int64(game.options[target])
    free = ~locked(game, target)
    for k in range(REGISTERS):
        legal |= (free >> k & 1) << REGISTER_OPTION + 1 + k
    taken = 0
    for slot in range(first, min(first + shots, game.controls.shape[0])):
        chosen = NO
        if legal > 1:
            kind = OPTION + options.FIRE_CONTROL
            chosen = choose(game, r, kind, legal, option_to_destroy(game, target, legal), target)
        if chosen != NO:
            log.log(game, log.OPTION_USED, r, options.FIRE_CONTROL)
            legal &= ~(1 << chosen)  # the next shot cannot choose it again
            taken += 1
        game.controls[slot, 0] = target + 1
        game.controls[slot, 1] = chosen
    if taken == 0:
        for slot in range(first, game.controls.shape[0]):
            game.controls[slot, 0] = 0
    return taken


@kernel
def deal_hits(course, game, fired):
    """Deal tokens robot by robot: board lasers first, then shooters in dock order."""
    for i in range(game.players):
        target = np.int64(game.dock_order[i])
        if game.hits[target]:
            for direction in range(4):
                while game.beams[target, direction] > 0:
                    game.beams[target, direction] -= 1
                    take_token(game, target, direction)
            game.hits[target] = 0
        if fired:
            take_shots(game, target)


@kernel
def place_in_order(game, r):
    """The place of robot r in the turn order of this register."""
    for place in range(game.players):
        if game.order[place] == r:
            return place
    return 0


@kernel
def take_shots(game, target):
    """Deal the shots of robots at one target, and record the last shooter in priority order."""
    last = -1
    for j in range(game.players):
        r = np.int64(game.dock_order[j])
        facing = np.int64(game.facing[r])
        controlled = game.instead[r, target] == options.FIRE_CONTROL
        if game.special & SUPERBOT and (game.shots[r, target] or game.rear_shots[r, target] or controlled):
            place = place_in_order(game, r)
            if place > last:
                last = place
                note_hit(game, target, r)
        if controlled:
            control_fire(game, target, facing)
        for _ in range(game.shots[r, target]):
            take_token(game, target, facing)
        for _ in range(game.rear_shots[r, target]):
            take_token(game, target, facing ^ 2)
        if game.instead[r, target] == options.MINI_HOWITZER:
            take_token(game, target, facing)


@kernel
def control_fire(game, target, facing):
    """Deal the shots of the robot with Fire Control at one target: each locks a register until the next repair,
    destroys an option, or does damage (R66)."""
    for slot in range(game.controls.shape[0]):
        if game.controls[slot, 0] != target + 1:
            continue
        chosen = np.int64(game.controls[slot, 1])
        game.controls[slot, 0] = game.controls[slot, 1] = 0
        if chosen == NO:
            take_token(game, target, facing)
        elif chosen > REGISTER_OPTION:
            jam(game, target, chosen - REGISTER_OPTION - 1)
        elif has(game, target, chosen):
            discard_option(game, target, chosen)


@kernel
def destroy_wrecks(course, game):
    """Robots with ten tokens are destroyed, in dock order (R34)."""
    for i in range(game.players):
        r = np.int64(game.dock_order[i])
        if game.damage[r] >= DESTRUCTION and game.cell[r] >= 0:
            destroy(course, game, r)


@kernel
def clear_shots(game):
    """Empty scratch."""
    seats = game.cell.shape[0]
    for r in range(seats):
        for target in range(seats):
            game.shots[r, target] = game.rear_shots[r, target] = game.instead[r, target] = 0


@kernel
def note_direction(game, r, direction, beams):
    """Store the direction from which the beams come."""
    game.beams[r, direction] += beams
