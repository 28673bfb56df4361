"""Looking back on a race: the replay is played again, and each position that players decided in is searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents.features import layout_for, new_scratch
from roborally_env.agents.learned import shipped_weights
from roborally_env.agents.network import BUYING, SCORE, load_weights, score_purchases
from roborally_env.agents.planner import MOST_SIMULATIONS, weights_of
from roborally_env.agents.rollout import stream_of
from roborally_env.agents.rounds_ahead import new_work
from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import JsonObject, Record
from roborally_env.batch import BatchRace
from roborally_env.cards.option_names import option_name
from roborally_env.core.chance import key_of
from roborally_env.core.choices import BUY_UPGRADE
from roborally_env.core.searching.among_others import Weights
from roborally_env.core.searching.best_list import FIVE
from roborally_env.core.state import kind_of
from roborally_env.core.steps import OVER
from roborally_env.courses.special import OTHER_AIMS
from roborally_env.editions import edition_of
from roborally_env.replay import Comparison, Replay
from roborally_env.replay.playback import submit
from roborally_env.review.model import PROGRAM, PURCHASE, Decision, Review, summary
from roborally_env.review.search import MOST, gain_of_search, judge, predict

SIMULATIONS = 24_000  # of a program
HANDS, OF_A_HAND = 8, 16  # other hands by which the one that was drawn is measured, each by 1 / 16 of the simulations
DEALS = 200  # of all hands, for the chances before a round
LEAST = 1_000  # simulations: with fewer the search finds too little
_SALT = np.uint64(0x524556494557)  # separates its random stream from others with the same key


@dataclass(frozen=True)
class Position:
    """A position in which players decided, and what they did: they submitted programs, or gave one answer."""

    round: int
    game: Record  # the record
    programs: tuple[tuple[int, ...], ...] = ()  # of all seats; empty where one seat was asked
    opened: tuple[int, ...] = ()  # registers that the timer caught, as bits
    answer: tuple[int, int] | None = None  # (seat, option)


def review(
    replay: Replay,
    *,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Look back on a race: how the chances went, what each program and purchase was worth, and why who won.

    A decision is valued by what the player could know then: the others' cards are dealt anew in every simulation. What
    is found depends on the replay, `simulations` and `seed` alone.

    Args:
        replay: the race, which may not be over.
        simulations: simulated rounds for each program.
        seed: of the simulated deals.
        progress: called before each position with how many rounds are done, and how many there are. What it raises
            ends the review.

    Raises:
        RoboRallyError: for a replay that goes differently from its recording, a race without a round, or one that is
            not won by reaching checkpoints in order (some special rules of 2005).
    """
    simulations = check_whole(simulations, "simulations", LEAST, MOST_SIMULATIONS)
    return Reviewer(replay, simulations, check_whole(seed, "seed", 0, 2**64 - 1)).review(progress)


def tempered(game: str, temperature: float | None = None) -> Weights:
    """`planner`'s weights for a game, by the name of its kind, so that the chances to win are calibrated."""
    weights = weights_of(game)
    factor = edition_of(kind_of(game).edition).temperature if temperature is None else temperature
    return Weights(weights.start, *(factor * each for each in weights[1:]))


class Predictor:
    """The chance to win of each robot before a round, for positions of a batch's races.

    Args:
        batch: the batch.
        seed: of the simulated deals.
        temperature: instead of the calibrated one.
    """

    def __init__(self, batch: BatchRace, seed: int = 0, temperature: float | None = None) -> None:
        self.maps, self.seed = batch.maps, np.uint64(seed) ^ _SALT
        self.weights, self.work = tempered(batch.game, temperature), new_work(batch, MOST)
        self.players = batch.players

    def of(self, game: Record, deals: int = DEALS) -> NDArray[np.float64]:
        """f8 [P] for a record that waits for programs."""
        out = np.zeros(self.players)
        predict(self.maps, game, np.uint64(stream_of(game, self.seed)), deals, self.weights, self.work, out)
        return out


