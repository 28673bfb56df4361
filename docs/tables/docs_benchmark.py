"""The tables of the page of RoboRally-Bench."""

from collections.abc import Iterator

from roborally_env.evaluation.benchmark import OPPONENTS, PROTOCOLS


def courses() -> Iterator[str]:
    """The courses of each edition, and the numbers of races."""
    yield from ("| edition | set | courses | races on each | with `--quick` |", "| --- | --- | --- | ---: | ---: |")
    for protocol in PROTOCOLS.values():
        for each in protocol.sets:
            listed = ", ".join(f"`{course}`" for course in each.courses)
            yield f"| {protocol.edition} | {each.name} | {listed} | {protocol.races} | {protocol.quick_races} |"


def opponents() -> Iterator[str]:
    """The opponents' specs."""
    yield from ("| name | three of it sit in the other seats |", "| --- | --- |")
    yield from (f"| {each.name} | `{each.spec}` |" for each in OPPONENTS)


TABLES = {"benchmark courses": courses, "benchmark opponents": opponents}
