"""Races for Stable-Baselines3: the VecEnv contract in self-play and against agents, masks, ends, saving."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest

from roborally_env import AgentError, BatchRace, RoboRallyError, make_vec
from roborally_env.evaluation.tournament import evaluate
from tests.later import imported_later
from tests.learning.helpers import CREW, random_rows, row_of, same

with imported_later("stable_baselines3"):
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_checker import check_env
    from stable_baselines3.common.preprocessing import is_image_space
    from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor, VecNormalize

    from roborally_env.envs.sb3 import PlanesExtractor, SB3VecEnv
    from roborally_env.envs.sb3_agent import ModelAgent


SHORT: dict[str, Any] = {"max_rounds": 4, "reward": "shaped"}
LIGHTER: dict[str, Any] = {"rules": {"upgrades": False}}


def sizes_of(env: SB3VecEnv) -> list[int]:
    """How many values each component of an action has."""
    space = env.action_space
    return [int(space.n)] if isinstance(space, gymnasium.spaces.Discrete) else [int(n) for n in space.nvec]  # type: ignore[attr-defined]


def random_actions(env: SB3VecEnv, rng: np.random.Generator) -> np.ndarray:
    """Actions that the masks allow."""
    actions = random_rows(env.action_masks().astype(np.int8), sizes_of(env), rng)
    return actions[:, 0] if len(sizes_of(env)) == 1 else actions


def run(env: Any, steps: int, seed: int = 0) -> list[Any]:
    """What random steps give, as copies."""
    rng = np.random.default_rng(seed)
    return [copy.deepcopy(env.step(random_actions(env.unwrapped, rng))) for _ in range(steps)]


def test_sb3_s_checker_takes_the_gymnasium_env() -> None:
    check_env(gymnasium.make("RoboRally-v0", opponents=CREW).unwrapped)


@pytest.mark.parametrize("action", ["program", "register"])
def test_against_agents_it_goes_as_sb3_s_own_vec_env_of_single_envs(action: str) -> None:
    options: dict[str, Any] = {"opponents": CREW, "action": action, "seat": 1, **SHORT}
    singles = DummyVecEnv([lambda: Flat(gymnasium.make("RoboRally-v0", **options)) for _ in range(3)])
    env = SB3VecEnv(3, **options)
    assert env.observation_space == singles.observation_space
    assert env.action_space == singles.action_space
    singles.seed(9)
    env.seed(9)
    seen, own = singles.reset(), env.reset()
    rng, ends = np.random.default_rng(0), 0
    for _ in range(60 if action == "program" else 160):
        same(dict(seen), own)
        actions = random_actions(env, rng)
        seen, rewards, dones, infos = singles.step(actions)
        own, own_rewards, own_dones, own_infos = env.step(actions)
        same(tuple(np.asarray(x) for x in (rewards, dones)), (own_rewards, own_dones))
        for info, mine in zip(infos, own_infos, strict=True):
            assert ("terminal_observation" in info) == ("terminal_observation" in mine)
            if mine:
                ends += 1
                same(dict(info["terminal_observation"]), mine["terminal_observation"])
                shared = ("TimeLimit.truncated", "place", "course", "seat")
                assert {k: info[k] for k in shared} == {k: mine[k] for k in shared}
                assert mine["rounds"] == info["round"]
    assert ends > 5


class Flat(gymnasium.ObservationWrapper):  # type: ignore[type-arg]
    """One seat with its masks as one array, as SB3 needs them."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        size = int(np.sum(env.action_space.nvec)) if hasattr(env.action_space, "nvec") else int(env.action_space.n)
        self.observation_space = gymnasium.spaces.Dict(
            {
                "observation": env.observation_space["observation"],
                "action_mask": gymnasium.spaces.MultiBinary(size),
            }
        )

    def observation(self, observation: Any) -> Any:
        mask = observation["action_mask"]
        return {**observation, "action_mask": np.concatenate(mask) if isinstance(mask, tuple) else mask}


