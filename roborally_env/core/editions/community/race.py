"""The round of the community edition, step after step (community rules, Phases, Board Elements)."""

import numpy as np

from roborally_env.core import cards, log
from roborally_env.core.editions.community.carrying import push_checkpoints
from roborally_env.core.editions.community.cleanup import board_effects, reenter, wipe_registers
from roborally_env.core.editions.community.damage import deal_hand, power_down, programs_now
from roborally_env.core.editions.community.machines import (
    move_stomped_back,
    open_trapdoors,
    race_is_over,
    slide_down_ramps,
    stomp,
    touch_checkpoints,
)
from roborally_env.core.editions.community.programming import store_and_announce
from roborally_env.core.editions.community.steps import ACTIVATION, RAMPS, STEP_NAMES, STOMPERS, TRAPDOORS
from roborally_env.core.editions.e2016.cards import play_register
from roborally_env.core.editions.e2016.steps import (
    BEGIN_REGISTER,
    BLUE_BELTS_1,
    BLUE_BELTS_2,
    BOARD_LASERS,
    CHECKPOINTS,
    DRAW_HANDS,
    END_ROUND,
    ENERGY_SPACES,
    GEARS,
    GREEN_BELTS,
    PUSH_PANELS,
    ROBOT_LASERS,
    STORE_HANDS,
    TAKE_TURN,
    UPGRADE_PHASE,
)
from roborally_env.core.editions.e2016.upgrades.hands import after_drawing
from roborally_env.core.editions.e2016.upgrades.registers import claim_register
from roborally_env.core.editions.e2016.upgrades.rounds import close_round, play_upgrade_step
from roborally_env.core.editions.e2016.upgrades.turns import play_turn
from roborally_env.core.editions.e2016.upgrades.weapons import fire_weapons
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.belts import belt_step
from roborally_env.core.mechanics.gears_and_panels import push_panels, take_energy, turn_gears
from roborally_env.core.mechanics.lasers import deal_spam_for_hits, fire_board_lasers, fire_robot_lasers
from roborally_env.core.mechanics.owned_upgrades import lowest_bit
from roborally_env.core.mechanics.priority import set_order
from roborally_env.core.rule_options import RULE_NO_UPGRADES
from roborally_env.core.state import ASK_ALL, REGISTERS
from roborally_env.core.steps import OVER
from roborally_env.courses.tables import (
    BLUE,
    GREEN,
    HAS_BLUE,
    HAS_ENERGY,
    HAS_GEARS,
    HAS_GREEN,
    HAS_LASERS,
    HAS_MOVING,
    HAS_PANELS,
    HAS_RAMPS,
    HAS_STOMPERS,
    HAS_TRAPDOORS,
)

# for each step of ACTIVATION the HAS_* bits of the elements that it needs; 0: it is always played
NEEDS = (
    HAS_BLUE, HAS_BLUE, HAS_GREEN, HAS_PANELS, HAS_GEARS, HAS_RAMPS, HAS_TRAPDOORS, HAS_STOMPERS, HAS_LASERS,
    0, HAS_ENERGY, 0,
)  # fmt: skip
_ACTING = np.array(  # by the HAS_* bits: bit i: step i of ACTIVATION is played
    [sum((not need or acts & need > 0) << i for i, need in enumerate(NEEDS)) for acts in range(2 * HAS_STOMPERS)],
    np.uint16,
)
_ALL = len(_ACTING) - 1
_PLACE = np.array([ACTIVATION.index(s) if s in ACTIVATION else 0 for s in range(len(STEP_NAMES))], np.int64)
_STEP_AT = np.array(ACTIVATION, np.int64)
CARRIERS = HAS_BLUE | HAS_GREEN | HAS_PANELS


