"""What `write_docs.py` writes for docs/generated.md: the specification, the bands, a gallery, the printed courses'
grades, and what many courses have shown."""

import csv
import sys
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path

import numpy as np

from roborally_env.base.errors import RoboRallyError
from roborally_env.courses import Course, list_courses
from roborally_env.evaluation.grades import Grade, estimate, grade
from roborally_env.generated import Generator, Specification
from roborally_env.generated.difficulty import BANDS
from roborally_env.generated.fields import Field, specification_fields
from roborally_env.render.svg import board_svg

sys.path.append(str(Path(__file__).parents[2] / "scripts" / "experiments"))
import check_generated as check
import fit_difficulty as fit

SEED = 18  # of the courses in the gallery
# the columns of the gallery, with a course of each band
COLUMNS = (("2016", "arranged"), ("2016", "made"), ("2005", "arranged"), ("2005", "made"), ("community", "made"))
MEANINGS = {
    1: "a first race, over before anybody is far behind",
    2: "one board, a few checkpoints",
    3: "as most printed courses",
    4: "two boards or a long way on one",
    5: "an evening",
}


def specification() -> Iterator[str]:
    """The keys of a specification; keys with a common meaning share a row."""
    yield from ("| key | value | default | meaning |", "| --- | --- | --- | --- |")
    rows: dict[str, list[Field]] = {}
    for field in specification_fields():
        rows.setdefault(field.meaning, []).append(field)
    for meaning, fields in rows.items():
        names = ", ".join(f"`{field.name}`" for field in fields)
        default = fields[0].default
        shown = "none" if default is None else f"`{str(default).lower()}`"
        yield f"| {names} | {_VALUES[fields[0].kind]} | {shown} | {meaning.replace('None:', 'none:')} |"


_VALUES = {str: "text", int: "whole number", float: "share", bool: "true, false"}


def bands() -> Iterator[str]:
    """The bands with the rounds that are aimed at, and those that four greedy needed in the races of the fit."""
    yield "| band | estimated rounds | rounds of four `greedy`, nine courses in ten | meaning |"
    yield "| ---: | --- | --- | --- |"
    needed = fit.rounds_by_band(_rows())
    for band, (low, high) in BANDS.items():
        first, last = np.percentile(needed[band], (5, 95))
        yield f"| {band} | {low:g} to {high:g} | {first:.1f} to {last:.1f} | {MEANINGS[band]} |"


