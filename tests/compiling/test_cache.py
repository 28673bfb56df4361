"""Machine code is kept by what it depends on, wherever the package lies, and two processes make it once."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from roborally_env.compiling import cache
from tests.compiling.helpers import PROBE, ROOT, made_and_loaded, python
from tests.sizes import some_rows


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A cache in which one process has made machine code, and how many files it made."""
    home = tmp_path_factory.mktemp("compiled") / "cache"
    made, loaded = made_and_loaded(PROBE, home)
    assert loaded == 0
    return home, made


@pytest.fixture
def made(home: Path, compiled: tuple[Path, int]) -> int:
    """Puts that machine code into `home`; the number of its files."""
    shutil.copytree(compiled[0], home)
    return compiled[1]


def test_a_second_process_compiles_nothing(home: Path, made: int) -> None:
    assert made == len(list((home / "code").glob("*.bin"))) > 2
    assert made_and_loaded(PROBE, home) == (0, 1)


@pytest.mark.usefixtures("made")
def test_a_copy_of_the_package_in_another_folder_compiles_nothing(home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere"
    for folder in ("roborally_env", "agents", "courses"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert made_and_loaded(PROBE, home, root=copy) == (0, 1)


def test_inner_code_is_found_where_its_entry_is_gone(home: Path, made: int) -> None:
    for entry in (home / "code").glob("entry-*"):
        entry.unlink()
    assert made_and_loaded(PROBE, home) == (1, made - 1)


def test_two_processes_that_compile_at_once_share_the_work(home: Path, compiled: tuple[Path, int]) -> None:
    # each waits until both are there
    code = f"""
import pathlib, time
folder = pathlib.Path({str(home)!r}) / "together"
folder.mkdir(parents=True, exist_ok=True)
import os, roborally_env.core.driving.driver
(folder / str(os.getpid())).touch()
while len(list(folder.iterdir())) < 2:
    time.sleep(0.001)
{PROBE}"""
    env_of = {"ROBORALLY_CACHE": str(home), "PYTHONPATH": str(ROOT)}
    import os

    both = [
        subprocess.Popen(
            [sys.executable, "-c", code], env=os.environ | env_of, cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    made = [int(process.communicate(timeout=300)[0].split()[0]) for process in both]
    assert sum(made) == compiled[1]


def test_half_a_file_is_made_anew_and_said_once(home: Path, made: int) -> None:
    for path in (home / "code").glob("*.bin"):
        path.write_bytes(path.read_bytes()[:-40])
    done = python(PROBE, home)
    assert done.stdout.split()[0] == str(made)
    assert done.stderr.count("damaged machine code") == 1
    assert made_and_loaded(PROBE, home) == (0, 1)


@pytest.mark.slow
@pytest.mark.usefixtures("made")
def test_what_a_killed_process_left_is_no_machine_code(home: Path) -> None:
    for path in (home / "code").glob("*.bin"):
        path.rename(path.with_name(f"{path.name}.123.new"))  # written, and never given its name
    assert made_and_loaded(PROBE, home)[0] > 2


@pytest.mark.parametrize("spare", [True, False])
def test_a_folder_that_cannot_be_written_is_said_in_one_line(tmp_path: Path, spare: bool) -> None:
    file = tmp_path / "file"
    file.touch()
    temporary = tmp_path if spare else file
    code = f"import tempfile; tempfile.tempdir = {str(temporary)!r}\n{PROBE}"
    done = python(code, file / "below")
    assert done.returncode == 0, done.stderr
    wanted = f"machine code is kept in {tmp_path}" if spare else "machine code is not kept"
    assert [line for line in done.stderr.splitlines() if "roborally_env" in line] == [
        line for line in done.stderr.splitlines() if wanted in line
    ]
    assert done.stderr.count(wanted) == 1
    assert int(done.stdout.split()[0]) > 2


def test_a_full_disk_is_said_in_one_line(home: Path) -> None:
    code = f"""
import os, pathlib
def full(self, data):
    raise OSError(28, "No space left on device")
pathlib.Path.write_bytes = full
{PROBE}"""
    done = python(code, home)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("could not be kept") == 1
    assert "No space left on device" in done.stderr
    assert not list((home / "code").glob("*.bin"))


@pytest.mark.parametrize(
    ("change", "variables"),
    some_rows(
        {
            "numba": ("import numba; numba.__version__ += '.1'", {}),
            "llvmlite": ("import llvmlite; llvmlite.__version__ += '.1'", {}),
            "settings": ("", {"NUMBA_OPT": "2"}),
        },
        ["numba"],
    ),
)
def test_another_version_has_files_of_its_own(home: Path, made: int, change: str, variables: dict[str, str]) -> None:
    assert made_and_loaded(f"{change}\n{PROBE}", home, **variables) == (made, 0)
    assert made_and_loaded(PROBE, home) == (0, 1)  # and leaves the first one's alone


def test_what_was_not_used_for_longest_goes_where_there_is_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROBORALLY_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "_ROOM", 250)
    for name in ("old", "used", "new"):
        cache.save(name, b"x" * 40)
    import os

    for age, name in enumerate(("new", "old", "used")):
        os.utime(tmp_path / "code" / f"{name}.bin", (1000 - age, 1000 - age))
    assert cache.load("used") == b"x" * 40  # which makes it the youngest
    cache.tidy()
    assert sorted(path.stem for path in (tmp_path / "code").glob("*.bin")) == ["new", "used"]


def test_files_are_looked_through_at_most_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now, looks = [100.0], []
    monkeypatch.setattr(cache, "_tidy_from", [0.0])
    monkeypatch.setattr(cache, "tidy", lambda: looks.append(now[0]))
    monkeypatch.setattr(cache.time, "monotonic", lambda: now[0])
    for at in (100.0, 101.0, 159.0, 160.0, 161.0, 221.0):
        now[0] = at
        cache.tidy_sometimes()
    assert looks == [100.0, 160.0, 221.0]
