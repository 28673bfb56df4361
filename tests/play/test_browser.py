"""Races in a real browser: by clicks, by keys, by dragging, with lost connections, two windows, a small screen."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from roborally_env.replay import load, play
from tests.play.helpers import COMPLETE, LIGHTER, RACE_2005, Served, served

PATIENCE = 300_000  # ms: machine code may have to be made first
SHORT = {**LIGHTER, "seed": 11}


@contextmanager
def race(page: Any, path: Path, **given: Any) -> Iterator[Served]:
    """A race, with its first seat's page open and something asked there."""
    with served(path, **given) as table:
        page.goto(table.link())
        asked(page)
        yield table
        page.goto("about:blank")


def asked(page: Any) -> None:
    """Wait until the player is asked something."""
    page.wait_for_selector(".desk.is-asked", timeout=PATIENCE)


def lay(page: Any) -> None:
    """Lay the first cards that may be laid, by clicks."""
    while page.locator(".confirm").is_disabled():
        page.locator(".hand-card:not(.is-off) button").first.click()


def answer(page: Any) -> str:
    """Answer what is asked, or skip to what holds; what was done."""
    if page.locator(".desk.is-over").count():
        return "over"
    if page.locator(".desk.is-asked .hand").count():
        lay(page)
        page.locator(".confirm").click()
        page.wait_for_function("!document.querySelector('.confirm') || document.querySelector('.confirm').disabled")
        page.wait_for_selector(".desk:not(:has(.confirm))", timeout=PATIENCE)
        return "program"
    if page.locator(".desk.is-asked .answer").count():
        question = page.locator(".desk").inner_html()
        button = page.locator(".answer").last
        button.click()
        page.wait_for_function("html => document.querySelector('.desk').innerHTML !== html", arg=question)
        return "choice"
    page.keyboard.press("s")
    page.wait_for_timeout(30)
    return "wait"


def play_to_the_end(page: Any) -> list[str]:
    """Everything that the player did."""
    done: list[str] = []
    while not done or done[-1] != "over":
        try:
            done.append(answer(page))
        except Exception as error:  # the desk changed between a look and a click
            if "Timeout" not in type(error).__name__:
                raise
        assert len(done) < 3000
    return done


@pytest.mark.parametrize("given", [SHORT, {**COMPLETE, "seed": 5}], ids=["lighter", "complete"])
def test_a_whole_race_is_played_by_clicks(page: Any, tmp_path: Path, given: dict[str, Any]) -> None:
    page.set_default_timeout(10_000)
    with race(page, tmp_path / "race.json", **given) as table:
        done = play_to_the_end(page)
        assert "program" in done
        assert table.table.race is not None
        if "rules" not in given:
            assert "choice" in done
            assert int(table.table.race.batch.games[0]["bought"][0])  # the last card of the shop, each time
        places = page.locator(".places li").all_inner_texts()
        assert len(places) == 4
        assert sum("(player 1)" in place for place in places) == 1
        with page.expect_download() as download:
            page.get_by_text("Download the replay").click()
        download.value.save_as(tmp_path / "downloaded.json")
        *_, end = play(load(tmp_path / "downloaded.json"))
        assert end.over
        assert end.number == table.table.race.result()["rounds"]


def test_turns_of_2005_are_played_by_clicks(page: Any, tmp_path: Path) -> None:
    page.set_default_timeout(10_000)
    with race(page, tmp_path / "race.json", **RACE_2005) as table:
        while table.table.race is None or table.table.race.round < 4:
            assert answer(page) != "over"
        assert "flag" in page.locator("#panels").inner_html().lower()


def test_a_program_is_laid_by_keys(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT) as table:
        race_ = table.table.race
        assert race_ is not None
        hand = race_.open[0].hand
        slots = [i for i, card in enumerate(hand) if card != "again"][:6]
        filled = page.locator(".registers .slot.is-full")
        for slot in slots[:5]:
            page.keyboard.press(str(slot + 1))
        assert filled.count() == 5
        page.keyboard.press("Backspace")
        assert filled.count() == 4
        page.keyboard.press(str(slots[5] + 1))
        page.keyboard.press("Enter")
        page.wait_for_selector(".desk:not(:has(.confirm))", timeout=PATIENCE)
        laid = tuple(race_.recorder.batch.programs_laid[0, 0].tolist())
        assert laid == (*slots[:4], slots[5])


