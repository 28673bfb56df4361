"""Races for RLlib's new API stack: environments and a module with action masks. Needs Ray and torch.

    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from roborally_env.envs.rllib import MaskedModule, RLlibVectorEnv

    config = (
        PPOConfig()
        .environment(RLlibVectorEnv, env_config={"action": "register"})
        .env_runners(num_env_runners=2, num_envs_per_env_runner=64, gym_env_vectorize_mode="vector_entry_point")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
    )

`RLlibVectorEnv` is for one policy that plays every seat, or one seat against agents. `RaceMultiAgentEnv` gives each
seat an agent of its own, for policies of their own; RLlib takes several times as long for a step of it. After the
import of this module `environment("RoboRally-v0")` is one seat against agents, in every worker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Unpack

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from roborally_env.arguments import Courses, course_source
from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import check_choice, named_arguments
from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.batch import BatchRace
from roborally_env.batch.options import takes
from roborally_env.envs.make import parallel_env
from roborally_env.envs.options import LearnerOptions
from roborally_env.envs.registration import ENV_ID
from roborally_env.envs.reset_options import COURSE, check_options, chosen_courses
from roborally_env.envs.single import RoboRallyEnv
from roborally_env.envs.spaces import component_sizes
from roborally_env.envs.state import state_space_of
from roborally_env.envs.vec_races import Mask
from roborally_env.envs.vec_resets import WaitingRows
from roborally_env.envs.vec_setup import make_learner_rows, races_behind

try:
    import torch
    from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
    from ray.rllib.core.columns import Columns
    from ray.rllib.env.multi_agent_env import MultiAgentEnv
    from ray.tune.registry import register_env
except ImportError as error:
    raise RoboRallyError('roborally_env.envs.rllib needs RLlib and torch: pip install "roborally_env[ray]"') from error

from roborally_env.envs.rllib_programs import ProgramDistribution

__all__ = [
    "MASK",
    "OBSERVATION",
    "MaskedModule",
    "ProgramDistribution",
    "RLlibVectorEnv",
    "RaceMultiAgentEnv",
    "SeatEnv",
    "masked",
]

ANY_SEATS = 840  # a multiple of every number of players
OBSERVATION, MASK = "observation", "action_mask"
Given = tuple[dict[str, NDArray[Any]], NDArray[np.float64], Mask, Mask, dict[str, Any]]


class RLlibVectorEnv(PicklableArrays, VectorEnv[Any, Any, NDArray[Any]]):
    """Races as a Gymnasium vector env in which a sub-env is one seat of one race: RLlib's fast way.

    Without `opponents` every seat is a sub-env, and one policy plays them all (self-play): `num_envs` must be a
    multiple of the number of players, and seat s of race g is number g * P + s. With opponents each race has one
    sub-env, and agents have the other seats, as in `make_vec`.

    Observations are a Dict: "observation" float32 [n], the `symbolic` vector, and "action_mask" int8 [m], the masks of
    the action's components one after the other. Infos are empty. A race that is over is shown for one step, and the
    next one begins in the step after it, whose action is not read: `AutoresetMode.NEXT_STEP`, which RLlib needs.

    Args:
        config: `num_envs`, which RLlib adds, `course` as in `parallel_env`, and `envs.options.LearnerOptions`.

    Raises:
        RoboRallyError: for any value outside these.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        # RLlib also makes one without a number, to look at its spaces
        self._set_up(**_checked({"num_envs": ANY_SEATS, **(config or {})}, self._set_up))

    @takes(LearnerOptions, "env_config")
    def _set_up(self, num_envs: int, course: Courses | None = None, **options: Unpack[LearnerOptions]) -> None:
        source = course_source(course, options["edition"])
        races = races_behind(num_envs, options["opponents"], options["players"], source)
        rows, first = make_learner_rows(races, source, copy=True, **options)
        self.num_envs = rows.races.num_rows
        self.races = WaitingRows(rows, first)
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.single_observation_space = _space(rows.space, rows.form.mask_size)
        self.single_action_space = rows.form.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def batch(self) -> BatchRace:
        """The races themselves."""
        return self.races.rows.races.batch

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin new races: with a whole number sub-env i (in self-play the race of its first seat) has seed + i.
        `options` as in `make_vec`: `{"course": ..}` for these races alone."""
        courses = chosen_courses(check_options(options, (COURSE,)), self.batch, self.num_envs)
        if isinstance(seed, (int, np.integer)):
            self.races.seed(int(seed))
        self.races.reset(np.ones(self.num_envs, np.bool_), courses)
        return self._observations(), {}

    def step(self, actions: Any) -> Given:
        """Take one action for each sub-env."""
        races, waiting = self.races, self.races.over.copy()
        outcome = races.step(np.asarray(actions), ~waiting)
        if waiting.any():
            races.reset(waiting)
        return self._observations(), outcome.rewards, races.over & ~races.truncated, races.truncated.copy(), {}

    @property
    def single_state_space(self) -> spaces.Box:
        """The space of one row of `state`."""
        return state_space_of(self.batch)

    def state(self) -> NDArray[np.float32]:
        """The whole state of each sub-env's race, for centralised critics, as in `make_vec`."""
        return self.races.rows.states(self.races.over)

    def close_extras(self, **_: Any) -> None:
        """End what makes generated courses ahead, if anything does."""
        if hasattr(self, "races"):  # Gymnasium closes an env that could not be made, too, when it is deleted
            self.batch.close()

    def _observations(self) -> dict[str, NDArray[Any]]:
        return {OBSERVATION: self.races.observe(), MASK: self.races.masks().view(np.int8)}


