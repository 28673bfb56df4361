"""The golden file of the 2023 edition: a race in words, and hashes of many."""

from typing import Any

from .playthrough import complete_playthrough
from .test_golden import COURSES, FIELDS, GAMES, ROUNDS, compare, signature


def test_the_race_is_as_it_was(update_golden: bool) -> None:
    text = complete_playthrough("twister", players=5, rounds=4, seed=7, edition="2023")
    compare("collecting_2023.txt", text, update_golden)


def test_the_signatures_are_as_they_were(update_golden: bool) -> None:
    lines = [f"# {GAMES} races a course, {ROUNDS} rounds, four robots, random legal programs"]
    fields = (*FIELDS, "owned", "collection", "upgrade_discard", "upgrade_deck")
    options: dict[str, Any] = {"edition": "2023", "seed": 2023}
    lines += [f"{course} {signature(course, ROUNDS, fields, **options)}" for course in COURSES]
    compare("signature_2023.txt", "\n".join(lines) + "\n", update_golden)