def test_a_question_is_answered_by_keys(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COMPLETE) as table:
        assert page.locator(".asked").inner_text().startswith("The upgrade phase: buy one of these?")
        assert page.evaluate("document.activeElement === document.body")  # Enter alone answers nothing
        page.keyboard.press("Enter")
        page.keyboard.press("2")
        title = page.evaluate("document.activeElement.querySelector('.answer-title span').textContent")
        page.keyboard.press("Enter")
        page.wait_for_function("title => document.getElementById('panels').innerText.includes(title)", arg=title)
        assert table.table.race is not None
        assert int(table.table.race.batch.games[0]["bought"][0]).bit_count() == 1


def test_a_confirmed_program_is_shown_while_others_are_waited_for(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **{**SHORT, "opponents": ["random"] * 2}, humans=2, names=["Ann", "Bob"]):
        lay(page)
        cards = page.locator(".registers .rr-title").all_inner_texts()
        page.locator(".confirm").click()
        page.wait_for_selector(".desk.is-idle")
        for _ in range(2):  # the second time after the page was loaded again
            page.get_by_text("Waiting for robot 1 (Bob) …").wait_for()
            assert page.locator(".registers .rr-title").all_inner_texts() == cards
            page.reload()


def test_the_race_is_shown_moment_by_moment_and_can_be_skipped(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT):
        page.select_option("#speed", "8")
        lay(page)
        page.locator(".confirm").click()
        page.wait_for_selector(".skip")
        page.wait_for_selector(".desk .slot.is-lit")
        assert page.locator("#clock").inner_text().startswith("Round 1 · register ")
        page.wait_for_selector(".rr-register.rr-lit .rr-card[data-card]")
        page.select_option("#speed", "0.5")
        page.locator(".skip").click()
        page.wait_for_selector(".desk:not(:has(.skip))")
        page.wait_for_function("document.querySelectorAll('#log li').length > 8")


SKIP_AFTER_EACH_MESSAGE = """
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  set onmessage(take) {
    const skip = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true }));
    super.onmessage = (event) => { take(event); skip(); };
  }
};
"""


def test_what_is_not_there_yet_can_be_skipped_to_as_well(page: Any, tmp_path: Path) -> None:
    """Between the header and the first state there is nothing to be shown."""
    page.add_init_script(SKIP_AFTER_EACH_MESSAGE)
    with race(page, tmp_path / "race.json", **SHORT):
        assert page.locator("#panels [data-robot]").count() == 4


def test_again_is_not_to_be_laid_first(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **{**LIGHTER, "seed": seed_with_again()}) as table:
        assert table.table.race is not None
        slot = table.table.race.open[0].hand.index("again")
        card = page.locator(".hand-card").nth(slot)
        assert "is-off" in (card.get_attribute("class") or "")
        page.keyboard.press(str((slot + 1) % 10))
        assert page.locator(".registers .is-full").count() == 0
        assert "Again may not lie in register 1." in page.locator(".toast").inner_text()
        page.keyboard.press("ArrowRight")
        page.keyboard.press(str((slot + 1) % 10))
        assert page.locator(".registers .slot").nth(1).get_attribute("class") == "slot is-full"


def seed_with_again() -> int:
    """A seed with which the first hand has an Again."""
    from tests.play.helpers import new_race

    return next(seed for seed in range(50) if "again" in new_race(**{**LIGHTER, "seed": seed}).open[0].hand)


def test_cards_are_dragged_into_registers_and_from_one_to_another(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT):
        free = page.locator(".hand-card:not(.is-off)").first
        drag(page, free, page.locator(".registers .slot").nth(3))
        assert filled(page) == [3]
        drag(page, page.locator(".registers .slot").nth(3), page.locator(".registers .slot").nth(1))
        assert filled(page) == [1]
        drag(page, page.locator(".registers .slot").nth(1), page.locator("#title"))
        assert filled(page) == [1]
        assert page.locator(".ghost, .may-drop").count() == 0
        page.locator(".registers .slot button").nth(1).click()
        assert filled(page) == []


def filled(page: Any) -> list[int]:
    """The registers with a card, from 0."""
    classes = [slot.get_attribute("class") or "" for slot in page.locator(".registers .slot").all()]
    return [k for k, each in enumerate(classes) if "is-full" in each]


