"""A run of self-play in its folder."""

from __future__ import annotations

import dataclasses
import json
import os
import time
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
import torch

from roborally_env.agents import make_agent
from roborally_env.agents.network import read_weights, save_weights
from roborally_env.arguments import check_players, course_source
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.base.signals import interrupts_noted
from roborally_env.base.types import JsonObject
from roborally_env.courses import Course
from roborally_env.generated.level_replay import LevelReplay
from roborally_env.generated.mixture import Mixture
from roborally_env.training.devices import device_of
from roborally_env.training.evaluations import race_to_end
from roborally_env.training.folder import Folder
from roborally_env.training.options import refuse_changes
from roborally_env.training.selfplay.advantages import advantages
from roborally_env.training.selfplay.gameplay import Player
from roborally_env.training.selfplay.league import League
from roborally_env.training.selfplay.learner import Data, Learner, gather
from roborally_env.training.selfplay.levels import estimated_rounds, highest, level_metrics, write_levels
from roborally_env.training.selfplay.options import FREE, NO_CURRICULUM, OF_THE_MACHINE, Options
from roborally_env.training.selfplay.progress import TABLES, Progress
from roborally_env.training.selfplay.recordings import Recorded
from roborally_env.training.selfplay.rollouts import Played, Values, rollout
from roborally_env.training.selfplay.tables import Table, new_tables


