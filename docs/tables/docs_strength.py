"""The tables of docs/strength.md, from `results/strength`."""

from collections.abc import Iterator

from docs_results import results, shown

COURSES = ("dizzy_highway", "twister", "dodge_this")


def simulations() -> Iterator[str]:
    """A row for each agent of `scripts/strength.py`."""
    yield f"| agent | {' | '.join(f'`{course}`' for course in COURSES)} | ms |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for row in results("strength/simulations")["rows"]:
        name = f"`{row['agent']}`" + " (1,000)" * (row["agent"] == "planner")
        yield f"| {name} | {' | '.join(shown(row[course]) for course in COURSES)} | {row['ms']} |"


def together() -> Iterator[str]:
    """A row for each course on which planner, greedy and random raced."""
    yield from ("| course | planner | greedy | rounds |", "| --- | ---: | ---: | ---: |")
    for row in results("strength/together")["rows"]:
        course = row["course"] if " " in row["course"] else f"`{row['course']}`"
        yield f"| {course} | {shown(row['planner'])} | {shown(row['greedy'])} | {row['rounds']} |"


def by_time() -> Iterator[str]:
    """A row for each agent and time of `scripts/experiments/strength_by_time.py`."""
    yield "| agent | time for a decision | time it took, mean | races | won |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    rows = results("strength/by_time")["rows"]
    for row in sorted(rows, key=lambda row: (row["agent"], row["milliseconds"])):
        took = f"{row['measured_ms']:,.1f} ms"
        yield f"| `{row['agent']}` | {row['milliseconds']:,} ms | {took} | {row['races']:,} | {shown(row)} |"


TABLES = {"by time": by_time, "simulations": simulations, "planner greedy random": together}
