"""The libraries that `check_libraries.py` checks, a class each. What a class imports is installed by an extra."""

from __future__ import annotations

import importlib.metadata
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.append(str(Path(__file__).parents[1]))  # of train_torchrl.py and train_rllib.py
CLOCK = time.process_time  # seconds of one core, so that a busy machine does not shorten the training
REGISTERS = 5
# the races of every env. On a printed course a card says next to nothing about the way that its program makes: a
# network must first learn how turns and moves add up, for which a minute is too short. Here the way is straight ahead
RACES: dict[str, Any] = {
    "course": str(Path(__file__).with_name("short_yard.toml")),
    "reward": "shaped",
    "max_rounds": 30,
    "rules": {"upgrades": False},
}
# the same for every learner that programs card by card: its library's PPO with these, and two layers of 64
DISCOUNT = 0.95  # of a card: the way of this round and the next counts, and what happens later adds little noise
STEPS = 40  # of each row between updates
EPOCHS = 4
MINIBATCH = 1024
RATE = 1e-3
ENTROPY = 0.01
HIDDEN = (64, 64)

# a program or card for each row from vectors float32 [N, n] and masks bool [N, m]
Policy = Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]


@dataclass
class Played:
    """What came of an env in use: how many programs were decided, how many actions were illegal, and the policy."""

    decisions: float
    repairs: int = 0
    policy: Policy | None = None  # None: the library has no learner
    action: str = "register"  # the action form of the policy
    seats: tuple[Policy, ...] = ()  # instead of `policy`: one for each seat, which has learned there alone


class Library:
    """A library: how a user makes an env with it, and how it is checked and trained with.

    Attributes:
        name: of the library, as in the table.
        package: that must be installed, and whose version is reported.
        lines: what a user writes, but for the arguments RACES; it is run as it stands and leaves `env`.
        check: the name of the library's own check; empty: it has none.
        learner: what trains, and must beat `random` within a minute; empty: nothing of its own.
        enough: seconds after which it does.
        example: the script whose network it trains; empty: it has one of its own.
    """

    name = ""
    package = ""
    lines = ""
    check = ""
    learner = ""
    enough = 60.0
    example = ""

    @property
    def version(self) -> str:
        """That is installed; empty: none."""
        try:
            return importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return ""

    def make(self) -> Any:
        """The env."""
        names: dict[str, Any] = {"RACES": RACES}
        exec(self.lines, names)
        return names["env"]

    def run_check(self, env: Any) -> None:
        """Run the library's own check; it raises where the env fails."""

    def play(self, env: Any, seconds: float) -> Played:
        """Train for so long, or without a learner play by the library's own masked samples."""
        raise NotImplementedError


class Gymnasium(Library):
    """One seat against agents, the races one after the other."""

    name, package, check = "Gymnasium", "gymnasium", "check_env"
    lines = """
import gymnasium
env = gymnasium.make("roborally_env:RoboRally-v0", action="register", infos="numeric", **RACES)
"""

    def run_check(self, env: Any) -> None:
        """See Library."""
        from gymnasium.utils.env_checker import check_env

        check_env(env.unwrapped)

    def play(self, env: Any, seconds: float) -> Played:
        """See Library."""
        seen, _ = env.reset(seed=1)
        began, cards, repairs = CLOCK(), 0, 0
        while CLOCK() - began < seconds:
            seen, _, over, cut, info = env.step(env.action_space.sample(seen["action_mask"]))
            cards += 1
            repairs += info["corrected"]
            if over or cut:
                seen, _ = env.reset()
        return Played(cards / REGISTERS, repairs)


