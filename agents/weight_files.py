"""Files of weights: arrays as float16 and what is known about them, in one .npz file. Anybody may have made a file, so
headers are looked at before anything is unpacked."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from roborally_env.base.arrays import Header, read_npz
from roborally_env.base.documents import parse_json, read_bytes
from roborally_env.base.errors import AgentError, RoboRallyError, cut
from roborally_env.base.files import write_whole
from roborally_env.base.types import Array, Fields, JsonObject

MOST = 4096  # of a size
_MOST_BYTES = 64 << 20  # of a file, packed and unpacked
_MOST_ABOUT = 1 << 20  # characters
# by name; a word is a size that all arrays of a file share
Shapes = Mapping[str, tuple[int | str, ...]]


def write_arrays(path: str | Path, arrays: Mapping[str, Array], names: Iterable[str], about: Fields) -> None:
    """Write the arrays of these names as float16, with metadata. The file is there as a whole or not at all.

    Raises:
        AgentError: if an array is missing.
        RoboRallyError: if the file cannot be written.
    """
    if missing := sorted(set(names) - set(arrays)):
        raise AgentError(f"weights: arrays are missing: {', '.join(missing)}")
    packed: JsonObject = {name: np.asarray(arrays[name], np.float16) for name in names}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, about=np.array(json.dumps(about, sort_keys=True)), **packed)
    write_whole(Path(path), buffer.getvalue())


def read_arrays(path: str | Path, shapes: Shapes, form: str, expected: str) -> tuple[dict[str, Array], JsonObject]:
    """(arrays, about) of a file of weights; arrays of `shapes` may be missing in it.

    Args:
        path: of the file.
        shapes: of all arrays that it may have.
        form: its `format` in `about`.
        expected: ends the message about a file that has no such weights.

    Raises:
        AgentError: for a file that cannot be read, or is not of this format.
    """
    if not os.path.exists(path):  # unlike Path.exists, for names of any length
        raise AgentError(f"weights {path}: there is no such file")
    try:
        arrays = read_npz(read_bytes(path, _MOST_BYTES), lambda headers: _check_headers(headers, shapes), _MOST_BYTES)
        about = parse_json(str(arrays.pop("about")))
    except RoboRallyError as error:
        raise AgentError(f"weights {path}: {error}; {expected}") from None
    if not isinstance(about, dict) or about.get("format") != form:
        raise AgentError(f"weights {path}: {expected}")
    return arrays, about


def check_complete(path: str | Path, arrays: Mapping[str, Array], names: Iterable[str]) -> None:
    """Raise an AgentError if a file lacks one of these arrays."""
    if missing := sorted(set(names) - set(arrays)):
        raise AgentError(f"weights {path}: made by another version (no {', '.join(missing)}); train again")


def check_finite(path: str | Path, arrays: Iterable[Array]) -> None:
    """Raise an AgentError if a file's arrays hold numbers that are not finite."""
    if not all(bool(np.isfinite(array).all()) for array in arrays):
        raise AgentError(f"weights {path}: holds numbers that are not finite")


def _check_headers(headers: Mapping[str, Header], shapes: Shapes) -> None:
    """Raise an AgentError for arrays that no file of weights has."""
    sizes: dict[str, int] = {}
    for name, (shape, dtype) in headers.items():
        if name == "about":
            if shape or dtype.kind != "U" or dtype.itemsize > 4 * _MOST_ABOUT:
                raise AgentError("`about` is not text")
            continue
        if name not in shapes:
            raise AgentError(f"an array {cut(name)!r}, which weights do not have")
        if dtype.kind != "f" or dtype.itemsize > 8:
            raise AgentError(f"{name} is of {dtype}, expected floating-point numbers")
        _check_shape(name, shape, shapes[name], sizes)
    if "about" not in headers:
        raise AgentError("no `about`")


def _check_shape(name: str, shape: tuple[int, ...], expected: tuple[int | str, ...], sizes: dict[str, int]) -> None:
    """Raise an AgentError for a shape that does not go with those before it, whose sizes are in `sizes` by word."""
    if len(shape) != len(expected):
        raise AgentError(f"{name} has {len(shape)} dimensions, expected {len(expected)}")
    sized = zip(expected, shape, strict=True)
    wanted = tuple(sizes.setdefault(n, size) if isinstance(n, str) else n for n, size in sized)
    if shape != wanted:
        raise AgentError(f"{name} has the shape {shape}, expected {wanted}")
    if max(shape) > MOST or min(shape) < 1:
        raise AgentError(f"{name} has the shape {shape}, expected sizes from 1 to {MOST}")
