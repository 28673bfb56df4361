"""Shaping by a potential: whatever is played, the discounted shaping of a finished race adds up to minus the potential
at the first decision (Ng, Harada and Russell, ICML 1999), per step of the environment, whichever it is."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env import make_vec, parallel_env
from roborally_env.envs import RoboRallyEnv
from roborally_env.envs.sb3 import SB3VecEnv
from tests.games import LIGHTER, both_games

YARD = str(Path(__file__).parents[2] / "scripts" / "experiments" / "short_yard.toml")  # random programs end there soon
DISCOUNT = 0.9
SHAPED: dict[str, Any] = {"reward": "shaped", "discount": DISCOUNT, "max_rounds": None}
FORMS = pytest.mark.parametrize("form", ["program", "register"])


def sampled(space: Any, seed: int) -> Any:
    """The space, with a random stream of its own."""
    space.seed(seed)
    return space


def of_single(form: str, rules: dict[str, Any], seed: int) -> float:
    """The discounted shaping of a race of one seat against `greedy`."""
    env = RoboRallyEnv(["greedy"] * 3, seat=1, action=form, rules=rules, **SHAPED)
    observation, _ = env.reset(seed=1)
    space, total, weight, over = sampled(env.action_space, seed), 0.0, 1.0, False
    while not over:
        observation, reward, over, cut, info = env.step(space.sample(observation["action_mask"]))
        parts = info["rewards"]
        assert reward == pytest.approx(parts["race"] + parts["shaping"], abs=1e-6)
        assert not cut
        total, weight = total + weight * parts["shaping"], weight * DISCOUNT
    return total


def of_parallel(form: str, rules: dict[str, Any], seed: int) -> list[float]:
    """The same for each seat of a race of four that play at random."""
    env = parallel_env(YARD, action=form, rules=rules, **SHAPED)
    observations, _ = env.reset(seed=1)
    spaces = [sampled(env.action_space(agent), seed + i) for i, agent in enumerate(env.possible_agents)]
    total, weight = np.zeros(4), 1.0
    names = env.possible_agents
    while env.agents:
        actions = {a: s.sample(observations[a]["action_mask"]) for a, s in zip(names, spaces, strict=True)}
        observations, rewards, _, _, infos = env.step(actions)
        total += weight * np.array([infos[a]["rewards"]["shaping"] for a in names])
        assert all(
            rewards[a] == pytest.approx(infos[a]["rewards"]["race"] + infos[a]["rewards"]["shaping"], abs=1e-6)
            for a in names
        )
        weight *= DISCOUNT
    return total.tolist()


def of_vector(form: str, rules: dict[str, Any], seed: int) -> float:
    """The same for the first sub-env of a vector environment, whose seeds are those of `of_single`."""
    env = make_vec(2, opponents="greedy", seat=1, action=form, rules=rules, **SHAPED)
    observations, _ = env.reset(seed=1)
    space, total, weight, over = sampled(env.single_action_space, seed), 0.0, 1.0, False
    while not over:
        masks = observations["action_mask"]
        actions = np.array([space.sample(mask) for mask in masks])
        observations, rewards, ended, _, infos = env.step(actions)
        part = infos["rewards"]["shaping"][0]
        assert rewards[0] == pytest.approx(infos["rewards"]["race"][0] + part, abs=1e-6)
        total, weight, over = total + weight * part, weight * DISCOUNT, bool(ended[0])
    return total


def of_seats(form: str, rules: dict[str, Any], seed: int) -> list[float]:
    """The same for each seat of an environment of Stable-Baselines3."""
    env = SB3VecEnv(1, YARD, action=form, rules=rules, **SHAPED)
    env.seed(1)
    env.reset()
    generator = np.random.default_rng(seed)
    total, weight, over = np.zeros(env.num_envs), 1.0, False
    while not over:
        masks = env.action_masks()
        actions = np.array([drawn(env.action_space, mask, generator) for mask in masks])
        _, rewards, done, infos = env.step(actions)
        over = bool(done.all())
        race = [(5 - 2 * info["place"]) / 3 if over else 0.0 for info in infos]
        total, weight = total + weight * (rewards - np.array(race)), weight * DISCOUNT
    return total.tolist()


def drawn(space: Any, mask: np.ndarray, generator: np.random.Generator) -> Any:
    """An action that a flat mask allows; of several numbers each for itself."""
    sizes = space.nvec if hasattr(space, "nvec") else [space.n]
    parts = np.split(mask, np.cumsum(sizes)[:-1])
    found = [generator.choice(np.flatnonzero(part)) for part in parts]
    return np.array(found) if hasattr(space, "nvec") else found[0]


@FORMS
@both_games
@pytest.mark.parametrize("play", [of_single, of_parallel, of_vector, of_seats])
def test_the_discounted_shaping_of_a_race_does_not_depend_on_what_is_played(
    play: Any, form: str, rules: dict[str, Any]
) -> None:
    first, *others = (play(form, rules, seed) for seed in (1, 2, 3))
    assert np.min(first) > 0
    for other in others:
        np.testing.assert_allclose(other, first, atol=2e-5)


@FORMS
def test_without_a_discount_nothing_is_added(form: str) -> None:
    env = parallel_env(action=form, reward="shaped", rules=LIGHTER)
    env.reset(seed=1)
    assert env.unwrapped.batch.shaping_of_waiting() is None


def test_before_the_first_decision_there_is_no_reward() -> None:
    env = RoboRallyEnv(["greedy"] * 3, seat=0, decisions="all", **SHAPED)
    for seed in range(6):  # in some, others buy first
        _, info = env.reset(seed=seed)
        assert info["rewards"] == {"race": 0.0, "progress": 0.0, "shaping": 0.0}
