"""`easy`: `greedy` with the slips of a person who is new to the game."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.greedy import BuysAsGreedy
from roborally_env.agents.planner import check_whole

from roborally_env.base.errors import AgentError
from roborally_env.base.types import Array
from roborally_env.core import cards, cards2005
from roborally_env.core.chance import key_of, stream_word
from roborally_env.core.choices import BUY_UPGRADE
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.alone import greedy_programs
from roborally_env.editions import edition_of

NOTICED = 6  # cards of the hand among which it looks for a program
SHOPS = 0.5  # probability that it looks at what is for sale
_SALT = np.uint64(0x45415359)  # separates its random stream from others with the same key
# cards that look alike
_TURNS = (cards.TURN_LEFT, cards.TURN_RIGHT)
_MOVES = (cards.MOVE_1, cards.MOVE_2, cards.MOVE_3)
# the numbers that a decision draws: whether it slips, what kind of slip, whether it shops, then one for each card
_SLIPS, _KIND, _WHERE, _SHOPS, _CARDS = range(5)
_WORDS = 32
_SEATS = np.uint64(8)
_Changes = list[tuple[tuple[int, int], ...]]  # each changes one or two registers: (register, its new slot)


@kernel
def _draw(keys, rounds, seats, seed, drawn):
    """Fill `drawn` f8 [n, words] with numbers from 0 to 1 of each row's game, round and seat."""
    words = np.uint64(drawn.shape[1])
    for k in range(keys.shape[0]):
        key = key_of(keys[k], seed)
        first = (np.uint64(rounds[k]) * _SEATS + np.uint64(seats[k])) * words
        for i in range(drawn.shape[1]):
            drawn[k, i] = np.float64(stream_word(key, first + np.uint64(i)) >> np.uint64(32)) / 2.0**32


class EasyAgent(BuysAsGreedy):
    """Plays the best program that it sees for its robot alone, but it does not see everything, and it slips.

    Each round it notices only some cards of its hand. From these it makes the program that `greedy` would make. Then
    it may make one slip: it takes a left turn for a right turn, or one Move for another, or swaps two neighbouring
    registers. It looks at the upgrades for sale in half of the rounds, and buys and uses them as `greedy` does.

    Args:
        seed: seed of what it overlooks, and of its slips.
        cards: how many cards of its hand it notices, 5 to 9, if its registers need no more.
        slips: the probability of a slip in a program, from 0 to 1; None: the edition's (`StartPage.slips`).

    Raises:
        AgentError: for a value outside these.
    """

    name = "easy"

    def __init__(self, seed: int = 0, cards: int = NOTICED, slips: float | None = None) -> None:
        self.seed = np.uint64(seed) ^ _SALT
        self.cards: int = check_whole("cards", cards, 5, 9)
        if slips is not None and (
            isinstance(slips, bool) or not isinstance(slips, (int, float)) or not 0 <= slips <= 1
        ):
            raise AgentError(f"slips: expected a number from 0 to 1, got {slips!r}")
        self.slips = slips

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        programs = np.zeros((len(info.games), masks.shape[1]), np.int8)
        if not len(programs):
            return programs
        drawn = self._drawn(info)
        games = info.batch.games[info.games]  # a copy, in which the robots hold what they notice
        to_fill = masks.any(axis=2).sum(axis=1)
        noticed = [_notice(games[k], s, self._many(to_fill[k]), drawn[k, _CARDS:]) for k, s in enumerate(info.seats)]
        rows = np.arange(len(games))
        greedy_programs(info.batch.maps, games, rows, info.seats, programs)
        kinds = _kinds(info)
        slips = edition_of(info.batch.edition).start_page.slips if self.slips is None else self.slips
        for k, slots in enumerate(noticed):
            filled = masks[k].any(axis=1) & (len(slots) > 0)
            programs[k, filled] = slots[programs[k, filled]]
            if drawn[k, _SLIPS] < slips:
                _slip(programs[k], masks[k], kinds[k], drawn[k])
        self._as_greedy_if_illegal(programs, masks, info)
        return programs

    def _many(self, to_fill: int) -> int:
        """How many cards it notices if a number of registers are to be filled: one more than these at least, as the
        first register does not take every card."""
        return max(self.cards, int(to_fill) + 1)

    def _drawn(self, info: Info) -> NDArray[np.float64]:
        """f8 [n, _WORDS]: the random numbers of each row."""
        games, drawn = info.batch.games, np.zeros((len(info.games), _WORDS))
        keys, rounds = games["key"][info.games], games["round_number"][info.games]
        _draw(keys, np.ascontiguousarray(rounds, np.int64), info.seats, self.seed, drawn)
        return drawn

    def _as_greedy_if_illegal(self, programs: NDArray[np.int8], masks: NDArray[np.int8], info: Info) -> None:
        """Replace programs that the noticed cards do not make legal, as with nothing but Again cards."""
        legal = np.take_along_axis(masks, programs[:, :, None].astype(np.int64), 2)[:, :, 0] == 1
        wrong = np.flatnonzero((~legal & masks.any(axis=2)).any(axis=1))
        if len(wrong):
            whole = np.zeros((len(wrong), programs.shape[1]), np.int8)
            batch = info.batch
            greedy_programs(batch.maps, batch.games, info.games[wrong], info.seats[wrong], whole)
            programs[wrong] = whole

    def choose(
        self, observations: NDArray[np.float32] | None, choice_masks: NDArray[np.int8], info: Info
    ) -> NDArray[np.int8]:
        """As `greedy`, in the rounds in which it looks at what is for sale."""
        choices: NDArray[np.int8] = super().choose(observations, choice_masks, info)
        shopping = info.batch.games["ask_kind"][info.games] == BUY_UPGRADE
        choices[shopping & (self._drawn(info)[:, _SHOPS] >= SHOPS)] = 1  # it buys nothing
        return choices


