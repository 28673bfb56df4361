"""Choices by re-execution: a rule asks where it stands; where no answer lies ready, the step is played again later."""

import numpy as np

from roborally_env.core import cards, upgrades
from roborally_env.core.kernel import kernel, with_upgrades
from roborally_env.core.state import ASK_ALL, NOBODY

# decision numbers; that of upgrade u is UPGRADE + u. Names are the same in info, docs and scenario files
PROGRAM, REBOOT_FACING, DAMAGE_KIND, BUY_UPGRADE, REPLACE_UPGRADE = range(1, 6)
UPGRADE = REPLACE_UPGRADE
NAMES: tuple[str, ...] = (
    "none", "program", "reboot_facing", "damage_kind", "buy_upgrade", "replace_upgrade", *upgrades.NAMES[1:],
)  # fmt: skip
KINDS = len(NAMES)

NO, YES = 0, 1  # option 0 of each upgrade's decision is "no"
LEFT, RIGHT = 1, 2
DRAW_FIRST = cards.KINDS  # Memory Swap's first question: the three cards are drawn before any is chosen
DONE = cards.KINDS  # Cache Memory's further questions: no more cards
_CARDS = ("no", *cards.NAMES[1:])
_SIDES = ("no", "left", "right")
_WAYS = ("no", "N", "E", "S", "W")

# names of the options of each decision but the program, by option number
OPTION_NAMES: dict[int, tuple[str, ...]] = {
    REBOOT_FACING: ("N", "E", "S", "W"),
    DAMAGE_KIND: cards.DAMAGE_NAMES,
    BUY_UPGRADE: upgrades.NAMES,
    REPLACE_UPGRADE: upgrades.NAMES,
    **{UPGRADE + u: ("no", "yes") for u in range(1, upgrades.COUNT + 1)},
    UPGRADE + upgrades.CRAB_LEGS: _SIDES,
    UPGRADE + upgrades.SIDE_ARMS: _SIDES,
    UPGRADE + upgrades.BOINK: _WAYS,
    UPGRADE + upgrades.ZOOP: _WAYS,
    UPGRADE + upgrades.REFRESH: _CARDS,
    UPGRADE + upgrades.DEFRAG_GIZMO: _CARDS,
    UPGRADE + upgrades.CACHE_MEMORY: (*_CARDS, "done"),
    UPGRADE + upgrades.MEMORY_SWAP: (*_CARDS, "yes"),
    UPGRADE + upgrades.MODULAR_CHASSIS: upgrades.NAMES,
    UPGRADE + upgrades.WEASEL_ROUTINE: _CARDS,
    UPGRADE + upgrades.SANDBOX_ROUTINE: _CARDS,
}
# how many options a decision has at most: in the lighter game, and with upgrades
OPTIONS_WITHOUT_UPGRADES = 4
OPTIONS = max(len(names) for names in OPTION_NAMES.values())


def can_decline(kind: int, options: int) -> bool:
    """Whether `no` is among the legal options (a bit set) of a decision."""
    return OPTION_NAMES[kind][NO] == "no" and bool(options & 1)


class ChoiceOpen(Exception):
    """Raised in a step when a player must be asked; the driver puts the game back and waits."""


@with_upgrades()
def note_about(game, about):
    """Keep the robot that a question is about, for those who look at it."""
    game.ask_about = about


@kernel
def choose(game, seat, kind, options, default, about=NOBODY):
    """The option (its number) that player `seat` takes: the next given answer, or the default where nobody is asked.

    `options` is a bit set of legal option numbers, `default` one of them; `about` is the robot that it is about.
    Raises ChoiceOpen, with the open question in the record, when the game asks and no answer is left.
    """
    if game.asking != ASK_ALL:
        return default
    if game.answers_read < game.answered:
        answer = np.int64(game.answers[game.answers_read])
        game.answers_read += 1
        return answer if options >> answer & 1 else default  # after `redeal` it can have become illegal
    if game.answered >= game.answers.shape[0]:  # no step asks so much; what cannot be stored is not waited for
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
