"""docs/your-own-bot.md works as it says: its files are written, its commands run and print what stands there."""

import re
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import roborally  # noqa: F401  the fixture

PAGE = (Path(__file__).parents[2] / "docs" / "your-own-bot.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"file `(?P<file>\w+\.py)`:\n\n```python\n(?P<code>.*?)```|```console\n\$ (?P<printed>.*?)```", re.DOTALL
)


@pytest.mark.slow
def test_the_tutorial_from_the_first_line_to_the_last(roborally, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "path", [*sys.path])
    played = []

    def serve(table, *_, **__):
        played.append(table.setup.opponents)
        return 0

    monkeypatch.setattr("roborally_env.play.listener.serve", serve)
    commands = []
    for block in BLOCK.finditer(PAGE):
        if block["file"]:
            (tmp_path / block["file"]).write_text(block["code"], encoding="utf-8")
            continue
        command, _, expected = block["printed"].partition("\n")
        words = command.split()
        assert words[0] == "roborally"
        code, out, err = roborally(*words[1:])
        assert code == (1 if "Lazy" in command else 0), err
        assert without_times(out) == without_times(expected)
        commands.append(words[1])
    assert commands == ["agent", "agent", "agent", "evaluate", "evaluate", "play"]
    assert played == [("careful.py:Careful", "my_bot.py:MyBot")]
    assert len(re.findall("^```", PAGE, re.MULTILINE)) == 2 * len(BLOCK.findall(PAGE)), "a block that is not tried"


def without_times(text):
    """The text without the figures of the line of times."""
    return re.sub(r"^ok     time: .*$", "ok     time", text, flags=re.MULTILINE)
