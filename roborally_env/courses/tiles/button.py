"""A button switches the ramps of its letters."""

import re
from collections.abc import Iterable, Sequence

from roborally_env.courses.model import Element
from roborally_env.courses.pictures import WIDE, Entry, Letters, at, link_letters, middle
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind
from roborally_env.courses.tile_tokens import Token
from roborally_env.courses.values import ElementKey, cells

_KNOB = (  # round, on a plate
    '<rect x="-36" y="-36" width="72" height="72" rx="14" fill="$stomper" '
    'stroke="$stomper-line" stroke-width="3"/><circle r="27" fill="$button-line"/>'
    '<circle cy="-4" r="24" fill="$button" stroke="$button-line" stroke-width="3"/>'
    '<path d="M-13 -15A19 19 0 0 1 13 -15" fill="none" stroke="#fff" stroke-opacity=".6" stroke-width="4" '
    'stroke-linecap="round"/>'
)


def _picture(button: Element, scene: Scene) -> str:
    """The button with the letters of its ramps."""
    x, y = middle(button.x, button.y)
    return at(button.x, button.y, _KNOB) + link_letters(scene.labels[button.x, button.y, "button"], x, y + 1)


def _links(buttons: Sequence[Element], scene: Scene) -> str:
    """A thin line from each button to each of its ramps."""
    lines = []
    for e in buttons:
        for cell in e.ramps:
            (x0, y0), (x1, y1) = middle(e.x, e.y), middle(*cell)
            lines.append(f"M{x0} {y0}L{x1} {y1}")
    style = 'stroke="$link" stroke-width="4" stroke-dasharray="2 10" stroke-linecap="round" opacity=".8"'
    return f'<path class="rr-links" d="{"".join(lines)}" {style}/>' if lines else ""


def _text(button: Element, scene: Scene) -> Iterable[Letters]:
    letters = scene.labels[button.x, button.y, "button"]
    yield Letters(f"◉{letters if len(letters) < WIDE else letters[: WIDE - 2] + '…'}", "button")


TILE = TileKind(
    name="button",
    token=Token(re.compile("B(?P<label>([a-z][0-9]*)+)"), lambda match: {}, lambda e, around: f"B{around.label}"),
    examples=("Ba", "Bab"),
    meaning="button that switches the ramps with its letter, or letters (community)",
    keys=(ElementKey("ramps", "ramps", cells),),
    excludes=("pit",),
    picture=_picture,
    under=_links,
    over="stomper",
    colors={
        "button": ("#d64541", "#e8625d"),
        "button-line": ("#5f1512", "#2c0908"),
        "link": ("#8e3aa8", "#d79bea"),  # to its ramps
        "link-ink": ("#ffffff", "#2a0a34"),
    },
    text=_text,
    legend=lambda buttons, scene: [Entry("◉a", "button", "button of the ramps a")],
)
