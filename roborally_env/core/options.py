"""The 26 option cards of the 2005 edition by number: what they do, and what the default policy does with them.

Sources: rulebook p. 8 to 10, the card texts, and rulings R60 to R67. Numbers run in alphabetical order; 0 means no
option, and "no" if a player is asked to name one.
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
    """The facts of one option card."""

    name: str  # in scenarios, answers and `info`
    title: str  # as printed
    when: str
    rule: str
    asked: str  # the choices of its decision; "" if it is never asked
    default: str  # what decisions="program" does with it
    value: int  # the default policy discards the card of least value first


# fmt: off
TABLE: tuple[OptionCard, ...] = (
    OptionCard("ablative_coat", "Ablative Coat", "a damage token is due",
               "The next three damage tokens go on this card; with the third it is discarded.", "", "always acts", 5),
    OptionCard("abort_switch", "Abort Switch", "a program card is revealed, once a turn",
               "The card is replaced by the top card of the deck, as are all later ones that are not locked.",
               "no, yes", "used if the card would lead off the board or into a pit from where the robot stands", 3),
    OptionCard("brakes", "Brakes", "a Move 1 begins", "The Move 1 may be a move of 0 spaces.", "no, yes",
               "used if the step leads off the board or into a pit", 2),
    OptionCard("circuit_breaker", "Circuit Breaker", "end of the turn",
               "With three or more damage tokens, after repairs, the robot begins the next turn powered down.", "",
               "always acts", 2),
    OptionCard("conditional_program", "Conditional Program", "after programming; before a register is revealed",
               "A left-over card may be laid here and may replace the card of one register that is not locked in this "
               "turn.",
               "no, or the card; later no, yes", "never laid", 2),
    OptionCard("crab_legs", "Crab Legs", "programming",
               "A Move 1 and a Rotate Left or Right may share a register: one space to that side, the facing stays.",
               "no, or the rotation; with Dual Processor, when they are played: no, yes",
               "the cards are never laid together; to the later question yes", 2),
    OptionCard("double_barreled_laser", "Double-Barreled Laser", "robot lasers",
               "The main laser fires two shots.", "", "always acts", 6),
    OptionCard("dual_processor", "Dual Processor", "programming",
               "A move card and a rotation share a register: one space less (two with a U-Turn), then the rotation.",
               "no, or the rotation", "the cards are never laid together", 3),
    OptionCard("extra_memory", "Extra Memory", "dealing", "One more program card each turn.", "", "always acts", 7),
    OptionCard("fire_control", "Fire Control", "the main laser hits a robot",
               "Instead of damage a register of the target is locked or one of its options destroyed.",
               "no, register_1 .. register_5, or an option", "destroys the target's option of highest value; with "
                                                             "none it deals the damage", 4),
    OptionCard("flywheel", "Flywheel", "after programming; dealing",
               "A left-over card may be laid here and be added to a later hand.", "no, or the card; later no, yes",
               "a left-over Move 3, else Move 2, is laid; it is taken into a hand of fewer than nine cards", 4),
    OptionCard("fourth_gear", "Fourth Gear", "a Move 3 begins", "The Move 3 may be a move of 4 spaces.", "no, yes",
               "never", 2),
    OptionCard("gyroscopic_stabilizer", "Gyroscopic Stabilizer", "before the first register is revealed",
               "Neither gears nor rotating belts turn the robot in this turn, powered down or not.", "no, yes",
               "never", 2),
    OptionCard("high_power_laser", "High-Power Laser", "robot lasers",
               "The main laser passes one wall or one robot; a robot shot through takes full damage too.", "",
               "always acts", 4),
    OptionCard("mechanical_arm", "Mechanical Arm", "touching flags and repair sites",
               "The robot touches flags and repair sites one space away, diagonally too, if no wall is between.", "",
               "always acts", 8),
    OptionCard("mini_howitzer", "Mini Howitzer", "the main laser hits a robot",
               "Instead of the laser: one damage and the target is pushed one space; discarded with the fifth use.",
               "no, yes", "always", 4),
    OptionCard("power_down_shield", "Power-Down Shield", "a damage token is due while powered down",
               "One damage from each of the four directions in each register phase is prevented.", "",
               "always acts", 3),
    OptionCard("pressor_beam", "Pressor Beam", "the main laser hits a robot",
               "Instead of the laser: the target is pushed one space.", "no, yes", "never", 3),
    OptionCard("radio_control", "Radio Control", "the main laser hits a robot",
               "Instead of the laser: the target plays this robot's program for the rest of the turn, right after it.",
               "no, yes", "never", 3),
    OptionCard("ramming_gear", "Ramming Gear", "a step of an own card meets a robot",
               "One damage to each robot pushed or bumped into, once a card.", "", "always acts", 4),
    OptionCard("rear_firing_laser", "Rear-Firing Laser", "robot lasers", "A second laser fires backwards.", "",
               "always acts", 5),
    OptionCard("recompile", "Recompile", "programming, once a turn",
               "The hand may be discarded for a new one of as many cards; one damage.", "no, yes", "never", 3),
    OptionCard("reverse_gear", "Reverse Gear", "a Back Up begins", "The Back Up may be a move of 2 spaces.",
               "no, yes", "never", 2),
    OptionCard("scrambler", "Scrambler", "the main laser hits a robot, not in register five",
               "Instead of the laser: the target's next register gets the top card of the deck; not a locked one.",
               "no, yes", "never", 3),
    OptionCard("superior_archive", "Superior Archive", "re-entry", "No damage for coming back.", "", "always acts", 6),
    OptionCard("tractor_beam", "Tractor Beam", "the main laser hits a robot that is not adjacent",
               "Instead of the laser: the target is pulled one space.", "no, yes", "never", 3),
)
# fmt: on
NAMES: tuple[str, ...] = ("no", *(row.name for row in TABLE))
NUMBERS: dict[str, int] = {row.name: i for i, row in enumerate(TABLE, 1)}
VALUE = np.array([0, *(row.value for row in TABLE)], dtype=np.int64)  # [COUNT + 1]