class PettingZoo(Library):
    """All seats of a race."""

    name, package, check = "PettingZoo", "pettingzoo", "parallel_api_test, api_test"
    lines = """
from roborally_env import parallel_env
env = parallel_env(action="register", infos="numeric", **RACES)
"""

    def run_check(self, env: Any) -> None:
        """See Library."""
        from pettingzoo.test import api_test, parallel_api_test

        from roborally_env import aec_env

        parallel_api_test(env, num_cycles=100)
        api_test(aec_env(action="register", infos="numeric", **RACES), num_cycles=100)

    def play(self, env: Any, seconds: float) -> Played:
        """See Library."""
        seen, _ = env.reset(seed=1)
        began, cards, repairs = CLOCK(), 0, 0
        while CLOCK() - began < seconds:
            actions = {agent: env.action_space(agent).sample(seen[agent]["action_mask"]) for agent in env.agents}
            seen, _, _, _, infos = env.step(actions)
            cards += len(actions)
            repairs += sum(info["corrected"] for info in infos.values())
            if not env.agents:
                seen, _ = env.reset()
        return Played(cards / REGISTERS, repairs)


class StableBaselines3(Library):
    """Self-play on one batch, with sb3-contrib's MaskablePPO."""

    name, package, check, learner = "Stable-Baselines3", "stable_baselines3", "check_env", "MaskablePPO"
    enough = 20.0
    lines = """
from roborally_env.envs.sb3 import SB3VecEnv
env = SB3VecEnv(32, action="register", observation="vector", **RACES)
"""

    def run_check(self, env: Any) -> None:
        """See Library; SB3 checks a Gymnasium env, the sub-env of the VecEnv."""
        import gymnasium
        from stable_baselines3.common.env_checker import check_env

        single = gymnasium.make("roborally_env:RoboRally-v0", action="register", observation="vector", **RACES)
        check_env(single.unwrapped)

    def play(self, env: Any, seconds: float) -> Played:
        """See Library."""
        return self.train(env, "MlpPolicy", lambda seen, _: seen, seconds)

    def train(self, env: Any, policy: str, shown: Callable[..., Any], seconds: float) -> Played:
        """Train MaskablePPO; `shown(vectors, masks)` are the observations that it takes."""
        import torch
        from sb3_contrib import MaskablePPO
        from stable_baselines3.common.callbacks import BaseCallback

        class Clock(BaseCallback):
            began = CLOCK()

            def _on_step(self) -> bool:
                return CLOCK() - self.began < seconds

        torch.manual_seed(1)
        model = MaskablePPO(
            policy,
            env,
            n_steps=STEPS,
            batch_size=MINIBATCH,
            n_epochs=EPOCHS,
            learning_rate=RATE,
            gamma=DISCOUNT,
            ent_coef=ENTROPY,
            policy_kwargs={"net_arch": list(HIDDEN)},
        )
        model.learn(10**9, callback=Clock())

        def decide(seen: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
            return np.asarray(model.predict(shown(seen, masks), action_masks=masks, deterministic=True)[0])

        return Played(model.num_timesteps / REGISTERS, policy=decide)


class SuperSuit(StableBaselines3):
    """Parallel envs side by side as a VecEnv of Stable-Baselines3."""

    name, package, check = "SuperSuit", "supersuit", ""
    enough = 30.0
    lines = """
import supersuit
from roborally_env import parallel_env
from roborally_env.envs.supersuit import MaskedVecEnv
races = parallel_env(action="register", infos="mask", **RACES)
races = supersuit.pettingzoo_env_to_vec_env_v1(races)
env = MaskedVecEnv(supersuit.concat_vec_envs_v1(races, 32, base_class="stable_baselines3"))
"""

    def run_check(self, env: Any) -> None:
        """See Library; there is none."""

    def play(self, env: Any, seconds: float) -> Played:
        """See Library."""
        return self.train(
            env, "MultiInputPolicy", lambda seen, masks: {"observation": seen, "action_mask": masks}, seconds
        )


class TorchRL(Library):
    """Self-play on one batch, as in scripts/train_torchrl.py."""

    name, package, check, learner = "TorchRL", "torchrl", "check_env_specs", "ClipPPOLoss"
    enough, example = 20.0, "train_torchrl"
    lines = """
from roborally_env.envs.torchrl import TorchRLEnv
env = TorchRLEnv(64, **RACES)
"""

    def run_check(self, env: Any) -> None:
        """See Library."""
        from torchrl.envs import check_env_specs

        check_env_specs(env, break_when_any_done="both")

    def play(self, env: Any, seconds: float) -> Played:
        """See Library."""
        import torch
        import train_torchrl
        from tensordict import TensorDict

        torch.manual_seed(1)
        policy, decisions = train_torchrl.train(env, seconds, verbose=False, clock=CLOCK)

        def decide(seen: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
            given = {"observation": torch.as_tensor(seen), "action_mask": torch.as_tensor(masks)}
            given["action_mask"] = given["action_mask"].unflatten(-1, (REGISTERS, -1))
            with torch.no_grad():
                return np.asarray(policy(TensorDict(given, len(seen)))["action"])

        return Played(decisions, policy=decide, action="program")


class Tianshou(Library):
    """Self-play on one batch, with its PPO."""

    name, package, learner = "Tianshou", "tianshou", "PPO"
    lines = """
from roborally_env.envs.tianshou import MaskedActor, TianshouVectorEnv, VectorNet
env = TianshouVectorEnv(32, **RACES)
"""

    def play(self, env: Any, seconds: float) -> Played:
        """See Library."""
        import torch
        from tianshou.algorithm import PPO
        from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
        from tianshou.algorithm.optim import AdamOptimizerFactory
        from tianshou.data import Batch, Collector, VectorReplayBuffer
        from tianshou.trainer import OnPolicyTrainerParams
        from tianshou.utils.net.discrete import DiscreteCritic

        from roborally_env.envs.tianshou import MaskedActor, VectorNet

        torch.manual_seed(1)
        count, actions = len(env), env.action_space[0]

        def net() -> VectorNet:
            return VectorNet(state_shape=env.observation_space[0]["obs"].shape, hidden_sizes=HIDDEN)

        actor = MaskedActor(preprocess_net=net(), action_shape=actions.n)
        learner = PPO(
            policy=DiscreteActorPolicy(actor=actor, action_space=actions, deterministic_eval=True),
            critic=DiscreteCritic(preprocess_net=net()),
            optim=AdamOptimizerFactory(lr=RATE),
            gamma=DISCOUNT,
            ent_coef=ENTROPY,
        )
        collector = Collector(learner, env, VectorReplayBuffer(count * STEPS, count))
        trainer = learner.create_trainer(
            OnPolicyTrainerParams(
                training_collector=collector,
                epoch_num_steps=count * STEPS,
                collection_step_num_env_steps=count * STEPS,
                update_step_num_repetitions=EPOCHS,
                batch_size=MINIBATCH,
                test_in_training=False,
                show_progress=False,
                verbose=False,
            )
        )
        trainer.reset()
        began = CLOCK()
        while CLOCK() - began < seconds:
            trainer.execute_epoch()

        def decide(seen: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
            with torch.no_grad():
                chosen = learner.policy(Batch(obs=Batch(obs=seen, mask=masks), info=Batch()))
            return np.asarray(chosen.act)

        return Played(collector.collect_step / REGISTERS, policy=decide)


class AgileRL(Library):
    """One seat of many races against agents, with its PPO; `make_vec` is taken as it is."""

    name, package, learner = "AgileRL", "agilerl", "PPO"
    lines = """
from roborally_env import make_vec
env = make_vec(
    128, action="register", observation="vector", infos="mask", autoreset_mode="SAME_STEP", **RACES
)
"""

    def play(self, env: Any, seconds: float) -> Played:
        """See Library."""
        import torch
        from agilerl.algorithms import PPO
        from agilerl.rollouts import collect_rollouts

        torch.manual_seed(1)
        learner = PPO(
            env.single_observation_space,
            env.single_action_space,
            batch_size=MINIBATCH,
            lr=RATE,
            learn_step=env.num_envs * STEPS,
            gamma=DISCOUNT,
            ent_coef=ENTROPY,
            update_epochs=EPOCHS,
            num_envs=env.num_envs,
            net_config={"encoder_config": {"hidden_size": list(HIDDEN)}},
            share_encoders=False,
            # its estimates of advantages (2.58) end a race one step early, and then the last round's first four cards
            # are not credited with what the round brings; its plain returns end where the race does
            rollout_buffer_config={"use_gae": False},
        )
        last: dict[str, Any] = {}
        began, cards = CLOCK(), 0
        while CLOCK() - began < seconds:
            _, *ends = collect_rollouts(learner, env, STEPS, **last)
            last = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), ends, strict=True))
            learner.learn()
            cards += env.num_envs * STEPS

        def decide(seen: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
            return np.asarray(learner.get_action(seen, action_mask=masks)[0])

        return Played(cards / REGISTERS, policy=decide)


class RLlib(Library):
    """Self-play on one batch, with its PPO; all in this process, so that CLOCK counts it.

    Attributes:
        action: the action form.
        policies: the names of what learns.
    """

    name, package, check, learner = "RLlib", "ray", "check_multiagent_environments", "PPO"
    action = "register"
    policies: tuple[str, ...] = ("default_policy",)
    lines = """
from roborally_env.envs.rllib import RLlibVectorEnv
env = RLlibVectorEnv({"num_envs": 128, "action": "register", **RACES})
"""

    def run_check(self, env: Any) -> None:
        """See Library; RLlib checks the same races as a MultiAgentEnv."""
        from ray.rllib.utils.pre_checks.env import check_multiagent_environments

        from roborally_env.envs.rllib import RaceMultiAgentEnv

        check_multiagent_environments(RaceMultiAgentEnv({"action": self.action, **RACES}))

    def play(self, env: Any, seconds: float) -> Played:
        """See Library; RLlib makes an env like this one itself."""
        import ray
        import torch

        torch.manual_seed(1)
        torch.set_num_threads(1)
        ray.init("local", num_cpus=1, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
        try:
            algorithm = self.config(env).build_algo()
            began, steps = CLOCK(), 0.0
            while CLOCK() - began < seconds:
                steps = algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"]
            policies = tuple(self.policy_of(algorithm.get_module(name)) for name in self.policies)
            algorithm.stop()
        finally:
            ray.shutdown()
        decisions = steps * len(policies) / (REGISTERS if self.action == "register" else 1)
        if len(policies) > 1:
            return Played(decisions, action=self.action, seats=policies)
        return Played(decisions, policy=policies[0], action=self.action)

    def policy_of(self, module: Any) -> Policy:
        """The best card or program by a module."""
        import torch
        from ray.rllib.core.columns import Columns

        def decide(seen: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
            parts = {"observation": torch.as_tensor(seen), "action_mask": torch.as_tensor(masks)}
            with torch.no_grad():
                logits = module.forward_inference({Columns.OBS: parts})[Columns.ACTION_DIST_INPUTS]
                best = module.get_inference_action_dist_cls().from_logits(logits).to_deterministic()
            return np.asarray(best.sample())

        return decide

    def config(self, env: Any) -> Any:
        """RLlib's config, with one env runner and one learner in this process."""
        from ray.rllib.core.rl_module.rl_module import RLModuleSpec

        from roborally_env.envs.rllib import MaskedModule, RLlibVectorEnv

        return (
            self.learning(env.num_envs)
            .environment(RLlibVectorEnv, env_config={"action": self.action, **RACES})
            .env_runners(num_envs_per_env_runner=env.num_envs, gym_env_vectorize_mode="vector_entry_point")
            .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule, model_config=self.net()))
        )

    def net(self) -> dict[str, Any]:
        """RLlib's `model_config`."""
        return {"fcnet_hiddens": list(HIDDEN), "vf_share_layers": False}

    def learning(self, rows: int) -> Any:
        """RLlib's config for `rows` rows, without its env. A step is a card or a program."""
        from ray.rllib.algorithms.ppo import PPOConfig

        cards = 1 if self.action == "register" else REGISTERS  # of a step
        batch = rows * STEPS // cards
        return (
            PPOConfig()
            .env_runners(num_env_runners=0)
            .learners(num_learners=0)
            .training(train_batch_size_per_learner=batch, minibatch_size=min(batch, MINIBATCH), num_epochs=EPOCHS)
            .training(lr=RATE, gamma=DISCOUNT**cards, lambda_=0.95, entropy_coeff=ENTROPY, use_kl_loss=False)
            .debugging(seed=1)
        )


class RLlibPrograms(RLlib):
    """The same, a whole program at once."""

    name, action = "RLlib, programs", "program"
    lines = """
from roborally_env.envs.rllib import RLlibVectorEnv
env = RLlibVectorEnv({"num_envs": 128, "action": "program", **RACES})
"""


class RLlibSeats(RLlib):
    """A policy for each seat, which learns in that seat alone, with the network of scripts/train_rllib.py: each policy
    gets a tenth of the decisions that a shared one gets, and would not beat `random` within a minute with RLlib's own
    network."""

    name, action, enough = "RLlib, a policy for each seat", "program", 40.0
    example = "train_rllib"
    policies = tuple(f"robot_{seat}" for seat in range(4))
    lines = """
from roborally_env.envs.rllib import RaceMultiAgentEnv
env = RaceMultiAgentEnv({"action": "program", **RACES})
"""
    ROWS = 128  # as many steps of each seat between updates as in 128 races
    # while it samples, RLlib goes through all races that have ended since its last update again at each step of its
    # envs, so few steps of many envs are much less work than many steps of one
    ENVS = 32
    MINIBATCH = 256

    def run_check(self, env: Any) -> None:
        """See Library."""
        from ray.rllib.utils.pre_checks.env import check_multiagent_environments

        check_multiagent_environments(env)

    def config(self, env: Any) -> Any:
        """See RLlib."""
        import train_rllib
        from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec

        from roborally_env.envs.rllib import RaceMultiAgentEnv

        game = {"action": self.action, **RACES}
        spec = train_rllib.card_module(game)
        return (
            self.learning(self.ROWS)
            .training(minibatch_size=self.MINIBATCH)
            .environment(RaceMultiAgentEnv, env_config=game)
            .env_runners(num_envs_per_env_runner=self.ENVS)
            .multi_agent(policies=set(self.policies), policy_mapping_fn=lambda agent, episode, **_: agent)
            .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(self.policies, spec)))
        )


