"""The desk in a real browser: the ghost of the placed cards, hints, undo."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roborally_env.play.ghost import ghost_of
from tests.browser import overflow, resize, shows, shows_first, until
from tests.contrast import low_contrasts
from tests.play.desk import PATIENCE, SHORT, asked, confirm, place_cards, play_to_the_end, race, taken
from tests.play.helpers import RACE_2005, RACE_COMMUNITY, Served
from tests.sizes import each_once, size

HILLS = {**RACE_COMMUNITY, "rules": {"upgrades": False}}
COURSE = {**SHORT, "course": "fractionation", "seed": 3}


def filled(page: Any) -> list[int]:
    """The registers in which a card lies."""
    found: list[int] = page.evaluate(
        "[...document.querySelectorAll('.registers .slot')].flatMap((slot, k) => slot.matches('.is-full') ? [k] : [])"
    )
    return found


def cards(page: Any) -> list[str]:
    """The cards in the registers, "" in empty ones."""
    found: list[str] = page.locator(".registers .slot .rr-card").evaluate_all(
        "cards => cards.map(card => card.dataset.card ?? '')"
    )
    return found


def place_one(page: Any) -> None:
    page.locator(".hand-card:not(.is-off) button").first.click()


def settled(page: Any, holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds that an answer of the server brings about."""
    end = time.monotonic() + PATIENCE / 1000
    while not holds():
        assert time.monotonic() < end, f"waited in vain for: {what}"
        page.wait_for_timeout(20)


def question(table: Served) -> Any:
    assert table.table.race is not None
    return table.table.race.open[0]


@pytest.mark.parametrize("given", [COURSE, RACE_2005, HILLS], ids=["2016", "2005", "community"])
def test_the_ghost_shows_where_the_laid_cards_lead(page: Any, tmp_path: Path, given: dict[str, Any]) -> None:
    with race(page, tmp_path / "race.json", **given) as table:
        assert page.locator(".rr-ghost-way").count() == 0
        shows_first(page.locator(".way"), "Place a card")
        for count in range(1, 6):
            place_one(page)
            slots = [slot for slot in range(len(question(table).hand)) if _is_placed(page, slot)]
            assert len(slots) == count
            page.wait_for_selector(".rr-ghost-way", timeout=PATIENCE)
            settled(page, lambda n=count: _shown(page) == n, f"the way of {count} cards")
        assert table.table.race is not None
        batch, asked_ = table.table.race.position(0, table.table.race.number, 0)
        ghost = ghost_of(batch, asked_, _slots(page))
        end = ghost.path[-1]
        stops = "".join(page.locator(".rr-ghost-stop text").all_text_contents())
        assert "5" in stops or end.at is None
        if end.at is None:
            return
        middle = f"translate({100 * end.at[0] + 50} {100 * end.at[1] + 50})"
        assert page.locator(".rr-ghost-end").get_attribute("transform") == middle
        assert page.locator(".rr-ghost-head").get_attribute("transform") == f"rotate({90 * end.facing})"
        assert page.locator(".rr-ghost-fall").count() == len(ghost.falls)
        shows(page.locator(".way"), f"on {end.at[0]},{end.at[1]}")
        confirm(page)
        assert page.locator(".rr-ghost-way").count() == 0


def _is_placed(page: Any, slot: int) -> bool:
    return "is-placed" in (page.locator(".hand-card").nth(slot).get_attribute("class") or "")


def _slots(page: Any) -> list[int | None]:
    """The program that lies on the desk, as it is kept for a page that is loaded again."""
    found: list[int | None] = page.evaluate("JSON.parse(sessionStorage.getItem('draft 0')).slots")
    return found


def _shown(page: Any) -> int:
    """The registers whose way is drawn."""
    return int(page.evaluate("document.querySelector('.rr-ghost-way')?.dataset.registers ?? 0"))


