"""RoboRallyPufferEnv: races as a native environment of PufferLib, on one batch. Needs pufferlib.

MaskedPolicy is a small policy that reads the mask at the end of each observation."""

from __future__ import annotations

from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from roborally_env.arguments import Courses
from roborally_env.base.checks import check_choice
from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.batch.options import takes
from roborally_env.envs.infos import races_won
from roborally_env.envs.options import LearnerOptions
from roborally_env.envs.spaces import component_sizes
from roborally_env.envs.vec_races import Outcome
from roborally_env.envs.vec_setup import check_seed, make_learner_rows

try:
    import pufferlib
    import pufferlib.pytorch
    import torch
except ImportError as error:
    raise RoboRallyError(
        'roborally_env.envs.puffer needs PufferLib: see docs/libraries.md, and pip install "roborally_env[puffer]"'
    ) from error

__all__ = ["MaskedPolicy", "RoboRallyPufferEnv"]

_ACTIONS = ("register", "program")  # what PufferLib's multinomials can draw


@takes(LearnerOptions, "RoboRallyPufferEnv", action="register")
class RoboRallyPufferEnv(pufferlib.PufferEnv):
    """Races as a PufferEnv on one BatchRace. An agent is one seat of one game.

    Without `opponents` every seat is an agent (self-play): seat s of game g is agent g * P + s. With opponents each
    game has one agent, and the package's agents have the other seats.

    An observation is float32 [n + m]: the vector of `observation="vector"`, then the mask of the action, 1 for what is
    legal. PufferLib's own policies read it as numbers; `MaskedPolicy` draws legal actions only. With
    `action="register"` the mask is exact; with `"program"` it has the masks of the numbers one after the other, and a
    card that comes twice is replaced by the next legal one.

    When a race is over the next one begins in the same step, as PufferLib expects. The infos of a step are one dict
    with the means over the races that ended with it (`place`, `won`, `rounds`, `corrected`, `score`, which is `won`),
    or an empty list.

    Args:
        num_games: races at once.
        course: a name, a path, a Course, or a list of them, of which each race draws one.
        buf: PufferLib's buffers.
        action: `"register"` or `"program"`.

    Raises:
        RoboRallyError: for any value outside these.
    """

    def __init__(
        self, num_games: int, course: Courses | None = None, *, buf: Any = None, **options: Unpack[LearnerOptions]
    ) -> None:
        check_choice(options["action"], "action", _ACTIONS)
        self.rows, self._first = make_learner_rows(num_games, course, copy=False, **options)
        form = self.rows.form
        self.races = self.rows.races
        self.races.reports_programs = self.races.reports_courses = False
        self._vector, self._mask = int(self.rows.space.shape[0]), form.mask_size  # type: ignore[index]
        low = np.concatenate([self.rows.space.low, np.zeros(self._mask)])  # type: ignore[attr-defined]
        high = np.concatenate([self.rows.space.high, np.ones(self._mask)])  # type: ignore[attr-defined]
        self.single_observation_space = spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)
        sizes = form.sizes
        single = spaces.Discrete(sizes[0]) if len(sizes) == 1 else spaces.MultiDiscrete(sizes)
        self.single_action_space = single
        self.num_agents = self.races.num_rows
        self._everywhere = np.ones(self.num_agents, np.bool_)
        super().__init__(buf)

    @property
    def batch(self) -> BatchRace:
        """The races themselves."""
        return self.races.batch

    # -- PufferLib

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.float32], list[dict[str, float]]]:
        """Begin new races by the seed (None: that of the constructor); returns observations and infos."""
        first = self._first if seed is None else check_seed(seed, self.num_agents)
        self.races.reset(self._everywhere, list(range(first, first + self.num_agents)))
        self._begin(self._everywhere)
        self.rewards[:], self.terminals[:], self.truncations[:] = 0, False, False
        self._write()
        return self.observations, []

    def step(self, actions: NDArray[Any]) -> tuple[Any, ...]:
        """Play an action of each agent, [num_agents] or [num_agents, 5 or 6]; returns PufferLib's buffers
        (observations, rewards, terminals, truncations) and a list of infos.

        Raises:
            ActionError: for a wrong shape, dtype or range; nothing has been played then.
        """
        given = np.asarray(actions)
        shape = (self.num_agents, *(self.single_action_space.shape or ()))
        if given.size == np.prod(shape):
            given = given.reshape(shape)  # PufferLib's buffers have [num_agents, 1] for one number in some versions
        self.actions[:] = given.reshape(self.actions.shape)
        _, outcome = self.rows.act(given, self._everywhere)
        self.rewards[:] = outcome.rewards
        self.truncations[:] = outcome.truncated
        self.terminals[:] = outcome.ended & ~outcome.truncated
        infos = self._infos(outcome)
        if outcome.ended.any():
            self._begin(outcome.ended)
        self._write()
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def render(self) -> str:
        """The first race as text."""
        from roborally_env.envs.picture import picture

        return picture(self.batch)

    def close(self) -> None:
        """End what makes generated courses ahead, if anything does."""
        self.batch.close()

    # -- inside

    def _begin(self, rows: NDArray[np.bool_]) -> None:
        self.races.begin(rows)
        self.rows.begin(rows)

    def _write(self) -> None:
        """Write what the agents see into PufferLib's buffer."""
        self.observations[:, : self._vector] = self.rows.observe()
        self.observations[:, self._vector :] = self.rows.form.flat_masks()

    def _infos(self, outcome: Outcome) -> list[dict[str, float]]:
        ended = outcome.ended
        if not ended.any():
            return []
        won = float(races_won(self.batch, self.races.games[ended], self.races.seats[ended]).mean())
        return [
            {
                "place": float(outcome.places[ended].mean()),
                "won": won,
                "score": won,
                "rounds": float(outcome.rounds[ended].mean()),
                "corrected": float(outcome.corrected.mean()),
            }
        ]


class MaskedPolicy(torch.nn.Module):
    """A policy for PufferLib's trainer whose logits of illegal actions are very low: two layers for all.

    Args:
        env: a RoboRallyPufferEnv, or PufferLib's vector of them.
        hidden_size: of the layers.
    """

    def __init__(self, env: Any, hidden_size: int = 128) -> None:
        super().__init__()
        self.sizes = component_sizes(env.single_action_space)
        self.is_continuous, self.hidden_size = False, hidden_size
        size = int(env.single_observation_space.shape[0])
        first = pufferlib.pytorch.layer_init
        self.body = torch.nn.Sequential(
            first(torch.nn.Linear(size, hidden_size)), torch.nn.Tanh(),
            first(torch.nn.Linear(hidden_size, hidden_size)), torch.nn.Tanh(),
        )  # fmt: skip
        self.actor = first(torch.nn.Linear(hidden_size, sum(self.sizes)), std=0.01)
        self.critic = first(torch.nn.Linear(hidden_size, 1), std=1)

    def forward(self, observations: Any, state: Any = None) -> tuple[Any, Any]:
        """Logits (a tensor, or a list of one for each number of an action) and values [N, 1]."""
        hidden = self.body(observations.float())
        legal = observations[:, -sum(self.sizes) :] > 0.5
        logits = self.actor(hidden).masked_fill(~legal, -1e9)
        values = self.critic(hidden)
        return (logits if len(self.sizes) == 1 else list(torch.split(logits, self.sizes, dim=1))), values

    def forward_eval(self, observations: Any, state: Any = None) -> tuple[Any, Any]:
        """As `forward`."""
        return self.forward(observations, state)
