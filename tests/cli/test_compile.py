"""`roborally compile`: machine code ahead."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from roborally_env import precompile
from roborally_env.base.errors import RoboRallyError
from roborally_env.cli import main
from roborally_env.precompile import compile_ahead, parts_of


def roborally(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "roborally_env", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=580, check=False)


@pytest.mark.slow
def test_it_tells_seconds_and_megabytes_and_does_nothing_twice() -> None:
    first = roborally("compile", "--edition", "2016", "--jobs", "2", "--json")
    assert first.returncode == 0, first.stderr
    report = json.loads(first.stdout)
    assert [(p["edition"], p["what"]) for p in report["parts"]] == [(p.edition, p.what) for p in parts_of("2016")]
    assert report["megabytes"] > 1
    assert report["seconds"] > 0
    again = json.loads(roborally("compile", "--edition", "2016", "--json").stdout)
    assert [part["files"] for part in again["parts"]] == [0] * len(report["parts"])


def test_parts_whose_code_is_there_compile_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that other tests need too; bots and reviews take minutes."""
    parts = [part for part in parts_of("2016") if part.what in ("simulator", "scenarios")]
    monkeypatch.setattr(precompile, "parts_of", lambda edition: parts)

    def compiled(*words: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(["compile", *words])
        assert not ended.value.code
        return capsys.readouterr().out

    report = json.loads(compiled("--edition", "2016", "--json"))
    assert [(p["edition"], p["what"]) for p in report["parts"]] == [(p.edition, p.what) for p in parts]
    assert report["megabytes"] > 1
    assert report["seconds"] > 0
    again = json.loads(compiled("--edition", "2016", "--json"))
    assert [part["files"] for part in again["parts"]] == [0, 0]
    table = compiled()
    assert "scenarios" in table
    assert " MB in " in table.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--edition", "2017"), "edition: expected one of 2016, 2005, community, 2023, got '2017'"),
        (("--all", "--edition", "2016"), "expected --edition or --all, got both"),
        (("--jobs", "0"), "Invalid value for '--jobs': 0 is not in the range"),
        (("--edition",), "requires a value"),
    ],
)
def test_wrong_words(words: tuple[str, ...], message: str) -> None:
    done = roborally("compile", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_folder_that_cannot_be_written_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "temporary").touch()
    monkeypatch.setenv("ROBORALLY_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    message = f"compile.*kept: {tmp_path / 'file'}"
    with pytest.raises(RoboRallyError, match=message):
        compile_ahead(["2016"])