def share_of_batch(games: int, seconds: float) -> float:
    """How much of BatchRace's own rate TorchRL's env keeps, with the same random actions; measured in turns."""
    import torch

    from roborally_env import BatchRace
    from roborally_env.envs.torchrl import TorchRLEnv

    batch = BatchRace(games, rules={"upgrades": False}, max_rounds=100, seed=1)
    env = TorchRLEnv(games, rules={"upgrades": False}, seed=1)
    seen, spent, steps = env.reset(), [0.0, 0.0], [0, 0]
    while min(spent) < seconds:
        began = CLOCK()
        batch.sample()
        batch.step_prepared()
        between = CLOCK()
        seen["action"] = torch.as_tensor(env.batch.sample()[0], dtype=torch.int64)
        seen = env.step_and_maybe_reset(seen)[1]
        for i, took in enumerate((between - began, CLOCK() - between)):
            spent[i] += took
            steps[i] += 1
    return (steps[1] / spent[1]) / (steps[0] / spent[0])


class PufferLib(Library):
    """Self-play on one batch, with PufferLib's own trainer; its package is installed by hand, see docs/libraries.md."""

    name, package, check, learner = "PufferLib", "pufferlib", "PufferEnv, vector.Serial", "PuffeRL"
    lines = """
from roborally_env.envs.puffer import MaskedPolicy, RoboRallyPufferEnv
env = RoboRallyPufferEnv(32, **RACES)
"""

    def run_check(self, env: Any) -> None:
        """See Library: PufferLib checks the spaces when an environment is made, and its vector what a step returns."""
        import pufferlib.vector

        vector = pufferlib.vector.make(type(env), env_args=[4], env_kwargs=RACES, backend=pufferlib.vector.Serial)
        vector.reset(seed=1)
        for _ in range(20):
            vector.step(vector.action_space.sample())
        vector.close()

    def play(self, env: Any, seconds: float) -> Played:
        """See Library."""
        import pufferlib.vector
        import torch
        from pufferlib import pufferl

        from roborally_env.envs.puffer import MaskedPolicy

        torch.manual_seed(1)
        sys.argv, before = sys.argv[:1], sys.argv  # PufferLib reads the words of the command
        try:
            config = pufferl.load_config("default")["train"]
        finally:
            sys.argv = before
        races = 64
        vector = pufferlib.vector.make(type(env), env_args=[races], env_kwargs=RACES, backend=pufferlib.vector.Serial)
        batch = vector.num_agents * STEPS
        config |= {
            "device": "cpu", "optimizer": "adam", "learning_rate": RATE, "gamma": DISCOUNT, "ent_coef": ENTROPY,
            "bptt_horizon": STEPS, "batch_size": batch, "minibatch_size": STEPS * (MINIBATCH // STEPS),
            "update_epochs": EPOCHS, "total_timesteps": 10**9, "anneal_lr": False, "seed": 1, "use_rnn": False,
            "env": "roborally", "checkpoint_interval": 10**9, "vf_coef": 0.5,
        }  # fmt: skip
        policy = MaskedPolicy(vector, HIDDEN[0])
        trainer = pufferl.PuffeRL(config, vector, policy)
        trainer.print_dashboard = lambda *_, **__: None
        began = CLOCK()
        while CLOCK() - began < seconds:
            trainer.evaluate()
            trainer.train()
        cards = trainer.global_step
        trainer.utilization.stop()
        vector.close()

        def decide(seen: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
            with torch.no_grad():
                logits, _ = policy(torch.as_tensor(np.concatenate([seen, masks], 1), dtype=torch.float32))
            return np.asarray(logits.argmax(-1))

        return Played(cards / REGISTERS, policy=decide)


class Jax(Library):
    """Many races as a function under `jit`, `scan` and `vmap`, with random programs that JAX draws."""

    name, package = "JAX", "jax"
    lines = """
from roborally_env.envs.jax import JaxEnv
env = JaxEnv(**RACES)
"""
    ROWS = 1024  # races at once

    def play(self, env: Any, seconds: float) -> Played:
        """See Library."""
        import jax

        def step(carry: Any, key: Any) -> Any:
            programs, choices = jax.vmap(env.sample)(jax.random.split(key, self.ROWS), carry[1])
            carry = jax.vmap(env.step)(carry[0], programs, choices)
            return carry, carry[1].corrected.sum()

        scan = jax.jit(lambda carry, key: jax.lax.scan(step, carry, jax.random.split(key, 20)))
        carry = jax.jit(jax.vmap(env.reset))(jax.random.split(jax.random.key(1), self.ROWS))
        began, decisions, repairs, number = CLOCK(), 0, 0, 2
        while CLOCK() - began < seconds:
            carry, corrected = scan(carry, jax.random.key(number))
            repairs += int(corrected.sum())
            decisions, number = decisions + 20 * self.ROWS * env.players, number + 1
        return Played(decisions, repairs)


class OpenSpiel(Library):
    """The sequential game of four players."""

    name, package, check = "OpenSpiel", "open_spiel", "random_sim_test"
    lines = """
from roborally_env.envs.openspiel import load_game
env = load_game(**RACES)
"""

    def make(self) -> Any:
        """See Library; rewards come at the end."""
        names: dict[str, Any] = {"RACES": {**RACES, "players": 4}}
        del names["RACES"]["reward"]
        exec(self.lines, names)
        return names["env"]

    def run_check(self, env: Any) -> None:
        """See Library."""
        import pyspiel

        pyspiel.random_sim_test(env, num_sims=3, serialize=True, verbose=False)

    def play(self, env: Any, seconds: float) -> Played:
        """See Library: random legal cards."""
        draw = np.random.default_rng(1)
        began, cards = CLOCK(), 0
        while CLOCK() - began < seconds:
            state = env.new_initial_state()
            state.apply_action(int(draw.integers(1000)))
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(draw.integers(len(legal)))])
                cards += 1
        return Played(cards / REGISTERS)


LIBRARIES = (
    Gymnasium(),
    PettingZoo(),
    StableBaselines3(),
    SuperSuit(),
    TorchRL(),
    Tianshou(),
    AgileRL(),
    RLlib(),
    RLlibPrograms(),
    RLlibSeats(),
    PufferLib(),
    Jax(),
    OpenSpiel(),
)
