"""A stomper damages the robot under it, in its registers."""

from roborally_env.courses.tile_kinds import TileKind

_LINE = 'stroke="$stomper-line" stroke-width="3" stroke-linejoin="round"'
# a press between two columns
_PRESS = (
    f'<g fill="$stomper" {_LINE}><path d="M-44 -44H-30V44H-44ZM30 -44H44V44H30Z"/>'
    '<path d="M-30 -44H30V-32H-30Z"/><path d="M-9 -32H9V-18H-9Z"/></g>'
    '<path d="M-27 -18H27V16H-27Z" fill="$stomper-line"/>'
    f'<path d="M-24 22L-18 32M-8 24L-5 36M8 24L5 36M24 22L18 32" {_LINE} stroke-linecap="round"/>'
)


TILE = TileKind(
    name="stomper",
    token="S{registers}",
    examples=("S24",),
    meaning="stomper and its registers (community)",
    excludes=("pit",),
    dtype="u1",  # bit k: acts in register k + 1
    acts="stompers",
    svg=lambda e: _PRESS,
    over="crusher",
    colors={"stomper": ("#b9bdc6", "#6b7280"), "stomper-line": ("#3a3f49", "#d3d8e2")},
    style="hazard",
)
