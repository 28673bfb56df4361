"""PettingZoo's own checks, for every kind of env."""

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test, state_test

from roborally_env import aec_env, parallel_env
from roborally_env.core import upgrades
from tests.api.helpers import ACTIONS, KINDS, as_bytes, buy_nothing, kind_name, legal_action, until_choice
from tests.games import both_games

# PettingZoo would rather have plain boxes than a dict with a mask
pytestmark = [
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:State is not in a common image format"),
]


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_the_parallel_env_passes_its_api_test(kind: dict[str, Any]) -> None:
    parallel_api_test(parallel_env(**kind), num_cycles=150)


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_the_parallel_env_passes_its_seed_test(kind: dict[str, Any]) -> None:
    parallel_seed_test(lambda: parallel_env(**kind), num_cycles=50)


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_the_aec_env_passes_its_api_and_seed_tests(kind: dict[str, Any]) -> None:
    api_test(aec_env(**kind), num_cycles=50)
    seed_test(lambda: aec_env(**kind), num_cycles=50)


@both_games
@pytest.mark.parametrize("action", ACTIONS)
def test_the_state_fits_its_space(action: str, rules: dict[str, Any]) -> None:
    options = {"action": action, "rules": rules}
    state_test(aec_env(**options), parallel_env(**options), num_cycles=20)


def test_without_a_mode_nothing_is_drawn_and_gymnasium_warns(capsys: pytest.CaptureFixture[str]) -> None:
    race = parallel_env()
    race.reset(seed=1)
    with pytest.warns(UserWarning, match="render"):
        assert race.render() is None
    assert capsys.readouterr().out == ""


@both_games
def test_an_open_choice_can_be_drawn(rules: dict[str, Any]) -> None:
    race, _, _ = until_choice(render_mode="ansi", rules=rules)
    assert "Death Trap, round" in str(race.render())


@both_games
def test_aec_agents_see_nothing_of_what_others_chose(rules: dict[str, Any]) -> None:
    """Neither while they program nor while one of them is asked for a purchase."""
    race, rng = aec_env(players=3, rules=rules), np.random.default_rng(0)
    race.reset(seed=3)
    for _ in range(5):  # up to three purchases, and programs
        assert race.agent_selection == "robot_0"
        before = {agent: as_bytes(race.observe(agent)) for agent in race.agents}
        for later in ("robot_1", "robot_2", "robot_0"):
            acting = race.agent_selection
            race.step(legal_action(race.observe(acting)["action_mask"], rng, race.action_space(acting)))
            assert race.agent_selection == later
            if later != "robot_0":
                assert {agent: as_bytes(race.observe(agent)) for agent in race.agents} == before


@both_games
def test_ten_lines_play_a_race(rules: dict[str, Any]) -> None:
    env = parallel_env("dizzy_highway", players=4, rules=rules)
    observations, infos = env.reset(seed=1)
    total: dict[str, Any] = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        actions = {a: env.action_space(a).sample(mask=observations[a]["action_mask"]) for a in env.agents}
        observations, rewards, _terminations, _truncations, infos = env.step(actions)
        for agent, reward in rewards.items():
            total[agent] += reward
    places = {agent: infos[agent]["place"] for agent in total}
    assert sum(places.values()) == pytest.approx(10)


def test_a_purchase_is_named_in_the_infos_and_in_the_picture() -> None:
    """The asked player gets the names of its options; nobody else is asked; declining leads on to the programs."""
    env = parallel_env(render_mode="ansi")
    _, infos = env.reset(seed=1)
    asked = []
    while not env.batch.programming[0]:
        seat = int(env.batch.games["ask_seat"][0])
        asked.append(seat)
        for r, agent in enumerate(env.agents):
            assert infos[agent]["decision"] == ("buy_upgrade" if r == seat else None)
        names = infos[env.agents[seat]]["options"]
        shop = [upgrades.NAMES[u] for u in env.batch.games["shop"][0] if u and upgrades.upgrade(u).cost <= 5]
        assert names == tuple(sorted(("no", *shop), key=upgrades.NAMES.index))
        assert "Dizzy Highway, round 1" in str(env.render())
        infos = buy_nothing(env)[4]
    assert sorted(asked) == [0, 1, 2, 3]
    assert {info["decision"] for info in infos.values()} == {"program"}
    assert {info["options"] for info in infos.values()} == {()}
