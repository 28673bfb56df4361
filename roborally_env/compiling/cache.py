"""The cache folder of machine code: one file for each kernel and signature, named by a hash of all that it depends on.

A file that exists under the name is therefore right, whichever process made it and wherever the package lies. Processes
that compile at the same time wait for each other by locks, which the system frees when a process dies.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from roborally_env.base.files import lock
from roborally_env.base.terminal import LOG
from roborally_env.compiling.cache_folder import (
    UnsafeFolderError,
    given_home,
    is_own_file,
    prepare,
    spare_home,
    usual_home,
)

_MAGIC = b"roborally machine code 1\n"
_START = len(_MAGIC) + 32  # where the data begins, after its hash
INSTALLED = Path(__file__).parent / "code"  # of a wheel: machine code for the level of processors that many have
_LOOK = 0.01, 0.2  # seconds after which a lock that another process holds is tried again, at first and in the end
_ROOM = 1 << 30  # bytes of all files; above this the least recently used are removed
_held: set[str] = set()  # locks of this process
_said: set[str] = set()
_saved: set[str] = set()  # names of the files that this process wrote
_tidy_from = [0.0]  # the time, of `time.monotonic`, from which on files are looked through again


def say_once(line: str) -> None:
    """Log a line as a warning, at most once in a process."""
    if line not in _said:
        _said.add(line)
        LOG.warning(line)


def home() -> Path | None:
    """The folder of the user's caches, or None if there is no home folder; `ROBORALLY_CACHE` replaces it."""
    return given_home() or usual_home()


_folders: dict[Path | None, tuple[Path | None, str]] = {}  # by home: the folder or None, and the reason for None


def folder() -> Path | None:
    """The folder of machine code, or None if there is none that can be written and that is this user's alone."""
    return _found()[0]


def why_none() -> str:
    """The reason why `folder` returns None."""
    return _found()[1]


def _found() -> tuple[Path | None, str]:
    wanted = home()
    if wanted not in _folders:
        place, why = _folders[wanted] = _first_usable(wanted)
        if place is None:
            say_once(f"machine code is not kept and is made anew in each process: {why}")
    return _folders[wanted]


def _first_usable(wanted: Path | None) -> tuple[Path | None, str]:
    """The folder of machine code in `wanted`, or in the temporary folder if that cannot be written; else the reason.

    A folder that is not this user's alone is not replaced: somebody has to see to it.
    """
    why = "there is no home folder"
    try:
        if wanted is not None:
            return prepare(wanted, own=given_home() is None), ""
    except UnsafeFolderError as error:
        return None, str(error)
    except OSError as error:
        why = f"{wanted} cannot be written ({error.strerror or error})"
    spare = spare_home()
    if spare is None:
        return None, why
    try:
        place = prepare(spare, own=True)
    except UnsafeFolderError as error:
        return None, f"{why}; {error}"
    except OSError:
        return None, why
    say_once(f"machine code is kept in {spare}: {why}")
    return place, ""


def _path(name: str) -> Path | None:
    place = folder()
    return None if place is None else place / f"{name}.bin"


def exists(name: str) -> int:
    """The size in bytes of the file under a name; 0 if there is none."""
    path = _path(name)
    try:
        return 0 if path is None else path.stat().st_size
    except OSError:
        return 0


def load(name: str) -> bytes | None:
    """The data under a name, or None: from the cache, else from what was installed with the package.

    In the cache, a damaged file and one that another user may have written is removed.
    """
    return _load_own(name) or _load_installed(name)


def _load_installed(name: str) -> bytes | None:
    """As trusted as the package's Python files, beside which it lies."""
    try:
        data = (INSTALLED / f"{name}.bin").read_bytes()
    except OSError:
        return None
    if not _is_whole(data):
        say_once(f"damaged machine code in {INSTALLED}: it is made anew")
        return None
    return data[_START:]


def _is_whole(data: bytes) -> bool:
    return data.startswith(_MAGIC) and hashlib.sha256(data[_START:]).digest() == data[len(_MAGIC) : _START]


