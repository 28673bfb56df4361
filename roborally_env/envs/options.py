"""The options of environments: those of the races, and which environment takes which; see `batch.options`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from gymnasium.vector import AutoresetMode

from roborally_env.batch.options import RaceOptions
from roborally_env.render.frames import SIZE


class ActionOptions(RaceOptions, total=False):
    """The options of every environment.

    Args:
        action: `"program"`: MultiDiscrete([10] * 5 + [42]), the hand slot that goes into each register, and the answer
            to a choice; in the lighter game MultiDiscrete([9] * 5), in 2023 with `decisions="program"`
            MultiDiscrete([10] * 5), in 2005 MultiDiscrete([9] * 5 + [2]), where the last number announces a power down.
            `"register"`: five steps for each round (in 2005 a sixth, which announces), one number each, exact mask.
            `"flat"`: a whole program as one number, Discrete(30240), in the lighter game Discrete(15120), in 2005
            Discrete(30240), programs with and without an announcement, exact mask.
        ghost: with `action="register"` add a part `ghost` to the observation: where the cards placed so far take the
            robot if it is alone, and the surroundings of that position. It applies the rules to open information,
            without search.
    """

    action: Annotated[str, "program"]
    ghost: Annotated[bool, False]


class EnvOptions(RaceOptions, total=False):
    """The options of environments of one race.

    Args:
        observation: `"symbolic"` (a float32 vector), `"planes"` (a window of the board and the vector) or `"dict"`
            (the vector's parts by name), each with a mask; see RoboRallyParallelEnv. `"vector"`: only the float32
            vector, as a Box; the mask is in infos.
        render_mode: `"rgb_array"` (`render()` returns a picture, uint8 [height, width, 3]), `"human"` (a window shows
            it after each step), `"ansi"` (`render()` returns text) or None. Pictures need the extra `render`.
        render_size: pixels on the longer side of a picture, 200 to 4000.
        strict: raise an ActionError for an illegal action; otherwise it is replaced and counted in `info["corrected"]`.
    """

    observation: Annotated[str, "symbolic"]
    render_mode: Annotated[str | None, None]
    render_size: Annotated[int, SIZE]
    strict: Annotated[bool, False]


class SeatOptions(ActionOptions, EnvOptions, total=False):
    """The options of environments of one race, as libraries take them.

    Args:
        infos: `"full"`: as RoboRallyParallelEnv describes them. `"numeric"`: only numbers and arrays, with the same
            keys at each reset and step; docs/environment.md lists them. `"mask"`: only `action_mask`.
        masks: format of `action_mask` in an observation; `action_space.sample` takes each. `"flat"`: int8 [n], the
            masks of the action's components concatenated, as libraries take it. `"tuple"`: an array for each component,
            if there is more than one. `"registers"`: int8 [5, hand slots], in infos too, for actions with exactly these
            components.
    """

    infos: Annotated[str, "full"]
    masks: Annotated[str, "flat"]


class ParallelOptions(SeatOptions, total=False):
    """The options of `parallel_env` and `aec_env`.

    Args:
        players: number of players, 2 to 6, in 2005 up to 8 (or what the courses allow).
        control: for courses where every player has two robots (Interference). `"player"`: agents `player_0` .. play
            both robots, see `envs.players.PlayerForm`; `"robot"`: one agent for each robot, `robot_2i` for the racer of
            player i and `robot_2i+1` for its blocker. It has no effect on other courses.
    """

    players: Annotated[int, 4]
    control: Annotated[str, "player"]


class LearnerOptions(ActionOptions, total=False):
    """The options of environments of many races.

    Args:
        opponents: None: every seat is a learner's. Else an agent for each other seat, in seat order: a name
            (`"greedy"`, `"random:seed=3"`) or an object (see `roborally_env.agents`); or one name for all of them.
        seat: the learner's seat if there are opponents, from 0; `"random"`: drawn for each race.
        players: how many; None: as many as a list of opponents implies, else 4.
        seed: the seed of the first reset if that has none. None: any.
        threads: as in BatchRace.
    """

    opponents: Annotated[str | Sequence[Any] | None, None]
    seat: Annotated[int | str, "random"]
    players: Annotated[int | None, None]
    seed: Annotated[int | None, None]
    threads: Annotated[int, 1]


class VectorOptions(LearnerOptions, total=False):
    """The options of environments of many races that offer several observations.

    Args:
        observation: `"symbolic"`, `"planes"` or `"vector"`, as in `parallel_env`.
        dtype: of the vectors, as in BatchRace; `rows.encoding` of the environment says what they stand for.
    """

    observation: Annotated[str, "symbolic"]
    dtype: Annotated[str, "float32"]


class GymVectorOptions(VectorOptions, total=False):
    """The options of `make_vec`.

    Args:
        observation: `"symbolic"`, `"planes"`, `"dict"` or `"vector"`, as in `parallel_env`.
        autoreset_mode: when the next race begins, as Gymnasium defines it: `"NEXT_STEP"` (the step after the last,
            whose action is not read), `"SAME_STEP"` (the last observation and info are in `infos["final_obs"]` and
            `infos["final_info"]`), or `"DISABLED"` (call `reset` with `options={"reset_mask": ..}`).
        copy: each observation is a new array; False: two sets of arrays alternate, so that an observation stays
            unchanged until the step after the next.
        render_mode: `"rgb_array"` or `"ansi"`: `render()` returns one picture or text a sub-env; or None.
        max_episode_steps: truncate a sub-env's race after this many steps, as Gymnasium's TimeLimit does; None: never.
        render_size, infos, masks: as in `parallel_env`.
    """

    autoreset_mode: Annotated[str | AutoresetMode, AutoresetMode.NEXT_STEP]
    copy: Annotated[bool, True]
    render_mode: Annotated[str | None, None]
    render_size: Annotated[int, SIZE]
    infos: Annotated[str, "full"]
    masks: Annotated[str, "flat"]
    max_episode_steps: Annotated[int | None, None]
