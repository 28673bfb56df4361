"""What the tests of the interfaces share."""

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete

from roborally_env import parallel_env
from tests.games import FULL, LIGHTER
from tests.sizes import pairs

OBSERVATIONS = ("symbolic", "planes", "dict")
ACTIONS = ("program", "register", "flat")
DECISIONS = ("program", "all")
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (("2016", FULL), ("2016", LIGHTER), ("2005", {}), ("community", {}))


KINDS: list[dict[str, Any]] = [
    {"observation": o, "action": a, "decisions": d, "rules": r, "edition": e}
    for (e, r), o, a, d in pairs(GAMES, OBSERVATIONS, ACTIONS, DECISIONS)
]
BUSY = "death_trap"  # a course of all editions with many pits: reboots, so choices, come soon


def kind_name(kind: dict[str, Any]) -> str:
    """A test's id."""
    names = [value for value in kind.values() if isinstance(value, str)]
    return "-".join([*names, *["lighter"] * (kind["rules"] == LIGHTER)])


def legal_actions(env: Any, observations: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """A random legal action for each agent, from its mask alone."""
    return {a: legal_action(observations[a]["action_mask"], rng, env.action_space(a)) for a in env.agents}


def parts_of_mask(env: Any, observation: dict[str, Any]) -> list[np.ndarray]:
    """The masks of the components of an action in an agent's observation."""
    return masks_of(env.action_space(env.possible_agents[0]), observation["action_mask"])


def masks_of(space: Any, mask: np.ndarray) -> list[np.ndarray]:
    """The mask of each component of an action."""
    return np.split(mask, np.cumsum(getattr(space, "nvec", [len(mask)]))[:-1])


def legal_action(mask: np.ndarray, rng: np.random.Generator, space: Any) -> Any:
    """One random legal action. In the `program` form a slot is used once, which its masks cannot say."""
    if isinstance(space, Discrete):
        return rng.choice(np.flatnonzero(mask))
    slots: list[int] = []
    masks = masks_of(space, mask)
    for legal in masks[:5]:
        free = [i for i in np.flatnonzero(legal) if i not in slots]
        slots.append(int(rng.choice(free)) if free else 0)  # none is free where no program is wanted
    return np.array([*slots, *(rng.choice(np.flatnonzero(m)) for m in masks[5:])])


def play(env: Any, seed: int, steps: int) -> Iterator[tuple[dict[str, Any], Any]]:
    """(actions, what the step gave) of random legal play, over as many races as it takes."""
    rng = np.random.default_rng(seed)
    observations, _ = env.reset(seed=seed)
    for _ in range(steps):
        actions = legal_actions(env, observations, rng)
        result = env.step(actions)
        yield actions, result
        observations = result[0] if env.agents else env.reset()[0]


def situations(env: Any, steps: int) -> Iterator[Any]:
    """The env in the middle of races of random legal play."""
    for _ in play(env, 3, steps):
        if env.agents:
            yield env


def refreshed(env: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Observations and infos of a race whose record was changed."""
    given: tuple[dict[str, Any], dict[str, Any]] = env.restore(env.snapshot())
    return given


def until_choice(
    steps: int = 3000, kinds: Collection[str] = (), **options: Any
) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """(env, observations, infos) of a race that waits for a choice; of one of these kinds, if any are given."""
    env = parallel_env(BUSY, **{"decisions": "all", "max_rounds": None, **options})
    for _, (observations, _, _, _, infos) in play(env, 5, steps):
        asked = {info["decision"] for info in infos.values()} - {"program", None}
        if env.agents and asked and (not kinds or asked & set(kinds)):
            return env, observations, infos
    raise AssertionError("no choice came up")


def start(env: Any, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Begin the race of a seed, decline every purchase; observations and infos when programs are wanted."""
    given = env.reset(seed=seed)
    while not env.batch.programming[0]:
        given = buy_nothing(env)[::4]
    return given


def buy_nothing(env: Any) -> Any:
    """A step in which the player that is asked for a purchase declines."""
    asked = int(env.batch.games["ask_seat"][0])
    return env.step({agent: env.encode(range(5), int(r == asked)) for r, agent in enumerate(env.agents)})


def arrays(value: Any) -> list[np.ndarray]:
    """All arrays in nested dicts and tuples, in order."""
    if isinstance(value, dict):
        return [a for part in value.values() for a in arrays(part)]
    if isinstance(value, (tuple, list)):
        return [a for part in value for a in arrays(part)]
    return [value] if isinstance(value, np.ndarray) else []


def as_bytes(value: Any) -> bytes:
    """The arrays' bytes, to compare observations by."""
    return b"".join(a.tobytes() for a in arrays(value))
