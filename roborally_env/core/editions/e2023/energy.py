"""The energy track of the 2023 edition: its length, and the energy at the start."""

from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.energy import MOST_ENERGY_2023, START_ENERGY, START_ENERGY_2023, UNLIMITED
from roborally_env.core.rule_options import RULE_ENERGY_UNLIMITED, RULE_FIVE_ENERGY


@kernel
def most_energy(game):
    """The end of the energy track."""
    return UNLIMITED if game.rules & RULE_ENERGY_UNLIMITED else MOST_ENERGY_2023


@kernel
def less_energy(game):
    """How much less than in 2016 each robot starts with."""
    return 0 if game.rules & RULE_FIVE_ENERGY else START_ENERGY - START_ENERGY_2023