class Reviewer:
    """Plays a replay again and judges what was decided; `review` says what the arguments mean.

    Attributes:
        positions: those in which players decided, in order, and the last one of the race.
    """

    def __init__(self, replay: Replay, simulations: int, seed: int) -> None:
        self.replay, self.simulations, self.seed = replay, simulations, np.uint64(seed) ^ _SALT
        self.batch = replay.batch()
        self._check_aims()
        self.predictor = Predictor(self.batch, seed)
        self.work = self.predictor.work
        self.positions = positions_of(replay, self.batch)
        self.buying = buying_of(self.batch)

    def review(self, progress: Callable[[int, int], None] | None = None) -> Review:
        """All of it."""
        replay, last = self.replay, self.positions[-1].game
        rounds = [each for each in self.positions[:-1] if each.programs]
        if not rounds:
            raise RoboRallyError("review: expected a race of at least one round, got none")
        chances = [self.predictor.of(each.game) for each in rounds]
        winner = int(last["winner"]) if last["winner"] >= 0 else None
        chances.append(self._end(last, winner))
        decisions: list[Decision] = []
        for each in self.positions[:-1]:
            if progress is not None:
                progress(each.round - 1, len(rounds))
            decisions += self._judged(each, chances)
        course = self.batch.courses[int(last["course"])].slug
        curve = tuple(tuple(row.tolist()) for row in chances)
        robots = summary(replay.agents, curve, decisions)
        return Review(
            course, replay.edition, replay.agents, winner, self.simulations, int(self.seed ^ _SALT), curve,
            tuple(decisions), robots,
        )  # fmt: skip

    def _check_aims(self) -> None:
        game = self.batch.games[0]
        if self.batch.kind.has("special") and int(game["special"]) & OTHER_AIMS:
            course = self.batch.courses[int(game["course"])]
            raise RoboRallyError(
                f"review: {course.slug} ({', '.join(course.special_rules)}): nothing says how likely a robot is to win "
                "there; expected a race that is won by reaching checkpoints in order"
            )

    def _end(self, last: Record, winner: int | None) -> NDArray[np.float64]:
        """The chances after the last round that was played."""
        if winner is None and int(last["step"]) != OVER:
            return self.predictor.of(last)
        if last["cut"]:
            return self.predictor.of(self._uncut())
        if winner is None:
            return np.zeros(self.replay.robots)
        sides = last["team"] if self.batch.kind.has("team") else np.arange(self.replay.robots)
        return np.array([sides[seat] == sides[winner] for seat in range(self.replay.robots)], np.float64)

    def _uncut(self) -> Record:
        """The record after the last round if `max_rounds` had not ended the race, and nobody bought anything."""
        recorded, batch = self.replay.rounds[-1], replace(self.replay, max_rounds=None).batch()
        batch.games[0] = next(each.game for each in reversed(self.positions) if each.programs)
        batch.games["max_rounds"] = 0
        submit(batch, recorded, "the last round")
        answers = iter(recorded.choices)
        while not batch.programming[0]:
            seat, options = (int(batch.games[0][name]) for name in ("ask_seat", "ask_options"))
            _, option = next(answers, (seat, (options & -options).bit_length() - 1))
            choices = np.zeros((1, batch.players), np.int8)
            choices[0, seat] = 1 + option
            batch.step(np.zeros((1, batch.players, FIVE), np.int8), choices)
        uncut: Record = batch.games[0].copy()
        return uncut

    def _judged(self, position: Position, chances: list[NDArray[np.float64]]) -> Iterator[Decision]:
        """What was decided in a position."""
        before = chances[position.round - 1]
        for seat in range(self.replay.robots) if position.programs else ():
            if found := self.program(position, seat):
                yield replace(found, cards=found.best - float(before[seat]) - self._gain(position, seat))
        if position.answer and self.buying and int(position.game["ask_kind"]) == BUY_UPGRADE:
            seat, option = position.answer
            yield self.buying.judge(position.game, position.round, option, float(before[seat]))

    def program(self, position: Position, seat: int) -> Decision | None:
        """What the program of a seat was worth, but for its cards; None without a program, or if the timer caught a
        part of it."""
        made = self._cards(position.game, seat, position.programs[seat])
        if (position.opened and position.opened[seat]) or set(made) == {"none"}:
            return None
        best, out = self.search(position, seat)
        better, plain = (self._cards(position.game, seat, slots.tolist()) for slots in (best, self.work.programs[0]))
        chance, found, obvious, error, above_error = map(float, out)
        if better == made or found - chance <= error:  # a difference within the error is not a loss
            better, found, error = (), chance, 0.0
        return Decision(
            position.round, seat, PROGRAM, made, better, chance, found, obvious, error, above_error, plain=plain
        )

    def search(self, position: Position, seat: int) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
        """(the best program [5] of a seat, what `judge` writes [5])."""
        out = np.zeros(5)
        self.work.programs[MOST] = position.programs[seat]
        place = self._place(position, seat)
        best = judge(*place, self.simulations, self.predictor.weights, self.work, out)
        return self.work.programs[best].copy(), out

    def _gain(self, position: Position, seat: int) -> float:
        """What a search finds beyond the obvious, with other hands: the chances before a round leave that out."""
        out, simulations = np.zeros(5), self.simulations // OF_A_HAND
        place = self._place(position, seat)
        return float(gain_of_search(*place, HANDS, simulations, self.predictor.weights, self.work, out))

    def _place(self, position: Position, seat: int) -> tuple[Record, Record, int, np.uint64]:
        """(maps, game, seat, random stream) for the kernels."""
        stream = np.uint64(stream_of(position.game, self.seed))
        return self.batch.maps, position.game, seat, np.uint64(key_of(stream, np.uint64(seat)))

    def _cards(self, game: Record, seat: int, slots: Sequence[int]) -> tuple[str, ...]:
        """The cards of a program by name, with those in locked registers."""
        self.batch.games[0] = game
        closed, names = int(self.batch.closed_registers[0, seat]), self.batch.kind.card_names
        return tuple(
            names[int(game["registers"][seat, k] if closed >> k & 1 else game["hand"][seat, slots[k]])]
            for k in range(FIVE)
        )


