"""Choices by re-execution: a rule asks where it stands; where no answer lies ready, the step is played again later."""

from collections.abc import Sequence

import numpy as np

from roborally_env.core import cards, options, upgrades
from roborally_env.core.kernel import kernel
from roborally_env.core.state import ASK_ALL, NOBODY
from roborally_env.core.traits import with_questions

# decision numbers; that of upgrade u is UPGRADE + u. Names are the same in info, docs and scenario files
PROGRAM, REBOOT_FACING, DAMAGE_KIND, BUY_UPGRADE, REPLACE_UPGRADE = range(1, 6)
UPGRADE = REPLACE_UPGRADE
KINDS_2016 = UPGRADE + upgrades.COUNT + 1
# of the 2005 edition; that of option o is OPTION + o
(
    POWER_DOWN, STAY_DOWN, REENTER_POWERED_DOWN, REENTRY_CELL, REENTRY_ROW, OPTION_FOR_DAMAGE, OPTION_LOST,
    KEEP_OPTION, SET_ASIDE, HOME_BOARD,
) = range(KINDS_2016, KINDS_2016 + 10)  # fmt: skip
OPTION = HOME_BOARD
LAST_2005 = OPTION + options.COUNT
DRAW_UPGRADE, INSTALL_UPGRADE, UNINSTALL_UPGRADE = KINDS_2023 = range(
    LAST_2005 + 1, LAST_2005 + 4
)  # beside those of 2016
LATER = UNINSTALL_UPGRADE + 1  # that of upgrade u from outside is LATER + u - upgrades.FREE[0]
NAMES: list[str] = [  # "" for those that no upgrade has
    "none", "program", "reboot_facing", "damage_kind", "buy_upgrade", "replace_upgrade", *upgrades.NAMES[1:],
    "power_down", "stay_down", "reenter_powered_down", "reentry_cell", "reentry_row", "option_for_damage",
    "option_lost", "keep_option", "set_aside", "home_board", *options.NAMES[1:],
    "draw_upgrade", "install_upgrade", "uninstall_upgrade", *[""] * len(upgrades.FREE),
]  # fmt: skip
KINDS = len(NAMES)


def decision_of(upgrade: int) -> int:
    """The number of an upgrade's decision."""
    return UPGRADE + upgrade if upgrade < upgrades.FREE[0] else LATER + upgrade - upgrades.FREE[0]


def add_decision(upgrade: int) -> None:
    """Name the decision of an upgrade that was added from outside, and its options."""
    kind, row = decision_of(upgrade), upgrades.upgrade(upgrade)
    NAMES[kind], OPTION_NAMES[kind] = row.name, row.options


def remove_decision(upgrade: int) -> None:
    """Take back what `add_decision` did."""
    NAMES[decision_of(upgrade)] = ""
    del OPTION_NAMES[decision_of(upgrade)]


def kind_of(name: str, of_2005: bool) -> int:
    """The number of a decision by its name: some upgrades and options share one. -1 where there is none."""
    own = (*range(KINDS_2016), *KINDS_2023, *range(LATER, KINDS))
    known = range(KINDS_2016, LAST_2005 + 1) if of_2005 and name not in NAMES[:UPGRADE] else own
    return next((kind for kind in known if NAMES[kind] == name), -1)


NO, YES = 0, 1  # option 0 of each upgrade's decision is "no"
LEFT, RIGHT = 1, 2
DRAW_FIRST = cards.KINDS  # Memory Swap's first question: the three cards are drawn before any is chosen
DONE = cards.KINDS  # Cache Memory's further questions: no more cards
_NO_YES = ("no", "yes")
# cards of the hand by slot: 1 + slot; an interface shows the card's name in its place (`option_names`)
_SLOTS = ("no", *(f"card_{i}" for i in range(1, 12)))
USE = len(_SLOTS)  # Conditional Program, Flywheel: the card that lies there is taken
REGISTER_OPTION = options.COUNT  # Fire Control: register k is option REGISTER_OPTION + k

