"""An edition with a tile of its own: the lighter 2016 race on courses with geysers.

A geyser throws the robot that stands on it one space, after the gears of each register. The tutorial of
docs/editions.md goes through this file.
"""

import dataclasses

from roborally_env import editions
from roborally_env.compiling.hooks import Constant
from roborally_env.core import cards, log, state
from roborally_env.core.editions.e2016 import parts, rules
from roborally_env.core.editions.e2016.steps import DRAW_HANDS, REGISTER_STEPS, STEP_NAMES
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.gears_and_panels import act_on_tiles
from roborally_env.core.mechanics.movement import MOVED, shift_line
from roborally_env.core.mechanics.reboot import reboot
from roborally_env.core.state import Kind
from roborally_env.courses import EDITIONS
from roborally_env.editions.e2016.scenario import SCENARIO


@kernel
def erupt(course, game):
    """Geysers throw the robots that stand on them now, in turn order."""
    thrown = 0
    for r in range(game.players):
        cell = game.cell[r]
        if cell >= 0 and course.geyser[cell]:
            thrown |= 1 << r
            game.want[r] = cell
    for place in range(game.players):
        r = int(game.order[place])
        if thrown >> r & 1 and game.cell[r] == game.want[r]:  # not pushed off it by another
            fell = shift_line(course, game, r, int(course.geyser[game.cell[r]]) - 1, 0, log.SHIFT)
            if fell > MOVED:
                reboot(course, game, fell - 1)
        game.want[r] = 0


GEYSER = editions.TileKind(
    name="geyser",
    token="Y{out}",
    examples=("Y>",),
    meaning="geyser: it throws the robot on it one space that way",
    excludes=("pit", "belt", "gear", "dock"),
    no_antenna="a geyser",
    dtype="u1",  # 0 where none, else 1 + its direction
    value=lambda e: 1 + e.out,
    acts="gears",
    svg=lambda e: (
        '<circle r="38" fill="$geyser" stroke="$geyser-line" stroke-width="4"/>'
        '<path d="M-16 26C-20 2 -14 -10 -24 -22M0 26V-26M16 26C20 2 14 -10 24 -22M-11 -15L0 -28 11 -15" fill="none" '
        'stroke="$geyser-line" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"/>'
    ),
    colors={"geyser": ("#d5f2ef", "#1e4a4d"), "geyser-line": ("#0e7c86", "#8be4e0")},
    style="1;36",
    plane="reboot_token",
    shown=lambda e, facing: 16 << ((e.out - facing) & 3),
    seen="a geyser that throws 16 ahead, 32 to the right, 64 behind, 128 to the left",
)


E2016 = editions.edition_of("2016")
GEYSERS = editions.Edition(
    name="geysers",
    courses=EDITIONS["2016"]._replace(borrows=("2016",)),
    tiles=[GEYSER],
    kinds=[
        (
            Kind(
                "geysers",
                "geysers",
                state.FIELDS_2016,
                parts.lighter_parts,
                hand=state.HAND,
                answers=state.ANSWERS,
                step_names=STEP_NAMES,
                card_names=cards.NAMES,
                register_steps=REGISTER_STEPS,
                start=(("step", DRAW_HANDS),),
            ),
            {**rules.OVERRIDES, rules.layout: Constant(parts.LIGHTER), act_on_tiles: erupt},
        )
    ],
    generated=dataclasses.replace(E2016.generated, tiles={"geyser": (10, 30)}),
    learned=E2016.learned,
    scenario=SCENARIO,
)
