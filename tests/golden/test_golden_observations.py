"""What players see, byte by byte, in races of every game: after steps, resets, restores and redeals, and in copies.

The hashes were made when every number of a vector was written by itself, for each seat anew.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from roborally_env.batch import BatchRace

from .test_golden import compare

GAMES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "lighter": ({"rules": {"upgrades": False}}, ("dizzy_highway", "gear_stripper", "pilgrimage")),
    "complete": ({}, ("dizzy_highway", "gear_stripper", "pilgrimage")),
    "2023": ({"edition": "2023"}, ("dizzy_highway", "pilgrimage")),
    "2005": ({"edition": "2005"}, ("risky_exchange", "moving_targets")),
    "community": ({"edition": "community"}, ("dizzy_highway", "summit_works")),
}
PLAYERS = (2, 3, 6)
STEPS = 40


def seen(batch: BatchRace) -> Iterator[bytes]:
    """The bytes of all that a batch shows, in the order of names."""
    for shown in (batch.observations, batch.final_observations):
        for name in sorted(shown):
            yield np.ascontiguousarray(shown[name]).tobytes()


def signature(name: str, decisions: str, players: int) -> str:
    """A hash of what is seen in seeded races of random legal actions."""
    options, courses = GAMES[name]
    batch = BatchRace(
        12, list(courses), players=players, decisions=decisions, observation="planes", seed=5, max_rounds=6, **options
    )
    digest = hashlib.sha256()
    kept = batch.snapshot()
    for number in range(STEPS):
        batch.sample(number)
        batch.step_prepared()
        digest.update(b"".join(seen(batch)))
        if number == STEPS // 4:
            kept = batch.snapshot()
        if number == STEPS // 2:
            digest.update(b"".join(seen(batch.redeal(1, 3))))
            batch.reset(None, np.arange(12) % 3 == 0)
            digest.update(b"".join(seen(batch)))
        if number == 3 * STEPS // 4:
            batch.restore(kept)
            digest.update(b"".join(seen(batch)))
            batch = batch.copy()
    return digest.hexdigest()[:16]


@pytest.mark.parametrize("name", list(GAMES))
def test_players_see_what_they_saw(name: str, update_golden: bool) -> None:
    lines = [
        f"{decisions} {players} players {signature(name, decisions, players)}"
        for decisions in ("program", "all")
        for players in PLAYERS
    ]
    compare(f"observations_{name}.txt", "\n".join(lines) + "\n", update_golden)
