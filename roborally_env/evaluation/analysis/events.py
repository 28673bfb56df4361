"""The events of races as pandas tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from roborally_env.agents import Agent
from roborally_env.agents.decisions import decide
from roborally_env.base.checks import check_whole
from roborally_env.base.errors import AgentError, RoboRallyError, nearest
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.core.log import TABLE
from roborally_env.courses.tables import WIDTH
from roborally_env.evaluation.analysis.extras import data_frame
from roborally_env.evaluation.tournament import Result
from roborally_env.replay import Comparison, Replay

if TYPE_CHECKING:
    from pandas import DataFrame


CHUNK = 32  # races played side by side; the log of each takes 24 kB
FIRST = ["course", "game", "round", "register", "seat", "agent", "kind", "x", "y"]
WHOLE = ("seat", "x", "y")
KINDS = tuple(row[1] for row in TABLE)


def race_events(result: Result, *, games: int | None = None, kinds: Collection[str] | None = None) -> DataFrame:
    """A DataFrame with a row for each event of a tournament's races, which are played again for it.

    Columns: course, game, round (from 1), register (1 to 5, 0 before the first), seat and agent (of the affected robot;
    missing if there is none), kind, x and y (the place of that robot then, or its last one), and the values of the kind
    (docs/observations.md, "Events").

    Args:
        result: from `evaluate`.
        games: use this many races of each course, from the first; None: all that were played.
        kinds: the wanted kinds of events; None: all.

    Raises:
        RoboRallyError: for an unknown kind, or agents that decide differently when the race is played again.
    """
    wanted = _check_kinds(kinds)
    agents = result.setup.make_agents()
    rows: list[NamedValues] = []
    for course in range(len(result.setup.courses)):
        races = [race for race in result.races if race.course == course]
        last = max((race.game + 1 for race in races), default=0)
        count = last if games is None else min(last, check_whole(games, "games", 1, 10_000_000))
        for first in range(0, count, CHUNK):
            rows += _chunk(result, agents, course, first, min(CHUNK, count - first), wanted)
    return _table(rows)


def _chunk(
    result: Result, agents: Sequence[Agent], course: int, first: int, count: int, kinds: frozenset[str]
) -> list[NamedValues]:
    """The events of a few races."""
    setup = result.setup
    batch = setup.batch(course, first, count, agents, events=True)
    line_ups = setup.line_ups(course, first, count)
    heads = [
        {
            "course": str(batch.course_slugs[i]),
            "game": first + i,
            "agents": [setup.names[a] for a in line_ups[i]],
        }
        for i in range(count)
    ]
    rows = _Log(batch, heads, kinds)
    while not batch.over.all():
        batch.step(*decide(batch, agents, line_ups))
        rows.note_step()
    _compare(result, batch, course, first)
    return sorted(rows.rows, key=lambda row: int(row["game"]))  # within a race in their order


def _compare(result: Result, batch: BatchRace, course: int, first: int) -> None:
    """Raise a RoboRallyError if a race went differently from the tournament."""
    ended = {(race.course, race.game): (race.rounds, race.winner) for race in result.races}
    for i in range(batch.num_games):
        now = int(batch.results[i]["rounds"]), int(batch.results[i]["winner"])
        if ended.get((course, first + i), now) != now:
            raise AgentError(
                f"game {first + i}: it went another way when it was played again; an agent's decisions must depend on "
                "its seed, the game and the seat alone"
            )


def replay_events(replay: Replay, *, kinds: Collection[str] | None = None) -> DataFrame:
    """The same table for the race of a replay; `game` is its number.

    Raises:
        RoboRallyError: for an unknown kind, or a replay that ends differently from its recording.
    """
    batch = replay.batch(events=True)
    head = {
        "course": batch.courses[int(batch.games[0]["course"])].slug,
        "game": replay.game,
        "agents": list(replay.agents),
    }
    rows = _Log(batch, [head], _check_kinds(kinds))
    comparison = Comparison(replay, batch)
    for _ in comparison.steps():
        rows.note_step()
    comparison.check()
    return _table(rows.rows)


class _Log:
    """Collects the events of a batch that is played with a log, with the place of each robot."""

    def __init__(self, batch: BatchRace, heads: Sequence[NamedValues], kinds: frozenset[str]) -> None:
        self.batch, self.heads, self.kinds = batch, heads, kinds
        self.rows: list[NamedValues] = []
        self.register = [0] * batch.num_games
        for game in range(batch.num_games):
            self._note(game, 1, batch.games[game]["cell"].tolist())
        self._before = self._as_they_stand()

    def note_step(self) -> None:
        """Collect the events of the batch's last step."""
        for game, number, cells in self._before:
            self._note(game, number, cells)
        self._before = self._as_they_stand()

    def _as_they_stand(self) -> list[tuple[int, int, list[int]]]:
        """Game, round and cells of the races that are running."""
        games = self.batch.games
        return [(g, int(games[g]["round_number"]), games[g]["cell"].tolist()) for g in self._running()]

    def _running(self) -> list[int]:
        return [int(g) for g in np.flatnonzero(~self.batch.over)]

    def _note(self, game: int, number: int, cells: list[int]) -> None:
        """The events of a game's last step, which began in a round with robots in these cells."""
        head = self.heads[game]
        for event in self.batch.events_of(game):
            kind, seat = event.pop("kind"), event.pop("robot", None)
            if kind == "round":
                number, self.register[game] = int(event["round"]), 0
            elif kind == "register":
                self.register[game] = int(event["register"])
            if seat is not None:
                cells[seat] = _cell_after(kind, event, cells[seat])
            if kind in self.kinds:
                self.rows.append(_row(head, number, self.register[game], seat, kind, cells) | event)


def _cell_after(kind: str, event: NamedValues, cell: int) -> int:
    """The cell of a robot after an event; for a fallen robot its pit, or the cell from which it left the board."""
    place = event.get("pit") or event.get("from") if kind == "fall" else event.get("to")
    if kind == "placed" or (kind == "reboot" and cell < 0):
        place = event["cell"]
    return cell if place is None else int(place[0] + WIDTH * place[1])


def _row(head: NamedValues, number: int, register: int, seat: int | None, kind: str, cells: list[int]) -> NamedValues:
    cell = -1 if seat is None else cells[seat]
    return {
        "course": head["course"],
        "game": head["game"],
        "round": number,
        "register": register,
        "seat": seat,
        "agent": None if seat is None else head["agents"][seat],
        "kind": kind,
        "x": cell % WIDTH if cell >= 0 else None,
        "y": cell // WIDTH if cell >= 0 else None,
    }


def _table(rows: list[NamedValues]) -> DataFrame:
    """The rows as a table; columns of whole numbers stay integers if some are missing."""
    more = list(dict.fromkeys(key for row in rows for key in row if key not in FIRST))
    table = data_frame(rows, FIRST + more)
    floats = [name for name in more if table[name].dtype.kind == "f" and table[name].notna().any()]
    whole = [name for name in table.columns if name in (*WHOLE, *floats)]
    return table.astype(dict.fromkeys(whole, "Int64"))


def _check_kinds(kinds: Collection[str] | None) -> frozenset[str]:
    if kinds is None:
        return frozenset(KINDS)
    if isinstance(kinds, str):
        raise RoboRallyError(f"kinds: expected a list of kinds of events, got {kinds!r}")
    for kind in kinds:
        if kind not in KINDS:
            raise RoboRallyError(f"kinds: unknown kind {kind!r}{nearest(str(kind), KINDS)}")
    return frozenset(kinds)
