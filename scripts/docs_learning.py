"""The table of what was learned on generated courses, from the results of `scripts/generalisation.py`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent.parent / "results" / "learning" / "generalisation.json"
MEASURES = {
    "value": "log loss below that of the distances, in thousandths",
    "learned": "`learned` won",
    "search": "`learned-search:trust=1` won",
}
SETS = ("training", "unseen", "printed")


def generalisation() -> Iterator[str]:
    """A row for each measure and number of training courses, a column for each set of courses."""
    rows = json.loads(RESULTS.read_text(encoding="utf-8"))["rows"]
    yield "| measured | training courses | on these | on unseen generated ones | on the printed ones |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for measure, title in MEASURES.items():
        for levels in dict.fromkeys(row["levels"] for row in rows if row["measure"] == measure):
            found = {row["set"]: row for row in rows if (row["measure"], row["levels"]) == (measure, levels)}
            cells = (_number(found[each]) if each in found else "" for each in SETS)
            yield f"| {title} | {_courses(levels)} | {' | '.join(cells)} |"


def _courses(levels: int) -> str:
    return {0: "without end", -1: "none: untrained"}.get(levels, f"{levels:,}")


def _number(row: dict[str, Any]) -> str:
    """The value with its interval: log losses in thousandths, shares in percent."""
    value, low, high = (row[name] for name in ("value", "low", "high"))
    if row["measure"] == "value":
        return f"{1000 * value:.1f} ({1000 * low:.1f} to {1000 * high:.1f})"
    return f"{100 * value:.0f} % ({100 * low:.0f} - {100 * high:.0f})"


TABLES = {"generalisation": generalisation}
