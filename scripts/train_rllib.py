"""Masked PPO by RLlib in self-play, and races of the policy against `random`.

    python scripts/train_rllib.py --seconds 60
    python scripts/train_rllib.py --policies separate --seconds 300     # each seat learns a policy of its own

With shared policies the seats of many races are one vector env (`RLlibVectorEnv`); with separate ones they are the
agents of MultiAgentEnvs, of which RLlib takes far fewer steps a second. `CardModule` is the network: what it knows of a
card in one slot of the hand it knows in all, so it learns in a minute what RLlib's default one takes many for.
Checkpoints are RLlib's.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

try:
    import ray
    import torch
    from ray.rllib.algorithms.algorithm import Algorithm
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis import ValueFunctionAPI
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.core.rl_module.torch import TorchRLModule
except ImportError as error:
    sys.exit(f'train_rllib: {error}; pip install "roborally_env[ray]" gives what it needs')

from roborally_env.base.errors import RoboRallyError
from roborally_env.envs.rllib import MASK, OBSERVATION, ProgramDistribution, RaceMultiAgentEnv, RLlibVectorEnv, masked

SEATS = 4
GAMMA = 0.99
MINIBATCH = 512
HIDDEN = 256
CARD = 32  # numbers that say what a card is worth where
RACES = 16  # of each env runner at once


class CardModule(TorchRLModule, ValueFunctionAPI):
    """Scores each card of the hand for each register, or for the one that is asked: what lies in a slot is embedded,
    and each register asks for something that depends on all that is seen. `model_config["hand"]` has the slots of the
    hand and the kinds of cards; the hand stands first in the vector."""

    def setup(self) -> None:
        """Build the networks."""
        size = self.observation_space[OBSERVATION].shape[0]
        sizes = getattr(self.action_space, "nvec", np.ones(1)).astype(int).tolist()
        self.card = torch.nn.Linear(self.model_config["hand"][1], CARD)
        self.wanted = layers(size, CARD * len(sizes))
        self.value = layers(size, 1)
        if len(sizes) > 1:
            self.action_dist_cls = ProgramDistribution.get_partial_dist_cls(sizes=sizes)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen, (slots, kinds) = batch[Columns.OBS][OBSERVATION], self.model_config["hand"]
        cards = self.card(seen[..., : slots * kinds].unflatten(-1, (slots, kinds)))
        scores = self.wanted(seen).unflatten(-1, (-1, CARD)) @ cards.mT / CARD**0.5
        return {Columns.ACTION_DIST_INPUTS: masked(scores.flatten(-2), batch[Columns.OBS][MASK])}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """The values [B] of the observations."""
        return self.value(batch[Columns.OBS][OBSERVATION]).squeeze(-1)


def layers(size: int, out: int) -> torch.nn.Sequential:
    """A small network."""
    net = torch.nn
    return net.Sequential(
        net.Linear(size, HIDDEN), net.ReLU(), net.Linear(HIDDEN, HIDDEN), net.ReLU(), net.Linear(HIDDEN, out)
    )


def card_module(game: dict[str, Any]) -> RLModuleSpec:
    """The network for a game's hand."""
    hand = RLlibVectorEnv({**game, "num_envs": SEATS}).races.rows.shapes["hand"]
    return RLModuleSpec(module_class=CardModule, model_config={"hand": hand})


def env_config(options: argparse.Namespace) -> dict[str, Any]:
    """The game that is learned: the lighter one of 2016."""
    return {
        "course": options.course,
        "players": SEATS,
        "action": options.action,
        "reward": "shaped",
        "discount": GAMMA,
        "rules": {"upgrades": False},
        "max_rounds": 60,
    }


