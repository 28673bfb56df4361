"""Wrong actions of the AEC form and wrong arguments are refused where they are given."""

import gymnasium
import numpy as np
import pytest

from roborally_env import ActionError, AgentError, BatchRace, RoboRallyError, aec_env, parallel_env
from tests.games import FULL, LIGHTER

# what a game's agents can do, and what they cannot
GOOD = {"upgrades": [0, 1, 2, 3, 4, 0], "lighter": [0, 1, 2, 3, 4]}
WRONG = [
    ("upgrades", np.arange(4)),
    ("upgrades", [0, 1, 2, 3, 4]),
    ("upgrades", [0, 1, 2, 3, 10, 0]),
    ("upgrades", [0, 1, 2, 3, 4, 42]),
    ("upgrades", None),
    ("lighter", np.arange(4)),
    ("lighter", [0, 1, 2, 3, 4, 0]),
    ("lighter", [0, 1, 2, 3, 9]),
    ("lighter", "no"),
    ("lighter", None),
    ("lighter", [0.0, 1.0, 2.0, 3.0, 4.0]),
]


def test_an_aec_step_before_reset_is_refused():
    with pytest.raises(RoboRallyError, match="reset"):
        aec_env(players=3).step(GOOD["upgrades"])


def test_an_aec_env_observes_known_agents_after_reset():
    env = aec_env(players=3)
    with pytest.raises(RoboRallyError, match="reset"):
        env.observe("robot_0")
    env.reset(seed=1)
    with pytest.raises(RoboRallyError, match="unknown agent 'x'; expected one of robot_0, robot_1, robot_2"):
        env.observe("x")
    assert env.observe("robot_1").keys() == env.last()[0].keys()


@pytest.mark.parametrize(("game", "action"), WRONG, ids=[f"{game} {action}" for game, action in WRONG])
def test_a_wrong_aec_action_is_refused_at_once_and_the_race_goes_on(game, action):
    env = aec_env(players=3, rules=FULL if game == "upgrades" else LIGHTER)
    env.reset(seed=1)
    agent = env.agent_selection
    with pytest.raises(ActionError, match=f"{agent}"):
        env.step(action)
    assert env.agent_selection == agent
    env.step(GOOD[game])
    assert env.agent_selection != agent


def test_an_unknown_opponent_is_refused_when_the_env_is_made():
    with pytest.raises(AgentError, match="greedy"):
        gymnasium.make("RoboRally-v0", opponents=["greddy", "random"])


def test_strict_is_a_truth_value():
    with pytest.raises(RoboRallyError, match="strict"):
        parallel_env(players=3, strict="yes")


def test_truth_values_are_no_program():
    with pytest.raises(ActionError, match="programs"):
        BatchRace(2, players=3).step(np.zeros((2, 3, 5), np.bool_))
