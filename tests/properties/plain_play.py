"""Random races and scenarios, and a hash of how they came out.

python -m tests.properties.plain_play                       # compiled
NUMBA_DISABLE_JIT=1 python -m tests.properties.plain_play   # plain Python
"""

import hashlib
import json
from pathlib import Path

from roborally_env.base.errors import RoboRallyError
from roborally_env.scenario import load
from tests.games import FULL, LIGHTER
from tests.reference.e2016.generate import scenario
from tests.sizes import size

from . import test_2005, test_community
from .races import batch_of, check_all, play, step_hash

SCENARIOS = size(24, 120)
SMALL = Path(__file__).with_name("small")  # courses that are small: their distances in plain Python take a second
# the course, games, steps, and what is asked by which rules
RACES = {
    "lighter": (SMALL / "yard.toml", 8, 10, "program", LIGHTER),
    "lighter, all": (SMALL / "yard.toml", 4, 20, "all", LIGHTER),
    "purchases": (SMALL / "yard.toml", 5, 30, "program", FULL),
    "choices": (SMALL / "yard.toml", 5, size(35, 100), "all", {**FULL, "advanced": True}),
}
RACES_2005 = size(((4, 25, "all"),), ((5, 12, "program"), (4, 70, "all")))
COURSES_COMMUNITY = [SMALL / "stairs.toml"]
RACES_COMMUNITY = size(((4, 25, "all"),), ((4, 24, "program"), (4, 90, "all")))


def races(course: Path, games: int, steps: int, decisions: str, rules: dict[str, object]) -> str:
    """A hash of what comes out of some races: records, observations, masks, rewards, results."""
    batch = batch_of(games, course=course, decisions=decisions, rules=rules, dealt=True, seed=4)
    hashes = [step_hash(batch, i) for i in range(steps)]
    check_all(batch)
    return hashlib.sha256("".join(hashes).encode()).hexdigest()


def races_2005(games: int, steps: int, decisions: str) -> str:
    """The same of the 2005 edition."""
    batch = test_2005.batch_of(games, course="tricksy", decisions=decisions, observation="planes", seed=4)
    hashes = test_2005.play(batch, steps)
    check_all(batch)
    return hashlib.sha256("".join(hashes).encode()).hexdigest()


def races_community(games: int, steps: int, decisions: str) -> str:
    """The same of the community edition."""
    batch = test_community.batch_of(
        games, COURSES_COMMUNITY, decisions=decisions, observation="planes", max_rounds=30, seed=4
    )
    hashes = play(batch, steps)
    check_all(batch)
    return hashlib.sha256("".join(hashes).encode()).hexdigest()


def outcomes() -> list[object]:
    """The outcomes of random scenarios, events and all."""
    found: list[object] = []
    for seed in range(SCENARIOS):
        try:
            found.append(load(scenario(seed)).run())
        except RoboRallyError as error:
            found.append(str(error))
    return found


def digests() -> dict[str, str]:
    """A hash of each kind of races, and one of the scenarios."""
    found = {name: races(*RACES[name]) for name in size(("lighter", "choices"), tuple(RACES))}
    found |= {f"2005, {arguments[-1]}": races_2005(*arguments) for arguments in RACES_2005}
    found |= {f"community, {arguments[-1]}": races_community(*arguments) for arguments in RACES_COMMUNITY}
    return {**found, "scenarios": hashlib.sha256(json.dumps(outcomes()).encode()).hexdigest()}


if __name__ == "__main__":
    print(json.dumps(digests()))
