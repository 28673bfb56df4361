"""Pictures of envs: PettingZoo's and Gymnasium's own checks, wrappers, vectors, wrong values."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import RenderCollection
from pettingzoo.test import render_test

import roborally_env
from roborally_env import RoboRallyError, aec_env, make_vec, parallel_env
from roborally_env.envs import parallel
from tests.api.helpers import ACTIONS, legal_action, legal_actions

MODES = ["human", "rgb_array", "ansi"]


@pytest.fixture(autouse=True)
def quick_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that shows nothing and waits for nothing."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(parallel, "RENDER_FPS", 1000)


@pytest.mark.filterwarnings("ignore:The passed environment doesn't")
def test_pettingzoos_render_test_passes() -> None:
    assert roborally_env.env().metadata["render_modes"] == MODES
    render_test(roborally_env.env, custom_tests={"ansi": lambda text: "Dizzy Highway, round" in text and "@0" in text})


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("mode", MODES)
def test_gymnasiums_check_passes_with_pictures(mode: str) -> None:
    env = gymnasium.make("RoboRally-v0", opponents=["random"], render_mode=mode, disable_env_checker=True)
    assert env.metadata["render_fps"] > 0
    check_env(env.unwrapped, skip_render_check=mode == "human")
    env.close()


def test_gymnasiums_wrappers_record_a_race() -> None:
    """What RecordVideo does: an array after each reset and step, all of one form."""
    env = gymnasium.make("RoboRally-v0", opponents=["greedy", "random"], render_mode="rgb_array", render_size=400)
    recorded = RenderCollection(env)
    rng = np.random.default_rng(0)
    observation, _ = recorded.reset(seed=3)
    over, steps = False, 0
    while not over:
        observation, _, terminated, truncated, _ = recorded.step(
            legal_action(observation["action_mask"], rng, recorded.action_space)
        )
        over, steps = terminated or truncated, steps + 1
    frames = recorded.render()
    assert len(frames) == steps + 1
    assert {(frame.shape[1], frame.shape[2], frame.dtype.name) for frame in frames} == {(400, 3, "uint8")}


@pytest.mark.parametrize("action", ACTIONS)
def test_every_form_draws(action: str) -> None:
    env = parallel_env("interference", edition="2005", players=2, action=action, render_mode="rgb_array")
    assert env.metadata["render_modes"] == MODES
    observations, _ = env.reset(seed=1)
    first = env.render()
    rng = np.random.default_rng(0)
    for _ in range(8):
        observations = env.step(legal_actions(env, observations, rng))[0]
    assert isinstance(first, np.ndarray)
    assert (first != env.render()).any()


def test_agents_in_turn_draw_too() -> None:
    env = aec_env(render_mode="rgb_array", render_size=200)
    env.reset(seed=1)
    assert env.render().shape == (174, 200, 3)


def test_a_seed_gives_the_same_pictures() -> None:
    def frames() -> list[np.ndarray]:
        env = parallel_env("twister", render_mode="rgb_array", render_size=300)
        rng, (observations, _) = np.random.default_rng(2), env.reset(seed=5)
        found = []
        for _ in range(10):
            observations = env.step(legal_actions(env, observations, rng))[0]
            found.append(env.render())
        return found

    np.testing.assert_array_equal(frames(), frames())


def test_robots_are_named_after_who_plays_them() -> None:
    env = gymnasium.make("RoboRally-v0", opponents=["greedy", "random"], seat=1, render_mode="rgb_array")
    env.reset(seed=1)
    assert env.unwrapped.race.robot_names == ["greedy", "learner", "random"]
    one = env.render()
    env.unwrapped.race.robot_names = []
    assert (one != env.render()).any()


@pytest.mark.parametrize(("mode", "kind"), [("rgb_array", np.ndarray), ("ansi", str)])
def test_vector_envs_draw_each_race(mode: str, kind: type) -> None:
    envs = gymnasium.make_vec("RoboRally-v0", num_envs=3, opponents="random", render_mode=mode, render_size=200)
    with pytest.raises(RoboRallyError, match=r"render.*reset"):
        envs.render()
    envs.reset(seed=1)
    envs.step(envs.action_space.sample())
    drawn = envs.render()
    assert len(drawn) == 3
    assert all(isinstance(one, kind) for one in drawn)
    assert any((np.asarray(drawn[0]) != np.asarray(other)).any() for other in drawn[1:])
    assert mode in envs.metadata["render_modes"]


def test_a_vector_env_without_a_mode_draws_nothing() -> None:
    envs = make_vec(2, opponents="random")
    envs.reset(seed=1)
    assert envs.render() is None


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"render_mode": "rgb"}, "render_mode.*human, rgb_array, ansi"),
    (
        {"render_mode": "rgb_array", "render_size": 100},
        "render_size.*200.*4000",
    ),
    ({"render_size": 800.0}, "render_size"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_values_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RoboRallyError, match=message):
        parallel_env(**options)


def test_a_vector_env_has_no_window() -> None:
    with pytest.raises(RoboRallyError, match=r"render_mode.*rgb_array, ansi.*'human'"):
        make_vec(2, opponents="random", render_mode="human")
