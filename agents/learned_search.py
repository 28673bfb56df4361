"""`learned-search`: every distinct program of the hand is played out; a network values the positions after it."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.features import kind_of, layout_for, new_scratch, write_seat
from roborally_env.agents.learned import LearnedAgent, closed_registers
from roborally_env.agents.network import hidden, log_odds, new_work, planner_weights, win_logit
from roborally_env.agents.planner import candidates_for
from roborally_env.agents.powering import announce_when_locked
from roborally_env.agents.shopping import best_purchase

from roborally_env.batch import BatchRace
from roborally_env.core import cards, upgrades
from roborally_env.core.advance import advance, answer
from roborally_env.core.chance import key_of, stream_word
from roborally_env.core.choices import BUY_UPGRADE
from roborally_env.core.editions.steps2016 import OVER
from roborally_env.core.kernel import kernel, with_upgrades
from roborally_env.core.observe import layout
from roborally_env.core.piles import is_again
from roborally_env.core.search_plan import chance_to_win, lay_others, plan, play_round, redeal_for
from roborally_env.core.search_shared import FIVE
from roborally_env.core.state import ASK_NOTHING, ASK_PURCHASES, COMPLETE, NOBODY
from roborally_env.errors import RoboRallyError

_SALT = 0x5345415243  # parts its deals from others on the same key
MOST_PROGRAMS = 30_240  # of ten different cards
MOST_OPTIONS = 63
MOST_ROUNDS = 10
# One deal for all programs, then more deals for the best of them: (kept, deals) a stage
STAGES = ((400, 2), (120, 6), (40, 16), (12, 40))
# With `rounds` the best of them are then looked at farther: (kept, deals) a stage
FAR_STAGES = ((24, 24), (10, 48), (4, 96))
FAR_DEALS = 96  # of each purchase
FAR_SIMULATIONS = 100  # of `planner`, which plays the seat there

# How far the second part of the search looks: its stages i8 [m, 2], `deals` of each purchase (0: the network values
# the position at once), `rounds` played after the round, `simulations` and scratch `candidates` i1 [c, 5] of `planner`
Far = namedtuple("Far", "stages deals rounds simulations candidates")


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
def worth_of(maps, game, seat, at, scratch, net, weights, prior, trust):
    """The chance of a seat to win after a round, as the network sees it; 0 or 1 where the race is over."""
    near = chance_to_win(maps, game, seat, weights)
    if game.winner != NOBODY:
        return near
    own = np.zeros(at.own, np.float32)
    others = np.zeros((game.players - 1, at.row), np.float32)
    row, pooled, first, position, tower = new_work(net)
    advance(maps.courses, game)
    write_seat(maps, game, seat, at, scratch[0], scratch[1], scratch[2], own, others)
    hidden(net, own, others, row, pooled, first, position)
    odds = prior * log_odds(near) + trust * win_logit(net, position, tower)
    return 1.0 / (1.0 + np.exp(-odds))


@kernel
def play_next_round(maps, trial, seat, weights, far, laid):
    """Play the coming round of trial[0], if there is one, as bots do: all buy by the table, the others lay good
    programs, the seat what `planner` lays. `laid` i1 [1, 5] is scratch."""
    if trial[0].winner != NOBODY:
        return
    buy_by_table(maps, trial[0])
    advance(maps.courses, trial[0])
    if trial[0].step == OVER:
        return
    plan(maps, trial, 0, seat, _SALT, far.simulations, weights, far.candidates, laid[0])
    lay_others(maps, trial[0], seat)
    play_round(maps, trial[0], seat, laid, 0)


@with_upgrades()
def buy_by_table(maps, game):
    """The upgrade phase, all of it or the rest: every robot buys what is worth most by the table."""
    game.asking = ASK_PURCHASES
    advance(maps.courses, game)
    while game.ask_seat != NOBODY:
        answer(game, best_purchase(game, np.int64(game.ask_seat), upgrades.VALUES, upgrades.COSTS))
        advance(maps.courses, game)
    game.asking = ASK_NOTHING


@kernel
def play_deal(maps, deal, trial, seat, at, scratch, net, weights, prior, trust, programs, order, count, totals):
    """Play programs order[:count] out in one deal and add the chances to win after them to `totals`."""
    for i in range(count):
        c = order[i]
        trial[0] = deal[0]
        play_round(maps, trial[0], seat, programs, c)
        totals[c] += worth_of(maps, trial[0], seat, at, scratch, net, weights, prior, trust)


@kernel
def play_on(maps, deal, trial, seat, at, scratch, net, weights, prior, trust, far, programs, order, count, totals):
    """As `play_deal`, but each program's round is followed by `far.rounds` more before its position is valued."""
    laid = np.zeros((1, FIVE), np.int8)
    for i in range(count):
        c = order[i]
        trial[0] = deal[0]
        play_round(maps, trial[0], seat, programs, c)
        for _ in range(far.rounds):
            play_next_round(maps, trial, seat, weights, far, laid)
        totals[c] += worth_of(maps, trial[0], seat, at, scratch, net, weights, prior, trust)


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
    maps, games, rows, seats, seed, at, scratch, net, weights, prior, trust, stages, far, closed, programs, out
):
    """The program with the best chance to win of seat seats[k] in game rows[k]: `out` i1 [n, 5].

    `stages` i8 [m, 2]: (programs kept, deals) after the first deal, which all programs are played in; the same deals
    for all of them. Then those of `far` (`Far`), in which more rounds are played. `programs` i1 [.., 5] is scratch.
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
        looked = 0
        for stage in range(far.stages.shape[0]):
            count = keep_best(order, count, totals, max(1, played if stage == 0 else looked), far.stages[stage, 0])
            if stage == 0:
                totals[:] = 0.0
            for _ in range(far.stages[stage, 1] if count > 1 else 0):
                deal[0] = games[rows[k]]
                redeal_for(deal[0], seats[k], stream_word(key, number + np.uint64(played + looked)))
                lay_others(maps, deal[0], seats[k])
                play_on(
                    maps, deal, trial, seats[k], at, scratch, net, weights, prior, trust, far, programs, order, count,
                    totals,
                )  # fmt: skip
                looked += 1
        keep_best(order, count, totals, max(1, looked if far.stages.shape[0] else played), 1)
        out[k] = programs[order[0]]


@kernel
def search_purchases(maps, games, rows, seats, seed, at, scratch, net, weights, prior, trust, far, out):
    """1 + the purchase after which seat seats[k] of game rows[k] has the best chance to win: `out` i1 [n].

    Two rounds are played after each of them, `far.deals` times in the same deals; with no deals the network values the
    position right after the purchase.
    """
    laid = np.zeros((1, FIVE), np.int8)
    for k in range(rows.shape[0]):
        game = games[rows[k]]
        trial = games[rows[k] : rows[k] + 1].copy()
        key = key_of(game.key, seed)
        number = np.uint64(game.round_number) * np.uint64(65536)
        most = -np.inf
        out[k] = 1
        for option in range(MOST_OPTIONS):
            if not np.int64(game.ask_options) >> option & 1:
                continue
            total = 0.0
            for i in range(max(1, far.deals)):
                trial[0] = game
                if far.deals:
                    redeal_for(trial[0], seats[k], stream_word(key, number + np.uint64(i)))
                    trial[0].asking = ASK_PURCHASES
                    answer(trial[0], option)
                    for _ in range(1 + far.rounds):
                        play_next_round(maps, trial, seats[k], weights, far, laid)
                else:
                    trial[0].key = stream_word(key, number)
                    trial[0].draws = 0
                    answer(trial[0], option)
                total += worth_of(maps, trial[0], seats[k], at, scratch, net, weights, prior, trust)
            if total > most:
                most = total
                out[k] = 1 + option


def _stages(stages: Sequence[tuple[int, int]], effort: float) -> NDArray[np.int64]:
    """[m, 2]: (programs kept, deals) of each stage, with so many times the deals."""
    return np.array([(keep, max(1, round(effort * deals))) for keep, deals in stages], np.int64).reshape(-1, 2)


class LearnedSearchAgent(LearnedAgent):
    """Plays every distinct program of its hand out among sampled programs of the others.

    It lays the one after which the network sees the best chance to win, and buys likewise; it powers down as `learned`.

    What it cannot know is drawn anew for each deal, the same for all programs. All are played in the first deal, the
    best of them in more (sequential halving, Karnin et al. 2013).
    With `rounds` the best of these are looked at again with more rounds played after each: there the seat buys as
    `planner` does and lays what a short search of `planner` finds.

    Args:
        seed: of the deals.
        weights: a file of `scripts/train_value.py` or `scripts/train_selfplay.py`; left out: those that come along.
        effort: times the deals of `STAGES` and `FAR_STAGES`; 0.5 takes about 50 ms a decision.
        trust: weight of the network beside the log-odds that `planner` sees; 0 leaves it out.
        rounds: played after the present one before the positions after the best programs, and after purchases, are
            valued. With 2 it plays better on short courses and takes six times as long.
    """

    name = "learned-search"
    lays_cards = False

    def __init__(
        self, seed: int = 0, weights: str = "", effort: float = 0.5, trust: float = 1.0, rounds: int = 0
    ) -> None:
        super().__init__(seed, weights)
        if not isinstance(effort, (int, float)) or not 0 < effort <= 1000:
            raise RoboRallyError(f"effort: expected a number above 0, to 1000, got {effort!r}")
        if not isinstance(trust, (int, float)) or not 0 <= trust <= 1:
            raise RoboRallyError(f"trust: expected a number from 0 to 1, got {trust!r}")
        if isinstance(rounds, bool) or not isinstance(rounds, int) or not 0 <= rounds <= MOST_ROUNDS:
            raise RoboRallyError(f"rounds: expected a whole number from 0 to {MOST_ROUNDS}, got {rounds!r}")
        self.trust = float(trust)
        self.deal_seed = np.uint64(seed) ^ np.uint64(_SALT)
        self.stages = _stages(STAGES, effort)
        self.far = Far(
            _stages(FAR_STAGES if rounds else (), effort),
            max(1, round(effort * FAR_DEALS)) if rounds else 0,
            rounds,
            FAR_SIMULATIONS,
            np.zeros((candidates_for(FAR_SIMULATIONS), FIVE), np.int8),
        )
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
            self.far,
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
            search_purchases(batch.maps, batch.games, *rows, self.deal_seed, *net, *prior, self.far, bought)
            out[buying] = bought
        return out
