"""Self-play data as a data set of Minari, for offline reinforcement learning of one seat."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import check_from_file
from roborally_env.base.checks import check_choice, named_arguments, refuse_unknown_arguments, shown
from roborally_env.base.errors import RoboRallyError, one_line
from roborally_env.base.types import Json, JsonObject, OptionValue
from roborally_env.batch import BatchRace
from roborally_env.core.state import REGISTERS
from roborally_env.courses import course_names
from roborally_env.courses.catalogue import GENERATED
from roborally_env.envs.make import ACTIONS
from roborally_env.envs.spaces import agent_space, mask_part, part_boxes, with_parts
from roborally_env.envs.vec_forms import make_form
from roborally_env.envs.vec_rows import asked_rows
from roborally_env.generated.specification import of_version
from roborally_env.replay import state_hash
from roborally_env.selfplay.reader import Data

if TYPE_CHECKING:
    from gymnasium.envs.registration import EnvSpec


try:
    import minari
    from minari import MinariDataset
    from minari.data_collector import EpisodeBuffer
    from minari.storage import get_dataset_path
except ImportError as error:
    raise RoboRallyError(
        'roborally_env.selfplay.minari_data needs minari: pip install "roborally_env[offline]"'
    ) from error

REWARDS = ("race", "progress")
_ID = re.compile(r"(?!.{200})([-\w][-\w/]*[-\w]/)?[-\w]+-v\d{1,9}")  # a name space has two characters at least
_SET_HERE = ("dataset_id", "buffer", "env", "observation_space", "action_space")
_ABOUT = tuple(name for name in named_arguments(minari.create_dataset_from_buffers) if name not in _SET_HERE)
_COLUMNS = ["episode", "step", "seat", "agent", "program", "options", "option", "power_down", "cut"]


def to_minari(
    data: Data,
    dataset_id: str,
    *,
    agent: str | None = None,
    reward: str = "race",
    action: str = "program",
    **about: OptionValue,
) -> MinariDataset:
    """Write self-play data as a data set of Minari and return that.

    Each seat of each race becomes an episode, as `gymnasium.make("roborally_env:RoboRally-v0")` gives it to a learner
    in that seat: an observation has the symbolic vector and the mask. The races are played again for that, so the data
    needs no observations of its own.

    Args:
        data: of `load`.
        dataset_id: the name in Minari, such as `"roborally/planner-v0"`.
        agent: episodes of this agent alone, by its name in the manifest's `names`; None: of all.
        reward: `"race"` or `"progress"`.
        action: `"program"` (a program and the answer to a choice), or for libraries that take only one number
            `"register"` (a card after the other, the reward with the last one) or `"flat"`, as in `parallel_env`.
        about: `author`, `description` and others of `minari.create_dataset_from_buffers`.

    Raises:
        RoboRallyError: for data without races, an agent that did not play, courses with different numbers of robots, or
            races that go otherwise now, or an id that Minari refuses.
    """
    check_choice(reward, "reward", REWARDS)
    check_choice(action, "action", ACTIONS)
    data.check_columns([], agent)
    _check_id(dataset_id)
    refuse_unknown_arguments(about, _ABOUT, "to_minari")
    config = data.manifest["config"]
    robots = {course["players"] * course["robots_each"] for course in config["courses"]}
    if len(robots) > 1:
        raise RoboRallyError(f"{data.place}: expected one number of robots, got {sorted(robots)}: observations differ")
    written = None
    for number in data.shards:
        races = _Races(data, number, reward, action)
        episodes = list(races.episodes(agent))
        if written is not None:
            written.update_dataset_from_buffer(episodes)
        elif episodes:
            written = _create(dataset_id, episodes, env=_spec(data, agent, reward, action), **races.spaces(), **about)
    if written is None:
        raise RoboRallyError(f"{data.place}: no race is there yet")
    return written


def _check_id(dataset_id: object) -> None:
    """Raise a RoboRallyError for an id without a version, or with other characters than Minari's; before the races are
    played again."""
    if not isinstance(dataset_id, str) or not _ID.fullmatch(dataset_id):
        raise RoboRallyError(
            f"dataset_id: expected a name with a version, such as roborally/planner-v0, got {shown(dataset_id)}"
        )
    if get_dataset_path(dataset_id).exists():
        raise RoboRallyError(f"{dataset_id}: Minari has a data set of this name; expected another name or version")


def _create(dataset_id: str, episodes: list[EpisodeBuffer], **given: OptionValue) -> MinariDataset:
    try:
        return minari.create_dataset_from_buffers(dataset_id, episodes, **given)
    except (ValueError, OSError) as error:
        raise RoboRallyError(f"{dataset_id}: {one_line(error)}") from None


def _spec(data: Data, agent: str | None, reward: str, action: str) -> EnvSpec | None:
    """The env in which the agent of the data could be tested, against the others of the first race. None if a course is
    not one of the package's, or a file may not name an opponent: then the user makes the env."""
    config, names = data.manifest["config"], data.manifest["names"]
    if not all(_comes_along(course, config["edition"]) for course in config["courses"]):
        return None
    specs = dict(zip(names, config["agents"], strict=True))
    seated = data.ended(min(data.shards))[0]["agents"]
    seat = seated.index(agent) if agent in seated else 0
    opponents = [specs[name] for name in (*seated[:seat], *seated[seat + 1 :])]
    try:
        for opponent in opponents:
            check_from_file(opponent)
    except RoboRallyError:
        return None
    spec = copy.deepcopy(gymnasium.spec("RoboRally-v0"))
    spec.kwargs |= {
        "opponents": opponents,
        "course": [course["name"] for course in config["courses"]],
        "edition": config["edition"],
        "decisions": config["decisions"],
        "max_rounds": config["max_rounds"],
        "rules": config["rules"],
        "reward": reward,
        "action": action,
    }
    return spec


