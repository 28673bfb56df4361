"""The 2016 round, step after step (2016 rulebook, Playing a Round and Summary of a Round)."""

from roborally_env.core import cards, log
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
from roborally_env.core.mechanics.gears_and_panels import push_panels, take_energy, touch_checkpoints, turn_gears
from roborally_env.core.mechanics.lasers import deal_spam_for_hits, fire_board_lasers, fire_robot_lasers
from roborally_env.core.mechanics.owned_upgrades import plays_upgrades
from roborally_env.core.mechanics.piles import discard_registers, draw_hand
from roborally_env.core.mechanics.priority import set_order
from roborally_env.core.state import ASK_ALL, NOBODY, REGISTERS
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
)

HAS_BELTS = HAS_BLUE | HAS_GREEN


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
        game.rested = 0
        following = acting_step(course, game, GREEN_BELTS)
    elif step == GREEN_BELTS:
        belt_step(course, game, GREEN)
        game.rested = 0
        following = acting_step(course, game, PUSH_PANELS)
    elif step == PUSH_PANELS:
        push_panels(course, game)
        following = acting_step(course, game, GEARS)
    elif step == GEARS:
        turn_gears(course, game)
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
        following = end_round(game)
    elif step == DRAW_HANDS:
        draw_hands(game)
        following = after_drawing(game)
    else:
        following = play_upgrade_step(course, game)
    game.step = following


@kernel
def acting_step(course, game, step):
    """The first step from `step` on that acts on a robot at its present place, or that is always played."""
    acts = course.has & HAS_BELTS if course.has & HAS_MOVING else 0  # checkpoints may ride on belts without robots
    for r in range(game.cell.shape[0]):
        if game.cell[r] >= 0:
            acts |= course.machines[game.cell[r]]
    if step <= BLUE_BELTS_2 and acts & HAS_BLUE:
        return step
    if step <= GREEN_BELTS and acts & HAS_GREEN:
        return GREEN_BELTS
    if step <= PUSH_PANELS and acts & HAS_PANELS:
        return PUSH_PANELS
    if step <= GEARS and acts & HAS_GEARS:
        return GEARS
    if step <= BOARD_LASERS and acts & HAS_LASERS:
        return BOARD_LASERS
    if step <= ROBOT_LASERS:
        return ROBOT_LASERS
    return ENERGY_SPACES if acts & HAS_ENERGY else CHECKPOINTS


@kernel
def begin_round(game):
    """Count the round."""
    game.round_number += 1
    log.log(game, log.ROUND, -1, game.round_number)


@kernel
def draw_hands(game):
    """Every player draws up to nine cards; in the lighter game that begins the round."""
    if not plays_upgrades(game):
        begin_round(game)
    for r in range(game.players):
        draw_hand(game, r)


@kernel
def begin_register(course, game):
    """Cards are revealed and priority is measured (R42)."""
    log.log(game, log.REGISTER, -1, game.register + 1)
    game.acted = 0
    game.turn = 0
    if course.has & HAS_MOVING:
        for r in range(game.players):
            game.barred[r] = 0
    set_order(course, game)
    claim_register(course, game)


@kernel
def take_turns(course, game):
    """The robots play their cards in turn order; if choices are open only the next one, as a step of its own."""
    while True:
        take_turn(course, game)
        if game.turn >= game.players or game.asking == ASK_ALL:
            return


@kernel
def take_turn(course, game):
    """The next robot in turn order plays its card; rebooted robots are skipped."""
    r = int(game.order[game.turn])
    if not game.rebooted >> r & 1 and not play_turn(course, game, r):
        game.acted |= 1 << r
        if game.registers[r, game.register] != cards.NONE:
            play_register(course, game, r)
    game.acted |= 1 << r
    game.turn += 1


@kernel
def after_register(game):
    """Return the step after a register: the race is over once the last checkpoint is reached; else the next register,
    or the round's end."""
    if game.winner != NOBODY:
        return OVER
    game.acted = 0
    if game.register + 1 < REGISTERS:
        game.register += 1
        return BEGIN_REGISTER
    return END_ROUND


@kernel
def end_round(game):
    """Discard the registers; rebooted robots take part again. `max_rounds` may cut the race here."""
    for r in range(game.players):
        discard_registers(game, r, 0)
        game.damaged[r] = 0
        for k in range(REGISTERS):
            game.done[r, k] = cards.NONE
    game.rebooted = 0
    game.register = 0
    close_round(game)
    if game.max_rounds > 0 and game.round_number >= game.max_rounds:
        game.cut = 1
        return OVER
    return UPGRADE_PHASE if plays_upgrades(game) else DRAW_HANDS