@kernel(apart=True)
def play_step(course, game):
    """Play the game's next step and set the following one. Not called at PROGRAM (the players' step) or OVER."""
    step = game.step
    if step == TAKE_TURN:
        take_turns(course, game)
        following = TAKE_TURN if game.turn < game.players else acting_step(course, game, BLUE_BELTS_1)
    elif step == BLUE_BELTS_1:
        belt_step(course, game, BLUE)
        following = acting_step(course, game, BLUE_BELTS_2)
    elif step == BLUE_BELTS_2:
        belt_step(course, game, BLUE)
        following = acting_step(course, game, GREEN_BELTS)
    elif step == GREEN_BELTS:
        belt_step(course, game, GREEN)
        following = acting_step(course, game, PUSH_PANELS)
    elif step == PUSH_PANELS:
        push_checkpoints(course, game)
        push_panels(course, game)
        following = acting_step(course, game, GEARS)
    elif step == GEARS:
        turn_gears(course, game)
        following = acting_step(course, game, RAMPS)
    elif step == RAMPS:
        slide_down_ramps(course, game)
        following = acting_step(course, game, TRAPDOORS)
    elif step == TRAPDOORS:
        open_trapdoors(course, game)
        following = acting_step(course, game, STOMPERS)
    elif step == STOMPERS:
        stomp(course, game)
        following = acting_step(course, game, BOARD_LASERS)
    elif step == BOARD_LASERS:
        fire_board_lasers(course, game)
        deal_spam_for_hits(game)
        following = ROBOT_LASERS
    elif step == ROBOT_LASERS:
        if not fire_weapons(course, game):
            fire_robot_lasers(course, game)
        following = acting_step(course, game, ENERGY_SPACES)
    elif step == ENERGY_SPACES:
        take_energy(course, game)
        following = CHECKPOINTS
    elif step == CHECKPOINTS:
        touch_checkpoints(course, game)
        following = after_register(game)
    elif step == BEGIN_REGISTER:
        begin_register(course, game)
        following = TAKE_TURN
    elif step == END_ROUND:
        following = end_round(course, game)
    elif step == DRAW_HANDS:
        draw_hands(game)
        following = after_drawing(game)
    elif step == STORE_HANDS:
        following = BEGIN_REGISTER if store_and_announce(game) else STORE_HANDS
    else:
        following = play_upgrade_step(course, game)
        if step == UPGRADE_PHASE:
            power_down(game)
    game.step = following


@kernel
def acting_step(course, game, step):
    """The first step from `step` on that acts on a robot at its present place, or that is always played."""
    acts = course.has & CARRIERS if course.has & HAS_MOVING else 0  # checkpoints may ride on belts without robots
    for r in range(game.cell.shape[0]):
        if game.cell[r] >= 0:
            acts |= course.machines[game.cell[r]]
    place = _PLACE[step]
    return _STEP_AT[place + lowest_bit(np.int64(_ACTING[acts & _ALL]) >> place)]


@kernel
def is_board_step(step):
    """Whether a step is one of the board's, before the lasers."""
    return (step >= BLUE_BELTS_1 and step <= GEARS) or (step >= RAMPS and step <= STOMPERS)


@kernel
def draw_hands(game):
    """Hands are dealt; without upgrades that begins the round."""
    if game.rules & RULE_NO_UPGRADES:
        game.round_number += 1
        log.log(game, log.ROUND, -1, game.round_number)
        power_down(game)
    for r in range(game.players):
        if programs_now(game, r):
            deal_hand(game, r)


@kernel
def begin_register(course, game):
    """Cards are revealed and priority is measured (R42); stomped robots act last."""
    log.log(game, log.REGISTER, -1, game.register + 1)
    game.acted = 0
    game.turn = 0
    set_order(course, game)
    move_stomped_back(game)
    claim_register(course, game)
    move_stomped_back(game)  # no card brings them forward
    game.stomped = 0


@kernel
def take_turns(course, game):
    """The robots play their cards in turn order; if choices are open only the next one, as a step of its own."""
    while True:
        take_turn(course, game)
        if game.turn >= game.players or game.asking == ASK_ALL:
            return


@kernel
def take_turn(course, game):
    """The next robot in turn order plays its card; those destroyed or powered down are skipped."""
    r = int(game.order[game.turn])
    if programs_now(game, r) and not play_turn(course, game, r):
        game.acted |= 1 << r
        if game.registers[r, game.register] != cards.NONE:
            play_register(course, game, r)
    game.acted |= 1 << r
    game.turn += 1


@kernel
def after_register(game):
    """Return the step after a register: the race is over once it is won or the last place is settled; else the next
    register, or the clean-up."""
    if race_is_over(game):
        return OVER
    game.acted = 0
    if game.register + 1 < REGISTERS:
        game.register += 1
        return BEGIN_REGISTER
    return END_ROUND


@kernel
def end_round(course, game):
    """The board's effects at the end of a round; then registers are wiped, robots power up and come back."""
    board_effects(course, game)
    wipe_registers(game)
    game.down = 0
    reenter(course, game)
    game.stomped = 0
    game.register = 0
    close_round(game)
    if game.max_rounds > 0 and game.round_number >= game.max_rounds:
        game.cut = 1
        return OVER
    return DRAW_HANDS if game.rules & RULE_NO_UPGRADES else UPGRADE_PHASE
