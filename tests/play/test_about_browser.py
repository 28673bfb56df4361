"""The words for everything on the page of a race, by pointer, keyboard and finger; the turn order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.browser import open_page, overflow, resize, shows_first, until
from tests.contrast import low_contrasts
from tests.play.desk import SHORT, confirm, place_cards, race
from tests.play.helpers import COMPLETE, RACE_2005
from tests.sizes import size

COURSE = {**SHORT, "course": "fractionation", "seed": 3}
# the page tells what a key leads to when it has been scrolled there, two frames later
SCROLLED = """async () => {
  for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
}"""
TURNS = """() => {
  window.turns = [];
  const note = () => {
    const now = document.querySelector(".order [aria-current] .rr-dot");
    if (now) window.turns.push(now.textContent);
  };
  const all = { subtree: true, childList: true, attributes: true };
  new MutationObserver(note).observe(document.querySelector(".order"), all);
}"""


def words(page: Any) -> str:
    page.wait_for_selector(".about:not([hidden])")
    return str(page.locator(".about").inner_text()).replace("\n\n", "\n")


def middle_of(page: Any, cell: tuple[int, int]) -> tuple[float, float]:
    x, y = page.evaluate(
        "([x, y]) => { const m = document.querySelector('.rr-static').getScreenCTM();"
        " const p = new DOMPoint(100 * x + 50, 100 * y + 50).matrixTransform(m); return [p.x, p.y]; }",
        list(cell),
    )
    return float(x), float(y)


@pytest.mark.slow
def test_the_spaces_of_the_board_have_words_under_the_pointer(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COURSE):
        for cell, shown in (
            ((5, 1), "Blue belt, east"), ((7, 1), "Pit"), ((12, 9), "Checkpoint 1"), ((0, 4), "Priority antenna"),
            ((5, 4), "Reboot token"), ((8, 0), "Energy cube"), ((1, 1), "Robot 0 (player 1)"), ((7, 6), "Plain floor"),
        ):  # fmt: skip
            page.mouse.move(*middle_of(page, cell))
            page.get_by_text(f"Space {cell[0]},{cell[1]}").wait_for()
            assert shown in words(page)
        page.mouse.move(5, 5)
        page.wait_for_selector(".about", state="hidden")


def test_cards_and_numbers_have_words_under_the_pointer(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **RACE_2005) as table:
        assert table.table.race is not None
        page.locator(".hand-card").first.hover()
        assert "the highest number moves first" in words(page)
        page.locator(".rr-robot:not(.is-own) .rr-stat").first.hover()
        page.get_by_text("the tenth destroys").wait_for()
        page.locator(".order-label").hover()
        page.get_by_text("the robot with the highest number on its card moves first.").wait_for()


def test_the_board_is_read_by_arrow_keys(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COURSE):
        page.locator("#board").focus()
        page.keyboard.press("ArrowRight")  # begins at the own robot
        shows_first(page.locator("#announced"), "Space 1,1 Robot 0 (player 1). It faces east.")
        for _ in range(4):
            page.keyboard.press("ArrowRight")
        assert words(page).startswith("Space 5,1\nBlue belt, east")
        assert page.locator(".about-cell").count() == 1
        page.keyboard.press("Escape")
        page.wait_for_selector(".about", state="hidden")
        assert page.locator(".about-cell").count() == 0
        page.keyboard.press("1")  # other keys still place cards
        assert page.locator(".registers .is-full").count() == 1


def test_the_panels_are_read_by_arrow_keys(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COURSE):
        page.locator("#panels").focus()
        shown = []
        for _ in range(12):
            page.keyboard.press("ArrowDown")
            page.evaluate(SCROLLED)
            shown.append(page.locator("#announced").inner_text())
        assert shown[0].startswith("Turn order. In each register the robot nearest to the priority antenna")
        assert any(words.startswith("5 energy. ") for words in shown)
        assert any(words.startswith("11 deck. ") for words in shown)
        assert page.locator(".is-about").count() == 1


def test_a_card_that_has_the_focus_tells_its_rule(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COURSE):
        while not page.evaluate("Boolean(document.activeElement.closest('.hand-card'))"):
            page.keyboard.press("Tab")
        title = page.evaluate("document.activeElement.querySelector('.rr-title').textContent")
        assert words(page).startswith(title)


def test_a_tap_tells_what_is_there(browser: Any, tmp_path: Path) -> None:
    errors: list[str] = []
    page = open_page(browser, errors, viewport={"width": 375, "height": 812}, has_touch=True, is_mobile=True)
    with race(page, tmp_path / "race.json", **COURSE):
        page.touchscreen.tap(*middle_of(page, (7, 1)))
        assert "Pit" in words(page)
        assert overflow(page) <= 0
        page.locator(".hand-card:not(.is-off) button").first.tap()
        page.wait_for_timeout(400)
        assert page.locator(".registers .is-full").count() == 1
        assert "space" in words(page) or "turn" in words(page)
        page.locator("#panels .rr-stat").first.tap()
        page.get_by_text("Energy cubes").wait_for()
    page.context.close()
    assert not errors


@pytest.mark.parametrize("width", [375, 1400])
def test_the_turn_order_is_shown_before_and_during_the_round(page: Any, tmp_path: Path, width: int) -> None:
    resize(page, width, 800)
    with race(page, tmp_path / "race.json", **COURSE):
        assert page.locator(".order li .rr-dot").all_inner_texts() == ["3", "2", "1", "0"]
        assert page.locator(".order [aria-current]").count() == 0
        assert overflow(page) <= 0
        page.select_option("#speed", "8")
        page.evaluate(TURNS)
        place_cards(page)
        confirm(page)
        until(page, "new Set(turns).size > 1")
        assert [*dict.fromkeys(page.evaluate("turns"))][:2] == ["3", "2"]


@pytest.mark.parametrize("scheme", size(["dark"], ["light", "dark"]))
def test_words_have_enough_contrast(page: Any, tmp_path: Path, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    with race(page, tmp_path / "race.json", **COMPLETE):
        page.mouse.move(*middle_of(page, (1, 1)))
        words(page)
        assert low_contrasts(page) == []
