"""Files that are written as a whole."""

from __future__ import annotations

import os
import re
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

from roborally_env.base.errors import RoboRallyError

_PART = re.compile(r"\.[0-9a-f]{16}\.part")


def without_links(path: str | os.PathLike[str]) -> Path:
    """The absolute path without links. Unlike Path.resolve, any text has one: links in a circle and zero bytes too."""
    try:
        return Path(os.path.realpath(path))
    except ValueError:
        return Path(path)


def write_whole(path: Path, content: str | bytes, private: bool = False) -> None:
    """Write a file that is there as a whole or not at all, whenever the process is killed or the power fails.

    Args:
        path: of the file; where it is a link, that of the file to which it leads.
        content: bytes, or a text that is written in UTF-8.
        private: whether only its owner may read it.

    Raises:
        RoboRallyError: if it cannot be written.
    """
    data = content.encode() if isinstance(content, str) else content
    place = without_links(path)  # a link stays one
    part = place.with_name(f".{secrets.token_hex(8)}.part")  # as in `_PART`
    try:
        if place.exists() and not place.is_file():  # as /dev/null
            place.write_bytes(data)
            return
        with open(part, "xb", opener=_only_for_me if private else None) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(place)
        sync(place.parent)
    except OSError as error:
        raise RoboRallyError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):  # it has its name by now, or was never written
            part.unlink()


def check_writable(path: Path, option: str) -> None:
    """Raise a RoboRallyError, which names the option, if a file cannot be written there: before the work whose result
    it will have."""
    if os.path.isdir(path):  # Path.is_dir raises if a name is too long
        raise RoboRallyError(f"{option} {path}: expected a file, this is a folder")
    existed = os.path.lexists(path)
    if existed and not os.path.isfile(path):  # as /dev/null
        return
    try:
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except FileNotFoundError:
        raise RoboRallyError(f"{option} {path}: cannot be written: there is no folder {path.parent}") from None
    except OSError as error:
        raise RoboRallyError(f"{option} {path}: cannot be written: {error.strerror or error}") from None


def make_folder(path: Path, option: str = "") -> None:
    """Make a folder, and those that it is in, where they are not there.

    Args:
        path: of the folder.
        option: that names it, for messages.

    Raises:
        RoboRallyError: if it cannot be made.
    """
    shown = f"{option} {path}".lstrip()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise RoboRallyError(f"{shown}: expected a folder, but a file has this name; choose another name") from None
    except NotADirectoryError:
        file = next(parent for parent in path.parents if parent.exists())
        raise RoboRallyError(f"{shown}: cannot be made, because {file} is a file; choose another name") from None
    except OSError as error:
        raise RoboRallyError(f"{shown}: cannot be written: {error.strerror or error}") from None


def append_whole(path: Path, content: str) -> None:
    """Add text to the end of a file, all of it or nothing; a file that is not there is made.

    Raises:
        RoboRallyError: if it cannot be written.
    """
    try:
        with path.open("ab", buffering=0) as file:  # a buffer would write its rest when the file is closed
            length, left = file.seek(0, os.SEEK_END), content.encode()
            try:
                while left:
                    left = left[file.write(left) :]
            except OSError:
                os.truncate(path, length)
                raise
    except OSError as error:
        raise RoboRallyError(f"{path}: cannot be written: {error.strerror or error}") from None


def clear_parts(folder: Path) -> None:
    """Remove what `write_whole` has left in a folder, and in those within it, when its process was killed. Nobody else
    may write there meanwhile."""
    for path in folder.rglob(".*.part"):
        if _PART.fullmatch(path.name):
            path.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Flush a file, or a folder's list of files, to the disk, so that the order of renames survives a loss of power."""
    if path.is_dir() and os.name == "nt":
        return
    number = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def lock(file: IO[bytes], wait: bool = True) -> None:
    """Lock an open file between processes, until it is closed or the process ends.

    Raises:
        BlockingIOError: if another process has the lock, unless `wait`.
        OSError: on a file system without locks.
    """
    try:
        import fcntl
    except ImportError:
        _lock_on_windows(file.fileno(), wait)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def _lock_on_windows(number: int, wait: bool) -> None:
    import msvcrt

    while True:
        try:
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
            return
        except PermissionError:
            if not wait:
                raise BlockingIOError from None
            time.sleep(0.1)  # msvcrt itself waits for ten seconds at most


def _only_for_me(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
