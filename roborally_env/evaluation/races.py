"""Playing batches of races with agents in the seats; one call makes all decisions of an agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import Agent
from roborally_env.agents.decisions import called, checked, decide
from roborally_env.base.types import Array, Function
from roborally_env.batch import BatchRace
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.distances import remaining

__all__ = ["Race", "called", "checked", "decide", "play_races", "registers_to_go"]


class Race(NamedTuple):
    """The result of one race. Tuples have one entry for each seat."""

    course: int  # place in the tournament's list
    game: int  # number of the game
    line_up: tuple[int, ...]  # number of the agent in each seat
    rounds: int
    winner: int  # seat, -1 if nobody won, for example when max_rounds cut the race
    place: tuple[float, ...]  # 1 is first; robots that tie share the mean of their places
    reached: tuple[int, ...]  # checkpoints
    reboots: tuple[int, ...]
    damage: tuple[int, ...]  # damage cards (tokens) taken
    to_go: tuple[float, ...]  # distance left (belts included), in registers
    repairs: tuple[int, ...]  # illegal registers that were replaced: mistakes of the agent
    bought: tuple[int, ...] = ()  # upgrades bought, as bits; all 0 in the lighter game
    had: tuple[int, ...] = ()  # upgrades (options) owned at some time
    team: tuple[int, ...] = ()  # number of the team in which each seat is; empty where there are no teams
    course_name: str = ""  # the course's name
    course_title: str = ""  # the course's title
    out: tuple[int, ...] = ()  # 1 for a robot that was out of the race at its end (2005); empty where none can be

    def won(self, seat: int) -> bool:
        """Whether a seat, or its team, has won."""
        if not self.team or self.winner < 0:
            return self.winner == seat
        return self.team[self.winner] == self.team[seat]

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each team; each seat alone where there are no teams."""
        if not self.team:
            return tuple((seat,) for seat in range(len(self.line_up)))
        return tuple(
            tuple(seat for seat, team in enumerate(self.team) if team == each) for each in dict.fromkeys(self.team)
        )


def play_races(
    batch: BatchRace,
    agents: Sequence[Agent],
    line_ups: NDArray[np.int64],
    course: int = 0,
    stopped: Callable[[], bool] = lambda: False,
    asked: Function | None = None,
) -> list[Race] | None:
    """Play every game of a batch (without auto-reset) to its end; None if `stopped` returned True before. `asked` takes
    the place of `decide`."""
    asked = asked or decide
    repairs = np.zeros((batch.num_games, batch.players), np.int64)
    while not batch.over.all():
        if stopped():
            return None
        batch.step(*asked(batch, agents, line_ups))
        repairs += batch.corrected
    to_go = registers_to_go(batch)
    return [_race(batch, i, course, line_ups[i], to_go[i], repairs[i]) for i in range(batch.num_games)]


def _race(batch: BatchRace, i: int, course: int, line_up: Array, to_go: Array, repairs: Array) -> Race:
    result, on = batch.results[i], batch.courses[int(batch.games[i]["course"])]
    return Race(
        course=course,
        game=batch.first_game + i,
        line_up=tuple(line_up.tolist()),
        rounds=int(result["rounds"]),
        winner=int(result["winner"]),
        place=tuple(result["place"].tolist()),
        reached=tuple(result["reached"].tolist()),
        reboots=tuple(result["reboots"].tolist()),
        damage=tuple(result["taken"].sum(axis=1).tolist()),
        to_go=tuple(to_go.tolist()),
        repairs=tuple(repairs.tolist()),
        bought=tuple(result["bought"].tolist()),
        had=tuple(result["had"].tolist()),
        team=_teams(batch, i),
        course_name=on.slug,
        course_title=on.title,
        out=_out(batch, i),
    )


def _teams(batch: BatchRace, i: int) -> tuple[int, ...]:
    """The team of each seat; empty without teams."""
    if not batch.kind.has("team"):
        return ()
    teams = batch.games["team"][i, : batch.players].tolist()
    return tuple(teams) if len(set(teams)) < len(teams) else ()


def _out(batch: BatchRace, i: int) -> tuple[int, ...]:
    """Whether each robot has lost its last life; empty where there are no lives."""
    if not batch.kind.has("lives"):
        return ()
    return tuple(int(lives == 0) for lives in batch.games["lives"][i, : batch.players].tolist())


def registers_to_go(batch: BatchRace) -> NDArray[np.float64]:
    """[B, P]: each robot's distance to the last checkpoint by way of the next ones, belts included, in registers.

    That of a robot off the board begins where it would come back, even if it is out of the race.
    """
    quarters = np.zeros((batch.num_games, batch.players), np.int64)
    _distances(batch.maps, batch.games, quarters)
    return quarters / 4.0


@kernel
def _distances(maps, games, to_go):  # type: ignore[no-untyped-def]
    """Fill `to_go` [B, P] with the distance left to the last checkpoint, in quarter registers."""
    for i in range(to_go.shape[0]):
        game = games[i]
        for r in range(to_go.shape[1]):
            to_go[i, r] = remaining(maps.courses[game.course], maps.distance, game, r)
