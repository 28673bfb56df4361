"""`CourseStyle`: what the generated courses of an edition are like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from roborally_env.base.registry import Part
from roborally_env.courses.model import Edition

# kinds of tiles whose density can be given -> the kinds of tiles that boards with them have
DENSITIES = {
    "belts": ("belt",),
    "gears": ("gear",),
    "pushers": ("panel",),
    "lasers": ("laser",),
    "walls": ("wall",),
    "pits": ("pit",),
    "energy": ("energy",),
    "repairs": ("repair",),
    "heights": ("level", "ramp", "button"),
    "one_ways": ("one_way",),
    "hazards": ("puddle", "radiation", "stomper", "trapdoor"),
}
_USUAL = {
    "belts": (200, 520), "gears": (0, 60), "pushers": (0, 80), "lasers": (0, 80), "walls": (10, 90), "pits": (0, 90),
    "energy": (40, 70), "repairs": (10, 25), "heights": (0, 520), "one_ways": (0, 30), "hazards": (15, 110),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class CourseStyle:
    """What the generated courses of an edition are like. The defaults serve an edition without printed boards.

    Attributes:
        shares: density -> least and most share of the cells, in thousandths (walls: of the edges between cells); most
            boards lack a kind whose least share is 0. Kinds that it does not list cannot be given.
        tiles: the same for kinds of tiles of the edition's own.
        sizes: columns and rows of made boards, and their weights.
        checkpoints: least and most checkpoints by difficulty.
        rounds: a, b, c by which `difficulty.rounds_of` predicts the length of a race.
        moving: the fraction of courses whose belts carry checkpoints, where a course may choose; None: none may.
        fair: the start spaces of a fair course differ in their distance by at most this many quarter registers.
        best_share: a robot on the best start space of a fair course wins at most this multiple of its share; None: it
            is not computed.
        symmetries: weights of boards that look alike after no turn, a half turn, any quarter turn.
        rim: columns and rows of the walls at the rim of each board.
        first_belts: weights of the first motif: a ring in the middle, an arm, a stream, a crossing, another ring, a
            spiral.
        registers: those in which pushers may push.
        lasers_on_belts: whether emitters stand on belts too.
        start_length: cells of the side at which a made start board joins the others.
        printed: the edition whose printed boards are used; empty: none, so all boards are made.
        starts: its printed start boards: name -> antenna, facing of the robots, cells for a reboot token.
        two_sided: whether boards whose names differ in the last letter are two sides of one sheet.
        apart: boards that are made for one course and lie beside no others.
    """

    shares: Mapping[str, tuple[int, int]]
    tiles: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    sizes: tuple[tuple[tuple[int, int], ...], tuple[int, ...]] = (
        ((10, 10), (12, 12), (8, 8), (12, 8), (8, 12)),
        (12, 1, 1, 1, 1),
    )
    checkpoints: Mapping[int, tuple[int, int]] = field(
        default_factory=lambda: {1: (1, 3), 2: (2, 5), 3: (2, 7), 4: (3, 8), 5: (5, 8)}
    )
    rounds: tuple[float, float, float] = (0.354, 0.981, 0.289)
    moving: float | None = None
    fair: int = 4
    best_share: float | None = None
    symmetries: tuple[int, int, int] = (3, 6, 4)
    rim: tuple[int, ...] = ()
    first_belts: tuple[int, ...] = (5, 3, 5, 2, 2, 3)
    registers: tuple[tuple[int, ...], ...] = ((1, 3, 5), (2, 4))
    lasers_on_belts: bool = False
    start_length: int = 10
    printed: str = ""
    starts: Mapping[str, tuple[tuple[int, int] | None, int, tuple[tuple[int, int], ...]]] = field(default_factory=dict)
    two_sided: bool = False
    apart: frozenset[str] = frozenset()


STYLES: Part[CourseStyle] = Part("generated")  # of the editions with boards of their own


def usual_style(courses: Edition) -> CourseStyle:
    """The style of an edition that says nothing about generated courses: the tiles that its boards may have."""
    return CourseStyle(shares={name: _USUAL[name] for name, kinds in DENSITIES.items() if courses.kinds >= set(kinds)})
