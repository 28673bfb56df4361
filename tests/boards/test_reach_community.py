"""The search for a way holds all that the reference of the community edition lets a lone robot do in a register."""

import random

import pytest

from roborally_env.courses import DIRECTIONS, course_from_map
from roborally_env.courses.reach import _Search
from tests.reference.community.generate import scenario
from tests.reference.community.race import play

MOVES = ("move_1", "move_2", "move_3", "back_up")
TURNS = ("turn_left", "turn_right", "u_turn")


def played(map, x, y, facing, card, register):
    """The robot after one register; those before it are filled with other cards."""
    before = ["turn_left", "turn_right"] * 2 if card in MOVES else ["move_1", "move_2"] * 2
    robot = {"x": x, "y": y, "facing": DIRECTIONS[facing], "registers": [*before[: register - 1], card]}
    span = {"from": register, "to": register}
    return play({"edition": "community", "map": map, "robots": [robot], "play": span})["robots"][0]


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_what_the_reference_does_the_search_finds(first):
    for seed in range(first, first + 50):
        map = {**scenario(seed, upgrades=False)["map"], "checkpoints": []}
        search = _Search(course_from_map(map, "community"))
        dice = random.Random(seed)
        floor = sorted(search.cells - search.pits - {search.antenna})
        for _ in range(8):
            (x, y), facing = dice.choice(floor), dice.randrange(4)
            card, register = dice.choice(MOVES + TURNS), dice.randint(1, 5)
            after = played(map, x, y, facing, card, register)
            found = set(search._register((x, y, facing), [(x, y)]))
            where = f"seed {seed}: {card} at {x}, {y} facing {DIRECTIONS[facing]} in register {register}"
            if after["destroyed"]:
                assert any(spot[0] < 0 for spot in found), where
            else:
                assert (after["x"], after["y"], DIRECTIONS.index(after["facing"])) in found, where
