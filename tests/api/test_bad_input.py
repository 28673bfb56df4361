"""Wrong values are refused with RoboRallyError, which says what is wrong and what would be right."""

from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError, aec_env, parallel_env

ARGUMENTS = [
    ({"course": "dizzy_hihgway"}, "did you mean dizzy_highway"),
    ({"course": "no/such/file.toml"}, "no/such/file.toml"),
    ({"course": []}, "course: expected at least one course"),
    ({"course": 3}, "expected the name of a course"),
    ({"edition": "2017"}, "unknown edition '2017'"),
    ({"edition": "2005"}, "edition '2005' is not built yet"),
    ({"players": 1}, "players: expected a whole number from 2 to 6, got 1"),
    ({"players": 7}, "players: expected a whole number from 2 to 6, got 7"),
    ({"players": 2.0}, "players: expected a whole number"),
    ({"decisions": "some"}, "decisions: expected one of program, all"),
    ({"observation": "simbolic"}, "did you mean symbolic"),
    ({"observation": "none"}, "observation: expected one of symbolic, planes, dict"),
    ({"action": "flt"}, "did you mean flat"),
    ({"reward": "win"}, "reward: expected one of race, progress, shaped"),
    ({"discount": 1.5}, "discount: expected a number from 0 to 1"),
    ({"max_rounds": 0}, "max_rounds: expected a whole number from 1"),
    ({"rules": {"timr": True}}, "did you mean timer"),
    ({"rules": {"upgrades": True}}, "rules.upgrades: expected false"),
    ({"rules": "advanced"}, "rules: expected an object"),
    ({"render_mode": "rgb_array"}, "render_mode: expected one of ansi, human"),
]


@pytest.mark.parametrize("make", [parallel_env, aec_env])
@pytest.mark.parametrize(("arguments", "words"), ARGUMENTS, ids=[str(a) for a, _ in ARGUMENTS])
def test_wrong_arguments(make: Any, arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(RoboRallyError) as refused:
        make(**arguments)
    assert words in str(refused.value)


class Odd:
    """No number at all."""


# what robot_1 does, in each action form, and what is said about it
PROGRAMS = [
    (np.arange(4), "actions['robot_1']: expected shape (5,), got (4,)"),
    (np.zeros((1, 5), int), "expected shape (5,), got (1, 5)"),
    (3, "expected shape (5,), got ()"),
    (np.arange(5.0), "expected whole numbers, got dtype float64"),
    (np.ones(5, bool), "expected whole numbers, got dtype bool"),
    ([0, 1, 2, 3, "4"], "expected whole numbers"),
    ([0, 1, [2, 3], 4, 5], "expected whole numbers"),
    (None, "expected whole numbers"),
    (Odd(), "expected whole numbers"),
    ([0, 1, 2, 3, 9], "actions['robot_1'][4]: expected 0 to 8, got 9"),
    ([0, -1, 2, 3, 4], "actions['robot_1'][1]: expected 0 to 8, got -1"),
    (np.array([256, 1, 2, 3, 4]), "actions['robot_1'][0]: expected 0 to 8, got 256"),
    (np.array([2**64 - 1, 1, 2, 3, 4], np.uint64), "expected 0 to 8, got 18446744073709551615"),
    ([0, 1, 2, 3, 2**70], "expected whole numbers"),
]
NUMBERS = [
    (-1, "actions['robot_1']: expected 0 to {high}, got -1"),
    (20_000, "actions['robot_1']: expected 0 to {high}, got 20000"),
    (1.0, "expected whole numbers, got dtype float64"),
    (True, "expected whole numbers, got dtype bool"),
    ("1", "expected whole numbers"),
    ([1], "expected one whole number, got shape (1,)"),
    (None, "expected whole numbers"),
]


def refused(env: Any, actions: Any) -> str:
    """What is said about actions; nothing is played."""
    before = env.snapshot()
    with pytest.raises(RoboRallyError) as error:
        env.step(actions)
    assert env.snapshot() == before
    return str(error.value)


@pytest.mark.parametrize(("action", "words"), PROGRAMS, ids=[repr(a)[:30] for a, _ in PROGRAMS])
def test_wrong_programs(action: Any, words: str) -> None:
    env = parallel_env()
    env.reset(seed=1)
    assert words in refused(env, {agent: range(5) for agent in env.agents} | {"robot_1": action})


@pytest.mark.parametrize("form", ["register", "flat"])
@pytest.mark.parametrize(("action", "words"), NUMBERS, ids=[repr(a) for a, _ in NUMBERS])
def test_wrong_numbers(form: str, action: Any, words: str) -> None:
    env = parallel_env(action=form)
    env.reset(seed=1)
    high = 8 if form == "register" else 15119
    assert words.format(high=high) in refused(env, dict.fromkeys(env.agents, 0) | {"robot_1": action})


def test_wrong_choices() -> None:
    env = parallel_env(decisions="all")
    env.reset(seed=1)
    everybody = {agent: [0, 1, 2, 3, 4, 0] for agent in env.agents}
    wrong = refused(env, everybody | {"robot_0": [0, 1, 2, 3, 4, 5]})
    assert "actions['robot_0'][5]: expected 0 to 4, got 5" in wrong
    assert "expected shape (6,)" in refused(env, everybody | {"robot_0": [0, 1, 2, 3, 4]})


@pytest.mark.parametrize("form", ["program", "register", "flat"])
def test_missing_and_unknown_agents(form: str) -> None:
    env = parallel_env(action=form)
    env.reset(seed=1)
    action = range(5) if form == "program" else 0
    everybody = dict.fromkeys(env.agents, action)
    three = {agent: action for agent in env.agents if agent != "robot_2"}
    assert "'robot_2' has no action" in refused(env, three)
    assert "'robot_0' has no action" in refused(env, {})
    assert "unknown agent 'robot_4'" in refused(env, everybody | {"robot_4": action})
    assert "unknown agent 'robot-2' (did you mean robot_2" in refused(env, three | {"robot-2": action})
    assert "expected a dict" in refused(env, [action] * 4)
    assert "expected a dict" in refused(env, None)
    for space in (env.observation_space, env.action_space):
        with pytest.raises(RoboRallyError, match="unknown agent 'robot_4'"):
            space("robot_4")


@pytest.mark.parametrize("form", ["program", "register", "flat"])
def test_nothing_but_reset_before_reset(form: str) -> None:
    env = parallel_env(action=form, render_mode="ansi")
    for call in (env.state, env.render, env.snapshot, lambda: env.step({})):
        with pytest.raises(RoboRallyError, match=r"call reset\(\) first"):
            call()
