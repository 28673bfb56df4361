"""The 2005 turn, step after step (2005 rulebook, How to Play, p. 3 to 9)."""

import numpy as np

from roborally_env.core.editions.e2005.cleanup import begin_turn, repair_robots, stay_down, wipe_registers
from roborally_env.core.editions.e2005.ending import bring_flag_home, is_decided
from roborally_env.core.editions.e2005.firing import fire_lasers
from roborally_env.core.editions.e2005.moving import take_turn
from roborally_env.core.editions.e2005.programming import announce_power_down, deal_hand, leave_cards, prepare_hand
from roborally_env.core.editions.e2005.pushes import push_by_panels
from roborally_env.core.editions.e2005.reentry import enter_yard, next_to_reenter, reenter, send_home
from roborally_env.core.editions.e2005.registers import begin_register
from roborally_env.core.editions.e2005.set_up import deal_options, put_back_offered
from roborally_env.core.editions.e2005.steps import (
    ALL_BELTS,
    ANNOUNCE,
    BEGIN_REGISTER,
    BEGIN_TURN,
    DEAL,
    END_TURN,
    EXPRESS_BELTS,
    GEARS,
    LASERS,
    LEFTOVERS,
    PREPARE_HANDS,
    PUSHERS,
    REENTER,
    REPAIRS,
    SET_UP,
    STAY_DOWN,
    TAKE_TURN,
    TOUCH,
    WIPE,
)
from roborally_env.core.editions.e2005.superbot import end_inheriting
from roborally_env.core.editions.e2005.touching import touch
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.belts import belt_step
from roborally_env.core.mechanics.gears_and_panels import turn_gears
from roborally_env.core.state import ASK_ALL, NOBODY, REGISTERS
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.courses.tables import ANY_BELT, BLUE, HAS_BLUE, HAS_GEARS, HAS_GREEN, HAS_MOVING, HAS_PANELS


@kernel(apart=True)
def play_step(course, game):
    """Play the game's next step and set the following one. Not called at PROGRAM (the players' step) or OVER."""
    step = game.step
    if step == TAKE_TURN:
        take_turn(course, game, np.int64(game.order[game.turn]))
        game.turn += 1
        following = TAKE_TURN if game.turn < game.players else acting_step(course, game, EXPRESS_BELTS)
    elif step == EXPRESS_BELTS:
        belt_step(course, game, BLUE)
        game.rested = 0
        following = acting_step(course, game, ALL_BELTS)
    elif step == ALL_BELTS:
        belt_step(course, game, ANY_BELT)
        game.rested = 0
        following = acting_step(course, game, PUSHERS)
    elif step == PUSHERS:
        push_by_panels(course, game)
        following = acting_step(course, game, GEARS)
    elif step == GEARS:
        turn_gears(course, game)
        following = LASERS
    elif step == LASERS:
        fire_lasers(course, game)
        following = TOUCH
    elif step == TOUCH:
        touch(course, game)
        following = after_register(course, game)
    elif step == BEGIN_REGISTER:
        begin_register(course, game)
        following = TAKE_TURN
    elif step >= REPAIRS:
        following = clean_up(course, game)
    else:
        following = before_registers(course, game)
    game.step = following


@kernel
def acting_step(course, game, step):
    """The first step from `step` on, up to the lasers, that acts on a robot at its present place."""
    acts = course.has & (HAS_BLUE | HAS_GREEN) if course.has & HAS_MOVING else 0  # flags may ride without robots
    for r in range(game.cell.shape[0]):
        if game.cell[r] >= 0:
            acts |= course.machines[game.cell[r]]
    if step <= EXPRESS_BELTS and acts & HAS_BLUE:
        return EXPRESS_BELTS
    if step <= ALL_BELTS and acts & (HAS_BLUE | HAS_GREEN):
        return ALL_BELTS
    if step <= PUSHERS and acts & HAS_PANELS:
        return PUSHERS
    return GEARS if acts & HAS_GEARS else LASERS


@kernel
def before_registers(course, game):
    """Play a step of a turn before its first register; return the following step."""
    step = game.step
    if step == SET_UP:
        deal_options(course, game)
        put_back_offered(game)
        return BEGIN_TURN
    if step == BEGIN_TURN:
        begin_turn(game)
        game.turn = 0
        return DEAL
    r = np.int64(game.dock_order[game.turn])
    if step == DEAL:
        deal_hand(game, r)
        return next_robot(game, DEAL, PREPARE_HANDS)
    if step == PREPARE_HANDS:
        if prepare_hand(course, game, r):
            return PREPARE_HANDS
        return next_robot(game, PREPARE_HANDS, PROGRAM)
    if step == LEFTOVERS:
        leave_cards(game, r)
        return next_robot(game, LEFTOVERS, ANNOUNCE if game.asking == ASK_ALL else BEGIN_REGISTER)
    announce_power_down(game, r)
    return next_robot(game, ANNOUNCE, BEGIN_REGISTER)


@kernel
def next_robot(game, step, after):
    """The same step for the next robot in dock order, or the step `after` if there is none."""
    game.turn += 1
    if game.turn < game.players:
        return step
    game.turn = 0
    game.register = 0
    return after


@kernel
def after_register(course, game):
    """Return the step after a register: OVER, the next register, or the clean-up."""
    send_home(course, game)
    end_inheriting(game)
    game.acted = 0
    if is_decided(game):
        return OVER
    if game.register + 1 < REGISTERS:
        game.register += 1
        return BEGIN_REGISTER
    return REPAIRS


@kernel
def clean_up(course, game):
    """Play a step of the clean-up; return the following step. `max_rounds` may cut the race here."""
    step = game.step
    if step == REPAIRS:
        repair_robots(course, game)
        return WIPE
    if step == WIPE:
        wipe_registers(game)
        return STAY_DOWN
    if step == STAY_DOWN:
        stay_down(game)
        game.down = 0
        return REENTER
    if step == REENTER:
        r = next_to_reenter(game)
        if r != NOBODY:
            reenter(course, game, r)
            return REENTER
        for r in range(game.players):
            if game.sent_home >> r & 1:
                enter_yard(course, game, r, True)
                game.sent_home = np.int64(game.sent_home) & ~(1 << r)
                return REENTER
        for r in range(game.players):
            game.sits_out[r] = 2 if game.sits_out[r] else 0
        return END_TURN
    bring_flag_home(course, game)
    if game.winner != NOBODY:
        return OVER
    if game.max_rounds > 0 and game.round_number >= game.max_rounds:
        game.cut = 1
        return OVER
    return BEGIN_TURN
