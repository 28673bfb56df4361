"""The texts about the cards of the 2005 edition that are not in the core's tables; docs/rulings.md has the R
numbers."""

from roborally_env.cards.rulings_2016 import Words

FOR_EVERY_OPTION = (
    "R61: an option may be discarded instead of taking a damage token (`option_for_damage`); a destroyed robot loses "
    "one option (`option_lost`).",
    "Discarded options do not come back; cards and tokens on a discarded option go with it.",
)

_NUMBER = "Higher priority numbers go first."
_STEP = "A step pushes every robot in line; if the last of them is stopped, nobody moves. Pits and the edge destroy."

# fmt: off
CARDS_2005: dict[str, Words] = {
    "move_1": Words("Move 1", "One space ahead.", (_NUMBER, _STEP)),
    "move_2": Words("Move 2", "Two spaces ahead.", (_NUMBER, "A step that is stopped loses the rest of the card.")),
    "move_3": Words("Move 3", "Three spaces ahead.", (_NUMBER, "As Move 2.")),
    "back_up": Words("Back Up", "One space back, facing kept.", (_NUMBER,)),
    "turn_left": Words("Rotate Left", "A quarter turn to the left.", (_NUMBER,)),
    "turn_right": Words("Rotate Right", "A quarter turn to the right.", (_NUMBER,)),
    "u_turn": Words("U-Turn", "A half turn.", (_NUMBER,)),
}

_INSTEAD = (
    "R64: it replaces the whole main laser at that target; the rear laser cannot be replaced, and courses that double "
    "laser fire do not double it.")
_NO_QUESTION = "R64: it acts without a question."

# options by name, in the order of core/options.py
OPTIONS_2005: dict[str, tuple[str, ...]] = {
    "ablative_coat": ("R61: it comes before Power-Down Shield and before a discarded option.",),
    "abort_switch": (
        "R65: locked registers stay as they are; the card that comes does not change the register's priority.",
        "It is not for a robot that is down or plays another's program."),
    "brakes": ("R66: a robot that plays another's program does so without its own options.",),
    "circuit_breaker": (
        "R65: it acts after repairs.", "If power down is not allowed it does nothing."),
    "conditional_program": (
        "`conditional_program` is asked twice: after programming which card is laid, and before a register is "
        "revealed whether it is used.",
        "It is not for a robot that is down, plays another's program, or has the register locked."),
    "crab_legs": (
        "R65: the number of the Move 1 counts.",
        "An environment asks for the rotation card after the program is laid; in a scenario the register has both "
        "cards."),
    "double_barreled_laser": ("R66: Fire Control is asked for each shot.",),
    "dual_processor": (
        "R65: the number of the move card counts.",
        "An environment asks for the rotation card after the program is laid; in a scenario the register has both "
        "cards."),
    "extra_memory": (
        "In an environment a player with more than nine cards lays the surplus aside before programming "
        "(`set_aside`).",),
    "fire_control": (
        "R66: a register locked by it keeps its card until the next token is repaired.",
        'R91: the lock takes no damage token. With `rules={"fire_control_token": True}` it takes one, and repairs and '
        "a power down release it.",
        "The target cannot discard an option instead."),
    "flywheel": (
        "`flywheel` is asked twice: after programming which card is laid, and in a later turn before programming "
        "whether it is taken.",
        "In an environment a player with more than nine cards lays the surplus aside before programming "
        "(`set_aside`)."),
    "fourth_gear": ("R66: it does not act while the robot plays another's program.",),
    "gyroscopic_stabilizer": ("It is asked of powered-down robots too.",),
    "high_power_laser": (_NO_QUESTION, "It passes one obstacle in all and serves the main laser only."),
    "mechanical_arm": (
        "R65: the archive marker goes to the space touched. The arm touches the next flag in reach first, else the "
        "best site, and it repairs at clean-up too.",
        "It reaches round a corner if one of the two ways is free of walls."),
    "mini_howitzer": (_INSTEAD, "R64: it pushes as a card's step does, chains too; against a wall it counts as a use."),
    "power_down_shield": (
        "R61: it acts by itself, after Ablative Coat; it does not stop damage without a direction.",),
    "pressor_beam": (_INSTEAD, "R64: it pushes as a card's step does, chains too."),
    "radio_control": (
        "R66: the latest shooter controls. The target plays without its own options, whether its registers are locked "
        "or not. This ends with the turn or when the shooter is destroyed.",),
    "ramming_gear": ("R64: it deals one token for each card and robot touched, moved or not.",),
    "rear_firing_laser": (_NO_QUESTION,),
    "recompile": ("It is asked before programming; the damage comes with the new hand.",),
    "reverse_gear": ("R66: it does not act while the robot plays another's program.",),
    "scrambler": ("R65: a locked register stays; the card that comes does not change the register's priority.",),
    "superior_archive": ("R61: a robot comes back with two tokens in all, but with none if it has this option.",),
    "tractor_beam": (_INSTEAD,),
}
# fmt: on
