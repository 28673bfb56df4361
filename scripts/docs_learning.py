"""The tables of what was learned and what it cost, from the results of `scripts/generalisation.py`,
`scripts/learning_curves.py` and `scripts/bench_actors.py`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent.parent / "results" / "learning"
MEASURES = {
    "value": "log loss below that of the distances, in thousandths",
    "learned": "`learned` won",
    "search": "`learned-search:trust=1` won",
}
SETS = ("training", "unseen", "printed")


def generalisation() -> Iterator[str]:
    """A row for each measure and number of training courses, a column for each set of courses."""
    rows = json.loads((RESULTS / "generalisation.json").read_text(encoding="utf-8"))["rows"]
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


def trainings() -> Iterator[str]:
    """A row for each training of `scripts/learning_curves.py`."""
    found = json.loads((RESULTS / "curves.json").read_text(encoding="utf-8"))["runs"]
    yield "| training | decisions | decisions/s | share of the environment | against 3 `random` | against 3 `greedy` |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name, title in {"ppo": "`scripts/ppo.py`", "sb3": "`roborally train sb3`"}.items():
        run = found[name]
        last = {row["against"]: row for row in run["races"]}  # the final evaluations stand last
        won = (
            f"{row['win_rate']:.0%} ({100 * row['win_low']:.0f} - {100 * row['win_high']:.0f}) of {row['races']}"
            for row in (last["random"], last["greedy"])
        )
        speed = f"{run['rate']:,.0f} | {100 * run['share_env']:.1f} %"
        yield f"| {title} | {run['decisions']:,} | {speed} | {' | '.join(won)} |"


def actors() -> Iterator[str]:
    """A row for each run of `scripts/bench_actors.py`."""
    titles = ("actors", "decisions/s here", "`share/wait`", "learner, s", "actors, s", "one learner is enough for")
    yield f"| `train selfplay` | {' | '.join(titles)} |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in json.loads((RESULTS / "actors.json").read_text(encoding="utf-8")):
        thousands = row["decisions"] / 1000
        name = row["options"] if row["options"] == "by default" else f"`{row['options']}`"
        cells = [name, row["actors"] or "none", f"{row['decisions'] / row['seconds']:,.0f}"]
        if row["actors"]:
            most = row["playing"] / row["learner"]
            cells += [f"{row['wait']:.0%}", f"{row['learner'] / thousands:.2f}", f"{row['playing'] / thousands:.2f}"]
            cells += [f"{most:.1f} actors"]
        else:
            cells += ["", f"{row['learner'] / thousands:.2f}", "", ""]
        yield f"| {' | '.join(map(str, cells))} |"


TABLES = {"generalisation": generalisation, "trainings": trainings, "actors": actors}
