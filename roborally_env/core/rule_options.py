"""Rule options: names, legal values, defaults, and the bits of `game.rules` that they set.

A new option is a bit here, a row of its edition (`roborally_env.editions.Edition.options`), and the rule that looks at
the bit.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from roborally_env.base.checks import shown
from roborally_env.base.documents import parse_json
from roborally_env.base.errors import RoboRallyError, cut, nearest
from roborally_env.base.registry import Part
from roborally_env.base.types import NamedValues

(
    RULE_ADVANCED,  # unused cards stay in the hand
    RULE_AGAIN_REPEATS,  # R25: Again after a damage card repeats the replacement
    RULE_TWO_ENDED_BOTH,  # R33: both ends of a two-ended laser hit
    RULE_TIMER,  # the caller may name registers left open
    RULE_FIXED_STARTS,  # robots start on the docks in order, not at random
    RULE_FOUR_LIVES,  # 2005: four life tokens
    RULE_NO_OPTIONS,  # 2005: no option cards
    RULE_RACE_ON,  # community: the race goes on after the first winner
    RULE_NO_UPGRADES,  # community: no upgrade phase
    RULE_FIVE_ENERGY,  # 2023: energy 5 at the start in place of 3
    RULE_ENERGY_UNLIMITED,  # 2023: the energy track has no end
    RULE_GIVEN_COURSE,  # no option: the caller says in `game.course` where the next race is, and none is drawn
    RULE_FIRE_CONTROL_TOKEN,  # 2005: a register is locked by Fire Control with a damage token (R91)
) = (1 << i for i in range(13))
OWN_BITS = 1 << 16  # bits from this one on are free for editions from outside


class Option(NamedTuple):
    """One rule option: its legal values (the default first), which of them set which bit, and what it means."""

    values: tuple[Any, ...]
    bits: dict[Any, int]
    meaning: str


# options that several editions have
TIMER = Option((False, True), {True: RULE_TIMER}, "the caller names the registers that the timer left open (R31)")
TWO_ENDED_LASERS = Option(
    ("once", "both"),
    {"both": RULE_TWO_ENDED_BOTH},
    "a robot nearest to both ends is hit once, or by both ends (R33)",
)
STARTS = Option(
    ("random", "listed"),
    {"listed": RULE_FIXED_STARTS},
    "start spaces drawn by the seed, or taken in order by seat",
)

EDITION_RULES: Part[Mapping[str, Option]] = Part("options")  # the rule options of each edition by name
_KIND_OF: Part[Callable[[Mapping[str, Any]], str]] = Part("kind_of")  # the kind of record for checked values of them


def editions() -> tuple[str, ...]:
    """The names of all editions."""
    return tuple(EDITION_RULES)


def check_edition(edition: Any) -> str:
    """The edition's name, or a RoboRallyError that lists the known ones."""
    name = str(edition)
    if name in EDITION_RULES:
        return name
    raise RoboRallyError(
        f"unknown edition {shown(edition)}{nearest(name, editions())}; expected one of {', '.join(editions())}"
    )


def read_rules(words: Iterable[str]) -> NamedValues:
    """Rule options of words NAME=VALUE, as on the command line: true, false, a number or text. Names are not checked.

    Raises:
        RoboRallyError: for a word that is not of that form.
    """
    found: NamedValues = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not name or not equals:
            raise RoboRallyError(f"--rules: expected NAME=VALUE, such as upgrades=false, got {cut(repr(word))}")
        try:
            found[name] = parse_json(value.lower())
        except RoboRallyError:
            found[name] = value
    return found


def rule_values(edition: str, rules: Mapping[str, Any] | None, where: str = "rules") -> NamedValues:
    """Every rule option of the edition with its value: as given, else its default."""
    known = EDITION_RULES[check_edition(edition)]
    if rules is not None and not isinstance(rules, Mapping):
        raise RoboRallyError(f"{where}: expected an object of rule options, got {shown(rules)}")
    values = {name: option.values[0] for name, option in known.items()}
    for name, value in (rules or {}).items():
        if name not in known:
            raise RoboRallyError(
                f"{where}: unknown option {cut(str(name))!r}{nearest(name, known)}; "
                f"edition {edition} has {', '.join(known)}"
            )
        legal = known[name].values
        if not any(type(value) is type(v) and value == v for v in legal):
            raise RoboRallyError(
                f"{where}.{name}: expected {' or '.join(_shown(v) for v in legal)}, got {_shown(value)} "
                f"({known[name].meaning})"
            )
        values[name] = value
    return values


def game_of(edition: str, values: Mapping[str, Any]) -> str:
    """Which of the games that have records of their own checked rule values are for."""
    return _KIND_OF[edition](values)


def rule_bits(edition: str, values: Mapping[str, Any]) -> int:
    """The RULE_* bits of checked rule values."""
    bits = 0
    for name, value in values.items():
        bits |= EDITION_RULES[edition][name].bits.get(value, 0)
    return bits


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else cut(repr(value))
