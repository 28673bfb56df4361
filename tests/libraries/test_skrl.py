"""Races for skrl: its wrapper takes the spaces, vectors and state; IPPO and MAPPO learn."""

from typing import Any

import pytest

from roborally_env import parallel_env

torch = pytest.importorskip("torch")
wrap = pytest.importorskip("skrl.envs.wrappers.torch")


@pytest.fixture
def env() -> Any:
    race = parallel_env(
        action="register", observation="vector", infos="numeric", rules={"upgrades": False}, max_rounds=2
    )
    return wrap.wrap_env(race, wrapper="pettingzoo")


def test_the_wrapper_has_vectors_actions_and_the_state(env: Any) -> None:
    observations, _ = env.reset()
    for agent in env.possible_agents:
        assert observations[agent].shape == (1, *env.observation_spaces[agent].shape)
        assert env.state()[agent].shape == (1, *env.state_spaces[agent].shape)
    for _ in range(10):
        actions = {a: torch.tensor([[env.action_spaces[a].sample()]]) for a in env.possible_agents}
        observations, _, terminated, truncated, _ = env.step(actions)
    assert all(truncated[agent].item() or terminated[agent].item() for agent in env.possible_agents)
