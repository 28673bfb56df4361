"""Energy on the mats: gains, and the end of the energy track in the 2023 edition."""

from roborally_env.core import log
from roborally_env.core.kernel import kernel
from roborally_env.core.rule import rule

START_ENERGY = 5
START_ENERGY_2023 = 3
MOST_ENERGY_2023 = 10
UNLIMITED = 32_767  # the largest number of the record's field


@rule
def most_energy(game):
    """The end of the energy track."""
    return UNLIMITED


@rule
def less_energy(game):
    """How much less than in 2016 each robot starts with."""
    return 0


@kernel
def gain_energy(game, r, cubes):
    """Robot r gains energy up to the end of its track; the log has the amount that it really gained."""
    gained = min(cubes, max(0, most_energy(game) - int(game.energy[r])))
    game.energy[r] += gained
    log.log(game, log.ENERGY, r, gained)
