"""Files are written as a whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole


def test_a_file_is_written_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, link = tmp_path / "race.json", tmp_path / "link.json"
    write_whole(file, "one")
    link.symlink_to(file)
    write_whole(link, "two é")
    assert link.is_symlink()
    assert file.read_bytes() == "two é".encode()
    write_whole(file, b"\xff")
    assert file.read_bytes() == b"\xff"

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(RoboRallyError, match=r"race\.json.*written"):
        write_whole(file, "three")
    assert file.read_bytes() == b"\xff"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.json", "race.json"]


def test_ctrl_c_leaves_no_part_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "race.json", "one")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_readable_by_others_unless_it_is_private(tmp_path: Path) -> None:
    write_whole(tmp_path / "open", "one")
    write_whole(tmp_path / "shut", "one", private=True)
    umask = os.umask(0)
    os.umask(umask)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("open", "shut")]
    assert modes == [0o666 & ~umask, 0o600 & ~umask]


def test_a_place_where_no_file_can_be_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RoboRallyError, match=r"file/my.*written"):
        write_whole(tmp_path / "file" / "my", "one")
