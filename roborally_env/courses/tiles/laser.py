"""A laser emitter with one to three beams; of a two-ended laser, one end."""

import re
from collections.abc import Iterable, Sequence

from roborally_env.base.types import JsonObject
from roborally_env.courses.glyphs import number
from roborally_env.courses.model import ARROWS, STEP, E, Element
from roborally_env.courses.pictures import BAR_LINE, HALF, POINTERS, WIDE, Entry, Letters, at, middle
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.tile_tokens import Around, Token
from roborally_env.courses.values import ElementKey, direction, flag, integer

_BEAM, _BEAM_GAP = 4, 12
_NOZZLE = 18  # from the middle of the cell to the end of an emitter, from which its beam comes


def _read(match: re.Match[str]) -> JsonObject:
    beams = match["beams"]
    return {"fires": ARROWS.index(match["fires"]), "beams": len(beams), "two_ended": beams[0] == "T"}


def _write(laser: Element, _: Around) -> str:
    return ("T" if laser.two_ended else "L") * laser.beams + ARROWS[laser.fires]


def _picture(laser: Element, scene: Scene) -> str:
    """The emitter, on the side opposite to its direction, with one nozzle for each beam."""
    nozzles = "".join(f"M{x - 4} 27V{_NOZZLE}H{x + 4}V27Z" for x in _lines(laser.beams))
    wide = max(18, 9 + _BEAM_GAP * (laser.beams - 1) // 2 + 6)
    drawn = (
        f'<path d="{nozzles}" fill="$laser-line"/><path d="M{-wide} 44V33L{8 - wide} 25H{wide - 8}L{wide} 33'
        f'V44Z" fill="$laser" stroke="$laser-line" stroke-width="3" stroke-linejoin="round"/>'
    )
    return at(laser.x, laser.y, drawn, laser.fires)


def beam(laser: Element, scene: Scene) -> str:
    """The beams, side by side, as far as they go."""
    dx, dy = STEP[laser.fires]
    (x0, y0), (x1, y1) = middle(laser.x, laser.y), middle(*(last := scene.beam_cells(laser)[-1]))
    end = 0 if last in scene.blocked else HALF - (BAR_LINE / 2 if (*last, laser.fires) in scene.walls else 0)
    lines = "".join(
        f"M{number(x0 - dx * _NOZZLE - dy * aside)} {number(y0 - dy * _NOZZLE + dx * aside)}"
        f"L{number(x1 + dx * end - dy * aside)} {number(y1 + dy * end + dx * aside)}"
        for aside in _lines(laser.beams)
    )
    return f'<path d="{lines}" stroke="$beam" stroke-width="{_BEAM}" opacity=".75"/>'


def _lines(beams: int) -> list[float]:
    """The offset of each beam from the middle."""
    return [_BEAM_GAP * (i - (beams - 1) / 2) for i in range(beams)]


def _text(laser: Element, scene: Scene) -> Iterable[Letters]:
    text = ("T" if laser.two_ended else "L") * laser.beams + POINTERS[laser.fires]
    yield Letters(text, "laser", 1, 0 if laser.fires == E else WIDE - len(text))


def _legend(lasers: Sequence[Element], scene: Scene) -> Iterable[Entry]:
    two_ended = {laser.two_ended for laser in lasers}
    if False in two_ended:
        yield Entry("L→╌", "laser", "laser, one letter per beam")
    if True in two_ended:
        yield Entry("T→╌", "laser", "end of a two-ended laser")


TILE = TileKind(
    name="laser",
    token=Token(re.compile("(?P<beams>L{1,3}|T{1,3})(?P<fires>[>v<^])"), _read, _write),
    examples=("L>", "LLv", "T>"),
    meaning="laser that fires that way from this cell, one letter a beam; with `T` it is one end of a two-ended laser, "
    "whose other end faces it",
    keys=(
        ElementKey("fires", "fires", direction),
        ElementKey("beams", "beams", integer(1, 3)),
        ElementKey("two_ended", "two_ended", flag, required=False),
    ),
    repeats=True,
    picture=_picture,
    over="wall",
    colors={"laser": ("#8f2a2a", "#b23a3a"), "laser-line": ("#4a1212", "#f3b0b0"), "beam": ("#e23b3b", "#ff5c5c")},
    text=_text,
    legend=_legend,
)
