"""Wrong actions of the AEC form and wrong arguments are refused where they are given."""

import gymnasium
import numpy as np
import pytest

from roborally_env import BatchRace, RoboRallyError, aec_env, parallel_env


def test_an_aec_step_before_reset_is_refused():
    with pytest.raises(RoboRallyError, match="call reset"):
        aec_env(players=3).step([0, 1, 2, 3, 4])


@pytest.mark.parametrize("action", [np.arange(4), [0, 1, 2, 3, 9], "no", None, [0.0, 1.0, 2.0, 3.0, 4.0]])
def test_a_wrong_aec_action_is_refused_at_once_and_the_race_goes_on(action):
    env = aec_env(players=3)
    env.reset(seed=1)
    agent = env.agent_selection
    with pytest.raises(RoboRallyError, match=f"action of {agent}"):
        env.step(action)
    assert env.agent_selection == agent
    env.step([0, 1, 2, 3, 4])
    assert env.agent_selection != agent


def test_an_unknown_opponent_is_refused_when_the_env_is_made():
    with pytest.raises(RoboRallyError, match="did you mean greedy"):
        gymnasium.make("RoboRally-v0", opponents=["greddy", "random"])


def test_strict_is_a_truth_value():
    with pytest.raises(RoboRallyError, match="strict: expected True or False"):
        parallel_env(players=3, strict="yes")


def test_truth_values_are_no_program():
    with pytest.raises(RoboRallyError, match="programs: expected whole numbers, got dtype bool"):
        BatchRace(2, players=3).step(np.zeros((2, 3, 5), np.bool_))


def test_reset_options_are_a_dict():
    with pytest.raises(RoboRallyError, match="options: expected a dict"):
        parallel_env(players=3).reset(options=3)
