"""A page that lists races worth watching, below a table of results if there is one."""

from __future__ import annotations

import html
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from roborally_env.base.text import counted
from roborally_env.web import asset, filled

T = TypeVar("T")


@dataclass(frozen=True)
class Listed:
    """A race in the list."""

    title: str  # why it is worth a look
    text: str  # what happened
    page: str  # where its page is, from the list's folder
    replay: str = ""  # where its replay file is


@dataclass(frozen=True)
class Bar:
    """A row of the table of results."""

    name: str
    share: float  # of races won, 0 to 1
    low: float  # its 95% interval
    high: float
    more: tuple[str, ...] = ()  # further columns


def index_page(
    title: str,
    subtitle: str,
    races: Sequence[Listed],
    *,
    rows: Sequence[Bar] = (),
    columns: Sequence[str] = (),
    files: Sequence[str] = (),
) -> str:
    """The page as HTML.

    Args:
        title, subtitle: above everything.
        races: in the order in which they are listed.
        rows: of the table of results, the best first.
        columns: heads of the rows' further columns.
        files: others in the same folder to link to.
    """
    table = results_table(rows, columns) if rows else ""
    listed, others = "".join(map(_race, races)), " · ".join(_link(file, file) for file in files)
    return page_of(
        title,
        subtitle,
        f'{table}\n<h2>Races to watch</h2>\n<ul class="rr-list">{listed}</ul>\n<p class="rr-files">{others}</p>',
    )


def page_of(title: str, subtitle: str, body: str) -> str:
    """A page of tables and lists with its styles; `body` is HTML."""
    return filled(
        "watch/index.html",
        title=html.escape(title),
        subtitle=html.escape(subtitle),
        style=asset("shared/viewer.css") + asset("watch/index.css"),
        body=body,
    )


def _link(target: str, text: str) -> str:
    return f'<a href="{html.escape(target, quote=True)}">{html.escape(text)}</a>'


def _race(race: Listed) -> str:
    replay = f" · {_link(race.replay, 'replay file')}" if race.replay else ""
    return (
        f'<li class="rr-listed"><h3>{_link(race.page, race.title)}</h3>'
        f"<p>{html.escape(race.text)}</p><p>{_link(race.page, 'Watch')}{replay}</p></li>"
    )


def results_table(rows: Sequence[Bar], columns: Sequence[str], heads: tuple[str, str] = ("agent", "races won")) -> str:
    """Win rates as bars with their intervals, and numbers. `heads` stand above the names and the bars."""
    head = "".join(f'<th scope="col">{html.escape(text)}</th>' for text in (*heads, *columns))
    body = f"<thead><tr>{head}</tr></thead><tbody>{''.join(map(_row, rows))}</tbody>"
    return f'<div class="rr-scroll" role="region" aria-label="Results" tabindex="0"><table>{body}</table></div>'


def _row(row: Bar) -> str:
    cells = "".join(f"<td>{html.escape(cell)}</td>" for cell in row.more)
    interval = f"left:{100 * row.low:.1f}%;width:{100 * (row.high - row.low):.1f}%"
    bar = f'<span class="rr-bar"><i style="width:{100 * row.share:.1f}%"></i><b style="{interval}"></b></span>'
    return (
        f'<tr><th scope="row">{html.escape(row.name)}</th>'
        f'<td class="rr-share">{bar}{row.share:.1%} <small>({row.low:.1%} - {row.high:.1%})</small></td>{cells}</tr>'
    )


def chosen_title(name: str, winner: str) -> str:
    """Why a race was chosen, as text: from its file's name (closest_finish, most_reboots, win_AGENT) and the winner."""
    return f"A win of {winner}" if name.startswith("win_") else name.replace("_", " ").capitalize()


def each_once(chosen: Mapping[str, T], key: Callable[[T], Hashable]) -> list[tuple[list[str], T]]:
    """Each chosen race once, with all the names it was chosen under; races with the same key are one race."""
    found: dict[Hashable, tuple[list[str], T]] = {}
    for name, race in chosen.items():
        found.setdefault(key(race), ([], race))[0].append(name)
    return list(found.values())


def joint_title(names: Sequence[str], winner: str) -> str:
    """Everything a race was chosen for, as text: "Closest finish, a win of planner"."""
    first, *others = (chosen_title(name, winner) for name in names)
    return ", ".join([first, *(title[0].lower() + title[1:] for title in others)])


def outcome(winner: str, rounds: int, reboots: int) -> str:
    """The race in a line; nobody won if `winner` is empty."""
    won = f"won by {winner}" if winner else "nobody won"
    return f"{won} in {counted(rounds, 'round')}, {counted(reboots, 'reboot')}"