def fitted() -> Iterator[str]:
    """How well the estimated rounds fit, by edition."""
    yield (
        "| edition | courses | `greedy` | `planner` | `random` | deviation | of a new fit | in its band | by a new fit "
        "| overlap of bands 1 and 2, 2 and 3, .. |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    every = _rows()
    for edition in dict.fromkeys(row.edition for row in every):
        rows = [row for row in every if row.edition == edition]
        ranks = " | ".join(f"{fit.correlation(rows, agent):.2f}" for agent in fit.AGENTS)
        overlaps = ", ".join(f"{fit.overlap(*pair):.2f}" for pair in pairwise(fit.rounds_by_band(rows).values()))
        deviations, shares = [], []
        for numbers in (None, fit.fitted(rows)):
            deviations.append(f"{fit.residuals(rows, numbers).std():.3f}")
            shares.append(f"{fit.in_band(rows, numbers):.1%}")
        yield f"| {edition} | {len(rows)} | {ranks} | {' | '.join(deviations + shares)} | {overlaps} |"


def _rows() -> list[fit.Row]:
    """The courses on which the estimated rounds were compared with races."""
    with (fit.PICTURES / "difficulty.csv").open(encoding="utf-8", newline="") as file:
        return [fit.read_row(line) for line in csv.DictReader(file)]


def grades(edition: str) -> Iterator[str]:
    """The grades of the courses of an edition."""
    yield "| course | band | rounds | estimate | alone | falls | spread | pushes | met | proved |"
    yield "| --- | " + "---: | " * 8 + "--- |"
    for course in list_courses(edition):
        if course.edition == edition and course.source.find(f"/{edition}/") >= 0:
            yield f"| {course.title} | {_cells(course)} |"


def _cells(course: Course) -> str:
    try:
        found = grade(course)
    except RoboRallyError:  # no start spaces or no checkpoints
        return " | ".join(["-"] * 9)
    return _numbers(found)


def _numbers(found: Grade) -> str:
    rounds = (found.rounds, found.rounds_estimated, found.rounds_alone)
    numbers = [str(found.band), *(f"{number:.1f}" for number in rounds), f"{found.falls:.0%}"]
    numbers += [f"{found.spread:.2f}", f"{found.pushes:.2f}", f"{found.met:.0%}"]
    return " | ".join([*numbers, "yes" if found.proved else "no"])


def checked() -> Iterator[str]:
    """What is kept of the courses of each edition that `check_generated.py` has gone through."""
    yield (
        "| edition | courses | not solvable, alike, not made | not finished in 60 rounds in 99 of 100 races "
        "| races without a winner | overlap of neighbouring bands, at most |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    both = [("", {"version": 1}), (", made, version 2", {"version": 2, "way": "made"})]
    for (words, which), edition in product(both, CHECKED):
        found = _kept(check.Options(edition=edition, **which))
        bad = {*found["not_made"], *found["unreachable"], *found["lost"]}
        yield (
            f"| {edition}{words} | {found['courses']:,} | {len(bad) + found['alike']} | {len(found['unfinished'])} "
            f"| {found['races_without_winner']:.3%} | {max(found['overlaps'].values()):.2f} |"
        )


def fair() -> Iterator[str]:
    """Where the best start space wins less than 45% of the races, with fair=True and without."""
    yield (
        "| edition | courses | without `fair`, 100 races | `fair`, 100 races | `fair`, 1,000 more where in doubt "
        "| these by bands 1, 2, 3, 4 and 5 |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | --- |"
    for edition in CHECKED:
        options = check.Options(edition=edition, version=1, fair=True)
        rows, usual = check.kept(options), check.kept(check.Options(edition=edition, version=1))
        found = check.report(rows, options)
        bands = ", ".join(f"{band['fair']:.0%}" for band in found["bands"].values())
        first = " | ".join(f"{_fair_at_once(each):.0%}" for each in (usual, rows))
        yield f"| {edition} | {found['courses']:,} | {first} | {found['fair']:.0%} | {bands} |"


def thrown_away() -> Iterator[str]:
    """How many courses were thrown away for one that is kept, by band."""
    yield "| courses | of a band | 1 | 2 | 3 | 4 | 5 |"
    yield "| --- " + "| ---: " * 6 + "|"
    for fair in (False, True):
        for edition in CHECKED:
            rows = check.kept(check.Options(edition=edition, version=1, fair=fair))
            counts: dict[int, list[int]] = {band: [] for band in BANDS}
            for row in rows:
                counts[row["band"]].append(sum(row["thrown_away"].values()))
            means = " | ".join(f"{np.mean(each):.1f}" for each in counts.values())
            yield f"| {edition}{', fair' if fair else ''} | {len(rows) // len(BANDS):,} | {means} |"


def _fair_at_once(rows: list[check.Row]) -> float:
    """The share of courses that are fair by their first races alone."""
    return float(np.mean([row["best_start"] < check.BEST_START for row in rows]))


CHECKED = ("2016", "2005", "community")


def _kept(options: check.Options) -> check.Row:
    """The report on the rows that are kept."""
    return check.report(check.kept(options), options)


def gallery() -> Iterator[str]:
    """Twenty-five courses, a row for each band."""
    yield "<table>"
    yield f"<tr><th></th>{''.join(f'<th>{edition}, {way}</th>' for edition, way in COLUMNS)}</tr>"
    for band in BANDS:
        cells = (_gallery_cell(band, edition, way) for edition, way in COLUMNS)
        yield f"<tr><th>{band}</th>{''.join(cells)}</tr>"
    yield "</table>"


def _gallery_cell(band: int, edition: str, way: str) -> str:
    course = _course(band, edition, way)
    count = len(course.checkpoints)
    return (
        f'<td valign="top"><img src="{_path(band, edition, way)}" alt="{course.title}" width="150"><br>'
        f"<b>{course.title}</b><br>{count} checkpoint{'s' * (count != 1)}, {estimate(course).rounds:.1f} rounds</td>"
    )


def _course(band: int, edition: str, way: str) -> Course:
    # with equal numbers the courses of all bands would have boards in common
    return Generator(Specification(edition=edition, way=way, difficulty=band, seed=SEED, number=band)).course()


def _path(band: int, edition: str, way: str) -> str:
    return f"generated/{band}_{edition}_{way}.svg"


def files() -> dict[str, str]:
    """Path below docs/ -> text, of the pictures in the gallery."""
    every = [(band, edition, way) for band in BANDS for edition, way in COLUMNS]
    return {_path(*each): board_svg(_course(*each), theme="light") + "\n" for each in every}


TABLES = {
    "specification": specification,
    "bands": bands,
    "fit": fitted,
    "generated gallery": gallery,
    "checked": checked,
    "fair": fair,
    "thrown away": thrown_away,
    "grades 2016": lambda: grades("2016"),
    "grades 2005": lambda: grades("2005"),
    "grades community": lambda: grades("community"),
}
