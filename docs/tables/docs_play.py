"""The table of docs/play.md: how often a player beats each level, from `results/levels.json`."""

from collections.abc import Iterator

from docs_results import results, shown

EDITIONS = ("2016", "2005", "2023", "community")
PLAYERS = {
    "hints": "plays the hint every round",
    "some hints": "plays the hint every other round, otherwise what seems obvious",
    "ghost": "plays the program that gets it farthest alone, as the ghost shows",
    "obvious": "counts only its cards, and forgets belts, gears and lasers",
    "random": "plays cards at random",
}


def levels() -> Iterator[str]:
    """A row for each level and player that was measured."""
    rows = {(row["level"], row["player"], row["edition"]): row for row in results("levels")["summary"]}
    yield f"| three of | a player who | {' | '.join(EDITIONS)} |"
    yield f"| --- | --- | {' | '.join('---:' for _ in EDITIONS)} |"
    for level in dict.fromkeys(key[0] for key in rows):
        for player, words in PLAYERS.items():
            found = [rows.get((level, player, edition)) for edition in EDITIONS]
            if any(found):
                yield f"| {level} | {words} | {' | '.join(shown(row) if row else '' for row in found)} |"


TABLES = {"levels": levels}
