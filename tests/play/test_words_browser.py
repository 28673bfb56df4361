"""Every number, badge, card and tile on the desk has its words; questions with all that they are about; hints."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest

from roborally_env.compiling.progress import Compiling, Progress
from roborally_env.core import upgrades
from roborally_env.play import table as tables
from tests.browser import shows, shows_first, until
from tests.games import put_on_mat
from tests.play.desk import PATIENCE, SHORT, decide_until, place_cards, play_to_the_end, race, to_programming
from tests.play.helpers import COMPLETE, RACE_2005, RACE_COMMUNITY
from tests.play.test_about_browser import words

# what is seen of numbers, badges and cards without words of its own or around it; sentences and names need none
WITHOUT_WORDS = """
() => {
  const things = ".rr-badge, .rr-dots, .rr-card, .rr-register, .rr-chip, .cost, .lasts, .place, .order li, .digit";
  const others = "p:not(.clock, .timer), .rr-who, .hint, .how-far, h1, option, svg, .unseen, .rr-hidden";
  const numbers = [...document.querySelectorAll(".bar *, #desk *, #panels *")]
    .filter((each) => !each.children.length && /[0-9]/.test(each.textContent) && !each.closest(others));
  const mute = [...document.querySelectorAll(things), ...numbers]
    .filter((each) => each.checkVisibility() && each.textContent !== "" && !/^robot [0-9]/.test(each.textContent))
    .filter((each) => !each.closest("[title], [data-about]"));
  return [...new Set(mute.map((each) => `${each.tagName}.${each.className}: ${each.textContent}`))];
}
"""


@pytest.mark.parametrize("given", [COMPLETE, RACE_2005, RACE_COMMUNITY], ids=["2016", "2005", "community"])
def test_everything_on_the_desk_has_words(page: Any, tmp_path: Path, given: dict[str, Any]) -> None:
    with race(page, tmp_path / "race.json", **{**given, "max_rounds": 1}):
        assert page.evaluate(WITHOUT_WORDS) == []
        to_programming(page)
        place_cards(page)
        assert page.evaluate(WITHOUT_WORDS) == []
        page.select_option("#speed", "0.5")
        page.locator(".confirm").click()
        page.wait_for_selector(".rr-robot:not(.is-own) .rr-register.rr-lit", timeout=PATIENCE)
        assert page.evaluate(WITHOUT_WORDS) == []
        play_to_the_end(page)
        assert page.evaluate(WITHOUT_WORDS) == []
        too_wide = "({ scrollWidth, clientWidth }) => scrollWidth - clientWidth"
        assert page.locator(".desk").evaluate(too_wide) <= 0


def test_words_of_which_others_speak_are_told_too(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COMPLETE) as table:
        assert table.table.race is not None
        decide_until(table, "program")
        page.keyboard.press("s")
        page.wait_for_selector(".hand")
        header = page.evaluate("document.querySelector('.rr-stat').title")
        assert header
        page.evaluate("document.querySelector('#panels .rr-stat').title = 'a SPAM for you'")
        page.locator("#panels .rr-stat").first.hover()
        shown = words(page)
        assert "A SPAM for you" in shown
        assert "SPAM Play the top card of the deck instead." in shown


def test_the_hand_is_seen_where_a_question_before_programming_is_about_it(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COMPLETE) as table:
        assert table.table.race is not None
        put_on_mat(table.table.race.batch.games[0], 0, upgrades.NUMBERS["recompile"])
        decide_until(table, "recompile")
        page.keyboard.press("s")
        page.locator(".asked", has_text="Use Recompile?").wait_for()
        hand = table.table.race.batch.games[0]["held"][0]
        assert page.locator(".hand .rr-card").count() == int(hand)
        assert page.locator(".led").count() == 0


def test_a_hint_for_a_purchase_points_at_an_answer(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COMPLETE) as table:
        shows(page.locator(".asked"), "Upgrade phase: buy one of these?")
        assert {*page.locator(".lasts").all_inner_texts()} <= {"permanent", "one use"}
        page.keyboard.press("h")
        page.wait_for_selector(".answer.is-hinted", timeout=PATIENCE)
        named = page.locator(".is-hinted .answer-title span").first.inner_text()
        shows_first(page.locator(".why"), f"{named}: ")
        assert table.table.race is not None
        assert table.table.race.hints == [1, 0, 0, 0]
        page.locator(".is-hinted").click()
        until(page, "!document.querySelector('.is-hinted')")


@pytest.mark.slow
def test_a_ghost_and_a_hint_that_wait_for_their_code_say_so(
    page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[Compiling | None] = [None]
    monkeypatch.setattr(Progress, "now", classmethod(lambda cls: found[0]))

    def slowly(work: Any) -> Any:
        def advise(*given: Any) -> Any:
            found[0] = Compiling("drive", 0.5, 40.0, 80.0)
            time.sleep(4)
            found[0] = None
            return work(*given)

        return advise

    for name in ("ghost_of", "hint_of"):
        monkeypatch.setattr(tables, name, slowly(getattr(tables, name)))
    with race(page, tmp_path / "race.json", **SHORT):
        page.locator(".hand-card:not(.is-off) button").first.click()
        page.locator(".way", has_text=re.compile("Compiling.*40 s")).wait_for(timeout=PATIENCE)
        page.locator(".way", has_text="Alone, your robot").wait_for(timeout=PATIENCE)
        page.keyboard.press("h")
        page.locator(".way", has_text="Compiling").wait_for(timeout=PATIENCE)
        page.wait_for_selector(".advice-cards", timeout=PATIENCE)
        page.keyboard.press("Escape")
        page.locator(".way", has_text="Alone, your robot").wait_for(timeout=PATIENCE)


def test_the_log_keeps_its_place_when_its_box_was_higher_for_a_while(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COMPLETE):
        log = "document.querySelector('#log')"
        end = f"(({{ scrollTop, scrollHeight, clientHeight }}) => scrollHeight - scrollTop - clientHeight)({log})"
        page.evaluate("document.querySelector('#log').style.flex = '0 0 60px'")
        until(page, f"{end} < 40")
        page.evaluate("document.querySelector('#log').style.flex = '0 0 400px'")
        page.wait_for_timeout(100)
        page.evaluate("document.querySelector('#log').style.flex = '0 0 60px'")
        until(page, f"{end} < 40")
