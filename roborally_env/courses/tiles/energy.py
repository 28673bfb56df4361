"""An energy space; the course lists the cubes."""

from roborally_env.courses.tile_kinds import TileKind

TILE = TileKind(
    name="energy",
    editions=("2016", "2023", "community"),
    title="energy space",
    token="e",
    examples=("e",),
    meaning="energy space (not in edition 2005)",
    svg=lambda e: (  # a pad with a bolt; the cube is drawn apart
        '<circle r="35" fill="$energy" stroke="$energy-line" stroke-width="4"/>'
        '<path d="M6 -24L-14 4H-2L-6 24 14 -5H2Z" fill="$energy-line"/>'
    ),
    over="repair",
    colors={"energy": ("#cfead2", "#2f4a36"), "energy-line": ("#4c9a5b", "#63b877")},
)
