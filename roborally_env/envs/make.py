"""The functions that make environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper, parallel_to_aec

from roborally_env.arguments import Courses
from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import check_choice, checks_names, named_arguments, refuse_unknown_arguments
from roborally_env.base.errors import ActionError, RoboRallyError
from roborally_env.envs.formats import FormattedEnv, present
from roborally_env.envs.forms import FlatActions, OneNumberActions, RegisterActions, check_ghost
from roborally_env.envs.parallel import DEFAULT_MAX_ROUNDS, Observation, RoboRallyParallelEnv
from roborally_env.envs.players import PlayerForm
from roborally_env.envs.spaces import OBSERVATIONS
from roborally_env.render.frames import SIZE

ACTIONS = ("program", "register", "flat")
CONTROLS = ("player", "robot")


@checks_names("parallel_env")
def parallel_env(
    course: Courses | None = None,
    *,
    edition: str | None = None,
    players: int = 4,
    decisions: str = "program",
    observation: str = "symbolic",
    action: str = "program",
    ghost: bool = False,
    reward: str = "race",
    discount: float = 1.0,
    max_rounds: int | None = DEFAULT_MAX_ROUNDS,
    rules: Mapping[str, Any] | None = None,
    render_mode: str | None = None,
    render_size: int = SIZE,
    strict: bool = False,
    control: str = "player",
    infos: str = "full",
    masks: str = "tuple",
) -> RoboRallyParallelEnv | OneNumberActions | PlayerForm | FormattedEnv:
    """One Robo Rally race as a PettingZoo ParallelEnv with agents `robot_0` .. .

    Args:
        course: a name (`"twister"`, or with its edition `"2005/twister"`), a path to a course file, a Course, or a list
            of these, from which each race draws one by its seed. None: Dizzy Highway, in 2005 Risky Exchange. A
            Generator, or its text `"generated:difficulty=3,seed=7"`: a new course for each race, by its seed and
            episode.
        edition: the rules, 2016, 2005, 2023 or community (both on the courses of 2016), or a registered edition; None:
            those of the courses, 2016 for a name that several editions have.
        players: number of players, 2 to 6, in 2005 up to 8 (or what the courses allow).
        decisions: `"program"`: agents program and, in separate steps, buy upgrades; every other choice takes its
            documented default. `"all"`: agents also make every choice that the rulebook leaves to a player, in separate
            steps.
        observation: `"symbolic"` (a float32 vector), `"planes"` (a window of the board and the vector) or `"dict"`
            (the vector's parts by name), each with a mask; see RoboRallyParallelEnv. `"vector"`: only the float32
            vector, as a Box; the mask is in infos.
        action: `"program"`: MultiDiscrete([10] * 5 + [42]), the hand slot that goes into each register, and the answer
            to a choice; in the lighter game MultiDiscrete([9] * 5), in 2023 with `decisions="program"`
            MultiDiscrete([10] * 5), in 2005 MultiDiscrete([9] * 5 + [2]), where the last number announces a power down.
            `"register"`: five steps for each round (in 2005 a sixth, which announces), one number each, exact mask.
            `"flat"`: a whole program as one number, Discrete(30240), in the lighter game Discrete(15120), in 2005
            Discrete(30240), programs with and without an announcement, exact mask.
        ghost: with `action="register"` add a part `ghost` to the observation: where the cards placed so far take the
            robot if it is alone, and the surroundings of that position. It applies the rules to open information,
            without search.
        reward: `"race"`: at the end, from 1 for the first to -1 for the last, with sum zero. `"progress"`: each
            checkpoint gives its fraction of the course, 1 in total for a finished course. `"shaped"`: race, plus the
            change of a potential, which is minus the remaining distance (belts included).
        discount: the learner's discount factor, for `"shaped"`.
        max_rounds: a race is truncated after this many rounds; None: never. The default of 100 is more than the
            `greedy` bot needs on any course of the package, and it ends random play.
        rules: rule options of the edition, such as `{"upgrades": False}` for the lighter game; see
            `roborally_env.core.rule_options`.
        render_mode: `"rgb_array"` (`render()` returns a picture, uint8 [height, width, 3]), `"human"` (a window shows
            it after each step), `"ansi"` (`render()` returns text) or None. Pictures need the extra `render`.
        render_size: pixels on the longer side of a picture, 200 to 4000.
        strict: raise an ActionError for an illegal action; otherwise it is replaced and counted in `info["repairs"]`.
        control: for courses where every player has two robots (Interference). `"player"`: agents `player_0` .. play
            both robots, see `envs.players.PlayerForm`; `"robot"`: one agent for each robot, `robot_2i` for the racer of
            player i and `robot_2i+1` for its blocker. It has no effect on other courses.
        infos: `"full"`: as RoboRallyParallelEnv describes them. `"numeric"`: only numbers and arrays, with the same
            keys at each reset and step; docs/environment.md lists them. `"mask"`: only `action_mask`.
        masks: format of `action_mask` in an observation. `"tuple"`: an array for each component of the action, if
            there is more than one; `"flat"`: int8 [n], the components concatenated, as in infos; `"registers"`:
            int8 [5, hand slots], for actions with exactly these components.

    Raises:
        RoboRallyError: for any value outside these.
    """
    check_choice(action, "action", ACTIONS)
    check_choice(control, "control", CONTROLS)
    check_choice(observation, "observation", OBSERVATIONS)
    check_ghost(ghost, action)
    env = RoboRallyParallelEnv(
        course,
        edition=edition,
        players=players,
        decisions=decisions,
        observation="symbolic" if observation == "vector" else observation,
        reward=reward,
        discount=discount,
        max_rounds=max_rounds,
        rules=rules,
        render_mode=render_mode,
        render_size=render_size,
        strict=strict,
    )
    form = RegisterActions(env, ghost) if action == "register" else FlatActions(env) if action == "flat" else env
    by_player = control == "player" and env.batch.robots_each > 1
    return present(PlayerForm(form) if by_player else form, observation, masks, infos)


def aec_env(course: Courses | None = None, **options: Any) -> AECEnv[str, Observation, Any]:
    """The same race as a PettingZoo AECEnv, in which agents act one by one. Arguments as `parallel_env`.

    No agent sees the actions of the others: the race continues when all have acted.
    """
    refuse_unknown_arguments(options, named_arguments(parallel_env), "aec_env")
    return CheckedAEC(parallel_to_aec(parallel_env(course, **options)))


class CheckedAEC(PicklableArrays, BaseWrapper):  # type: ignore[misc]  # PettingZoo's wrappers carry no types
    """Raises the error for a wrong action at once, not when the last agent has acted."""

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
                raise ActionError(f"action of {agent}: expected one of {space}, got {action!r}")
        super().step(action)


def _fits(space: Any, action: Any) -> bool:
    """Whether an action, given as a list or an array of any integer dtype, lies in the space."""
    array = np.asarray(action)
    if array.dtype.kind not in "iu" or array.shape != space.shape:
        return False
    return bool(space.contains(array.astype(space.dtype)))


env = aec_env  # PettingZoo's conventional name
