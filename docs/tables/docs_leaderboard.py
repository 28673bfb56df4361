"""The tables of the leaderboard and its pictures, from the cards of results in `results/`."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from roborally_env.evaluation.benchmark import OPPONENTS, percent

RESULTS = Path(__file__).parents[2] / "results"
EDITIONS = ("2016", "2023", "2005", "community")
AGAINST = "greedy"  # the opponent in the pictures
LEFT, RIGHT, ROW, TOP = 250, 640, 26, 34  # pixels: where 0% and the most are, of a row, of the scale
MOST = 80  # percent, at the right end

Card = dict[str, Any]


@cache
def cards() -> list[Card]:
    """All cards; results of other kinds lie beside them."""
    every = (json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json")))
    return [found for found in every if {"edition", "against", "quick"} <= set(found)]


def ranked(edition: str, opponent: str, quick: bool = False) -> list[Card]:
    """The cards of an edition against an opponent, the best first."""
    found = [c for c in cards() if (c["edition"], c["quick"]) == (edition, quick) and opponent in c["against"]]
    return sorted(found, key=lambda card: -card["against"][opponent]["scores"]["all"]["score"])


def leaderboard(edition: str) -> Iterator[str]:
    """The agents of an edition by the share of races that they win, full runs before quick ones."""
    yield "| rank | agent | against three | all courses | test courses | class | median | mean |"
    yield "| ---: | --- | --- | ---: | ---: | --- | ---: | ---: |"
    for opponent in (each.name for each in OPPONENTS):
        for quick in (False, True):
            for rank, card in enumerate(ranked(edition, opponent, quick), 1):
                scores = card["against"][opponent]["scores"]
                times = card["run"]["times"]
                spent = [f"{times[name]:.3g} ms" if times else "" for name in ("median_ms", "mean_ms")]
                name = f"`{card['agent']}`{', quick' * quick}{', not finished' * (not card['complete'])}"
                shown = [percent(scores["all"]), percent(scores["test"]), card["run"]["time_class"], *spent]
                yield f"| {rank} | {name} | `{opponent}` | {' | '.join(shown)} |"


def made_by() -> Iterator[str]:
    """With which command and where each card was made."""
    yield "| command | package, rules | machine |"
    yield "| --- | --- | --- |"
    for card in sorted(cards(), key=lambda card: (EDITIONS.index(card["edition"]), card["quick"], card["agent"])):
        machine, versions = card["run"]["machine"], card["versions"]
        where = (
            f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}, numba {machine['numba']}"
        )
        yield f"| `{card['run']['command']}` | {versions['package']}, {versions['rules']} | {where} |"


def at_a_glance() -> Iterator[str]:
    """The best agents of each edition in a row: what each kind of agent wins against three `greedy`."""
    names = ("ppo", "learned", "planner", "learned-search")
    yield f"| edition | {' | '.join(f'`{name}`' for name in names)} |"
    yield f"| --- | {' | '.join('---:' for _ in names)} |"
    for edition in EDITIONS:
        by_name = {card["agent"]: card["against"][AGAINST]["scores"]["all"] for card in ranked(edition, AGAINST)}
        cells = (percent(by_name[name]) if name in by_name else "" for name in names)
        yield f"| {edition} | {' | '.join(cells)} |"


def picture(rows: list[tuple[str, dict[str, float]]]) -> str:
    """Shares of races won with their intervals, drawn on a scale with the equal share."""
    high = TOP + ROW * len(rows) + 12
    parts = [f'<rect width="680" height="{high}" rx="5" fill="#fff"/>']
    for share in range(0, MOST + 1, 10):
        parts.append(f'<path d="M{_at(share):.0f} {TOP - 6}V{high - 8}" stroke="#e3e6ea"/>')
        parts.append(f'<text x="{_at(share):.0f}" y="18" text-anchor="middle" fill="#5b6470">{share}%</text>')
    parts.append(f'<path d="M{_at(25):.0f} {TOP - 6}V{high - 8}" stroke="#8a5a00" stroke-dasharray="4 3"/>')
    for row, (name, score) in enumerate(rows):
        y = TOP + ROW * row + ROW / 2
        low, best, mean = (_at(100 * score[key]) for key in ("low", "high", "score"))
        parts.append(f'<text x="{LEFT - 14}" y="{y + 4}" text-anchor="end" fill="#24292f">{escape(name)}</text>')
        parts.append(f'<path d="M{low:.1f} {y}H{best:.1f}" stroke="#00796b" stroke-width="7" stroke-opacity=".35"/>')
        parts.append(f'<circle cx="{mean:.1f}" cy="{y}" r="4.5" fill="#00796b"/>')
    opened = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 {high}" font-size="12"'
    return f'{opened} font-family="Verdana, DejaVu Sans, sans-serif">{"".join(parts)}</svg>\n'


def _at(share: float) -> float:
    return LEFT + (RIGHT - LEFT) * share / MOST


def files() -> dict[str, str]:
    """Path below docs/ -> text of each picture: one of an edition, and one of all."""
    found, every = {}, []
    for edition in EDITIONS:
        rows = [(card["agent"], card["against"][AGAINST]["scores"]["all"]) for card in ranked(edition, AGAINST)]
        found[f"pictures/leaderboard_{edition}.svg"] = picture(rows)
        every += [(f"{edition} {name}", score) for name, score in rows if ":" not in name and name != "random"]
    return {**found, "pictures/results.svg": picture(every)}


TABLES: dict[str, Callable[[], Iterator[str]]] = {
    **{f"leaderboard {edition}": (lambda edition=edition: leaderboard(edition)) for edition in EDITIONS},
    "leaderboard made by": made_by,
    "at a glance": at_a_glance,
}
