"""What `roborally bench` measures: one task for each row."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from roborally_env.agents import Info, make_agent
from roborally_env.base.registry import REGISTERED, Part
from roborally_env.base.types import JsonObject
from roborally_env.batch import BatchRace
from roborally_env.batch.supply import make
from roborally_env.core.searching.alone import greedy_programs
from roborally_env.core.state import COMPLETE, LIGHTER, REGISTERS, kind_of
from roborally_env.editions.edition import SpeedRows
from roborally_env.generated import Generator
from roborally_env.speed.rows import Row

BATCHES = (1, 64, 256, 1024, 4096)
_SPEED: Part[SpeedRows] = Part("speed")
AGENTS = (("planner:simulations=1000", 16), ("learned", 64))  # and how many hands at once
RULES = {LIGHTER: {"upgrades": False}, COMPLETE: {"upgrades": True}}  # rule options that select a game
GENERATED = ("generated:levels=100", "generated")  # of the rows of races on generated courses
RACES, SHORT_RACE, WARM_UP_RACES = 64, 30, 8  # games, rounds, and races of each game before the first run


class Done(NamedTuple):
    """The work of a run: things of the row's unit, rounds, decisions (one program or one choice of one robot)."""

    things: float
    rounds: float | None = None
    decisions: float | None = None


class Task:
    """A row, and the function `once` that a run of it repeats; `once` returns the work that it did. `rest` ends what
    would go on in the background after a run."""

    def __init__(self, row: Row, once: Callable[[], Done], rest: Callable[[], None] = lambda: None) -> None:
        self.row, self.once, self.rest = row, once, rest
        self.rounds: list[float] = []  # one rate for each run
        self.decisions: list[float] = []

    def run(self, seconds: float, yardstick: float) -> None:
        """Repeat `once` for this many seconds and append the rates; `yardstick`: its rate at this moment.

        Seconds are the processor's, which others on the machine do not take; with several threads those of the clock.
        """
        clock = time.perf_counter if (self.row.threads or 1) > 1 else time.process_time
        done, start = [], clock()
        while True:
            done.append(self.once())
            taken = clock() - start
            if taken >= seconds:
                break
        self.rest()
        self.row.runs.append(sum(each.things for each in done) / taken)
        if done[0].rounds is not None:
            self.rounds.append(sum(each.rounds or 0.0 for each in done) / taken)
            self.decisions.append(sum(each.decisions or 0.0 for each in done) / taken)
        self.row.ratios.append((self.decisions or self.row.runs)[-1] / yardstick)

    def finish(self) -> None:
        """Fill in the medians."""
        row = self.row
        row.median, row.low, row.high = statistics.median(row.runs), min(row.runs), max(row.runs)
        row.ratio = statistics.median(row.ratios)
        if self.rounds:
            row.rounds_per_second = statistics.median(self.rounds)
            row.decisions_per_second = statistics.median(self.decisions)


