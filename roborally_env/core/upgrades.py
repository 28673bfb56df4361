"""The upgrade cards: a row each with its facts. Its function stands in the file of its moment.

2016 rulebook, card index, and rulings R44 to R53. A card keeps its number: those of 2016 have 1..40 in printed order,
`FREE` are those of editions from outside (docs/editions.md). 0 is none, and "no" where a player chooses an
upgrade.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from roborally_env.base.errors import RoboRallyError
from roborally_env.core import cards

NONE = 0
(
    ADMIN_PRIVILEGE, BLUE_SCREEN_OF_DEATH, BRAKES, CACHE_MEMORY, CORRUPTION_WAVE, CRAB_LEGS, DEFLECTOR_SHIELD,
    DEFRAG_GIZMO, DOUBLE_BARREL_LASER, FIREWALL, HOVER_UNIT, MEMORY_STICK, MINI_HOWITZER, MODULAR_CHASSIS,
    PRESSOR_BEAM, RAIL_GUN, RAMMING_GEAR, REAR_LASER, SCRAMBLER, SIDE_ARMS, TELEPORTER, TRACTOR_BEAM, TROJAN_NEEDLER,
    VIRUS_MODULE, BOINK, ENERGY_ROUTINE, HACK, MANUAL_SORT, MEMORY_SWAP, REBOOT, RECHARGE, RECOMPILE, REFRESH,
    REPEAT_ROUTINE, SANDBOX_ROUTINE, SPAM_BLOCKER, SPAM_FOLDER_ROUTINE, SPEED_ROUTINE, WEASEL_ROUTINE, ZOOP,
) = range(1, 41)  # fmt: skip
COUNT = 40  # those of 2016
DECK = tuple(range(1, 1 + COUNT))  # the numbers of those of 2016
HEAL_ROUTINE = 41  # of the community edition alone
FREE = range(42, 63)  # sets of upgrades are the bits of an int64, and so are the options of `buy_upgrade`
MOST_OF_A_TYPE = 3

TYPES = PERMANENT, TEMPORARY = "permanent", "temporary"
# when a card acts; a card of other moments, or of none, acts by itself where the rules ask for it
MOMENTS = ("hand", "register", "turn", "move", "push", "shot")
_NO_YES = ("no", "yes")
_SIDES = ("no", "left", "right")
_WAYS = ("no", "N", "E", "S", "W")
_CARDS = ("no", *cards.NAMES[1:])
_HEAL = cards.ALL_NAMES[cards.HEAL_ROUTINE]


class Upgrade(NamedTuple):
    """The facts of one upgrade card. The words of those of the package are in the files `cards.toml` of the editions;
    the row of a card from outside has them too."""

    number: int
    name: str  # as in scenarios, answers and `info`
    title: str  # as printed
    cost: int  # energy cubes
    type: str  # PERMANENT or TEMPORARY
    moments: tuple[str, ...]  # of MOMENTS
    when: str = ""  # in words
    rule: str = ""
    asked: str = ""  # the choices of its decision in words; "" without a decision
    default: str = ""  # what decisions="program" does with it
    value: int = 0  # what `greedy` and `planner` go by: 0 not bought .. 8, from how often owners won (docs/upgrades.md)
    rulings: tuple[str, ...] = ()  # what is settled where the rulebook can be read twice (docs/rulings.md)
    options: Sequence[str] = _NO_YES  # names of the options of its decision, by number; the first is "no"
    special: int = NONE  # the special programming card that a routine puts into the discard pile
    once_a_round: bool = False


ALL_NAMES: list[str] = ["no"]  # by number; "" where no card has it
# fmt: off
_ROWS: tuple[Upgrade, ...] = (
    Upgrade(1, "admin_privilege", "", 3, PERMANENT, ("register",), value=2, once_a_round=True),
    Upgrade(2, "blue_screen_of_death", "", 4, PERMANENT, ("push", "shot")),
    Upgrade(3, "brakes", "", 3, PERMANENT, ("move",)),
    Upgrade(4, "cache_memory", "", 4, PERMANENT, ("hand",), options=(*_CARDS, "done", _HEAL)),
    Upgrade(5, "corruption_wave", "", 4, PERMANENT, ("shot",), value=4),
    Upgrade(6, "crab_legs", "", 5, PERMANENT, ("move",), options=_SIDES),
    Upgrade(7, "deflector_shield", "", 2, PERMANENT, ("register",), value=2),
    Upgrade(8, "defrag_gizmo", "", 5, PERMANENT, ("hand",), value=8, options=_CARDS, once_a_round=True),
    Upgrade(9, "double_barrel_laser", "", 2, PERMANENT, ("shot",), value=2),
    Upgrade(10, "firewall", "", 3, PERMANENT, (), value=2),
    Upgrade(11, "hover_unit", "", 1, PERMANENT, ("move",), value=1),
    Upgrade(12, "memory_stick", "", 3, PERMANENT, (), value=4),
    Upgrade(13, "mini_howitzer", "", 2, PERMANENT, ("shot",), value=5),
    Upgrade(14, "modular_chassis", "", 1, PERMANENT, ("push",), value=1, options=ALL_NAMES),
    Upgrade(15, "pressor_beam", "", 3, PERMANENT, ("shot",), value=8),
    Upgrade(16, "rail_gun", "", 2, PERMANENT, ("shot",)),
    Upgrade(17, "ramming_gear", "", 2, PERMANENT, ("push",), value=1),
    Upgrade(18, "rear_laser", "", 2, PERMANENT, ("shot",), value=1),
    Upgrade(19, "scrambler", "", 3, PERMANENT, ("shot",), value=4),
    Upgrade(20, "side_arms", "", 3, PERMANENT, ("move",), value=1, options=_SIDES),
    Upgrade(21, "teleporter", "", 3, PERMANENT, ("move",)),
    Upgrade(22, "tractor_beam", "", 3, PERMANENT, ("shot",), value=4),
    Upgrade(23, "trojan_needler", "", 3, PERMANENT, ("push", "shot"), value=4),
    Upgrade(24, "virus_module", "", 2, PERMANENT, ("push",), value=2),
    Upgrade(25, "boink", "", 1, TEMPORARY, ("turn",), value=4, options=_WAYS),
    Upgrade(26, "energy_routine", "", 3, TEMPORARY, (), special=cards.ENERGY_ROUTINE),
    Upgrade(27, "hack", "", 1, TEMPORARY, ("turn",), value=1),
    Upgrade(28, "manual_sort", "", 1, TEMPORARY, ("register",), value=2),
    Upgrade(29, "memory_swap", "", 1, TEMPORARY, ("hand",), value=1, options=(*_CARDS, "yes", _HEAL)),
    Upgrade(30, "reboot", "", 1, TEMPORARY, ("turn",), value=3),
    Upgrade(31, "recharge", "", 0, TEMPORARY, ("hand", "turn"), value=3),
    Upgrade(32, "recompile", "", 1, TEMPORARY, ("hand",), value=4),
    Upgrade(33, "refresh", "", 2, TEMPORARY, ("turn",), value=3, options=_CARDS),
    Upgrade(34, "repeat_routine", "", 3, TEMPORARY, (), special=cards.REPEAT_ROUTINE),
    Upgrade(35, "sandbox_routine", "", 5, TEMPORARY, (), value=4, options=_CARDS, special=cards.SANDBOX_ROUTINE),
    Upgrade(36, "spam_blocker", "", 3, TEMPORARY, ("hand",), value=3),
    Upgrade(37, "spam_folder_routine", "", 2, TEMPORARY, (), special=cards.SPAM_FOLDER),
    Upgrade(38, "speed_routine", "", 3, TEMPORARY, (), value=3, special=cards.SPEED_ROUTINE),
    Upgrade(39, "weasel_routine", "", 3, TEMPORARY, (), options=_CARDS, special=cards.WEASEL_ROUTINE),
    Upgrade(40, "zoop", "", 1, TEMPORARY, ("turn",), value=1, options=_WAYS),
    Upgrade(41, "heal_routine", "", 3, TEMPORARY, (), value=2, special=cards.HEAL_ROUTINE),
)
# fmt: on
_BY_NUMBER: dict[int, Upgrade] = {}


def check_upgrade(row: Upgrade, beside: Iterable[Upgrade] = ()) -> None:
    """Raise a RoboRallyError that says what is wrong with a new card, `beside` others."""
    for other in (*_BY_NUMBER.values(), *beside):
        if row.number == other.number or row.name == other.name:
            same = f"the number {row.number}" if row.number == other.number else f"the name {row.name!r}"
            raise RoboRallyError(f"upgrade {row.name!r}: {same} is that of {other.title or other.name}")
    if row.number not in range(1, FREE.stop):
        raise RoboRallyError(f"upgrade {row.name!r}: expected a number from 1 to {FREE[-1]}, got {row.number}")
    if not row.name.isidentifier():
        raise RoboRallyError(f"upgrade {row.name!r}: expected a name of letters, digits and _")
    if row.type not in TYPES or not set(row.moments) <= set(MOMENTS):
        raise RoboRallyError(
            f"upgrade {row.name!r}: expected a type of {', '.join(TYPES)} and moments of {', '.join(MOMENTS)}, got "
            f"{row.type!r} and {row.moments!r}"
        )
    if row.cost < 0 or row.value < 0 or row.options[0] != "no":
        raise RoboRallyError(f"upgrade {row.name!r}: expected a cost and a value from 0 on, and 'no' as first option")


def add_upgrade(row: Upgrade) -> None:
    """Register an upgrade card. Raises a RoboRallyError for one that is not sound."""
    check_upgrade(row)
    _BY_NUMBER[row.number] = row
    ALL_NAMES.extend([""] * (row.number + 1 - len(ALL_NAMES)))
    ALL_NAMES[row.number] = row.name


def remove_upgrade(number: int) -> None:
    """Take back what `add_upgrade` did."""
    del _BY_NUMBER[number]
    ALL_NAMES[number] = ""
    for kept in (sets_of, column_of):
        kept.cache_clear()


def upgrade(number: int) -> Upgrade:
    """The row of a card."""
    return _BY_NUMBER[number]


def numbers_of(deck: Iterable[int]) -> dict[str, int]:
    """The numbers of a deck's cards by name."""
    return {ALL_NAMES[number]: number for number in deck}


