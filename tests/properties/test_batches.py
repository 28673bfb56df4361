"""A race depends on its seed alone: not on its place in a batch, on threads, or on being saved and put back."""

import pickle

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from roborally_env import BatchRace
from roborally_env.core.choices import BUY_UPGRADE
from tests.games import FULL, both_games
from tests.invariants import check_game

from .races import batch_of, differing_fields, goes_on_from_here, play, play_alone_as_together, state_bytes, steps_for

STEPS = 15  # in the lighter game more than two races of six rounds


@both_games
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_a_game_alone_equals_the_same_game_in_any_batch_place(decisions, rules):
    options = {"decisions": decisions, "rules": rules}
    together = batch_of(7, **options)
    alone = [batch_of(1, first_game=i, **options) for i in range(7)]
    play_alone_as_together(together, alone, steps_for(15, rules))
    if decisions == "program":
        assert (together.games["episode"] >= 2).all()


@pytest.mark.parametrize("decisions", ["program", "all"])
def test_parts_of_a_batch_equal_the_whole_with_upgrades_on_every_mat(decisions):
    whole = batch_of(12, decisions=decisions, dealt=True)
    parts = [batch_of(n, decisions=decisions, first_game=i, dealt=True) for n, i in ((5, 0), (1, 5), (6, 6))]
    for step in range(80):
        play(whole, 1, step)
        for part in parts:
            play(part, 1, step)
        assert b"".join(state_bytes_by_game(part) for part in parts) == state_bytes_by_game(whole)


def state_bytes_by_game(batch):
    """The bytes of the games one after the other."""
    return b"".join(state_bytes(game) for game in batch.games)


@both_games
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_any_thread_count_gives_the_same_bytes(decisions, rules):
    one, two = (batch_of(33, decisions=decisions, rules=rules, dealt=True, threads=n) for n in (1, 2))
    assert state_bytes(one.games) == state_bytes(two.games)
    steps = steps_for(STEPS, rules)
    assert play(one, steps) == play(two, steps)


@both_games
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_the_same_seed_gives_the_same_bytes(decisions, rules):
    options, steps = {"decisions": decisions, "rules": rules}, steps_for(STEPS, rules)
    assert play(batch_of(**options), steps) == play(batch_of(**options), steps)


@both_games
def test_another_seed_gives_other_races(rules):
    assert play(batch_of(seed=12, rules=rules), 1) != play(batch_of(rules=rules), 1)


@both_games
def test_a_reset_with_a_seed_equals_a_new_batch(rules):
    batch = batch_of(rules=rules)
    play(batch, STEPS)
    batch.reset(11)
    assert state_bytes(batch.games) == state_bytes(batch_of(rules=rules).games)


@both_games
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_a_restored_snapshot_goes_on_as_the_race_did(decisions, rules):
    batch = batch_of(decisions=decisions, rules=rules, dealt=True)
    play(batch, 3)
    goes_on_from_here(batch, batch_of(decisions=decisions, rules=rules, seed=5), STEPS)


@pytest.mark.parametrize("decisions", ["program", "all"])
def test_a_snapshot_can_be_taken_in_the_middle_of_a_purchase_and_of_a_choice(decisions):
    batch = batch_of(20, decisions=decisions, dealt=True)
    other = batch_of(20, decisions=decisions, seed=5)
    found = set()
    for i in range(120):
        kinds = {kind for kind in batch.games["ask_kind"].tolist() if kind}
        in_a_step = bool(batch.games["answered"].any())
        if not kinds <= found or (in_a_step and "answers" not in found):
            found |= kinds | ({"answers"} if in_a_step else set())
            goes_on_from_here(batch, other, 4)
        play(batch, 1, i)
    assert found == {BUY_UPGRADE} if decisions == "program" else len(found) > 25, found


@both_games
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_a_clone_plays_on_as_its_source(decisions, rules):
    batch = batch_of(course="twister", decisions=decisions, rules=rules, dealt=True)
    play(batch, 3)
    if rules == FULL:
        assert batch.games["ask_seat"][2] >= 0  # in the middle of a purchase, or of another choice
    batch.clone(2, 0)
    for i in range(STEPS):
        play(batch, 1, i)
        assert state_bytes(batch.games[0]) == state_bytes(batch.games[2])
        assert state_bytes(batch.games[1]) != state_bytes(batch.games[2])
        assert np.array_equal(batch.observations["symbolic"][0], batch.observations["symbolic"][2])


