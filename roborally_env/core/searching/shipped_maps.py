"""Maps of the shipped courses, made beforehand: a first race does not wait until the code that makes maps is compiled.

`maps.npz` beside the course files has them, `maps.json` says which maps are whose. They are used only while the code
is the same that made them; else maps are made as those of any other course. `scripts/course_maps.py` writes the files.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.arrays import read_npz
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.courses.reader import SHIPPED

FORMAT = 1
INDEX, ARRAYS = "maps.json", "maps.npz"
MOST = 32 << 20  # bytes of all arrays


class Moves(NamedTuple):
    """What is kept of the maps of a course with n states, of which r registers differ.

    solo: i2 [r, n, 8], see `Maps`, of the states alone.
    tracks: i2 [places]: the cells of each checkpoint in turn, one after the other.
    ends: i8 [checkpoints, 2], the length of each track and the place to which it loops back.
    distance: u2 [places, n].
    """

    solo: NDArray[Any]
    tracks: NDArray[Any]
    ends: NDArray[Any]
    distance: NDArray[Any]


def packed(moves: Moves, states: NDArray[Any]) -> NDArray[Any]:
    """One array i2 of all of them; moves as how far they lead, which repeats, and so takes little space."""
    end = np.where(moves.solo < 0, ~moves.solo, moves.solo).astype(np.int64)
    solo = 2 * (end - states[:, None]) + (moves.solo < 0)
    parts = (solo, moves.ends, moves.tracks, moves.distance.view(np.int16))
    return np.concatenate([np.ravel(part).astype(np.int16) for part in parts])


def unpacked(array: NDArray[Any], states: NDArray[Any], registers: int, actions: int, checkpoints: int) -> Moves:
    """What `packed` made one array of; ValueError for another size."""
    sizes = [registers * len(states) * actions, checkpoints * 2]
    solo, ends, rest = np.split(array, np.cumsum(sizes))
    ends = ends.reshape(checkpoints, 2).astype(np.int64)
    tracks, distance = np.split(rest, [int(ends[:, 0].sum())])
    steps = solo.reshape(registers, len(states), actions)
    end = states[:, None] + (steps >> 1)
    whole = np.where(steps & 1, ~end, end).astype(np.int16)
    return Moves(whole, tracks, ends, distance.view(np.uint16).reshape(len(tracks), len(states)))


def name_of_tables(tables: NDArray[Any]) -> str:
    """The name of a course in the index, by its tables [1]."""
    return hashlib.sha256(tables.tobytes()).hexdigest()[:24]


def find(edition: str, code: str, tables: NDArray[Any]) -> NDArray[Any] | None:
    """The packed maps of a course, if it is shipped and code with this hash made them."""
    index = _index()
    if code not in index.get("code", ()):
        return None
    name = index["maps"].get(edition, {}).get(name_of_tables(tables))
    return None if name is None else _arrays().get(name)


def save(folder: Path, codes: set[str], maps: dict[str, dict[str, NDArray[Any]]]) -> None:
    """Write both files.

    Args:
        folder: where.
        codes: the hashes of the code that made them, for all kinds of records.
        maps: by edition and `name_of_tables`, packed.
    """
    arrays: dict[str, NDArray[Any]] = {}
    index: dict[str, dict[str, str]] = {}
    for edition, named in maps.items():
        index[edition] = {}
        for name, array in named.items():
            index[edition][name] = hashlib.sha256(array.tobytes()).hexdigest()[:24]
            arrays[index[edition][name]] = array  # editions with the same maps share them
    text = json.dumps({"format": FORMAT, "code": sorted(codes), "maps": index}, indent=1, sort_keys=True)
    np.savez_compressed(folder / ARRAYS, allow_pickle=False, **dict(sorted(arrays.items())))
    write_whole(folder / INDEX, text + "\n")
    forget()


def forget() -> None:
    """Read the files again when they are next needed."""
    _index.cache_clear()
    _arrays.cache_clear()


@cache
def _index() -> dict[str, Any]:
    """The index, or {} where there is none that can be read."""
    try:
        found: dict[str, Any] = json.loads((SHIPPED / INDEX).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if found.get("format") == FORMAT else {}


@cache
def _arrays() -> dict[str, NDArray[Any]]:
    """The packed maps by name; none where they cannot be read."""
    try:
        return read_npz((SHIPPED / ARRAYS).read_bytes(), lambda headers: None, MOST)
    except (OSError, RoboRallyError):
        return {}
