"""Titles of generated courses, after what lies on them."""

from __future__ import annotations

from collections import Counter

from roborally_env.courses.catalogue import GENERATED
from roborally_env.courses.model import STEP, Course, Element
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
# kind of tile -> how many in a thousand cells are remarkable, words for a course that has them
_TILES: dict[str, tuple[int, tuple[str, ...]]] = {
    "pit": (35, ("Hollow", "Abyss", "Plunge", "Sinkhole", "Bottomless", "Undercut")),
    "laser": (25, ("Crossfire", "Searing", "Scorched", "Searchlight", "Red Light", "Glowing")),
    "gear": (20, ("Clockwork", "Grinding", "Cogwheel", "Geared", "Ratchet", "Turning")),
    "panel": (20, ("Hammered", "Piston", "Shoving", "Jostling", "Punch-Card", "Nudging")),
    "level": (60, ("Terraced", "Steep", "Mezzanine", "Hillside", "Balcony", "High")),
    "puddle": (12, ("Flooded", "Slippery", "Dripping", "Oily")),
    "radiation": (12, ("Humming", "Fallout", "Geiger", "Yellow")),
    "stomper": (12, ("Stamping", "Hydraulic", "Pounding", "Anvil")),
    "trapdoor": (12, ("Trapdoor", "Creaking", "Two-Faced", "Loose")),
    "one_way": (10, ("Turnstile", "One-Way", "Valved")),
    "fast": (120, ("Express", "Rushing", "Blue", "Quick", "Overnight", "Runaway")),
    "wall": (200, ("Narrow", "Walled", "Cornered", "Tight")),
    "belt": (400, ("Rolling", "Crowded", "Rush-Hour", "Busy")),
}
_PLAIN = ("Open", "Bare", "Quiet", "Idle", "Spare", "Early")
_RINGS = ("Carousel", "Ring", "Loop", "Circuit", "Roundabout", "Waltz", "Orbit")
_MEETINGS = ("Junction", "Merge", "Delta", "Confluence", "Interchange", "Fork")
_STREAMS = ("Line", "Stream", "Avenue", "Chute", "Canal", "Drift", "Relay")
_BARE = ("Yard", "Court", "Hall", "Terminal", "Dock", "Works")
# fmt: on


def title_of(spec: Specification, course: Course) -> str:
    """Two words for what a course has more of than others, as "Clockwork Carousel"; in version 1 of the generator two
    words of no meaning and the number, as "Rusty Loop 5"."""
    draws = Draws(*(ord(letter) for letter in _without_version(spec).removeprefix(GENERATED)))
    if spec.version == 1:
        return f"{draws.one(_FIRST)} {draws.one(_SECOND)} {spec.number}"
    return f"{draws.one(_adjectives(course))} {draws.one(_nouns(course))}"


def _without_version(spec: Specification) -> str:
    return str(spec).replace(",version=1", "").replace(":version=1", "")


def _adjectives(course: Course) -> tuple[str, ...]:
    """Words for the kind of tile of which there is most, by what is remarkable."""
    count = Counter(e.kind for e in course.elements)
    count["fast"] = sum(e.kind == "belt" and e.speed > 1 for e in course.elements)
    cells = sum(board >= 0 for row in course.board_at for board in row)
    shares = {kind: 1000 * count[kind] / (least * cells) for kind, (least, _) in _TILES.items()}
    most = max(shares, key=shares.__getitem__)
    return _TILES[most][1] if shares[most] >= 1 else _PLAIN


def _nouns(course: Course) -> tuple[str, ...]:
    """Words for what its belts do: go round, flow together, run, or hardly anything."""
    belts = {(e.x, e.y): e for e in course.elements if e.kind == "belt"}
    if len(belts) < 12:
        return _BARE
    if _goes_round(belts):
        return _RINGS
    fed = Counter(_ahead(e) for e in belts.values())
    meetings = sum(fed[cell] > 1 for cell in belts)
    return _MEETINGS if meetings * 25 > len(belts) else _STREAMS


def _goes_round(belts: dict[tuple[int, int], Element]) -> bool:
    """Whether some belts lead back to themselves."""
    seen: set[tuple[int, int]] = set()
    for first in belts:
        path: set[tuple[int, int]] = set()
        cell = first
        while cell in belts and cell not in seen:
            seen.add(cell)
            path.add(cell)
            cell = _ahead(belts[cell])
        if cell in path:
            return True
    return False


def _ahead(belt: Element) -> tuple[int, int]:
    return belt.x + STEP[belt.out][0], belt.y + STEP[belt.out][1]
