"""The table of docs/libraries.md, from the rows that `check_libraries.py` has written."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[2] / "results" / "learning" / "libraries.json"


def libraries() -> Iterator[str]:
    """A row for each library, in the order of their names."""
    titles = (
        "library, version",
        "lines to create an env",
        "its own check passed",
        "mask honoured",
        "mean place of four",
    )
    yield f"| {' | '.join(titles)} | decisions/s |"
    yield "| --- | ---: | --- | --- | --- | ---: |"
    for row in sorted(json.loads(RESULTS.read_text(encoding="utf-8")).values(), key=lambda row: row["library"].lower()):
        check = f"`{row['check']}`" if row["check"] else "has none"
        mask = "yes" if not row["repairs"] else f"no: {row['repairs']} illegal actions"
        name, *form = row["library"].split(", ")  # "RLlib, programs" is RLlib's second row
        cells = (", ".join([f"{name} {row['version']}", *form]), row["lines"], check, mask, _place(row))
        yield f"| {' | '.join(map(str, cells))} | {row['decisions_per_second']:,} |"


def _place(row: dict[str, Any]) -> str:
    """The mean place, with its 95% interval, and the learner."""
    if not row["learner"]:
        return "random legal play"
    return f"{row['place']:.2f} ± {row['error']:.2f}, {row['learner']}, {row['seconds']} s"


def text() -> Iterator[str]:
    """The numbers of races that are played by text alone."""
    found = json.loads((RESULTS.parents[1] / "text.json").read_text(encoding="utf-8"))
    titles = ("races", "won", "rounds", "decisions a race", "tokens a text", "longest", "tokens an answer", "ms a text")
    yield f"| {' | '.join(titles)} | ms to answer |"
    yield "| ---: |" + " ---: |" * len(titles)
    cells = (
        found["races"], found["won"], found["rounds"], found["decisions_a_race"], f"{found['tokens_a_text']:,}",
        f"{found['most_tokens']:,}", found["tokens_an_answer"], found["milliseconds_a_text"],
        found["milliseconds_to_answer"],
    )  # fmt: skip
    yield f"| {' | '.join(map(str, cells))} |"


TABLES = {"libraries": libraries, "text": text}
