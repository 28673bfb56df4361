"""Self-play data as a data set of Minari, for offline reinforcement learning of one seat."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import check_from_file
from roborally_env.base.checks import check_choice
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Json, JsonObject, OptionValue
from roborally_env.core.state import REGISTERS
from roborally_env.courses import course_names
from roborally_env.courses.catalogue import GENERATED
from roborally_env.envs.actions import action_sizes
from roborally_env.envs.spaces import agent_space, mask_part, part_boxes, program_space
from roborally_env.replay import state_hash
from roborally_env.selfplay.reader import Data

if TYPE_CHECKING:
    from gymnasium.envs.registration import EnvSpec


try:
    import minari
    from minari import MinariDataset
    from minari.data_collector import EpisodeBuffer
except ImportError as error:
    raise RoboRallyError(
        'roborally_env.selfplay.minari_data needs minari: pip install "roborally_env[offline]"'
    ) from error

REWARDS = ("race", "progress")
_COLUMNS = ["episode", "step", "seat", "agent", "program", "options", "option", "power_down", "cut"]


def to_minari(
    data: Data, dataset_id: str, *, agent: str | None = None, reward: str = "race", **about: OptionValue
) -> MinariDataset:
    """Write self-play data as a data set of Minari and return that.

    Each seat of each race becomes an episode, as `gymnasium.make("roborally_env:RoboRally-v0")` gives it to a learner
    in that seat: an observation has the symbolic vector and the masks, an action is a program and the answer to a
    choice. The races are played again for that, so the data needs no observations of its own.

    Args:
        data: of `load`.
        dataset_id: the name in Minari, such as `"roborally/planner-v0"`.
        agent: episodes of this agent alone, by its name in the manifest's `names`; None: of all.
        reward: `"race"` or `"progress"`.
        about: `author`, `description` and others of `minari.create_dataset_from_buffers`.

    Raises:
        RoboRallyError: for data without races, an agent that did not play, courses with different numbers of robots, or
            races that go otherwise now, or an id that Minari refuses.
    """
    check_choice(reward, "reward", REWARDS)
    data.check_columns([], agent)
    config = data.manifest["config"]
    robots = {course["players"] * course["robots_each"] for course in config["courses"]}
    if len(robots) > 1:
        raise RoboRallyError(f"{data.place}: expected one number of robots, got {sorted(robots)}: observations differ")
    written = None
    for number in data.shards:
        races = _Races(data, number, reward)
        episodes = list(races.episodes(agent))
        if written is not None:
            written.update_dataset_from_buffer(episodes)
        elif episodes:
            written = _create(dataset_id, episodes, env=_spec(data, agent, reward), **races.spaces(), **about)
    if written is None:
        raise RoboRallyError(f"{data.place}: no race is there yet")
    return written


def _create(dataset_id: str, episodes: list[EpisodeBuffer], **given: OptionValue) -> MinariDataset:
    try:
        return minari.create_dataset_from_buffers(dataset_id, episodes, **given)
    except ValueError as error:  # an id of a wrong form, or one that is there
        raise RoboRallyError(f"{dataset_id}: {str(error).splitlines()[0]}") from None


def _spec(data: Data, agent: str | None, reward: str) -> EnvSpec | None:
    """The env in which the agent of the data could be tested, against the others of the first race. None where a course
    is not one of the package's, or an opponent is one that a file may not name: whoever recovers the env makes it."""
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
    }
    return spec


def _comes_along(course: JsonObject, edition: str) -> bool:
    """Whether a course of a manifest is one of the package's, or generated: its name is not the path of a file."""
    name = course["name"]
    return "course" not in course and (name in course_names(edition) or str(name).partition(":")[0] == GENERATED)