def test_the_ghost_goes_only_as_far_as_cards_lie_in_a_row(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COURSE):
        page.keyboard.press("ArrowRight")  # the second register
        place_one(page)
        page.wait_for_timeout(300)
        assert page.locator(".rr-ghost-way").count() == 0
        place_one(page)
        settled(page, lambda: _shown(page) == 2, "the way of both")
        page.locator(".registers .slot button").first.click()
        settled(page, lambda: page.locator(".rr-ghost-way").count() == 0, "no way without the first card")


def test_who_wants_no_ghost_has_none_also_later(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COURSE):
        place_one(page)
        page.wait_for_selector(".rr-ghost-way", timeout=PATIENCE)
        toggle = page.get_by_role("button", name="Ghost")
        assert toggle.get_attribute("aria-pressed") == "true"
        toggle.click()
        assert page.locator(".rr-ghost-way").count() == 0
        assert page.locator(".way").inner_text() == ""
        page.reload()
        asked(page)
        assert toggle.get_attribute("aria-pressed") == "false"
        place_one(page)
        page.wait_for_timeout(300)
        assert page.locator(".rr-ghost-way").count() == 0
        page.keyboard.press("g")
        page.wait_for_selector(".rr-ghost-way", timeout=PATIENCE)
        shows_first(page.locator(".way"), "Alone, your robot ")


def test_what_is_done_to_a_program_can_be_undone(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COURSE):
        undo = page.get_by_role("button", name="Undo")
        assert undo.is_disabled()
        seen = [cards(page)]
        for _ in range(5):
            place_one(page)
            seen.append(cards(page))
        page.locator(".registers .slot button").nth(2).click()
        seen.append(cards(page))
        page.get_by_role("button", name="Clear").click()
        assert filled(page) == []
        undo.click()  # all of them, at once
        assert cards(page) == seen[6]
        page.keyboard.press("Control+z")
        assert cards(page) == seen[5]
        page.keyboard.press("Backspace")
        assert filled(page) == [0, 1, 2, 3]
        page.keyboard.press("Control+z")
        assert cards(page) == seen[5]
        for before in reversed(seen[:5]):
            page.keyboard.press("Control+z")
            assert cards(page) == before
        assert undo.is_disabled()
        for after in seen[1:6]:
            page.keyboard.press("Control+y")
            assert cards(page) == after
        page.keyboard.press("Control+Shift+z")  # what Backspace did
        assert filled(page) == [0, 1, 2, 3]
        page.keyboard.press("Control+Shift+z")  # there is nothing more
        assert filled(page) == [0, 1, 2, 3]


def test_a_hint_is_shown_with_its_way_and_placed(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **COURSE) as table:
        place_one(page)
        before = cards(page)
        button = page.get_by_role("button", name="Hint")
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".advice-cards", timeout=PATIENCE)
        assert page.evaluate("document.activeElement.textContent") == "Use it"
        hint = page.locator(".aid-words").inner_text()
        assert "register" in hint
        hinted = [card.get_attribute("data-card") for card in page.locator(".advice-cards .rr-card").all()]
        assert len(hinted) == 5
        assert _shown(page) == 5  # the way of the hint, while one card is placed
        assert cards(page) == before
        page.keyboard.press("Escape")
        assert page.locator(".advice-cards").count() == 0
        assert page.evaluate("document.activeElement.textContent") == "Hint"
        settled(page, lambda: _shown(page) == 1, "the way of the one card")
        page.keyboard.press("h")
        page.get_by_role("button", name="Use it").click(timeout=PATIENCE)
        assert cards(page) == hinted
        page.keyboard.press("Control+z")
        assert cards(page) == before
        page.keyboard.press("Control+y")
        page.keyboard.press("Enter")
        taken(page)
        assert table.table.race is not None
        assert table.table.race.hints == [1, 0, 0, 0]


