"""A release is one commit: its version stands in three files, which agree, and one command writes it."""

import datetime
import importlib
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FILES = ("pyproject.toml", "CITATION.cff", "CHANGELOG.md")
DAY = datetime.date(2031, 4, 9)


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("release")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with the files that tell the version, and unreleased changes."""
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path)
    changes = tmp_path / "CHANGELOG.md"
    if "## Unreleased" not in changes.read_text(encoding="utf-8"):
        changes.write_text(changes.read_text(encoding="utf-8").replace("\n## ", "\n## Unreleased\n\n## ", 1), "utf-8")
    return tmp_path


def test_the_files_tell_one_version(release: Any) -> None:
    versions = release.versions(ROOT)
    assert set(versions) == set(FILES)
    here, released = versions.pop("pyproject.toml"), set(versions.values())
    assert len(released) == 1
    assert here in released or (".dev" in here and release.numbers(here) > release.numbers(*released))


def test_a_version_under_development_comes_before_its_release(release: Any) -> None:
    versions = ["0.10.0.dev0", "0.3.0", "0.3.0.dev0", "0.2.1", "0.2.0"]
    assert sorted(versions, key=release.numbers) == ["0.2.0", "0.2.1", "0.3.0.dev0", "0.3.0", "0.10.0.dev0"]


def test_a_version_is_written_where_it_stands_and_nowhere_else(release: Any, copy: Path) -> None:
    before = {name: (copy / name).read_text(encoding="utf-8").splitlines() for name in FILES}
    release.prepare(copy, "97.0.1", DAY)
    after = {name: (copy / name).read_text(encoding="utf-8").splitlines() for name in FILES}
    assert release.versions(copy) == dict.fromkeys(FILES, "97.0.1")
    new = {name: [line for line in after[name] if line not in before[name]] for name in FILES}
    assert new["pyproject.toml"] == ['version = "97.0.1"']
    assert new["CITATION.cff"] == ["date-released: 2031-04-09", "version: 97.0.1"]
    assert new["CHANGELOG.md"] == ["## 97.0.1 (2031-04-09)"]
    changes = after["CHANGELOG.md"]
    changes.insert(changes.index("## 97.0.1 (2031-04-09)"), "## Unreleased")
    (copy / "CHANGELOG.md").write_text("\n".join(changes), encoding="utf-8")
    release.prepare(copy, "97.0.2", DAY)  # the next release: the date is replaced, not written twice
    assert (copy / "CITATION.cff").read_text(encoding="utf-8").count("date-released") == 1


@pytest.mark.parametrize("version", ["0.0.1", "0.1", "v1.0.0", "next", ""])
def test_what_is_no_higher_version_is_refused(release: Any, copy: Path, version: str) -> None:
    with pytest.raises(SystemExit, match="version"):
        release.prepare(copy, version, DAY)
    assert all((copy / name).read_bytes() == (ROOT / name).read_bytes() for name in FILES[:2])


def test_without_unreleased_changes_there_is_no_release(release: Any, copy: Path) -> None:
    release.prepare(copy, "97.0.1", DAY)
    with pytest.raises(SystemExit, match=r"CHANGELOG\.md"):
        release.prepare(copy, "97.0.2", DAY)
    assert release.versions(copy) == dict.fromkeys(FILES, "97.0.1")


def test_machine_code_is_put_into_the_wheel_and_its_list(release: Any, tmp_path: Path) -> None:
    wheel = tmp_path / "roborally_env-1.0.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as new:
        new.writestr("roborally_env/__init__.py", "")
        new.writestr("roborally_env-1.0.0.dist-info/RECORD", "roborally_env/__init__.py,,\nRECORD,,\n")
    release.put_in(wheel, {"roborally_env/compiling/code/entry-drive-0.bin": b"code"})
    with zipfile.ZipFile(wheel) as made:
        assert made.read("roborally_env/compiling/code/entry-drive-0.bin") == b"code"
        rows = made.read("roborally_env-1.0.0.dist-info/RECORD").decode().splitlines()
    assert len(rows) == 3
    name, digest, size = rows[0].split(",")
    assert (name, size) == ("roborally_env/compiling/code/entry-drive-0.bin", "4")
    assert digest == "sha256=VpTQii5T_8rgwxA-Wtb2B2q9lg6x-KVldwQLwQKPcCs"


def test_the_pythons_are_those_that_the_package_promises(release: Any) -> None:
    assert release.named_pythons(ROOT)[0] == "3.11"
    assert release.find_python("3.999") is None
    assert release.find_python("/no/such/python3.12") is None
