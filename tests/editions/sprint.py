"""A tiny edition from outside the package: the lighter 2016 race, won at the first checkpoint or the second.

Gears and belts leave robots facing as they do. The tutorial of docs/editions.md goes through this file.
"""

from roborally_env import editions
from roborally_env.compiling.hooks import Constant
from roborally_env.core import cards, state
from roborally_env.core.driving.advance import play_step
from roborally_env.core.editions.e2016 import parts, race, rules
from roborally_env.core.editions.e2016.steps import DRAW_HANDS, STEP_NAMES
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.belts import turned_by_board
from roborally_env.core.rule_options import OWN_BITS
from roborally_env.core.state import NOBODY, Kind
from roborally_env.core.steps import OVER
from roborally_env.courses import EDITIONS

FAR = OWN_BITS  # the bit of the option `checkpoints`: two are to be reached


@kernel
def play(course, game):
    """A step of the 2016 round; after it the race may be won."""
    race.play_step(course, game)
    wanted = 2 if game.rules & FAR else 1
    for r in range(game.players):
        if game.reached[r] > game.stops[r]:
            game.stops[r] = game.reached[r]
        if game.reached[r] >= wanted and game.winner == NOBODY:
            game.winner = r
            game.step = OVER


OVERRIDES = {
    **rules.OVERRIDES,
    rules.layout: Constant(parts.LIGHTER),
    turned_by_board: Constant(False),
    play_step: play,
}

KIND = Kind(
    "sprint",
    "sprint",
    (*state.FIELDS_2016, ("stops", "u1", ("S",))),
    parts.lighter_parts,
    hand=state.HAND,
    answers=state.ANSWERS,
    step_names=STEP_NAMES,
    card_names=cards.NAMES,
    start=(("step", DRAW_HANDS),),
)

SPRINT = editions.Edition(
    name="sprint",
    courses=EDITIONS["2016"]._replace(borrows=("2016",)),
    kinds=[(KIND, OVERRIDES)],
    options={
        "checkpoints": editions.Option((1, 2), {2: FAR}, "checkpoints that are to be reached"),
    },
)
