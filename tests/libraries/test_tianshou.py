"""Races for Tianshou: the vector env's contract, masks, and its own collector."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env import ActionError, RoboRallyError
from tests.later import imported_later

with imported_later("tianshou"):
    import torch
    from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
    from tianshou.data import Batch, Collector, VectorReplayBuffer

    from roborally_env.envs.tianshou import MaskedActor, TianshouVectorEnv, VectorNet


YARD = Path(__file__).parents[2] / "scripts" / "experiments" / "short_yard.toml"
LIGHTER: dict[str, Any] = {"rules": {"upgrades": False}, "max_rounds": 2}


def masked_policy(env: TianshouVectorEnv) -> DiscreteActorPolicy:
    """An untrained policy that honours the masks."""
    space = env.observation_space[0]
    net = VectorNet(state_shape=space["obs"].shape, hidden_sizes=(16,))
    action_space = env.action_space[0]
    return DiscreteActorPolicy(
        actor=MaskedActor(preprocess_net=net, action_shape=action_space.n), action_space=action_space
    )


@pytest.mark.parametrize(("more", "count"), [({}, 12), ({"opponents": "random"}, 3), ({"edition": "2005"}, 12)])
def test_a_collector_plays_legally(more: dict[str, Any], count: int) -> None:
    env = TianshouVectorEnv(3, seed=1, **({**LIGHTER, **more} if "edition" not in more else {"max_rounds": 2, **more}))
    assert len(env) == count
    buffer = VectorReplayBuffer(count * 60, count)
    collector = Collector(masked_policy(env), env, buffer)
    collector.reset()
    stats = collector.collect(n_step=count * 30)
    assert stats.n_collected_steps == count * 30
    assert stats.n_collected_episodes >= count * 2
    data = buffer[:]
    assert data.obs.mask[np.arange(len(data)), data.act].all()
    assert ((data.info.place > 0) == data.done).all()
    assert not data.terminated.any()  # two rounds are too few to finish
    assert data.truncated.any()


def test_episodes_can_be_counted() -> None:
    env = TianshouVectorEnv(4, seed=1, opponents="random", **LIGHTER)
    collector = Collector(masked_policy(env), env)
    collector.reset()
    stats = collector.collect(n_episode=6)
    assert stats.n_collected_episodes == 6
    assert (stats.lens == 10).all()


def test_the_observation_at_the_end_is_that_of_the_race_that_is_over() -> None:
    env = TianshouVectorEnv(2, seed=1, players=2, **LIGHTER)
    seen, _ = env.reset()
    for _ in range(10):
        seen, _, terminated, truncated, infos = env.step(np.argmax(seen.mask, axis=1))
    assert truncated.all()
    assert not terminated.any()
    assert sorted(info["place"] for info in infos[:2]) in ([1.0, 2.0], [1.5, 1.5])
    new, infos = env.reset(np.arange(2))
    assert (new.obs != seen.obs[:2]).any()
    assert [info["place"] for info in infos] == [0.0, 0.0]


def test_infos_say_who_has_won() -> None:
    env = TianshouVectorEnv(8, YARD, seed=1, players=2, rules={"upgrades": False}, max_rounds=12)
    rng, ends, won = np.random.default_rng(0), 0, 0
    seen, _ = env.reset()
    for _ in range(120):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen.mask])
        seen, _, terminated, truncated, infos = env.step(actions)
        places, success = ([info[name] for info in infos] for name in ("place", "is_success"))
        np.testing.assert_array_equal(success, terminated & (np.array(places) == 1))
        over = terminated | truncated
        ends, won = ends + int(over.sum()), won + sum(success)
        if over.any():
            new, infos = env.reset(np.flatnonzero(over))
            assert not any(info["is_success"] for info in infos)
            seen.obs[over], seen.mask[over] = new.obs, new.mask
    assert 0 < won < ends / 2 + 1


def test_a_seed_gives_the_same_races() -> None:
    def first(env: TianshouVectorEnv) -> np.ndarray:
        return np.asarray(env.reset()[0].obs)

    env = TianshouVectorEnv(2, seed=1, **LIGHTER)
    start = first(env)
    assert (first(TianshouVectorEnv(2, seed=1, **LIGHTER)) == start).all()
    assert (first(env) != start).any()
    env.seed(1)
    assert (first(env) == start).all()


def test_what_is_masked_has_no_chance() -> None:
    env = TianshouVectorEnv(2, seed=1, **LIGHTER)
    policy = masked_policy(env)
    mask = np.zeros((1, 9), np.int8)
    mask[0, 4] = 1
    seen = Batch(obs=Batch(obs=env.reset()[0].obs[:1], mask=mask), info=Batch())
    with torch.no_grad():
        assert policy(seen).dist.probs[0].tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(RoboRallyError, match="action: expected"):
        TianshouVectorEnv(2, action="program")
    env = TianshouVectorEnv(2, seed=1, **LIGHTER)
    env.reset()
    with pytest.raises(ActionError, match=r"0.*8.*9"):
        env.step(np.full(8, 9))
    with pytest.raises(RoboRallyError, match="seats"):
        env.reset([0])
    for _ in range(10):
        env.step(np.zeros(8, np.int64))
    with pytest.raises(RoboRallyError, match="entry 0"):
        env.step(np.zeros(8, np.int64))
