"""The page of a seat in a real browser: opening it, reading what it asks, laying programs, answering.

The race goes on between a look at the page and a click. So what is asked is read in a single look, and only what was
not answered yet counts as asked: that stays on the desk until somebody answers it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from roborally_env.play.messages import Choice, Program
from tests.play.helpers import LIGHTER, Served, program_of, served, wait_for

PATIENCE = 300_000  # ms: machine code may have to be made first
SHORT = {**LIGHTER, "seed": 11}

ASKED_NOW = """() => {
  const desk = document.querySelector(".desk");
  if (desk.matches(".is-over")) return "over";
  const confirm = desk.querySelector(".confirm");
  if (confirm) return confirm.textContent === "Confirm" ? "program" : "";
  return desk.querySelector(".answer:enabled") ? "choice" : "";
}"""


@contextmanager
def served_to(page: Any, path: Path, **given: Any) -> Iterator[Served]:
    """What `served` gives, for a page that leaves it at the end, also after a failure: a page whose server is gone
    reports errors of its own, which hide that failure."""
    with served(path, **given) as table:
        try:
            yield table
        finally:
            page.goto("about:blank")


@contextmanager
def race(page: Any, path: Path, **given: Any) -> Iterator[Served]:
    """A race, with its first seat's page open and something asked there."""
    with served_to(page, path, **given) as table:
        page.goto(table.link())
        asked(page)
        yield table


def asked(page: Any) -> None:
    """Wait until the player is asked something that is not answered yet."""
    page.wait_for_selector(".is-asked .answer:enabled, .is-asked .confirm:has-text('Confirm')", timeout=PATIENCE)


def asked_now(page: Any) -> str:
    """What the desk shows now: "program", "choice", "over", or "" while there is nothing to be answered."""
    return str(page.evaluate(ASKED_NOW))


def skip(page: Any) -> None:
    """Skip to what holds now."""
    page.keyboard.press("s")
    page.wait_for_timeout(30)


def place_cards(page: Any) -> None:
    """Place the first cards that may be placed, by clicks."""
    while page.locator(".confirm").is_disabled():
        page.locator(".hand-card:not(.is-off) button").first.click()


def confirm(page: Any) -> None:
    """Confirm the program, and wait until it is taken."""
    page.locator(".confirm").click()
    taken(page)


def taken(page: Any) -> None:
    """Wait until a confirmed program has left the desk. The next one may be wanted before the page is looked at."""
    left, wanted_anew = ".desk:not(:has(.confirm))", ".desk .confirm:disabled:has-text('Confirm')"
    page.wait_for_selector(f"{left}, {wanted_anew}", timeout=PATIENCE)


def answer(page: Any) -> str:
    """Answer what is asked, or skip to what holds: with the first cards, with the last answer. Returns what was done:
    "program", "choice", "wait", or "over" where the race is."""
    what = asked_now(page)
    if what == "program":
        place_cards(page)
        confirm(page)
    elif what == "choice":
        page.locator(".answer:enabled").last.click()
    elif not what:
        skip(page)
    return what or "wait"


def to_programming(page: Any) -> None:
    """Give the first answer to whatever is asked before a program is."""
    while (what := asked_now(page)) != "program":
        assert what != "over"
        if what == "choice":
            page.locator(".answer:enabled").first.click()
        else:
            skip(page)


def play_to_the_end(page: Any) -> list[str]:
    """Everything that the player did."""
    done: list[str] = []
    while not done or done[-1] != "over":
        done.append(answer(page))
    return done


def decide_until(table: Served, kind: str) -> Any:
    """Answer the first seat's questions by the table, by chance, until this kind is asked; returns the question."""
    dice = random.Random(1)
    for _ in range(3000):
        question = wait_for(lambda: open_question(table), "a question")
        if question.kind == kind:
            return question
        if question.kind == "program":
            slots = tuple(program_of(question, dice))
            table.table.answer(0, Program(question.number, question.robot, slots))
        else:
            table.table.answer(0, Choice(question.number, question.robot, dice.choice(question.answers).option))
    raise AssertionError(f"{kind} was not asked")


def open_question(table: Served) -> Any:
    """The question to the first seat; None while there is none."""
    race_ = table.table.race
    questions = race_.questions(0) if race_ is not None and table.table.phase == "asking" else []
    return questions[0] if questions else None
