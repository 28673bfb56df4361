"""Golden files of the 2005 edition: a plain race, one rich in options, one of teams, and hashes of many."""

from typing import Any

from .playthrough2005 import race
from .test_golden import compare, signature

COURSES = (
    "2005/twister", "marathon_madness", "moving_targets", "day_of_the_superbot", "toggle_boggle", "frenetic_factory"
)  # fmt: skip
GAMES, STEPS = 16, 40
FIELDS = ("cell", "facing", "reached", "damage", "lives", "archive", "options", "registers", "hand", "winner", "turned")


def test_the_plain_race_is_as_it_was(update_golden: bool) -> None:
    compare("plain_2005.txt", race("2005/twister", players=5, rounds=4, seed=7, options=False), update_golden)


def test_the_race_with_many_options_is_as_it_was(update_golden: bool) -> None:
    compare("options_2005.txt", race("flag_fry", players=5, rounds=4, seed=11, options_each=4), update_golden)


def test_the_race_of_teams_is_as_it_was(update_golden: bool) -> None:
    compare("teams_2005.txt", race("capture_the_flag", players=6, rounds=4, seed=7), update_golden)


def test_the_signatures_are_as_they_were(update_golden: bool) -> None:
    lines = [f"# {GAMES} races a course, {STEPS} turns, six robots, random legal programs"]
    options: dict[str, Any] = {"edition": "2005", "players": 6, "seed": 2005, "events": True}
    lines += [f"{course} {signature(course, STEPS, FIELDS, GAMES, **options)}" for course in COURSES]
    compare("signature_2005.txt", "\n".join(lines) + "\n", update_golden)