# names of the options of each decision but the program, by option number
OPTION_NAMES: dict[int, Sequence[str]] = {
    REBOOT_FACING: ("N", "E", "S", "W"),
    DAMAGE_KIND: cards.DAMAGE_NAMES,
    BUY_UPGRADE: upgrades.ALL_NAMES,
    REPLACE_UPGRADE: upgrades.ALL_NAMES,
    **{UPGRADE + u: upgrades.upgrade(u).options for u in upgrades.DECK},
    POWER_DOWN: _NO_YES,
    STAY_DOWN: _NO_YES,
    REENTER_POWERED_DOWN: _NO_YES,
    REENTRY_CELL: tuple(f"cell_{i}" for i in range(40)),  # the eight around, clockwise from N; or a column
    REENTRY_ROW: tuple(f"row_{i}" for i in range(40)),
    OPTION_FOR_DAMAGE: options.NAMES,
    OPTION_LOST: options.NAMES,
    KEEP_OPTION: options.NAMES,
    SET_ASIDE: _SLOTS,
    HOME_BOARD: ("first", "second"),
    DRAW_UPGRADE: _NO_YES,
    INSTALL_UPGRADE: upgrades.ALL_NAMES,
    UNINSTALL_UPGRADE: upgrades.ALL_NAMES,
    **{OPTION + o: _NO_YES for o in range(1, options.COUNT + 1)},
    OPTION + options.CONDITIONAL_PROGRAM: (*_SLOTS, "yes"),
    OPTION + options.FLYWHEEL: (*_SLOTS, "yes"),
    OPTION + options.CRAB_LEGS: (*_SLOTS, "yes"),
    OPTION + options.DUAL_PROCESSOR: _SLOTS,
    OPTION + options.FIRE_CONTROL: (*options.NAMES, *(f"register_{k}" for k in range(1, 6))),
}
# how many options a decision has at most: in the lighter game, and with upgrades
OPTIONS_WITHOUT_UPGRADES = 4
OPTIONS = 1 + upgrades.COUNT
OPTIONS_COMMUNITY = 2 + upgrades.COUNT
OPTIONS_2005 = max(len(names) for kind, names in OPTION_NAMES.items() if KINDS_2016 <= kind <= LAST_2005)


def can_decline(kind: int, options: int) -> bool:
    """Whether `no` is among the legal options (a bit set) of a decision."""
    return OPTION_NAMES[kind][NO] in ("no", "none") and bool(options & 1)


class ChoiceOpen(Exception):
    """Raised in a step when a player must choose; the driver restores the game and waits."""


@with_questions()
def note_about(game, about):
    """Keep the robot that a question is about, for those who look at it."""
    game.ask_about = about


@kernel
def choose(game, seat, kind, options, default, about=NOBODY):
    """The option (its number) that player `seat` takes: the next given answer, or the default if choices are not open.

    `options` is a bit set of legal option numbers, `default` one of them; `about` is the robot that it is about.
    Raises ChoiceOpen, with the open question in the record, when the game asks and no answer is left.
    """
    if game.asking != ASK_ALL:
        return default
    return answer_or_ask(game, seat, kind, options, default, about)


@kernel(seldom=True)
def answer_or_ask(game, seat, kind, options, default, about):
    """As `choose` if choices are open; a kernel of its own, because most games have none."""
    if game.answers_read < game.answered:
        answer = np.int64(game.answers[game.answers_read])
        game.answers_read += 1
        return answer if options >> answer & 1 else default  # after `redeal` it can have become illegal
    if (
        game.answered >= game.answers.shape[0]
    ):  # no step has as many choices; one that cannot be stored takes its default
        return default
    open_question(game, seat, kind, options, default, about)
    raise ChoiceOpen


@kernel
def open_question(game, seat, kind, options, default, about):
    """Write an open question into the record."""
    game.ask_seat = seat
    game.ask_kind = kind
    game.ask_options = options
    game.ask_default = default
    note_about(game, about)
