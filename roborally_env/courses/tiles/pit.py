"""A pit: a robot on it falls."""

from roborally_env.courses.model import STEP, Element
from roborally_env.courses.pictures import CELL, WIDE, Entry, Letters
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind


def _picture(pit: Element, scene: Scene) -> str:
    """A hole with a rim; pits side by side are one hole."""
    open_to = [(pit.x + dx, pit.y + dy) in scene.pits for dx, dy in STEP]
    top, right, bottom, left = (0 if beside else 12 for beside in open_to)
    x, y = pit.x * CELL, pit.y * CELL
    rims = ("h100", "m100 0v100", "m0 100h100", "v100")
    rim = "".join(f"M{x} {y}{line}" for line, beside in zip(rims, open_to, strict=True) if not beside)
    deep = f"M{x + left} {y + top}H{x + CELL - right}V{y + CELL - bottom}H{x + left}Z"
    return (
        f'<path d="M{x} {y}h100v100h-100Z" fill="$pit"/><path d="{deep}" fill="$pit-deep"/>'
        f'<path d="{rim}" stroke="$pit-rim" stroke-width="4" stroke-linecap="square"/>'
    )


TILE = TileKind(
    name="pit",
    token="O",
    examples=("O",),
    meaning="pit",
    excludes=("belt", "gear", "panel", "crusher", "repair", "energy", "dock"),
    fills=("carrier", "ramp"),
    no_antenna="a pit",
    picture=_picture,
    over="ramp",
    colors={"pit": ("#44484f", "#15171b"), "pit-deep": ("#17181b", "#000000"), "pit-rim": ("#23262b", "#59606b")},
    text=lambda pit, scene: [Letters("▒" * WIDE, "pit", row, 0) for row in (0, 1)],
    legend=lambda pits, scene: [Entry("▒▒▒", "pit", "pit")],
)
