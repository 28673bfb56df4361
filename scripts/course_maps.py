"""Write the maps of the shipped courses, `courses/maps.json` and `courses/maps.npz`.

    python scripts/course_maps.py

Run it after an edit of a shipped course, or of a rule that moves a robot which is alone on a course; a test says so.
Until then maps are made when a race begins, which with an empty cache takes ten more seconds of compiling.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from roborally_env.core.searching import shipped_maps
from roborally_env.core.searching.distances import (
    SHIPPED,
    CourseMaps,
    code_of_maps,
    states_of,
    states_of_ramps,
    with_ramps,
)
from roborally_env.core.state import KINDS, game_dtype, kind_of
from roborally_env.courses.catalogue import list_courses
from roborally_env.courses.reader import SHIPPED as FOLDER
from roborally_env.courses.tables import MOST_RAMP_STATES, tables_of


def made_now(kind: str) -> dict[str, NDArray[Any]]:
    """The packed maps of all courses of a kind's edition, with each state of their ramps, by name of their tables."""
    found = {}
    for course in list_courses(kind_of(kind).edition):
        first = tables_of(course)
        on = states_of_ramps(first[0])
        for tables in (first, *(with_ramps(first, ramps) for ramps in (on[1:] if len(on) <= MOST_RAMP_STATES else []))):
            maps = CourseMaps(tables, game_dtype(kind))
            found[shipped_maps.name_of_tables(tables)] = shipped_maps.packed(maps.as_made(), states_of(tables))
    return found


def main() -> None:
    """The command."""
    codes, maps = set(), {}
    for kind in KINDS:
        game_dtype(kind)  # loads its rules
    for kind in sorted(SHIPPED):
        codes.add(code_of_maps(game_dtype(kind)))
        maps[kind_of(kind).edition] = made_now(kind)  # the same for all kinds of an edition: see `has_maps_like`
    shipped_maps.save(Path(FOLDER), codes, maps)
    sizes = ", ".join(f"{edition}: {len(named)}" for edition, named in sorted(maps.items()))
    print(f"{FOLDER / shipped_maps.ARRAYS}: {(FOLDER / shipped_maps.ARRAYS).stat().st_size >> 10} KiB, {sizes}")


if __name__ == "__main__":
    main()