@pytest.mark.parametrize("rules", [{"upgrades": True}, {"upgrades": False}], ids=["complete", "lighter"])
def test_in_self_play_the_sub_envs_are_the_seats_of_a_batch(rules: dict[str, Any]) -> None:
    env = SB3VecEnv(3, rules=rules, seed=4, **SHORT)
    assert env.num_envs == 12
    assert len(set(env.get_attr("seat"))) == 4
    seen = env.reset()
    batch = BatchRace(3, rules=rules, **SHORT)
    batch.games[:] = env.batch.games
    batch.observe()
    rng, ends = np.random.default_rng(0), 0
    for _ in range(40):
        assert np.array_equal(seen["observation"], batch.observations["symbolic"].reshape(12, -1))
        actions = random_actions(env, rng)
        choices = actions[:, 5].reshape(3, 4) if rules["upgrades"] else None
        step = batch.step(actions[:, :5].reshape(3, 4, 5), choices)
        seen, rewards, dones, infos = env.step(actions)
        assert np.array_equal(rewards.reshape(3, 4), step.rewards)
        assert np.array_equal(dones.reshape(3, 4), np.repeat((step.terminated | step.truncated)[:, None], 4, axis=1))
        for row in np.flatnonzero(dones):
            ends += 1
            game, seat = divmod(int(row), 4)
            last = infos[row]["terminal_observation"]
            assert np.array_equal(last["observation"], batch.final_observations["symbolic"][game, seat])
            assert infos[row]["TimeLimit.truncated"] == step.truncated[game]
            assert infos[row]["is_success"] == (batch.results["winner"][game] == seat)
            assert infos[row]["place"] == batch.results["place"][game][seat]
    assert ends > 8


def test_a_race_that_is_won_is_no_truncation() -> None:
    env = SB3VecEnv(4, opponents="greedy", seed=1, max_rounds=100, **LIGHTER)
    env.reset()
    ends = [info for step in run(env, 40) for info in step[3] if info]
    assert {info["TimeLimit.truncated"] for info in ends} == {False}
    assert len(ends) >= 4


@pytest.mark.parametrize("edition", ["2016", "2005", "community"])
@pytest.mark.parametrize("action", ["program", "register"])
def test_masks_of_all_forms_are_kept_by_what_they_allow(edition: str, action: str) -> None:
    env = SB3VecEnv(4, edition=edition, action=action, seed=2, **SHORT)
    assert is_masking_supported(env)
    env.reset()
    rng = np.random.default_rng(1)
    corrected = 0
    for _ in range(60):
        masks = get_action_masks(env)
        assert masks.shape == (env.num_envs, sum(sizes_of(env)))
        assert masks.dtype == np.bool_
        assert np.array_equal(masks, env.env_method("action_masks"))
        seen, *_ = env.step(random_actions(env, rng))
        assert np.array_equal(seen["action_mask"], env.action_masks())
        corrected += env.batch.corrected.sum() if action == "register" else 0
    assert corrected == 0


def test_the_arrays_of_self_play_alternate() -> None:
    env = SB3VecEnv(2, seed=1, **LIGHTER)
    first = env.reset()["observation"]
    before = first.copy()
    actions = np.tile(np.arange(5), (8, 1))
    second = env.step(actions)[0]["observation"]
    assert np.array_equal(first, before)
    third = env.step(actions)[0]["observation"]
    assert np.shares_memory(first, third)
    assert not np.shares_memory(second, third)


@pytest.mark.parametrize("options", [{}, {"opponents": CREW}, {"action": "register"}], ids=str)
def test_a_saved_env_goes_on_exactly(options: dict[str, Any]) -> None:
    env = SB3VecEnv(3, seed=1, **SHORT, **options)
    env.reset()
    run(env, 13)
    state = copy.deepcopy(env.state_dict())
    expected = run(env, 30, seed=5)
    other = SB3VecEnv(3, seed=77, **SHORT, **options)
    other.load_state_dict(state)
    for a, b in zip(expected, run(other, 30, seed=5), strict=True):
        for x, y in zip(a, b, strict=True):
            same(tuple(x) if isinstance(x, list) else x, tuple(y) if isinstance(y, list) else y)


def test_the_same_seed_gives_the_same_races() -> None:
    env = SB3VecEnv(3, seed=1, **SHORT)
    seen = copy.deepcopy(env.reset())
    env.seed(1)
    assert np.array_equal(env.reset()["observation"], seen["observation"])
    assert not np.array_equal(env.reset()["observation"], seen["observation"])


@pytest.mark.parametrize("opponents", [None, CREW], ids=["self-play", "agents"])
def test_vec_monitor_counts_rewards_and_steps(opponents: Any) -> None:
    env = VecMonitor(SB3VecEnv(3, opponents=opponents, seed=1, **SHORT), info_keywords=("place", "rounds"))
    env.reset()
    returns, lengths, episodes = np.zeros(env.num_envs), np.zeros(env.num_envs), 0
    for _, rewards, dones, infos in run(env, 50):
        returns += rewards
        lengths += 1
        for row in np.flatnonzero(dones):
            episode = infos[row]["episode"]
            assert episode["l"] == lengths[row]
            assert episode["r"] == pytest.approx(returns[row], abs=1e-5)
            assert episode["place"] == infos[row]["place"]
            returns[row] = lengths[row] = 0
            episodes += 1
    assert episodes > 5


