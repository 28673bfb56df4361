"""Temporary upgrades of a robot's own turn: before its card and after it (R53)."""

from roborally_env.core import cards, log, upgrades
from roborally_env.core.choices import NO, UPGRADE, YES, choose
from roborally_env.core.editions.e2016.cards import carry_out, is_damage, play_register
from roborally_env.core.editions.e2016.upgrades.hands import recharge
from roborally_env.core.editions.e2016.upgrades.more import more_in_turn
from roborally_env.core.editions.e2016.upgrades.moving import can_step_or_push_aside, drop_into_pits, step
from roborally_env.core.editions.e2016.upgrades.policy import (
    best_action,
    facing_to_goal,
    goal_of,
    step_onto_goal,
    worth_rebooting,
    worth_repeating,
)
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.movement import turn
from roborally_env.core.mechanics.owned_upgrades import can_use, sets, usable, use_up
from roborally_env.core.mechanics.piles import return_damage
from roborally_env.core.mechanics.reboot import reboot_for_nothing
from roborally_env.core.state import ASK_ALL, REGISTERS
from roborally_env.core.traits import with_upgrades

YES_OR_NO = 0b11
ANY_WAY = 0b11111  # no, N, E, S, W
REFRESHED = sum(
    1 << card
    for card in (
        cards.MOVE_1, cards.MOVE_2, cards.MOVE_3, cards.BACK_UP, cards.TURN_LEFT, cards.TURN_RIGHT, cards.U_TURN,
    )
)  # fmt: skip


TAKES_IN_TURN = upgrades.bits(upgrades.MODULAR_CHASSIS)  # it may take a temporary card during a turn
IN_THE_LAST = upgrades.bits(upgrades.HACK, upgrades.REBOOT, upgrades.ZOOP)  # by default only in the last register
LAST = REGISTERS - 1


@with_upgrades(False)
def play_turn(course, game, r):
    """Play the turn of a robot that owns cards for it; if it owns none, do nothing and return False."""
    looked_at = sets(game).in_turn | TAKES_IN_TURN
    if not game.owned[r] & (looked_at if game.asking == ASK_ALL or game.register == LAST else looked_at & ~IN_THE_LAST):
        return False
    before_the_card(course, game, r)
    game.acted |= 1 << r
    if not game.rebooted >> r & 1 and (game.registers[r, game.register] or game.instead[r]):
        play_register(course, game, r)
    game.instead[r] = cards.NONE
    after_the_card(course, game, r)
    return True


@kernel
def before_the_card(course, game, r):
    """Ask about each card until the robot uses none any more."""
    used = True
    while used and usable(game, r) & sets(game).in_turn:
        used = boink(course, game, r, False)
        used |= reboot_card(course, game, r, False)
        used |= recharge(game, r)
        used |= refresh(course, game, r)
        used |= zoop(course, game, r, False)
        used |= more_in_turn(course, game, r, False)


@kernel
def after_the_card(course, game, r):
    """Ask about each card until the robot uses none any more."""
    used = True
    while used and usable(game, r) & sets(game).in_turn:
        used = boink(course, game, r, True)
        used |= hack(course, game, r)
        used |= reboot_card(course, game, r, True)
        used |= recharge(game, r)
        used |= zoop(course, game, r, True)
        used |= more_in_turn(course, game, r, True)


@kernel
def boink(course, game, r, after):
    """One step to an adjacent space, an ordinary one that pushes; blocked directions are not offered (R49)."""
    if not can_use(game, r, upgrades.BOINK):
        return False
    default = step_onto_goal(course, game, r) if after else NO
    if default == NO and game.asking != ASK_ALL:
        return False
    options = 1
    for direction in range(4):
        if can_step_or_push_aside(course, game, r, direction):
            options |= 2 << direction
    if options == 1:
        return False
    way = choose(game, r, UPGRADE + upgrades.BOINK, options, default)
    if way == NO:
        return False
    use_up(game, r, upgrades.BOINK)
    step(course, game, r, way - 1, 0)
    drop_into_pits(course, game)
    return True


@kernel
def hack(course, game, r):
    """The register's action once more (R51)."""
    action = int(game.done[r, game.register])
    if action == cards.NONE or not can_use(game, r, upgrades.HACK):
        return False
    default = YES if worth_repeating(course, game, r, action) else NO
    if choose(game, r, UPGRADE + upgrades.HACK, YES_OR_NO, default) == NO:
        return False
    use_up(game, r, upgrades.HACK)
    carry_out(course, game, r, action)
    return True


@kernel
def reboot_card(course, game, r, after):
    """The robot reboots and takes no damage."""
    if not can_use(game, r, upgrades.REBOOT):
        return False
    default = YES if after and worth_rebooting(course, game, r) else NO
    if choose(game, r, UPGRADE + upgrades.REBOOT, YES_OR_NO, default) == NO:
        return False
    use_up(game, r, upgrades.REBOOT)
    reboot_for_nothing(course, game, r)
    return True


@kernel
def refresh(course, game, r):
    """The register's card counts as a card of choice; a damage card goes back to its pile (R51)."""
    k = int(game.register)
    card = int(game.instead[r]) or int(game.registers[r, k])
    if card == cards.NONE or not can_use(game, r, upgrades.REFRESH):
        return False
    options = 1 | REFRESHED | (1 << cards.AGAIN if k > 0 else 0)
    default = NO
    if is_damage(card):
        default = best_action(course, int(game.cell[r]), int(game.facing[r]), goal_of(course, game, r))
    new = choose(game, r, UPGRADE + upgrades.REFRESH, options, default)
    if new == NO:
        return False
    use_up(game, r, upgrades.REFRESH)
    game.instead[r] = new
    log.log(game, log.REFRESHED, r, card, new)
    if is_damage(card):
        game.registers[r, k] = cards.NONE
        return_damage(game, r, card)
    return True


@kernel
def zoop(course, game, r, after):
    """The robot turns to any direction."""
    if not can_use(game, r, upgrades.ZOOP):
        return False
    default = facing_to_goal(course, game, r) if after else NO
    way = choose(game, r, UPGRADE + upgrades.ZOOP, ANY_WAY, default)
    if way == NO:
        return False
    use_up(game, r, upgrades.ZOOP)
    turn(game, r, (way - 1 - game.facing[r]) & 3)
    return True
