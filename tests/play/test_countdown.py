"""What pages show while machine code is made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roborally_env.compiling.progress import Compiling, Progress
from roborally_env.play import countdown
from roborally_env.play.countdown import left_of
from tests.play.helpers import LIGHTER, served
from tests.play.test_server import Page, get

STAGES = {"race": {"explore": 20.0, "drive": 10.0}, "hint": {"search": 8.0, "follow": 4.0}}


def test_the_seconds_are_those_of_all_functions_that_are_still_to_come() -> None:
    """A machine twice as slow as the one of the table takes twice as long for those as well."""
    assert left_of(Compiling("explore", 0.5, 20.0, 40.0), STAGES) == {"what": "the simulator", "seconds": 40}
    assert left_of(Compiling("drive", 0.5, 10.0, 20.0), STAGES) == {"what": "the simulator", "seconds": 10}
    assert left_of(Compiling("search", 0.25, 6.0, 8.0), STAGES) == {"what": "ghosts and hints", "seconds": 10}
    assert left_of(Compiling("explore", 0.0, None, None), STAGES)["seconds"] is None
    assert left_of(Compiling("of a bot from a file", 0.5, 0.2, 9.0), STAGES) == {"what": "the simulator", "seconds": 1}


def test_pages_have_it_while_something_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Compiling | None] = [Compiling("drive", 0.5, 30.0, 60.0)]
    monkeypatch.setattr(Progress, "now", classmethod(lambda cls: found[0]))
    with served(tmp_path / "race.json", **LIGHTER) as table:
        page = Page(table)
        page.read_until(lambda each: each.now.get("compiling"), "what is compiled")
        assert page.now["compiling"] == {"what": "the simulator", "seconds": 30}
        found[0] = Compiling("drive", 0.6, 25.0, 60.0)
        page.read_until(lambda each: each.now["compiling"]["seconds"] == 25, "the countdown")
        status, _, text = get(table, f"/start/{table.server.start_token}/compiling.json?edition=2016")
        assert (status, json.loads(text)["compiling"]["seconds"]) == (200, 25)
        assert get(table, "/start/wrong/compiling.json")[0] == 403
        found[0] = None
        page.read_until(lambda each: "compiling" not in each.now, "the end")


def test_the_table_has_every_kind_of_game() -> None:
    from roborally_env.core.state import KINDS

    assert set(countdown._seconds()) == set(KINDS)
    for stages in countdown._seconds().values():
        assert list(stages) == [name for name in countdown.WORDS if name in stages]
        assert "drive" in stages["race"]
