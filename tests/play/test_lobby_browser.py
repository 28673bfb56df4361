"""The start page, those who watch, the timer and a race that goes on, in a real browser."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from roborally_env.play.clock import Timer
from tests.browser import open_page, overflow, shows, shows_first, tab_stops, until
from tests.contrast import low_contrasts
from tests.play.desk import PATIENCE, answer, asked, asked_now, place_cards, play_to_the_end, race, served_to
from tests.play.helpers import LIGHTER, Served, wait_for
from tests.play.test_server import Page
from tests.sizes import each_once

SIZES = [(1400, 900), (800, 1000), (375, 760)]


@pytest.fixture
def lobby(page: Any, tmp_path: Path) -> Iterator[Served]:
    """The start page, open."""
    with served_to(page, tmp_path / "race.json") as found:
        page.goto(found.server.start_link)
        page.wait_for_selector("#choice:not([hidden])")
        yield found


def begin(page: Any) -> None:
    """Start the race, and wait for the first question."""
    page.locator("#begin").click()
    page.wait_for_url("**/seat/*", timeout=PATIENCE)
    asked(page)


def until_round(page: Any, table: Served, number: int) -> None:
    """Play until a program is asked in that round."""
    while table.table.race.round < number or asked_now(page) != "program":
        assert answer(page) != "over"


def lighter(page: Any) -> None:
    page.locator("summary", has_text="More").click()
    page.locator("#lighter").check()


def test_one_click_starts_a_race_over_three_checkpoints(page: Any, lobby: Served) -> None:
    facts = page.locator("#facts").inner_text()
    assert facts.startswith("Fractionation\n")
    assert re.search(r"difficulty 2 of 5.*3 checkpoints · about \d+ rounds · 2–6 players", facts, re.DOTALL)
    assert page.locator(".card input:checked").input_value() == "fractionation"
    begin(page)
    assert lobby.table.setup.course.slug == "fractionation"
    assert lobby.table.setup.opponents == ("easy",) * 3
    assert lobby.table.setup.people == ("player 1",)


def test_what_is_chosen_is_seen_in_the_colours_of_the_system(page: Any, lobby: Served) -> None:
    page.emulate_media(forced_colors="active")
    ground = "span => getComputedStyle(span).backgroundColor"
    for pills in ("#editions", "#levels"):
        chosen, others = (
            page.locator(f"{pills} input{state} + span").evaluate_all(f"spans => spans.map({ground})")
            for state in (":checked", ":not(:checked)")
        )
        assert chosen[0] not in others
    outline = "card => getComputedStyle(card).outlineStyle"
    assert page.locator(".card:has(input:checked)").evaluate(outline) == "solid"
    assert page.locator(".card:not(:has(input:checked))").first.evaluate(outline) == "none"


def test_all_of_a_race_is_chosen_by_mouse(page: Any, lobby: Served) -> None:
    page.get_by_text("2005", exact=True).click()
    assert page.locator("#facts strong").inner_text() == "Risky Exchange"
    page.locator("#difficulty").select_option("mid")
    page.locator("#fits").select_option("8")
    titles = page.locator("#courses .card-title").all_inner_texts()
    assert titles == ["Surprise me", "Island Hop", "Twister"]
    page.get_by_text("Twister").click()
    assert page.locator("#players").input_value() == "5"  # it takes five to eight
    page.locator("#players").select_option("6")
    page.locator("#humans").select_option("2")
    page.get_by_label("Your name").fill("Ann")
    page.get_by_label("Name of player 2").fill("Bob")
    page.get_by_text("Choose", exact=True).click()
    page.locator("#agents select").nth(3).select_option("random")
    page.locator("summary", has_text="More").click()
    page.locator("#timer").select_option("60")
    page.locator("#bots").select_option("0")
    page.locator("#lighter").check()
    page.locator("#seed").fill("77")
    page.locator("#begin").click()
    page.wait_for_selector("#links:not([hidden])", timeout=PATIENCE)
    setup = lobby.table.setup
    assert (setup.course.slug, setup.course.edition, setup.seed) == ("twister", "2005", 77)
    assert setup.people == ("Ann", "Bob")
    assert setup.opponents == ("easy", "easy", "easy", "random")
    assert setup.timer == Timer(60, 0)
    assert setup.rules["options"] is False
    links = [field.input_value() for field in page.locator(".link-field input").all()]
    assert links == [lobby.link(1), lobby.server.watch_link]
    page.get_by_role("link", name="Take your seat").click()
    asked(page)
    assert page.url == lobby.link()


def test_a_surprise_is_shown_before_it_is_raced(page: Any, lobby: Served) -> None:
    page.get_by_text("Surprise me").click()
    shown = "document.querySelector('#picture').complete && document.querySelector('#picture').naturalWidth > 0"
    until(page, shown)
    before = page.locator("#picture").get_attribute("src")
    page.locator("#reroll").click()
    page.locator("#band").select_option("1")
    assert page.locator("#picture").get_attribute("src") != before
    page.locator("#course-seed").fill("12")
    page.locator("#course-seed").press("Tab")
    assert "difficulty=1&seed=12" in str(page.locator("#picture").get_attribute("src"))
    lighter(page)
    begin(page)
    assert "difficulty=1" in lobby.table.setup.course.slug
    assert "seed=12" in lobby.table.setup.course.slug


def test_a_race_is_chosen_and_started_by_keys_alone(page: Any, lobby: Served) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "course":
            break
    page.keyboard.press("ArrowRight")
    chosen = page.locator(".card input:checked").input_value()
    assert chosen != "fractionation"
    assert page.evaluate("document.activeElement.value") == chosen
    page.get_by_label("Your name").focus()
    page.keyboard.type("Eve")
    page.keyboard.press("Enter")
    page.wait_for_url("**/seat/*", timeout=PATIENCE)
    assert lobby.table.setup.course.slug == chosen
    assert lobby.table.setup.people == ("Eve",)


def test_the_courses_are_one_stop_of_the_tab_key(page: Any, lobby: Served) -> None:
    assert len(tab_stops(page)) < 16


def test_what_is_wrong_is_one_line_on_the_page(browser: Any, tmp_path: Path) -> None:
    errors: list[str] = []
    page = open_page(browser, errors)
    with served_to(page, tmp_path / "race.json") as lobby:
        page.goto(lobby.server.start_link)
        page.wait_for_selector("#choice:not([hidden])")
        wrong_choices(page)
        assert lobby.table is None
    page.context.close()
    assert len(errors) == 1  # the browser's own line about an answer 400
    assert "400 (Bad Request)" in errors[0]


def wrong_choices(page: Any) -> None:
    page.locator("#humans").select_option("2")
    for name in ("Your name", "Name of player 2"):
        page.get_by_label(name).fill("Ann")
    page.locator("#begin").click()
    until(page, "document.querySelector('#wrong').textContent")
    assert page.locator("#wrong").inner_text() == "names: expected each name once, got Ann, Ann"
    page.locator("summary", has_text="More").click()
    page.locator("#seed").fill("-3")
    page.locator("#begin").click()
    until(page, "document.querySelector('#wrong').textContent.startsWith('The random seed')")


def test_what_was_chosen_is_there_the_next_time(page: Any, lobby: Served) -> None:
    page.get_by_label("Your name").fill("Ann")
    page.get_by_text("Twister").click()
    page.locator("summary", has_text="More").click()
    page.locator("#timer").select_option("30")
    begin(page)
    page.goto(lobby.server.start_link)
    page.wait_for_selector("#choice:not([hidden])")
    assert page.get_by_label("Your name").input_value() == "Ann"
    assert page.locator("#facts strong").inner_text() == "Twister"
    assert page.locator("#timer").input_value() == "30"
    assert re.search(r"Twister.*\b1\b", page.locator("#running").inner_text(), re.DOTALL)
    page.get_by_role("link", name="Back to the race").click()
    asked(page)


@pytest.mark.parametrize(("size", "scheme"), each_once(SIZES, ["light", "dark"]), ids=str)
def test_the_page_fits_every_screen(browser: Any, tmp_path: Path, size: tuple[int, int], scheme: str) -> None:
    errors: list[str] = []
    page = open_page(browser, errors, viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    with served_to(page, tmp_path / "race.json") as lobby:
        page.goto(lobby.server.start_link)
        page.wait_for_selector("#choice:not([hidden])")
        page.locator("summary", has_text="More").click()
        # what was opened can be seen whole, above the button
        seed, foot = (
            "document.querySelector('" + which + "').getBoundingClientRect()" for which in ("#seed", ".setup-foot")
        )
        until(page, f"{seed}.bottom <= {foot}.top")
        page.get_by_text("Choose", exact=True).click()
        for edition in ("2005", "2016"):
            page.get_by_text(edition, exact=True).click()
            assert overflow(page) == 0
            assert low_contrasts(page) == []
        page.get_by_text("Surprise me").click()
        assert overflow(page) == 0
        assert low_contrasts(page) == []
        if size[0] >= 1000:
            page.locator("summary", has_text="More").click()
            box = page.locator("#begin").bounding_box()
            assert box["y"] + box["height"] <= size[1]
    page.context.close()
    assert not errors, errors


@pytest.mark.slow
def test_rematch_watch_and_another_course_at_the_end(page: Any, lobby: Served) -> None:
    page.get_by_text("Dizzy Highway").click()
    page.locator("#players").select_option("2")
    lighter(page)
    page.locator("#seed").fill("4")
    begin(page)
    play_to_the_end(page)
    first = lobby.table.id
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Watch the race").click()
    opened.value.wait_for_selector(".rr-board")
    opened.value.close()
    page.get_by_role("button", name="Race again").click()
    wait_for(lambda: lobby.table.id != first, "the rematch")
    asked(page)
    play_to_the_end(page)
    page.get_by_role("link", name="Another course").click()
    page.wait_for_selector("#choice:not([hidden])")
    shows(page.locator("#running"), "The race on Dizzy Highway is over.")
    page.get_by_text("Sprint Cramp").click()
    begin(page)
    assert lobby.table.setup.course.slug == "sprint_cramp"
    assert lobby.table.path.name == "race_3.json"


def test_who_watches_sees_the_race_live_and_is_counted(browser: Any, page: Any, lobby: Served) -> None:
    lighter(page)
    begin(page)
    page.locator("#watching").click()
    link = page.get_by_label("To watch", exact=True).input_value()
    assert link == lobby.server.watch_link
    page.keyboard.press("Escape")
    errors: list[str] = []
    other = open_page(browser, errors)
    other.goto(link)
    other.wait_for_selector("#panels [data-robot]")
    until(page, "document.querySelector('#watching').textContent === '1 watching'")
    assert other.locator(".hand").count() == 0
    shows(other.locator("#desk"), "Waiting for robot 0 (player 1)")
    place_cards(page)
    page.locator(".confirm").click()
    until(other, "document.querySelector('#clock').textContent.includes('register')")
    other.keyboard.press("s")
    assert low_contrasts(other) == []
    other.context.close()
    until(page, "document.querySelector('#watching').textContent === 'Invite'")
    assert not errors, errors


def test_who_watches_sees_the_result_and_no_rematch(browser: Any, page: Any, tmp_path: Path) -> None:
    with served_to(page, tmp_path / "race.json", **{**LIGHTER, "max_rounds": 1}) as table:
        page.goto(table.server.watch_link)
        player = Page(table)
        player.answer(random.Random(1))
        player.read_until(lambda each: each.now.get("phase") == "over", "the end")
        page.wait_for_selector("#desk .spinner", state="detached", timeout=PATIENCE)
        page.keyboard.press("s")
        page.wait_for_selector(".desk.is-over", timeout=PATIENCE)
        assert (
            page.get_by_role("button", name="Race again").count()
            == page.get_by_role("link", name="Another course").count()
            == 0
        )
        assert page.get_by_role("link", name="Watch the race").count() == 1


def test_the_timer_counts_down_and_fills_what_is_empty(
    page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with race(page, tmp_path / "race.json", **LIGHTER, timer=8, bot_time=0, max_rounds=2) as table:
        page.locator(".hand-card:not(.is-off) button").first.click()
        page.wait_for_selector("#timer:not([hidden])")
        assert re.fullmatch("0:0[1-8]", page.locator("#timer").inner_text())
        assert "is-short" in str(page.locator("#timer").get_attribute("class"))
        assert low_contrasts(page) == []
        page.wait_for_selector(".toast")
        shows(page.locator(".toast"), "Time is up")
        page.wait_for_selector("#timer", state="hidden")
        raced = table.table.race
        wait_for(lambda: raced.round == 2, "the round")
        assert raced.replay().rounds[0].opened[0] == 0b11110
        page.keyboard.press("s")
        asked(page)


def test_the_bar_has_room_for_timer_and_watchers_on_a_phone(browser: Any, tmp_path: Path) -> None:
    errors: list[str] = []
    page = open_page(browser, errors, viewport={"width": 375, "height": 760})
    with served_to(page, tmp_path / "race.json", **LIGHTER, timer=300, bot_time=0) as table:
        page.goto(table.link())
        asked(page)
        watching = Page(table, token=table.server.watch_token, kind="watch")
        page.wait_for_selector("#timer:not([hidden])")
        until(page, "document.querySelector('#watching').textContent === '1 watching'")
        assert overflow(page) == 0
        assert page.locator("#help").bounding_box()["x"] + 32 <= 375
        watching.stack.close()
    page.context.close()
    assert not errors, errors


def test_a_page_stays_when_its_race_goes_on_after_a_kill(page: Any, tmp_path: Path) -> None:
    """The server is gone, and another one has the same port and the file: the open page is back in its race."""
    from roborally_env.play.race import going_on

    long = {**LIGHTER, "course": "fractionation"}
    with race(page, tmp_path / "race.json", **long) as table:
        until_round(page, table, 2)
        kept = (tmp_path / "race.json").read_text()
        link = table.link()
    (tmp_path / "race.json").write_text(kept)  # as it was before the server had time for its end
    going, keys = going_on(tmp_path / "race.json")
    with served_to(page, tmp_path / "race.json", race=going, keys=keys) as later:
        page.goto(link.replace(link.split("/")[2], later.host))
        asked(page)
        shows_first(page.locator("#clock"), "Round 2")
        assert len(later.table.race.replay().rounds) == 1
        until_round(page, later, 3)