def _batch_task(
    course: str, players: int, batch: int, threads: int, observation: str, masks: bool, auto_reset: bool,
    rules: str = "lighter", decisions: str = "program", observe_idle: bool = True,
    dtype: str = "float32",
) -> Task:  # fmt: skip
    race = BatchRace(
        batch, course, players=players, observation=observation, masks=masks, auto_reset=auto_reset, threads=threads,
        seed=0, max_rounds=None, decisions=decisions, observe_idle=observe_idle, dtype=dtype,
        **game_of_rules(rules),
    )  # fmt: skip
    steps = max(1, 2048 // batch)
    every_step_a_round = not race.asks_choices
    stays_up = not speed_of(rules).may_power_down
    may_lie = race.kind.has("down")  # robots that are down or off the board have no program

    def once() -> Done:
        if not auto_reset:
            race.reset()
        rounds = programs = 0
        for _ in range(steps):
            programming = race.programming.copy()
            rounds += batch if every_step_a_round else int(programming.sum())
            if may_lie:
                programs += int(race.programmed[programming].sum())
            choices = race.sample()[1]
            if stays_up:
                choices[programming] = 0
            race.step_prepared()
        programs = programs if may_lie else rounds * players
        asked = programs + (steps * batch - rounds)  # a step outside a programming phase asks one seat
        return Done(rounds if decisions == "program" else asked, rounds, asked)

    for _ in range(_warm_up(race)):
        once()
    name = "core" if observation == "none" else observation
    unit = "rounds/s" if decisions == "program" else "decisions/s"
    row = Row(
        name, unit, batch, threads, observation, masks, auto_reset, rules=rules, players=players, decisions=decisions,
        observe_idle=observe_idle, course=course if speed_of(rules).courses else None,
        dtype=None if dtype == "float32" else dtype,
    )  # fmt: skip
    return Task(row, once)


def _warm_up(race: BatchRace) -> int:
    """Steps before the first measured run, so that cards, energy and damage are as in the middle of races."""
    if race.kind.has("options"):
        return 20
    return 100 if race.kind.has("owned") or race.asks_choices else 1


def speed_of(rules: str) -> SpeedRows:
    """The rows of the edition of a row's game."""
    return _SPEED[kind_of(rules).edition]


def game_of_rules(rules: str) -> JsonObject:
    """The edition and the rule options of a row's game."""
    return {"rules": RULES[rules]} if rules in RULES else {"edition": kind_of(rules).edition}


def _env_task(course: str, players: int, rules: str) -> Task:
    from roborally_env import parallel_env

    env = parallel_env(course=course, players=players, **game_of_rules(rules))
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    slots = env.batch.hand_slots
    programs = [{a: rng.permutation(slots)[:REGISTERS] for a in env.possible_agents} for _ in range(64)]
    if env.batch.asks_choices:  # nothing is bought, nobody powers down
        nothing = 0 if env.batch.kind.has("announced") else 1
        programs = [{a: np.append(p, nothing) for a, p in actions.items()} for actions in programs]

    def once() -> Done:
        rounds = 0
        for actions in programs:
            rounds += bool(env.batch.programming[0])
            env.step(actions)
            if not env.agents:
                env.reset()
        return Done(rounds, rounds, rounds * players + len(programs) - rounds)

    once()
    row = Row(
        "parallel_env", "rounds/s", 1, 1, "symbolic", True, False, rules=rules, players=players, decisions="program",
        course=course if speed_of(rules).courses else None,
    )  # fmt: skip
    return Task(row, once)


def _greedy_task(course: str, players: int) -> Task:
    lighter = {"upgrades": False}
    race = BatchRace(64, course, players=players, observation="none", masks=False, seed=0, rules=lighter)
    games = np.arange(64, dtype=np.int64)
    seats = np.zeros(64, np.int64)
    out = np.zeros((64, REGISTERS), np.int8)

    def once() -> Done:
        greedy_programs(race.maps, race.games, games, seats, out)
        return Done(64)

    once()
    return Task(Row("greedy", "searches/s", 64, 1, rules="lighter", players=players), once)


def _agent_task(spec: str, course: str, players: int, hands: int) -> Task:
    """Decisions of an agent about programs in the middle of races of the complete game."""
    agent = make_agent(spec)
    observation = "symbolic" if agent.needs_observation else "none"
    race = BatchRace(hands, course, players=players, observation=observation, seed=0, rules=RULES[COMPLETE])
    for _ in range(_warm_up(race)):
        race.sample()
        race.step_prepared()
    games = np.flatnonzero(race.programming)
    info = Info(race, games, np.zeros(len(games), np.int64))
    observations = race.vectors[games, 0] if agent.needs_observation else None
    masks = race.observations["masks"][games, 0]

    def once() -> Done:
        agent.act(observations, masks, info)
        return Done(len(games))

    once()
    return Task(Row(spec, "decisions/s", hands, 1, rules="complete", players=players), once)


def _making_task(edition: str, rules: str) -> Task:
    """Courses made, with their tables, solo moves and distances."""
    generator, numbers = Generator(edition=edition, seed=1), itertools.count()

    def once() -> Done:
        make(generator, rules, next(numbers))
        return Done(1)

    once()
    return Task(Row("courses made", "courses/s", rules=rules, course=str(generator.specification)), once)


def _races_task(course: str, players: int) -> Task:
    """Short races with random programs; on generated courses their making counts, as far as it cannot be done ahead."""
    race = BatchRace(
        RACES, course, players=players, observation="none", masks=False, seed=0, max_rounds=SHORT_RACE,
        rules=RULES[LIGHTER],
    )  # fmt: skip

    def once() -> Done:
        before = int(race.games["episode"].sum())
        for _ in range(SHORT_RACE):
            race.sample()
            race.step_prepared()
        return Done(int(race.games["episode"].sum()) - before)

    for _ in range(WARM_UP_RACES):  # a generator's few courses are all made then
        once()
    race.close()
    # courses made ahead would take time from the rows that follow
    return Task(Row("races", "races/s", RACES, 1, "none", False, True, "lighter", course, players), once, race.close)


def tasks(course: str, players: int, threads: int, quick: bool) -> Iterator[Task]:
    for count in range(1, threads + 1):
        for batch in (256,) if quick else BATCHES:
            yield _batch_task(course, players, batch, count, "none", False, True)
    yield _batch_task(course, players, 256, 1, "none", False, False)
    yield _batch_task(course, players, 256, 1, "none", True, True)
    for observation in ("symbolic", "planes"):
        for batch in (256,) if quick else BATCHES:
            yield _batch_task(course, players, batch, 1, observation, True, True)
    yield _batch_task(course, players, 256, 1, "symbolic", True, False)
    for batch in (256,) if quick else (256, 1024):
        yield _batch_task(course, players, batch, 1, "none", False, True, "complete")
        yield _batch_task(course, players, batch, 1, "symbolic", True, True, "complete")
        yield _batch_task(course, players, batch, 1, "symbolic", True, True, "complete", observe_idle=False)
        for dtype in ("float16", "uint8"):
            yield _batch_task(course, players, batch, 1, "symbolic", True, True, "complete", dtype=dtype)
        yield _batch_task(course, players, batch, 1, "symbolic", True, True, "complete", "all")
    for robots in speed_of(COMPLETE).players:
        if robots != players:
            yield _batch_task(course, robots, 256, 1, "none", False, True, "complete")
            yield _batch_task(course, robots, 256, 1, "symbolic", True, True, "complete")
    for kind, rows in other_rows().items():
        for observation, masks in () if rows.courses else (("none", False), ("symbolic", True)):
            yield _batch_task(course, players, 256, 1, observation, masks, True, kind)
    for rules in ("lighter", "complete"):
        yield _env_task(course, players, rules)
    yield _greedy_task(course, players)
    for spec, hands in AGENTS:
        yield _agent_task(spec, course, players, hands)
    for kind, rows in other_rows().items():
        if rows.courses:
            yield from _own_tasks(kind, rows, quick)
    for edition, rows in _SPEED.items():
        if rows.made:
            yield _making_task(edition, rows.made)
    for where in (course, *GENERATED):
        yield _races_task(where, players)


def other_rows() -> dict[str, SpeedRows]:
    """The rows of the other editions than the default, by the kind of record."""
    kinds = {edition: str(REGISTERED[edition].kinds_now[0][0].name) for edition in _SPEED}
    return {kind: _SPEED[edition] for edition, kind in kinds.items() if kind not in RULES}


def _own_tasks(rules: str, speed: SpeedRows, quick: bool) -> Iterator[Task]:
    """The rows of an edition on courses of its own."""
    for course, robots in itertools.product(speed.courses, speed.players):
        for batch in (256,) if quick else (256, 1024):
            yield _batch_task(course, robots, batch, 1, "none", False, True, rules)
            yield _batch_task(course, robots, batch, 1, "symbolic", True, True, rules)
            if speed.skips_idle:
                yield _batch_task(course, robots, batch, 1, "symbolic", True, True, rules, observe_idle=False)
    course, robots = speed.courses[-1], speed.players[0]
    yield _batch_task(course, robots, 256, 1, "planes", True, True, rules)
    yield _batch_task(course, robots, 256, 1, "symbolic", True, True, rules, "all")
    yield _env_task(course, robots, rules)
