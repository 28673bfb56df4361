"""A real browser for tests: fixtures `browser` (one a file) and `page` (a fresh one a test).

    from tests.browser import browser, page  # noqa: F401  in the conftest of a folder

Chromium is looked for in ROBORALLY_CHROMIUM, else among the system's commands. Without one the tests are skipped, and
fail where ROBORALLY_BROWSER=required. A test fails, too, where the page reports an error on its console or raises one.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

# the headless shell first: without a browser's windows it takes a third less of the processor
COMMANDS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
# what tests ask of a page that plays a race: `viewer` is its viewer
VIEWER = "Object.defineProperty(window, 'viewer', { get: () => document.querySelector('main').viewer })"
WAIT = 60_000  # milliseconds; only what fails takes them


def chromium() -> str | None:
    """The browser's command, or None."""
    named = os.environ.get("ROBORALLY_CHROMIUM")
    return named or next((found for found in map(shutil.which, COMMANDS) if found), None)


def _missing(why: str) -> None:
    """Skip the test, or fail where a browser is required."""
    if os.environ.get("ROBORALLY_BROWSER") == "required":
        pytest.fail(why)
    pytest.skip(why)


@pytest.fixture(scope="module")  # Playwright cannot be started twice in a process: files end theirs before the next
def browser() -> Iterator[Any]:
    """Headless Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        _missing("browser tests need playwright: pip install playwright")
    command = chromium()
    if command is None:
        _missing(f"browser tests need one of {', '.join(COMMANDS)}, or ROBORALLY_CHROMIUM")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=command, args=list(ARGUMENTS))
        yield started
        started.close()


def open_page(browser: Any, errors: list[str], **options: Any) -> Any:
    """A page of its own context; what goes wrong on it is added to `errors`."""
    context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
    context.set_default_timeout(WAIT)  # of what it opens too
    context.add_init_script(VIEWER)
    page = context.new_page()
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return page


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page, 1400 x 900; errors on it fail the test."""
    errors: list[str] = []
    opened = open_page(browser, errors)
    yield opened
    opened.context.close()
    assert not errors, errors


def until(page: Any, expression: str, arg: Any = None) -> None:
    """Wait until an expression, or a function of `arg`, holds.

    Playwright's own `wait_for_function` evaluates again in the page, which the pages' content security policy forbids.
    """
    deadline = time.monotonic() + WAIT / 1000
    while not page.evaluate(expression, arg):
        if time.monotonic() > deadline:
            raise TimeoutError(f"still not so: {expression}")
        page.wait_for_timeout(20)


def shows(found: Any, text: str) -> None:
    """Wait until the text of an element has this in it: a page that loads or moves shows it a moment later."""
    _until_text(found, lambda shown: text in shown, text)


def shows_first(found: Any, text: str) -> None:
    """Wait until the text of an element starts with this."""
    _until_text(found, lambda shown: shown.startswith(text), text)


def _until_text(found: Any, holds: Callable[[str], bool], text: str) -> None:
    deadline = time.monotonic() + WAIT / 1000
    while not holds(shown := found.inner_text()):
        if time.monotonic() > deadline:
            raise AssertionError(f"still not {text!r}, but {shown!r}")
        found.page.wait_for_timeout(20)


def resize(page: Any, width: int, height: int) -> None:
    """Give the page's window another size (pixels), and let the page take it in.

    Media queries and observers of sizes tell their listeners in the next frame, so what is measured before it has
    partly the layout of the old size.
    """
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def overflow(page: Any) -> int:
    """By how many pixels the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def cell_size(page: Any) -> float:
    """The width of a cell of the board, in pixels."""
    width = "board => board.getBoundingClientRect().width / board.viewBox.baseVal.width * 100"
    return float(page.locator(".rr-stage").evaluate(width)) + 1e-3


def tab_stops(page: Any) -> list[str]:
    """What the tab key leads to, one after the other, from the page's begin on: tag, id, and where it is."""
    page.evaluate("document.activeElement.blur()")
    found: list[str] = []
    focused = "(e => `${e.tagName} ${e.id} ${e.closest('#log') ? 'log' : ''}`)(document.activeElement)"
    while len(found) < 200:
        page.keyboard.press("Tab")
        stop = page.evaluate(focused)
        if stop.startswith("BODY"):
            break
        found.append(stop)
    return found
