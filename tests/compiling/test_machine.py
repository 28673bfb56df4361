"""Machine code for a level that many processors have."""

from pathlib import Path

import llvmlite.binding as llvm
import pytest

from tests.compiling.helpers import PROBE, made_and_loaded, python

X86 = llvm.get_process_triple().startswith("x86_64")
# another processor, as numba sees it; the bitcode of inner kernels does not depend on it
OTHER = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": ""}


@pytest.mark.skipif(not X86, reason="levels of x86-64")
def test_code_for_a_level_is_loaded_on_another_processor(tmp_path: Path) -> None:
    made, loaded = made_and_loaded(PROBE, tmp_path, ROBORALLY_CPU="x86-64-v2")
    assert made
    assert not loaded
    made, loaded = made_and_loaded(PROBE, tmp_path, ROBORALLY_CPU="x86-64-v2", **OTHER)
    assert not made
    assert loaded


@pytest.mark.skipif(not X86, reason="levels of x86-64")
def test_only_entries_are_made_for_a_processor(tmp_path: Path) -> None:
    made, _ = made_and_loaded(PROBE, tmp_path)
    entries = len(list((tmp_path / "code").glob("entry-*.bin")))
    again, loaded = made_and_loaded(PROBE, tmp_path, ROBORALLY_CPU="x86-64-v2")
    assert again == entries
    assert loaded
    assert made > entries


def test_an_unknown_level_is_an_error_of_one_line(tmp_path: Path) -> None:
    lines = ["from roborally_env import RoboRallyError", "try:", f"    exec({PROBE!r})"]
    code = "\n".join([*lines, "except RoboRallyError as error:", "    print(error)"])
    done = python(code, tmp_path, ROBORALLY_CPU="x86-64-v9")
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert "ROBORALLY_CPU" in line
    assert "x86-64-v3" in line
