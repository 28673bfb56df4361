"""A run of self-play whose races are played by actors.

Actors take turns in a fixed order: with `--behind` B the N actors are min(N, B) groups, and each update learns from the
rollouts of one group, which has started its next ones by then. So what is learned from was played at most min(N, B)
versions ago, nothing is ever too old, and what comes out depends neither on how fast each actor is nor on what was
killed. PPO's ratio is that to the probabilities with which the actors drew (Schulman et al. 2017). With B = 0 all
actors wait while the network learns from all their rollouts.
"""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass, replace

import numpy as np
import torch

from roborally_env.base.types import JsonObject
from roborally_env.executors import WorkerPool
from roborally_env.executors.work import Shared, Ticket
from roborally_env.training.selfplay.actors import ActorState, Rollout, RolloutRequest
from roborally_env.training.selfplay.learner import Data, joined
from roborally_env.training.selfplay.levels import level_metrics
from roborally_env.training.selfplay.options import Options
from roborally_env.training.selfplay.progress import TABLES, WITH_ACTORS
from roborally_env.training.selfplay.run import Run


@dataclass
class ActorSlot:
    """An actor as the learner sees it, and the rollout under way."""

    stand: ActorState
    order: RolloutRequest | None = None  # None: nothing is under way
    weights: JsonObject | None = None  # with which it is played
    ticket: Ticket | None = None  # of the crew; None: still to be submitted


class ActedRun(Run):
    """A training run that learns from what the actors of a crew play."""

    clocks = ("policy", "wait", "update", "other")
    tables_of_rows = TABLES | {"progress.csv": WITH_ACTORS}

    def __init__(self, options: Options, crew: WorkerPool) -> None:
        self.crew = crew
        self.lanes: list[ActorSlot] = []
        self.groups = max(1, min(options.actors, options.behind))
        self.one_stream = options.actors == 1 and options.behind == 0  # chance is then as without actors
        super().__init__(options)

    def begin_races(self) -> None:
        """See Run: only the courses are drawn here, the actors seat."""
        first = ActorState(
            self.names, self.unlearned, 0, self.rng.bit_generator.state, self.generator.get_state(), new=self.new
        )
        others = [self.stand_of(k) for k in range(1, self.options.actors)]
        self.lanes = [ActorSlot(stand) for stand in (first, *others)]
        if not self.one_stream:
            self.rng = np.random.default_rng([self.options.seed, self.options.actors])

    def stand_of(self, k: int) -> ActorState:
        """Where actor k begins."""
        rng = np.random.default_rng([self.options.seed, k])
        generator = torch.Generator().manual_seed(int(rng.integers(2**63)))
        names, unlearned, new = self.drawn(k)
        return ActorState(names, unlearned, k, rng.bit_generator.state, generator.get_state(), new=new)

    # -- checkpoints

    def races(self) -> JsonObject:
        """See Run: with the rollouts under way, which are played again with the weights that they had."""
        return {"lanes": [(lane.stand, lane.order, lane.weights) for lane in self.lanes]}

    def put_races_back(self, state: JsonObject) -> None:
        """See Run."""
        self.lanes = [ActorSlot(*kept) for kept in state["lanes"]]

    def seated(self) -> set[int]:
        """See Run: also those who may be drawn in a rollout under way."""
        line_ups = [line_up for lane in self.lanes for _, line_up in lane.stand.tables or []]
        drawn = [lane.order.league["scores"] for lane in self.lanes if lane.order is not None]
        return set().union(*(np.unique(line_up).tolist() for line_up in line_ups), *drawn)

    # -- iterations

    def iterate(self) -> dict[str, float]:
        """Learn from the rollouts of a group. Recorded races are copied first, without actors."""
        if self.imitating() and self.recorded is not None:
            return super().iterate()
        self.submit([lane for lane in self.lanes if lane.ticket is None])
        turn = self.count["iterations"] % self.groups
        group = self.lanes[turn :: self.groups]
        order = group[0].order
        assert order is not None
        data, rounds = self.taken(group)
        names = [name for lane in group for name in lane.stand.names]
        new = frozenset[str]().union(*(lane.stand.new for lane in group))
        of_courses = level_metrics(self.replay, names, new, rounds)
        behind = self.count["iterations"] - order.version
        if self.options.behind:
            self.move_on(group)
            self.submit(group)
        self.count["iterations"] += 1
        metrics = self.learn(data, order.imitate)
        if not self.options.behind:
            self.move_on(group)
        return metrics | of_courses | {"behind": float(behind)}

    def taken(self, group: list[ActorSlot]) -> tuple[Data, list[float | None]]:
        """Collect the finished rollouts of these lanes and advance the lanes to their end states. Returns the
        decisions, and the rounds of their courses."""
        began = time.perf_counter()
        rollouts = [self.crew.result(lane.ticket) for lane in group]
        self.clock["wait"] += time.perf_counter() - began
        for lane, rollout in zip(group, rollouts, strict=True):
            self.take(lane, rollout)
        kinds = dict.fromkeys(kind for rollout in rollouts for kind in rollout.data)
        data = {kind: joined([each.data[kind] for each in rollouts if kind in each.data]) for kind in kinds}
        return data, [number for rollout in rollouts for number in rollout.rounds]

    def take(self, lane: ActorSlot, rollout: Rollout) -> None:
        """Take the end of a rollout into account."""
        lane.stand, lane.order, lane.weights, lane.ticket = rollout.stand, None, None, None
        if self.one_stream:
            self.rng.bit_generator.state = lane.stand.rng
            self.generator.set_state(lane.stand.generator)
        for line_up, places in rollout.finished:
            self.league.note(line_up, places)
        self.note_values(lane.stand.names, rollout.values)

    def submit(self, lanes: list[ActorSlot]) -> None:
        """Begin rollouts: those that were under way at a checkpoint as they were, others with the present weights."""
        league = self.league.state()
        present = {"net": self.copy_of_weights(), "versions": league.pop("versions")}
        shared: dict[int, Shared] = {}  # by version
        for lane in lanes:
            if lane.order is None:
                lane.order = RolloutRequest(self.count["iterations"], self.imitating(), league)
                lane.weights = present
                if self.one_stream:
                    rng, generator = self.rng.bit_generator.state, self.generator.get_state()
                    lane.stand = replace(lane.stand, rng=rng, generator=generator)
            if lane.order.version not in shared:
                shared[lane.order.version] = self.crew.share(pickle.dumps(lane.weights))
            lane.ticket = self.crew.submit(lane.stand, shared[lane.order.version], lane.order)

    def copy_of_weights(self) -> dict[str, torch.Tensor]:
        """The network's weights as they are now, on the CPU."""
        return {name: value.detach().cpu().clone() for name, value in self.learner.net.state_dict().items()}

    # -- courses

    def change_courses(self) -> None:
        """See Run: after recorded races, which count for every actor."""
        self.move_on(self.lanes)

    def move_on(self, lanes: list[ActorSlot]) -> None:
        """Count an iteration of these actors, and draw other courses for them if they are due."""
        for lane in lanes:
            stand = replace(lane.stand, iterations=lane.stand.iterations + 1)
            if self.due(stand.iterations):
                self.count["changes"] += 1
                number = stand.number + self.options.actors
                names, unlearned, new = self.drawn(number)
                stand = replace(stand, names=names, unlearned=unlearned, new=new, number=number, tables=None)
            lane.stand = stand