def config_of(options: argparse.Namespace) -> PPOConfig:
    """RLlib's config."""
    game = env_config(options)
    spec = card_module(game)
    config = (
        PPOConfig()
        .training(train_batch_size_per_learner=options.batch, minibatch_size=MINIBATCH, num_epochs=8, lr=5e-4)
        .training(gamma=GAMMA, lambda_=0.95, entropy_coeff=0.005, use_kl_loss=False)
        .env_runners(num_env_runners=options.runners)
        .debugging(seed=options.seed)
    )
    if options.policies == "shared":
        return (
            config.environment(RLlibVectorEnv, env_config=game)
            .env_runners(num_envs_per_env_runner=RACES * SEATS, gym_env_vectorize_mode="vector_entry_point")
            .rl_module(rl_module_spec=spec)
        )
    names = [f"robot_{seat}" for seat in range(SEATS)]
    return (
        config.environment(RaceMultiAgentEnv, env_config=game)
        .env_runners(num_envs_per_env_runner=RACES)
        .multi_agent(policies=set(names), policy_mapping_fn=lambda agent, episode, **_: agent)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(names, spec)))
    )


def train(algorithm: Algorithm, seconds: float) -> int:
    """Train for so long; returns the number of iterations."""
    started, count = time.perf_counter(), 0
    while time.perf_counter() - started < seconds:
        found = algorithm.train()["env_runners"]
        count += 1
        steps, spent = found["num_env_steps_sampled_lifetime"], time.perf_counter() - started
        print(f"{spent:5.0f} s, {steps:,.0f} steps, {steps / spent:,.0f} a second", flush=True)
    return count


def mean_reward(module: Any, options: argparse.Namespace, seat: int | str = "random", races: int = 400) -> float:
    """The mean reward of a policy against three `random`, 1 for a first place to -1 for a last; 0 is as good as they
    are."""
    game = {**env_config(options), "reward": "race", "opponents": ["random"] * (SEATS - 1), "seat": seat}
    envs = RLlibVectorEnv({**game, "num_envs": races, "seed": options.seed})
    seen, _ = envs.reset()
    reached, left = np.zeros(races), np.ones(races, np.bool_)
    while left.any():
        with torch.no_grad():
            out = module.forward_exploration({Columns.OBS: {name: torch.as_tensor(a) for name, a in seen.items()}})
        logits = out[Columns.ACTION_DIST_INPUTS]
        actions = module.get_exploration_action_dist_cls().from_logits(logits).sample()
        seen, rewards, terminated, truncated, _ = envs.step(actions.numpy())
        reached += np.where(left, rewards, 0.0)
        left &= ~(terminated | truncated)
    return float(reached.mean())


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policies", choices=["shared", "separate"], default="shared")
    parser.add_argument("--action", choices=["register", "program"], default="program")
    parser.add_argument("--course", default="dizzy_highway")
    parser.add_argument("--runners", type=int, default=2, help="env runners, each a process")
    parser.add_argument("--batch", type=int, default=4096, help="steps of an iteration")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, help="a folder for a checkpoint after each run")
    options = parser.parse_args(arguments)
    if options.batch < MINIBATCH:
        parser.error(f"--batch: expected {MINIBATCH} or more, the size of a minibatch, got {options.batch}")
    return options


def main(arguments: list[str] | None = None) -> dict[str, float]:
    """Train, then race; returns the mean reward of each policy in races against `random`."""
    options = parse(arguments)
    torch.set_num_threads(1)  # the learner runs here; for so small a network more threads wait for each other
    if not ray.is_initialized():
        cores = options.runners + 1
        ray.init("local", num_cpus=cores, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    try:
        algorithm = config_of(options).build_algo()
    except RoboRallyError as error:
        raise SystemExit(f"train_rllib: {error}") from None
    try:
        train(algorithm, options.seconds)
        names = ["default_policy"] if options.policies == "shared" else [f"robot_{seat}" for seat in range(SEATS)]
        modules = {name: algorithm.get_module(name) for name in names}
        seats = {name: "random" if options.policies == "shared" else int(name[-1]) for name in names}
        found = {name: mean_reward(modules[name], options, seats[name]) for name in names}
        for name, reward in found.items():
            print(f"{name}: mean reward {reward:+.2f} against three random (first 1, last -1, as good as they 0)")
        if options.out:
            print(algorithm.save_to_path(options.out.resolve()))
        return found
    finally:
        algorithm.stop()


if __name__ == "__main__":
    main()
