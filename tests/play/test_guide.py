"""The guided race: its course and words, and a whole race that follows it in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from roborally_env.courses import check_course
from roborally_env.play.guide import guide_course, guided_setup, is_guided
from roborally_env.play.hint import hint_of
from roborally_env.play.race import PlayRace
from roborally_env.play.setup import check_play
from roborally_env.web import asset
from tests.browser import overflow, resize, shows_first
from tests.contrast import low_contrasts
from tests.play import helpers
from tests.play.desk import PATIENCE, asked, asked_now, decide_until, open_question, served_to
from tests.play.helpers import Served, wait_for
from tests.sizes import size

PHASES = ["shop1", "program1", "placed1", "complete1", "shop2", "program2", "on", "end"]
ASIDE = "question"  # the step for questions of cards, whenever they come
STEPS: list[dict[str, Any]] = json.loads(asset("play/guide.json"))


def test_the_course_is_sound_and_small() -> None:
    course = guide_course()
    assert check_course(course) == []
    assert course.width * course.height < 50


def test_steps_come_in_the_order_of_their_phases() -> None:
    phases = [step["phase"] for step in STEPS if step.get("phase", ASIDE) != ASIDE]
    assert list(dict.fromkeys(phases)) == PHASES
    assert phases == sorted(phases, key=PHASES.index)
    for step in STEPS:
        assert ("phase" in step) != ("moment" in step)
        assert 0 < len(step["title"]) < 30
        assert step["text"].endswith((".", "!"))
        assert len(step["text"]) < 260  # a card on a phone


def test_each_phase_in_which_something_is_to_be_done_ends_by_saying_so() -> None:
    for phase in PHASES[:-2]:
        steps = [step for step in STEPS if step.get("phase") == phase]
        assert [("now" in step) for step in steps] == [False] * (len(steps) - 1) + [True]
        assert steps[-1]["now"].endswith(".")


def test_only_the_guided_race_is_guided() -> None:
    assert is_guided(guided_setup())
    assert guided_setup(["Ann"]).people == ("Ann",)
    assert not is_guided(check_play(guide_course(), ["random"], humans=2))
    assert not is_guided(check_play())


def test_who_follows_the_hints_meets_all_that_is_explained_and_wins_in_round_two() -> None:
    race = PlayRace(guided_setup())
    kinds: set[str] = set()
    while not race.over:
        race.think()
        for robot in race.waiting:
            question = race.open[robot]
            if question.kind == "program":
                race.answer(0, race.number, robot, hint_of(race.batch.copy(), question).slots)
            else:
                race.answer(0, race.number, robot, question.answers[-1].option)
        kinds |= {moment["kind"] for piece in race.step()[0] for moment in piece["moments"]}
    assert race.result()["winners"] == [0]
    assert race.result()["rounds"] == 2
    assert {"register", "belt", "laser", "energy", "checkpoint"} <= kinds


@contextmanager
def guided(page: Any, path: Path, monkeypatch: Any) -> Iterator[Served]:
    """The guided race, with its page open at the first step."""
    monkeypatch.setattr(helpers, "check_play", lambda **given: guided_setup(["Ann"]))
    with served_to(page, path, course="first_steps") as table:
        page.goto(table.link())
        page.wait_for_selector(".guide:not([hidden])", timeout=PATIENCE)
        yield table


def title(page: Any) -> str:
    """The title of the step that is shown, or "", also where only what is to be done is left."""
    return str(page.evaluate("document.querySelector('.guide:not([hidden], .is-small) h2')?.innerText ?? ''"))


def titled(page: Any, wanted: str) -> None:
    """Wait for a step."""
    page.locator(".guide:not([hidden], .is-small) h2", has_text=wanted).wait_for(timeout=PATIENCE)


def be_beside(page: Any) -> None:
    """Wait until the card is in the window, and does not cover what it points at, unless that is large. It is placed
    anew in the frame after the desk has got another size."""
    page.wait_for_function(
        """() => {
          const card = document.querySelector(".guide");
          const box = card.getBoundingClientRect();
          const marked = document.querySelector(".guided-cell, .is-guided").getBoundingClientRect();
          const isIn = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
          const apart = box.right <= marked.left || box.left >= marked.right || box.bottom <= marked.top
            || box.top >= marked.bottom;
          return isIn && (apart || card.dataset.side === "over");
        }""",
        timeout=PATIENCE,
    )


@pytest.mark.parametrize(
    ("width", "height", "scheme"),
    size([(375, 667, "light")], [(1400, 900, "light"), (800, 1000, "dark"), (375, 667, "light")]),
    ids=str,
)
def test_the_guide_leads_through_a_race_by_keyboard(
    page: Any, tmp_path: Path, monkeypatch: Any, width: int, height: int, scheme: str
) -> None:
    resize(page, width, height)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    seen: list[str] = []
    with guided(page, tmp_path / "race.json", monkeypatch) as table:
        while not seen or seen[-1] != STEPS[-1]["title"] or title(page):
            shown, what = title(page), asked_now(page)
            if shown and (not seen or seen[-1] != shown):
                seen.append(shown)
                be_beside(page)
                assert overflow(page) <= 0
                assert low_contrasts(page) == []
            if shown and shown not in ("Programming", "Stuck?", "Confirm", "The others"):
                page.keyboard.press("n")
            elif what == "choice":
                page.locator(".answer:enabled").last.focus()
                page.keyboard.press("Enter")
            elif what == "program" and page.locator(".confirm").is_enabled():
                page.keyboard.press("Enter")
            elif shown == "Programming":
                page.keyboard.press("1")
            elif shown in ("Stuck?", "The others"):
                use = page.get_by_role("button", name="Use it")
                if use.count():
                    use.press("Enter", timeout=PATIENCE)
                else:  # a hint is thought about, or the desk was just built anew and forgot it
                    page.keyboard.press("h")
            page.wait_for_timeout(50)
        assert table.table.race is not None
        assert table.table.race.result()["winners"] == [0]
    left_out = (["push"], ["fall"], "on", ASIDE)  # what does not happen in this race
    expected = [step["title"] for step in STEPS if step.get("moment", step.get("phase")) not in left_out]
    assert seen == expected


def test_the_guide_blocks_nothing_and_stays_away_when_ended(page: Any, tmp_path: Path, monkeypatch: Any) -> None:
    with guided(page, tmp_path / "race.json", monkeypatch):
        assert title(page) == "The goal"
        page.locator(".answer").first.click()  # without reading on
        page.wait_for_selector(".hand", timeout=PATIENCE)
        titled(page, "Your hand")
        page.keyboard.press("n")
        page.keyboard.press("n")
        assert title(page) == ""
        shows_first(page.locator(".guide.is-small"), "Place your first card.")
        be_beside(page)
        page.reload()  # the page still says what is to be done
        page.locator(".guide.is-small", has_text="Place your first card.").wait_for(timeout=PATIENCE)
        page.keyboard.press("b")
        assert title(page) == "Programming"
        page.keyboard.press("b")
        assert title(page) == "Your hand"
        page.keyboard.press("b")  # also what was left out
        assert title(page) == "Upgrades"
        for _ in range(5):
            page.locator(".hand-card:not(.is-off) button").first.click()
        titled(page, "Confirm")
        page.locator(".confirm").click()
        titled(page, "Priority")
        page.locator(".skip").click()  # the race does not wait for who skips
        asked(page)
        titled(page, "Round two")
        page.get_by_role("button", name="End the guide").click()
        assert title(page) == ""
        page.reload()
        asked(page)
        page.wait_for_timeout(300)
        assert title(page) == ""


def test_a_question_of_the_rules_is_explained_when_it_comes(page: Any, tmp_path: Path, monkeypatch: Any) -> None:
    resize(page, 375, 667)
    with guided(page, tmp_path / "race.json", monkeypatch) as table:
        question = decide_until(table, "reboot_facing")
        # skips what the page still has to show, which may come after the first press
        wait_for(lambda: page.keyboard.press("s") or title(page) == "A question", "the step")
        be_beside(page)
        page.keyboard.press("n")
        shows_first(page.locator(".guide.is-small"), "Choose an answer.")
        widths = {round(box.bounding_box()["width"]) for box in page.locator(".answer").all()}
        assert len(widths) == 1
        page.locator(".answer").first.click()
        following = wait_for(lambda: (now := open_question(table)) and now.number > question.number and now, "the next")
        if following.kind == "program":  # not the same question again, after another fall
            page.wait_for_selector(".guide .guide-now:has-text('Choose an answer.')", state="hidden", timeout=PATIENCE)
