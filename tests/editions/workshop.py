"""An edition from outside that brings upgrade cards: the complete 2016 game with Afterburner and Bumper.

The tutorial of docs/editions.md goes through this file.
"""

from roborally_env import editions
from roborally_env.compiling.hooks import Constant
from roborally_env.core import choices, upgrades
from roborally_env.core.choices import NO, YES, choose
from roborally_env.core.editions.e2016 import parts, rules
from roborally_env.core.editions.e2016.upgrades.more import more_in_turn, more_on_push
from roborally_env.core.editions.e2016.upgrades.moving import can_step, drop_into_pits, step
from roborally_env.core.editions.e2016.upgrades.policy import step_onto_goal
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import can_use, use, use_up
from roborally_env.core.seeing.parts import Part, layout
from roborally_env.courses import EDITIONS
from roborally_env.editions.e2016.scenario import SCENARIO

AFTERBURNER, BUMPER = 42, 43
DECK = (*upgrades.DECK, AFTERBURNER, BUMPER)
CARD = editions.Upgrade(
    AFTERBURNER,
    "afterburner",
    "Afterburner",
    cost=1,
    type=upgrades.TEMPORARY,
    moments=("turn",),
    when="own turn, after the card",
    rule="Move one space forward.",
    asked="no, yes",
    default="used where the robot gets onto its next checkpoint",
    value=4,
    rulings=("R10: a step as any other, which pushes and may fall.",),
)
SECOND_CARD = editions.Upgrade(
    BUMPER,
    "bumper",
    "Bumper",
    cost=2,
    type=upgrades.PERMANENT,
    moments=("push",),
    when="push",
    rule="The pushed robot loses one energy cube.",
    asked="",
    default="works by itself",
    value=1,
)
DECISION = choices.decision_of(AFTERBURNER)
YES_OR_NO = 0b11


@kernel
def afterburner(course, game, r, after):
    """One step forward after the card, if the player wants it; no choice where the robot is stopped."""
    ahead = int(game.facing[r])
    if not after or not can_use(game, r, AFTERBURNER) or not can_step(course, game, r, ahead):
        return False
    default = YES if step_onto_goal(course, game, r) == 1 + ahead else NO
    if choose(game, r, DECISION, YES_OR_NO, default) == NO:
        return False
    use_up(game, r, AFTERBURNER)
    step(course, game, r, ahead, 0)
    drop_into_pits(course, game)
    return True


@kernel
def bumper(game, r, other):
    """The pushed robot loses a cube, if it has one."""
    if can_use(game, r, BUMPER) and game.energy[other] > 0:
        use(game, r, BUMPER)
        game.energy[other] -= 1


def workshop_parts(every_choice: bool) -> tuple[Part, ...]:
    """The parts of the observation: those of 2016, with room for two cards more."""
    return parts.parts_with(True, every_choice, deck=DECK)


LAYOUT = parts.layout_with(DECK, "Layout", __name__)
Layout = type(LAYOUT)  # machine code that is loaded from a file asks for it here

KIND = rules.COMPLETE._replace(name="workshop", edition="workshop", parts=workshop_parts, upgrade_numbers=DECK)
OVERRIDES = {**rules.OVERRIDES, layout: Constant(LAYOUT), more_in_turn: afterburner, more_on_push: bumper}


WORKSHOP = editions.Edition(
    name="workshop",
    courses=EDITIONS["2016"]._replace(borrows=("2016",)),
    kinds=[(KIND, OVERRIDES)],
    upgrades=[CARD, SECOND_CARD],
    scenario=SCENARIO,
)
