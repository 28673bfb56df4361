"""The pages of `roborally watch` have no serious finding of axe-core: every size, light and dark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roborally_env.review import review
from roborally_env.review.pages import review_page
from roborally_env.watch import replay_page
from roborally_env.watch.index import Bar, Listed, index_page
from tests.axe import serious, serious_everywhere
from tests.browser import resize
from tests.sizes import size
from tests.watch.conftest import record_race


@pytest.mark.parametrize(
    ("course", "edition", "players"),
    size(
        [("passing_lane", "2016", 4)], [("burnout", "2016", 6), ("island_king", "2005", 8), ("passing_lane", "2016", 4)]
    ),
)
def test_the_page_of_a_race(page: Any, tmp_path: Path, course: str, edition: str, players: int) -> None:
    path = tmp_path / "race.html"
    path.write_text(replay_page(record_race(course, edition=edition, players=players, max_rounds=2)), encoding="utf-8")
    page.goto(f"{path.as_uri()}#m=70")
    page.wait_for_selector(".rr-stage")
    assert serious_everywhere(page) == {}
    for keys in (("+", "f", "+", "+"), ("t",), ("End",), ("t", "0"), ("?",)):
        for key in keys:
            page.keyboard.press(key)
        assert serious(page) == [], keys


@pytest.mark.slow
def test_the_page_of_a_replay_that_is_not_as_recorded(page: Any, tmp_path: Path) -> None:
    path = tmp_path / "race.html"
    doubts = ["versions.rules: rules version 1"]
    path.write_text(replay_page(record_race(max_rounds=1), doubts=doubts), encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_selector(".rr-warning")
    assert serious_everywhere(page) == {}


COLUMNS = ("races", "mean place", "rounds to win", "reboots", "damage taken")


def test_the_list_of_races(page: Any, tmp_path: Path) -> None:
    races = [Listed("A win of <greedy>", "in 4 rounds", "a.html", "a.json"), Listed("Closest finish", "in 9", "b.html")]
    agent = "ppo:weights=out/a_folder_of_mine/weights.npz"
    rows = [Bar(agent, 0.6, 0.5, 0.7, ("12", *["3.4"] * 4)), Bar("random", 0.1, 0.05, 0.2, ("20", *["9.9"] * 4))]
    path = tmp_path / "index.html"
    text = index_page("Results", "2 races", races, rows=rows, columns=COLUMNS, files=["result.json"])
    path.write_text(text, encoding="utf-8")
    page.goto(path.as_uri())
    assert serious_everywhere(page) == {}
    resize(page, 1400, 900)
    assert page.locator(".rr-scroll").evaluate("box => box.scrollWidth <= box.clientWidth")  # also with a long name


@pytest.mark.slow
def test_the_page_of_a_race_that_was_looked_back_on(page: Any, tmp_path: Path) -> None:
    race = record_race("dizzy_highway", max_rounds=3, agents=("planner", "greedy", "random", "random 2"))
    path = tmp_path / "race.html"
    path.write_text(review_page(race, review(race, simulations=1_000)), encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_selector(".rr-review")
    assert serious_everywhere(page) == {}
    page.locator(".rr-chances summary").click()
    page.keyboard.press("n")  # a mark: its programs, its ways on the board
    page.wait_for_selector(".rr-ghosts")
    assert serious_everywhere(page) == {}
