"""Random races and scenarios played by calling the core's functions one by one, and a hash of how they came out.

python -m tests.properties.plain_play                       # compiled
NUMBA_DISABLE_JIT=1 python -m tests.properties.plain_play   # plain Python
"""

import hashlib
import json
import random

import numpy as np

from roborally_env.core.advance import advance
from roborally_env.core.cards import AGAIN
from roborally_env.core.editions.steps2016 import PROGRAM
from roborally_env.core.setup import begin_race
from roborally_env.core.state import REGISTERS, game_dtype
from roborally_env.courses import load_course
from roborally_env.courses.tables import tables_of
from roborally_env.errors import RoboRallyError
from roborally_env.scenario import load
from tests.reference.generate import scenario

from .races import begin_registers, lay_program

COURSES = ("dizzy_highway", "gear_stripper", "chop_shop_challenge")
GAMES, ROUNDS, SCENARIOS, SEATS = 12, 6, 150, 4


def races() -> np.ndarray:
    """Games after some rounds of random legal programs."""
    courses = np.concatenate([tables_of(load_course(name)) for name in COURSES])
    games = np.zeros(GAMES, game_dtype(SEATS))
    games["seed"], games["players"] = np.arange(GAMES), SEATS
    for game in games:
        begin_race(courses, game)
        dice = random.Random(int(game.seed))
        for _ in range(ROUNDS):
            advance(courses[game.course], game)
            if game.step == PROGRAM:
                for r in range(SEATS):
                    lay_program(game, r, random_slots(dice, game.hand[r, : game.held[r]].tolist()))
                begin_registers(game)
        advance(courses[game.course], game)
    return games


def random_slots(dice: random.Random, hand: list[int]) -> list[int]:
    """Five slots of a hand, no Again in the first register."""
    first = dice.choice([slot for slot, card in enumerate(hand) if card != AGAIN])
    return [first, *dice.sample([slot for slot in range(len(hand)) if slot != first], REGISTERS - 1)]


def outcomes() -> list[object]:
    """The outcomes of random scenarios, events and all."""
    found: list[object] = []
    for seed in range(SCENARIOS):
        try:
            found.append(load(scenario(seed)).run())
        except RoboRallyError as error:
            found.append(str(error))
    return found


def digests() -> list[str]:
    """One hash of the races, one of the scenarios."""
    games = races()
    fields = hashlib.sha256(b"".join(games[name].tobytes() for name in games.dtype.names)).hexdigest()
    return [fields, hashlib.sha256(json.dumps(outcomes()).encode()).hexdigest()]


if __name__ == "__main__":
    print(json.dumps(digests()))
