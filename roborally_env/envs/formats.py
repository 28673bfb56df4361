"""Observations and infos as libraries take them: flat masks or none, and infos in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils import BaseParallelWrapper

from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import check_choice
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.envs.infos import INFOS, numbers_of
from roborally_env.envs.parallel import Info, Observation, RoboRallyParallelEnv, Round
from roborally_env.envs.players import PlayerForm
from roborally_env.envs.spaces import MASKS, check_masks, component_sizes, laid_out, mask_part

_Race = RoboRallyParallelEnv | PlayerForm


class Formatter:
    """Turns an agent's observation and full info into the chosen formats.

    Args:
        race: the env that gives them.
        observation, masks, infos: as in `parallel_env`.

    Attributes:
        space: of what `observation` returns.
        action_space: that of the race.

    Raises:
        RoboRallyError: for a wrong value, and for masks that the actions do not have.
    """

    def __init__(self, race: _Race, observation: str, masks: str, infos: str) -> None:
        first = race.possible_agents[0]
        self._sizes = component_sizes(race.action_space(first))
        self._batch: BatchRace = race.batch
        self._alone = observation == "vector"
        self._masks = check_masks(masks, observation, self._sizes)
        self._infos = check_choice(infos, "infos", INFOS)
        self.space = self._space(race.observation_space(first))
        self.action_space = race.action_space(first)

    def _space(self, inner: spaces.Space[Any]) -> spaces.Space[Any]:
        assert isinstance(inner, spaces.Dict)
        seen = inner["observation"]
        if not self._alone:
            return spaces.Dict({"observation": seen, "action_mask": mask_part(self._sizes, self._masks)})
        assert isinstance(seen, spaces.Box)
        return spaces.Box(seen.low.reshape(-1), seen.high.reshape(-1), dtype=np.float32)

    def observation(self, observation: Observation, info: Info) -> Any:
        """The observation in the chosen format; it shares the arrays of `observation`, the mask is a copy."""
        seen = observation["observation"]
        if self._alone:
            return seen.reshape(-1)
        return {"observation": seen, "action_mask": laid_out(info["action_mask"].copy(), self._sizes, self._masks)}

    def infos(self, infos: Sequence[Info]) -> list[Info]:
        """The infos in the chosen format, from full ones."""
        if self._masks == "registers":
            infos = [{**info, "action_mask": laid_out(info["action_mask"], self._sizes, "registers")} for info in infos]
        if self._infos == "mask":
            return [{"action_mask": info["action_mask"]} for info in infos]
        if self._infos == "full":
            return list(infos)
        course = int(self._batch.course_numbers[0])
        return [numbers_of(info, course) for info in infos]


class FormattedEnv(PicklableArrays, BaseParallelWrapper[str, Any, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """A parallel env whose observations and infos are changed for a library; see the arguments of `parallel_env`.

    Everything else is as in the env inside, which is `env`.
    """

    env: _Race

    def __init__(self, env: _Race, observation: str, masks: str, infos: str) -> None:
        super().__init__(env)
        self.metadata = env.metadata
        self.render_mode = env.render_mode
        self.possible_agents = env.possible_agents
        self.state_space = env.state_space
        self._presenter = Formatter(env, observation, masks, infos)
        self.action_spaces = {agent: deepcopy(self._presenter.action_space) for agent in self.possible_agents}
        self.observation_spaces = {agent: deepcopy(self._presenter.space) for agent in self.possible_agents}

    @property
    def unwrapped(self) -> FormattedEnv:
        """Itself, as libraries take the spaces of `unwrapped`; attributes of the race inside are its own too."""
        return self

    @property
    def agents(self) -> list[str]:
        """The agents that play; empty when the race is over."""
        return self.env.agents

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's observation space; the same object at each call."""
        self.env.observation_space(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's action space; the same object at each call."""
        self.env.action_space(agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: NamedValues | None = None) -> tuple[NamedValues, dict[str, Info]]:
        """As RoboRallyParallelEnv.reset."""
        return self._presented(*self.env.reset(seed=seed, options=options))

    def step(self, actions: Mapping[str, Any]) -> Round:
        """As `step` of the env inside."""
        result = self.env.step(actions)
        observations, infos = self._presented(result.observations, result.infos)
        return result._replace(observations=observations, infos=infos)

    def snapshot(self) -> bytes:
        """As RoboRallyParallelEnv.snapshot; envs with other `observation`, `masks` and `infos` take it too."""
        return self.env.snapshot()

    def restore(self, snapshot: bytes) -> tuple[NamedValues, dict[str, Info]]:
        """As RoboRallyParallelEnv.restore."""
        return self._presented(*self.env.restore(snapshot))

    def encode(self, *args: Any, **options: Any) -> int | NDArray[np.int64]:
        """As `encode` of the env inside."""
        return self.env.encode(*args, **options)

    def _presented(
        self, observations: dict[str, Observation], infos: dict[str, Info]
    ) -> tuple[NamedValues, dict[str, Info]]:
        show = self._presenter
        return (
            {agent: show.observation(observations[agent], infos[agent]) for agent in observations},
            dict(zip(infos, show.infos(list(infos.values())), strict=True)),
        )


def present(race: _Race, observation: str, masks: str, infos: str) -> _Race | FormattedEnv:
    """The race in the chosen formats: itself if they are its own."""
    check_choice(masks, "masks", MASKS)
    check_choice(infos, "infos", INFOS)
    as_it_is = observation != "vector" and (masks, infos) == ("flat", "full")
    return race if as_it_is else FormattedEnv(race, observation, masks, infos)
