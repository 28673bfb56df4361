"""A race as a card: what it shows, that it is one small file that runs nothing, and that it opens in a browser."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.replay import Replay, save
from roborally_env.review import review
from roborally_env.review.card import card, turning_point, worst_program
from roborally_env.review.model import Decision, Review
from tests.browser import overflow
from tests.cli.conftest import roborally as roborally
from tests.contrast import low_contrasts
from tests.sizes import size
from tests.watch.conftest import record_race

FEW = 1_000  # simulations
MOST = 500_000  # bytes


@pytest.fixture(scope="module")
def looked_back(replay: Replay) -> Review:
    return review(replay, simulations=FEW)


@pytest.fixture(scope="module")
def page_text(replay: Replay, looked_back: Review) -> str:
    return card(replay, looked_back)


def found_with(chances: list[list[float]], winner: int | None, decisions: tuple[Decision, ...] = ()) -> Review:
    rows = tuple(map(tuple, chances))
    return Review("twister", "2016", ("a", "b"), winner, FEW, 1, rows, decisions, ())


def program(seat: int, best: float, chance: float, number: int = 1) -> Decision:
    cards = ("move_1",) * 5
    return Decision(number, seat, "program", cards, cards, chance, best, chance, 0.001, 0.001)


def test_the_turning_point_is_where_the_winners_chance_rises_most() -> None:
    chances = [[0.5, 0.5], [0.1, 0.9], [0.4, 0.6], [0.95, 0.05], [1.0, 0.0]]
    turn = turning_point(found_with(chances, 0))
    assert (turn.round, turn.seat, turn.before, turn.after) == (3, 0, 0.4, 0.95)
    assert turning_point(found_with([[0.5, 0.5], [0.2, 0.8]], None)).round == 1
    with pytest.raises(RoboRallyError, match="round"):
        turning_point(found_with([[0.5, 0.5]], None))


def test_the_worst_program_is_that_of_the_player_if_one_is_named() -> None:
    made = (program(0, 0.5, 0.45), program(1, 0.9, 0.5), program(0, 0.5, 0.3), program(1, 0.5, 0.495))
    found = found_with([[0.5, 0.5], [0.4, 0.6]], 0, made)
    assert worst_program(found) == made[1]
    assert worst_program(found, 0) == made[2]
    assert worst_program(replace(found, decisions=made[3:])) is None


def test_a_card_is_one_small_file_that_runs_and_loads_nothing(page_text: str, replay: Replay) -> None:
    assert len(page_text.encode()) < MOST
    assert "data:image/gif;base64," in page_text
    assert not re.search(r"<script|<link|<iframe|javascript:|https?://(?!www\.w3\.org)", page_text)
    assert "default-src 'none'" in page_text
    for name in set(replay.agents):
        assert html.escape(name) in page_text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("course", "edition"), size([("risky_exchange", "2005")], [("risky_exchange", "2005"), ("terraces", "community")])
)
def test_every_edition_has_cards(course: str, edition: str) -> None:
    race = record_race(course, edition=edition, max_rounds=2)
    assert len(card(race, review(race, simulations=FEW)).encode()) < MOST


def test_names_of_strangers_stay_text(replay: Replay, looked_back: Review) -> None:
    bad = '<img src=x onerror="alert(1)">\x1b[2J'
    agents = (bad, *replay.agents[1:])
    text = card(replace(replay, agents=agents), replace(looked_back, agents=agents), title="</title><script>")
    assert "<img src=x" not in text
    assert "<script" not in text
    assert "\x1b" not in text


def test_the_card_opens_from_a_file(page: Any, page_text: str, tmp_path: Path) -> None:
    path = tmp_path / "card.html"
    path.write_text(page_text, encoding="utf-8")
    for screen in ((1400, 900), (375, 760)):
        page.set_viewport_size({"width": screen[0], "height": screen[1]})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.goto(path.as_uri())
            loaded = "[...document.images].every(each => each.complete && each.naturalWidth > 100)"
            assert page.evaluate(loaded)
            assert overflow(page) <= 0
            assert low_contrasts(page) == []


def test_the_command_writes_a_card(roborally: Any, replay: Replay, tmp_path: Path) -> None:
    race, out = tmp_path / "race.json", tmp_path / "card.html"
    save(replay, race)
    code, printed, _ = roborally("watch", race, "--card", out, "--simulations", FEW)
    assert (code, printed.strip()) == (0, str(out))
    assert out.stat().st_size < MOST


@pytest.mark.parametrize(
    ("given", "match"),
    [
        (["race.json", "--card", "card.png"], "card.png.*html"),
        (["race.json", "--card", "none/../folder.html"], "folder"),
        (["missing.json", "--card", "card.html"], "missing.json"),
        (["race.json", "--card", "card.html", "--gif", "race.gif"], "--card.*--gif"),
        (["race.json", "--card", "card.html", "--review"], "--card.*--review"),
    ],
)
def test_wrong_input_is_one_line(
    roborally: Any, replay: Replay, tmp_path: Path, monkeypatch: Any, given: Any, match: str
) -> None:
    monkeypatch.chdir(tmp_path)
    save(replay, tmp_path / "race.json")
    (tmp_path / "folder.html").mkdir()
    (tmp_path / "none").mkdir()
    code, _, printed = roborally("watch", *given)
    assert code == 2
    assert re.search(match, printed)
    assert "Traceback" not in printed
