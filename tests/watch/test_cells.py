"""Cells of courses of every shape are large enough: at 1400 x 900 at least 40 pixels, to watch and at the desk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roborally_env.batch import BatchRace
from roborally_env.courses import Course, list_courses
from roborally_env.watch import Timeline, race_page
from tests.browser import cell_size, overflow
from tests.play.desk import PATIENCE, served_to
from tests.sizes import one_of_each, size

EDITIONS = ("2016", "2005", "community")
LARGE = 40  # pixels
COLUMNS = 24  # wider courses may have smaller cells


def players_of(course: Course) -> int:
    return course.counts[-1]


def courses(edition: str) -> list[Course]:
    """A course of each shape for each number of players."""
    return one_of_each(list_courses(edition), lambda course: (course.width, course.height, players_of(course)))


def check(page: Any, course: Course, small: dict[str, float]) -> None:
    """Note a course whose cells are small, or whose page is wider than the window."""
    page.wait_for_selector(".rr-stage", timeout=PATIENCE)
    size = cell_size(page)
    if (course.width <= COLUMNS and size < LARGE) or overflow(page) > 0:
        small[course.slug] = size


@pytest.mark.parametrize("edition", size(("2005",), EDITIONS))
def test_on_the_page_of_a_race(page: Any, tmp_path: Path, edition: str) -> None:
    small: dict[str, float] = {}
    path = tmp_path / "race.html"
    for course in courses(edition):
        options = {"players": players_of(course), "seed": 1, "observation": "none"}
        batch = BatchRace(1, course, frames=True, auto_reset=False, **options)
        timeline = Timeline(batch, ["random"] * batch.players)
        path.write_text(race_page(timeline.header, timeline.chunks), encoding="utf-8")
        page.goto(path.as_uri())
        check(page, course, small)
    assert small == {}


@pytest.mark.parametrize("edition", size(("2016",), EDITIONS))
def test_at_the_desk(page: Any, tmp_path: Path, edition: str) -> None:
    pytest.importorskip("starlette")
    small: dict[str, float] = {}
    for course in courses(edition):
        opponents = ["random"] * (players_of(course) - 1)
        given = {"course": f"{edition}/{course.slug}", "edition": edition, "opponents": opponents, "seed": 1}
        with served_to(page, tmp_path / "race.json", **given) as table:
            page.goto(table.link())
            check(page, course, small)
    assert small == {}
