"""The folder of machine code: where it is, and whether this user alone can write in it.

Machine code is unpickled and executed. Anyone who can write in the folder can therefore run programs as its reader.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


class UnsafeFolderError(Exception):
    """Raised for a folder that belongs to another user, that is a link, or in which others can write."""


def given_home() -> Path | None:
    """The folder that the environment variable `ROBORALLY_CACHE` names, or None."""
    given = os.environ.get("ROBORALLY_CACHE")
    if not given:
        return None
    try:
        return Path(given).absolute()
    except OSError:  # the current folder is gone
        return Path(given)


def usual_home() -> Path | None:
    """The package's folder among the user's caches, or None if the user has no home folder.

    A variable that is empty or holds a relative path counts as unset: a folder `roborally_env` in the current one would
    hide the package from `import`.
    """
    caches = _usual_caches()
    return None if caches is None else caches / "roborally_env"


def _usual_caches() -> Path | None:
    variable, below = {
        "win32": ("LOCALAPPDATA", "AppData/Local"),
        "darwin": (None, "Library/Caches"),
    }.get(sys.platform, ("XDG_CACHE_HOME", ".cache"))
    found = None if variable is None else _absolute_path(variable)
    if found is None and (user := _user_folder()) is not None:
        found = user / below
    return found


def _absolute_path(variable: str) -> Path | None:
    """The path in an environment variable; None if it is unset, empty or relative."""
    text = os.environ.get(variable, "")
    return Path(text) if os.path.isabs(text) else None


def _user_folder() -> Path | None:
    found = _absolute_path("USERPROFILE" if sys.platform == "win32" else "HOME")
    if found is None:
        with contextlib.suppress(ImportError, KeyError):  # Windows; a user without an entry, as in containers
            import pwd

            entry = pwd.getpwuid(os.getuid()).pw_dir
            found = Path(entry) if os.path.isabs(entry) else None
    return found


def spare_home() -> Path | None:
    """A folder for this user in the temporary folder, or None if there is no temporary folder."""
    try:
        return Path(tempfile.gettempdir()) / f"roborally_env-{os.geteuid() if hasattr(os, 'geteuid') else 0}"
    except FileNotFoundError:
        return None


def prepare(home: Path, own: bool) -> Path:
    """The folder `code` in `home`, made if it is missing, mode 0700.

    Args:
        home: the folder of the package's caches.
        own: whether this package chose its name, so that it may be closed to others.

    Raises:
        UnsafeFolderError: if another user could have written in it.
        OSError: if it cannot be written.
    """
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if _others_write(home):
        if not own:
            raise UnsafeFolderError(f"other users can write in {home} (chmod go-w changes that)")
        _close(home)
    code = home / "code"
    code.mkdir(mode=0o700, exist_ok=True)
    written_by_others = _others_write(code)
    _close(code)
    if written_by_others:
        _empty(code)
    with tempfile.TemporaryFile(dir=code):
        return code


def is_own_file(handle: int) -> bool:
    """Whether the open file belongs to this user and nobody else can write it; always True on Windows."""
    return not hasattr(os, "geteuid") or _is_own(os.fstat(handle))


def _is_own(found: os.stat_result) -> bool:
    return found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE


def _others_write(folder: Path) -> bool:
    """Whether other users can write in a folder of this user; False on Windows, where a user's folders are closed."""
    if not hasattr(os, "geteuid"):
        return False
    found = folder.lstat()
    if stat.S_ISLNK(found.st_mode):
        raise UnsafeFolderError(f"{folder} is a link")
    if found.st_uid != os.geteuid():
        if not os.access(folder, os.W_OK | os.X_OK):  # nothing of it would be read either
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        raise UnsafeFolderError(f"{folder} belongs to another user (uid {found.st_uid})")
    return bool(found.st_mode & _OTHERS_WRITE)


def _close(folder: Path) -> None:
    """Let only this user enter and write in a folder of this user."""
    if not hasattr(os, "geteuid") or not stat.S_IMODE(folder.lstat().st_mode) & 0o077:
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        with contextlib.suppress(PermissionError):  # a file system without modes
            if os.fstat(handle).st_uid == os.geteuid():
                os.fchmod(handle, 0o700)
        if not _is_own(os.fstat(handle)):
            raise UnsafeFolderError(f"other users can write in {folder}")
    finally:
        os.close(handle)


def _empty(folder: Path) -> None:
    """Remove what others may have written before the folder was closed to them."""
    try:
        shutil.rmtree(folder)
        folder.mkdir(mode=0o700)
    except OSError:
        raise UnsafeFolderError(f"other users could write in {folder}, and it cannot be emptied") from None
