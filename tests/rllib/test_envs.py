"""RLlib's envs: RLlib's own check, masks, the order of seats and races, the registered name in a worker."""

import gc
import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from roborally_env import CourseError, RoboRallyError

ray = pytest.importorskip("ray")
pytest.importorskip("ray.rllib")

from ray.rllib.algorithms.ppo import PPOConfig  # noqa: E402
from ray.rllib.core.rl_module.rl_module import RLModuleSpec  # noqa: E402
from ray.rllib.utils.pre_checks.env import check_multiagent_environments  # noqa: E402

from roborally_env import parallel_env  # noqa: E402
from roborally_env.envs.rllib import (  # noqa: E402
    MaskedModule,
    ProgramDistribution,
    RaceMultiAgentEnv,
    RLlibVectorEnv,
    SeatEnv,
)
from tests.learning.nets import load_script  # noqa: E402

LIGHTER = {"rules": {"upgrades": False}, "max_rounds": 4}
FORMS = ["register", "program"]


@pytest.fixture(scope="module")
def local_ray():
    """A Ray of two cores."""
    ray.init("local", num_cpus=2, log_to_driver=False, include_dashboard=False)
    yield
    ray.shutdown()


@pytest.mark.parametrize("action", FORMS)
@pytest.mark.parametrize("game", [{}, LIGHTER, {"edition": "2005"}], ids=["2016", "lighter", "2005"])
def test_rllib_s_own_check(action, game):
    env = RaceMultiAgentEnv({"action": action, **game})
    check_multiagent_environments(env)
    observations, infos = env.reset(seed=1)
    assert infos == {}
    for agent, seen in observations.items():
        assert env.observation_spaces[agent].contains(seen)
        assert int(sum(np.atleast_1d(getattr(env.action_spaces[agent], "nvec", seen["action_mask"].size)))) == len(
            seen["action_mask"]
        )


@pytest.mark.parametrize("action", FORMS)
def test_the_seats_of_a_vector_are_the_agents_of_the_race(action):
    """Race g of the vector goes as `parallel_env` with the seed of its first seat."""
    options = {"action": action, "reward": "shaped", **LIGHTER}
    env = RLlibVectorEnv({"num_envs": 8, **options})
    races = [parallel_env(**options), parallel_env(**options)]
    seen, _ = env.reset(seed=5)
    its = [race.reset(seed=5 + 4 * g) for g, race in enumerate(races)]
    generator = np.random.default_rng(0)
    over = False
    while not over:
        for g, (observations, infos) in enumerate(its):
            for s, agent in enumerate(races[g].possible_agents):
                np.testing.assert_array_equal(seen["observation"][4 * g + s], observations[agent]["observation"])
                np.testing.assert_array_equal(seen["action_mask"][4 * g + s], infos[agent]["action_mask"])
        actions = legal(env, seen["action_mask"], generator)
        seen, rewards, terminated, truncated, _ = env.step(actions)
        its = []
        for g, race in enumerate(races):
            observations, given, *_, infos = race.step(dict(zip(race.possible_agents, actions[4 * g :], strict=False)))
            its.append((observations, infos))
            np.testing.assert_allclose(rewards[4 * g : 4 * g + 4], [*given.values()], atol=1e-6)
        over = bool((terminated | truncated).any())
    assert (terminated | truncated).all(), "both races are cut in the same round"
    np.testing.assert_array_equal(seen["observation"][0], its[0][0]["robot_0"]["observation"])
    seen, rewards, terminated, truncated, _ = env.step(actions)  # not read: the next races begin
    assert not (terminated | truncated | rewards.astype(bool)).any()
    assert not np.array_equal(seen["observation"][0], its[0][0]["robot_0"]["observation"])


def test_every_robot_of_a_team_race_is_a_sub_env():
    """A player of Interference has two robots, with a seat each."""
    env = RLlibVectorEnv({"num_envs": 8, "course": "2005/interference", "players": 2})
    seen, _ = env.reset(seed=1)
    assert (env.batch.num_games, env.batch.players) == (2, 4)
    _, rewards, *_ = env.step(legal(env, seen["action_mask"], np.random.default_rng(0)))
    assert rewards.shape == (8,)
    with pytest.raises(RoboRallyError, match=r"num_envs.*4.*6"):
        RLlibVectorEnv({"num_envs": 6, "course": "2005/interference", "players": 2})


YARD = str(Path(__file__).parents[2] / "scripts" / "experiments" / "short_yard.toml")


