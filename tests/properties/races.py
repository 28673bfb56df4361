"""Batches of random races, and comparing them."""

import hashlib
from typing import Any

import numpy as np

from roborally_env.batch import BatchRace
from roborally_env.check import check_game
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER
from tests.games import FULL, deal_upgrades

COURSES = ["dizzy_highway", "twister", "chop_shop_challenge", "burnout", "undertow"]
PLAYERS = 4


def batch_of(num_games: int = 5, dealt: bool = False, **options: Any) -> BatchRace:
    """A batch of four-player races over several courses, cut after six rounds, so that new races begin soon.

    `dealt`: in a game with upgrades the first races begin with upgrades on all mats.
    """
    batch = BatchRace(num_games, **{"course": COURSES, "players": PLAYERS, "max_rounds": 6, "seed": 11, **options})
    if dealt and batch.upgrades:
        deal_upgrades(batch, 1)
    return batch


def steps_for(rounds: int, rules: dict[str, Any], decisions: str = "program") -> int:
    """Steps that a race of so many rounds takes about: with upgrades purchases and choices come between."""
    if rules != FULL:
        return rounds if decisions == "program" else 2 * rounds
    return rounds * (5 if decisions == "program" else 20)


def play(batch: BatchRace, steps: int, first: int = 0) -> list[str]:
    """So many steps of random legal programs and choices; a hash of everything that came out of each."""
    return [step_hash(batch, i) for i in range(first, first + steps)]


def step_hash(batch: BatchRace, i: int) -> str:
    """Step number i with random legal actions: of the games, observations, rewards, flags and results after it."""
    batch.sample(i)
    step = batch.step_prepared()
    arrays = [
        state_bytes(batch.games),
        step.rewards,
        step.terminated,
        step.truncated,
        batch.results,
        *step.observations.values(),
    ]
    arrays += batch.final_observations.values()
    return hashlib.sha256(b"".join(bytes(array) for array in arrays)).hexdigest()[:16]


def state_bytes(games: Any) -> bytes:
    """The bytes of every field of a record or an array of them, without the gaps between fields."""
    return b"".join(np.ascontiguousarray(games[name]).tobytes() for name in games.dtype.names)


def check_all(batch: BatchRace) -> None:
    """Every invariant of every game."""
    for game in batch.games:
        check_game(game, batch.courses[game.course])


def lay_program(game: Any, r: int, slots: list[int]) -> None:
    """Robot r lays these slots of its hand in the registers; the rest of the hand goes to the discard pile."""
    hand = game.hand[r, : game.held[r]].tolist()
    rest = [card for slot, card in enumerate(hand) if slot not in slots]
    used = int(game.drawable[r]) + int(game.discarded[r])
    game.registers[r] = [hand[slot] for slot in slots]
    game.pile[r, used : used + len(rest)] = rest
    game.discarded[r] += len(rest)
    game.hand[r] = game.held[r] = 0


def begin_registers(game: Any) -> None:
    """The programs are laid; the first register comes next."""
    game.register, game.step = 0, BEGIN_REGISTER


def differing_fields(one: Any, other: Any, but: tuple[str, ...] = ()) -> list[str]:
    """The names of the fields in which two records (or arrays of them) differ."""
    return [name for name in one.dtype.names if name not in but and not np.array_equal(one[name], other[name])]
