"""B. Robots move: program cards, and the options that change them (2005 rulebook p. 5 and 6; R64 to R66)."""

import numpy as np

from roborally_env.core import cards, log, options
from roborally_env.core.cards2005 import ACTION, NONE
from roborally_env.core.choices import OPTION, USE, choose
from roborally_env.core.editions.e2005.damage import NOWHENCE, hurt
from roborally_env.core.editions.e2005.destruction import destroy
from roborally_env.core.editions.e2005.pushes import note_push
from roborally_env.core.editions.e2005.table import has, uses
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import MOVED, STOPPED, robot_at, shift_line, turn
from roborally_env.core.state import NOBODY

# for the argument `own`: a robot that plays another robot's program uses no options (R66)
NO_OPTIONS = 0


@kernel
def take_turn(course, game, r):
    """Robot r plays the card of this register, its own or that of the robot whose program it plays."""
    if game.cell[r] < 0 or game.down >> r & 1:
        return
    source = np.int64(game.controller[r]) if game.controller[r] != NOBODY else r
    k = np.int64(game.register)
    card, second = np.int64(game.registers[source, k]), np.int64(game.laid_on[source, k])
    if card == NONE:
        log.log(game, log.IDLE, r, k + 1)
        return
    log.log(game, log.PLAY, r, card, second)
    own = np.int64(game.options[r]) if source == r else NO_OPTIONS
    if second != NONE:
        play_pair(course, game, r, source, ACTION[card], ACTION[second], own)
    else:
        play_card(course, game, r, ACTION[card], own)
    game.rammed[r] = 0


@kernel
def play_card(course, game, r, action, own):
    """One program card; `own` are the options that robot r may use with it."""
    if action > cards.BACK_UP:
        rotate(game, r, action)
        return
    steps = 1 if action == cards.BACK_UP else action  # the cards are numbered by their steps
    if action == cards.MOVE_1 and own >> options.BRAKES & 1:
        steps -= uses(game, r, options.BRAKES, would_fall(course, game, r, np.int64(game.facing[r])))
    elif action == cards.MOVE_3 and own >> options.FOURTH_GEAR & 1:
        steps += uses(game, r, options.FOURTH_GEAR, 0)
    elif action == cards.BACK_UP and own >> options.REVERSE_GEAR & 1:
        steps += uses(game, r, options.REVERSE_GEAR, 0)
    backwards = 2 if action == cards.BACK_UP else 0
    move(course, game, r, steps, (np.int64(game.facing[r]) + backwards) & 3, own)


@kernel
def play_pair(course, game, r, source, action, rotation, own):
    """A move card and a rotation in one register: Crab Legs, or Dual Processor (R65).

    The cards keep their meaning even if the option has been lost since they were placed; hence `with_legs`.
    """
    legs, processor = has(game, source, options.CRAB_LEGS), has(game, source, options.DUAL_PROCESSOR)
    programmed_with_legs = bool(game.with_legs[source] >> np.int64(game.register) & 1)
    crab = (legs or (programmed_with_legs and not processor)) and action == cards.MOVE_1 and rotation != cards.U_TURN
    if crab and legs and processor and own:
        crab = choose(game, r, OPTION + options.CRAB_LEGS, 1 | 1 << USE, USE) == USE
        if not crab:
            game.as_dual |= 1 << r  # for those who play this program
    if game.as_dual >> source & 1:
        crab = False
    if crab:
        side = 3 if rotation == cards.TURN_LEFT else 1
        move(course, game, r, 1, (np.int64(game.facing[r]) + side) & 3, own)
        return
    less = 2 if rotation == cards.U_TURN else 1
    steps = max(0, (1 if action == cards.BACK_UP else action) - less)
    backwards = 2 if action == cards.BACK_UP else 0
    move(course, game, r, steps, (np.int64(game.facing[r]) + backwards) & 3, own)
    if game.cell[r] >= 0:
        rotate(game, r, rotation)


@kernel
def rotate(game, r, action):
    """A rotation card."""
    turn(game, r, 3 if action == cards.TURN_LEFT else 1 if action == cards.TURN_RIGHT else 2)


@kernel
def would_fall(course, game, r, direction):
    """1 if a step in a direction leads into a pit or off the board, else 0."""
    return 1 if course.next[game.cell[r], direction] <= -2 else 0


@kernel
def move(course, game, r, steps, direction, own):
    """Move a number of steps; a blocked step ends the move (R10), and so does the robot's own destruction."""
    for _ in range(steps):
        to = np.int64(course.next[game.cell[r], direction])
        touched = robot_at(game, to) if to >= 0 else NOBODY
        if touched != NOBODY:
            note_push(course, game, r, touched, direction)
        fell = shift_line(course, game, r, direction, 0, log.MOVE)
        if fell > MOVED:
            destroy(course, game, fell - 1)
        if touched != NOBODY and own >> options.RAMMING_GEAR & 1 and not game.rammed[r] >> touched & 1:
            game.rammed[r] |= 1 << touched
            if game.cell[touched] >= 0:
                hurt(course, game, touched, NOWHENCE)
        if fell == STOPPED or game.cell[r] < 0:
            return


@kernel
def turned_by_board(game, r):
    """Whether belts and gears turn robot r."""
    return not game.stabilized >> r & 1
