"""TianshouVectorEnv: races as a Tianshou vector env on one batch. Needs tianshou.

VectorNet and MaskedActor make Tianshou's networks read its observations, so that policy gradients honour the masks;
its Q-learning honours them by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from roborally_env.arguments import Courses
from roborally_env.base.checks import check_choice
from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.batch.options import takes
from roborally_env.envs.options import LearnerOptions
from roborally_env.envs.vec_races import Mask
from roborally_env.envs.vec_resets import WaitingRows
from roborally_env.envs.vec_setup import make_learner_rows

try:
    import torch
    from tianshou.data import Batch
    from tianshou.env import BaseVectorEnv
    from tianshou.utils.net.common import Net
    from tianshou.utils.net.discrete import DiscreteActor
except ImportError as error:
    raise RoboRallyError('roborally_env.envs.tianshou needs tianshou: pip install "roborally_env[tianshou]"') from error

ACTIONS = ("register", "flat")  # the actions that are one number, which Tianshou's masks are made for


@takes(LearnerOptions, "TianshouVectorEnv", action="register")
class TianshouVectorEnv(BaseVectorEnv):
    """Races as a Tianshou vector env on one BatchRace. A sub-env is one seat of one game.

    Without `opponents` every seat is a sub-env, and one policy plays them all (self-play); seat s of game g is number
    g * P + s. With opponents each game has one sub-env, and agents have the other seats, as in `make_vec`.

    Observations are a Batch, as Tianshou wants them where actions are masked: "obs" float32 [N, n] and "mask" int8
    [N, m], 1 for each legal action. Infos have "env_id", and of the race that has just ended "place" (1 is
    first; 0 while a race is on) and "is_success" (whether it was won). All seats of a game are reset together, as their
    race ends for all at once.

    Args:
        num_games: races at once.
        course: a name, a path, a Course, or a list of them, of which each race draws one.
        action: `"register"` or `"flat"`.

    Raises:
        RoboRallyError: for any value outside these.
    """

    def __init__(
        self,
        num_games: int,
        course: Courses | None = None,
        **options: Unpack[LearnerOptions],
    ) -> None:
        check_choice(options["action"], "action", ACTIONS)
        rows, first = make_learner_rows(num_games, course, copy=True, **options)
        self.races = WaitingRows(rows, first)
        seen, form = rows.space, rows.form
        self._spaces = {
            "observation_space": spaces.Dict({"obs": seen, "mask": spaces.MultiBinary(form.mask_size)}),
            "action_space": form.action_space,
        }
        # what Tianshou's own __init__ sets, which would make a worker for each sub-env
        self.env_num = self.races.count
        self.workers: list[Any] = []
        self.is_async = self.is_closed = False

    @property
    def batch(self) -> BatchRace:
        """The races themselves."""
        return self.races.rows.races.batch

    # -- Tianshou

    def reset(self, env_id: Any = None, **_: Any) -> tuple[Batch, NDArray[Any]]:
        """Begin new races in these sub-envs (None: all); returns their observations and infos."""
        self._assert_is_not_closed()
        rows = np.asarray(self._wrap_id(env_id), np.int64)
        self.races.reset(self._mask(rows))
        return self._seen(rows), self._infos(rows)

    def step(self, action: Any, id: Any = None) -> tuple[Any, ...]:
        """Play an action of each of these sub-envs (None: all); returns observations, rewards, terminations,
        truncations and infos of them.

        Raises:
            RoboRallyError: for a race that is over, or a wrong action. Nothing has been played then.
        """
        self._assert_is_not_closed()
        rows = np.asarray(self._wrap_id(id), np.int64)
        actions = np.zeros(self.env_num, np.int64)
        actions[rows] = np.asarray(action)
        outcome = self.races.step(actions, self._mask(rows))
        over, truncated = self.races.over[rows], self.races.truncated[rows]
        return self._seen(rows), outcome.rewards[rows], over & ~truncated, truncated, self._infos(rows)

    def seed(self, seed: int | Sequence[int] | None = None) -> list[Any]:
        """Set the seeds of the next reset: sub-env i gets seed + i; of a list the first counts."""
        first = seed if seed is None or isinstance(seed, int) else int(seed[0])
        self.races.seed(first)
        return [None if first is None else [first + i] for i in range(self.env_num)]

    def get_env_attr(self, key: str, id: Any = None) -> list[Any]:
        """A space of each sub-env, or an attribute of this object, the same for each."""
        value = self._spaces[key] if key in self._spaces else getattr(self.races, key, None)
        return [value for _ in self._wrap_id(id)]

    def set_env_attr(self, key: str, value: Any, id: Any = None) -> None:
        """Not supported: sub-envs have no attributes of their own to set.

        Raises:
            RoboRallyError: always.
        """
        raise RoboRallyError(f"set_env_attr: {key!r} of a sub-env cannot be set")

    def render(self, **_: Any) -> list[Any]:
        """Nothing: see `make_vec` for pictures."""
        return [None] * self.env_num

    def close(self) -> None:
        """End what makes generated courses ahead, if anything does."""
        self.batch.close()
        self.is_closed = True

    # -- inside

    def _mask(self, rows: NDArray[np.int64]) -> Mask:
        chosen = np.zeros(self.env_num, np.bool_)
        chosen[rows] = True
        return chosen

    def _seen(self, rows: NDArray[np.int64]) -> Batch:
        return Batch(obs=self.races.observe()[rows], mask=self.races.masks()[rows].view(np.int8))

    def _infos(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        ends = zip(rows.tolist(), self.races.places[rows].tolist(), self.races.won[rows].tolist(), strict=True)
        return np.array([{"env_id": row, "place": place, "is_success": won} for row, place, won in ends], object)


class VectorNet(Net):
    """Tianshou's Net on the vector of an observation, for actors and critics. Arguments as Net."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        """See Net."""
        return super().forward(obs.obs, state, info)


class MaskedActor(DiscreteActor):
    """Tianshou's DiscreteActor whose logits are minus infinity where the mask of an observation forbids an action.

    Args:
        preprocess_net: a VectorNet.
        action_shape: how many actions there are.
        hidden_sizes: as in DiscreteActor.
    """

    def __init__(self, *, preprocess_net: VectorNet, action_shape: Any, hidden_sizes: Sequence[int] = ()) -> None:
        super().__init__(
            preprocess_net=preprocess_net, action_shape=action_shape, hidden_sizes=hidden_sizes, softmax_output=False
        )

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        """See DiscreteActor."""
        logits, state = super().forward(obs, state, info)
        legal = torch.as_tensor(obs.mask, device=logits.device).bool()
        return logits.masked_fill(~legal, -torch.inf), state