def _load_own(name: str) -> bytes | None:
    path = _path(name)
    if path is None:
        return None
    try:
        data = _read(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        say_once(f"machine code in {path.parent} cannot be read ({error.strerror}): it is made anew")
        return None
    if data is None:
        _remove(path, "foreign")
        return None
    if not _is_whole(data):
        _remove(path, "damaged")
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # the most recently used file stays longest
    return data[_START:]


def _read(path: Path) -> bytes | None:
    """The content of a file of this user; None for one that somebody else may have written."""
    with open(path, "rb", opener=_open_no_link) as file:
        return file.read() if is_own_file(file.fileno()) else None


def _open_no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


def _remove(path: Path, what: str) -> None:
    say_once(f"{what} machine code in {path.parent} was removed: it is made anew")
    with contextlib.suppress(OSError):
        path.unlink()


def save(name: str, data: bytes) -> None:
    """Store `data` under a name; if that fails, log one line."""
    path = _path(name)
    if path is None:
        return
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        new.touch(mode=0o600)
        new.write_bytes(_MAGIC + hashlib.sha256(data).digest() + data)
        os.replace(new, path)
        _saved.add(name)
    except OSError as error:
        say_once(f"machine code could not be kept in {path.parent} ({error.strerror}): the next process compiles anew")
        with contextlib.suppress(OSError):
            new.unlink()


def tidy_sometimes() -> None:
    """`tidy`, if this process has not done so in the last minute: it looks at every file."""
    now = time.monotonic()
    if now >= _tidy_from[0]:
        _tidy_from[0] = now + 60.0
        tidy()


def tidy() -> None:
    """Remove the least recently used files if there is too much, and files that killed processes left behind."""
    place = folder()
    if place is None:
        return
    with contextlib.suppress(OSError):
        for old in (place / "locks").glob("*"):
            if time.time() - old.stat().st_mtime > 86400:
                old.unlink()
        files = [(f, f.stat()) for f in place.iterdir() if f.suffix in (".bin", ".new")]
        files.sort(key=lambda file: file[1].st_mtime)
        room = _ROOM - sum(stat.st_size for _, stat in files)
        for file, stat in files:
            left_behind = file.suffix == ".new" and time.time() - stat.st_mtime > 3600
            if room < 0 or left_behind:
                room += stat.st_size
                with contextlib.suppress(OSError):
                    file.unlink()


@contextlib.contextmanager
def locked(name: str, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Hold the lock of a name between processes; `waiting` is called again and again while another process holds it.

    On a file system without locks nothing is locked: work may then be done twice, never wrongly.
    """
    place = folder()
    if place is None or name in _held:
        yield
        return
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            (place / "locks").mkdir(exist_ok=True)
            file = stack.enter_context((place / "locks" / name[-40:]).open("wb"))
            pause, longest = _LOOK
            while not _has(file):
                waiting()
                time.sleep(pause)
                pause = min(2 * pause, longest)  # an inner kernel takes a twentieth of a second, an entry many
        _held.add(name)
        try:
            yield
        finally:
            _held.discard(name)


def _has(file: IO[bytes]) -> bool:
    try:
        lock(file, wait=False)
    except BlockingIOError:
        return False
    return True


def write_note(name: str, note: str) -> None:
    """Keep a note beside the lock of a name, for those who wait for it; an empty one removes it."""
    path = _note(name)
    if path is not None:
        with contextlib.suppress(OSError):
            if note:
                path.write_text(note, encoding="ascii")
            else:
                path.unlink(missing_ok=True)


def read_note(name: str) -> str:
    """The note of the process that holds the lock of a name; empty if there is none."""
    path = _note(name)
    try:
        return "" if path is None else path.read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""


def _note(name: str) -> Path | None:
    place = folder()
    return None if place is None else place / "locks" / f"{name[-40:]}.note"


def saved() -> int:
    """How many files of machine code this process has written, whatever others write at the same time."""
    return len(_saved)


def count() -> int:
    """How many files of machine code there are."""
    place = folder()
    return 0 if place is None else sum(1 for _ in place.glob("*.bin"))


def size() -> int:
    """How many bytes the files of machine code take."""
    place = folder()
    return 0 if place is None else sum(file.stat().st_size for file in place.glob("*.bin"))
