"""The start of a community race (community rules, Setup)."""

from roborally_env.core.editions.e2016 import set_up as set_up_2016
from roborally_env.core.editions.e2016.steps import DRAW_HANDS, UPGRADE_PHASE
from roborally_env.core.kernel import kernel
from roborally_env.core.rule_options import RULE_NO_UPGRADES

begin_as_in_2016 = set_up_2016.begin_race
clear_as_in_2016 = set_up_2016.clear


@kernel
def begin_race(courses, game):
    """As in 2016, with the course's ramps as they are at the start."""
    begin_as_in_2016(courses, game)
    game.ramps = courses[game.course].ramps_on


@kernel
def clear(game):
    """No damage, nobody powered down, no damage cards."""
    clear_as_in_2016(game)
    for r in range(game.cell.shape[0]):
        game.damage[r] = game.tokens[r] = game.place[r] = 0
    game.ramps = 0
    game.virtual = game.stomped = game.down = game.announced = game.unhurt = 0
    for kind in range(game.damage_pile.shape[0]):
        game.damage_pile[kind] = 0
    game.step = DRAW_HANDS if game.rules & RULE_NO_UPGRADES else UPGRADE_PHASE
