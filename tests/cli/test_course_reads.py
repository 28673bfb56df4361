"""The commands that race on courses read each course file once."""

import pytest

from roborally_env.courses import catalogue, write_course

RACES = ("--games", 2, "--max-rounds", 3, "--workers", 1, "--lighter")
COMMANDS = {
    "evaluate": ("evaluate", "--agents", "random", "random"),
    "crossplay": ("crossplay", "random", "greedy"),
    "selfplay": ("selfplay", "--agents", "random", "random", "--out", "data"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_course_file_is_read_once(command, roborally, tmp_path, monkeypatch):
    if command == "selfplay":
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(write_course("dizzy_highway"), encoding="utf-8")
    reads, read_course = [], catalogue.read_course

    def counted(path, *given):
        reads.append(path.name)
        return read_course(path, *given)

    monkeypatch.setattr(catalogue, "read_course", counted)
    code, _, err = roborally(*COMMANDS[command], "--course", "mine.toml", *RACES)
    assert code == 0, err
    assert reads.count("mine.toml") == 1
