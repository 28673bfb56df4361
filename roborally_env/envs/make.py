"""The functions that make environments."""

from __future__ import annotations

from typing import Any, Unpack, cast

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper, parallel_to_aec

from roborally_env.arguments import Courses
from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import check_choice, shown
from roborally_env.base.errors import ActionError, RoboRallyError
from roborally_env.batch.options import select, takes
from roborally_env.envs.formats import FormattedEnv, present
from roborally_env.envs.forms import FlatActions, RegisterActions
from roborally_env.envs.options import EnvOptions, ParallelOptions
from roborally_env.envs.parallel import Observation, RoboRallyParallelEnv
from roborally_env.envs.players import PlayerForm
from roborally_env.envs.spaces import OBSERVATIONS, check_observation
from roborally_env.envs.vec_forms import check_ghost

ACTIONS = ("program", "register", "flat")
CONTROLS = ("player", "robot")


@takes(ParallelOptions, "parallel_env")
def parallel_env(
    course: Courses | None = None, **options: Unpack[ParallelOptions]
) -> RoboRallyParallelEnv | PlayerForm | FormattedEnv:
    """One Robo Rally race as a PettingZoo ParallelEnv with agents `robot_0` .. .

    Args:
        course: a name (`"twister"`, or with its edition `"2005/twister"`), a path to a course file, a Course, or a list
            of these, from which each race draws one by its seed. None: Dizzy Highway, in 2005 Risky Exchange. A
            Generator, or its text `"generated:difficulty=3,seed=7"`: a new course for each race, by its seed and
            episode.

    Raises:
        RoboRallyError: for any value outside these.
    """
    action = check_choice(options["action"], "action", ACTIONS)
    control = check_choice(options["control"], "control", CONTROLS)
    observation = check_observation(options["observation"], OBSERVATIONS)
    ghost, players = check_ghost(options["ghost"], action), options["players"]
    inner = select(EnvOptions, options)
    inner["observation"] = "symbolic" if observation == "vector" else observation
    env: RoboRallyParallelEnv
    if action == "register":
        env = RegisterActions(course, players=players, ghost=ghost, **inner)
    else:
        env = (FlatActions if action == "flat" else RoboRallyParallelEnv)(course, players=players, **inner)
    by_player = control == "player" and env.batch.robots_each > 1
    return present(PlayerForm(env) if by_player else env, observation, options["masks"], options["infos"])


@takes(ParallelOptions, "aec_env")
def aec_env(course: Courses | None = None, **options: Unpack[ParallelOptions]) -> AECEnv[str, Observation, Any]:
    """The same race as a PettingZoo AECEnv, in which agents act one by one.

    No agent sees the actions of the others: the race continues when all have acted.

    Args:
        course: as for `parallel_env`.
    """
    return cast(AECEnv[str, Observation, Any], CheckedAEC(parallel_to_aec(parallel_env(course, **options))))


class CheckedAEC(PicklableArrays, BaseWrapper):  # type: ignore[misc]  # PettingZoo's wrappers carry no types
    """Raises the error for a wrong action at once, not when the last agent has acted, and one for an unknown agent."""

    def observe(self, agent: str) -> Any:
        """The observation of an agent.

        Raises:
            RoboRallyError: for an agent that there is not, and before the first reset.
        """
        if not hasattr(self.env, "agent_selection"):
            raise RoboRallyError("observe: call reset() first")
        self.observation_space(agent)
        return super().observe(agent)

    def step(self, action: Any) -> None:
        """Take the action of `agent_selection`; None for an agent whose race is over.

        Raises:
            ActionError: for an action outside the agent's space; nothing is stored then.
            RoboRallyError: before the first reset.
        """
        if not hasattr(self.env, "agent_selection"):
            raise RoboRallyError("step: call reset() first")
        agent = self.env.agent_selection
        if not (self.env.terminations[agent] or self.env.truncations[agent]):
            space = self.action_space(agent)
            if not _fits(space, action):
                raise ActionError(f"action of {agent}: expected an element of {space}, got {shown(action)}")
        super().step(action)


def _fits(space: Any, action: Any) -> bool:
    """Whether an action, given as a list or an array of any integer dtype, lies in the space."""
    array = np.asarray(action)
    if array.dtype.kind not in "iu" or array.shape != space.shape:
        return False
    return bool(space.contains(array.astype(space.dtype)))


env = aec_env  # PettingZoo's conventional name
