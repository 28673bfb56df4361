"""The six special programming cards (2016 rulebook, card index; R51 for Repeat Routine, which is an Again)."""

from roborally_env.core import cards, upgrades
from roborally_env.core.choices import UPGRADE, choose
from roborally_env.core.editions.e2016.upgrades.policy import best_action, best_turn, goal_of
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.energy import gain_energy
from roborally_env.core.mechanics.piles import return_damage, take_from_discard
from roborally_env.core.rule import rule
from roborally_env.core.traits import with_upgrades

TURNS = 1 << cards.TURN_LEFT | 1 << cards.TURN_RIGHT | 1 << cards.U_TURN
ACTIONS = TURNS | 1 << cards.MOVE_1 | 1 << cards.MOVE_2 | 1 << cards.MOVE_3 | 1 << cards.BACK_UP


@with_upgrades(cards.NONE)
def plain_action(course, game, r, card):
    """Carry out the effects of a special card that are no plain action, and return its plain action, or NONE."""
    if card == cards.SPEED_ROUTINE:
        return cards.MOVE_3
    if card == cards.WEASEL_ROUTINE:
        default = best_turn(int(game.cell[r]), int(game.facing[r]), goal_of(course, game, r))
        return choose(game, r, UPGRADE + upgrades.WEASEL_ROUTINE, TURNS, default)
    if card == cards.SANDBOX_ROUTINE:
        default = best_action(course, int(game.cell[r]), int(game.facing[r]), goal_of(course, game, r))
        return choose(game, r, UPGRADE + upgrades.SANDBOX_ROUTINE, ACTIONS, default)
    if card == cards.ENERGY_ROUTINE:
        gain_energy(game, r, 1)
    elif card == cards.SPAM_FOLDER:
        spam_folder(game, r)
    elif card == cards.HEAL_ROUTINE:
        heal_routine(game, r)
    return cards.NONE


@rule
def heal_routine(game, r):
    """Remove one damage."""


@kernel
def spam_folder(game, r):
    """Return one SPAM of the own discard pile to the SPAM pile."""
    if take_from_discard(game, r, cards.SPAM):
        return_damage(game, r, cards.SPAM)
