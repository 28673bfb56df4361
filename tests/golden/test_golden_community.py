"""Golden files of the community edition: a race on three levels, one that goes on, and hashes of many."""

from typing import Any

from .playthrough_community import race
from .test_golden import compare, signature

COURSES = (
    "community/hot_floor", "community/rain_yard", "community/summit_works", "community/terraces", "dizzy_highway"
)  # fmt: skip
GAMES, STEPS = 16, 80
FIELDS = (
    "cell", "facing", "reached", "damage", "energy", "hand", "registers", "reboots", "ramps", "virtual", "down",
    "checkpoint", "owned", "shop", "winner",
)  # fmt: skip


def test_the_race_on_levels_is_as_it_was(update_golden: bool) -> None:
    at = [(9, 2), (7, 4), (14, 6), (17, 3), (11, 8)]
    compare("levels_community.txt", race("community/summit_works", at, rounds=4, seed=3), update_golden)


def test_the_race_that_goes_on_is_as_it_was(update_golden: bool) -> None:
    at = [(3, 1), (7, 3), (12, 6), (6, 9), (9, 8)]
    text = race("community/hot_floor", at, rounds=4, seed=29, race_on=True, upgrades=False)
    compare("race_on_community.txt", text, update_golden)


def test_the_signatures_are_as_they_were(update_golden: bool) -> None:
    lines = [f"# {GAMES} races a course, {STEPS} steps, four robots, random legal actions"]
    options: dict[str, Any] = {"edition": "community", "seed": 7}
    lines += [f"{course} {signature(course, STEPS, FIELDS, GAMES, **options)}" for course in COURSES]
    compare("signature_community.txt", "\n".join(lines) + "\n", update_golden)