def test_at_the_end_hints_are_reported(page: Any, tmp_path: Path) -> None:
    with race(page, tmp_path / "race.json", **{**COURSE, "max_rounds": 1}):
        page.keyboard.press("h")
        page.get_by_role("button", name="Use it").click(timeout=PATIENCE)
        play_to_the_end(page)
        own = page.locator(".places .is-own").inner_text()
        assert "1 hint" in own
        assert "hint" not in page.locator(".places li:not(.is-own)").first.inner_text()


@pytest.mark.parametrize(
    ("screen", "shown"),
    each_once(
        [(375, 667), (1400, 900), (800, 1000), (390, 844)],
        [(COURSE, "light"), (COURSE, "dark"), (COURSE, "dark"), (RACE_2005, "light")],
    ),
    ids=lambda value: str(value[0] if isinstance(value[0], int) else value[1]),
)
def test_the_desk_stays_as_it_is_when_a_hint_comes(
    page: Any, tmp_path: Path, screen: tuple[int, int], shown: tuple[dict[str, Any], str]
) -> None:
    given, scheme = shown
    resize(page, *screen)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    with race(page, tmp_path / "race.json", **given):
        place_cards(page)
        settled(page, lambda: _shown(page) == 5, "the way of all cards")
        places = [page.locator(which).bounding_box() for which in ("#board", ".confirm", ".hand")]
        assert low_contrasts(page) == []
        page.keyboard.press("h")
        page.wait_for_selector(".advice-cards", timeout=PATIENCE)
        after = [page.locator(which).bounding_box() for which in ("#board", ".confirm", ".hand")]
        for old, new in zip(places, after, strict=True):
            assert abs(old["y"] - new["y"]) <= 12
            assert abs(old["height"] - new["height"]) <= 12
        advice = page.locator(".advice-cards .rr-card").first.bounding_box()
        assert page.locator(".advice-cards .rr-glyph").first.bounding_box()["height"] <= advice["height"]
        for part in page.locator(".advice-cards .rr-card, .aid-words p").all():
            box = part.bounding_box()
            assert box["x"] + box["width"] <= screen[0] - 8
        assert low_contrasts(page) == []
        assert overflow(page) <= 0


def test_the_first_card_is_within_five_stops_and_a_register_can_be_skipped(page: Any, tmp_path: Path) -> None:
    page.emulate_media(reduced_motion="no-preference")
    with race(page, tmp_path / "race.json", **SHORT):
        page.wait_for_selector(".confirm")
        stops = 0
        while not page.evaluate("document.activeElement.closest('.hand') !== null"):
            page.keyboard.press("Tab")
            stops += 1
            assert stops <= 5
        page.locator("#speed").select_option("0.5")
        place_cards(page)
        confirm(page)
        page.get_by_role("button", name="Skip this register").wait_for(timeout=PATIENCE)
        until(page, "document.querySelector('#clock').textContent.includes('register 1')")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("r")
        until(page, "!document.querySelector('#clock').textContent.includes('register 1')")


SIZES = """() => {
  window.sizes = new Set();
  const board = document.querySelector("#board .rr-stage");
  const shown = () => document.querySelector(".desk:not(.is-over):not(.is-asked)");
  const look = () => {
    if (shown()) window.sizes.add(Math.round(board.getBoundingClientRect().height));
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.parametrize(("width", "height"), size([(375, 700)], [(1400, 900), (1200, 900), (800, 1000), (375, 700)]))
def test_the_board_keeps_its_size_while_a_round_is_shown(page: Any, tmp_path: Path, width: int, height: int) -> None:
    with race(page, tmp_path / "race.json", **{**SHORT, "course": "extra_crispy"}):
        resize(page, width, height)
        page.get_by_label("Playback speed").select_option("8")
        place_cards(page)
        page.evaluate(SIZES)
        confirm(page)
        page.wait_for_selector(".lately li >> nth=1", timeout=PATIENCE)
        asked(page)
        assert len(page.evaluate("[...window.sizes]")) == 1
