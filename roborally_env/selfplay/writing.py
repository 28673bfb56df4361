"""Files that exist as a whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from roborally_env.errors import RoboRallyError
from roborally_env.selfplay.tables import import_pyarrow

MANIFEST = "manifest.json"
STEPS, EPISODES = "steps", "episodes"  # folders of the two tables
PARTIAL = ".partial"  # where files are written before they get their names
LOCK = ".lock"


@contextmanager
def told(folder: Path) -> Iterator[None]:
    """Raise errors of the operating system as a RoboRallyError."""
    try:
        yield
    except OSError as error:
        raise RoboRallyError(f"{folder}: cannot write there: {_reason(error)}") from None


def _reason(error: OSError) -> str:
    """The message of the operating system, which ends messages of pyarrow too."""
    return os.strerror(error.errno) if error.errno else str(error).splitlines()[0]


def put(folder: Path, name: str, text: str) -> None:
    """Write a file of text."""
    partial = _partial(folder, name)
    with told(folder):
        try:
            partial.write_text(text, encoding="utf-8")
            _give_name(partial, folder / name)
        finally:
            partial.unlink(missing_ok=True)


def _partial(folder: Path, name: str) -> Path:
    """The temporary path of a file, at which no other process writes."""
    with told(folder):
        (folder / PARTIAL).mkdir(exist_ok=True)
        (folder / name).parent.mkdir(exist_ok=True)
    return folder / PARTIAL / f"{name.replace('/', '-')}.{os.getpid()}"


def _give_name(partial: Path, path: Path) -> None:
    """Give a file its final name when all of it is on the disk."""
    _sync(partial)
    os.replace(partial, path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    """Flush a file, or a folder's list of files, to the disk, so that the order of renames survives a loss of power."""
    if path.is_dir() and os.name == "nt":
        return
    number = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)


class TableFile:
    """A Parquet file that is written one row group at a time and gets its name with `keep`."""

    def __init__(self, folder: Path, name: str, schema: Any) -> None:
        self._folder, self._path = folder, folder / name
        self._partial = _partial(folder, name)
        with told(folder):
            self._writer = import_pyarrow().parquet.ParquetWriter(self._partial, schema, compression="zstd")

    def write(self, table: Any) -> None:
        """Add a row group."""
        with told(self._folder):
            self._writer.write_table(table, row_group_size=max(1, table.num_rows))

    def keep(self) -> None:
        """Close the complete file and give it its name."""
        with told(self._folder):
            self._writer.close()
            _give_name(self._partial, self._path)

    def drop(self) -> None:
        """Remove a file that was not kept."""
        if self._writer.is_open:
            with suppress(OSError):
                self._writer.close()
            self._writer.is_open = False  # or it is closed once more, with the same error, when it is collected
        self._partial.unlink(missing_ok=True)


def clear_partial(folder: Path) -> None:
    """Remove the unfinished files of a run that was stopped."""
    shutil.rmtree(folder / PARTIAL, ignore_errors=True)


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, because two runs would play everything twice. The lock ends with the process."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    with told(folder):
        file = (folder / LOCK).open("w")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RoboRallyError(f"{folder}: another run is writing there; wait for it or stop it first") from None
        except OSError:  # a file system without locks
            pass
        yield
