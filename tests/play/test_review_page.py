"""Looking back on a race that is over: the page is made while somebody waits for it, and disturbs no other race."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from roborally_env import review as reviewing
from roborally_env.play import review_page
from roborally_env.play.review_page import LookBack
from roborally_env.replay import save
from tests.play.desk import PATIENCE, served_to
from tests.play.helpers import COMPLETE, Served, served, wait_for
from tests.play.test_server import Page, get
from tests.watch.conftest import record_race

SHORT = {**COMPLETE, "max_rounds": 2}  # whose machine code of reviews other tests need too


@pytest.fixture
def replay_file(tmp_path: Path) -> Path:
    """A race of two rounds."""
    path = tmp_path / "race.json"
    save(record_race(max_rounds=2), path)
    return path


class Held:
    """In place of `review`: it goes on round by round, each when it is let."""

    def __init__(self) -> None:
        self.calls, self.ended = 0, threading.Event()
        self.turns = threading.Semaphore(0)

    def __call__(self, replay: Any, *, progress: Callable[[int, int], None]) -> Any:
        self.calls += 1
        try:
            for done in range(5):
                progress(done, 5)
                self.turns.acquire(timeout=20)
        finally:
            self.ended.set()
        return review(replay, simulations=1_000)


review = reviewing.review


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    found = Held()
    monkeypatch.setattr("roborally_env.review.review", found)
    yield found
    found.turns.release(100)


def ended(table: Served, dice: random.Random) -> Page:
    """A player's page, the race being over."""
    page = Page(table)
    while page.now.get("phase") != "over":
        page.answer(dice)
        page.read_until(lambda each: each.now.get("questions") or each.now.get("phase") == "over", "what comes")
    return page


def test_the_page_is_made_while_it_is_asked_for(replay_file: Path, held: Held) -> None:
    work = LookBack(replay_file)
    assert work.ask() == {"ready": False, "done": 0, "rounds": 0, "failure": ""}
    wait_for(lambda: work.ask()["rounds"] == 5, "the first round")
    held.turns.release(2)
    wait_for(lambda: work.ask()["done"] == 2, "two rounds")
    held.turns.release(3)
    wait_for(lambda: work.ask()["ready"], "the page", 300)
    assert "rr-review" in work.page
    assert work.ask()["ready"]
    assert held.calls == 1


def test_it_is_given_up_when_nobody_waits_and_begun_anew_for_the_next(
    replay_file: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = LookBack(replay_file)
    wait_for(lambda: work.ask()["rounds"] == 5, "the first round")
    monkeypatch.setattr(review_page, "PATIENCE", -1.0)  # so that whoever asked last has asked long ago
    assert not held.ended.is_set()
    held.turns.release()
    assert held.ended.wait(20)
    wait_for(lambda: not any(thread.name == review_page.THREAD for thread in threading.enumerate()), "the end")
    assert not work.page
    monkeypatch.setattr(review_page, "PATIENCE", 60.0)
    held.turns.release(10)
    wait_for(lambda: work.ask()["ready"], "the page", 300)
    assert held.calls == 2


@pytest.mark.parametrize("content", [None, "{}"])
def test_a_replay_that_cannot_be_read_is_reported(content: str | None, tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    if content:
        path.write_text(content)
    work = LookBack(path)
    found = wait_for(lambda: work.ask()["failure"], "a failure")
    assert "race.json: " in found
    assert "\n" not in found
    assert not work.ask()["ready"]


def test_a_race_that_cannot_be_judged_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "race.json"
    save(record_race("capture_the_flag", edition="2005", max_rounds=1), path)
    work = LookBack(path)
    assert "nothing says how likely a robot is to win" in wait_for(lambda: work.ask()["failure"], "a failure")


@pytest.mark.parametrize("part", ["/review", "/review/state"])
def test_without_the_token_or_before_the_end_there_is_nothing(part: str, tmp_path: Path) -> None:
    with served(tmp_path / "race.json", **SHORT) as table:
        status, _, text = get(table, f"/seat/wrong{part}")
        assert status == 403
        assert table.server.tokens[0] not in text
        Page(table).asked()
        assert get(table, f"/seat/{table.server.tokens[0]}{part}")[0] == 409  # it would show what the others hold
    assert not any(thread.name == review_page.THREAD for thread in threading.enumerate())


def test_a_race_is_played_on_while_the_last_one_is_looked_back_on(tmp_path: Path, held: Held) -> None:
    dice = random.Random(4)
    with served(tmp_path / "race.json", **SHORT) as table:
        page = ended(table, dice)
        seat = f"/seat/{table.server.tokens[0]}"
        status, headers, text = get(table, f"{seat}/review")
        assert (status, held.calls) == (200, 0)  # the page that waits; asking begins the work
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "progress.js" in text
        for _ in range(3):
            assert json.loads(get(table, f"{seat}/review/state")[2])["ready"] is False
        wait_for(lambda: held.calls, "the work's begin")
        page.send({"type": "rematch"})
        page.read_until(lambda each: each.now.get("questions"), "a question of the next race")
        assert get(table, f"{seat}/review/state")[0] == 409
        assert held.calls == 1
        assert ended(table, dice).now["phase"] == "over"


def test_the_page_is_served_with_its_own_policy(tmp_path: Path) -> None:
    with served(tmp_path / "race.json", **{**SHORT, "max_rounds": 1}) as table:
        ended(table, random.Random(4))
        seat = f"/seat/{table.server.tokens[0]}"
        state: dict[str, Any] = {}
        while not state.get("ready"):
            state = json.loads(get(table, f"{seat}/review/state")[2])
            assert not state["failure"]
            time.sleep(0.05)
        status, headers, text = get(table, f"{seat}/review")
        assert status == 200
        assert "rr-review" in text
        assert "default-src 'none'" in headers["content-security-policy"]
        assert table.server.tokens[0] not in text


@pytest.mark.parametrize(("part", "wanted"), [("review", ".rr-review"), ("card", "text=Save this card")])
def test_the_page_that_waits_goes_on_to_what_it_waits_for(
    page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str, wanted: str
) -> None:
    monkeypatch.setattr("roborally_env.review.review", lambda replay, progress: review(replay, simulations=1_000))
    with served_to(page, tmp_path / "race.json", **{**SHORT, "max_rounds": 1}) as table:
        ended(table, random.Random(4))
        page.goto(f"{table.link()}/{part}")
        page.wait_for_selector(wanted, timeout=PATIENCE)


def test_a_card_is_made_in_the_same_way_and_can_be_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roborally_env.review.review", lambda replay, progress: review(replay, simulations=1_000))
    with served(tmp_path / "race.json", **{**SHORT, "max_rounds": 1}) as table:
        link = f"/seat/{table.server.tokens[0]}/card"
        assert get(table, link)[0] == 409
        ended(table, random.Random(4))
        assert "Making a card" in get(table, link)[2]
        assert get(table, f"{link}/file")[0] == 409
        wait_for(lambda: json.loads(get(table, f"{link}/state")[2])["ready"], "the card", 120)
        assert "Save this card" in get(table, link)[2]
        status, headers, text = get(table, f"{link}/file")
        assert (status, headers["content-disposition"]) == (200, 'attachment; filename="race_card.html"')
        assert "Save this card" not in text
        assert [get(table, f"/seat/nobody/card{part}")[0] for part in ("", "/state", "/file")] == [403, 403, 403]
