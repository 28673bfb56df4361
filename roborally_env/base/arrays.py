"""Arrays that have been unpickled, and arrays from files of NumPy (.npz)."""

from __future__ import annotations

import copy
import io
import math
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from typing import IO, NamedTuple, Self

import numpy as np

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Array, DType, Json, NamedValues


def writable(value: Json) -> Json:
    """The array, copied if it is read-only; a list, tuple or dict with each entry treated likewise."""
    if isinstance(value, np.ndarray):
        return value if value.flags.writeable else value.copy()
    if isinstance(value, dict):
        return {key: writable(each) for key, each in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(writable, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(writable, value))
    return value


class PicklableArrays:
    """Base of classes that write to their arrays, also after unpickling.

    Object stores return the arrays of a pickle (protocol 5, with buffers) read-only. Such arrays are copied. A copy is
    independent, a shallow one too: two envs with one batch would play each other's races.
    """

    def __copy__(self) -> Self:
        return copy.deepcopy(self)

    def __setstate__(self, state: NamedValues) -> None:
        self.__dict__.update({name: writable(value) for name, value in state.items()})


class Header(NamedTuple):
    """What the header of an array in a file says."""

    shape: tuple[int, ...]
    dtype: DType


_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_MOST_OF_HEADER = 4096  # bytes
_MEMBER = b"PK\x01\x02"  # begins what an archive's list says of each of its files
MOST_ARRAYS = 1000  # of a file
# what reading a damaged archive raises
_DAMAGE = (OSError, EOFError, ValueError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error, struct.error)


def read_npz(content: bytes, check: Callable[[Mapping[str, Header]], None], most: int) -> dict[str, Array]:
    """The arrays of an .npz file by name. Nothing is unpacked before all headers have been looked at.

    Args:
        content: of the file.
        check: is called with the headers by name, and raises a RoboRallyError for names, shapes or dtypes that are not
            expected.
        most: bytes that the arrays may have together.

    Raises:
        RoboRallyError: for a damaged file, one of Python objects or of more than `most` bytes; and what `check` raises.
    """
    if content.count(_MEMBER) > MOST_ARRAYS:  # the list of a million takes seconds to read
        raise RoboRallyError(f"damaged: more than {MOST_ARRAYS} arrays")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > most:
                raise RoboRallyError(f"too large: expected at most {most >> 10:,} kB of arrays")
            entries = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
            if len(entries) < len(archive.infolist()):
                raise RoboRallyError("damaged: a name occurs twice")
            headers: dict[str, Header] = {}
            for name, entry in entries.items():
                with archive.open(entry) as file:
                    headers[name] = _header(file, entry.file_size)[0]
            check(headers)
            return {name: _array(archive, entry) for name, entry in entries.items()}
    except RoboRallyError:
        raise
    except _DAMAGE as error:
        raise RoboRallyError(f"damaged ({type(error).__name__})") from None


def _header(file: IO[bytes], size: int) -> tuple[Header, bool]:
    """The header of an array in an entry of `size` bytes, and whether it is in Fortran order."""
    version = np.lib.format.read_magic(file)
    if version not in _HEADERS:
        raise RoboRallyError("damaged: an array of another format")
    shape, fortran, dtype = _HEADERS[version](file, max_header_size=_MOST_OF_HEADER)
    if dtype.hasobject or any(n < 0 for n in shape):
        raise RoboRallyError("damaged: an array of Python objects")
    if file.tell() + math.prod(shape) * dtype.itemsize != size:
        raise RoboRallyError("damaged: an array of another size than its header says")
    return Header(shape, dtype), fortran


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Array:
    with archive.open(entry) as file:
        (shape, dtype), fortran = _header(file, entry.file_size)
        numbers = np.frombuffer(file.read(), dtype)
        return numbers.reshape(shape, order="F" if fortran else "C").copy()