def test_vec_normalize_takes_the_vector_alone() -> None:
    env = VecNormalize(SB3VecEnv(3, seed=1, mask_in_observation=False, **SHORT, **LIGHTER))
    seen = env.reset()
    assert isinstance(env.observation_space, gymnasium.spaces.Box)
    assert seen.shape == (12, 282)


def weights(model: Any) -> bytes:
    """All weights as bytes."""
    return b"".join(value.detach().cpu().numpy().tobytes() for value in model.policy.state_dict().values())


@pytest.mark.parametrize("opponents", [None, "random"], ids=["self-play", "agents"])
def test_ppo_and_maskable_ppo_train_for_a_few_updates(opponents: Any) -> None:
    count = 8 if opponents is None else 32
    shared = {"n_steps": 16, "batch_size": 128, "n_epochs": 2, "seed": 1, "device": "cpu"}
    games = {"opponents": opponents, **LIGHTER, **SHORT}
    plain = PPO("MultiInputPolicy", VecMonitor(SB3VecEnv(count, **games)), **shared)
    masked = MaskablePPO("MultiInputPolicy", SB3VecEnv(count, action="register", **games), **shared)
    for model in (plain, masked):
        before = weights(model)
        model.learn(3 * 16 * model.n_envs)
        assert model.num_timesteps == 3 * 16 * 32
        assert weights(model) != before
    if opponents is None:
        # what was trained is an agent: exact masks, so nothing is repaired
        result = evaluate([ModelAgent(masked), "random"], games=4, players=4, rules=LIGHTER["rules"], max_rounds=8)
        assert result.rows[0].repairs == 0
        assert result.rows[0].races == 8


TINY: dict[str, Any] = {"n_steps": 8, "batch_size": 8, "n_epochs": 1, "seed": 1, "device": "cpu"}


@pytest.mark.parametrize("extractor", [None, PlanesExtractor], ids=["usual", "planes"])
def test_planes_are_no_image_and_have_an_extractor(extractor: Any) -> None:
    env = SB3VecEnv(2, observation="planes", action="register", seed=1, **LIGHTER, **SHORT)
    kwargs = {} if extractor is None else {"features_extractor_class": extractor}
    model = MaskablePPO("MultiInputPolicy", env, policy_kwargs=kwargs, **TINY)
    assert not is_image_space(env.observation_space["planes"])
    before = weights(model)
    model.learn(64)
    assert weights(model) != before
    if extractor:
        features = model.policy.features_extractor
        assert features.features_dim == 128 + sum(
            env.observation_space[name].shape[0] for name in ("features", "action_mask")
        )
        seen = model.policy.obs_to_tensor(env.reset())[0]
        turned = {**seen, "planes": seen["planes"].flip(1)}
        assert not torch.equal(features(seen), features(turned))
        with pytest.raises(RoboRallyError, match="SB3VecEnv"):
            extractor(gymnasium.spaces.Box(0, 1, (3,)))


@pytest.mark.parametrize(
    ("algorithm", "policy", "options"),
    [
        (PPO, "MlpPolicy", {"observation": "vector"}),
        (PPO, "MultiInputPolicy", {"masks": "flat", "infos": "numeric"}),
        (PPO, "MultiInputPolicy", {"masks": "registers", "infos": "mask", **LIGHTER}),
        (MaskablePPO, "MlpPolicy", {"observation": "vector", "action": "register", "infos": "mask"}),
    ],
    ids=["vector", "flat", "registers", "masked"],
)
def test_the_gymnasium_env_trains_as_it_is(algorithm: Any, policy: str, options: dict[str, Any]) -> None:
    model = algorithm(policy, gymnasium.make("RoboRally-v0", opponents=["random"], **SHORT, **options), **TINY)
    before = weights(model)
    model.learn(32)
    assert weights(model) != before


