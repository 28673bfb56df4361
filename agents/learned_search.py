"""`learned-search`: every distinct program of the hand is played out; a network values the positions after it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.features import kind_of, layout_for, new_scratch, write_seat
from roborally_env.agents.learned import LearnedAgent, closed_registers
from roborally_env.agents.network import hidden, log_odds, new_work, planner_weights, win_logit
from roborally_env.agents.powering import announce_when_locked

from roborally_env.batch import BatchRace
from roborally_env.core import cards
from roborally_env.core.advance import advance, answer
from roborally_env.core.chance import key_of, stream_word
from roborally_env.core.choices import BUY_UPGRADE
from roborally_env.core.kernel import kernel
from roborally_env.core.observe import layout
from roborally_env.core.piles import is_again
from roborally_env.core.search_plan import chance_to_win, lay_others, play_round, redeal_for
from roborally_env.core.search_shared import FIVE
from roborally_env.core.state import COMPLETE, NOBODY
from roborally_env.errors import RoboRallyError

_SALT = 0x5345415243  # parts its deals from others on the same key
MOST_PROGRAMS = 30_240  # of ten different cards
MOST_OPTIONS = 63
# One deal for all programs, then more deals for the best of them: (kept, deals) a stage
STAGES = ((400, 2), (120, 6), (40, 16), (12, 40))


@kernel
def all_programs(game, r, closed, programs):
    """Every distinct program of robot r's hand into `programs` i1 [m, 5]; returns how many.

    Equal cards count as one, in 2005 the one with the highest number first. Registers of the bit set `closed` hold 0.
    """
    room = layout(game).slots
    kinds = np.zeros(room, np.int64)
    left = np.zeros(room, np.int64)
    slots = np.zeros((room, room), np.int64)
    count = 0
    for i in range(room):
        card = game.hand[r, i]
        if card == cards.NONE:
            continue
        kind = kind_of(game, card)
        at = 0
        while at < count and kinds[at] != kind:
            at += 1
        if at == count:
            kinds[at] = kind
            count += 1
        place = left[at]
        while place > 0 and game.hand[r, slots[at, place - 1]] > card:
            slots[at, place] = slots[at, place - 1]
            place -= 1
        slots[at, place] = i
        left[at] += 1
    again = layout(game).unseen < 0
    others = 0  # cards that may be laid in register one
    for at in range(count):
        others += 0 if again and is_again(kinds[at]) else left[at]
    cursor = np.full(FIVE, -1, np.int64)
    found = 0
    k = 0
    while k >= 0:
        shut = closed >> k & 1
        if cursor[k] >= 0 and not shut:
            left[cursor[k]] += 1
        at = cursor[k] + 1
        while not shut and at < count and (left[at] == 0 or (k == 0 and again and is_again(kinds[at]) and others)):
            at += 1
        if at == (1 if shut else count) or found == programs.shape[0]:
            cursor[k] = -1
            k -= 1
            continue
        cursor[k] = at
        programs[found, k] = 0
        if not shut:
            left[at] -= 1
            programs[found, k] = slots[at, left[at]]
        if k + 1 < FIVE:
            k += 1
            continue
        found += 1
        if found < programs.shape[0]:
            programs[found] = programs[found - 1]
    return found


@kernel
def play_deal(maps, deal, trial, seat, at, scratch, net, weights, prior, trust, programs, order, count, totals):
    """Play programs order[:count] out in one deal and add the chances to win after them to `totals`."""
    own = np.zeros(at.own, np.float32)
    others = np.zeros((deal[0].players - 1, at.row), np.float32)
    row, pooled, first, position, tower = new_work(net)
    for i in range(count):
        c = order[i]
        trial[0] = deal[0]
        play_round(maps, trial[0], seat, programs, c)
        near = chance_to_win(maps, trial[0], seat, weights)
        if trial[0].winner != NOBODY:
            totals[c] += near
            continue
        advance(maps.courses, trial[0])
        write_seat(maps, trial[0], seat, at, scratch[0], scratch[1], scratch[2], own, others)
        hidden(net, own, others, row, pooled, first, position)
        odds = prior * log_odds(near) + trust * win_logit(net, position, tower)
        totals[c] += 1.0 / (1.0 + np.exp(-odds))


@kernel
def keep_best(order, count, totals, played, keep):
    """Bring the `keep` programs with the best means to the front of `order`, the best first."""
    keep = min(keep, count)
    means = np.empty(count)
    for i in range(count):
        means[i] = -totals[order[i]] / played
    best = np.argsort(means, kind="mergesort")
    kept = order[:count].copy()
    for i in range(keep):
        order[i] = kept[best[i]]
    return keep


@kernel
def search_programs(
    maps, games, rows, seats, seed, at, scratch, net, weights, prior, trust, stages, closed, programs, out
):
    """The program with the best chance to win of seat seats[k] in game rows[k]: `out` i1 [n, 5].

    `stages` i8 [m, 2]: (programs kept, deals) after the first deal, which all programs are played in; the same deals
    for all of them. `programs` i1 [.., 5] is scratch.
    """
    for k in range(rows.shape[0]):
        count = all_programs(games[rows[k]], seats[k], closed[k], programs)
        if count == 0:
            out[k] = 0
            continue
        order = np.arange(count)
        totals = np.zeros(count)
        deal = games[rows[k] : rows[k] + 1].copy()
        trial = deal.copy()
        key = key_of(games[rows[k]].key, seed)
        number = np.uint64(games[rows[k]].round_number) * np.uint64(65536)
        played = 0
        for stage in range(stages.shape[0] + 1):
            deals = 1 if stage == 0 else stages[stage - 1, 1]
            if stage > 0:
                count = keep_best(order, count, totals, played, stages[stage - 1, 0])
            for _ in range(deals if count > 1 or stage == 0 else 0):
                deal[0] = games[rows[k]]
                redeal_for(deal[0], seats[k], stream_word(key, number + np.uint64(played)))
                lay_others(maps, deal[0], seats[k])
                play_deal(
                    maps, deal, trial, seats[k], at, scratch, net, weights, prior, trust, programs, order, count, totals
                )
                played += 1
        keep_best(order, count, totals, max(1, played), 1)
        out[k] = programs[order[0]]


@kernel
def search_purchases(maps, games, rows, seats, seed, at, scratch, net, weights, prior, trust, out):
    """1 + the purchase after which seat seats[k] of game rows[k] has the best chance to win: `out` i1 [n]."""
    own = np.zeros(at.own, np.float32)
    others = np.zeros((games[0].players - 1, at.row), np.float32)
    row, pooled, first, position, tower = new_work(net)
    for k in range(rows.shape[0]):
        trial = games[rows[k] : rows[k] + 1].copy()
        word = stream_word(key_of(games[rows[k]].key, seed), np.uint64(games[rows[k]].round_number))
        most = -np.inf
        out[k] = 1
        for option in range(MOST_OPTIONS):
            if not np.int64(games[rows[k]].ask_options) >> option & 1:
                continue
            trial[0] = games[rows[k]]
            trial[0].key = word
            trial[0].draws = 0
            answer(trial[0], option)
            advance(maps.courses, trial[0])
            write_seat(maps, trial[0], seats[k], at, scratch[0], scratch[1], scratch[2], own, others)
            hidden(net, own, others, row, pooled, first, position)
            near = chance_to_win(maps, trial[0], seats[k], weights)
            chance = prior * log_odds(near) + trust * win_logit(net, position, tower)
            if chance > most:
                most = chance
                out[k] = 1 + option


class LearnedSearchAgent(LearnedAgent):
    """Plays every distinct program of its hand out among sampled programs of the others.

    It lays the one after which the network sees the best chance to win, and buys likewise; it powers down as `learned`.

    What it cannot know is drawn anew for each deal, the same for all programs. All are played in the first deal, the
    best of them in more (sequential halving, Karnin et al. 2013).

    Args:
        seed: of the deals.
        weights: a file of `scripts/train_value.py` or `scripts/train_selfplay.py`; left out: those that come along.
        effort: times the deals of `STAGES`; 0.5 takes about 50 ms a decision.
        trust: weight of the network beside the log-odds that `planner` sees; 0 leaves it out.
    """

    name = "learned-search"
    lays_cards = False

    def __init__(self, seed: int = 0, weights: str = "", effort: float = 0.5, trust: float = 1.0) -> None:
        super().__init__(seed, weights)
        if not isinstance(effort, (int, float)) or not 0 < effort <= 1000:
            raise RoboRallyError(f"effort: expected a number above 0, to 1000, got {effort!r}")
        if not isinstance(trust, (int, float)) or not 0 <= trust <= 1:
            raise RoboRallyError(f"trust: expected a number from 0 to 1, got {trust!r}")
        self.trust = float(trust)
        self.deal_seed = np.uint64(seed) ^ np.uint64(_SALT)
        self.stages = np.array([(keep, max(1, round(effort * deals))) for keep, deals in STAGES], np.int64)
        self._programs = np.zeros((MOST_PROGRAMS, FIVE), np.int8)

    def prior_of(self, batch: BatchRace) -> float:
        """The weight of the log-odds that `planner` sees: 1 where the network was trained to add to them, else what
        `trust` leaves."""
        self.net_for(batch)
        return 1.0 if self._about[batch.game].get("prior") else 1.0 - self.trust

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        batch = info.batch
        out = np.zeros((len(info.games), FIVE), np.int8)
        search_programs(
            batch.maps,
            batch.games,
            info.games,
            info.seats,
            self.deal_seed,
            layout_for(batch.game),
            new_scratch(batch),
            self.net_for(batch),
            planner_weights(batch.game),
            self.prior_of(batch),
            self.trust,
            self.stages,
            closed_registers(batch, info.games, info.seats),
            self._programs,
            out,
        )
        return out

    def announce(self, observations: NDArray[np.float32] | None, info: Info) -> NDArray[np.int8]:
        """As `learned`; with a network that only values positions as `planner`."""
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
        if batch.game == COMPLETE and buying.any():
            bought = np.zeros(int(buying.sum()), np.int8)
            net = layout_for(batch.game), new_scratch(batch), self.net_for(batch)
            rows = info.games[buying], info.seats[buying]
            prior = planner_weights(batch.game), self.prior_of(batch), self.trust
            search_purchases(batch.maps, batch.games, *rows, self.deal_seed, *net, *prior, bought)
            out[buying] = bought
        return out
