"""Races as functions of JAX: the same races as BatchRace, under jit, scan and vmap, from any state again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError
from tests.later import later

jax, ours = later("jax"), later("roborally_env.envs.jax")
LIGHTER: dict[str, Any] = {"rules": {"upgrades": False}, "max_rounds": 3}


def many(race: Any, count: int, seed: int = 0) -> Any:
    """States of many races."""
    return jax.jit(jax.vmap(race.reset))(jax.random.split(jax.random.key(seed), count))


def test_races_are_those_of_the_batch() -> None:
    race = ours.JaxEnv(reward="shaped", **LIGHTER)
    state, seen = many(race, 5)
    batch = race.batch_of(state)
    step, ended = jax.jit(jax.vmap(race.step)), 0
    rng = np.random.default_rng(1)
    for _ in range(7):
        assert np.array_equal(seen.observation, batch.observations["symbolic"])
        assert np.array_equal(seen.mask, batch.observations["masks"].astype(bool))
        programs = rng.integers(0, 9, (5, 4, 5))
        state, seen = step(state, programs)
        played = batch.step(programs)
        assert np.array_equal(seen.reward, played.rewards)
        assert np.array_equal(seen.truncated, played.truncated)
        assert np.array_equal(seen.corrected, batch.corrected)
        over = np.asarray(played.truncated | played.terminated)
        assert np.array_equal(np.asarray(seen.place)[over], batch.results["place"][over, :4])
        assert not np.asarray(seen.place)[~over].any()
        winners = batch.results["winner"][:, None] == np.arange(4)
        assert np.array_equal(seen.is_success, winners & over[:, None])
        ended += int(over.sum())
    assert ended == 10


def test_scan_under_jit_plays_legal_programs_and_repeats() -> None:
    race = ours.JaxEnv(**LIGHTER)

    def step(carry: Any, key: Any) -> Any:
        programs, choices = jax.vmap(race.sample)(jax.random.split(key, 4), carry[1])
        carry = jax.vmap(race.step)(carry[0], programs, choices)
        return carry, (carry[1].corrected.sum(), carry[1].truncated.sum())

    scan = jax.jit(lambda carry, keys: jax.lax.scan(step, carry, keys))
    keys = jax.random.split(jax.random.key(7), 6)
    (state, _), (corrected, truncated) = scan(many(race, 4), keys)
    (again, _), _ = scan(many(race, 4), keys)
    assert int(corrected.sum()) == 0
    assert int(truncated.sum()) == 8
    assert np.array_equal(state.record, again.record)
    assert not np.array_equal(state.record, many(race, 4, 1)[0].record)


def test_a_state_can_be_played_on_twice() -> None:
    race = ours.JaxEnv(**LIGHTER)
    state, seen = race.reset(jax.random.key(3))
    programs, _ = race.sample(jax.random.key(1), seen)
    one, _ = race.step(state, programs)
    race.step(one, programs)
    again, _ = race.step(state, programs)
    assert np.array_equal(one.record, again.record)
    assert seen.observation.shape == (4, race.observation_size)


def test_nested_vmaps_are_one_batch() -> None:
    race = ours.JaxEnv(**LIGHTER)
    keys = jax.random.split(jax.random.key(0), 6)
    flat, _ = jax.vmap(race.reset)(keys)
    nested, seen = jax.vmap(jax.vmap(race.reset))(keys.reshape(2, 3))
    assert np.array_equal(nested.record.reshape(6, -1), flat.record)
    assert seen.mask.shape == (2, 3, 4, 5, 9)
    assert list(race._batches) == [1, 6]


def test_programs_are_drawn_by_their_probabilities() -> None:
    race = ours.JaxEnv(**LIGHTER)
    _, seen = race.reset(jax.random.key(3))
    logits = 3 * jax.random.normal(jax.random.key(1), seen.mask.shape)
    keys = jax.random.split(jax.random.key(2), 20_000)
    programs, chances = jax.jit(jax.vmap(lambda key: race.draw(key, logits, seen)))(keys)
    found, at, counts = np.unique(np.asarray(programs)[:, 0], axis=0, return_index=True, return_counts=True)
    assert all(len(set(program)) == 5 for program in found.tolist())
    likely = counts > 200
    assert likely.sum() > 3
    assert np.allclose(counts[likely] / 20_000, np.exp(np.asarray(chances)[at[likely], 0]), atol=0.01)


@pytest.mark.parametrize("options", [{}, {"edition": "2005"}], ids=["2016", "2005"])
def test_games_with_choices(options: dict[str, Any]) -> None:
    race = ours.JaxEnv(max_rounds=2, **options)
    state, seen = many(race, 3)
    assert seen.options.shape == (3, 4, 1 + race.num_options)
    for number in range(6):
        keys = jax.random.split(jax.random.key(number), 3)
        state, seen = jax.vmap(race.step)(state, *jax.vmap(race.sample)(keys, seen))
        assert not np.asarray(seen.corrected).any()


def test_wrong_arguments_are_refused() -> None:
    race, other = ours.JaxEnv(**LIGHTER), ours.JaxEnv("twister", **LIGHTER)
    with pytest.raises(RoboRallyError, match="generated"):
        ours.JaxEnv("generated:difficulty=1")
    with pytest.raises(RoboRallyError, match="course"):
        ours.JaxEnv("nowhere")
    state, _ = race.reset(jax.random.key(0))
    with pytest.raises(RoboRallyError, match="vmap"):
        race.step(state, np.zeros((2, 4, 5), np.int8))
    with pytest.raises(RoboRallyError, match="state"):
        other.batch_of(state)
    with pytest.raises(Exception, match="expected one that reset or step"):
        jax.block_until_ready(other.step(state, np.zeros((4, 5), np.int8)))