@pytest.mark.parametrize("action", ["program", "register"])
def test_every_sub_env_tells_its_numbers_at_each_step(action: str) -> None:
    options: dict[str, Any] = {"opponents": CREW, "action": action, "seat": 1, **SHORT, **LIGHTER}
    numeric = SB3VecEnv(3, infos="numeric", observation="vector", **options)
    masks = SB3VecEnv(3, infos="mask", **options)
    rows = make_vec(3, infos="numeric", autoreset_mode="SAME_STEP", observation="vector", **options)
    for env in (numeric, masks):
        env.seed(5)
        env.reset()
    same(row_of(rows.reset(seed=5)[1]["action_mask"], 1), numeric.reset_infos[1]["action_mask"])
    rng, ends = np.random.default_rng(0), 0
    for _ in range(80):
        actions = random_actions(numeric, rng)
        seen, rewards, dones, infos = numeric.step(actions)
        step_infos = masks.step(actions)[3]
        expected, _, _, _, theirs = rows.step(actions)
        np.testing.assert_array_equal(seen, expected)
        for i, info in enumerate(infos):
            own = theirs["final_info"] if dones[i] else theirs
            for name in (
                "corrected",
                "reward_race",
                "reward_shaping",
                "decision",
                "round",
                "course",
                "place",
                "is_success",
                "program",
            ):
                same(np.asarray(own[name][i]), np.asarray(info[name], own[name].dtype))
            for masked in (info, step_infos[i]):
                np.testing.assert_array_equal(masked["action_mask"], numeric.action_masks()[i])
            ended = {"terminal_observation", "TimeLimit.truncated", "is_success", "place", "rounds", "seat"}
            assert set(step_infos[i]) == {"action_mask", *(ended if dones[i] else ())}
            assert not any(isinstance(value, str) or value is None for value in info.values())
            assert rewards[i] == pytest.approx(info["reward_race"] + info["reward_shaping"], abs=1e-6)
        ends += dones.sum()
    assert ends > 5


def test_a_model_of_another_game_is_refused_as_an_agent() -> None:
    model = PPO("MultiInputPolicy", SB3VecEnv(1, **LIGHTER), n_steps=2, batch_size=2, device="cpu")
    with pytest.raises(AgentError, match=r"282.*580"):
        evaluate([ModelAgent(model, name="mine"), "random"], games=1, players=4)
    with pytest.raises(AgentError, match=r"predict\(\)"):
        ModelAgent("model.zip")


def test_wrong_values_are_named() -> None:
    for options, message in (
        ({"num_games": 0}, "num_games"),
        ({"seat": 1}, "seat"),
        ({"observation": "dict"}, "observation.*symbolic, planes"),
        ({"action": "x"}, "action"),
        ({"opponents": ["greedy"], "players": 3}, "opponents.*2.*3"),
        ({"players": 7}, "players"),
        ({"course": "dizzy"}, "dizzy"),
        ({"seed": -3}, "seed"),
    ):
        with pytest.raises(RoboRallyError, match=message):
            SB3VecEnv(**{"num_games": 2, **options})
    env = SB3VecEnv(2, seed=1, **LIGHTER)
    env.reset()
    for actions in (np.zeros((7, 5), np.int64), np.full((8, 5), 9), np.zeros((8, 5))):
        with pytest.raises(RoboRallyError, match="actions"):
            env.step(actions)
    with pytest.raises(RoboRallyError, match="opponents"):
        env.set_opponents("greedy")
    with pytest.raises(RoboRallyError, match="set_attr"):
        env.set_attr("seat", 1)
    with pytest.raises(AttributeError, match="action_masks"):
        env.env_method("jump")
    assert env.get_attr("render_mode", [0, 3]) == [None, None]
    assert env.env_is_wrapped(gymnasium.Wrapper, 2) == [False]
    assert not env.has_attr("nothing")


def test_a_model_trained_on_normalized_vectors_plays_with_their_statistics() -> None:
    from stable_baselines3.common.vec_env import VecNormalize

    from roborally_env.envs import sb3

    env = VecNormalize(SB3VecEnv(2, mask_in_observation=False, **LIGHTER, **SHORT), norm_reward=False)
    env.reset()
    env.step(np.zeros((env.num_envs, 5), np.int64))
    model = PPO("MlpPolicy", env, n_steps=4, batch_size=8, device="cpu")
    count, shown = env.obs_rms.count, []
    monkey = model.predict
    model.predict = lambda seen, **more: (shown.append(seen), monkey(seen, **more))[1]  # type: ignore[method-assign]
    evaluate([sb3.ModelAgent(model, normalize=env), "random"], games=1, players=4, rules=LIGHTER["rules"], max_rounds=2)
    assert env.obs_rms.count == count
    assert any(np.abs(seen).max() > 1.5 for seen in shown)
    with pytest.raises(AgentError, match="normalize"):
        sb3.ModelAgent(model, normalize=3)


def test_games_are_drawn_side_by_side_for_a_recorder() -> None:
    env = SB3VecEnv(2, render_mode="rgb_array", render_size=200, **LIGHTER, **SHORT)
    env.reset()
    assert VecMonitor(env).render_mode == "rgb_array"
    picture = env.render()
    assert picture is not None
    assert picture.size >= 2 * env.get_images()[0].size  # type: ignore[union-attr]
    assert env.metadata["render_fps"] > 0
    with pytest.raises(RoboRallyError, match="render_mode"):
        SB3VecEnv(2, render_mode="human", **LIGHTER, **SHORT)