def _comes_along(course: JsonObject, edition: str) -> bool:
    """Whether a course of a manifest is one of the package's, or generated: its name is not the path of a file."""
    name = course["name"]
    return "course" not in course and (name in course_names(edition) or str(name).partition(":")[0] == GENERATED)


def _batch(data: Data, ended: Sequence[JsonObject]) -> BatchRace:
    """The races of a shard at their start; of generated courses each is on its own."""
    replay, config = data.replay(ended[0]["episode"]), data.manifest["config"]
    course = config["courses"][ended[0]["episode"] // config["games"]]
    if "generator" not in course:
        return replay.batch(games=len(ended), observation="symbolic")
    return BatchRace(
        len(ended),
        of_version(course["name"], course["generator"]),
        edition=replay.edition,
        players=replay.players,
        decisions=replay.decisions,
        max_rounds=replay.max_rounds,
        rules=replay.rules,
        seed=replay.seed,
        first_game=replay.game,
        auto_reset=False,
    )


class _Step(NamedTuple):
    """An action of a learner: what its seat saw, the mask and the action itself."""

    seen: NDArray[np.float32]
    mask: NDArray[np.int8]
    action: Any


class _Races:
    """The races of a shard, played again side by side.

    Attributes:
        rows: the columns, [n].
        steps: for each row the actions that it consists of.
        last_seen: [B, P, ...] what each seat saw at the end of its race.
        last_mask: the mask of a race that is over.
        rewards: [n].
    """

    def __init__(self, data: Data, number: int, reward: str, action: str) -> None:
        ended = data.ended(number)
        parts = list(data.arrays([*_COLUMNS, f"reward_{reward}"], decision=None, shards=[number]))
        self.rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        self.batch = _batch(data, ended)
        self.games = (self.rows["episode"] - ended[0]["episode"]).astype(np.int64)
        self.rewards = self.rows[f"reward_{reward}"].astype(np.float64)
        self.action = action
        self.steps: list[list[_Step]] = [[] for _ in self.games]
        self._play_again(max(row["steps"] for row in ended))
        for i, row in enumerate(ended):
            if int(state_hash(self.batch.games[i]), 16) != row["hashes"][-1]:
                raise RoboRallyError(
                    f"{data.place}: episode {row['episode']}: it ends otherwise when it is played again: the file was "
                    "changed, or the rules were"
                )

    def spaces(self) -> dict[str, gymnasium.Space[Json]]:
        """The spaces of observations and actions."""
        form = make_form(self.action, self.batch, 1)
        boxes = {**part_boxes(self.batch), **form.boxes}
        seen = agent_space("symbolic", boxes, self.batch.game, mask_part(form.sizes))
        return {"observation_space": seen, "action_space": form.action_space}

    def _play_again(self, count_of_steps: int) -> None:
        """Play the rows of each step; in some steps nobody decides, which leaves no row."""
        batch = self.batch
        choosing = self.rows["options"] > 0
        wanted = np.where(choosing[:, None], 0, self.rows["program"])
        answers = np.where(choosing, 1 + self.rows["option"].astype(np.int64), self.rows["power_down"])
        order = np.argsort(self.rows["step"], kind="stable")
        steps = self.rows["step"][order]
        for step in range(count_of_steps):
            rows = order[np.searchsorted(steps, step) : np.searchsorted(steps, step, "right")]
            at = (self.games[rows], self.rows["seat"][rows].astype(np.int64))
            programs, choices, _ = batch.actions
            programs[:], choices[:] = 0, 0
            programs[at], choices[at] = self._decisions(rows, at, wanted, answers)
            batch.step_prepared()
        form, last = make_form(self.action, batch, 1), batch.observe()["symbolic"]
        tail = {
            name: np.zeros((batch.num_games * batch.players, *box.shape), np.float32)
            for name, box in form.boxes.items()
        }
        seats = with_parts(last.reshape(-1, last.shape[-1]), tail)
        self.last_seen = seats.reshape(*last.shape[:2], -1).copy()
        self.last_mask = np.zeros(form.mask_size, np.int8)
        self.last_mask[np.cumsum([0, *form.sizes[:-1]])] = 1

    def _decisions(
        self,
        rows: NDArray[np.int64],
        at: tuple[NDArray[np.int64], NDArray[np.int64]],
        wanted: NDArray[np.int64],
        answers: NDArray[np.int64],
    ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """The programs [n, 5] and choices [n] of these rows, decided action by action."""
        asked = asked_rows(self.batch, *at, self.action)
        form, waiting = asked.form, np.ones(len(rows), np.bool_)
        programs, choices = np.zeros((len(rows), REGISTERS), np.int8), np.zeros(len(rows), np.int8)
        while waiting.any():
            seen, masks = asked.observe(), form.flat_masks()
            actions = [form.encode(i, wanted[row], int(answers[row])) for i, row in enumerate(rows)]
            for i in np.flatnonzero(waiting):
                self.steps[rows[i]].append(_Step(seen[i], masks[i], actions[i]))
            decided = form.take(np.array(actions), waiting)
            programs[decided], choices[decided] = form.programs[decided], form.choices[decided]
            waiting &= ~decided
        return programs, choices

    def episodes(self, agent: str | None) -> Iterator[EpisodeBuffer]:
        """The episodes of an agent's seats, or of all."""
        wanted = np.ones(len(self.games), np.bool_) if agent is None else self.rows["agent"] == agent
        seats = self.games * self.batch.players + self.rows["seat"]
        for each in np.unique(seats[wanted]):
            yield self._episode(np.flatnonzero(seats == each), *divmod(int(each), self.batch.players))

    def _episode(self, rows: NDArray[np.int64], game: int, seat: int) -> EpisodeBuffer:
        steps = [step for row in rows for step in self.steps[row]]
        rewards = np.concatenate([[0.0] * (len(self.steps[row]) - 1) + [self.rewards[row]] for row in rows])
        last, cut = np.arange(len(steps)) == len(steps) - 1, bool(self.rows["cut"][rows[-1]])
        return EpisodeBuffer(
            observations={
                "observation": np.stack([*(step.seen for step in steps), self.last_seen[game, seat]]),
                "action_mask": np.stack([*(step.mask for step in steps), self.last_mask]),
            },
            actions=np.stack([step.action for step in steps]),
            rewards=rewards,
            terminations=last & (not cut),
            truncations=last & cut,
        )
