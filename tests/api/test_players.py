"""Interference: an agent plays a racer and a blocker, or two agents play one each."""

from typing import Any

import numpy as np
import pytest

from roborally_env import ActionError, BatchRace, RoboRallyError, parallel_env
from roborally_env.envs import RoboRallyEnv
from tests.api.helpers import ACTIONS, DECISIONS, arrays, as_bytes, legal_action

COURSE = "interference"


def env_of(**options: Any) -> Any:
    """Two players with two robots each."""
    return parallel_env(COURSE, **{"players": 2, "max_rounds": 12, **options})


def both_actions(env: Any, observations: dict[str, Any], rng: np.random.Generator) -> dict[str, np.ndarray]:
    """A random legal action of both robots of each player."""
    robot = env.unwrapped.form.action_space
    halves = {a: np.split(observations[a]["action_mask"], 2) for a in env.possible_agents}
    return {a: np.hstack([legal_action(half, rng, robot) for half in pair]) for a, pair in halves.items()}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("observation", ["symbolic", "dict"])
def test_a_player_plays_both_robots(action: str, decisions: str, observation: str) -> None:
    env = env_of(action=action, decisions=decisions, observation=observation, strict=True)
    assert env.possible_agents == ["player_0", "player_1"]
    rng = np.random.default_rng(1)
    observations, infos = env.reset(seed=3)
    robots = set()
    for _ in range(60):
        actions = both_actions(env, observations, rng)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        for agent in env.possible_agents:
            assert env.action_space(agent).contains(both_actions(env, observations, rng)[agent])
            assert env.observation_space(agent).contains(observations[agent])
            assert infos[agent]["corrected"] == 0
            np.testing.assert_array_equal(infos[agent]["action_mask"], observations[agent]["action_mask"])
            robots.add(infos[agent]["robot"])
        if not env.agents:
            assert all(terminations.values()) or all(truncations.values())
            assert set(rewards) == {"player_0", "player_1"}
            assert sorted(info["place"] for info in infos.values()) in ([1, 2], [1.5, 1.5])
            observations, infos = env.reset()
    assert {"racer", "blocker"} <= robots if decisions == "all" else None in robots


def test_both_controls_play_the_same_race() -> None:
    player, robot = env_of(observation="dict"), env_of(control="robot", observation="dict")
    assert robot.possible_agents == [f"robot_{r}" for r in range(4)]
    mine, _ = player.reset(seed=5)
    its, _ = robot.reset(seed=5)
    rng = np.random.default_rng(2)
    for _ in range(15):
        for i, agent in enumerate(player.possible_agents):
            pair = [its[f"robot_{r}"] for r in (2 * i, 2 * i + 1)]
            assert as_bytes(mine[agent]["observation"]["racer"]) == as_bytes(pair[0]["observation"])
            assert as_bytes(mine[agent]["observation"]["blocker"]) == as_bytes(pair[1]["observation"])
            assert as_bytes(mine[agent]["action_mask"]) == as_bytes(
                np.concatenate([each["action_mask"] for each in pair])
            )
        actions = both_actions(player, mine, rng)
        halves = [half for action in actions.values() for half in np.split(action, 2)]
        mine, rewards, *_ = player.step(actions)
        its, robot_rewards, *_ = robot.step(dict(zip(robot.agents, halves, strict=True)))
        assert rewards == {"player_0": robot_rewards["robot_0"], "player_1": robot_rewards["robot_2"]}
        assert robot_rewards["robot_0"] == robot_rewards["robot_1"]
        if not player.agents:
            break
    assert not player.agents


def test_symbolic_observations_are_stacked() -> None:
    player, robot = env_of(), env_of(control="robot")
    mine, its = player.reset(seed=5)[0], robot.reset(seed=5)[0]
    for i in range(2):
        rows = [its[f"robot_{r}"]["observation"] for r in (2 * i, 2 * i + 1)]
        np.testing.assert_array_equal(mine[f"player_{i}"]["observation"], np.stack(rows))


