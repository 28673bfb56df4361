"""The tables of docs/review.md, from the results of `calibration.py` and `blunders.py` in scripts/experiments."""

import json
from collections.abc import Iterator
from pathlib import Path

RESULTS = Path(__file__).parents[2] / "results" / "review"


def calibration() -> Iterator[str]:
    """A row for each tenth of the chances, two columns for each edition."""
    measured = json.loads((RESULTS / "calibration.json").read_text(encoding="utf-8"))
    yield f"| {' | '.join(f'{edition}: predicted | won' for edition in measured)} |"
    yield f"| {' | '.join('---: | ---:' for _ in measured)} |"
    for place in range(max(len(row["bins"]) for row in measured.values())):
        cells = (row["bins"][place] if place < len(row["bins"]) else None for row in measured.values())
        texts = (
            f"{100 * cell['mean']:.0f}% | {100 * cell['won']:.0f}% (± {100 * cell['half']:.0f})" if cell else " | "
            for cell in cells
        )
        yield f"| {' | '.join(texts)} |"
    ends = (f"{row['races']:,} races | log loss {row['log_loss']:.3f}" for row in measured.values())
    yield f"| {' | '.join(ends)} |"


def blunders() -> Iterator[str]:
    """A row for each threshold, and how much was measured."""
    measured = json.loads((RESULTS / "blunders.json").read_text(encoding="utf-8"))
    heads = "edition", "threshold", "blunders", "of programs", "the larger search agrees", "loss", "loss to the end"
    yield f"| {' | '.join(heads)} |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for edition, found in measured.items():
        for row in found["thresholds"]:
            share = f"{100 * row['share']:.0f}% ({100 * row['low']:.0f} - {100 * row['high']:.0f})"
            mark = " (what is marked)" if row["threshold"] == found["blunder"] else ""
            often = f"{100 * row['blunders'] / found['programs']:.1f}%"
            lost = f"{100 * row['lost']:.1f}% | {100 * row['to_the_end']:.1f}% (± {100 * row['half']:.1f})"
            first = f"{edition} | {100 * row['threshold']:.0f}%{mark}"
            yield f"| {first} | {row['blunders']} | {often} | {share} | {lost} |"
        yield f"| {edition} | {found['races']} races | | {found['programs']:,} programs | | | |"


TABLES = {"calibration": calibration, "blunders": blunders}
