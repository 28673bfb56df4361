"""How many tiles of each kind a made board gets: as its specification asks for, else as on printed boards."""

from __future__ import annotations

from dataclasses import dataclass

from roborally_env.courses.model import MAX_ENERGY_SPACES, MAX_LASERS
from roborally_env.generated.draws import Draws
from roborally_env.generated.specification import Specification
from roborally_env.generated.style import STYLES

_BOARDS = 4  # that a course has at most, beside its start board
# kind -> how its share goes with the band, in tenths for bands 1 to 5
_STEEPER = {
    "pits": (3, 6, 9, 11, 13),
    "lasers": (4, 7, 10, 12, 14),
    "hazards": (4, 7, 10, 12, 14),
    "pushers": (5, 8, 10, 12, 14),
    "walls": (12, 11, 10, 9, 8),
}
_DRAWN_AGAIN = 20  # how often, at most, where there would be too many pits
_MACHINES = ("gears", "pushers", "lasers")
_IN_IMAGES = (*_MACHINES, "pits", "energy")
_MISSING = 3  # of ten boards lack a kind whose least share is 0


@dataclass(frozen=True, slots=True)
class Targets:
    """The numbers of tiles; walls: of edges between cells. asked: the kinds whose share was given."""

    count: dict[str, int]
    asked: frozenset[str]

    def __getitem__(self, kind: str) -> int:
        return self.count.get(kind, 0)

    def in_images(self, images: int, draws: Draws) -> Targets:
        """The numbers of a board that looks the same after some turns, `images` of each tile: those that were not asked
        for are multiples, and of gears, pushers and lasers one kind has most."""
        count = dict(self.count)
        kinds = [kind for kind in _MACHINES if count.get(kind) and kind not in self.asked]
        if len(kinds) > 1:
            first = draws.one(kinds)
            for kind in kinds:
                count[kind] = count[kind] * (5 if kind == first else 3) // 4
        for kind in _IN_IMAGES:
            if count.get(kind) and kind not in self.asked:
                count[kind] = max(1, (count[kind] + images // 2) // images) * images
        return Targets(count, self.asked)

    def walls_for(self, kind: str) -> int:
        """How many walls may stand when the machines of a kind, which need some, are put."""
        if "walls" in self.asked and kind not in self.asked:
            return self["walls"]
        return self["walls"] + self["pushers"] + 2 * self["lasers"]


def draw_targets(
    home: str, width: int, height: int, specification: Specification, draws: Draws, band: int | None, pits: int
) -> Targets:
    """The numbers for one board of `width` x `height` cells, at most `pits` pits if their share was not given."""
    shares = STYLES[home].shares
    cells, edges = width * height, 2 * width * height - width - height
    given = {kind: getattr(specification, kind) for kind in shares}
    asked = frozenset(kind for kind, share in given.items() if share is not None)
    count = {}
    for kind, limits in shares.items():
        share = given[kind] if kind in asked else _drawn(kind, limits, draws, band)
        count[kind] = round(share * (edges if kind == "walls" else cells))
    for _ in range(_DRAWN_AGAIN):
        if "pits" in asked or count.get("pits", 0) <= pits:
            break
        count["pits"] = round(_drawn("pits", shares["pits"], draws, band) * cells)
    if "pits" not in asked:
        count["pits"] = min(count.get("pits", 0), pits)
    count["energy"] = min(count.get("energy", 0), MAX_ENERGY_SPACES // _BOARDS - 1)  # the start board has some
    count["lasers"] = min(count.get("lasers", 0), MAX_LASERS // _BOARDS)
    if "walls" in asked and not count["walls"]:  # lasers and pushers stand at walls
        count.update({kind: 0 for kind in ("lasers", "pushers") if kind not in asked})
    return Targets(count, asked)


def _drawn(kind: str, limits: tuple[int, int], draws: Draws, band: int | None) -> float:
    low, high = limits
    share = draws.between(low, high)
    missing = low == 0 and draws.below(10) < _MISSING
    steep = _STEEPER[kind][band - 1] if band and kind in _STEEPER else 10
    return 0.0 if missing else share * steep / 10_000
