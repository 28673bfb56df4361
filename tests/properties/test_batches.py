"""A race depends on its seed alone: not on its place in a batch, on threads, or on being saved and put back."""

import numpy as np
import pytest

from roborally_env.check_game import check_game

from .races import batch_of, differing_fields, play, state_bytes

STEPS = 15  # more than two races of six rounds


@pytest.mark.parametrize("decisions", ["program", "all"])
def test_a_game_alone_equals_the_same_game_in_any_batch_place(decisions):
    together = batch_of(7, decisions=decisions)
    alone = [batch_of(1, decisions=decisions, first_game=i) for i in range(7)]
    for step in range(STEPS):
        play(together, 1, step)
        for i, single in enumerate(alone):
            play(single, 1, step)
            assert state_bytes(single.games) == state_bytes(together.games[i : i + 1]), f"game {i} after step {step}"
            assert single.results.tobytes() == together.results[i : i + 1].tobytes()
            for name, seen in single.observations.items():
                assert seen.tobytes() == together.observations[name][i : i + 1].tobytes(), name
            for name, seen in single.final_observations.items():
                assert seen.tobytes() == together.final_observations[name][i : i + 1].tobytes(), name
    if decisions == "program":
        assert (together.games["episode"] >= 2).all()


def test_any_thread_count_gives_the_same_bytes():
    one, two = batch_of(33), batch_of(33, threads=2)
    assert state_bytes(one.games) == state_bytes(two.games)
    assert play(one, STEPS) == play(two, STEPS)


@pytest.mark.parametrize("decisions", ["program", "all"])
def test_the_same_seed_gives_the_same_bytes(decisions):
    assert play(batch_of(decisions=decisions), STEPS) == play(batch_of(decisions=decisions), STEPS)


def test_another_seed_gives_other_races():
    assert play(batch_of(seed=12), 1) != play(batch_of(), 1)


def test_a_reset_with_a_seed_equals_a_new_batch():
    batch = batch_of()
    play(batch, STEPS)
    batch.reset(11)
    assert state_bytes(batch.games) == state_bytes(batch_of().games)


@pytest.mark.parametrize("decisions", ["program", "all"])
def test_a_restored_snapshot_goes_on_as_the_race_did(decisions):
    batch = batch_of(decisions=decisions)
    play(batch, 3)
    kept = batch.snapshot()
    seen = {name: array.copy() for name, array in batch.observations.items()}
    went_on = play_states(batch, STEPS)
    restored = batch.restore(kept)
    assert all(np.array_equal(seen[name], restored[name]) for name in seen)
    assert play_states(batch, STEPS) == went_on
    other = batch_of(decisions=decisions, seed=5)
    other.restore(kept)
    assert play_states(other, STEPS) == went_on


def play_states(batch, steps):
    """The states after each step, without results and other things that a snapshot does not hold."""
    states = []
    for i in range(steps):
        play(batch, 1, i)
        states.append(state_bytes(batch.games) + b"".join(array.tobytes() for array in batch.observations.values()))
    return states


def test_a_clone_plays_on_as_its_source():
    batch = batch_of(course="twister")
    play(batch, 3)
    batch.clone(2, 0)
    for i in range(STEPS):
        play(batch, 1, i)
        assert state_bytes(batch.games[0]) == state_bytes(batch.games[2])
        assert state_bytes(batch.games[1]) != state_bytes(batch.games[2])
        assert np.array_equal(batch.observations["symbolic"][0], batch.observations["symbolic"][2])


def test_a_copy_is_independent():
    batch = batch_of()
    play(batch, 3)
    copy = batch.copy()
    assert differing_fields(batch.games, copy.games) == []
    before = state_bytes(batch.games)
    went_on = play(copy, 4)
    assert state_bytes(batch.games) == before
    assert play(batch, 4) == went_on


def test_games_of_a_batch_differ():
    batch = batch_of(40, course="dizzy_highway")
    assert len({state_bytes(game) for game in batch.games}) == 40
    for game in batch.games:
        check_game(game, batch.courses[0])
