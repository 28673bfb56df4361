"""A seat's observation: the symbolic vector, the planes around the robot, the masks.

All places are relative to the own robot, which faces up. Each edition has its own writers. The tables in its `parts.py`
and in `planes.py` here are the source of the writers, the spaces and the docs.
"""

from roborally_env.core.rule import rule
from roborally_env.core.seeing.parts import bounds_of, count_columns, layout, layout_of, parts_of, symbolic_size
from roborally_env.core.seeing.planes import (
    DEPTH,
    MIDDLE,
    PLANES,
    WINDOW,
    draw_static,
    draw_static_community,
    draw_tiles,
    most_on_planes,
    observe_planes,
    planes_of,
)

__all__ = [
    "DEPTH",
    "MIDDLE",
    "PLANES",
    "WINDOW",
    "bounds_of",
    "count_columns",
    "draw_static",
    "draw_static_community",
    "draw_tiles",
    "layout",
    "layout_of",
    "most_on_planes",
    "observe_planes",
    "observe_symbolic",
    "parts_of",
    "planes_of",
    "symbolic_size",
]


@rule(required=True)
def observe_symbolic(course, distance, game, g, counts, ranks, only, out):
    """Write the symbolic vector of every seat of game g, or of seat `only`: `out` [B, P, size].

    `counts` [B, P, 3, count_columns] and `ranks` [B, P, 2] are scratch.
    """