@pytest.mark.parametrize("infos", ["full", "numeric"])
def test_infos_at_the_end_of_a_race_say_who_has_won(infos):
    """One robot drives straight ahead as well as its cards allow; the others draw theirs."""
    config = {"course": YARD, "rules": {"upgrades": False}, "action": "register", "max_rounds": 12, "infos": infos}
    generator, won = np.random.default_rng(0), 0
    race, seat = RaceMultiAgentEnv({**config, "players": 2}), SeatEnv({**config, "opponents": ["greedy"], "seat": 0})
    for seed in range(4):
        seen, _ = race.reset(seed=seed)
        over = {"__all__": False}
        while not over["__all__"]:
            actions = {a: generator.choice(np.flatnonzero(each["action_mask"])) for a, each in seen.items()}
            seen, _, over, cut, infos_ = race.step(actions)
            over = {"__all__": over["__all__"] or cut["__all__"], "finished": over["__all__"]}
            assert set(infos_) == (set(race.possible_agents) if over["__all__"] else set())
        for info in infos_.values():
            assert info["is_success"] == (over["finished"] and info["place"] == 1)
        seen, info = seat.reset(seed=seed)
        finished = truncated = False
        while not (finished or truncated):
            assert info == {}
            seen, _, finished, truncated, info = seat.step(generator.choice(np.flatnonzero(seen["action_mask"])))
        assert info["is_success"] == (finished and info["place"] == 1)
        won += info["place"] == 2 and not info["is_success"]
    assert won


def test_a_race_begins_on_a_chosen_course_and_in_a_chosen_seat():
    courses = {"course": ["dizzy_highway", "death_trap", "twister"], **LIGHTER}
    for env in (RaceMultiAgentEnv(courses), SeatEnv({**courses, "opponents": ["random"] * 3})):
        race = env._env if isinstance(env, RaceMultiAgentEnv) else env.env.race
        for name in courses["course"]:
            env.reset(seed=1, options={"course": name})
            assert race.batch.course_slugs[0] == name
        for nothing in (None, {}):
            env.reset(seed=1, options=nothing)
        with pytest.raises(RoboRallyError, match="burnout"):
            env.reset(options={"course": "burnout"})
        with pytest.raises(RoboRallyError, match="'cuorse'"):
            env.reset(options={"cuorse": "twister"})
    env.reset(seed=1, options={"seat": 2})
    assert env.env.seat == 2
    env = RLlibVectorEnv({"num_envs": 8, **courses})
    env.reset(seed=1, options={"course": ["twister"] * 4 + [1] * 4})
    assert env.batch.course_slugs.tolist() == ["twister", "death_trap"]
    env.reset(seed=1, options={})
    with pytest.raises(RoboRallyError, match="burnout"):
        env.reset(options={"course": "burnout"})


def legal(env, masks, generator):
    """A legal value of each component for each row."""
    sizes = getattr(env.single_action_space, "nvec", [masks.shape[1]])
    parts = np.split(masks, np.cumsum(sizes)[:-1], axis=1)
    chosen = [[generator.choice(np.flatnonzero(row)) for row in part] for part in parts]
    actions = np.array(chosen).T
    return actions if len(sizes) > 1 else actions[:, 0]


@pytest.mark.parametrize("action", FORMS)
def test_the_module_gives_no_weight_to_what_is_not_legal(action):
    import torch

    env = RLlibVectorEnv({"num_envs": 8, "action": action, **LIGHTER})
    seen, _ = env.reset(seed=2)
    spec = RLModuleSpec(MaskedModule, env.single_observation_space, env.single_action_space, model_config={})
    module = spec.build()
    batch = {"obs": {name: torch.as_tensor(part) for name, part in seen.items()}}
    for forward in (module.forward_inference, module.forward_exploration, module.forward_train):
        out = forward(dict(batch))
        logits = out["action_dist_inputs"].detach().numpy()
        assert (logits[seen["action_mask"] == 0] < -1e30).all()
        assert (np.abs(logits[seen["action_mask"] == 1]) < 100).all()
        drawn = module.get_exploration_action_dist_cls().from_logits(out["action_dist_inputs"])
        assert torch.isfinite(drawn.entropy()).all()
    assert module.compute_values(batch).shape == (8,)


