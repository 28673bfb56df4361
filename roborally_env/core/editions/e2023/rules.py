"""The overrides of the 2023 edition: all that it plays differently from the 2016 edition."""

from roborally_env.compiling.hooks import Constant
from roborally_env.core import choices
from roborally_env.core.editions.e2016 import rules as e2016
from roborally_env.core.editions.e2016.observation import (
    kinds_of_2023,
    write_collection,
    write_collection_of,
)
from roborally_env.core.editions.e2016.redeal import redeal_collections
from roborally_env.core.editions.e2016.upgrades.rounds import play_upgrade_phase
from roborally_env.core.editions.e2023 import deck, energy, fields, hidden, observation, parts, phase
from roborally_env.core.mechanics.energy import less_energy, most_energy
from roborally_env.core.mechanics.owned_upgrades import discard_upgrade
from roborally_env.core.seeing.parts import layout

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

KIND = e2016.COMPLETE._replace(
    name="2023", edition="2023", fields=e2016.COMPLETE.fields + fields.FIELDS, parts=parts.parts
)
KINDS = ((KIND, {**e2016.OVERRIDES, **OVERRIDES, layout: Constant(parts.LAYOUT)}),)
