"""The start of a community race (community rules, Setup)."""

from roborally_env.core.editions.e2016 import set_up as set_up_2016
from roborally_env.core.editions.e2016.steps import DRAW_HANDS
from roborally_env.core.kernel import kernel
from roborally_env.core.rule_options import RULE_NO_UPGRADES

begin_as_in_2016 = set_up_2016.begin_race


@kernel
def begin_race(courses, game):
    """As in 2016, with the course's ramps as they are at the start; without an upgrade phase where rules say so."""
    begin_as_in_2016(courses, game)
    game.ramps = courses[game.course].ramps_on
    if game.rules & RULE_NO_UPGRADES:
        game.step = DRAW_HANDS
