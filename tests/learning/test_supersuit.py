"""SuperSuit's way from the parallel env to Stable-Baselines3."""

from __future__ import annotations

from typing import Any

import pytest

from roborally_env import parallel_env
from tests.later import imported_later

with imported_later("supersuit", "stable_baselines3"):
    import supersuit
    from stable_baselines3 import PPO


@pytest.mark.parametrize(
    ("policy", "options"),
    [
        ("MlpPolicy", {"observation": "vector", "infos": "numeric"}),
        ("MlpPolicy", {"observation": "vector", "infos": "mask", "action": "register"}),
        ("MlpPolicy", {"observation": "vector", "infos": "full", "rules": {"upgrades": False}}),
    ],
    ids=["numeric", "register", "full"],
)
def test_its_vector_env_trains_all_seats_with_sb3(policy: str, options: dict[str, Any]) -> None:
    env = supersuit.pettingzoo_env_to_vec_env_v1(parallel_env(players=3, max_rounds=3, **options))
    envs = supersuit.concat_vec_envs_v1(env, 2, num_cpus=0, base_class="stable_baselines3")
    assert envs.num_envs == 6
    model = PPO(policy, envs, n_steps=8, batch_size=16, n_epochs=1, device="cpu")
    model.learn(6 * 8 * 2)
    assert model.num_timesteps == 6 * 8 * 2
