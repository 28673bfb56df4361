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

STAGES = {"the game": {"explore": 20.0, "drive": 10.0}, "hints": {"search": 8.0, "follow": 4.0}}


def test_the_seconds_are_those_of_all_functions_that_are_still_to_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine twice as slow as the one of the table takes twice as long for those as well."""
    monkeypatch.setattr(countdown, "STAGES", STAGES)
    assert left_of(Compiling("explore", 0.5, 20.0, 40.0)) == {"what": "the game", "seconds": 40}
    assert left_of(Compiling("drive", 0.5, 10.0, 20.0)) == {"what": "the game", "seconds": 10}
    assert left_of(Compiling("search", 0.25, 6.0, 8.0)) == {"what": "hints", "seconds": 10}
    assert left_of(Compiling("explore", 0.0, None, None))["seconds"] is None
    assert left_of(Compiling("of a bot from a file", 0.5, 0.2, 9.0)) == {"what": countdown.OTHER, "seconds": 1}


def test_a_hint_does_not_count_what_the_look_back_needs() -> None:
    """A purchase is valued by one function. Those of the look back may be compiled meanwhile, or never."""
    assert left_of(Compiling("score_purchases", 0.5, 3.0, 6.0)) == {"what": "the value of upgrades", "seconds": 3}
    assert left_of(Compiling("gain_of_search", 0.5, 3.0, 6.0)) == {"what": "the look back", "seconds": 3}


def test_pages_have_it_while_something_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Compiling | None] = [Compiling("drive", 0.5, 30.0, 60.0)]
    monkeypatch.setattr(Progress, "now", classmethod(lambda cls: found[0]))
    with served(tmp_path / "race.json", **LIGHTER) as table:
        page = Page(table)
        page.read_until(lambda each: each.now.get("compiling"), "what is compiled")
        assert page.now["compiling"] == {"what": "the simulator", "seconds": 30}
        found[0] = Compiling("drive", 0.6, 25.0, 60.0)
        page.read_until(lambda each: each.now["compiling"]["seconds"] == 25, "the countdown")
        status, _, text = get(table, f"/start/{table.server.start_token}/compiling.json")
        assert (status, json.loads(text)["compiling"]["seconds"]) == (200, 25)
        assert get(table, "/start/wrong/compiling.json")[0] == 403
        found[0] = None
        page.read_until(lambda each: "compiling" not in each.now, "the end")


def test_every_function_of_the_table_is_there() -> None:
    from roborally_env.agents import network, rounds_ahead

    from roborally_env.core.driving import driver
    from roborally_env.core.searching import alone, among_others, distances
    from roborally_env.review import search

    places = (distances, driver, among_others, alone, network, rounds_ahead, search)
    for name in (name for functions in countdown.STAGES.values() for name in functions):
        (kernel,) = {id(found): found for place in places if (found := getattr(place, name, None))}.values()
        assert kernel.py_func.__name__ == name
