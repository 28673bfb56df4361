"""MaskedVecEnv: vector envs that SuperSuit makes, with the masks where sb3-contrib looks for them.

SuperSuit takes the parallel env as it is: `parallel_env(action="register", infos="mask")`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from roborally_env.base.errors import RoboRallyError

try:
    from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper
except ImportError as error:
    raise RoboRallyError(
        'roborally_env.envs.supersuit needs stable-baselines3: pip install "roborally_env[supersuit]"'
    ) from error

METHOD = "action_masks"  # what MaskablePPO calls


class MaskedVecEnv(VecEnvWrapper):
    """Offers the masks of a VecEnv's observations as the method `action_masks`, for MaskablePPO.

    Args:
        venv: a VecEnv whose observations are a Dict with a flat "action_mask", such as
            `supersuit.concat_vec_envs_v1(.., base_class="stable_baselines3")` returns.

    Raises:
        RoboRallyError: for any other.
    """

    def __init__(self, venv: VecEnv) -> None:
        space = venv.observation_space
        if not (isinstance(space, spaces.Dict) and isinstance(space.spaces.get("action_mask"), spaces.MultiBinary)):
            raise RoboRallyError(
                f'venv: expected observations with a flat "action_mask", got a {type(space).__name__}; make the env '
                'with parallel_env(masks="flat", infos="mask")'
            )
        super().__init__(venv)
        self._masks: NDArray[Any] = np.zeros(0)

    def reset(self) -> Any:
        """See VecEnv."""
        return self._seen(self.venv.reset())

    def step_wait(self) -> Any:
        """See VecEnv."""
        seen, rewards, dones, infos = self.venv.step_wait()
        return self._seen(seen), rewards, dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The masks of the next actions, bool [num_envs, n]."""
        return self._masks.astype(np.bool_)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """See VecEnv; `action_masks` is answered here."""
        if method_name != METHOD:
            return list(self.venv.env_method(method_name, *method_args, indices=indices, **method_kwargs))
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """See VecEnv; `action_masks` is answered here."""
        if attr_name != METHOD:
            return list(self.venv.get_attr(attr_name, indices))
        return [self.action_masks for _ in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """See VecEnv; SuperSuit's own has no such method."""
        return attr_name == METHOD or hasattr(self.venv, attr_name)

    def _seen(self, seen: Any) -> Any:
        self._masks = seen["action_mask"].copy()
        return seen
