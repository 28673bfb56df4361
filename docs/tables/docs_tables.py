"""What several pages of docs/ write alike."""

from collections.abc import Iterable, Iterator


def codes(names: Iterable[str]) -> str:
    """Names as code, with commas."""
    return ", ".join(f"`{name}`" for name in names)


def actions(*rows: tuple[str, str, int, int]) -> Iterator[str]:
    """Action spaces: the game, `decisions`, the slots of a hand, and how wide the last number is (0: there is none)."""
    yield from ("| game | `decisions` | action |", "| --- | --- | --- |")
    for game, decisions, slots, last in rows:
        yield f"| {game} | {decisions} | `MultiDiscrete([{slots}] * 5{f' + [{last}]' if last else ''})` |"