@both_games
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_a_copy_is_independent(decisions, rules):
    batch = batch_of(decisions=decisions, rules=rules, dealt=True)
    play(batch, 3)
    copy = batch.copy()
    assert differing_fields(batch.games, copy.games) == []
    before = state_bytes(batch.games)
    went_on = play(copy, 4)
    assert state_bytes(batch.games) == before
    assert play(batch, 4) == went_on


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("observation", ["symbolic", "planes"])
def test_a_race_that_is_over_is_shown_as_it_ended_until_it_is_reset(observation, dtype):
    batch = BatchRace(5, "twister", seed=1, max_rounds=3, auto_reset=False, observation=observation, dtype=dtype)
    shown: dict[int, list[bytes]] = {}

    def compare(step):
        for game in np.flatnonzero(batch.over):
            arrays = [*step.observations.values(), step.terminated, step.truncated]
            seen = [array[game].tobytes() for array in arrays]
            assert shown.setdefault(game, seen) == seen
            assert step.terminated[game] != step.truncated[game]

    for number in range(60):
        if number in (30, 45):
            batch.reset(mask=np.arange(5) == number % 4)
            shown.pop(number % 4)
        step = batch.step(*batch.sample(number))
        compare(step)
        if number == 20:
            batch.clone(0, 4)
            shown[4] = shown[0]
            assert step.terminated[4] != step.truncated[4]
    assert len(shown) == 5
    assert not step.rewards.any()
    saved, copy = batch.snapshot(), batch.copy()
    for other in (batch, copy, pickle.loads(pickle.dumps(batch))):
        compare(other.step(*other.sample()))
    batch.reset(seed=2)
    batch.restore(saved)
    for _ in range(3):
        compare(batch.step(*batch.sample()))


def test_a_copy_of_a_race_that_is_over_has_its_flags_and_result():
    batch = BatchRace(2, "twister", seed=1, max_rounds=2, auto_reset=False)
    while not batch.over.all():
        step = batch.step(*batch.sample())
    batch.reset(mask=np.array([False, True]))
    step = batch.step(*batch.sample())
    assert not (step.terminated | step.truncated)[1]
    batch.clone(0, 1)
    for _ in range(3):
        assert step.terminated[1] == step.terminated[0] != step.truncated[0] == step.truncated[1]
        assert batch.results[1] == batch.results[0]
        step = batch.step(*batch.sample())


@both_games
def test_games_of_a_batch_differ(rules):
    batch = batch_of(40, course="dizzy_highway", rules=rules)
    assert len({state_bytes(game) for game in batch.games}) == 40
    for game in batch.games:
        check_game(game, batch.courses[0])


@both_games
@pytest.mark.parametrize("decisions", ["program", "all"])
@pytest.mark.parametrize("observation", ["symbolic", "planes"])
def test_without_observe_idle_those_that_act_see_the_same(observation, decisions, rules):
    options = {"observation": observation, "decisions": decisions, "rules": rules, "dealt": True}
    whole, part = batch_of(6, **options), batch_of(6, observe_idle=False, **options)
    left_out = 0
    for i in range(40):
        for batch in (whole, part):
            batch.sample(i)
            batch.step_prepared()
        assert state_bytes(whole.games) == state_bytes(part.games)
        asked = np.arange(4) == whole.games["ask_seat"][:, None]
        rows = whole.programming[:, None] | asked
        for name, seen in whole.observations.items():
            rows_of_it = rows if name in ("symbolic", "planes") else np.ones_like(rows)
            assert np.array_equal(seen[rows_of_it], part.observations[name][rows_of_it]), name
            left_out += (seen != part.observations[name]).any()
        for name, seen in whole.final_observations.items():
            assert np.array_equal(seen, part.final_observations[name]), name
    assert bool(left_out) == (rules == FULL or decisions == "all")


STEPPED = {
    "lighter": {"rules": {"upgrades": False}},
    "complete": {"decisions": "all", "dealt": True, "max_rounds": 2},
    "2023": {"edition": "2023"},
    "2005": {"edition": "2005", "course": "2005/checkmate", "players": 5},
    "community": {"edition": "community", "course": "summit_works"},
}


@pytest.mark.parametrize("game", STEPPED)
def test_a_step_takes_memory_for_its_arguments_alone(game):
    """Nothing is allocated for a game: not for rounds, nor ends of races, nor rows. Each array that is handed to the
    compiled step takes a few bytes of bookkeeping, as many for one game as for fifty."""
    taken = {}
    for games in (1, 50):
        batch = batch_of(games, **STEPPED[game])
        play(batch, STEPS)  # the machine code is at hand then
        taken[games] = {allocations_of_a_step(batch, i) for i in range(4 * STEPS)}
        assert (batch.games["episode"] >= 1).any()
    assert taken[1] == taken[50]
    assert len(taken[1]) == 1


def allocations_of_a_step(batch, i):
    """How often compiled code asks for memory in step i."""
    batch.sample(i)
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        batch.step_prepared()
        return rtsys.get_allocation_stats().alloc - before.alloc
    finally:
        _nrt_python.memsys_disable_stats()
