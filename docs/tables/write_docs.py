"""Write the tables in the pages of docs/ from those that the simulator itself uses, and draw the galleries.

A page is prose with marks: what stands between `<!-- table NAME -->` and `<!-- end -->`, or `<!-- result NAME -->` and
`<!-- /result -->` (docs_results.py), is written here, all else by hand. Tests hold both together.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import docs_2005
import docs_2016
import docs_2023
import docs_benchmark
import docs_cards
import docs_community
import docs_gallery
import docs_generated
import docs_leaderboard
import docs_learning
import docs_libraries
import docs_performance
import docs_play
import docs_review
import docs_strength
import made_boards
import numpy as np
from docs_results import with_results
from docs_tables import codes

from roborally_env.core import choices
from roborally_env.core.log import TABLE as EVENTS
from roborally_env.core.rule_options import EDITION_RULES
from roborally_env.core.searching import ghost
from roborally_env.core.seeing import observe
from roborally_env.core.state import COMPLETE, LIGHTER

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MARK = re.compile(r"(<!-- table ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def symbolic(game: str, players: Iterable[int]) -> Iterator[str]:
    """The table of one layout of the symbolic vector."""
    sizes = ", ".join(f"{observe.symbolic_size(p, game)} for {p}" for p in players)
    yield from (f"Numbers in all, by robots: {sizes}.", "")
    if game != LIGHTER:
        longer = ", ".join(f"{observe.symbolic_size(p, game, True)} for {p}" for p in players)
        yield from (f'With `decisions="all"` the vector continues after `others`, in total {longer}.', "")
    yield from ("| from | name | shape | bounds | meaning |", "| ---: | --- | --- | --- | --- |")
    at, fixed = 0, True  # behind `others` the place depends on the number of players
    for name, shape, meaning, low, high in observe.parts_of(game, game != LIGHTER):
        size = " x ".join("P - 1" if n < 0 else str(n) for n in shape)
        bounds = f"{np.min(low):.3g} to {np.max(high):.3g}"
        yield f"| {at if fixed else ''} | `{name}` | {size} | {bounds} | {meaning} |"
        fixed = fixed and min(shape) > 0
        at += int(np.prod([n for n in shape if n > 0]))


def ghost_parts() -> Iterator[str]:
    """The table of the ghost's vector."""
    yield from (f"Numbers in all: {ghost.SIZE}.", "")
    yield from ("| from | name | numbers | bounds | meaning |", "| ---: | --- | ---: | --- | --- |")
    at = 0
    for name, length, meaning, low, high in ghost.PARTS:
        yield f"| {at} | `{name}` | {length} | {np.min(low):.3g} to {np.max(high):.3g} | {meaning} |"
        at += length


def planes() -> Iterator[str]:
    """The planes of 2016."""
    window = f"{observe.WINDOW} x {observe.WINDOW} x {observe.DEPTH}"
    yield from (f"The window has {window} numbers.", "", "| plane | name | at most | meaning |")
    yield "| ---: | --- | ---: | --- |"
    most = observe.most_on_planes(LIGHTER)
    for i, (name, meaning) in enumerate(observe.PLANES):
        yield f"| {i} | `{name}` | {most[i]} | {meaning or 'likewise'} |"


def other_planes(game: str) -> Iterator[str]:
    """The planes that mean something else in a game."""
    yield from ("| plane | name | at most | meaning |", "| ---: | --- | ---: | --- |")
    most = observe.most_on_planes(game)
    for i, own in enumerate(observe.planes_of(game)):
        if own != observe.PLANES[i]:
            yield f"| {i} | `{own[0]}` | {most[i]} | {own[1]} |"


def decision_codes() -> Iterator[str]:
    """The numbers of decisions in numeric infos, but those of upgrades from outside."""
    known = [f"{code} `{name}`" for code, name in enumerate(choices.NAMES[: choices.LATER]) if code and name]
    yield f"0 nothing, {', '.join(known)}."


def rule_options() -> Iterator[str]:
    """The rule options of every edition."""
    yield from ("| edition | option | values, the default first | meaning |", "| --- | --- | --- | --- |")
    for edition, options in EDITION_RULES.items():
        for name, option in options.items():
            yield f"| {edition} | `{name}` | {codes(map(str, option.values))} | {option.meaning} |"


def events() -> Iterator[str]:
    """The kinds of events."""
    yield from ("| kind | robot | more |", "| --- | --- | --- |")
    for _, kind, robot, more in EVENTS:
        yield f"| `{kind}` | {robot} | {codes(name.removesuffix('_cell').removeprefix('program_') for name in more)} |"


TABLES: dict[str, Callable[[], Iterable[str]]] = {
    "symbolic complete": lambda: symbolic(COMPLETE, range(2, 7)),
    "symbolic lighter": lambda: symbolic(LIGHTER, range(2, 7)),
    "symbolic 2023": lambda: symbolic("2023", range(2, 7)),
    "symbolic 2005": lambda: symbolic("2005", range(2, 9)),
    "symbolic community": lambda: symbolic("community", range(2, 7)),
    "ghost": ghost_parts,
    "planes": planes,
    "planes 2005": lambda: other_planes("2005"),
    "planes community": lambda: other_planes("community"),
    "decision codes": decision_codes,
    "rule options": rule_options,
    "events": events,
    **docs_2016.TABLES,
    **docs_2005.TABLES,
    **docs_2023.TABLES,
    **docs_community.TABLES,
    **docs_cards.TABLES,
    **docs_gallery.TABLES,
    **docs_generated.TABLES,
    **docs_leaderboard.TABLES,
    **docs_learning.TABLES,
    **docs_libraries.TABLES,
    **docs_performance.TABLES,
    **docs_benchmark.TABLES,
    **made_boards.TABLES,
    **docs_review.TABLES,
    **docs_play.TABLES,
    **docs_strength.TABLES,
}


def filled(page: str) -> str:
    """The text of a page with its tables and results as they should be."""
    unknown = sorted(set(tables_in(page)) - set(TABLES))
    if unknown:
        raise SystemExit(f"no such table: {', '.join(unknown)}; there are {', '.join(sorted(TABLES))}")
    tables = MARK.sub(lambda mark: "\n".join((mark[1] + "\n".join(TABLES[mark[2]]()), mark[3])), page)
    return with_results(tables)


def tables_in(page: str) -> list[str]:
    """The tables that a page has marks for."""
    return [mark[2] for mark in MARK.finditer(page)]


if __name__ == "__main__":
    for path in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))):
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
    for name, text in {**docs_gallery.files(), **docs_generated.files(), **docs_leaderboard.files()}.items():
        (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / name).write_text(text, encoding="utf-8")
