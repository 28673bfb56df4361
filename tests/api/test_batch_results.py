"""`results` and flags of a batch whose records are put in: by a snapshot, a record, a clone, or by the caller."""

from typing import Any

import numpy as np
import pytest

from roborally_env import BatchRace
from tests.games import both_games

OPTIONS: dict[str, Any] = {"players": 3, "max_rounds": 3}


def played(batch: BatchRace, until: int) -> None:
    """Random legal play until so many games are over (`auto_reset=False`), or have finished a race."""
    for k in range(200):
        finished = batch.results["rounds"] > 0 if batch.auto_reset else batch.over
        if finished.sum() >= until:
            return
        batch.sample(k)
        batch.step_prepared()
    raise AssertionError("too few races have ended")


def ended(**options: Any) -> BatchRace:
    """A batch of games that are all over."""
    batch = BatchRace(4, seed=3, auto_reset=False, **OPTIONS, **options)
    played(batch, 4)
    return batch


@both_games
def test_a_snapshot_of_races_that_are_over_brings_their_results(rules: dict[str, Any]) -> None:
    batch, other = ended(rules=rules), BatchRace(4, seed=9, auto_reset=False, rules=rules, **OPTIONS)
    assert not other.results["rounds"].any()
    other.restore(batch.snapshot())
    assert other.results.tobytes() == batch.results.tobytes()
    step = other.step_prepared()
    assert (step.terminated | step.truncated).all()
    assert other.results.tobytes() == batch.results.tobytes()


@pytest.mark.parametrize("auto_reset", [False, True])
def test_the_results_of_a_running_race_are_zeros_whatever_was_played_before(auto_reset: bool) -> None:
    batch = BatchRace(4, seed=3, auto_reset=auto_reset, **OPTIONS)
    start = batch.snapshot()
    played(batch, 4)
    assert batch.results["rounds"].all()
    fresh = BatchRace(4, seed=8, auto_reset=auto_reset, **OPTIONS)
    for each in (batch, fresh):
        each.restore(start)
        assert not np.frombuffer(each.results.tobytes(), np.uint8).any()
        played(each, 4)
    assert batch.results.tobytes() == fresh.results.tobytes()


def test_a_record_that_is_taken_brings_its_result() -> None:
    batch = ended()
    one = BatchRace(1, seed=5, auto_reset=False, **OPTIONS)
    for g in range(4):
        one.take_record(batch.games[g : g + 1])
        assert one.over.all()
        assert one.results.tobytes() == batch.results[g : g + 1].tobytes()
        step = one.step_prepared()
        assert (step.terminated | step.truncated).all()
    running = BatchRace(1, seed=7, auto_reset=False, **OPTIONS)
    one.take_record(running.games)
    assert not one.results["rounds"].any()
    one.sample()
    step = one.step_prepared()
    assert not (step.terminated | step.truncated).any()


def test_records_that_are_written_are_shown_when_they_are_observed() -> None:
    batch, other = ended(), BatchRace(4, seed=9, auto_reset=False, **OPTIONS)
    other.games[:2] = batch.games[:2]
    assert not other.results["rounds"].any()
    seen = other.observe()
    assert other.results[:2].tobytes() == batch.results[:2].tobytes()
    assert not other.results["rounds"][2:].any()
    assert np.array_equal(seen["symbolic"][:2], batch.observations["symbolic"][:2])
    other.sample()
    step = other.step_prepared()
    assert (step.terminated | step.truncated)[:2].all()
    assert not (step.terminated | step.truncated)[2:].any()


def test_observing_keeps_the_flags_and_results_of_the_last_step() -> None:
    for auto_reset in (False, True):
        batch = BatchRace(4, seed=3, auto_reset=auto_reset, **OPTIONS)
        for k in range(40):
            batch.sample(k)
            step = batch.step_prepared()
            flags, results = np.stack([step.terminated, step.truncated]), batch.results.tobytes()
            batch.observe()
            assert np.array_equal(np.stack([step.terminated, step.truncated]), flags)
            assert batch.results.tobytes() == results
        assert batch.results["rounds"].any()


def test_a_running_race_in_place_of_one_that_was_over_keeps_no_flag() -> None:
    batch = BatchRace(2, seed=3, auto_reset=False, **OPTIONS)
    played(batch, 2)
    batch.reset(mask=np.array([True, False]))
    batch.clone(0, 1)
    assert not batch.over.any()
    batch.sample()
    step = batch.step_prepared()
    assert not (step.terminated | step.truncated).any()
