"""The table of the leaderboard, from the cards of results in `results/`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from roborally_env.evaluation.benchmark import OPPONENTS, percent

RESULTS = Path(__file__).parents[2] / "results"


def leaderboard() -> Iterator[str]:
    """One row for each card: by edition, full before quick runs, then by score, the best first."""
    names = [each.name for each in OPPONENTS]
    heads = [
        "agent",
        *(f"against three `{name}`" for name in names),
        "on the test courses",
        "class",
        "median",
        "made by",
    ]
    yield f"| {' | '.join(heads)} |"
    yield f"| --- | {'---: | ' * len(names)}---: | --- | ---: | --- |"
    cards = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    for card in sorted(cards, key=_rank):
        scores = [_score(card, name, "all") for name in names]
        tests = "; ".join(f"`{name}` {_score(card, name, 'test')}" for name in names if name in card["against"])
        times = card["run"]["times"]
        median = f"{times['median_ms']:.3g} ms" if times else ""
        cells = (_agent(card), *scores, tests, card["run"]["time_class"], median, _made_by(card))
        yield f"| {' | '.join(map(str, cells))} |"


def _rank(card: dict[str, Any]) -> tuple[Any, ...]:
    """The key by which cards are sorted: those without an opponent follow those with it."""
    against = [card["against"].get(each.name) for each in OPPONENTS]
    return (
        card["edition"],
        card["quick"],
        *(1.0 if each is None else -each["scores"]["all"]["score"] for each in against),
    )


def _agent(card: dict[str, Any]) -> str:
    more = [f"edition {card['edition']}"] + ["quick"] * card["quick"] + ["not finished"] * (not card["complete"])
    return f"`{card['agent']}`, {', '.join(more)}"


def _score(card: dict[str, Any], opponent: str, courses: str) -> str:
    against = card["against"].get(opponent)
    return percent(against["scores"][courses]) if against else ""


def _made_by(card: dict[str, Any]) -> str:
    machine = card["run"]["machine"]
    where = f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}, numba {machine['numba']}"
    versions = f"roborally_env {card['versions']['package']}, rules {card['versions']['rules']}"
    return f"`{card['run']['command']}`, {versions}; {where}"


TABLES = {"leaderboard": leaderboard}
