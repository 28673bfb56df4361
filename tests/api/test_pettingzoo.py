"""PettingZoo's own checks, for every kind of env."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test

import roborally_env
from roborally_env import aec_env, parallel_env
from tests.api.helpers import KINDS, kind_name, until_choice

# PettingZoo would rather have plain boxes than a dict with a mask
pytestmark = [
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:State is not in a common image format"),
]


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_the_parallel_env_passes_its_api_test(kind: dict[str, str]) -> None:
    parallel_api_test(parallel_env(**kind), num_cycles=150)


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_the_parallel_env_passes_its_seed_test(kind: dict[str, str]) -> None:
    parallel_seed_test(lambda: parallel_env(**kind), num_cycles=50)


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_the_aec_env_passes_its_api_and_seed_tests(kind: dict[str, str]) -> None:
    api_test(aec_env(**kind), num_cycles=50)
    seed_test(lambda: aec_env(**kind), num_cycles=50)


@pytest.mark.parametrize("action", ["program", "register", "flat"])
def test_the_state_fits_its_space(action: str) -> None:
    state_test(aec_env(action=action), parallel_env(action=action), num_cycles=20)


def test_rendering_gives_text(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(roborally_env.env, custom_tests={"ansi": lambda text: "Dizzy Highway, round" in text and "@0" in text})
    capsys.readouterr()


def test_the_human_mode_prints_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    race = parallel_env(render_mode="human")
    race.reset(seed=1)
    race.step({agent: range(5) for agent in race.agents})
    printed = capsys.readouterr().out
    assert "round 1" in printed
    assert "round 2" in printed
    assert race.render() is None


def test_without_a_mode_nothing_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    race = parallel_env()
    race.reset(seed=1)
    assert race.render() is None
    assert capsys.readouterr().out == ""


def test_an_open_choice_can_be_drawn() -> None:
    race, _, _ = until_choice(render_mode="ansi")
    assert "Death Trap, round" in str(race.render())


def test_aec_agents_see_nothing_of_what_others_chose() -> None:
    race = aec_env(players=3)
    race.reset(seed=3)
    before = race.observe("robot_1")["observation"].copy()
    race.step(np.arange(5))
    assert race.agent_selection == "robot_1"
    np.testing.assert_array_equal(race.observe("robot_1")["observation"], before)


def test_ten_lines_play_a_race() -> None:
    env = parallel_env("dizzy_highway", players=4)
    observations, infos = env.reset(seed=1)
    total: dict[str, Any] = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        actions = {a: env.action_space(a).sample(mask=observations[a]["action_mask"]) for a in env.agents}
        observations, rewards, _terminations, _truncations, infos = env.step(actions)
        for agent, reward in rewards.items():
            total[agent] += reward
    places = {agent: infos[agent]["place"] for agent in total}
    assert sum(places.values()) == pytest.approx(10)