for _row in _ROWS:
    add_upgrade(_row)
NAMES = tuple(ALL_NAMES[: COUNT + 1])  # of 2016
NUMBERS = numbers_of(DECK)


def bits(*numbers: int) -> int:
    """The bit set of some upgrades: bit u for upgrade u."""
    return sum(1 << number for number in numbers)


def numbers_in(cards: int) -> list[int]:
    """The numbers in a bit set of upgrades."""
    return [u for u in range(1, cards.bit_length()) if cards >> u & 1]


class Sets(NamedTuple):
    """Sets of a deck's cards as bits: what is looked at where."""

    permanent: int
    temporary: int
    once_a_round: int
    in_hand: int
    at_register: int
    in_turn: int
    by_move: int  # of a robot by its own card, with what acts on a push
    by_push: int
    by_shot: int


@cache
def sets_of(deck: tuple[int, ...]) -> Sets:
    """The sets of a deck's cards."""
    rows = [upgrade(number) for number in deck]
    at = {moment: bits(*(row.number for row in rows if moment in row.moments)) for moment in MOMENTS}
    by_type = [bits(*(row.number for row in rows if row.type == kind)) for kind in TYPES]
    return Sets(
        permanent=by_type[0],
        temporary=by_type[1],
        once_a_round=bits(*(row.number for row in rows if row.once_a_round)),
        in_hand=at["hand"],
        at_register=at["register"],
        in_turn=at["turn"],
        by_move=at["move"] | at["push"],
        by_push=at["push"],
        by_shot=at["shot"],
    )


@cache
def column_of(deck: tuple[int, ...], name: str) -> np.ndarray:
    """[1 + the highest number]: a fact of each card of a deck by number, as `cost` or `value`; 0 elsewhere. int64."""
    found = np.zeros(1 + max(deck), np.int64)
    for number in deck:
        found[number] = getattr(upgrade(number), name)
    return found


# the deck of the community edition: without the cards that only speak of damage cards
COMMUNITY_DECK = tuple(
    u
    for u in range(1, HEAL_ROUTINE + 1)
    if u
    not in (
        CORRUPTION_WAVE, BLUE_SCREEN_OF_DEATH, TROJAN_NEEDLER, VIRUS_MODULE, DEFRAG_GIZMO, SPAM_BLOCKER,
        SPAM_FOLDER_ROUTINE,
    )
)  # fmt: skip
