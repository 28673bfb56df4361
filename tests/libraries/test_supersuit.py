"""Races through SuperSuit: as vector envs of Stable-Baselines3 whose masks sb3-contrib finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError, parallel_env
from tests.later import imported_later

with imported_later("supersuit", "sb3_contrib"):
    import supersuit
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

    from roborally_env.envs.supersuit import MaskedVecEnv


LIGHTER: dict[str, Any] = {"rules": {"upgrades": False}, "max_rounds": 2}


def side_by_side(**options: Any) -> Any:
    """Two races as SuperSuit puts them side by side."""
    races = supersuit.pettingzoo_env_to_vec_env_v1(parallel_env(action="register", **LIGHTER, **options))
    return supersuit.concat_vec_envs_v1(races, 2, base_class="stable_baselines3")


def test_masks_are_those_of_the_next_actions() -> None:
    env = MaskedVecEnv(side_by_side(masks="flat", infos="mask"))
    assert is_masking_supported(env)
    seen = env.reset()
    ends = 0
    for _ in range(25):
        masks = get_action_masks(env)
        assert (masks == seen["action_mask"]).all()
        slots = masks.argmax(axis=1)
        seen, _, dones, infos = env.step(slots)
        ends += dones.sum()
        for row in np.flatnonzero(~dones):
            assert (infos[row]["action_mask"] == seen["action_mask"][row]).all()
    assert ends == 2 * 8


@pytest.mark.parametrize("options", [{"observation": "vector", "infos": "mask"}, {"observation": "vector"}])
def test_envs_without_masks_in_observations_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RoboRallyError, match=r'"action_mask".*masks="flat"'):
        MaskedVecEnv(side_by_side(**options))


def test_the_vector_alone_is_a_box() -> None:
    env = side_by_side(observation="vector", infos="numeric")
    seen = env.reset()
    assert env.observation_space.contains(seen[0])
    assert seen.shape[0] == 8
