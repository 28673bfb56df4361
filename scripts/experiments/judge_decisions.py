"""Which of several agents decides best, by positions of races that are played out, not by whole races.

    python scripts/experiments/judge_decisions.py learned-search learned planner
    python scripts/experiments/judge_decisions.py learned-search:simulations=30000 \\
        learned-search:simulations=30000,others=search --rival planner --deals 60
    python scripts/experiments/judge_decisions.py learned-search learned --purchases
    python scripts/experiments/judge_decisions.py learned-search learned --own planner:simulations=100 --deals 60

The positions are those of `learned` in races against three of `--rival` on all nineteen courses. Every agent decides in
each of them. What they choose is played out in the same deals of the hidden cards: in a round the rivals submit what
they really do there, and everybody plays `--rounds` more rounds as `greedy`. The value of a choice is the mean of
`planner`'s chance to win afterwards; after a purchase everybody is `greedy`, to the end of the race. With `--own AGENT`
that agent and the rivals play each deal to the end of the race instead, which takes longer. The table has the mean
difference from the first agent in points, with its standard error. One point a decision was about ten points of
races won. `--data` keeps the rows.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from roborally_env.agents import Agent, make_agent
from roborally_env.agents.base import Info
from roborally_env.agents.candidates import chance_after
from roborally_env.agents.decisions import decide
from roborally_env.agents.greedy_round import Hands, new_hands, play_as_greedy, play_on
from roborally_env.agents.planner import weights_of
from roborally_env.agents.settle import cover

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.base.types import Array
from roborally_env.batch import BatchRace
from roborally_env.core.chance import key_of, stream_word
from roborally_env.core.choices import BUY_UPGRADE
from roborally_env.core.driving.advance import answer
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.among_others import play_round, redeal_for, submit_one
from roborally_env.core.searching.best_list import FIVE
from roborally_env.core.state import ASK_PURCHASES
from roborally_env.evaluation.benchmark import PROTOCOLS
from roborally_env.speed.rows import machine

OWN = "learned"  # whose positions these are
PLAYERS = 4
KEPT = 1 << 14
DEAL_SEED, MIND = 4711, 99  # seeds of the deals, and of the agents that decide
TO_THE_END = 25  # rounds


class Position(NamedTuple):
    """A record of a game, the seat that decides, and the mask of its options (programs: none)."""

    game: Any
    seat: int
    mask: NDArray[np.int8]


class Watched:
    """An agent whose decisions are noted as positions."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self.programs: list[Position] = []
        self.purchases: list[Position] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_agent"], name)

    def act(self, observations: Any, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        for game, seat in zip(info.games, info.seats, strict=True):
            self.programs.append(Position(info.batch.games[game].copy(), int(seat), np.zeros(0, np.int8)))
        return self._agent.act(observations, masks, info)

    def choose(self, observations: Any, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.choose."""
        for game, seat, mask in zip(info.games, info.seats, masks, strict=True):
            record = info.batch.games[game]
            if record["ask_kind"] == BUY_UPGRADE and mask[1:].sum() > 1:
                self.purchases.append(Position(record.copy(), int(seat), mask.copy()))
        return self._agent.choose(observations, masks, info)  # type: ignore[attr-defined,no-any-return]


@kernel
def _deal(games, row, seat, first, out):  # type: ignore[no-untyped-def]
    """Fill `out` with deals of game `row`, as the seat sees it."""
    key = key_of(games[row].key, np.uint64(first + games[row].round_number))
    for d in range(out.shape[0]):
        out[d] = games[row]
        cover(out[d], seat)
        redeal_for(out[d], seat, stream_word(key, np.uint64(d)))


@kernel
def _play_programs(hands, trials, dealt, others, seat, rounds, weights, programs, chances):  # type: ignore[no-untyped-def]
    """Fill `chances` [n, deals] with what programs i1 [n, 5] lead to; the others submit `others` i1 [deals, 3, 5]."""
    scratch = np.zeros((1, FIVE), np.int8)
    hands.hands[:] = np.uint64(0)
    for d in range(dealt.shape[0]):
        trials[0] = dealt[d]
        rival = 0
        for r in range(trials[0].players):
            if r != seat:
                submit_one(trials[0], r, others[d], rival)
                rival += 1
        for i in range(programs.shape[0]):
            trials[1] = trials[0]
            play_round(hands.maps, trials[1], seat, programs, i)
            play_on(hands, trials[1], seat, rounds, stream_word(trials[0].key, np.uint64(d)), scratch)
            chances[i, d] = chance_after(hands.maps, trials[1], seat, weights)


@kernel
def _play_purchases(hands, trials, dealt, seat, rounds, weights, options, chances):  # type: ignore[no-untyped-def]
    """The same for purchases, after which everybody is `greedy`."""
    scratch = np.zeros((1, FIVE), np.int8)
    hands.hands[:] = np.uint64(0)
    for d in range(dealt.shape[0]):
        for i in range(options.shape[0]):
            trials[1] = dealt[d]
            trials[1].asking = ASK_PURCHASES
            answer(trials[1], options[i])
            play_as_greedy(hands, trials[1], seat, scratch)
            play_on(hands, trials[1], seat, rounds, stream_word(dealt[d].key, np.uint64(d)), scratch)
            chances[i, d] = chance_after(hands.maps, trials[1], seat, weights)


def others_of(seat: int) -> NDArray[np.int64]:
    """The other seats."""
    return np.array([r for r in range(PLAYERS) if r != seat])


def new_batch(course: str, count: int, options: argparse.Namespace) -> BatchRace:
    """A batch of races as those of the benchmark."""
    return BatchRace(
        count, course, players=PLAYERS, seed=options.seed, edition=options.edition,
        observation="symbolic" if options.observing else "none", decisions="program", max_rounds=150, auto_reset=False,
    )  # fmt: skip


def seen_by(agent: Agent, batch: BatchRace, games: NDArray[np.int64], seats: NDArray[np.int64]) -> Any:
    """The observations of seats, for an agent that needs them."""
    if not agent.needs_observation:
        return None
    batch.observe()
    return batch.vectors[games, seats]


def batch_of(course: str, positions: Sequence[Position], options: argparse.Namespace) -> BatchRace:
    """A batch whose games are those positions."""
    batch = new_batch(course, len(positions), options)
    for i, position in enumerate(positions):
        batch.games[i] = position.game
    return batch


def positions_of(course: str, options: argparse.Namespace) -> list[Position]:
    """The positions on a course in which `OWN` decides."""
    agents = [Watched(make_agent(OWN, options.seed)), make_agent(options.rival, options.seed + 1)]
    batch = new_batch(course, options.games, options)
    line_ups = np.ones((options.games, PLAYERS), np.int64)
    line_ups[np.arange(options.games), np.arange(options.games) % PLAYERS] = 0
    while not batch.over.all():
        batch.step(*decide(batch, agents, line_ups))
    return agents[0].purchases if options.purchases else agents[0].programs


def choices_of(spec: str, batch: BatchRace, positions: Sequence[Position], options: argparse.Namespace) -> list[Any]:
    """What an agent chooses in each position: the slots of a program, or an option."""
    agent = make_agent(spec, MIND)
    rows, seats = np.arange(len(positions)), np.array([position.seat for position in positions])
    if options.purchases:
        masks = np.array([position.mask for position in positions])
        seen = seen_by(agent, batch, rows, seats)
        return [int(chosen) - 1 for chosen in agent.choose(seen, masks, Info(batch, rows, seats))]  # type: ignore[attr-defined]
    masks = np.zeros((len(positions), FIVE), np.int8)
    programs = agent.act(seen_by(agent, batch, rows, seats), masks, Info(batch, rows, seats))
    return [tuple(program) for program in programs.tolist()]


class Judge:
    """Plays choices out."""

    def __init__(self, course: str, options: argparse.Namespace) -> None:
        self.options = options
        self.dealt = new_batch(course, options.deals, options)
        self.rival = make_agent(options.rival, options.seed + 1)
        self.own = make_agent(options.own, options.seed) if options.own else None
        self.course = course
        self.races: dict[int, BatchRace] = {}  # by the number of choices
        self.hands: Hands = new_hands(self.dealt, KEPT)
        self.trials = np.zeros(2, self.dealt.games.dtype)
        self.weights = weights_of(self.dealt.game)

    def values(self, batch: BatchRace, row: int, seat: int, choices: Sequence[Any]) -> dict[Any, float]:
        """The value of each different choice."""
        different = list(dict.fromkeys(choices))
        if len(different) == 1:
            return {different[0]: 0.0}
        _deal(batch.games, row, seat, DEAL_SEED, self.dealt.games)
        if self.own is not None:
            chances = self._raced(self.own, batch.games[row], seat, different)
        else:
            chances = self._played_out(seat, different)
        return dict(zip(different, chances.mean(axis=1).tolist(), strict=True))

    def _played_out(self, seat: int, choices: Sequence[Any]) -> Array:
        """The chances to win [choices, deals] after further rounds by `greedy`."""
        chances = np.zeros((len(choices), self.options.deals))
        if self.options.purchases:
            _play_purchases(
                self.hands, self.trials, self.dealt.games, seat, TO_THE_END, self.weights, np.array(choices), chances
            )
        else:
            _play_programs(
                self.hands, self.trials, self.dealt.games, self._submitted(seat), seat, self.options.rounds,
                self.weights, np.array(choices, np.int8), chances,
            )  # fmt: skip
        return chances

    def _submitted(self, seat: int) -> NDArray[np.int8]:
        """The programs of the rivals in each deal, int8 [deals, 3, 5]."""
        others, deals = others_of(seat), self.options.deals
        games, seats = np.repeat(np.arange(deals), len(others)), np.tile(others, deals)
        seen = seen_by(self.rival, self.dealt, games, seats)
        programs = self.rival.act(seen, np.zeros((len(games), FIVE), np.int8), Info(self.dealt, games, seats))
        return programs.reshape(deals, len(others), FIVE)

    def _raced(self, own: Agent, record: Any, seat: int, choices: Sequence[Any]) -> Array:
        """Whether the seat wins, bool [choices, deals], where `own` and the rivals play the race to its end."""
        deals, count = self.options.deals, len(choices)
        if count not in self.races:
            self.races[count] = new_batch(self.course, count * deals, self.options)
        batch = self.races[count]
        programs = np.zeros((count * deals, PLAYERS, FIVE), np.int8)
        chosen = np.zeros((count * deals, PLAYERS), np.int8)
        if self.options.purchases:
            chosen[:, seat] = np.repeat(1 + np.array(choices, np.int8), deals)
        else:
            programs[:, others_of(seat)] = np.tile(self._submitted(seat), (count, 1, 1))
            programs[:, seat] = np.repeat(np.array(choices, np.int8), deals, axis=0)
        for name in ("asking", "max_rounds"):  # what a deal turns off
            self.dealt.games[name] = record[name]
        batch.games[:] = np.tile(self.dealt.games, count)
        batch.restore(batch.snapshot())  # so that it shows the results of these games
        batch.step(programs, chosen)
        line_ups = np.ones((count * deals, PLAYERS), np.int64)
        line_ups[:, seat] = 0
        while not batch.over.all():
            batch.step(*decide(batch, [own, self.rival], line_ups))
        return np.asarray(batch.games["winner"] == seat).reshape(count, deals)


def judged(options: argparse.Namespace) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(the value of each agent's choice [positions, agents], the seconds that each agent took for a decision)."""
    values: list[list[float]] = []
    seconds, decisions = np.zeros(len(options.agents)), 0
    for course in track(PROTOCOLS[options.edition].courses, "courses", transient=True):
        positions = positions_of(course, options)
        if not positions:
            continue
        batch, judge = batch_of(course, positions, options), Judge(course, options)
        chosen = []
        for i, spec in enumerate(options.agents):
            if not decisions:
                choices_of(spec, batch_of(course, positions[:1], options), positions[:1], options)  # compiles
            started = time.perf_counter()
            chosen.append(choices_of(spec, batch, positions, options))
            seconds[i] += time.perf_counter() - started
        decisions += len(positions)
        for row, choices in enumerate(zip(*chosen, strict=True)):
            worth = judge.values(batch, row, positions[row].seat, choices)
            values.append([worth[choice] for choice in choices])
    return np.array(values), seconds / max(1, decisions)


def rows_of(options: argparse.Namespace, values: NDArray[np.float64], seconds: NDArray[np.float64]) -> list[Any]:
    """A row for each agent, as JSON values."""
    behind = 100 * (values - values[:, :1])
    return [
        {
            "agent": spec, "points": round(float(gain.mean()), 2),
            "error": round(float(gain.std()) / len(gain) ** 0.5, 2),
            "same": round(float((gain == 0).mean()), 2), "ms": round(1000 * float(each), 1),
        }
        for spec, gain, each in zip(options.agents, behind.T, seconds, strict=True)
    ]  # fmt: skip


def rows_before(path: Path | None) -> list[Any]:
    """What is in the file to which rows are added.

    Raises:
        RoboRallyError: for a file that this script did not write.
    """
    if path is None or not path.exists():
        return []
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        known = None
    if not isinstance(known, list):
        raise RoboRallyError(f"{path}: not a file of this script, which has a list of rows; name another with --data")
    return known


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="+", help="the first is what the others are compared with")
    parser.add_argument("--rival", default="greedy")
    parser.add_argument("--edition", default="2016", choices=list(PROTOCOLS))
    parser.add_argument("--games", type=int, default=4, help="races on each course")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=4, help="further rounds")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--own", default="", help="instead, this agent and the rivals play the race to its end")
    parser.add_argument("--purchases", action="store_true", help="compare purchases instead of programs")
    parser.add_argument("--data", type=Path, help="add the rows to this JSON file")
    options = parser.parse_args()
    if min(options.games, options.deals) < 1 or min(options.rounds, options.seed) < 0:
        parser.error("--games, --deals, --rounds, --seed: expected whole numbers, the first two from 1")
    try:
        known = rows_before(options.data)
        options.observing = any(
            make_agent(spec).needs_observation for spec in (*options.agents, options.rival, options.own or OWN)
        )
        for spec in options.agents if options.purchases else ():
            if not hasattr(make_agent(spec), "choose"):
                raise RoboRallyError(
                    f"agent {spec}: it leaves purchases to the default, so there is nothing to compare"
                )
        values, seconds = judged(options)
    except RoboRallyError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        print("stopped; nothing is kept", file=sys.stderr)
        return 130
    if not len(values):
        sys.exit("no decisions: there are no purchases in this game")
    rows = rows_of(options, values, seconds)
    for row in rows:
        print(f"{row['points']:+6.2f} ± {row['error']:.2f}  {row['ms']:8.1f} ms  {row['agent']}")
    if options.data:
        left_out = ("agents", "data", "observing")
        kept = {name: value for name, value in vars(options).items() if name not in left_out}
        known.append({**kept, "decisions": len(values), "processor": machine()["processor"], "rows": rows})
        write_whole(options.data, json.dumps(known, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
