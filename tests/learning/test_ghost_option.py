"""`ghost=True`: the register form shows where the cards chosen so far take the robot alone."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, parallel_api_test
from roborally_env.agents.registers import KINDS, begin_program, take_card

from roborally_env import RoboRallyError, aec_env, make_vec, parallel_env
from roborally_env.core.searching import ghost
from roborally_env.core.state import REGISTERS
from roborally_env.courses.tables import MAX_CHECKPOINTS
from tests.api.helpers import legal_actions
from tests.games import LIGHTER
from tests.learning.test_vector import check_against_single_envs
from tests.sizes import some

EDITIONS: list[dict[str, Any]] = [
    {"edition": "2016"}, {"rules": LIGHTER}, {"edition": "2005"}, {"edition": "2023"}, {"edition": "community"},
]  # fmt: skip
names = ["complete", "lighter", "2005", "2023", "community"]
every_edition = pytest.mark.parametrize("options", some(dict(zip(names, EDITIONS, strict=True)), usual=["complete"]))


def env_of(**options: Any) -> Any:
    return parallel_env("death_trap", action="register", ghost=True, max_rounds=8, **options)


class Followed:
    """The ghost of a seat, moved card by card as the agent `ppo` moves it."""

    def __init__(self, env: Any, seat: int) -> None:
        self.env, self.seat, self.k, self.used = env, seat, 0, 0
        self.maps, self.game = env.unwrapped.batch.maps, env.unwrapped.batch.games[0]
        self.pose = np.zeros(ghost.POSE, np.int32)
        self.places = np.zeros((REGISTERS + 1, MAX_CHECKPOINTS), np.int64)
        self.counts = np.zeros(KINDS, np.float32)
        self.shut = begin_program(self.maps, self.game, seat, self.pose, self.places, self.counts)

    def choose(self, slot: int) -> None:
        slot = take_card(
            self.maps, self.game, self.seat, self.k, np.zeros(KINDS, np.float32), -1.0, slot, self.pose, self.places,
            self.shut, self.counts, self.used,
        )[0]  # fmt: skip
        self.used |= 0 if slot < 0 else 1 << int(slot)
        self.k += 1

    def look(self) -> np.ndarray:
        out = np.zeros(ghost.SIZE, np.float32)
        if self.env.batch.programmed[0, self.seat] and self.k < REGISTERS:
            ghost.write_ghost(self.maps, self.game, self.seat, self.k, self.places, self.pose, self.counts, out)
        return out


@every_edition
def test_the_part_is_the_ghost_after_each_card(options: dict[str, Any]) -> None:
    env = env_of(observation="dict", **options)
    rng, seen = np.random.default_rng(1), 0
    observations, _ = env.reset(seed=3)
    followed: list[Followed] = []
    for _ in range(160):
        if not env.agents:
            observations, _ = env.reset()
        if not env.choosing and env.register == 0:
            followed = [Followed(env, r) for r in range(4)]
        for r, agent in enumerate(env.agents):
            part = observations[agent]["observation"]["ghost"]
            assert env.observation_space(agent).contains(observations[agent])
            np.testing.assert_array_equal(part, np.zeros(ghost.SIZE) if env.choosing else followed[r].look())
            seen += bool(part.any())
        actions = legal_actions(env, observations, rng)
        if not env.choosing and env.register < REGISTERS:
            for r, agent in enumerate(env.agents):
                followed[r].choose(int(actions[agent]))
        observations = env.step(actions)[0]
    assert seen > 200


@every_edition
def test_the_vector_env_shows_what_single_envs_show(options: dict[str, Any]) -> None:
    check_against_single_envs(AutoresetMode.SAME_STEP, action="register", ghost=True, steps=120, **options)


def test_the_part_comes_last_in_vectors_and_in_features() -> None:
    seen = {}
    for observation in ("dict", "symbolic", "planes", "vector"):
        given, _ = env_of(observation=observation, rules=LIGHTER).reset(seed=1)
        seen[observation] = given["robot_1"]
    part = seen["dict"]["observation"]["ghost"]
    assert list(seen["dict"]["observation"])[-1] == "ghost"
    assert part.shape == (ghost.SIZE,)
    features = seen["planes"]["observation"]["features"]
    for vector in (seen["symbolic"]["observation"], features, seen["vector"]):
        np.testing.assert_array_equal(vector[-ghost.SIZE :], part)


def test_bytes_stand_for_the_same_ghost() -> None:
    floats, codes = (
        make_vec(4, action="register", ghost=True, dtype=dtype, seed=1, rules=LIGHTER) for dtype in ("float32", "uint8")
    )
    for env in (floats, codes):
        env.reset(seed=1)
    first, second = (env.step(np.zeros(4, np.int64))[0]["observation"] for env in (floats, codes))
    decoded = codes.rows.encoding.decode(second)[:, -ghost.SIZE :]
    exact = np.abs(decoded - first[:, -ghost.SIZE :]) < 1e-6
    assert exact.mean() > 0.99
    np.testing.assert_allclose(decoded, first[:, -ghost.SIZE :], atol=0.02)


@pytest.mark.parametrize("options", [{}, {"edition": "2005"}], ids=["2016", "2005"])
def test_a_race_goes_on_from_the_middle_of_a_program(options: dict[str, Any]) -> None:
    env = env_of(**options)
    observations, _ = env.reset(seed=2)
    rng = np.random.default_rng(0)
    while env.choosing or env.register != 3:
        observations = env.step(legal_actions(env, observations, rng))[0]
    snapshot, copy = env.snapshot(), pickle.loads(pickle.dumps(env))
    other = env_of(**options)
    other.reset(seed=9)
    restored, _ = other.restore(snapshot)
    for agent, seen in observations.items():
        np.testing.assert_array_equal(restored[agent]["observation"], seen["observation"])
    for _ in range(12):
        actions = legal_actions(env, observations, rng)
        observations, same, again = (each.step(actions)[0] for each in (env, other, copy))
        for agent, seen in observations.items():
            np.testing.assert_array_equal(same[agent]["observation"], seen["observation"])
            np.testing.assert_array_equal(again[agent]["observation"], seen["observation"])


def test_a_vector_env_goes_on_from_the_middle_of_a_program() -> None:
    one, two = (make_vec(3, action="register", ghost=True, seed=1, rules=LIGHTER) for _ in range(2))
    one.reset(seed=1)
    one.step(np.zeros(3, np.int64))
    two.reset(seed=8)
    two.load_state_dict(one.state_dict())
    for _ in range(8):
        first, second = (env.step(np.ones(3, np.int64))[0]["observation"] for env in (one, two))
        np.testing.assert_array_equal(first, second)


@pytest.mark.filterwarnings("ignore")
def test_the_checks_of_pettingzoo_and_gymnasium_pass() -> None:
    parallel_api_test(env_of(), num_cycles=60)
    api_test(aec_env("death_trap", action="register", ghost=True), num_cycles=40)
    single = gymnasium.make("roborally_env:RoboRally-v0", action="register", ghost=True)
    check_env(single.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("action", ["program", "flat"])
def test_other_forms_have_no_ghost(action: str) -> None:
    message = f"^ghost.*action=\"register\".*ghost=True.*action='{action}'$"
    for make in (parallel_env, aec_env, lambda **options: make_vec(2, **options)):
        with pytest.raises(RoboRallyError, match=message):
            make(action=action, ghost=True)
    with pytest.raises(RoboRallyError, match=r"^ghost.*1"):
        parallel_env(action="register", ghost=1)  # type: ignore[arg-type]


def test_both_robots_of_a_player_have_a_ghost() -> None:
    env = parallel_env("interference", players=3, action="register", ghost=True)
    seen = env.reset(seed=1)[0]["player_0"]
    assert env.observation_space("player_0").contains(seen)
    assert (np.abs(seen["observation"][:, -ghost.SIZE :]).sum(1) > 0).all()


def test_stable_baselines3_and_its_agents_see_the_ghost() -> None:
    pytest.importorskip("stable_baselines3")
    from roborally_env.agents import Info

    from roborally_env.envs.sb3 import SB3VecEnv
    from roborally_env.envs.sb3_agent import ModelAgent

    env = SB3VecEnv(2, action="register", ghost=True, seed=1, max_rounds=5, rules=LIGHTER)
    seen = env.reset()
    assert env.observation_space.contains({name: part[0] for name, part in seen.items()})
    assert env.shapes["ghost"] == (ghost.SIZE,)
    lengths = []

    class Model:
        observation_space, action_space = env.observation_space, env.action_space

        def predict(self, shown: Any, deterministic: bool) -> tuple[Any, None]:
            lengths.append(shown["observation"].shape[1])
            return shown["action_mask"].argmax(1), None

    batch = env.batch
    info = Info(batch, np.array([0, 1]), np.array([0, 2]))
    masks = batch.observations["masks"][info.games, info.seats]
    assert ModelAgent(Model()).act(None, masks, info).shape == (2, 5)
    assert set(lengths) == {seen["observation"].shape[1]}
