"""An energy space; the course lists the cubes."""

from collections.abc import Iterable, Sequence

from roborally_env.courses.model import Element
from roborally_env.courses.pictures import Entry, Letters
from roborally_env.courses.scene import Scene
from roborally_env.courses.tile_kinds import TileKind


def _legend(spaces: Sequence[Element], scene: Scene) -> Iterable[Entry]:
    if scene.cubes:
        yield Entry("◆", "energy", "energy cube")
    if any((e.x, e.y) not in scene.cubes for e in spaces):
        yield Entry("◇", "energy", "energy space, no cube")


TILE = TileKind(
    name="energy",
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
    text=lambda e, scene: [Letters("◆" if (e.x, e.y) in scene.cubes else "◇", "energy")],
    legend=_legend,
)
