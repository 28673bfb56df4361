"""Machine code for a level that many processors have."""

import shutil
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from roborally_env.compiling.machine import PORTABLE
from tests.compiling.helpers import PROBE, made_and_loaded, python
from tests.sizes import some

X86 = llvm.get_process_triple().startswith("x86_64")
# another processor, as numba sees it; the bitcode of inner kernels does not depend on it
OTHER = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": ""}
OTHERS = {"processor": OTHER, "level": {"ROBORALLY_CPU": "x86-64-v2"}}


@pytest.mark.skipif(not X86, reason="levels of x86-64")
def test_code_for_a_level_is_loaded_on_another_processor(tmp_path: Path) -> None:
    made, loaded = made_and_loaded(PROBE, tmp_path, ROBORALLY_CPU="x86-64-v2")
    assert made
    assert not loaded
    made, loaded = made_and_loaded(PROBE, tmp_path, ROBORALLY_CPU="x86-64-v2", **OTHER)
    assert not made
    assert loaded


@pytest.mark.skipif(not X86, reason="levels of x86-64")
@pytest.mark.parametrize("other", some(OTHERS, ["level"]))
def test_only_entries_are_made_for_a_processor(tmp_path: Path, other: dict[str, str]) -> None:
    made, _ = made_and_loaded(PROBE, tmp_path)
    entries = len(list((tmp_path / "code").glob("entry-*.bin")))
    again, loaded = made_and_loaded(PROBE, tmp_path, **other)
    assert again == entries
    assert loaded
    assert made > entries


# what another machine has: nothing but the package, with machine code that was made for a level
INSTALLED = """
import shutil
from pathlib import Path
from roborally_env.compiling import cache
cache.INSTALLED = Path({folder!r})
"""


@pytest.mark.skipif(not X86, reason="levels of x86-64")
def test_installed_machine_code_for_a_level_is_loaded(tmp_path: Path) -> None:
    made, _ = made_and_loaded(PROBE, tmp_path / "made", ROBORALLY_CPU=PORTABLE)
    assert made
    code = INSTALLED.format(folder=str(tmp_path / "installed")) + PROBE
    (tmp_path / "installed").mkdir()
    for path in (tmp_path / "made" / "code").glob("entry-*.bin"):
        shutil.copy(path, tmp_path / "installed")
    assert made_and_loaded(code, tmp_path / "empty") == (0, len(list((tmp_path / "installed").iterdir())))
    assert not list((tmp_path / "empty" / "code").glob("*.bin"))
    for path in (tmp_path / "installed").iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    done = python(code, tmp_path / "empty")
    assert done.returncode == 0, done.stderr
    assert "damaged machine code" in done.stderr
    assert done.stdout.split()[0] != "0"


@pytest.mark.slow
@pytest.mark.skipif(not X86, reason="levels of x86-64")
@pytest.mark.parametrize("other", some(OTHERS, ["processor"]))
def test_installed_optimised_bitcode_is_emitted_for_another_processor(tmp_path: Path, other: dict[str, str]) -> None:
    made_and_loaded(PROBE, tmp_path / "made", ROBORALLY_CPU=PORTABLE)
    code = INSTALLED.format(folder=str(tmp_path / "installed")) + PROBE
    (tmp_path / "installed").mkdir()
    optimised = list((tmp_path / "made" / "code").glob("optimised_*.bin"))
    for path in optimised:
        shutil.copy(path, tmp_path / "installed")
    home = tmp_path / "empty"
    assert made_and_loaded(code, home, **other) == (len(optimised), len(optimised))
    assert {path.name.partition("-")[0] for path in (home / "code").glob("*.bin")} == {"entry"}  # nothing was typed
    assert made_and_loaded(code, home, **other) == (0, len(optimised))
    for path in (tmp_path / "installed").iterdir():
        path.write_bytes(path.read_bytes()[:-1])
    done = python(code, tmp_path / "new", **other)
    assert done.returncode == 0, done.stderr
    assert "damaged machine code" in done.stderr


def test_optimised_bitcode_is_kept_only_of_code_that_travels(tmp_path: Path) -> None:
    made_and_loaded(PROBE, tmp_path)
    assert not list((tmp_path / "code").glob("optimised_*"))


@pytest.mark.slow
@pytest.mark.skipif(not X86, reason="levels of x86-64")
def test_a_cache_for_the_portable_level_needs_no_variable_where_it_is_loaded(tmp_path: Path) -> None:
    made, _ = made_and_loaded(PROBE, tmp_path, ROBORALLY_CPU=PORTABLE)
    again, loaded = made_and_loaded(PROBE, tmp_path)
    assert made
    assert not again
    assert loaded


def test_an_unknown_level_is_an_error_of_one_line(tmp_path: Path) -> None:
    lines = ["from roborally_env import RoboRallyError", "try:", f"    exec({PROBE!r})"]
    code = "\n".join([*lines, "except RoboRallyError as error:", "    print(error)"])
    done = python(code, tmp_path, ROBORALLY_CPU="x86-64-v9")
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert "ROBORALLY_CPU" in line
    assert "x86-64-v3" in line