class Run:
    """A training run in its folder: iterations, checkpoints, progress, evaluation."""

    # what the time of an iteration is shared out to
    clocks: Sequence[str] = ("env", "policy", "league", "update", "other")
    tables_of_rows: Mapping[str, Sequence[str]] = TABLES

    def __init__(self, options: Options) -> None:
        options.check()
        self.options = options
        torch.set_num_threads(options.threads)
        torch.manual_seed(options.seed)
        self.device = device_of(options.device)
        # decisions learned by imitation and by play, iterations, seconds; when things were done last
        self.count = {"imitated": 0, "decisions": 0, "iterations": 0, "versions": 0, "evaluated": 0, "changes": 0}
        self.mixture = Mixture(options.courses, options.edition)
        for course in options.evaluate_courses:  # refused now, not when it is needed
            check_players(options.players[0], course_source(course, options.edition).courses)
        self.replay = self.new_replay()
        self.draw_courses()
        self.tables = self.new_tables()
        self.recorded = Recorded(options, self.tables[0].batch) if os.path.isdir(options.imitate or "") else None
        at = self.tables[0].features.layout
        self.learner = Learner(options, at, self.device, self.tables[0].batch.game)
        self.begun_with = read_weights(options.begin)[1] if options.begin else None
        self.league = League(options, at)
        taught = [options.imitate] if options.imitate and self.recorded is None else []
        for spec in [*options.league, *options.opponents, *taught]:
            agent = make_agent(spec, options.seed)  # refused now, not when it is needed
            if agent.needs_observation and spec not in options.opponents:
                raise RoboRallyError(
                    f"agent {spec!r}: agents that need observations cannot sit at the training's tables"
                )
        self.clock = dict.fromkeys(self.clocks, 0.0)
        self.player = Player(options, self.learner.net, self.league, self.clock)
        self.generator = torch.Generator().manual_seed(options.seed)
        self.rng = np.random.default_rng(options.seed)
        self.folder = Folder(options.out, self.tables_of_rows, "decisions")
        self.seconds = 0.0
        self.stopped = False
        self.begin()
        self.progress = Progress(self.folder, self.total())

    def begin(self) -> None:
        """Go on from the folder's checkpoint, if there is one."""
        state = self.folder.read()
        if state is not None:
            refuse_changes(self.folder.checkpoint, state["options"], self.options, FREE)
        self.folder.make()
        self.folder.begin(state)
        if state is not None:
            self.put_back(state)
            self.folder.report_start(self.count["decisions"], self.options.decisions)
            return
        text = json.dumps(dataclasses.asdict(self.options), indent=1) + "\n"
        write_whole(self.folder.path / "options.json", text)
        self.begin_races()

    def begin_races(self) -> None:
        """Seat all races of a run that begins."""
        for table in self.tables:
            self.player.seat_all(table, self.rng)

    # -- courses

    def new_replay(self) -> LevelReplay | None:
        """The curriculum, if there is one."""
        o = self.options
        if o.curriculum == NO_CURRICULUM:
            return None
        return LevelReplay(
            self.mixture, o.curriculum, seed=o.seed, fresh=o.fresh, temperature=o.temperature, staleness=o.staleness,
            edit=o.edit, longest=o.edit_most, most=o.remember,
        )  # fmt: skip

    def drawn(self, number: int) -> tuple[list[str], list[bool], frozenset[str]]:
        """The names of courses for tables, the draw of this `number`; whether nothing is learned from each; and those
        that a curriculum has never drawn before."""
        o = self.options
        if self.replay is None:
            names = self.mixture.batch(number, o.seed, o.at_once, o.generated)
            return names, [False] * len(names), frozenset()
        names, new = self.replay.draw(o.at_once), frozenset(self.replay.first_time)
        return names, [o.robust and name in new for name in names], new

    def draw_courses(self) -> None:
        """Set `names`, the courses of the tables, `unlearned` and `new`; see `drawn`."""
        self.names, self.unlearned, self.new = self.drawn(self.count["changes"])

    def new_tables(self) -> list[Table]:
        """Tables with the present courses, at the start of races that no earlier table has had."""
        return new_tables(self.options, self.mixture, self.names, self.unlearned, self.count["changes"])

    def due(self, iterations: int) -> bool:
        """Whether tables get other courses after this iteration: if it is time and there are any."""
        changing = bool(self.mixture.generators) or self.replay is not None
        return changing and iterations % self.options.change_every == 0

    def change_courses(self) -> None:
        """Other courses for the tables, if they are due; the races under way end there."""
        if not self.due(self.count["iterations"]):
            return
        self.count["changes"] += 1
        self.draw_courses()
        self.tables = self.new_tables()
        self.begin_races()

    # -- checkpoints

    def save(self) -> None:
        """Write the checkpoint, which is all that the run is, and the weights."""
        self.folder.save(
            {
                "options": dataclasses.asdict(self.options),
                "net": self.learner.net.state_dict(),
                "optimizer": self.learner.optimizer.state_dict(),
                "league": self.league.state(),
                "generator": self.generator.get_state(),
                "rng": self.rng.bit_generator.state,
                "replay": None if self.replay is None else self.replay.state_dict(),
                **self.races(),
                "count": self.count,
                "seconds": self.seconds,
            }
        )
        self.export()
        if self.replay is not None:
            write_levels(self.folder, self.replay)

    def races(self) -> JsonObject:
        """The part of a checkpoint from which the races go on."""
        return {"courses": (self.names, self.unlearned), "tables": [table.state() for table in self.tables]}

    def put_races_back(self, state: JsonObject) -> None:
        """Make the races what they were at a checkpoint."""
        self.names, self.unlearned = state["courses"]
        self.tables = self.new_tables()
        for table, kept in zip(self.tables, state["tables"], strict=True):
            table.put_back(*kept)

    def seated(self) -> set[int]:
        """The numbers of the league's members that sit in races."""
        return set().union(*(np.unique(table.line_ups).tolist() for table in self.tables))

    def put_back(self, state: JsonObject) -> None:
        """Make the run what it was at a checkpoint."""
        self.learner.net.load_state_dict(state["net"])
        self.learner.optimizer.load_state_dict(state["optimizer"])
        self.league.load(state["league"], self.device)
        self.generator.set_state(state["generator"])
        self.rng.bit_generator.state = state["rng"]
        self.count, self.seconds = state["count"], state["seconds"]
        if self.replay is not None:
            self.replay.load_state_dict(state["replay"])
            self.new = frozenset(self.replay.first_time)
        self.put_races_back(state)

    @property
    def weights(self) -> Path:
        """The file of the weights."""
        return self.folder.path / "weights.npz"

    def export(self) -> None:
        """The weights for the `learned` agents."""
        about = {
            "edition": self.tables[0].batch.edition,
            "prior": 1.0 if self.options.begin else 0.0,  # the chance to win is then what is added to `planner`'s
            "begun_with": self.begun_with,
            "courses": self.options.courses,
            "players": self.options.players,
            "seed": self.options.seed,
            "count": self.count,
            "options": {
                k: v for k, v in dataclasses.asdict(self.options).items() if k not in (*OF_THE_MACHINE, "begin")
            },
            "torch": torch.__version__,
            "numpy": np.__version__,
        }
        save_weights(self.weights, self.learner.net.arrays(), about)

    # -- iterations

    def imitating(self) -> bool:
        return bool(self.options.imitate) and self.count["imitated"] < self.options.imitate_decisions

    def done(self) -> bool:
        o = self.options
        over = self.count["decisions"] >= o.decisions or (o.hours > 0 and self.seconds >= 3600 * o.hours)
        return over and not self.imitating()

    def iterate(self) -> dict[str, float]:
        """Play `steps` steps at every table and learn from them."""
        imitate = self.imitating()
        recorded = imitate and self.recorded is not None
        played = self.play_recorded() if recorded else self.play(imitate)
        self.count["iterations"] += 1
        began = time.perf_counter()
        data = gather(played)
        self.clock["update"] += time.perf_counter() - began
        metrics = self.learn(data, imitate)
        if not recorded:
            metrics |= level_metrics(self.replay, self.names, self.new, estimated_rounds(self.tables[0].batch))
        self.change_courses()
        return metrics

    def learn(self, data: Data, imitate: bool) -> dict[str, float]:
        """Update the network, and what is counted; returns the means of the losses."""
        if "program" not in data:
            return {}
        began = time.perf_counter()
        self_play = bool(self.options.decisions)  # without it the imitation is what is annealed
        left = 1.0 - self.count["decisions"] / max(1, self.options.decisions)
        if not self_play:
            left = 1.0 - self.count["imitated"] / max(1, self.options.imitate_decisions)
        size = sum(len(part["own"]) for part in data.values())
        rate = self.options.lr * (1.0 if imitate and self_play else max(self.options.lr_end, left))
        metrics = self.learner.update(self.learner.tensors(data), self.rng, imitate, rate)
        self.clock["update"] += time.perf_counter() - began
        self.count["imitated" if imitate else "decisions"] += size
        if not imitate and self.count["decisions"] // self.options.snapshot_every > self.count["versions"]:
            self.count["versions"] = self.count["decisions"] // self.options.snapshot_every
            self.league.add_version(self.learner.net)
        self.league.drop_unused(self.seated())
        return metrics

    def play(self, imitate: bool) -> Played:
        """`steps` steps at every table, the teacher in all seats while an agent is imitated."""
        played, values = rollout(self.player, self.tables, self.generator, self.rng, imitate)
        self.note_values(self.names, values)
        return played

    def note_values(self, names: list[str], values: list[Values]) -> None:
        """Take into account what a curriculum scores these courses by."""
        for sums, counts in values:
            assert self.replay is not None
            for name, *noted in zip(names, sums, counts, strict=True):
                self.replay.note(name, *noted)

    def play_recorded(self) -> Played:
        """The next recorded races, whole: from the end on, in the first again."""
        assert self.recorded is not None
        began = time.perf_counter()
        moments = self.recorded.play(self.count["iterations"], self.learner.net, self.generator)
        nothing = np.zeros_like(moments[-1].rewards)
        self.clock["policy"] += time.perf_counter() - began
        return list(advantages(self.options, moments, (nothing, nothing)))

    def stop(self) -> None:
        """Stop after the iteration in progress."""
        self.stopped = True

    def work(self) -> None:
        """Iterate to the end, or until Ctrl-C."""
        saved = time.monotonic()
        with interrupts_noted(self.stop):
            while not self.done() and not self.stopped:
                if not self.is_evaluation_due():  # as in a run whose last evaluation was stopped
                    self.iterate_and_report()
                due = self.is_evaluation_due()
                if due and self.evaluate():
                    self.count["evaluated"] = self.total() // self.options.evaluate_every
                late = time.monotonic() - saved > self.options.checkpoint_every
                if due or late or not self.folder.checkpoint.exists():
                    self.save()
                    saved = time.monotonic()
            self.save()
        self.progress.line.close()
        if self.replay is not None:
            self.progress.line.say(highest(self.replay))
        if self.stopped:
            self.progress.line.say("stopped; the same command resumes")

    def is_evaluation_due(self) -> bool:
        """Whether it is time to race."""
        every = self.options.evaluate_every
        return bool(every) and self.total() // every > self.count["evaluated"]

    def iterate_and_report(self) -> None:
        """An iteration, and how it went."""
        began, size = time.perf_counter(), self.total()
        self.clock.update(dict.fromkeys(self.clock, 0.0))
        what = "imitation" if self.imitating() else "self-play"
        metrics = self.iterate()
        took = time.perf_counter() - began
        self.seconds += took
        self.clock["other"] = took - sum(self.clock.values())
        shares = {name: seconds / took for name, seconds in self.clock.items()}
        names = {i: getattr(member, "name", f"version {i}") for i, member in self.league.members.items()}
        ahead = {names[i]: score for i, score in self.league.scores.items() if i in names}
        self.progress.report(what, self.total(), self.seconds, (self.total() - size) / took, metrics, shares, ahead)

    def total(self) -> int:
        return self.count["imitated"] + self.count["decisions"]

    def evaluate(self, games: int = 0) -> bool:
        """Races of one against three of each opponent, with 95% intervals; on a generator's courses each race has one
        of its own, the same in every evaluation. Returns False if Ctrl-C stopped them; then they do not count."""
        self.export()
        options, rivals = self.options, self.options.players[0] - 1
        games = games or options.evaluate_games
        if not games:
            return True
        courses: dict[str, str | Course] = {name: name for name in options.evaluate_courses}
        courses = courses or {name: self.mixture.course(name) for name in self.mixture.examples(2)}
        found = []
        try:
            for opponent, course in product(options.opponents, courses):
                result = race_to_end(
                    [f"learned:weights={self.weights}", *[opponent] * rivals], courses[course],
                    edition=options.edition, players=options.players[0], games=games,
                    seed=options.seed + 1, rules=json.loads(options.rules),
                )  # fmt: skip
                found.append((course, opponent, rivals, result.rows[0]))
        except KeyboardInterrupt:
            self.stop()
            return False
        for each in found:
            self.progress.report_races(self.total(), self.seconds, *each)
        return True
