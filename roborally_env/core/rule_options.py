"""The rule options of each edition: names, legal values, defaults, and the bits of `game.rules` that they set.

A new option is a bit and a row here, and the rule that looks at the bit.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from roborally_env.base.errors import RoboRallyError, cut, nearest

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

EDITION_RULES: dict[str, dict[str, Option]] = {
    "2016": {
        "upgrades": Option((True, False), {}, "the upgrade phase and its forty cards; without it the lighter game"),
        "advanced": Option((False, True), {True: RULE_ADVANCED}, "unused cards stay in the hand"),
        "timer": TIMER,
        "again_after_damage": Option(
            ("draw", "repeat"),
            {"repeat": RULE_AGAIN_REPEATS},
            "Again after a damage card draws, or repeats the replacement (R25)",
        ),
        "two_ended_lasers": TWO_ENDED_LASERS,
        "starts": STARTS,
    },
    "2005": {
        "options": Option((True, False), {False: RULE_NO_OPTIONS}, "option cards are drawn and dealt"),
        "lives": Option((3, 4), {4: RULE_FOUR_LIVES}, "life tokens; four are for races of five and more robots"),
        "timer": Option(
            (False, True),
            {True: RULE_TIMER},
            "the caller names the registers that the timer left open: of one player only, on courses with program "
            "timers of any player",
        ),
        "two_ended_lasers": TWO_ENDED_LASERS,
        "starts": Option(
            ("random", "listed"),
            {"listed": RULE_FIXED_STARTS},
            "docks 1 to n of n robots drawn by the seed, or taken in order by seat (R88)",
        ),
        "fire_control_token": Option(
            (False, True),
            {True: RULE_FIRE_CONTROL_TOKEN},
            "Fire Control locks a register with a damage token, which repairs and a power down take away (R91)",
        ),
    },
    "community": {
        "upgrades": Option((True, False), {False: RULE_NO_UPGRADES}, "the upgrade phase and its cards"),
        "race_on": Option(
            (False, True),
            {True: RULE_RACE_ON},
            "after the first winner the others race on for second and third place",
        ),
        "timer": TIMER,
        "two_ended_lasers": TWO_ENDED_LASERS,
        "starts": STARTS,
    },
}
EDITION_RULES["2023"] = {
    **{name: option for name, option in EDITION_RULES["2016"].items() if name != "upgrades"},
    "start_energy": Option((3, 5), {5: RULE_FIVE_ENERGY}, "energy on each track at the start"),
    "most_energy": Option(
        (10, "unlimited"),
        {"unlimited": RULE_ENERGY_UNLIMITED},
        "the end of the energy track; energy above it is discarded",
    ),
}
# the kind of record for checked values of the options
_KIND_OF: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "2016": lambda values: "complete" if values["upgrades"] else "lighter",
    "2005": lambda values: "2005",
    "2023": lambda values: "2023",
    "community": lambda values: "community",
}


def add_options(edition: str, options: Mapping[str, Option], kind_of: Callable[[Mapping[str, Any]], str]) -> None:
    """Register the rule options of an edition, and the name of its kind of record for checked values of them."""
    if edition in EDITION_RULES:
        raise RoboRallyError(f"edition {edition!r} has its rule options already")
    EDITION_RULES[edition] = dict(options)
    _KIND_OF[edition] = kind_of


def remove_options(edition: str) -> None:
    """Take back what `add_options` did."""
    del EDITION_RULES[edition], _KIND_OF[edition]


def editions() -> tuple[str, ...]:
    """The names of all editions."""
    return tuple(EDITION_RULES)


def check_edition(edition: Any) -> str:
    """The edition's name, or a RoboRallyError that lists the known ones."""
    name = str(edition)
    if name in EDITION_RULES:
        return name
    raise RoboRallyError(
        f"unknown edition {cut(repr(edition))}{nearest(name, editions())}; expected one of {', '.join(editions())}"
    )


def rule_values(edition: str, rules: Mapping[str, Any] | None, where: str = "rules") -> dict[str, Any]:
    """Every rule option of the edition with its value: as given, else its default."""
    known = EDITION_RULES[check_edition(edition)]
    if rules is not None and not isinstance(rules, Mapping):
        raise RoboRallyError(f"{where}: expected an object of rule options, got {cut(repr(rules))}")
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
