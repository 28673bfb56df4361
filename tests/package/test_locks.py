"""Locks between processes, on every system."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import lock
from roborally_env.compiling import cache
from roborally_env.jobs.storage import LOCK, Folder

HOLD = """
import sys
from roborally_env.base.files import lock

file = open(sys.argv[1], "wb")
lock(file)
print(1, flush=True)
input()
"""


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A system with `msvcrt` in place of `fcntl`. Returns the answers of its next calls: how often the lock is held."""
    held: list[int] = []

    def locking(number: int, mode: int, length: int) -> None:
        assert (mode, length) == (2, 1)
        if held:
            held.pop()
            raise PermissionError(13, "Permission denied")

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr("roborally_env.base.files.time.sleep", lambda seconds: None)
    return held


def test_another_process_holds_it_until_it_ends(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        with path.open("wb") as file, pytest.raises(BlockingIOError):
            lock(file, wait=False)
        process.kill()
        with path.open("wb") as file:
            lock(file)


def test_windows_has_locks_too(windows: list[int], tmp_path: Path) -> None:
    with (tmp_path / "lock").open("wb") as file:
        lock(file, wait=False)
        windows += [1]
        with pytest.raises(BlockingIOError):
            lock(file, wait=False)
        windows += [1, 1, 1]
        lock(file)
        assert not windows, "it waits until the other process lets go"


def test_the_cache_waits_for_its_lock_on_windows(
    windows: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    windows += [1, 1]
    waited = []
    with cache.locked("a kernel", lambda: waited.append(1)):
        assert not windows
    assert waited == [1, 1]  # called again while it waits


def test_a_folder_has_one_writer_on_windows(windows: list[int], tmp_path: Path) -> None:
    with Folder(tmp_path).only_writer():
        assert (tmp_path / LOCK).exists()
    windows += [1]
    with pytest.raises(RoboRallyError, match="run"), Folder(tmp_path).only_writer():
        pass