class RaceMultiAgentEnv(MultiAgentEnv):
    """One race as an RLlib MultiAgentEnv with agents `robot_0` .. , which all act in each step.

    Observations as in RLlibVectorEnv; infos are empty, but at the end of a race they have `place` and `is_success`.

    Args:
        config: the arguments of `parallel_env`, but for `observation`.

    Raises:
        RoboRallyError: for any value outside these.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self._env = parallel_env(**_checked(config or {}, parallel_env))
        self.possible_agents = list(self._env.possible_agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces = {agent: self._space(agent) for agent in self.possible_agents}
        self.action_spaces = {agent: self._env.action_space(agent) for agent in self.possible_agents}

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a race. `options` as in `parallel_env`: `{"course": ..}` for this race alone."""
        observations, infos = self._env.reset(seed=seed, options=options)
        self.agents = list(self.possible_agents)
        return _with_flat_masks(observations, infos), {}

    def step(self, action_dict: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
        """Take an action of each agent."""
        observations, rewards, terminated, truncated, infos = self._env.step(dict(action_dict))
        ends = {} if self._env.agents else {agent: _end(info) for agent, info in infos.items()}
        flags = ({**each, "__all__": all(each.values())} for each in (terminated, truncated))
        return _with_flat_masks(observations, infos), rewards, *flags, ends

    def close(self) -> None:
        """End what the env has opened."""
        self._env.close()

    def _space(self, agent: str) -> spaces.Dict:
        _, infos = self._env.reset(seed=0)
        seen: Any = self._env.observation_space(agent)
        return _space(seen[OBSERVATION], len(infos[agent][MASK]))


class SeatEnv(gymnasium.Wrapper[Any, Any, Any, Any]):
    """`RoboRally-v0` with a flat mask: one seat against agents, where RLlib makes its envs one by one.
    `environment("RoboRally-v0")` makes it. Infos are empty, but at the end of a race they have `place` and
    `is_success`.

    Args:
        config: the arguments of `RoboRallyEnv`, but for `observation`.

    Raises:
        RoboRallyError: for any value outside these.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        super().__init__(RoboRallyEnv(**_checked(config or {}, RoboRallyEnv)))
        space: Any = self.env.observation_space
        self.observation_space = _space(space[OBSERVATION], space[MASK].n)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        """Begin a race. `options` as in `RoboRallyEnv`: `{"course": .., "seat": ..}` for this race alone."""
        seen, info = self.env.reset(seed=seed, options=options)
        return {OBSERVATION: seen[OBSERVATION], MASK: info[MASK]}, {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Take an action."""
        seen, reward, terminated, truncated, info = self.env.step(action)
        end = _end(info) if terminated or truncated else {}
        return {OBSERVATION: seen[OBSERVATION], MASK: info[MASK]}, reward, terminated, truncated, end


def _create(config: Mapping[str, Any]) -> SeatEnv | RLlibVectorEnv:
    """The env of `environment("RoboRally-v0")`; RLlib passes `num_envs` if it wants a vector env."""
    if "num_envs" in config:
        return RLlibVectorEnv({"opponents": ["random"] * 3, **config})
    return SeatEnv(config)


# Ray calls this in its workers, which know nothing of what this process has registered with Gymnasium
register_env(ENV_ID, _create)


class MaskedModule(DefaultPPOTorchRLModule):
    """RLlib's default module for PPO that applies the mask to the logits, for every form of actions.

    The mask's order is that of the logits, both for one number (`register`, `flat`) and for the components of
    `program`. Programs are drawn register by register without cards used before (ProgramDistribution), so in every
    form what is drawn is legal. Options of the network are those of RLlib's `model_config`.
    """

    def __init__(self, *args: Any, observation_space: spaces.Dict, **more: Any) -> None:
        self._space_with_mask = observation_space
        super().__init__(*args, observation_space=observation_space[OBSERVATION], **more)

    def setup(self) -> None:
        """Build the networks for the vector alone."""
        super().setup()
        if isinstance(self.action_space, spaces.MultiDiscrete):
            self.action_dist_cls = ProgramDistribution.get_partial_dist_cls(sizes=component_sizes(self.action_space))
        self.observation_space = self._space_with_mask

    def _forward(self, batch: dict[str, Any], **more: Any) -> dict[str, Any]:
        return _with_mask(super()._forward(_without_mask(batch), **more), batch)

    def _forward_train(self, batch: dict[str, Any], **more: Any) -> dict[str, Any]:
        return _with_mask(super()._forward_train(_without_mask(batch), **more), batch)

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        """The values [B] of the observations."""
        return super().compute_values(_without_mask(batch), embeddings)


def _checked(config: Mapping[str, Any], function: Callable[..., Any]) -> dict[str, Any]:
    """The config, of which every name is an argument of the function."""
    known = named_arguments(function)
    check_choice(config.get(OBSERVATION, "symbolic"), OBSERVATION, ("symbolic",))
    for name in config:
        if name not in known:
            raise RoboRallyError(f"env_config: unknown {name!r}{nearest(name, known)}")
    return dict(config)


def _space(vector: spaces.Space[Any], mask: int) -> spaces.Dict:
    return spaces.Dict({OBSERVATION: vector, MASK: spaces.MultiBinary(mask)})


def _end(info: Mapping[str, Any]) -> dict[str, Any]:
    """What the info at the end of a race says about it."""
    return {name: info[name] for name in ("place", "is_success") if name in info}


def _with_flat_masks(observations: Mapping[str, Any], infos: Mapping[str, Any]) -> dict[str, Any]:
    return {agent: {OBSERVATION: seen[OBSERVATION], MASK: infos[agent][MASK]} for agent, seen in observations.items()}


def _without_mask(batch: dict[str, Any]) -> dict[str, Any]:
    return {**batch, Columns.OBS: batch[Columns.OBS][OBSERVATION]}


def _with_mask(output: dict[str, Any], batch: dict[str, Any]) -> dict[str, Any]:
    logits = output[Columns.ACTION_DIST_INPUTS]
    return {**output, Columns.ACTION_DIST_INPUTS: masked(logits, batch[Columns.OBS][MASK])}


def masked(logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Logits [.., m] with the smallest number where the mask [.., m] is 0: at -inf the entropy would be NaN."""
    return logits.masked_fill(mask == 0, torch.finfo(logits.dtype).min)
