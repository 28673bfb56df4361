"""The agents in the seats that the learner does not play: one crew for each game, changed only between races."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents import make_agent
from roborally_env.agents.decisions import decide
from roborally_env.base.arrays import PicklableArrays
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import NamedValues
from roborally_env.batch import BatchRace
from roborally_env.envs.single import _checked_opponents as checked_opponents
from roborally_env.envs.single import check_opponents_play

Opponents = str | Sequence[Any]

SEED = 0  # of the agents: what they draw depends on the race too, whose seed `reset` sets


class OpponentSeats(PicklableArrays):
    """The opponents of G games, each a row of agents in seat order, without the learner's seat.

    Each agent is one object for all its seats in all games, and one call makes all its decisions in a step.
    """

    def __init__(self, batch: BatchRace, opponents: Opponents) -> None:
        self.batch = batch
        self._agents: list[Any] = []
        self._names: list[str] = []  # the spec of each agent, "" for objects
        shape = (batch.num_games, batch.players - 1)
        self._now = np.zeros(shape, np.int64)  # number of the agent in each seat
        self._next = np.zeros(shape, np.int64)  # from the next race on
        self.set_opponents(opponents)
        self._now[:] = self._next

    def set_opponents(self, opponents: Opponents, mask: Any = None) -> None:
        """Give the seats to these agents, in each game in `mask` [G] (None: all) from its next race on.

        Raises:
            RoboRallyError: for a wrong number, name or agent, or a wrong mask; nothing changes then.
        """
        games = np.ones(len(self._next), np.bool_) if mask is None else np.asarray(mask)
        if games.shape != (len(self._next),) or games.dtype != np.bool_:
            raise RoboRallyError(
                f"mask: expected bool ({len(self._next)},), got {games.dtype} {games.shape}: one value a game"
            )
        wanted = full_crew(opponents, self.batch.players)
        check_opponents_play(wanted, self.batch.edition)
        self._next[games] = [self._number_of(each) for each in wanted]
        self._drop_unused()

    def board(self, games: NDArray[np.bool_]) -> None:
        """Let the agents set last take their seats in `games` [G], whose races begin."""
        self._now[games] = self._next[games]

    def decide(self, seats: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.int8] | None]:
        """Programs [G, P, 5] and choices [G, P] of all agents, zeros in the learner's `seats` [G]."""
        line_ups = np.full((len(seats), self.batch.players), -1, np.int64)
        line_ups[np.arange(self.batch.players) != seats[:, None]] = self._now.reshape(-1)
        decided: tuple[NDArray[np.int8], NDArray[np.int8] | None] = decide(self.batch, self._agents, line_ups)
        return decided

    def names(self, game: int) -> list[str]:
        """The present agents of a game in seat order: the specs, or the names of objects."""
        return [self._names[k] or str(getattr(self._agents[k], "name", "agent")) for k in self._now[game]]

    def state_dict(self) -> NamedValues:
        """The agents of all seats by spec. Objects are saved only as numbers: pass them again in the same order."""
        return {"names": list(self._names), "now": self._now.copy(), "next": self._next.copy()}

    def load_state_dict(self, state: NamedValues) -> None:
        """Go on from `state_dict`.

        Raises:
            RoboRallyError: if the state has agents that were objects and this env has other ones.
        """
        if any(not name for name in state["names"]) and state["names"] != self._names:
            raise RoboRallyError(
                "opponents: the saved races were run with agents given as objects; give the same ones again first"
            )
        if state["names"] != self._names:
            self._agents = [self._make(name) for name in state["names"]]
            self._names = list(state["names"])
        self._now[:], self._next[:] = state["now"], state["next"]

    # -- inside

    def _number_of(self, agent: Any) -> int:
        """The agent's number; a new agent gets a new number."""
        for k, known in enumerate(self._agents):
            if known is agent or (isinstance(agent, str) and self._names[k] == agent):
                return k
        self._agents.append(self._make(agent) if isinstance(agent, str) else _named(agent))
        self._names.append(agent if isinstance(agent, str) else "")
        return len(self._agents) - 1

    def _make(self, spec: str) -> Any:
        return make_agent(spec, SEED)

    def _drop_unused(self) -> None:
        """Forget agents without a seat, now or in the next races."""
        used = sorted({*self._now.reshape(-1).tolist(), *self._next.reshape(-1).tolist()})
        numbers = np.zeros(max(used) + 1, np.int64)
        numbers[used] = np.arange(len(used))
        self._now, self._next = numbers[self._now], numbers[self._next]
        self._agents = [self._agents[k] for k in used]
        self._names = [self._names[k] for k in used]


class _Named:
    """An agent without a name or other attributes, with those that playing many games needs."""

    name, needs_observation = "agent", True

    def __init__(self, agent: Any) -> None:
        self._agent = agent

    def __getattr__(self, name: str) -> Any:
        if name == "_agent":  # read before __init__, when it is copied
            raise AttributeError(name)
        return getattr(self._agent, name)


def _named(agent: Any) -> Any:
    return agent if hasattr(agent, "name") and hasattr(agent, "needs_observation") else _Named(agent)


def full_crew(opponents: Opponents, seats: int) -> tuple[Any, ...]:
    """The agents of the `seats` - 1 other seats: as listed, or one name for all of them."""
    if isinstance(opponents, str):
        opponents = (opponents,) * (seats - 1)
    checked = checked_opponents(opponents)
    if len(checked) != seats - 1:
        raise RoboRallyError(f"opponents: expected {seats - 1}, one for each other seat, got {len(checked)}")
    return checked
