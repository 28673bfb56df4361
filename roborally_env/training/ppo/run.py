"""A run of PPO in its folder: rollouts, updates, checkpoints, evaluations."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import json
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from roborally_env.agents import Agent, check_editions, make_agent
from roborally_env.agents.decisions import decide
from roborally_env.agents.ppo import read_policy, save_policy
from roborally_env.agents.registers import Inputs
from roborally_env.arguments import course_source
from roborally_env.base.checks import shown
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.base.signals import interrupts_noted
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.courses import Course
from roborally_env.evaluation.setup import check_setup
from roborally_env.jobs import storage
from roborally_env.training.board import Board
from roborally_env.training.evaluations import (
    COLUMNS,
    TABLE,
    Evaluation,
    course_name,
    courses_apart,
    named_or_all,
    race_to_end,
)
from roborally_env.training.folder import Folder
from roborally_env.training.options import flag, refuse_changes
from roborally_env.training.ppo.actor import Actor
from roborally_env.training.ppo.learner import MEASURES, Learner
from roborally_env.training.ppo.network import Network, arrays_of, load_arrays
from roborally_env.training.ppo.options import FREE, OF_THE_MACHINE, Options
from roborally_env.training.ppo.q_learning import QActor, QLearner, explored
from roborally_env.training.ppo.rollout import Rollout, Table
from roborally_env.training.progress import ProgressLine, hours_and_minutes

STOPPED = 130  # exit code after Ctrl-C
PROGRESS = ("decisions", "seconds", "rate", *MEASURES, "rounds", "share_play", "share_learn")


@dataclass(frozen=True)
class Result:
    """What a run has come to.

    Attributes:
        options: of the run.
        decisions, seconds: of training.
        evaluations: in their order, those of earlier parts of a resumed run included.
        weights: the file for the agent `ppo:weights=FILE`.
        stopped: whether Ctrl-C, SIGTERM or the callback ended it early.
    """

    options: Options
    decisions: int
    seconds: float
    evaluations: tuple[Evaluation, ...]
    weights: Path
    stopped: bool


def train(options: Options, on_evaluation: Callable[[list[Evaluation]], object] | None = None) -> Result:
    """Train, or resume the run in the folder.

    The result is the same whether the run was interrupted or not, on the CPU with one thread.

    Args:
        options: of the run.
        on_evaluation: called after each evaluation with its rows, one for each opponent. If it returns True, the run
            stops; an exception ends it after a checkpoint, as pruning does.

    Raises:
        RoboRallyError: for options that do not fit, or a folder that holds another run.
    """
    if not isinstance(options, Options):
        raise RoboRallyError(f"options: expected Options, got {shown(options)}")
    if on_evaluation is not None and not callable(on_evaluation):
        raise RoboRallyError(f"on_evaluation: expected a function of rows, got {shown(on_evaluation)}")
    run = Run(options, on_evaluation)
    with storage.Folder(run.folder.path).only_writer():
        return run.work()


@dataclass(frozen=True)
class Part:
    """The races of one thread, and who decides in them."""

    table: Table
    actor: Actor
    teacher: Agent | None = None

    def play(self, copying: bool, explore: float) -> tuple[Rollout, float]:
        """A rollout, and the processor seconds that it took."""
        began = time.thread_time()
        self.actor.explore = explore
        rollout = self.table.play(self.actor, self.teacher if copying else None)
        return rollout, time.thread_time() - began


@dataclass(frozen=True)
class Played:
    """The rollouts of all parts, and the processor seconds that they took."""

    rollouts: tuple[Rollout, ...]
    seconds: float

    @property
    def decisions(self) -> int:
        """The decisions of all of them."""
        return sum(rollout.decisions for rollout in self.rollouts)

    @property
    def rounds(self) -> list[int]:
        """The rounds of the races that ended."""
        return [rounds for rollout in self.rollouts for rounds in rollout.rounds]


def waited_for(parts: Iterable[Future[tuple[Rollout, float]]]) -> Played:
    """What was played, once all parts are."""
    rollouts, seconds = zip(*(part.result() for part in parts), strict=True)
    return Played(rollouts, sum(seconds))


class Run:
    """A run in its folder. With `ahead` the next rollout is played, with the weights before the update, while the
    network learns from the last one: always one version behind, so the result does not depend on timing."""

    def __init__(self, options: Options, on_evaluation: Callable[[list[Evaluation]], object] | None = None) -> None:
        options.check()
        self.options, self.on_evaluation = options, on_evaluation
        torch.set_num_threads(options.threads)
        torch.manual_seed(options.seed)
        courses = courses_of(options)
        batches = [new_batch(options, courses, part) for part in range(options.actors)]
        self.batch = batches[0]
        self.net = new_network(options, self.batch)
        if options.begin:
            load_arrays(self.net, read_policy(options.begin)[0], options.begin)
        self.acting = copy.deepcopy(self.net)
        self.agents("opponents", options.opponents)
        self.evaluated_on = evaluated_on(options)
        scores = options.algorithm == "pqn"
        self.parts = [
            Part(
                Table(options, batch, self.agents("bots", options.bots), _seed(options, part)),
                (QActor if scores else Actor)(self.acting, batch, options.ghost),
                *self.agents("imitate", filter(None, [options.imitate])),
            )
            for part, batch in enumerate(batches)
        ]
        self.learner = (QLearner if scores else Learner)(self.net, options)
        self.decisions, self.evaluated, self.seconds = 0, 0, 0.0
        self.raced = -1  # decisions at the last evaluation, which is that of a run that has come to its end
        self.evaluations: list[Evaluation] = []
        self.stopped = False
        self.folder = Folder(options.out, {"progress.csv": PROGRESS, TABLE: COLUMNS}, "decisions")
        self.line = ProgressLine()
        # how the next rollout begins: races, weights, whether a teacher is copied, how much is drawn at random
        self.pending: tuple[list[NamedValues], NamedValues, bool, float] | None = None
        self.begin()
        self.writer = Board(self.folder.path / "tensorboard", self.decisions)

    def agents(self, name: str, specs: Iterable[str]) -> list[Agent]:
        """The agents of an option. Each decides once, so that one that cannot play these races is refused at once.

        Raises:
            RoboRallyError: which names the option.
        """
        found, first = [], np.full((self.batch.num_games, self.batch.players), -1, np.int64)
        first[0, 0] = 0
        for spec in specs:
            try:
                agent = make_agent(spec, self.options.seed)
                check_editions([agent], self.batch.edition)
                decide(self.batch, [agent], first)
            except RoboRallyError as error:
                raise RoboRallyError(f"{flag(name)}: {error}") from None
            found.append(agent)
        return found

    def begin(self) -> None:
        """Resume from the folder's checkpoint, if there is one."""
        state = self.folder.read()
        if state is not None:
            refuse_changes(self.folder.checkpoint, state["options"], self.options, FREE)
        self.folder.make()
        self.folder.begin(state)
        if state is None:
            text = json.dumps(dataclasses.asdict(self.options), indent=1) + "\n"
            write_whole(self.folder.path / "options.json", text.encode())
            return
        self.net.load_state_dict(state["net"])
        self.learner.load_state(state["learner"])
        tables, acting, copying, *explore = state["pending"]
        tables = tables if isinstance(tables, list) else [tables]  # earlier versions have one, and no `explore`
        for part, table in zip(self.parts, tables, strict=True):
            part.table.load_state(table)
        self.acting.load_state_dict(acting)
        self.pending = tables, acting, copying, explore[0] if explore else 0.0
        self.decisions, self.evaluated, self.seconds = state["decisions"], state["evaluated"], state["seconds"]
        self.raced = state.get("raced", -1)
        self.evaluations = [Evaluation(*row) for row in state["evaluations"]]
        self.folder.report_start(self.decisions, self.options.decisions)

    def save(self) -> None:
        """Write the checkpoint, which is all that the run is, and the weights."""
        self.folder.save(
            {
                "options": dataclasses.asdict(self.options),
                "net": self.net.state_dict(),
                "learner": self.learner.state(),
                "pending": self.pending,
                "decisions": self.decisions,
                "evaluated": self.evaluated,
                "raced": self.raced,
                "seconds": self.seconds,
                "evaluations": [dataclasses.astuple(row) for row in self.evaluations],
            }
        )
        self.export()

    @property
    def weights(self) -> Path:
        """The file of the weights."""
        return self.folder.path / "weights.npz"

    def export(self) -> None:
        """Write the weights for the agent `ppo`."""
        kept = {k: v for k, v in dataclasses.asdict(self.options).items() if k not in OF_THE_MACHINE}
        about = {
            "edition": self.batch.edition, "game": self.batch.game, "ghost": self.options.ghost,
            "decisions": self.decisions, "options": kept, "torch": torch.__version__, "numpy": np.__version__,
        }  # fmt: skip
        save_policy(self.weights, arrays_of(self.net), about)

    # -- iterations

    def copies(self, decisions: int) -> bool:
        """Whether the teacher is copied after this many decisions."""
        return bool(self.options.imitate) and decisions < self.options.imitate_decisions

    def play(self, helper: ThreadPoolExecutor) -> list[Future[tuple[Rollout, float]]]:
        """Begin to play the parts of the rollout that `pending` describes."""
        assert self.pending is not None
        return [helper.submit(part.play, *self.pending[2:]) for part in self.parts]

    def next(self, decisions: int) -> None:
        """Note how the next rollout begins; see `pending`."""
        state = {name: value.detach().clone().cpu() for name, value in self.net.state_dict().items()}
        self.acting.load_state_dict(state)
        explore = explored(self.options, decisions)
        self.pending = [part.table.state() for part in self.parts], state, self.copies(decisions), explore

    def done(self) -> bool:
        """Whether the run has come to its end."""
        o = self.options
        return self.decisions >= o.decisions or (o.hours > 0 and self.seconds >= 3600 * o.hours)

    def work(self) -> Result:
        """Run to the end, or until Ctrl-C."""
        saved = time.monotonic()
        if self.pending is None:
            self.next(0)
        try:
            with interrupts_noted(lambda: setattr(self, "stopped", True)), self.helper() as helper:
                played = None
                while not self.done() and not self.stopped:
                    due = self.evaluate_when_due()  # also in a run that was stopped just before it
                    if not due:
                        played = self.iterate(played or waited_for(self.play(helper)), helper)
                    late = time.monotonic() - saved > self.options.checkpoint_every
                    if due or late or not self.folder.checkpoint.exists():
                        self.save()
                        saved = time.monotonic()
            self.save()
            if not self.stopped and self.options.evaluate_games and self.raced != self.decisions:
                before, self.raced = self.raced, self.decisions
                if self.evaluate(2 * self.options.evaluate_games):
                    self.stopped = False  # it has come to its end
                else:
                    self.raced = before
                self.save()
        finally:
            self.line.close()
            self.writer.close()
        if self.stopped:
            self.line.say("stopped; the same command resumes")
        return Result(self.options, self.decisions, self.seconds, tuple(self.evaluations), self.weights, self.stopped)

    def helper(self) -> ThreadPoolExecutor:
        """The threads in which every rollout is played, the first after a resumption too: sums in another thread may be
        split differently, and round differently. The number of torch's threads is set for each thread."""
        return ThreadPoolExecutor(
            self.options.actors, initializer=torch.set_num_threads, initargs=(self.options.threads,)
        )

    def iterate(self, played: Played, helper: ThreadPoolExecutor) -> Played:
        """Learn from what was played, and play the next rollout meanwhile."""
        assert self.pending is not None
        copying = self.pending[2]
        began = time.perf_counter()
        coming = None
        after = self.decisions + played.decisions
        if self.options.ahead:
            self.next(after)
            coming = self.play(helper)
        whole = self.options.imitate_decisions if copying else self.options.decisions
        measures = self.learner.learn(*played.rollouts, left=1 - self.decisions / whole, copy=copying)
        self.decisions = after
        if coming is None:
            self.next(after)
            coming = self.play(helper)
        following = waited_for(coming)
        took = time.perf_counter() - began
        self.seconds += took
        self.report(played, took, measures)
        return following

    def report(self, played: Played, took: float, measures: dict[str, float]) -> None:
        """A row of progress, and the line on the screen."""
        rate, total = played.decisions / took, played.seconds + self.learner.seconds
        rounds = float(np.mean(played.rounds)) if played.rounds else float("nan")
        row = {
            "seconds": self.seconds, "rate": rate, **measures, "rounds": rounds,
            "share_play": played.seconds / total, "share_learn": self.learner.seconds / total,
        }  # fmt: skip
        self.folder.append("progress.csv", {"decisions": self.decisions, **row})
        for name, number in row.items():
            self.writer.add_scalar(name, number, self.decisions)
        left = (self.options.decisions - self.decisions) / rate
        self.line.show(
            f"{self.decisions:,} of {self.options.decisions:,} decisions", f"{rate:,.0f}/s",
            f"{hours_and_minutes(left)} left", f"entropy {measures['entropy']:.2f}",
            f"{rounds:.1f} rounds" if played.rounds else "no race ended",
        )  # fmt: skip

    # -- evaluations

    def evaluate_when_due(self) -> bool:
        """Race if it is time; returns whether it was."""
        every = self.options.evaluate_every
        if not every or self.decisions // every <= self.evaluated or self.done():
            return False
        before, self.evaluated = self.evaluated, self.decisions // every
        if not self.evaluate(self.options.evaluate_games):
            self.evaluated = before
        return True

    def evaluate(self, games: int) -> bool:
        """Races of one against each opponent in all other seats, spread over the courses. Returns False if Ctrl-C
        stopped them: then they do not count, and a run that is resumed races anew."""
        self.export()
        if not games:
            return True
        rows = []
        try:
            for opponent, courses in itertools.product(self.options.opponents, self.evaluated_on):
                rows.append(self.race(opponent, courses, games))
        except KeyboardInterrupt:
            self.stopped = True
            return False
        for row in rows:
            self.folder.append(TABLE, dataclasses.asdict(row))
            where = "" if len(self.evaluated_on) == 1 else f"/{row.course}"
            self.writer.add_scalar(f"won/{row.opponent}{where}", row.win_rate, self.decisions)
        self.evaluations += rows
        if self.on_evaluation is not None:
            try:
                if self.on_evaluation(rows):  # not |=, which would forget a Ctrl-C that comes meanwhile
                    self.stopped = True
            except BaseException:
                self.save()
                raise
        return True

    def race(self, opponent: str, courses: list[str], games: int) -> Evaluation:
        """Races of one against an opponent in all other seats.

        Raises:
            KeyboardInterrupt: after Ctrl-C.
        """
        options = self.options
        result = race_to_end(
            [f"ppo:weights={self.weights},beam=1", *[opponent] * (options.players - 1)], courses,
            edition=options.edition, players=options.players, games=max(options.players, games // len(courses)),
            seed=options.seed + 1, rules=json.loads(options.rules),
        ).rows[0]  # fmt: skip
        row = Evaluation(
            self.decisions, self.seconds, course_name(courses), opponent, result.races, result.win_rate, result.win_low,
            result.win_high,
        )  # fmt: skip
        where = "" if len(self.evaluated_on) == 1 else f" on {row.course}"
        self.line.say(
            f"  {self.decisions:,} decisions: won {row.win_rate:.1%} ({row.win_low:.1%} - {row.win_high:.1%}) of "
            f"{row.races} races against {options.players - 1} {opponent}{where}"
        )
        return row


def evaluated_on(options: Options) -> list[list[str]]:
    """The courses of the evaluations, those that are raced together in a list. By default they are those of --courses:
    the named ones, else the generated ones.

    Raises:
        RoboRallyError: which names the option.
    """
    name = "evaluate_courses" if options.evaluate_courses else "courses"
    try:
        apart = courses_apart(
            options.evaluate_courses or named_or_all(options.courses, options.edition), options.edition
        )
        for courses in apart:
            check_setup(
                ["random"] * options.players, courses, games=1, players=options.players, edition=options.edition,
                rules=json.loads(options.rules),
            )  # fmt: skip
    except RoboRallyError as error:
        raise type(error)(f"{flag(name)}: {error}") from None
    return apart


def courses_of(options: Options) -> list[Course]:
    """The courses of a run, from which each race draws one. Named ones stand in the list as often as it takes to give
    generated ones their fraction of the races.

    Raises:
        RoboRallyError: for a course that does not exist, or a wrong specification.
    """
    named: list[Course] = []
    made: list[Course] = []
    for text in options.courses:
        source = course_source(text, options.edition)
        if source.generator is None:
            named += source.courses
        else:
            levels = source.generator.specification.levels or options.levels
            made += [source.generator.course(number) for number in range(levels)]
    copies = 1
    if named and made:
        copies = max(1, round(len(made) * (1 - options.generated) / options.generated / len(named)))
    return named * copies + made


def _seed(options: Options, part: int) -> int:
    """The seed of a part of the races."""
    return options.seed + (part << 40)


def new_batch(options: Options, courses: list[Course] | None = None, part: int = 0) -> BatchRace:
    """The races of a run, or of one of its parts, on `courses`, which are those of the options.

    Raises:
        RoboRallyError: for courses, players or rules that do not fit.
    """
    return BatchRace(
        options.games // options.actors, courses or courses_of(options), edition=options.edition,
        players=options.players, reward="shaped", max_rounds=options.max_rounds, rules=json.loads(options.rules),
        seed=_seed(options, part), observe_idle=options.critic == "central",
    )  # fmt: skip


def new_network(options: Options, batch: BatchRace) -> Network:
    """The network of a run, which has learned nothing."""
    inputs = Inputs(batch.game)
    return Network(
        inputs.own, inputs.row, batch.options + 1, options.hidden, options.width,
        central=options.critic == "central", scores=options.algorithm == "pqn",
    )  # fmt: skip
