"""The board at the desk: only the board with the desk as a bar, zoom, following, keys that stay the desk's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.browser import cell_size, overflow, resize
from tests.play.desk import SHORT, place_cards, race, taken


def test_only_the_board_and_a_program_is_laid_all_the_same(page: Any, tmp_path: Path) -> None:
    page.emulate_media(reduced_motion="reduce")
    with race(page, tmp_path / "race.json", **SHORT):
        usual = cell_size(page)
        page.keyboard.press("+")
        assert cell_size(page) > 1.25 * usual
        page.keyboard.press("f")
        assert page.locator(".rr-bot.rr-followed").get_attribute("data-robot") == "0"
        page.keyboard.press("t")
        assert not page.locator("#panels").is_visible()
        for width, height in ((1400, 900), (375, 812)):
            resize(page, width, height)
            board, desk = page.locator("#board").bounding_box(), page.locator("#desk").bounding_box()
            assert board["width"] == width
            assert board["height"] >= 0.45 * height
            assert board["y"] + board["height"] <= desk["y"] + 1
            assert desk["y"] + desk["height"] <= height + 1
            assert overflow(page) <= 0
        place_cards(page)
        page.keyboard.press("Enter")
        taken(page)
        page.keyboard.press("Escape")
        assert page.locator("#panels").is_visible()
