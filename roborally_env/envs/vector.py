"""RoboRallyVectorEnv: many races at once for Gymnasium. The learner has one seat of each and agents have the others, or
the learner has every seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from roborally_env.arguments import Courses, course_source
from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.checks import check_choice, check_whole, shown
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.former import Keys
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.batch.options import select, takes
from roborally_env.core import choices
from roborally_env.envs.infos import INFOS, NOTHING
from roborally_env.envs.options import GymVectorOptions, VectorOptions
from roborally_env.envs.parallel import RENDER_FPS
from roborally_env.envs.picture import check_size, rendered, warn_without_mode
from roborally_env.envs.reset_options import COURSE, check_options, chosen_courses
from roborally_env.envs.single import OTHERS
from roborally_env.envs.snapshots import load_whole
from roborally_env.envs.spaces import OBSERVATIONS, check_masks, laid_out, mask_part
from roborally_env.envs.state import state_space_of
from roborally_env.envs.vec_infos import row_numbers
from roborally_env.envs.vec_opponents import Opponents
from roborally_env.envs.vec_races import MAX_SEED, Mask, Outcome, Races, SeatRaces
from roborally_env.envs.vec_setup import check_mode, check_seed, make_learner_rows, races_behind

RENDER_MODES = ("rgb_array", "ansi")  # for many races; a window can show only one
RANDOM = ("random",) * OTHERS  # the opponents, unless they are named
Infos = NamedValues
Given = tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Infos]


@takes(GymVectorOptions, "make_vec", opponents=RANDOM)
class RoboRallyVectorEnv(PicklableArrays, VectorEnv[Any, Any, NDArray[Any]]):
    """Many races as a Gymnasium VectorEnv on one BatchRace. A sub-env is one seat of one race.

    **With opponents**, each race has one sub-env, and agents have the other seats: `num_envs` times `RoboRally-v0`.
    Sub-env i equals a `RoboRallyEnv(...)` that is reset with seed + i: the same observations, rewards, flags and infos,
    batched as in `gymnasium.vector.SyncVectorEnv`. There are two exceptions: `info["options"]` is left out, and random
    choices of an opponent differ, because here an agent is one object for all sub-envs. They follow from the seed of
    the race and that of the agent, which is 0 unless it is named, as in `"random:seed=3"`.

    A step plays through purchases and choices of other seats until the learner's next decision or the end of its race;
    races that have reached that point wait meanwhile.

    **With `opponents=None`**, every seat is a sub-env, and one policy plays them all (self-play): `num_envs` must be a
    multiple of the number of seats, and seat s of race g is number g * P + s, as in SB3VecEnv and RLlibVectorEnv. Race
    g equals a `parallel_env(...)` that is reset with seed + g * P: sub-env g * P + s has the observations, rewards,
    flags and infos of its agent `robot_s`, and `info["seat"]`, which is s. All seats of a race act in each step. A seat
    with nothing to decide (another one buys; its robot is off the board, powered down or, in 2005, destroyed for good)
    has one legal action and None as its decision. So all seats of a race stay until its end: they terminate or are
    truncated in the same step, and its next race begins for all of them together, whatever the `autoreset_mode`. A
    `reset_mask` has all seats of a race or none.

    Arguments are those of `make_vec`. `gymnasium.make_vec("RoboRally-v0", num_envs=..)` makes the same env.
    """

    def __init__(self, num_envs: int = 1, course: Courses | None = None, **options: Unpack[GymVectorOptions]) -> None:
        if options["opponents"] is RANDOM and options["players"] is not None:
            options["opponents"] = RANDOM[0]  # as many as there are other seats
        source = course_source(course, options["edition"])
        races = races_behind(num_envs, options["opponents"], options["players"], source)
        observation = options["observation"]
        self.autoreset_mode = check_mode(options["autoreset_mode"])
        mode = options["render_mode"]
        self.render_mode = None if mode is None else check_choice(mode, "render_mode", RENDER_MODES)
        self.render_size = check_size(options["render_size"])
        most = options["max_episode_steps"]
        self._most_steps = None if most is None else check_whole(most, "max_episode_steps", 1, 2**31)
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "autoreset_mode": self.autoreset_mode,
        }
        self.rows, self._first_seed = make_learner_rows(
            races, source, copy=options["copy"], observations=OBSERVATIONS, **select(VectorOptions, options)
        )
        self.num_envs = num_envs = self.races.num_rows
        form = self.rows.form
        self._alone = observation == "vector"
        self._masks = check_masks(options["masks"], observation, form.sizes)
        self._infos_wanted = check_choice(options["infos"], "infos", INFOS)
        self.races.reports_programs = self._infos_wanted != "mask"
        mask_space = mask_part(form.sizes, self._masks)
        both = spaces.Dict({"observation": self.rows.space, "action_mask": mask_space})
        self.single_observation_space = self.rows.space if self._alone else both
        self.single_action_space = form.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seeded = False
        self._over = np.zeros(num_envs, np.bool_)  # the race is over, the next one not yet started
        self._cut = np.zeros(num_envs, np.bool_)  # max_episode_steps is reached in a race that is not over
        self._steps = np.zeros(num_envs, np.int64)  # of the episode

    @property
    def races(self) -> Races:
        """The races of the learner."""
        return self.rows.races

    @property
    def batch(self) -> BatchRace:
        """The races themselves."""
        return self.races.batch

    # -- Gymnasium

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: NamedValues | None = None
    ) -> tuple[Any, Infos]:
        """Begin the race of seed + i (or of seed[i]) in sub-env i; without a seed the next race of each sub-env. In
        self-play the seed of a race is that of its first seat.

        Args:
            seed: see above.
            options: `{"reset_mask": bool [num_envs]}` resets only those sub-envs. `{"course": ..}` lets these races be
                on one of the env's courses, as for `reset` of `parallel_env`; a list has a course, or None, for each
                sub-env (in self-play that of a race is its first seat's). The races after them draw their courses
                again.

        Raises:
            RoboRallyError: for a wrong seed, mask or course, and for options that are no dict or have another key.
                Nothing has changed then.
        """
        given = check_options(options, ("reset_mask", COURSE))
        chosen = self._reset_mask(given.get("reset_mask"))
        courses = chosen_courses(given, self.batch, self.num_envs)
        seeds = self._seeds(seed)
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
        # after a finished race the batch already has the next one ready, which must not be skipped
        ready = self._over & np.array([each is None for each in seeds])
        self.races.restart(chosen, ready, seeds, courses)
        self._cut[chosen] = False  # another race than the one that was cut has started
        self._seeded = True
        self._begin(chosen)
        masks = self.rows.form.flat_masks()
        observations = self._observations(masks, self._over)
        return observations, self._infos(chosen, masks, self.races.new_outcome())

    def step(self, actions: Any) -> Given:
        """Take one action for each sub-env; see the class. `autoreset_mode` says when the next race begins.

        Raises:
            ActionError: for a wrong shape, dtype or range.
            RoboRallyError: before the first reset, or in mode DISABLED if a race is over. Nothing has been played if
                `step` raises.
        """
        if not self._seeded:
            raise RoboRallyError("step: call reset() first")
        waiting = self._over | self._cut
        if waiting.any() and self.autoreset_mode is AutoresetMode.DISABLED:
            first = int(np.flatnonzero(waiting)[0])
            raise RoboRallyError(
                f'step: the episode of sub-env {first} is over; call reset(options={{"reset_mask": ..}}) for such first'
            )
        _, outcome = self.rows.act(actions, ~waiting)
        infos: Infos = {}
        self._begin(waiting)
        self._over = outcome.ended.copy()
        late = self._count_steps(~waiting)
        self._cut = late & ~self._over
        done = self._over | self._cut
        if self.autoreset_mode is AutoresetMode.SAME_STEP and done.any():
            infos = self._final(outcome)
            self._begin(done)
            _forget(outcome, done)
        masks = self.rows.form.flat_masks()
        infos = {**infos, **self._infos(np.ones(self.num_envs, np.bool_), masks, outcome)}
        observations = self._observations(masks, self._over)
        return observations, outcome.rewards, outcome.ended & ~outcome.truncated, outcome.truncated | late, infos

    def render(self) -> tuple[Any, ...] | None:
        """Draw the race of each sub-env: for render_mode "rgb_array" uint8 [height, width, 3], for "ansi" text. After a
        finished race it is the next one. In self-play the seats of a race share one picture.

        Raises:
            RoboRallyError: before the first reset, or if the extra `render` is not installed.
        """
        if not self._seeded:
            raise RoboRallyError("render: call reset() first")
        if self.render_mode is None:
            warn_without_mode()
            return None
        batch, races = self.batch, self.races
        learners = races.seats.tolist() if isinstance(races, SeatRaces) else [None] * batch.num_games
        pictures = []
        for game, learner in enumerate(learners):
            names = [f"robot {r}" if r != learner else "learner" for r in range(batch.players)]
            pictures.append(rendered(batch, self.render_mode, self.render_size, names, game))
        return tuple(pictures[game] for game in races.games.tolist())

    def close_extras(self, **_: Any) -> None:
        """End what makes generated courses ahead, if anything does."""
        if hasattr(self, "rows"):  # Gymnasium closes an env that could not be made, too, when it is deleted
            self.batch.close()

    # -- more than Gymnasium asks

    def set_opponents(self, opponents: Opponents, mask: Any = None) -> None:
        """Give these agents the other seats of the sub-envs in `mask` [num_envs] (None: all), from each one's next race
        on.

        Raises:
            RoboRallyError: in self-play; for a wrong number, name or agent, or a wrong mask. Nothing changes then.
        """
        if not isinstance(self.races, SeatRaces):
            raise RoboRallyError("set_opponents: every seat learns here; make the env with opponents=[..]")
        self.races.crews.set_opponents(opponents, mask)

    def action_masks(self) -> NDArray[np.bool_]:
        """The flat masks of the next actions, in the form that sb3-contrib asks for: bool [num_envs, n]."""
        return self.rows.form.flat_masks().astype(np.bool_)

    @property
    def single_state_space(self) -> spaces.Box:
        """The space of one row of `state`."""
        return state_space_of(self.batch)

    def state(self) -> NDArray[np.float32]:
        """The whole state of each sub-env's race, hidden cards included, for centralised critics: float32
        [num_envs, n], as `state` of `parallel_env`; zeros where the race is over."""
        if not self._seeded:
            raise RoboRallyError("state: call reset() first")
        return self.rows.states(self._over)

    def state_dict(self) -> NamedValues:
        """The state from which an env with the same arguments goes on exactly: NumPy arrays, bytes and numbers."""
        own = {"over": self._over.copy(), "cut": self._cut.copy(), "steps": self._steps.copy()}
        return {"rows": self.rows.state_dict(), **own, "seeded": self._seeded}

    def load_state_dict(self, state: NamedValues) -> None:
        """Go on from a `state_dict`.

        Raises:
            RoboRallyError: for anything else, or the state of an env with other arguments. Nothing has changed then.
        """
        load_whole(self, state, self._load)

    def _load(self, state: NamedValues) -> None:
        self.rows.load_state_dict(state["rows"])
        self._over[:], self._cut[:], self._steps[:] = state["over"], state["cut"], state["steps"]
        self._seeded = bool(state["seeded"])

    # -- inside

    def _begin(self, rows: Mask) -> None:
        """Let the learner begin with the next races of these rows."""
        cut = self._cut & rows
        if cut.any():
            self.races.reset(cut, [None] * self.num_envs)
        if rows.any():
            self.races.begin(rows)
            self.rows.begin(rows)
            self._over[rows] = self._cut[rows] = False
            self._steps[rows] = 0

    def _count_steps(self, stepped: Mask) -> Mask:
        """Count a step of these rows; returns those that have reached max_episode_steps."""
        self._steps[stepped] += 1
        if self._most_steps is None:
            return np.zeros(self.num_envs, np.bool_)
        return np.asarray(stepped & (self._steps >= self._most_steps))

    def _reset_mask(self, given: Any) -> Mask:
        if given is None:
            return np.ones(self.num_envs, np.bool_)
        mask = np.asarray(given)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise RoboRallyError(
                f'options["reset_mask"]: expected bool ({self.num_envs},) with a True in it, got {shown(given)}'
            )
        self.races.check_together(mask, 'options["reset_mask"]')
        if not self._seeded and not mask.all():
            raise RoboRallyError("reset: the first reset is one of all sub-envs")
        return mask

    def _seeds(self, seed: Any) -> list[int | None]:
        """The seed of each sub-env; None: it goes on to its next race."""
        if seed is None:
            if self._seeded:
                return [None] * self.num_envs
            seed = self._first_seed
        if isinstance(seed, (list, tuple)) or (isinstance(seed, np.ndarray) and seed.ndim):
            if len(seed) != self.num_envs:
                raise RoboRallyError(f"seed: expected {self.num_envs}, one for each sub-env, got {len(seed)}")
            return [None if each is None else check_whole(each, "seed", 0, MAX_SEED) for each in seed]
        first = check_seed(seed, self.num_envs)
        return list(range(first, first + self.num_envs))

    def _observations(self, masks: NDArray[np.int8], final: Mask) -> Any:
        seen = self.rows.observe(final)
        return seen if self._alone else {"observation": seen, "action_mask": self._laid_out(masks.copy())}

    def _laid_out(self, masks: NDArray[np.int8]) -> Any:
        return laid_out(masks, self.rows.form.sizes, self._masks)

    def _final(self, outcome: Outcome) -> Infos:
        """`final_obs` and `final_info` of the episodes that ended in this step."""
        masks = self.rows.form.flat_masks()
        masks[self._over] = self.rows.final_mask()
        observations = np.full(self.num_envs, None, object)
        for rows, see in ((self._over, self.rows.final), (self._cut, self.rows.present)):
            numbers = np.flatnonzero(rows)
            seen = see(numbers) if len(numbers) else ()
            for k, row in enumerate(numbers):
                own = {name: part[k] for name, part in seen.items()} if isinstance(seen, dict) else seen[k]
                one = {"observation": own, "action_mask": self._laid_out(masks[row].copy())}
                observations[row] = own if self._alone else one
        marked = self._over | self._cut
        final_info = self._infos(marked, masks, outcome)
        return {"final_obs": observations, "_final_obs": marked, "final_info": final_info, "_final_info": marked.copy()}

    def _infos(self, rows: Mask, masks: NDArray[np.int8], outcome: Outcome) -> Infos:
        """The infos of these rows, each with its mask `_name`, as VectorEnv batches them; zeros for missing values."""
        shown = np.where(rows[:, None], masks, 0).astype(np.int8)
        infos: Infos = {"action_mask": self._laid_out(shown) if self._masks == "registers" else shown}
        if self._infos_wanted == "mask":
            return _marked(infos, rows)
        numbers = row_numbers(self.races, outcome, rows, self._over)
        if self._infos_wanted == "numeric":
            return _marked({**infos, **numbers}, rows)
        infos["rewards"] = _marked({name: numbers.pop(f"reward_{name}") for name in outcome.parts}, rows)
        ended = self._over & outcome.ended & rows
        end = {name: numbers.pop(name) for name in ("place", "is_success")}
        infos |= numbers
        infos["decision"] = _named(numbers["decision"])
        infos["course"] = _objects(np.where(ended, outcome.courses, self.races.course_names()), rows)
        return Keys(_marked(infos, rows) | (_marked(end, ended) if ended.any() else {}))


def _named(codes: NDArray[np.int64]) -> NDArray[Any]:
    """The names of decisions as objects; None for 0."""
    return np.array([None, *choices.NAMES[1:]], object)[codes]


def _marked(infos: NamedValues, rows: Mask) -> Infos:
    """Add to every info the mask of the rows that have it."""
    return Keys(
        {key: value for name, info in infos.items() for key, value in ((name, info), (f"_{name}", rows.copy()))}
    )


def _forget(outcome: Outcome, rows: Mask) -> None:
    """Clear the infos about the last action in these rows, whose next race has started; rewards stay."""
    outcome.corrected[rows] = 0
    outcome.programs[rows] = NOTHING
    for part in outcome.parts.values():
        part[rows] = 0.0


def _objects(values: NDArray[Any], rows: Mask) -> NDArray[Any]:
    """The values of these rows, None in the others."""
    chosen = np.full(len(rows), None, object)
    chosen[rows] = values[rows]
    return chosen


@takes(GymVectorOptions, "make_vec", opponents=RANDOM)
def make_vec(num_envs: int, course: Courses | None = None, **options: Unpack[GymVectorOptions]) -> RoboRallyVectorEnv:
    """Many races at once for Gymnasium: a VectorEnv whose sub-envs are one seat of each race against opponents, or with
    `opponents=None` every seat of each race (self-play); see RoboRallyVectorEnv.

    Args:
        num_envs: how many sub-envs, which is how many races, or in self-play how many seats of all races together.
        course: a name, a path, a Course, or a list of them, of which each race draws one; or a Generator (also as its
            text `"generated:difficulty=3"`), which makes one for each race.
        opponents: an agent for each other seat, in seat order: a name (`"greedy"`, `"random:seed=3"`) or an object (see
            `roborally_env.agents`); or one name for all of them. By default `"random"` has all other seats. None: every
            seat is a sub-env.

    Raises:
        RoboRallyError: for any value outside these.
    """
    return RoboRallyVectorEnv(num_envs, course, **options)