def drag(page: Any, source: Any, target: Any) -> None:
    """By the mouse, in steps as a hand makes them."""
    source.hover()
    page.mouse.down()
    box = target.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()


def drop_connection(table: Served) -> None:
    """The socket of the first seat breaks."""
    server = table.server
    closing = server.pages[0].socket.close(1011)
    asyncio.run_coroutine_threadsafe(closing, server._loop).result(10)


def test_a_lost_connection_comes_back_and_the_program_still_lies_there(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT) as table:
        lay(page)
        drop_connection(table)
        page.wait_for_selector("#banner:not([hidden])")
        page.wait_for_selector("#banner", state="hidden", timeout=PATIENCE)
        assert page.locator(".registers .is-full").count() == 5
        page.locator(".confirm").click()
        page.wait_for_selector(".desk:not(:has(.confirm))", timeout=PATIENCE)


def test_a_page_that_is_loaded_again_goes_on_where_it_was(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT) as table:
        while table.table.race is None or table.table.race.round < 2 or not table.table.race.programming:
            answer(page)
        page.keyboard.press("s")
        asked(page)
        lay(page)
        cards = page.locator(".registers").inner_text()
        lines = page.locator("#log li").count()
        page.reload()
        asked(page)
        assert page.locator(".registers").inner_text() == cards
        assert page.locator("#clock").inner_text().startswith("Round 2")
        assert page.locator("#log li").count() >= lines - 1
        page.locator(".confirm").click()
        page.wait_for_selector(".desk:not(:has(.confirm))", timeout=PATIENCE)


def test_the_newer_of_two_windows_plays_and_the_older_says_so(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT) as table:
        newer = page.context.new_page()
        newer.goto(table.link())
        asked(newer)
        page.wait_for_selector("#banner:not([hidden])")
        assert "played in another window" in page.locator("#banner").inner_text()
        lay(newer)
        newer.locator(".confirm").click()
        newer.wait_for_selector(".desk:not(:has(.confirm))", timeout=PATIENCE)
        page.get_by_role("button", name="Play here").click()
        page.wait_for_selector("#banner", state="hidden")
        newer.wait_for_selector("#banner:not([hidden])")
        newer.close()


def test_a_message_that_is_refused_is_shown_and_can_be_sent_anew(page: Any, tmp_path: Path) -> None:
    page.add_init_script(
        "const send = WebSocket.prototype.send; let first = true;"
        "WebSocket.prototype.send = function (text) {"
        "  const wrong = first && text.includes('program');"
        "  if (wrong) first = false;"
        "  send.call(this, wrong ? text.replace(/.number.:\\d+/, '\"number\":999') : text); };"
    )
    with race(page, tmp_path / "race.json", **SHORT):
        lay(page)
        page.locator(".confirm").click()
        page.wait_for_selector(".toast")
        assert page.locator(".toast").inner_text() == "question 999 is unknown: question 1 is open"
        page.locator(".confirm").click()
        page.wait_for_selector(".desk:not(:has(.confirm))", timeout=PATIENCE)


def test_names_are_text_and_nothing_else(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **SHORT, names=["<img src=x><b>Ann</b>"]):
        assert page.locator("#panels b:text('Ann')").count() == 0
        assert "<img src=x><b>Ann</b>" in page.locator("#panels").inner_text()


@pytest.mark.parametrize(("width", "height"), [(375, 667), (768, 1024), (1400, 900)])
@pytest.mark.parametrize(("given", "scheme"), [(SHORT, "light"), (RACE_2005, "dark")], ids=["2016-light", "2005-dark"])
def test_board_and_hand_are_seen_together_on_every_screen(
    page: Any, tmp_path: Path, width: int, height: int, given: dict[str, Any], scheme: str
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=scheme)
    with race(page, tmp_path / "race.json", **given):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        board = page.locator("#board svg").bounding_box()
        confirm = page.locator(".confirm").bounding_box()
        hand = page.locator(".hand").bounding_box()
        assert board["width"] >= 0.5 * min(width, 700)
        assert board["y"] >= 0
        assert hand["y"] + hand["height"] <= height + 1
        assert 0 <= confirm["y"] <= height - 40
        assert board["y"] + board["height"] <= hand["y"]
        for card in page.locator(".hand-card button").all():
            assert card.bounding_box()["height"] >= 44  # a finger's width