class Buying:
    """Values purchases by the network of `learned`, which has learned from who wins what each adds to the log-odds.

    Args:
        batch: of races with upgrades.

    Raises:
        RoboRallyError: for an edition that has no network.
    """

    def __init__(self, batch: BatchRace) -> None:
        self.maps, self.layout, self.scratch = batch.maps, layout_for(batch.game), new_scratch(batch)
        self.net, _ = load_weights(shipped_weights("learned", batch.game), batch.game)
        self.games = np.zeros(1, batch.games.dtype)
        self.games["players"] = batch.players

    def gains(self, game: Record) -> dict[int, float]:
        """The log-odds of winning that each option of the open purchase of a record adds to those of buying nothing."""
        self.games[0], seat = game, int(game["ask_seat"])
        scores = self.scores(np.zeros(1, np.int64), np.array([seat], np.int64))
        legal = [o for o in range(int(game["ask_options"]).bit_length()) if int(game["ask_options"]) >> o & 1]
        return {o: SCORE * float(scores[0, 1 + o] - scores[0, 1]) for o in legal}

    def scores(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.float32]:
        """The scores [n, BUYING] that the network gives the options of seat seats[k] in record rows[k] of `games`."""
        scores = np.zeros((len(rows), BUYING), np.float32)
        score_purchases(self.maps, self.games, rows, seats, self.layout, self.scratch, self.net, scores)
        return scores

    def judge(self, game: Record, number: int, option: int, before: float) -> Decision:
        """A purchase in round `number` by the deciding seat, whose win probability was `before` with it."""
        gains = self.gains(game)
        best = max(gains, key=lambda o: (gains[o], o == option))
        chance, none = (shifted(before, gain - gains[option]) for gain in (gains[best], 0.0))
        better = (option_name(self.games[0], best),) if best != option else ()
        made = (option_name(self.games[0], option),)
        seat = int(game["ask_seat"])
        return Decision(number, seat, PURCHASE, made, better, before, chance, none, 0.0, 0.0)


def buying_of(batch: BatchRace) -> Buying | None:
    """What values purchases; None in games without any, and for editions from outside, which have no network."""
    if not batch.upgrades:
        return None
    try:
        return Buying(batch)
    except RoboRallyError:
        return None


def shifted(chance: float, log_odds: float) -> float:
    """A chance whose log-odds are raised."""
    return chance / (chance + (1.0 - chance) * float(np.exp(-log_odds))) if chance > 0.0 else 0.0


def positions_of(replay: Replay, batch: BatchRace) -> list[Position]:
    """The positions in which players decided, in order, and the last one, in which nobody did any more.

    Raises:
        RoboRallyError: for a replay that goes differently from its recording.
    """
    done: list[JsonObject] = [{"round": 1, "answer": answer} for answer in replay.opening]
    for number, played in enumerate(replay.rounds, 1):
        done.append({"round": number, "programs": played.programs, "opened": played.opened})
        done += [{"round": number + 1, "answer": answer} for answer in played.choices]
    records = np.zeros(len(done) + 1, batch.games.dtype)
    comparison = Comparison(replay, batch)
    records[0] = batch.games[0]
    for i, _ in enumerate(comparison.steps(), 1):
        records[i] = batch.games[0]
    comparison.check()
    return [Position(game=records[i], **what) for i, what in enumerate([*done, {"round": len(replay.rounds) + 1}])]