class _Races:
    """The races of a shard, played again side by side, with what was seen, done and given in each row of `steps` [n].

    Attributes:
        rows: the columns.
        seen, masks: [n, ...] what the seat saw, and the mask of each component of its action.
        last_seen, last_masks: [B, P, ...] the same at the end of each race.
        actions: [n, components].
        rewards: [n].
    """

    def __init__(self, data: Data, number: int, reward: str) -> None:
        ended = data.ended(number)
        parts = list(data.arrays([*_COLUMNS, f"reward_{reward}"], decision=None, shards=[number]))
        self.rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        self.batch = data.replay(ended[0]["episode"]).batch(games=len(ended), observation="symbolic")
        self.games = self.rows["episode"] - ended[0]["episode"]
        self.sizes = action_sizes(self.batch)
        self.rewards = self.rows[f"reward_{reward}"].astype(np.float64)
        self.actions = self._actions()
        self._play_again(max(row["steps"] for row in ended))
        for i, row in enumerate(ended):
            if int(state_hash(self.batch.games[i]), 16) != row["hashes"][-1]:
                raise RoboRallyError(
                    f"{data.place}: episode {row['episode']}: it ends otherwise when it is played again: the file was "
                    "changed, or the rules were"
                )

    def spaces(self) -> dict[str, gymnasium.Space[Json]]:
        """The spaces of observations and actions."""
        seen = agent_space("symbolic", part_boxes(self.batch), self.batch.game, mask_part(self.sizes))
        return {"observation_space": seen, "action_space": program_space(self.sizes)}

    def _actions(self) -> NDArray[np.int64]:
        """[n, components]: programs, and in the last component answers, or 1 for a power down."""
        choosing = self.rows["options"] > 0
        programs = np.where(choosing[:, None], 0, self.rows["program"])
        answers = np.where(choosing, 1 + self.rows["option"].astype(np.int64), self.rows["power_down"])
        return np.column_stack([programs, answers])[:, : len(self.sizes)].astype(np.int64)

    def _play_again(self, count_of_steps: int) -> None:
        """Play the rows of each step; in some steps nobody decides, which leaves no row."""
        batch, count = self.batch, len(self.games)
        shape = (batch.num_games, batch.players)
        self.seen = np.empty((count, batch.symbolic_size), np.float32)
        self.masks = [np.empty((count, size), np.int8) for size in self.sizes]
        order = np.argsort(self.rows["step"], kind="stable")
        steps = self.rows["step"][order]
        for step in range(count_of_steps):
            rows = order[np.searchsorted(steps, step) : np.searchsorted(steps, step, "right")]
            at = (self.games[rows], self.rows["seat"][rows])
            self.seen[rows] = batch.vectors[at]
            for mine, given in zip(self.masks, self._masks_now(), strict=True):
                mine[rows] = given[at]
            actions = np.zeros((*shape, len(self.sizes)), np.int64)
            actions[at] = self.actions[rows]
            programs, choices = actions[..., :REGISTERS], actions[..., REGISTERS:]
            batch.step(programs, choices[..., 0] if batch.asks_choices else None)
        self.last_seen = batch.observe()["symbolic"].copy()
        self.last_masks = [mask.copy() for mask in self._masks_now()]

    def _masks_now(self) -> list[NDArray[np.int8]]:
        """[B, P, size] of each component."""
        given = self.batch.observations
        masks = [given["masks"][:, :, k] for k in range(REGISTERS)]
        return [*masks, given["choice_masks"]] if self.batch.asks_choices else masks

    def episodes(self, agent: str | None) -> Iterator[EpisodeBuffer]:
        """The episodes of an agent's seats, or of all."""
        wanted = np.ones(len(self.games), np.bool_) if agent is None else self.rows["agent"] == agent
        seats = self.games * self.batch.players + self.rows["seat"]
        for each in np.unique(seats[wanted]):
            yield self._episode(np.flatnonzero(seats == each), *divmod(int(each), self.batch.players))

    def _episode(self, rows: NDArray[np.int64], game: int, seat: int) -> EpisodeBuffer:
        masks = [(*mine[rows], last[game, seat]) for mine, last in zip(self.masks, self.last_masks, strict=True)]
        last, cut = np.arange(len(rows)) == len(rows) - 1, self.rows["cut"][rows]
        return EpisodeBuffer(
            observations={
                "observation": np.stack([*self.seen[rows], self.last_seen[game, seat]]),
                "action_mask": tuple(np.stack(mask) for mask in masks),
            },
            actions=self.actions[rows],
            rewards=self.rewards[rows],
            terminations=last & ~cut,
            truncations=last & cut,
        )
