"""The card of results as one HTML page: scores and courses as bars with their intervals."""

from __future__ import annotations

import html

from roborally_env.base.types import JsonObject
from roborally_env.watch.index import Bar, page_of, results_table

COUNTS = ("races", "cut", "illegal", "crashes")


def card_page(card: JsonObject, times: str) -> str:
    """The page of a card (`card.card_of`), which needs no other file. `times` is a line about them."""
    body = [_paragraph(f"{times[0].upper()}{times[1:]}."), *(_paragraph(line) for line in card["crashes"])]
    for against in card["against"].values():
        body.append(f"<h2>Against three {html.escape(against['opponent'])}</h2>")
        body.append(results_table(_score_bars(against), ("courses", *COUNTS), ("score", "mean of the courses")))
        body.append(results_table(_course_bars(against), ("set", *COUNTS), ("course", "races won")))
    body.append("<h2>How it was made</h2>")
    body += [_paragraph(line) for line in _origins(card)]
    whole = "" if card["complete"] else ", not finished"
    quick = ", quick" if card["quick"] else ""
    subtitle = f"{card['protocol']}, edition {card['edition']}{quick}{whole}; an equal share is 25%"
    return page_of(card["agent"], subtitle, "\n".join(body))


def _score_bars(against: JsonObject) -> list[Bar]:
    return [
        Bar(f"{name} courses", row["score"], row["low"], row["high"], (str(row["courses"]), *_counts(row)))
        for name, row in against["scores"].items()
    ]


def _course_bars(against: JsonObject) -> list[Bar]:
    return [
        Bar(row["course"], row["score"], row["low"], row["high"], (row["set"], *_counts(row)))
        for row in against["courses"]
    ]


def _counts(row: JsonObject) -> tuple[str, ...]:
    return tuple(str(row[name]) for name in ("races", "cut", "repairs", "crashes"))


def _origins(card: JsonObject) -> list[str]:
    machine = card["run"]["machine"]
    files = [f"{name}: sha256 {digest}" for name, digest in card["files"].items()]
    versions = f"roborally_env {card['versions']['package']}, rules {card['versions']['rules']}"
    return [
        card["run"]["command"],
        *files,
        f"{versions}; {machine['processor']}, {machine['cores']} cores, Python {machine['python']}, numba "
        f"{machine['numba']}",
    ]


def _paragraph(text: str) -> str:
    return f"<p>{html.escape(text)}</p>"
