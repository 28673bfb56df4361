"""The functions of the 2016 edition for shared rules without a default.

The defaults of all other rules are those of 2016.
"""

from roborally_env.compiling.hooks import Constant
from roborally_env.core import cards, state, upgrades
from roborally_env.core.driving.advance import play_step, submit_programs
from roborally_env.core.editions.e2016 import (
    alone,
    observation,
    parts,
    programming,
    race,
    redeal,
    search,
    set_up,
    soundness,
)
from roborally_env.core.editions.e2016.steps import DRAW_HANDS, REGISTER_STEPS, STEP_NAMES, UPGRADE_PHASE
from roborally_env.core.mechanics.setup import begin_race
from roborally_env.core.searching.alone import special_column
from roborally_env.core.searching.among_others import play_round
from roborally_env.core.searching.distances import (
    activate_belts_and_machines,
    cell_to_go_from,
    next_checkpoint,
    next_in_order,
    play_alone,
)
from roborally_env.core.seeing.observe import observe_symbolic
from roborally_env.core.seeing.parts import layout
from roborally_env.core.seeing.redeal import redeal_others
from roborally_env.core.soundness import turns_of_step
from roborally_env.core.state import Kind

OVERRIDES = {
    begin_race: set_up.begin_race,
    submit_programs: programming.submit_programs,
    redeal_others: redeal.redeal_others,
    play_round: search.play_round,
    special_column: search.special_column,
    play_step: race.play_step,
    activate_belts_and_machines: alone.activate,
    play_alone: alone.play_alone,
    next_checkpoint: alone.next_checkpoint,
    next_in_order: alone.next_in_order,
    cell_to_go_from: alone.cell_to_go_from,
    observe_symbolic: observation.observe_symbolic,
    turns_of_step: soundness.turns_of_step,
}

LIGHTER = Kind(
    "lighter",
    "2016",
    state.FIELDS_2016,
    parts.lighter_parts,
    hand=state.HAND,
    answers=state.ANSWERS,
    step_names=STEP_NAMES,
    register_steps=REGISTER_STEPS,
    card_names=cards.NAMES,
    start=(("step", DRAW_HANDS),),
)
COMPLETE = Kind(
    "complete",
    "2016",
    state.FIELDS_2016 + state.UPGRADE_FIELDS,
    parts.complete_parts,
    hand=state.HAND_ROOM,
    answers=state.ANSWERS_WITH_UPGRADES,
    step_names=STEP_NAMES,
    register_steps=REGISTER_STEPS,
    card_names=cards.NAMES,
    upgrade_numbers=upgrades.DECK,
    start=(("step", UPGRADE_PHASE),),
)
KINDS = (
    (LIGHTER, {**OVERRIDES, layout: Constant(parts.LIGHTER)}),
    (COMPLETE, {**OVERRIDES, layout: Constant(parts.COMPLETE)}),
)
