"""The 26 option cards of the 2005 edition by number: what they do, and what the default policy does with them.

Sources: rulebook p. 8 to 10, the card texts, and rulings R60 to R67. Numbers run in alphabetical order; 0 means no
option, and "no" where a player names one.
"""

from typing import NamedTuple

import numpy as np

NONE = 0
(
    ABLATIVE_COAT, ABORT_SWITCH, BRAKES, CIRCUIT_BREAKER, CONDITIONAL_PROGRAM, CRAB_LEGS, DOUBLE_BARRELED_LASER,
    DUAL_PROCESSOR, EXTRA_MEMORY, FIRE_CONTROL, FLYWHEEL, FOURTH_GEAR, GYROSCOPIC_STABILIZER, HIGH_POWER_LASER,
    MECHANICAL_ARM, MINI_HOWITZER, POWER_DOWN_SHIELD, PRESSOR_BEAM, RADIO_CONTROL, RAMMING_GEAR, REAR_FIRING_LASER,
    RECOMPILE, REVERSE_GEAR, SCRAMBLER, SUPERIOR_ARCHIVE, TRACTOR_BEAM,
) = range(1, 27)  # fmt: skip
COUNT = 26
COAT_TOKENS = 3  # on Ablative Coat before it is discarded
HOWITZER_USES = 5


class OptionCard(NamedTuple):
    """The facts of one option card; its words are in `cards.toml` of the edition."""

    name: str  # in scenarios, answers and `info`
    value: int  # the default policy discards the card of least value first


TABLE: tuple[OptionCard, ...] = (
    OptionCard("ablative_coat", 5),
    OptionCard("abort_switch", 3),
    OptionCard("brakes", 2),
    OptionCard("circuit_breaker", 2),
    OptionCard("conditional_program", 2),
    OptionCard("crab_legs", 2),
    OptionCard("double_barreled_laser", 6),
    OptionCard("dual_processor", 3),
    OptionCard("extra_memory", 7),
    OptionCard("fire_control", 4),
    OptionCard("flywheel", 4),
    OptionCard("fourth_gear", 2),
    OptionCard("gyroscopic_stabilizer", 2),
    OptionCard("high_power_laser", 4),
    OptionCard("mechanical_arm", 8),
    OptionCard("mini_howitzer", 4),
    OptionCard("power_down_shield", 3),
    OptionCard("pressor_beam", 3),
    OptionCard("radio_control", 3),
    OptionCard("ramming_gear", 4),
    OptionCard("rear_firing_laser", 5),
    OptionCard("recompile", 3),
    OptionCard("reverse_gear", 2),
    OptionCard("scrambler", 3),
    OptionCard("superior_archive", 6),
    OptionCard("tractor_beam", 3),
)
NAMES: tuple[str, ...] = ("no", *(row.name for row in TABLE))
NUMBERS: dict[str, int] = {row.name: i for i, row in enumerate(TABLE, 1)}
VALUE = np.array([0, *(row.value for row in TABLE)], dtype=np.int64)  # [COUNT + 1]
