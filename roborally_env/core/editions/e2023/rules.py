"""The overrides of the 2023 edition: all that it plays differently from the 2016 edition."""

from roborally_env.compiling.hooks import Constant
from roborally_env.core import cards, choices, state, upgrades
from roborally_env.core.editions.e2016 import rules as e2016
from roborally_env.core.editions.e2016.observation import (
    kinds_of_2023,
    write_collection,
    write_collection_of,
)
from roborally_env.core.editions.e2016.redeal import redeal_collections
from roborally_env.core.editions.e2016.steps import REGISTER_STEPS, STEP_NAMES, UPGRADE_PHASE
from roborally_env.core.editions.e2016.upgrades.rounds import play_upgrade_phase
from roborally_env.core.editions.e2023 import deck, energy, fields, hidden, observation, parts, phase
from roborally_env.core.mechanics.energy import less_energy, most_energy
from roborally_env.core.mechanics.mats import discard_upgrade
from roborally_env.core.seeing.parts import layout
from roborally_env.core.state import Kind

OVERRIDES = {
    most_energy: energy.most_energy,
    less_energy: energy.less_energy,
    write_collection: observation.write_collection,
    write_collection_of: observation.write_collection_of,
    kinds_of_2023: Constant(len(choices.KINDS_2023)),
    discard_upgrade: deck.discard_upgrade,
    redeal_collections: hidden.redeal_collections,
    play_upgrade_phase: phase.play_upgrade_phase,
}

KIND = Kind(
    "2023",
    "2023",
    state.FIELDS_2016 + state.UPGRADE_FIELDS + fields.FIELDS,
    parts.parts,
    hand=state.HAND_ROOM,
    answers=state.ANSWERS_WITH_UPGRADES,
    step_names=STEP_NAMES,
    register_steps=REGISTER_STEPS,
    card_names=cards.NAMES,
    upgrade_numbers=upgrades.DECK,
    start=(("step", UPGRADE_PHASE),),
)
KINDS = ((KIND, {**e2016.OVERRIDES, **OVERRIDES, layout: Constant(parts.LAYOUT)}),)
