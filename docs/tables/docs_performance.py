"""The tables of docs/performance.md.

They are of the report of `roborally bench --out results/speed/bench.json`, and of that of first_step.py.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parents[2] / "results" / "speed" / "bench.json"
GAMES = {
    "lighter": "lighter",
    "complete": "complete",
    "2023": "2023",
    "2005": "2005",
    "community": "community",
}
COURSES = {"dizzy_highway": "Dizzy Highway", "summit_works": "Summit Works", "risky_exchange": "Risky Exchange"}


def rows() -> list[dict[str, Any]]:
    """The rows of the report."""
    found: list[dict[str, Any]] = json.loads(RESULTS.read_text(encoding="utf-8"))["rows"]
    return found


def thousands(rate: float) -> str:
    """A rate a second as thousands."""
    return f"{rate / 1000:,.0f} k"


def what(row: dict[str, Any]) -> str:
    """What a row of a batch writes beside playing."""
    shown = "bare core" if row["observation"] == "none" else f"`{row['observation']}`"
    if row["masks"]:
        shown += " and masks" if row["observation"] == "none" else ", masks"
    if row["observe_idle"] is False:
        shown += ", `observe_idle=False`"
    if row["dtype"]:
        shown += f", `{row['dtype']}`"
    if row["decisions"] == "all":
        shown += ', `decisions="all"`'
    return shown if row["auto_reset"] else f"{shown}, no auto-reset"


def of_batches() -> list[dict[str, Any]]:
    """The rows in which a batch is stepped."""
    return [row for row in rows() if row["name"] in ("core", "symbolic", "planes")]


def rate_of(rules: str, shown: str) -> str:
    """Rounds a second, in whole thousands, of four robots on Dizzy Highway, 256 races at once, on one core."""
    row = next(
        row
        for row in of_batches()
        if (row["rules"], what(row), row["batch"], row["threads"], row["players"]) == (rules, shown, 256, 1, 4)
    )
    return f"{round(row['rounds_per_second'], -3):,.0f}"


# the figures of the report in the README
RATES = {
    f"speed/{rules}/{name}": rate_of(rules, shown)
    for rules in ("lighter", "complete")
    for name, shown in (("core", "bare core"), ("symbolic", "`symbolic`, masks"))
}


def lighter() -> Iterator[str]:
    """The lighter game by batch and threads."""
    yield "| what | threads | batch | rounds/s | lowest .. highest | decisions/s | of the yardstick |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for row in (row for row in of_batches() if row["rules"] == "lighter"):
        rates = (thousands(row["median"]), f"{thousands(row['low'])} .. {thousands(row['high'])}")
        cells = (what(row), row["threads"], f"{row['batch']:,}", *rates, thousands(row["decisions_per_second"]))
        yield f"| {' | '.join(map(str, cells))} | {row['ratio']:.3f} |"


def games() -> Iterator[str]:
    """All games with a batch of 256."""
    found = [row for row in of_batches() if row["batch"] == 256 and row["threads"] == 1 and row["auto_reset"]]
    base = {what(row): row["ratio"] for row in found if row["rules"] == "lighter"}
    yield "| game | robots | what | rounds/s | decisions/s | of the yardstick | of the lighter game |"
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: |"
    for row in found:
        named = (row["course"] or "").rpartition("/")[2]
        course = f", {COURSES[named]}" if named in COURSES else ""
        rounds = thousands(row["rounds_per_second"]) if row["rounds_per_second"] else ""
        share = f"{row['ratio'] / base[what(row)]:.2f}" if what(row) in base else ""
        cells = (
            GAMES[row["rules"]] + course,
            row["players"],
            what(row),
            rounds,
            thousands(row["decisions_per_second"]),
        )
        yield f"| {' | '.join(map(str, cells))} | {row['ratio']:.3f} | {share} |"


def others() -> Iterator[str]:
    """What is not a batch: environments of one race, agents, courses, memory, starts."""
    yield "| what | game | median |"
    yield "| --- | --- | ---: |"
    names = {"parallel_env": "a round through `parallel_env`", "greedy": "a hand searched by `greedy`"}
    names |= {
        "planner:simulations=1000": "a decision of `planner:simulations=1000`",
        "learned": "a decision of `learned`",
    }
    names |= {"courses made": "a course made, with its tables and distances", "races": "a race of random programs"}
    units = {"memory": "a game in memory", "cold_compile": "everything compiled", "cached_start": "a later start"}
    for row in rows():
        course = (row["course"] or "").rpartition("/")[2]
        game = ", ".join(filter(None, (row["rules"], COURSES.get(course, f"`{course}`") if course else "")))
        if row["name"] in names:
            seconds = 1 / row["median"]
            time = f"{seconds * 1e3:.1f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} us"
            yield f"| {names[row['name']]} | {game} | {time} |"
        elif row["name"] in units:
            amount = f"{row['median']:,.0f} bytes" if row["name"] == "memory" else f"{row['median']:.1f} s"
            if row["name"] == "memory":
                game += f", {row['players']} robots"
            yield f"| {units[row['name']]} | {game} | {amount} |"


FUNCTIONS = {
    "drive": "playing, observations, masks",
    "explore": "solo moves on a course that is not shipped, how its checkpoints move",
    "fill_distances": "its distances",
}


def first_step() -> Iterator[str]:
    """What compiling takes until the first step, function by function."""
    found = json.loads((RESULTS.parent / "first_step.json").read_text(encoding="utf-8"))
    yield from ("| function | for | typing and lowering | LLVM | together |", "| --- | --- | ---: | ---: | ---: |")
    for name, stages in found["functions"].items():
        typing, whole = stages["typing"], sum(stages.values())
        yield f"| `{name}` | {FUNCTIONS[name]} | {typing:.1f} s | {whole - typing:.1f} s | {whole:.1f} s |"
        if name == "drive":
            yield f"| the first step, with imports | | | | {found['seconds']:.1f} s |"


def whole_edition() -> Iterator[str]:
    """What compiling a whole edition takes, part by part."""
    found = json.loads((RESULTS.parent / "compile.json").read_text(encoding="utf-8"))
    yield from ("| part | typing, lowering, playing | LLVM | together |", "| --- | ---: | ---: | ---: |")
    for row in found["parts"]:
        yield f"| {row['name']} | {row['seconds'] - row['llvm']:.1f} s | {row['llvm']:.1f} s | {row['seconds']:.1f} s |"
    yield f"| all, with imports | | | {found['seconds']:.1f} s |"


def wheel() -> Iterator[str]:
    """What the machine code in a wheel weighs, and the first step with it."""
    found = json.loads((RESULTS.parent / "wheel.json").read_text(encoding="utf-8"))
    yield "| Python | machine code | bitcode | first step with neither | from machine code | from bitcode |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name, row in found["pythons"].items():
        sizes = f"{row['code_mb']:.1f} MB | {row['bitcode_mb']:.1f} MB"
        yield f"| {name} | {sizes} | {row['cold']:.1f} s | {row['from_code']:.1f} s | {row['from_bitcode']:.1f} s |"


TABLES = {
    "lighter games": lighter,
    "all games": games,
    "other speeds": others,
    "first step": first_step,
    "whole edition": whole_edition,
    "wheel": wheel,
}
