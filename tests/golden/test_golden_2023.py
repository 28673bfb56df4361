"""The golden file of the 2023 edition: a race in words, and hashes of many."""

import hashlib

from roborally_env.batch import BatchRace
from tests.games import seated

from .playthrough import complete_playthrough
from .test_golden import COURSES, FIELDS, GAMES, ROUNDS, compare


def test_the_race_is_as_it_was(update_golden: bool) -> None:
    text = complete_playthrough("twister", players=5, rounds=4, seed=7, edition="2023")
    compare("collecting_2023.txt", text, update_golden)


def signature(course: str) -> str:
    """A hash of seeded races of random legal programs, with the default policy in upgrade phases."""
    batch = BatchRace(GAMES, course, edition="2023", players=4, seed=2023, auto_reset=False, observation="none")
    digest = hashlib.sha256()
    for number in range(ROUNDS):
        batch.sample(number)
        batch.step_prepared()
        for field in (*FIELDS, "owned", "collection", "upgrade_discard", "upgrade_deck"):
            digest.update(seated(batch, field).astype("<i8").tobytes())
    return digest.hexdigest()[:16]


def test_the_signatures_are_as_they_were(update_golden: bool) -> None:
    lines = [f"# {GAMES} races a course, {ROUNDS} rounds, four robots, random legal programs"]
    lines += [f"{course} {signature(course)}" for course in COURSES]
    compare("signature_2023.txt", "\n".join(lines) + "\n", update_golden)
