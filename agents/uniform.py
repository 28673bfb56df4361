"""`random`: uniform over the legal programs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info

from roborally_env.core.chance import key_of, scaled, stream_word
from roborally_env.core.kernel import kernel
from roborally_env.core.seeing.random_actions import sample_option, sample_program

_SALT = np.uint64(0x52414E44)  # separates these random streams from others with the same key
_EIGHT, _ROUND = np.uint64(8), np.uint64(4096)  # words of a program and of a round: 8 seats of 8, and choices
_CHOICES, _ANSWERS = np.uint64(64), np.uint64(1 << 32)


@kernel
def _programs(games, rows, seats, seed, programs):
    """Fill `programs` [n, 5] for seat seats[k] of game rows[k], with random words of its round and seat only."""
    for k in range(rows.shape[0]):
        game = games[rows[k]]
        key = key_of(game.key, np.uint64(seed) ^ _SALT)
        counter = np.uint64(game.round_number) * _ROUND + np.uint64(seats[k]) * _EIGHT
        sample_program(game, seats[k], key, counter, programs, k)


@kernel
def _coins(games, rows, seats, seed, given):
    """Fill `given` [n] with 0 or 1, by random words of the round and the seat."""
    for k in range(rows.shape[0]):
        key = key_of(games[rows[k]].key, np.uint64(seed) ^ _SALT)
        counter = np.uint64(games[rows[k]].round_number) * _ROUND + np.uint64(seats[k]) * _EIGHT + np.uint64(7)
        given[k] = scaled(stream_word(key, counter), 2)


@kernel
def _options(games, rows, seed, choices):
    """Fill `choices` [n] for the open choice of game rows[k], by the random word of its place in the round."""
    for k in range(rows.shape[0]):
        game = games[rows[k]]
        key = key_of(game.key, np.uint64(seed) ^ _SALT)
        place = (np.uint64(game.register) * np.uint64(16) + np.uint64(game.step)) * _EIGHT + np.uint64(game.turn)
        # a step may ask the same seat several times: each answer has a word of its own
        counter = np.uint64(game.round_number) * _ROUND + _CHOICES + place * np.uint64(4) + np.uint64(game.answered & 3)
        counter += np.uint64(game.answered >> 2) * _ANSWERS
        choices[k] = sample_option(game, key, counter)


class RandomAgent:
    """Uniform over the legal programs of the hand, and over the options of each choice."""

    name = "random"
    needs_observation = False

    def __init__(self, seed: int = 0) -> None:
        self.seed = np.uint64(seed)

    def act(self, observations: NDArray[np.float32] | None, masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
        """See Agent.act."""
        programs = np.zeros((len(info.games), masks.shape[1]), np.int8)
        _programs(info.batch.games, info.games, info.seats, self.seed, programs)
        return programs

    def announce(self, observations: NDArray[np.float32] | None, info: Info) -> NDArray[np.int8]:
        """See Agent: by a coin."""
        given = np.zeros(len(info.games), np.int8)
        _coins(info.batch.games, info.games, info.seats, self.seed, given)
        return given

    def choose(
        self, observations: NDArray[np.float32] | None, choice_masks: NDArray[np.int8], info: Info
    ) -> NDArray[np.int8]:
        """See Agent."""
        choices = np.zeros(len(info.games), np.int8)
        _options(info.batch.games, info.games, self.seed, choices)
        return choices
