"""SB3VecEnv: races as a Stable-Baselines3 VecEnv, for self-play or against agents. Needs stable-baselines3."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from roborally_env.arguments import Courses
from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import check_choice
from roborally_env.base.errors import RoboRallyError, SnapshotError
from roborally_env.base.former import Keys
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.batch.options import takes
from roborally_env.envs.infos import INFOS, races_won
from roborally_env.envs.options import VectorOptions
from roborally_env.envs.parallel import RENDER_FPS
from roborally_env.envs.picture import check_size, rendered
from roborally_env.envs.reset_options import COURSE, check_options, chosen_courses
from roborally_env.envs.sb3_agent import ModelAgent
from roborally_env.envs.snapshots import load_whole
from roborally_env.envs.vec_infos import row_numbers
from roborally_env.envs.vec_opponents import Opponents
from roborally_env.envs.vec_races import Mask, Outcome, SeatRaces
from roborally_env.envs.vec_setup import check_seed, make_learner_rows
from roborally_env.render.frames import SIZE

try:
    from stable_baselines3.common.vec_env import VecEnv

    from roborally_env.envs.sb3_planes import PlanesExtractor
except ImportError as error:
    raise RoboRallyError(
        'roborally_env.envs.sb3 needs stable-baselines3: pip install "roborally_env[train]"'
    ) from error

__all__ = ["ModelAgent", "PlanesExtractor", "SB3VecEnv"]

_ATTRIBUTES = ("action_masks", "seat", "spec")  # of a sub-env


@takes(VectorOptions, "SB3VecEnv")
class SB3VecEnv(PicklableArrays, VecEnv):
    """Races as a Stable-Baselines3 VecEnv. A sub-env is one seat of one game.

    Without `opponents` every seat is a sub-env, and one policy plays them all (self-play); seat s of game g is number
    g * P + s. With opponents each game has one sub-env, and agents have the other seats, as in `make_vec`.

    Observations are a Dict: "observation" float32 [n] ("planes": "planes" uint8 [13, 13, 26] and "features" float32
    [n]) and "action_mask" int8 [m], the masks of the action's components one after the other, so that a policy has
    the masks in training too. `action_masks()` returns the same as bool, as sb3-contrib requires. Without
    `mask_in_observation` the observation of "symbolic" is the vector alone.

    SB3's policies take the planes as plain numbers: `PlanesExtractor` is a convolutional network for them.

    A purchase is one seat's decision: in that step the other seats of the game have one legal action, which is not
    read. `rules={"upgrades": False}` is the game without upgrades.

    When a race is over the next one begins in the same step, as SB3 expects: the last observation is
    `info["terminal_observation"]`, with `info["TimeLimit.truncated"]`, "place", "is_success" (it was won), "rounds",
    "course" and "seat". The infos of other sub-envs are empty, unless `infos` asks for more.

    In self-play with `action="program"` the arrays of an observation belong to the batch, which writes two sets
    alternately: they stay unchanged until the step after the next. In all other cases they are the caller's own.

    Args:
        num_games: races at once.
        course: a name, a path, a Course, or a list of them, of which each race draws one.
        mask_in_observation: see above. `observation="vector"` is "symbolic" without the mask.
        infos: `"full"`: as above. `"numeric"`: each sub-env has the numbers of `parallel_env(infos="numeric")` at every
            step, where a race has ended those of its end, and "action_mask", the mask of the next action. `"mask"`:
            the mask alone. The keys of the end of a race come on top, without the name of the course.
        render_mode: `"rgb_array"`: `render()` returns one picture with all games side by side, for VecVideoRecorder; or
            None. It needs the extra `render`, and VecVideoRecorder the extra `video`.
        render_size: pixels on the longer side of a game's picture.

    Raises:
        RoboRallyError: for any value outside these.
    """

    def __init__(
        self,
        num_games: int,
        course: Courses | None = None,
        *,
        mask_in_observation: bool = True,
        infos: str = "full",
        render_mode: str | None = None,
        render_size: int = SIZE,
        **options: Unpack[VectorOptions],
    ) -> None:
        self.rows, first = make_learner_rows(num_games, course, copy=options["opponents"] is not None, **options)
        self.races = self.rows.races
        count = self.races.num_rows
        self.mask_in_observation = bool(mask_in_observation) and options["observation"] != "vector"
        self._infos_wanted = check_choice(infos, "infos", INFOS)
        self.races.reports_programs = infos == "numeric"
        self.render_mode = None if render_mode is None else check_choice(render_mode, "render_mode", ("rgb_array",))
        self.render_size = check_size(render_size)
        self._actions: Any = None
        self._masks: NDArray[np.int8] = np.zeros((count, self.rows.form.mask_size), np.int8)
        super().__init__(count, self._space(), self.rows.form.action_space)
        metadata: NamedValues = {**self.metadata, "render_fps": RENDER_FPS}
        self.metadata = metadata
        self._seeds = list(range(first, first + count))

    @property
    def batch(self) -> BatchRace:
        """The races themselves."""
        return self.races.batch

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of each part of the vector "observation" (or "features"), in its order."""
        return {**self.rows.shapes, **self.rows.form.extra}

    # -- VecEnv

    def reset(self) -> Any:
        """Begin new races with the seeds from `seed()` (in self-play the seed of the game's first seat), else the next
        race of each game. Returns the observations.

        After `set_options({"course": ..})` these races are on that one of the env's courses, as by `reset` of
        `make_vec`; with a list of options each sub-env's (in self-play the game's first seat's) on its own.

        Raises:
            RoboRallyError: for options that have another key, or another course. They are forgotten then.
        """
        options = self._options
        self._reset_options()
        wanted = {COURSE: [check_options(each, (COURSE,)).get(COURSE) for each in options]}
        courses = chosen_courses(wanted, self.batch, self.num_envs)
        self._actions = None
        everywhere = np.ones(self.num_envs, np.bool_)
        self.races.reset(everywhere, self._seeds, courses)
        self._reset_seeds()
        self._begin(everywhere)
        self.reset_infos = self._infos(self.races.new_outcome())
        self._show_masks(self.reset_infos)
        return self._observations()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Store the actions [num_envs, ..] for the next `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, NDArray[np.float32], Mask, list[NamedValues]]:
        """Play the stored actions; return observations, rewards float32 [num_envs], dones, infos.

        Raises:
            ActionError: for a wrong shape, dtype or range; nothing has been played then.
        """
        _, outcome = self.rows.act(self._actions, np.ones(self.num_envs, np.bool_))
        infos = self._infos(outcome)
        if outcome.ended.any():
            self._report_ends(infos, outcome)
            self._begin(outcome.ended)
        self._show_masks(infos)
        return self._observations(), outcome.rewards.astype(np.float32), outcome.ended, infos

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds of the next `reset`: sub-env i gets seed + i."""
        first = secrets.randbits(32) if seed is None else check_seed(seed, self.num_envs)
        self._seeds = list(range(first, first + self.num_envs))
        return self._seeds

    def get_images(self) -> Sequence[NDArray[np.uint8] | None]:
        """A picture of each game, uint8 [height, width, 3]."""
        pictures = (rendered(self.batch, "rgb_array", self.render_size, index=g) for g in range(self.batch.num_games))
        return [picture for picture in pictures if isinstance(picture, np.ndarray)]

    def close(self) -> None:
        """End what makes generated courses ahead, if anything does."""
        self.batch.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the sub-envs: "seat", "action_masks" (a method), "render_mode", "spec"; or an attribute of
        this object, the same for each sub-env."""
        where = list(self._get_indices(indices))
        if attr_name == "action_masks":
            return [lambda i=i: self.action_masks()[i] for i in where]
        if attr_name == "seat":
            return [int(self.races.seats[i]) for i in where]
        if attr_name in _ATTRIBUTES:
            return [None for _ in where]
        return [getattr(self, attr_name) for _ in where]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not supported: sub-envs have no attributes of their own to set.

        Raises:
            RoboRallyError: always; see `set_opponents`.
        """
        raise RoboRallyError(f"set_attr: {attr_name!r} of a sub-env cannot be set; opponents: see set_opponents")

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call a method of sub-envs; "action_masks" is the only one.

        Raises:
            AttributeError: for any other.
        """
        if method_name != "action_masks":
            raise AttributeError(f"a sub-env of SB3VecEnv has only the method action_masks, not {method_name!r}")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """False for each sub-env: none is wrapped."""
        return [False for _ in self._get_indices(indices)]

    # -- more than VecEnv asks

    def action_masks(self) -> NDArray[np.bool_]:
        """The masks of the next actions, bool [num_envs, m]: those of the components one after the other."""
        return self._masks.astype(np.bool_)

    def set_opponents(self, opponents: Opponents, mask: Iterable[bool] | None = None) -> None:
        """Give these agents the other seats of the games in `mask` [num_games] (None: all), from each game's next race
        on.

        Raises:
            RoboRallyError: in self-play; for a wrong number, name or agent, or a wrong mask. Nothing changes then.
        """
        if not isinstance(self.races, SeatRaces):
            raise RoboRallyError("set_opponents: every seat learns here; make the env with opponents=[..]")
        self.races.crews.set_opponents(opponents, mask)

    def state_dict(self) -> NamedValues:
        """The state from which an env with the same arguments goes on exactly: NumPy arrays, bytes and numbers."""
        return {"rows": self.rows.state_dict(), "seeds": list(self._seeds)}

    def load_state_dict(self, state: NamedValues) -> Any:
        """Go on from a `state_dict`; returns the observations.

        Raises:
            RoboRallyError: for anything else, or the state of an env with other arguments. Nothing has changed then.
        """
        load_whole(self, state, self._load)
        return self._observations()

    def _load(self, state: NamedValues) -> None:
        self.rows.load_state_dict(state["rows"])
        if len(state["seeds"]) != len(self._seeds):
            raise SnapshotError(f"state['seeds']: expected {len(self._seeds)} values, got {len(state['seeds'])}")
        self._seeds = list(state["seeds"])
        self._masks = self.rows.form.flat_masks()

    # -- inside

    def _begin(self, rows: Mask) -> None:
        self.races.begin(rows)
        self.rows.begin(rows)

    def _space(self) -> spaces.Space[Any]:
        if not self.mask_in_observation and not isinstance(self.rows.space, spaces.Dict):
            return self.rows.space
        parts = dict(self.rows.space) if isinstance(self.rows.space, spaces.Dict) else {"observation": self.rows.space}
        if self.mask_in_observation:
            parts["action_mask"] = spaces.MultiBinary(self.rows.form.mask_size)
        return spaces.Dict(parts)

    def _shown(self, seen: Any, masks: NDArray[np.int8]) -> Any:
        if not self.mask_in_observation:
            return seen
        return {**(seen if isinstance(seen, dict) else {"observation": seen}), "action_mask": masks}

    def _observations(self) -> Any:
        return self._shown(self.rows.observe(), self._masks)

    def _infos(self, outcome: Outcome) -> list[NamedValues]:
        """The numbers in the info of each sub-env at each step; for races that have ended, those at their end."""
        if self._infos_wanted != "numeric":
            return [{} for _ in range(self.num_envs)]
        columns = row_numbers(self.races, outcome, np.ones(self.num_envs, np.bool_), outcome.ended)
        return [Keys(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]

    def _show_masks(self, infos: list[NamedValues]) -> None:
        """Set the masks of the next actions, also in the infos unless these are full."""
        self._masks = self.rows.form.flat_masks()
        if self._infos_wanted != "full":
            for info, mask in zip(infos, self._masks, strict=True):
                info["action_mask"] = mask

    def _report_ends(self, infos: list[NamedValues], outcome: Outcome) -> None:
        """Add what SB3 and its callbacks look for at the end of a race."""
        rows = np.flatnonzero(outcome.ended)
        masks = np.repeat(self.rows.final_mask()[None], len(rows), axis=0)
        last = self._shown(self.rows.final(rows), masks)
        won = races_won(self.batch, self.races.games[rows], self.races.seats[rows])
        for k, row in enumerate(rows):
            infos[row] |= {
                "terminal_observation": {n: p[k] for n, p in last.items()} if isinstance(last, dict) else last[k],
                "TimeLimit.truncated": bool(outcome.truncated[row]),
                "is_success": bool(won[k]),
                "place": float(outcome.places[row]),
                "rounds": int(outcome.rounds[row]),
                "seat": int(self.races.seats[row]),
            }
            if self._infos_wanted == "full":
                infos[row]["course"] = outcome.courses[row]
