"""Batches of random races, and comparing them."""

import hashlib
from typing import Any

import numpy as np

from roborally_env.batch import BatchRace
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER
from tests.games import FULL, deal_upgrades
from tests.invariants import check_game

COURSES = ["dizzy_highway", "twister", "chop_shop_challenge", "burnout", "undertow"]
PLAYERS = 4
# what may change in a redeal where each robot has a deck: cards that others hold or will draw, and chance to come
HIDDEN = {"key", "draws", "hand", "registers", "pile", "drawable", "discarded", "known"}


def batch_of(num_games: int = 5, dealt: bool = False, **options: Any) -> BatchRace:
    """A batch of four-player races over several courses, cut after six rounds, so that new races begin soon.

    `dealt`: in a game with upgrades the first races begin with upgrades on all mats.
    """
    batch = BatchRace(num_games, **{"course": COURSES, "players": PLAYERS, "max_rounds": 6, "seed": 11, **options})
    if dealt and batch.upgrades:
        deal_upgrades(batch, 1)
    return batch


def steps_for(rounds: int, rules: dict[str, Any], decisions: str = "program") -> int:
    """The approximate number of steps of a race of `rounds` rounds, with purchases and choices of upgrades."""
    if rules != FULL:
        return rounds if decisions == "program" else 2 * rounds
    return rounds * (5 if decisions == "program" else 20)


def play(batch: BatchRace, steps: int, first: int = 0) -> list[str]:
    """`steps` steps of random legal programs and choices; a hash of the results of each."""
    return [step_hash(batch, i) for i in range(first, first + steps)]


def step_hash(batch: BatchRace, i: int) -> str:
    """Step number i with random legal actions: of the games, observations, rewards, flags and results after it."""
    batch.sample(i)
    step = batch.step_prepared()
    assert not batch.corrected.any()
    arrays = [state_bytes(batch.games), step.rewards, step.terminated, step.truncated, batch.results]
    arrays += [*step.observations.values(), *batch.final_observations.values()]
    return hashlib.sha256(b"".join(bytes(array) for array in arrays)).hexdigest()[:16]


def play_alone_as_together(together: BatchRace, alone: list[BatchRace], steps: int) -> None:
    """Each game alone comes to the same bytes as at its place in a batch, after each step."""
    for step in range(steps):
        play(together, 1, step)
        for i, single in enumerate(alone):
            play(single, 1, step)
            assert state_bytes(single.games) == state_bytes(together.games[i : i + 1]), f"game {i} after step {step}"
            assert single.results.tobytes() == together.results[i : i + 1].tobytes()
            for name, seen in single.observations.items():
                assert seen.tobytes() == together.observations[name][i : i + 1].tobytes(), name
            for name, seen in single.final_observations.items():
                assert seen.tobytes() == together.final_observations[name][i : i + 1].tobytes(), name


def goes_on_from_here(batch: BatchRace, other: BatchRace, steps: int) -> None:
    """The batch put back to what it is now, and another one set to it, play on as the batch does."""
    kept, games = batch.snapshot(), batch.games.copy()
    seen = {name: array.copy() for name, array in batch.observations.items()}
    went_on = play_states(batch, steps)
    restored = batch.restore(kept)
    assert all(np.array_equal(seen[name], restored[name]) for name in seen)
    assert play_states(batch, steps) == went_on
    other.restore(kept)
    assert state_bytes(other.games) == state_bytes(games)
    assert play_states(other, steps) == went_on


def play_states(batch: BatchRace, steps: int) -> list[bytes]:
    """The states after each step, without results and other things that a snapshot does not hold."""
    states = []
    for i in range(steps):
        play(batch, 1, i)
        states.append(state_bytes(batch.games) + b"".join(array.tobytes() for array in batch.observations.values()))
    return states


def redealt_for(batch: BatchRace, seat: int, hidden: set[str], own: tuple[str, ...]) -> BatchRace:
    """The batch redealt for a seat, which sees the same: `hidden` fields may change, `own` ones not for the seat."""
    other = batch.redeal(seat, 99)
    for name in batch.observations:
        mine, its = batch.observations[name][:, seat], other.observations[name][:, seat]
        assert mine.tobytes() == its.tobytes(), f"{name} of seat {seat} in round {batch.games['round_number']}"
    assert set(differing_fields(batch.games, other.games)) <= hidden
    for name in own:
        assert np.array_equal(batch.games[name][:, seat], other.games[name][:, seat])
    return other


def state_bytes(games: Any) -> bytes:
    """The bytes of every field of a record or an array of them, without the gaps between fields."""
    return b"".join(np.ascontiguousarray(games[name]).tobytes() for name in games.dtype.names)


def check_all(batch: BatchRace) -> None:
    """Every invariant of every game."""
    for game in batch.games:
        check_game(game, batch.courses[game.course])


def submit_program(game: Any, r: int, slots: list[int]) -> None:
    """Robot r programs its registers with these slots of its hand; the rest of the hand goes to the discard pile."""
    hand = game.hand[r, : game.held[r]].tolist()
    rest = [card for slot, card in enumerate(hand) if slot not in slots]
    used = int(game.drawable[r]) + int(game.discarded[r])
    game.registers[r] = [hand[slot] for slot in slots]
    game.pile[r, used : used + len(rest)] = rest
    game.discarded[r] += len(rest)
    game.hand[r] = game.held[r] = 0


def begin_registers(game: Any) -> None:
    """The programs are submitted; the first register comes next."""
    game.register, game.step = 0, BEGIN_REGISTER


def differing_fields(one: Any, other: Any, but: tuple[str, ...] = ()) -> list[str]:
    """The names of the fields in which two records (or arrays of them) differ."""
    return [name for name in one.dtype.names if name not in but and not np.array_equal(one[name], other[name])]
