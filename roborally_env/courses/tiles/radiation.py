"""Radiation damages the robots on it at the end of a round."""

from roborally_env.courses.tile_kinds import TileKind

_BLADE = '<path d="M0 -8L0 -8M-13 -30.5A33 33 0 0 1 13 -30.5L5.2 -13A14 14 0 0 0 -5.2 -13Z"/>'
_TREFOIL = (
    '<circle r="40" fill="$radiation" stroke="$radiation-line" stroke-width="4"/>'
    '<g fill="$radiation-line" stroke="$radiation-line" stroke-width="3" stroke-linejoin="round">'
    f'{"".join(f"""<g transform="rotate({turn})">{_BLADE}</g>""" for turn in (60, 180, 300))}<circle r="6"/></g>'
)


TILE = TileKind(
    name="radiation",
    title="radiation space",
    token="*",
    examples=("*",),
    meaning="radiation (community)",
    excludes=("pit",),
    dtype="u1",
    has=("cleanup",),
    svg=lambda e: _TREFOIL,
    over="puddle",
    colors={"radiation": ("#f2e13c", "#d9c92f"), "radiation-line": ("#33300a", "#1c1a04")},
    style="hazard",
    mark=lambda e: "**",
    plane="spot",
    shown=lambda e, facing: 8,
)
