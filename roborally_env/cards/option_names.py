"""The options of an open question in words for players: cards of the hand by name, spaces as "x,y"."""

from roborally_env.base.types import Array, Record
from roborally_env.core import options
from roborally_env.core.cards2005 import NAMES as CARDS_2005
from roborally_env.core.choices import OPTION, OPTION_NAMES, REENTRY_CELL, REENTRY_ROW, SET_ASIDE, USE
from roborally_env.core.state import kind_of, kind_of_record
from roborally_env.courses.tables import WIDTH

# the decisions whose options 1 + slot are cards of the hand
BY_HAND = frozenset(
    {
        SET_ASIDE,
        OPTION + options.CONDITIONAL_PROGRAM,
        OPTION + options.FLYWHEEL,
        OPTION + options.CRAB_LEGS,
        OPTION + options.DUAL_PROCESSOR,
    }
)
_AROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))  # clockwise from north


def option_name(game: Record, option: int) -> str:
    """The name of an option of the question that is open in a game's record."""
    kind, seat = int(game.ask_kind), int(game.ask_seat)
    if kind in BY_HAND and 0 < option < USE:
        return CARDS_2005[int(game.hand[seat][option - 1])]
    if kind == REENTRY_ROW or (kind == REENTRY_CELL and is_placing_at_home(game)):
        return str(option)
    if kind == REENTRY_CELL:
        archive = int(game.archive[seat])
        x, y = _AROUND[option]
        return f"{archive % WIDTH + x},{archive // WIDTH + y}"
    return OPTION_NAMES[kind][option]


def option_names(games: Array, i: int) -> tuple[str, ...]:
    """The names of all legal options of the question that is open in record i of an array, in their order."""
    kind, legal = games["ask_kind"].item(i), games["ask_options"].item(i)
    found = []
    while legal:
        found.append((legal & -legal).bit_length() - 1)
        legal &= legal - 1
    if kind in BY_HAND or kind in (REENTRY_ROW, REENTRY_CELL):
        return tuple(option_name(games[i], option) for option in found)
    names = OPTION_NAMES[kind]
    return tuple([names[option] for option in found])


def named_options(game: Record) -> dict[str, int]:
    """The legal options of the open question by name; of several cards with one name, the first."""
    found: dict[str, int] = {}
    legal = int(game.ask_options)
    for option in range(legal.bit_length()):
        if legal >> option & 1:
            found.setdefault(option_name(game, option), option)
    return found


def is_placing_at_home(game: Record) -> bool:
    """Whether a robot is put down in its home rows (Capture the Flag), which takes a column and then a row."""
    step = kind_of(kind_of_record(game)).step_names[int(game.step)]
    return step == "set_up" or bool(int(game.sent_home) >> int(game.ask_seat) & 1)
