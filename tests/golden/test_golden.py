"""Golden files: one race in words, and hashes of many. `python -m pytest tests/golden --update-golden` rewrites them.

A refactor keeps these files; a change of rules, or of the order in which chance is used, moves exactly what it means
to, and the difference is read in review.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from roborally_env.batch import BatchRace
from tests.games import seated

from .playthrough import complete_playthrough, playthrough

HERE = Path(__file__).parent
COURSES = ("dizzy_highway", "twister", "gear_stripper", "chop_shop_challenge", "pilgrimage")
GAMES, ROUNDS = 40, 12  # of each course
# the outcome of a race, whatever the layout of its record
FIELDS = ("cell", "facing", "reached", "energy", "hand", "taken", "reboots", "damage_pile", "checkpoint", "winner")


def compare(name: str, text: str, update: bool) -> None:
    """The text is that of the golden file."""
    path = HERE / name
    if update:
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"no {name}: run pytest tests/golden --update-golden"
    assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()


def test_the_playthrough_is_as_it_was(update_golden: bool) -> None:
    compare("dizzy_highway.txt", playthrough("dizzy_highway", players=4, rounds=6, seed=7), update_golden)


def test_the_complete_game_is_as_it_was(update_golden: bool) -> None:
    text = complete_playthrough("chop_shop_challenge", players=5, rounds=4, seed=7)
    compare("complete_game.txt", text, update_golden)


def signature(course: str, steps: int, fields: Sequence[str], games: int = GAMES, **options: Any) -> str:
    """A hash of seeded races of random legal actions, after each step."""
    batch = BatchRace(games, course, **{"players": 4, "auto_reset": False, "observation": "none", **options})
    digest = hashlib.sha256()
    for number in range(steps):
        batch.sample(number)
        batch.step_prepared()
        for field in fields:
            digest.update(seated(batch, field).astype("<i8").tobytes())
    return digest.hexdigest()[:16]


def test_the_signatures_are_as_they_were(update_golden: bool) -> None:
    lines = [f"# {GAMES} races a course, {ROUNDS} rounds, four robots, random legal programs"]
    lighter, complete = ({"seed": 2016, "rules": {"upgrades": upgrades}} for upgrades in (False, True))
    lines += [f"{course} {signature(course, ROUNDS, FIELDS, **lighter)}" for course in COURSES]
    # purchases are steps of their own
    fields = (*FIELDS, "owned", "shop")
    lines += [f"{course} complete {signature(course, 3 * ROUNDS, fields, **complete)}" for course in COURSES]
    whole = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    compare("signature.txt", "\n".join([*lines, f"all {whole}"]) + "\n", update_golden)
