"""Forges snapshots of races: right check sums, any values in the records. Those that are accepted are played on.

    python -m tests.hostile.forged KIND COUNT [SEED]

With NUMBA_BOUNDSCHECK=1 each access outside an array is an error; without it only a crash is.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.core.soundness import ranges_of

MAGIC = b"roborally-snapshot\n"
# kind of record: courses, and arguments of its batches
KINDS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "lighter": (("twister", "dizzy_highway", "pilgrimage"), {"rules": {"upgrades": False}}),
    "complete": (("twister", "dizzy_highway", "burnout"), {}),
    "2023": (("twister", "dizzy_highway", "burnout"), {"edition": "2023"}),
    "2005": (("moving_targets", "capture_the_flag", "risky_exchange", "toggle_boggle"), {"edition": "2005"}),
    "community": (("twister", "gear_stripper", "dizzy_highway"), {"edition": "community"}),
}
PLAYED = 4  # steps after a forged snapshot was accepted


def batches(kind: str) -> Iterator[BatchRace]:
    courses, arguments = KINDS[kind]
    for course in courses:
        for decisions in ("all", "program"):
            for players in (2, 4, 6):
                try:
                    yield BatchRace(
                        1, course, players=players, decisions=decisions, observation="planes", events=True,
                        max_rounds=30, seed=players, **arguments,
                    )  # fmt: skip
                except RoboRallyError as error:  # the course is for other numbers
                    if not str(error).startswith("players"):
                        raise


def forged(snapshot: bytes, records: np.ndarray) -> bytes:
    """The snapshot with other records and the check sum of these."""
    head = snapshot[len(MAGIC) :].partition(b"\n")[0]
    body = records.tobytes()
    return MAGIC + head + b"\n" + hashlib.sha256(head + body).digest() + body


def change(batch: BatchRace, records: np.ndarray, rng: np.random.Generator) -> list[str]:
    """Change a record in place in one of five ways: numbers within their ranges, slightly, exchanged, or any bytes."""
    names, rows = ranges_of(batch.game, batch.players, len(batch.courses), len(batch.maps.courses))
    ways, changed = rng.integers(0, 5), []
    for _ in range(rng.integers(1, 4)):
        if ways == 4:
            data = records.view(np.uint8)
            data[rng.integers(len(data))] = rng.integers(256)
            changed.append("a byte")
            continue
        f = rng.integers(len(names))
        field = records[names[f]].reshape(-1)  # a view: records are contiguous
        flat = np.ascontiguousarray(field)
        k = rng.integers(flat.size)
        low, high = int(rows[f, 4]), int(rows[f, 5])
        if ways <= 1:
            value = int(rng.integers(low, high, endpoint=True))
        elif ways == 2:
            value = int(np.clip(int(flat[k]) + int(rng.choice((-1, 1))), low, high))
        else:
            value = int(flat[rng.integers(flat.size)])
        changed.append(f"{names[f]}[{k}] = {value}")
        flat[k] = value
        records[names[f]] = flat.reshape(records[names[f]].shape)
    return changed


def forge_and_play(kind: str, count: int, seed: int = 0) -> tuple[Counter[str], Counter[str]]:
    """(how many snapshots were accepted and refused, errors other than RoboRallyError with an example each)."""
    rng = np.random.default_rng(seed)
    found, failures = Counter[str](), Counter[str]()
    all_batches = list(batches(kind))
    for number in range(count):
        batch = all_batches[rng.integers(len(all_batches))]
        batch.reset(int(rng.integers(1000)))
        for step in range(rng.integers(0, 40)):
            batch.sample(step)
            batch.step_prepared()
        snapshot = batch.snapshot()
        records = batch.games.copy()
        changed = change(batch, records, rng)
        try:
            batch.restore(forged(snapshot, records))
        except RoboRallyError as error:
            found["refused"] += 1
            if "\n" in str(error) or len(str(error)) > 300:
                failures[f"message: {error}"] += 1
            continue
        except Exception as error:
            failures[f"restore: {type(error).__name__}: {error}; {changed}"] += 1
            continue
        found["accepted"] += 1
        try:
            for step in range(PLAYED):
                batch.sample(number + step)
                batch.step_prepared()
        except Exception as error:
            failures[f"{batch.courses[0].slug} {batch.players}: {type(error).__name__}: {error}; {changed}"] += 1
            batch.restore(snapshot)
    return found, failures


if __name__ == "__main__":
    results, errors = forge_and_play(sys.argv[1], int(sys.argv[2]), int((sys.argv[3:] or ["0"])[0]))
    print(dict(results))
    for line in errors:
        print(line)
    sys.exit(bool(errors))