def test_a_blocker_knows_itself_and_its_racer() -> None:
    observations, _ = env_of(control="robot", observation="dict").reset(seed=1)
    for r in range(4):
        seen = observations[f"robot_{r}"]["observation"]
        assert seen["role"].tolist() == [0, r % 2]
        others = [(r + i) % 4 for i in range(1, 4)]
        assert seen["others"][:, 14].tolist() == [float(q // 2 == r // 2) for q in others]
        assert seen["others"][:, 16].tolist() == [float(q % 2) for q in others]


def test_snapshots_and_renderings_of_player_envs() -> None:
    env = env_of(render_mode="ansi")
    observations, _ = env.reset(seed=1)
    kept = env.snapshot()
    rng = np.random.default_rng(3)
    actions = both_actions(env, observations, rng)
    first = env.step(actions)
    again, _ = env.restore(kept)
    assert as_bytes(again) == as_bytes(observations)
    assert as_bytes(env.step(actions)[0]) == as_bytes(first[0])
    assert "Interference, turn 2" in env.render()
    assert env.state_space.contains(env.state())
    kept = [a.copy() for a in arrays(first[0])]
    env.step(both_actions(env, first[0], rng))
    assert all(np.array_equal(a, b) for a, b in zip(arrays(first[0]), kept, strict=True))


WRONG: dict[str, tuple[Any, str]] = {
    "short": (np.zeros(6, np.int64), r"actions\['player_0'\].*12.*6"),
    "high": (np.full(12, 9), r"actions\['player_0'\]\[0\].*0.*8.*9"),
    "negative": (np.full(12, -1), r"actions\['player_0'\]\[0\].*0.*8.*1"),
    "words": ("abc", r"actions\['player_0'\]"),
}


@pytest.mark.parametrize(("action", "message"), WRONG.values(), ids=WRONG)
def test_wrong_actions_are_refused(action: Any, message: str) -> None:
    env = env_of()
    env.reset(seed=1)
    before = env.snapshot()
    with pytest.raises(ActionError, match=message):
        env.step({"player_0": action, "player_1": np.zeros(12, np.int64)})
    with pytest.raises(ActionError, match="'robot_0'"):
        env.step({"robot_0": action})
    assert env.snapshot() == before


def test_a_batch_has_a_row_for_each_robot() -> None:
    batch = BatchRace(2, COURSE, players=3)
    assert (batch.players, batch.robots_each) == (6, 2)
    assert batch.sample()[0].shape == (2, 6, 5)
    assert batch.games["team"][:, :6].tolist() == [[0, 0, 1, 1, 2, 2]] * 2
    with pytest.raises(RoboRallyError, match=r"players.*2.*4.*5"):
        BatchRace(1, COURSE, players=5)


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("decisions", DECISIONS)
def test_one_robot_against_the_others_for_gymnasium(action: str, decisions: str) -> None:
    """The learner is asked for its own decisions alone, and plays on while its robot is down or off the board."""
    env = RoboRallyEnv(
        ["random", "greedy", "random"], course=COURSE, seat=1, action=action, decisions=decisions, max_rounds=10,
        strict=True,
    )  # fmt: skip
    observation, info = env.reset(seed=4)
    rng = np.random.default_rng(1)
    for _ in range(300):
        assert info["seat"] == 1
        assert info["decision"] is not None
        observation, _, terminated, truncated, info = env.step(
            legal_action(observation["action_mask"], rng, env.action_space)
        )
        if terminated or truncated:
            assert info["place"] in (1.0, 1.5, 2.0)
            return
    raise AssertionError("the race did not end")


def test_a_gymnasium_race_needs_two_robots_a_player() -> None:
    with pytest.raises(RoboRallyError, match=r"opponents.*2.*3"):
        RoboRallyEnv(["random", "random"], course=COURSE)
    with pytest.raises(RoboRallyError, match="control"):
        RoboRallyEnv(course=COURSE, control="robot")
