"""Snapshots with a right check sum and any records: what is accepted can be played on, and what is real is accepted.

The number of forged records of each kind is 60; ROBORALLY_FORGED=2000 sets another."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env.base.errors import SnapshotError
from roborally_env.batch import BatchRace
from roborally_env.core.soundness import FAULTS, ranges_of
from roborally_env.core.state import COMMON_FIELDS, KINDS, LOG_FIELDS
from roborally_env.courses import list_courses
from tests.hostile.forged import KINDS as FORGED
from tests.hostile.forged import forged
from tests.sizes import each_once, size

COUNT = os.environ.get("ROBORALLY_FORGED", size("40", "60"))
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("kind", size(["2005", "complete"], FORGED))
def test_a_forged_record_is_refused_or_played_on(kind: str) -> None:
    command = [sys.executable, "-m", "tests.hostile.forged", kind, COUNT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stdout} {done.stderr[-500:]}"
    assert "accepted" in done.stdout


@pytest.mark.parametrize("kind", ["lighter", "complete", "2023", "2005", "community"])
def test_each_field_says_its_range(kind: str) -> None:
    assert all(len(field) == 5 for field in COMMON_FIELDS + KINDS[kind].fields + LOG_FIELDS)


EDITIONS: dict[str, dict[str, Any]] = {
    "lighter": {"edition": "2016", "rules": {"upgrades": False}},
    "complete": {"edition": "2016"},
    "2023": {"edition": "2023"},
    "2005": {"edition": "2005"},
    "community": {"edition": "community"},
}


@pytest.mark.parametrize(("kind", "decisions"), each_once(EDITIONS, ["all", "program"]))
def test_snapshots_of_races_are_accepted(kind: str, decisions: str) -> None:
    """On each course of the edition, in the middle of rounds where choices are asked."""
    arguments = EDITIONS[kind]
    for number, course in enumerate(list_courses(arguments["edition"])):
        players = sorted(course.counts)[-1 if number % 2 else 0]
        batch = BatchRace(
            4, course, players=players, decisions=decisions, observation="none", max_rounds=8, seed=number, **arguments
        )
        for step in range(16):
            records = batch.games.copy()
            batch.restore(batch.snapshot())
            assert records.tobytes() == batch.games.tobytes()
            batch.sample(step)
            batch.step_prepared()


def batch_of(kind: str, **more: Any) -> BatchRace:
    course = "risky_exchange" if kind == "2005" else "twister"
    return BatchRace(2, course, players=2, observation="none", max_rounds=9, seed=1, **EDITIONS[kind], **more)


def refused(batch: BatchRace, **fields: Any) -> str:
    """The message for a snapshot in which these fields of game 1 have other values; the batch stays as it was."""
    snapshot, records = batch.snapshot(), batch.games.copy()
    for name, value in fields.items():
        records[name][1] = value
    with pytest.raises(SnapshotError) as error:
        batch.restore(forged(snapshot, records))
    assert batch.snapshot() == snapshot
    return str(error.value)


@pytest.mark.parametrize(
    ("kind", "fields", "message"),
    [
        ("lighter", {"facing": [0, 4, 0, 0, 0, 0]}, "snapshot: game 1: facing[1] is 4; expected 0 to 3"),
        ("lighter", {"step": 200}, "snapshot: game 1: step is 200; expected 0 to 18"),
        ("lighter", {"course": 1}, "snapshot: game 1: course is 1; expected 0 to 0"),
        ("lighter", {"players": 3}, "snapshot: game 1: players is 3; this batch has 2"),
        ("lighter", {"order": [0, 0, 2, 3, 4, 5]}, f"snapshot: game 1: {FAULTS[1]}"),
        ("lighter", {"cell": [1279, 40, -1, -1, -1, -1]}, f"snapshot: game 1: {FAULTS[2]}"),
        ("lighter", {"step": 0}, f"snapshot: game 1: {FAULTS[6]}"),
        ("lighter", {"ask_options": 3}, f"snapshot: game 1: {FAULTS[9]}"),
        ("lighter", {"held": 3}, f"snapshot: game 1: {FAULTS[10]}"),
        ("lighter", {"drawable": 90}, f"snapshot: game 1: {FAULTS[11]}"),
        ("complete", {"upgrades_left": 3}, f"snapshot: game 1: {FAULTS[13]}"),
        ("complete", {"owned": -1}, "snapshot: game 1: owned[0] is -1; expected 0 to"),
        ("2005", {"deck": 1}, f"snapshot: game 1: {FAULTS[19]}"),
        ("2005", {"dock_order": 0}, f"snapshot: game 1: {FAULTS[15]}"),
        ("2005", {"tables_at": 0, "turned": 1}, f"snapshot: game 1: {FAULTS[16]}"),
        ("community", {"ramps": 1 << 63}, f"snapshot: game 1: {FAULTS[14]}"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 10 else "",
)
def test_a_record_that_cannot_be_played_on(kind: str, fields: dict[str, Any], message: str) -> None:
    assert refused(batch_of(kind), **fields).startswith(message)


def test_a_number_below_and_beyond_each_range_is_refused() -> None:
    batch = batch_of("2005")
    names, rows = ranges_of("2005", 2, 1, len(batch.maps.courses))
    for name, (_, width, signed, count, low, high) in zip(names, rows.tolist(), strict=True):
        if name in ("log_at", "frames_at", "logged"):  # these are set to 0
            continue
        kind = np.iinfo(batch.dtype[name].base)
        for value in (low - 1, high + 1):
            if kind.min <= value <= kind.max:
                assert name in refused(batch, **{name: value}), (width, signed, count)