GAMES = {
    "lighter": LIGHTER,
    "2016": {"max_rounds": 6},
    "2005": {"edition": "2005", "max_rounds": 12},
    "2023": {"edition": "2023", "max_rounds": 6},
    "community": {"edition": "community", "max_rounds": 6},
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_drawn_programs_are_legal_and_have_no_card_twice(game):
    import torch

    torch.manual_seed(0)
    env = RLlibVectorEnv({"num_envs": 16, "action": "program", "seed": 1, **game})
    space = env.single_action_space
    module = RLModuleSpec(MaskedModule, env.single_observation_space, space, model_config={}).build()
    seen, _ = env.reset()
    for step in range(12):
        parts = {name: torch.as_tensor(part) for name, part in seen.items()}
        logits = module.forward_exploration({"obs": parts})["action_dist_inputs"]
        drawn = module.get_exploration_action_dist_cls().from_logits(logits)
        actions = (drawn.to_deterministic() if step % 2 else drawn).sample()
        assert actions.shape == (16, len(space.nvec))
        for found in (drawn.logp(actions), drawn.entropy(), drawn.kl(drawn)):
            assert torch.isfinite(found).all()
        assert (drawn.logp(actions) <= 0).all()
        seen, *_ = env.step(actions.numpy())
        assert not env.batch.corrected.any()


def test_entropy_and_divergence_of_programs():
    """Their means over draws are those of all programs."""
    import torch

    torch.manual_seed(0)
    sizes = [6] * 5 + [3]
    own, other = (torch.randn(33, dtype=torch.float64) for _ in range(2))
    made = [ProgramDistribution.from_logits(logits.expand(20_000, 33), sizes=sizes) for logits in (own, other)]
    every = torch.tensor([(*p, o) for p in itertools.permutations(range(6), 5) for o in range(3)])
    one, its = (ProgramDistribution.from_logits(logits.expand(len(every), 33), sizes=sizes) for logits in (own, other))
    chances = one.logp(every).exp()
    assert chances.sum().item() == pytest.approx(1)
    entropy = -(chances * one.logp(every)).sum().item()
    divergence = (chances * (one.logp(every) - its.logp(every))).sum().item()
    assert made[0].entropy().mean().item() == pytest.approx(entropy, rel=0.02)
    assert made[0].kl(made[1]).mean().item() == pytest.approx(divergence, rel=0.05)


@pytest.mark.parametrize("mode", ["vector_entry_point", "sync"])
def test_the_registered_name_works_in_a_worker(mode, local_ray):
    config = (
        PPOConfig()
        .environment("RoboRally-v0", env_config={"action": "register", **LIGHTER})
        .env_runners(num_env_runners=1, num_envs_per_env_runner=2, gym_env_vectorize_mode=mode)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
        .training(train_batch_size_per_learner=32, minibatch_size=32, num_epochs=1)
    )
    algorithm = config.build_algo()
    try:
        assert algorithm.train()["env_runners"]["num_env_steps_sampled"] >= 32
    finally:
        algorithm.stop()


WRONG = {
    "number": ({"num_envs": 6}, "num_envs.*4.*6"),
    "name": ({"actoin": "program"}, "env_config.*'actoin'.*action"),
    "action": ({"action": "cards"}, "action.*program, register, flat"),
}


@pytest.mark.parametrize(("config", "message"), WRONG.values(), ids=WRONG)
def test_wrong_values(config, message):
    with pytest.raises(RoboRallyError, match=message):
        RLlibVectorEnv(config)


def test_an_env_that_could_not_be_made_is_deleted_without_a_word(capsys):
    with pytest.raises(CourseError, match="'nowhere'"):
        RLlibVectorEnv({"course": "nowhere"})
    gc.collect()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("made", [RaceMultiAgentEnv, SeatEnv])
def test_other_observations_are_refused(made):
    with pytest.raises(RoboRallyError, match=r"observation.*symbolic.*'planes'"):
        made({"observation": "planes"})


def test_without_ray():
    code = "import sys; sys.modules['ray'] = None; import roborally_env.envs.rllib"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].endswith('needs RLlib and torch: pip install "roborally_env[ray]"')


def test_a_batch_below_a_minibatch_is_refused_by_the_script(capsys):
    train = load_script("train_rllib")
    with pytest.raises(SystemExit) as end:
        train.parse(["--batch", "511"])
    assert end.value.code == 2
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .endswith("error: --batch: expected 512 or more, the size of a minibatch, got 511")
    )
    assert train.parse(["--batch", "512"]).batch == 512


@pytest.mark.parametrize("name", ["RoboRally-v0", "roborally_env:RoboRally-v0"])
def test_the_default_module_with_masks_learns_from_one_seat_by_either_name(name, local_ray):
    config = (
        PPOConfig()
        .environment(name, env_config={"action": "register", **LIGHTER})
        .env_runners(num_env_runners=0)
        .training(train_batch_size_per_learner=40, minibatch_size=20, num_epochs=1)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
    )
    algorithm = config.build_algo()
    try:
        assert algorithm.train()["env_runners"]["num_env_steps_sampled"] >= 40
    finally:
        algorithm.stop()
