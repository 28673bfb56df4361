"""The league: whom the network plays against."""

from __future__ import annotations

import numpy as np
import torch

from roborally_env.agents import Agent, make_agent
from roborally_env.agents.features import Layout
from roborally_env.base.types import JsonObject
from roborally_env.training.selfplay.network import Network
from roborally_env.training.selfplay.options import Options

MEMORY = 400  # races of which a league member's rating is made


def ahead_of(mine: np.ndarray, theirs: np.ndarray) -> float:
    """The share of pairs of places in which the first is the better one; a tie is a half. nan without a pair."""
    if not len(mine) or not len(theirs):
        return float("nan")
    return float((mine[:, None] < theirs).mean() + 0.5 * (mine[:, None] == theirs).mean())


class League:
    """Whom the network plays against: bots and its own earlier versions, and how it does against each."""

    def __init__(self, options: Options, at: Layout) -> None:
        self.options, self.at = options, at
        self.members: dict[int, Agent | Network] = {}  # number from 1 -> agent, or Network
        self.scores: dict[int, float] = {}  # share of pairs of seats in which the network was placed better
        self.next = 1
        for spec in options.league:
            self.add(make_agent(spec, options.seed))

    def add(self, member: Agent | Network) -> None:
        self.members[self.next], self.scores[self.next] = member, 0.5
        self.next += 1

    def add_version(self, net: Network) -> None:
        """A copy of the network joins; of more than `snapshots` the oldest is drawn no more."""
        copy = Network(self.at, self.options.hidden, self.options.central_critic)
        copy.load_state_dict({name: value.cpu() for name, value in net.state_dict().items()})
        self.add(copy.to(next(net.parameters()).device))

    def current(self) -> list[int]:
        """The members that can be drawn."""
        versions = [i for i, member in self.members.items() if isinstance(member, Network)]
        old = set(versions[: max(0, len(versions) - self.options.snapshots)])
        return [i for i in self.members if i not in old]

    def drop_unused(self, used: set[int]) -> None:
        """Forget retired versions other than those `used`: they sit in no race any more."""
        used = used.union(self.current())
        for i in [i for i in self.members if i not in used]:
            del self.members[i], self.scores[i]

    def draw(self, rng: np.random.Generator, players: int, share: float) -> np.ndarray:
        """A line-up: all seats the network's, or one to P - 1 of them a member's; hard ones are drawn most."""
        line_up = np.zeros(players, np.int64)
        current = self.current()
        if current and rng.random() < share:
            weights = np.array([(1.0 - self.scores[i]) ** 2 + 0.02 for i in current])
            count = int(rng.integers(1, players)) if players > 1 else 0
            seats = rng.permutation(players)[:count]
            line_up[seats] = rng.choice(current, p=weights / weights.sum(), size=count)
        return line_up

    def note(self, line_up: np.ndarray, places: np.ndarray) -> None:
        """Take a finished race into account."""
        mine = places[line_up == 0]
        for i in set(line_up.tolist()) - {0}:
            theirs = places[line_up == i]
            if i in self.scores and len(mine):
                self.scores[i] += (ahead_of(mine, theirs) - self.scores[i]) / MEMORY * min(MEMORY, 4 * len(mine))

    def state(self) -> JsonObject:
        versions = {i: m.state_dict() for i, m in self.members.items() if isinstance(m, Network)}
        return {"scores": dict(self.scores), "next": self.next, "versions": versions}

    def load(self, state: JsonObject, device: torch.device) -> None:
        self.members = {i: m for i, m in self.members.items() if i in state["scores"]}
        for i, weights in state["versions"].items():
            member = Network(self.at, self.options.hidden, self.options.central_critic)
            member.load_state_dict(weights)
            self.members[i] = member.to(device)
        self.members = dict(sorted(self.members.items()))
        self.scores, self.next = dict(state["scores"]), state["next"]
