"""Names of generated courses: a slug from which the course can be made again, and a title that people remember."""

from __future__ import annotations

from roborally_env.courses.catalogue import GENERATED
from roborally_env.generated.draws import Draws
from roborally_env.generated.specification import Specification

# fmt: off
_FIRST = (
    "Rusty", "Broken", "Humming", "Greased", "Midnight", "Sparking", "Crooked", "Idle", "Molten", "Rattling",
    "Polished", "Frantic", "Silent", "Copper", "Spinning", "Loose", "Overtime", "Narrow", "Hidden", "Magnetic",
    "Leaking", "Double", "Wobbly", "Blue", "Grinding", "Smoking", "Long", "Short", "Hungry", "Second",
    "Backward", "Oily", "Steep", "Lucky", "Crowded", "Tin",
)
_SECOND = (
    "Shift", "Loop", "Crossing", "Junction", "Gallery", "Yard", "Detour", "Press", "Bypass", "Gauntlet",
    "Shuffle", "Spiral", "Line", "Bend", "Merge", "Drop", "Relay", "Corner", "Bazaar", "Turnstile",
    "Foundry", "Avenue", "Chute", "Maze", "Pocket", "Switchback", "Works", "Terminal", "Fork", "Circuit",
    "Dock", "Boulevard", "Trap", "Ring", "Waltz", "Errand",
)
# fmt: on


def slug_of(spec: Specification) -> str:
    """The text of the specification of one course, which `load_course` reads."""
    return str(spec)


def title_of(spec: Specification) -> str:
    """Two words and the number, as "Rusty Loop 5"."""
    draws = Draws(*(ord(letter) for letter in str(spec).removeprefix(GENERATED)))
    return f"{draws.one(_FIRST)} {draws.one(_SECOND)} {spec.number}"
