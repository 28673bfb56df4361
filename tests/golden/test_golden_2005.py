"""Golden files of the 2005 edition: a plain race, one rich in options, one of teams, and hashes of many."""

import hashlib

from roborally_env.batch import BatchRace
from tests.games import seated

from .playthrough2005 import race
from .test_golden import compare

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


def signature(course: str) -> str:
    """A hash of seeded races of random legal actions, after each step."""
    batch = BatchRace(
        GAMES, course, edition="2005", players=6, seed=2005, auto_reset=False, observation="none", events=True
    )
    digest = hashlib.sha256()
    for number in range(STEPS):
        batch.sample(number)
        batch.step_prepared()
        for field in FIELDS:
            digest.update(seated(batch, field).astype("<i8").tobytes())
    return digest.hexdigest()[:16]


def test_the_signatures_are_as_they_were(update_golden: bool) -> None:
    lines = [f"# {GAMES} races a course, {STEPS} turns, six robots, random legal programs"]
    lines += [f"{course} {signature(course)}" for course in COURSES]
    compare("signature_2005.txt", "\n".join(lines) + "\n", update_golden)
