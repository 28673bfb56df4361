"""While people look at their first cards, another process compiles hints, ghosts and the look back."""

from __future__ import annotations

import multiprocessing
from typing import Any

import pytest

from roborally_env.play import compiled_ahead
from roborally_env.play.ghost import ghost_of
from roborally_env.play.hint import hint_of
from roborally_env.play.setup import check_play
from tests.play.helpers import new_race
from tests.play.test_ghost import EDITIONS, NAMES
from tests.sizes import some


@pytest.mark.parametrize("given", some(dict(zip(NAMES, EDITIONS, strict=True)), usual=["complete", "2005"]))
def test_what_a_player_can_ask_for_is_used(given: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(compiled_ahead, "hint_of", lambda *a: asked.append("hint") or hint_of(*a))
    monkeypatch.setattr(compiled_ahead, "ghost_of", lambda *a: asked.append("ghost") or ghost_of(*a))
    race = new_race(**given)
    compiled_ahead.ask_for_all(race.setup)
    assert asked == ["hint", "ghost"]


def test_a_process_begins_once_for_each_kind_of_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a daemon, so it ends with the server, and it does not start where there is no core for it."""
    monkeypatch.setattr(compiled_ahead, "_started", set())
    monkeypatch.setattr(compiled_ahead, "cores", lambda: 1)
    compiled_ahead.compile_ahead(check_play(opponents=["random"]))
    assert not multiprocessing.active_children()
    monkeypatch.setattr(compiled_ahead, "cores", lambda: 2)
    for _ in range(2):
        compiled_ahead.compile_ahead(check_play(opponents=["random"]))
    (process,) = multiprocessing.active_children()
    assert process.daemon
    process.terminate()
    process.join(20)
    assert process.exitcode is not None
