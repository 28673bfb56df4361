"""Results in the text of a page: what stands between `<!-- result NAME -->` and `<!-- /result -->` is written here.

A name is a file below `results/` without its ending, and the way to a value in it, as in
`2016_learned/against/greedy/scores/all`. In a list the way goes by what a row is called (its agent, course or search).
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from docs_performance import RATES

from roborally_env.evaluation.benchmark import percent

RESULTS = Path(__file__).parents[2] / "results"
MARK = re.compile(r"(<!-- result ([^ ]+) -->).*?(<!-- /result -->)", re.DOTALL)
_NAMES = ("course", "agent", "search", "name")


def with_results(page: str) -> str:
    """The text of a page with its results as they are in the files."""
    return MARK.sub(lambda mark: f"{mark[1]}{text_of(mark[2])}{mark[3]}", page)


def text_of(name: str) -> str:
    """A result as text."""
    return RATES[name] if name in RATES else shown(value_of(name))


def value_of(name: str) -> Any:
    """A result by its name."""
    parts = name.split("/")
    count = next((n for n in range(len(parts), 0, -1) if _file(parts[:n]).is_file()), 0)
    if not count:
        raise SystemExit(f"result {name}: no such file in results/")
    value = results(str(Path(*parts[:count])))
    for part in parts[count:]:
        try:
            value = _row(value, part) if isinstance(value, list) else value[part]
        except (KeyError, StopIteration):
            raise SystemExit(f"result {name}: no {part} in it") from None
    return value


def shown(value: Any) -> str:
    """A score or a share of races with its interval, a range, or a plain number or text."""
    if isinstance(value, dict) and "score" in value:
        return percent(value)
    if isinstance(value, dict) and "won" in value:
        interval = f" ({value['low']} - {value['high']})" if "low" in value else ""
        return f"{value['won']}%{interval}"
    if isinstance(value, dict) and "points" in value:
        return f"{value['points']} points ({value['low']} - {value['high']})"
    if isinstance(value, dict) and {"low", "high"} == set(value):
        return f"{shown(value['low'])} to {shown(value['high'])}"
    return f"{value:,}" if isinstance(value, int) else str(value)


@cache
def results(name: str) -> Any:
    """The content of a file below `results/`, without its ending."""
    return json.loads(_file(name.split("/")).read_text(encoding="utf-8"))


def _file(parts: list[str]) -> Path:
    return RESULTS.joinpath(*parts[:-1], f"{parts[-1]}.json")


def _row(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    return next(row for row in rows if name in (row.get(key) for key in _NAMES))
