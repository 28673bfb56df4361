"""The pages of `roborally play` have no serious finding of axe-core: the desk with each kind of question, the start
page, the guided race, who watches, notices."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from roborally_env.play.review_page import LookBack
from tests.axe import serious, serious_everywhere
from tests.browser import open_page
from tests.play.desk import PATIENCE, asked, play_to_the_end, race, served_to
from tests.play.helpers import COMPLETE, LIGHTER, RACE_2005, served
from tests.sizes import size


@pytest.mark.parametrize("given", size([RACE_2005], [COMPLETE, RACE_2005, LIGHTER]), ids=str)
def test_the_desk(page: Any, tmp_path: Path, given: dict[str, Any]) -> None:
    with race(page, tmp_path / "race.json", **given):
        assert serious_everywhere(page) == {}
        for keys in (("+", "f", "+"), ("t",), ("t", "?")):
            for key in keys:
                page.keyboard.press(key)
            assert serious(page) == [], keys


def test_the_start_page(page: Any, tmp_path: Path) -> None:
    with served_to(page, tmp_path / "race.json") as table:
        page.goto(table.server.start_link)
        page.wait_for_selector("#choice:not([hidden])")
        assert serious_everywhere(page) == {}
        page.locator("summary", has_text="More").click()
        assert serious(page) == []


@pytest.mark.slow
def test_the_guided_race_and_who_watches_it(page: Any, tmp_path: Path) -> None:
    with served_to(page, tmp_path / "race.json") as table:
        page.goto(table.server.start_link)
        page.locator("#guide").click()
        page.wait_for_url("**/seat/*", timeout=PATIENCE)
        asked(page)
        assert serious_everywhere(page) == {}
        page.goto(table.server.watch_link)
        page.wait_for_selector(".rr-stage", timeout=PATIENCE)
        assert serious_everywhere(page) == {}


@pytest.mark.slow
def test_the_page_that_waits_for_a_look_back(
    page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    made = threading.Event()
    request.addfinalizer(made.set)
    monkeypatch.setattr(LookBack, "_made", lambda back: made.wait(60) and "")
    with race(page, tmp_path / "race.json", **{**LIGHTER, "max_rounds": 1}) as table:
        play_to_the_end(page)
        assert serious_everywhere(page) == {}  # the result
        page.goto(f"{table.link()}/review")
        page.wait_for_selector("h1")
        assert serious_everywhere(page) == {}


def test_notices_for_links_that_open_no_seat(browser: Any, tmp_path: Path) -> None:
    page = open_page(browser, [])  # the console tells of the answer 403, as it should
    with served(tmp_path / "race.json", **LIGHTER) as table:
        for path in ("", "seat/unknown"):
            page.goto(f"http://{table.host}/{path}")
            page.wait_for_selector("h1")
            assert serious_everywhere(page) == {}, path
    page.context.close()