def _notice(game: Array, seat: int, many: int, drawn: NDArray[np.float64]) -> NDArray[np.int8]:
    """Leave `many` cards in the hand of a seat; returns the slots in which they were."""
    held = int(game["held"][seat])
    slots = np.sort(np.argsort(drawn[:held], kind="stable")[:many]).astype(np.int8)
    hand = game["hand"][seat]
    kept = hand[slots].copy()
    hand[:] = cards.NONE
    hand[: len(kept)] = kept
    game["held"][seat] = len(kept)
    return slots


def _kinds(info: Info) -> NDArray[np.int64]:
    """i8 [n, slots]: the kind of each card in the rows' hands; those of one common deck have priority numbers."""
    hands = np.asarray(info.batch.games["hand"][info.games, info.seats], np.int64)
    return np.asarray(cards2005.ACTION[hands] if info.batch.kind.has("deck") else hands, np.int64)


def _slip(program: Array, masks: NDArray[np.int8], kinds: NDArray[np.int64], drawn: NDArray[np.float64]) -> None:
    """Make one slip in a program, if its cards allow one; the program stays legal.

    Args:
        program: i1 [5], changed in place.
        masks: i1 [5, slots] of its legal slots.
        kinds: i8 [slots] of the cards in the hand.
        drawn: the row's random numbers.
    """
    confused = [_confusions(program, masks, kinds, like) for like in (_TURNS, _MOVES)]
    kinds_of_slip = [changes for changes in (*confused, _swaps(program, masks)) if changes]
    if kinds_of_slip:
        changes = kinds_of_slip[int(drawn[_KIND] * len(kinds_of_slip))]
        for register, slot in changes[int(drawn[_WHERE] * len(changes))]:
            program[register] = slot


def _confusions(program: Array, masks: NDArray[np.int8], kinds: NDArray[np.int64], like: tuple[int, ...]) -> _Changes:
    """A card of the program for another one of the hand that looks like it."""
    filled = masks.any(axis=1)
    free = [slot for slot in range(masks.shape[1]) if kinds[slot] in like and slot not in program[filled]]
    return [
        ((register, slot),)
        for register in np.flatnonzero(filled).tolist()
        for slot in free
        if masks[register, slot] and kinds[program[register]] in like and kinds[program[register]] != kinds[slot]
    ]


def _swaps(program: Array, masks: NDArray[np.int8]) -> _Changes:
    """Two neighbouring registers with each other's cards."""
    return [
        ((register, program[register + 1]), (register + 1, program[register]))
        for register in range(len(program) - 1)
        if masks[register, program[register + 1]] and masks[register + 1, program[register]]
    ]
