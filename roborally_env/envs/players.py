"""Agents that play two robots each: a wrapper for courses on which every player has a racer and a blocker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo.utils import BaseParallelWrapper

from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import check_whole, shown
from roborally_env.base.errors import ActionError, RoboRallyError
from roborally_env.base.former import Keys
from roborally_env.base.types import NamedValues
from roborally_env.envs.actions import check_agents, whole_numbers
from roborally_env.envs.forms import OneNumberActions
from roborally_env.envs.parallel import Info, Observation, RoboRallyParallelEnv, Round
from roborally_env.envs.snapshots import pack_snapshot, unpack_snapshot
from roborally_env.envs.spaces import component_sizes, program_space

ROLES = ("racer", "blocker")
EACH = len(ROLES)

_Given = tuple[dict[str, Observation], dict[str, Info]]


class PlayerForm(PicklableArrays, BaseParallelWrapper[str, Observation, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """A parallel env with agents `player_0` ..: player i plays `robot_2i`, the racer, and `robot_2i+1`, the blocker.

    An agent's observation: "observation" is an array with a row for each robot ("symbolic"), else {"racer": ..,
    "blocker": ..}; "action_mask" is the masks of both robots one after the other. An action is the numbers of both
    robots one after the other, the reward is the team's, and the info is the racer's except for

        action_mask  the masks of both robots one after the other
        corrected    of both robots together
        decision     the pending decision of one of them
        options      names of that choice's legal options
        robot        "racer" or "blocker" if only that one decides; else None
        program      int8 [2, 5]: those of both robots
    """

    env: RoboRallyParallelEnv

    def __init__(self, env: RoboRallyParallelEnv) -> None:
        super().__init__(env)
        self.metadata = env.metadata
        self.render_mode = env.render_mode
        self.state_space = env.state_space
        self._robots = list(env.possible_agents)
        self.possible_agents = [f"player_{i}" for i in range(len(self._robots) // EACH)]
        first = self._robots[0]
        self.observation_spaces = {a: _both_observations(env.observation_space(first)) for a in self.possible_agents}
        self._sizes = component_sizes(env.action_space(first))
        self.action_spaces = {a: program_space(self._sizes * EACH) for a in self.possible_agents}

    @property
    def unwrapped(self) -> PlayerForm:
        """Itself, as libraries take the agents and spaces of `unwrapped`; attributes of the race inside are its own
        too."""
        return self

    @property
    def agents(self) -> list[str]:
        """The agents that play; empty when the race is over."""
        return self.possible_agents[:] if self.env.agents else []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's observation space; the same object at each call."""
        return self.observation_spaces[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's action space; the same object at each call."""
        return self.action_spaces[self._known(agent)]

    def reset(self, seed: int | None = None, options: NamedValues | None = None) -> _Given:
        """As RoboRallyParallelEnv.reset."""
        return self._joined(*self.env.reset(seed=seed, options=options))

    def step(self, actions: Mapping[str, Any]) -> Round:
        """One action for each agent, for both its robots. Raises as RoboRallyParallelEnv.step."""
        if not self.agents:
            return self.env.step(actions)
        check_agents(actions, self.possible_agents)
        played: NamedValues = {}
        for i, agent in enumerate(self.possible_agents):
            halves = self._halves(agent, actions[agent])
            played |= zip(self._robots[EACH * i : EACH * (i + 1)], halves, strict=True)
        result = self.env.step(played)
        observations, infos = self._joined(result.observations, result.infos)
        racers = dict(zip(self.possible_agents, self._robots[::EACH], strict=True))
        return Round(
            observations,
            {a: result.rewards[racer] for a, racer in racers.items()},
            {a: result.terminations[racer] for a, racer in racers.items()},
            {a: result.truncations[racer] for a, racer in racers.items()},
            infos,
        )

    def catch(self, agent: str, registers: Iterable[int], robot: str = "racer") -> None:
        """As RoboRallyParallelEnv.catch, for one of the agent's robots, "racer" or "blocker"."""
        if robot not in ROLES:
            raise RoboRallyError(f"robot: expected one of {', '.join(ROLES)}, got {robot!r}")
        at = EACH * self.possible_agents.index(self._known(agent)) + ROLES.index(robot)
        self.env.catch(self._robots[at], registers)

    def snapshot(self) -> bytes:
        """As RoboRallyParallelEnv.snapshot."""
        return pack_snapshot("player", {}, self.env.snapshot())

    def restore(self, snapshot: bytes) -> _Given:
        """As RoboRallyParallelEnv.restore."""
        _, inner = unpack_snapshot("player", snapshot)
        return self._joined(*self.env.restore(inner))

    def encode(
        self, programs: Sequence[Any], choices: Sequence[int] = (0,) * EACH, player: int = 0
    ) -> NDArray[np.int64]:
        """The action of a player for the programs of both robots and their choices; see RoboRallyParallelEnv.encode."""
        check_whole(player, "player", 0, len(self.possible_agents) - 1)
        for name, given in (("programs", programs), ("choices", choices)):
            if not isinstance(given, (Sequence, np.ndarray)) or len(given) != EACH:
                raise RoboRallyError(f"{name}: expected one for each of {EACH} robots, got {shown(given)}")
        seats = range(EACH * player, EACH * (player + 1))
        halves = [self.env.encode(p, c, seat) for p, c, seat in zip(programs, choices, seats, strict=True)]
        return np.concatenate([np.atleast_1d(half) for half in halves])

    # -- inside

    def _known(self, agent: str) -> str:
        if agent not in self.possible_agents:
            raise RoboRallyError(f"unknown agent {agent!r}; expected one of {', '.join(self.possible_agents)}")
        return agent

    def _halves(self, agent: str, action: Any) -> list[Any]:
        """The action of each robot, in the form that the inner env takes."""
        where = f"actions[{agent!r}]"
        numbers = whole_numbers(action, where)
        size = len(self._sizes)
        if numbers.shape != (EACH * size,):
            raise ActionError(f"{where}: expected shape {(EACH * size,)}, got {numbers.shape}")
        for i, (number, limit) in enumerate(zip(numbers.tolist(), self._sizes * EACH, strict=True)):
            if not 0 <= number < limit:
                raise ActionError(f"{where}[{i}]: expected 0 to {limit - 1}, got {number}")
        halves = numbers.reshape(EACH, size)
        return [half[0] for half in halves] if isinstance(self.env, OneNumberActions) else list(halves)

    def _joined(self, observations: dict[str, Observation], infos: dict[str, Info]) -> _Given:
        """Observations and infos by player."""
        if not observations:
            return {}, {}
        pairs = {a: self._robots[EACH * i : EACH * (i + 1)] for i, a in enumerate(self.possible_agents)}
        return (
            {a: _join_observations([observations[r] for r in pair]) for a, pair in pairs.items()},
            {a: _join_infos([infos[r] for r in pair]) for a, pair in pairs.items()},
        )


def _both_observations(space: spaces.Space[Any]) -> spaces.Dict:
    assert isinstance(space, spaces.Dict)
    seen, mask = space["observation"], space["action_mask"]
    assert isinstance(mask, spaces.MultiBinary)
    both: spaces.Space[Any] = spaces.Dict(dict.fromkeys(ROLES, seen))
    if isinstance(seen, spaces.Box):
        both = spaces.Box(np.stack([seen.low] * EACH), np.stack([seen.high] * EACH), dtype=np.float32)
    return spaces.Dict({"observation": both, "action_mask": spaces.MultiBinary(EACH * mask.shape[0])})


def _join_observations(pair: Sequence[Observation]) -> Observation:
    seen = [each["observation"] for each in pair]
    both: Any = np.stack(seen) if isinstance(seen[0], np.ndarray) else dict(zip(ROLES, seen, strict=True))
    return {"observation": both, "action_mask": np.concatenate([each["action_mask"] for each in pair])}


def _join_infos(pair: Sequence[Info]) -> Info:
    acting = [i for i, info in enumerate(pair) if info["decision"]]
    first = pair[acting[0]] if acting else pair[0]
    return Keys(
        pair[0]
        | {
            "action_mask": np.concatenate([info["action_mask"] for info in pair]),
            "corrected": sum(info["corrected"] for info in pair),
            "decision": first["decision"],
            "options": first["options"],
            "robot": ROLES[acting[0]] if len(acting) == 1 else None,
            "program": np.stack([info["program"] for info in pair]),
        }
    )
