"""A crusher: in the box, but on no board of these editions."""

from roborally_env.courses.tile_kinds import TileKind

_JAW = (
    '<path d="M-46 -46H46V-28L34.5 -16 23 -28 11.5 -16 0 -28 -11.5 -16 -23 -28 -34.5 -16 -46 -28Z" '
    'fill="$crusher" stroke="$teeth" stroke-width="3" stroke-linejoin="round"/>'
)


TILE = TileKind(
    name="crusher",
    token="C{registers}",
    examples=("C24",),
    meaning="crusher and its registers (in none of these editions)",
    svg=lambda e: _JAW + f'<g transform="rotate(180)">{_JAW}</g>',
    over="panel",
    colors={"crusher": ("#6c7079", "#868d99"), "teeth": ("#3a3d44", "#c6cbd4")},
    style="panel",
)
