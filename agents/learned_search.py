"""`learned-search`: plays every distinct program of the hand out; a network values the positions after the round.

If the race may end soon, programs and purchases are played on for further rounds (`play_out`, `rollout`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.features import layout_for, new_scratch
from roborally_env.agents.learned import LearnedAgent, closed_registers
from roborally_env.agents.near_search import all_programs, best_of_round
from roborally_env.agents.planner import weights_of
from roborally_env.agents.play_out import Far, race_programs, race_purchases
from roborally_env.agents.powering import announce_when_locked
from roborally_env.agents.rollout import BASE, TRIAL, Table, new_records, take_up, value_of

from roborally_env.arrays import Thawed
from roborally_env.batch import BatchRace
from roborally_env.core.chance import key_of, mix, stream_word
from roborally_env.core.choices import BUY_UPGRADE
from roborally_env.core.driving.advance import answer, tables_at
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.best_list import FIVE
from roborally_env.core.searching.distances import remaining
from roborally_env.errors import RoboRallyError

_SALT = 0x5345415243  # separates its random stream from others with the same key
MOST_PROGRAMS = 30_240  # from ten different cards
MOST_OPTIONS = 63
MOST_ROUNDS = 10
USUAL_ROUNDS = {"2005": 0}  # default of `rounds` by game; 1 in other games
# All programs play one deal, then the best of them more: (programs kept, deals) of each stage
STAGES = ((400, 2), (120, 6), (40, 16), (12, 40))
# The stages if the race may end soon: (programs kept, deals)
FAR_STAGES = ((MOST_PROGRAMS, 20), (500, 20), (160, 40), (60, 80), (24, 120), (10, 160), (5, 320))
BUYING = ((MOST_OPTIONS, 64), (4, 128), (2, 256))  # (purchases kept, deals)
FAR_REACH = 12  # the race may end soon if a robot has at most so many registers to go
FAR_MARGIN = 3.0
FAR_TRIED = 24
FAR_FRESH = 4
FAR_BUDGET = 32_000


@kernel
def may_end(maps, game):
    """Whether a robot has no more than `FAR_REACH` registers to go."""
    for r in range(game.players):
        if remaining(maps.courses[tables_at(game)], maps.distance, game, r) <= 4 * FAR_REACH:
            return True
    return False


@kernel
def search_programs(table, games, rows, seats, seed, stages, far, closed, programs, out):
    """The program with the best chance to win of seat seats[k] in game rows[k]: `out` i1 [n, 5].

    If the race may end soon (`may_end`) programs are played on as `far` says; else in the deals that `stages` says.
    `programs` i1 [.., 5] is scratch.
    """
    for k in range(rows.shape[0]):
        game = games[rows[k]]
        count = all_programs(game, seats[k], closed[k], programs)
        if count == 0:
            out[k] = 0
            continue
        key = stream_word(key_of(game.key, seed), np.uint64(game.round_number))
        take_up(table, game, seats[k])
        if far.rounds > 0 and may_end(table.maps, game):
            out[k] = programs[race_programs(table, seats[k], key, programs, count, far)]
        else:
            out[k] = programs[best_of_round(table, seats[k], key, stages, count, programs)]


@kernel
def search_purchases(table, games, rows, seats, seed, far, out):
    """1 + the purchase after which seat seats[k] of game rows[k] has the best chance to win: `out` i1 [n].

    If the race may end soon each is played out in many deals; else the network values the position right after it.
    """
    for k in range(rows.shape[0]):
        game = games[rows[k]]
        key = stream_word(key_of(game.key, seed), np.uint64(game.round_number))
        take_up(table, game, seats[k])
        if far.rounds > 0 and may_end(table.maps, game):
            out[k] = 1 + race_purchases(table, seats[k], mix(key), far)
            continue
        most = -np.inf
        out[k] = 1
        for option in range(MOST_OPTIONS):
            if not np.int64(game.ask_options) >> option & 1:
                continue
            table.records[TRIAL] = table.records[BASE]
            table.records[TRIAL].key = key
            table.records[TRIAL].draws = 0
            answer(table.records[TRIAL], option)
            value = value_of(table, table.records[TRIAL], seats[k])
            if value > most:
                most = value
                out[k] = 1 + option


def _stages(stages: Sequence[tuple[int, int]], effort: float) -> NDArray[np.int64]:
    """[m, 2]: (programs kept, deals) of each stage, the deals multiplied by `effort`."""
    return np.array([(keep, max(1, round(effort * deals))) for keep, deals in stages], np.int64).reshape(-1, 2)


class LearnedSearchAgent(Thawed, LearnedAgent):
    """Plays out every distinct program of its hand against sampled programs of the other robots.

    It lays the program after which the network sees the best chance to win, buys by the same rule, and powers down as
    `learned` does.

    Each deal draws hidden information anew and is the same for all programs. All programs play the first deal, the best
    of them play more (sequential halving, Karnin et al. 2013). If a robot has at most `FAR_REACH` registers to go, one
    more round is played before the network values the position: the others buy and lay as `greedy`, and the seat lays
    what a short search finds. Purchases are then played out in the same way. A decision depends only on the game, the
    round, the seat and the seed.

    Args:
        seed: seed of the deals.
        weights: a file of `scripts/train_value.py` or `scripts/train_selfplay.py`; default: the weights of the package.
        effort: factor for the deals of all stages.
        trust: weight of the network beside the log-odds that `planner` computes; 0 ignores the network.
        rounds: how many rounds are played after the present one if the race may end soon; 0 takes a tenth of the time.
            Default: 1 in 2016, 0 in 2005, where it was not measured.

    Raises:
        RoboRallyError: for a value outside these.
    """

    name = "learned-search"
    lays_cards = False
    unknown_editions = {  # noqa: RUF012
        "community": "learned-search does not play by community rules; those that do: random, greedy, planner, learned"
    }

    def __init__(
        self,
        seed: int = 0,
        weights: str = "",
        effort: float = 0.5,
        trust: float = 1.0,
        rounds: int | None = None,
    ) -> None:
        super().__init__(seed, weights)
        if not isinstance(effort, (int, float)) or not 0 < effort <= 100:
            raise RoboRallyError(f"effort: expected a number above 0, to 100, got {effort!r}")
        if not isinstance(trust, (int, float)) or not 0 <= trust <= 1:
            raise RoboRallyError(f"trust: expected a number from 0 to 1, got {trust!r}")
        whole = rounds is None or (isinstance(rounds, int) and not isinstance(rounds, bool))
        if not whole or not 0 <= (rounds or 0) <= MOST_ROUNDS:
            raise RoboRallyError(f"rounds: expected a whole number from 0 to {MOST_ROUNDS}, got {rounds!r}")
        self.trust = float(trust)
        self.deal_seed = np.uint64(seed) ^ np.uint64(_SALT)
        self.stages = _stages(STAGES, effort)
        self.rounds = rounds
        self.effort = float(effort)
        self._programs = np.zeros((MOST_PROGRAMS, FIVE), np.int8)
        self._records: dict[Any, Any] = {}

    def far_for(self, batch: BatchRace) -> Far:
        """How far the search looks if the race may end soon."""
        rounds = self.rounds
        if rounds is None:
            rounds = USUAL_ROUNDS.get(batch.game, 1)
        return Far(
            _stages(FAR_STAGES, self.effort),
            _stages(BUYING, self.effort),
            FAR_MARGIN,
            FAR_TRIED,
            FAR_FRESH,
            rounds,
            max(1, round(FAR_BUDGET * self.effort)),
        )

    def table_for(self, batch: BatchRace) -> Table:
        """The `Table` with which the search values positions of a batch's games."""
        if batch.games.dtype not in self._records:
            self._records[batch.games.dtype] = new_records(batch.games.dtype)
        return Table(
            batch.maps,
            layout_for(batch.game),
            new_scratch(batch),
            self.net_for(batch),
            weights_of(batch.game),
            self.prior_of(batch),
            self.trust,
            *self._records[batch.games.dtype],
        )

    def prior_of(self, batch: BatchRace) -> float:
        """The weight of the log-odds that `planner` computes: 1 if the network was trained to add to them, else what
        `trust` leaves over."""
        self.net_for(batch)
        return 1.0 if self._about[batch.game].get("prior") else 1.0 - self.trust

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        batch = info.batch
        out = np.zeros((len(info.games), FIVE), np.int8)
        search_programs(
            self.table_for(batch),
            batch.games,
            info.games,
            info.seats,
            self.deal_seed,
            self.stages,
            self.far_for(batch),
            closed_registers(batch, info.games, info.seats),
            self._programs,
            out,
        )
        return out

    def announce(self, observations: NDArray[np.float32] | None, info: Info) -> NDArray[np.int8]:
        """As `learned`, or as `planner` if the network only values positions."""
        self.net_for(info.batch)
        if self._about[info.batch.game].get("kind") == "value":
            return np.asarray(announce_when_locked(info), np.int8)
        return np.asarray(super().announce(observations, info), np.int8)

    def choose(
        self, observations: NDArray[np.float32] | None, choice_masks: NDArray[np.int8], info: Info
    ) -> NDArray[np.int8]:
        """Purchases by the chance to win after them; else as `learned`."""
        batch = info.batch
        out = np.asarray(super().choose(observations, choice_masks, info), np.int8)
        buying = batch.games["ask_kind"][info.games] == BUY_UPGRADE
        if batch.upgrades and buying.any():
            bought = np.zeros(int(buying.sum()), np.int8)
            rows = info.games[buying], info.seats[buying]
            search_purchases(self.table_for(batch), batch.games, *rows, self.deal_seed, self.far_for(batch), bought)
            out[buying] = bought
        return out
