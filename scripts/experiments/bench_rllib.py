"""How fast RLlib's env runners sample races by four routes, one after the other.

    python scripts/experiments/bench_rllib.py [--runners 2] [--seconds 20] [--action register]

"plain" is RLlib's own ParallelPettingZooEnv round `parallel_env`, "agents" is RaceMultiAgentEnv, "agents x 16" sixteen
of these in each env runner, "seats" RLlibVectorEnv. A step of an env is a step of a race, in which every seat acts. The
policy is the same in all: the masked module. Seconds are processor seconds of the env runners, all of them together for
each of their cores, so that it does not matter what else the machine does.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import ray
from gymnasium.spaces import Dict, MultiBinary
from pettingzoo.utils.wrappers import BaseParallelWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
from ray.tune.registry import register_env

from roborally_env import parallel_env
from roborally_env.envs.rllib import MaskedModule, RaceMultiAgentEnv, RLlibVectorEnv

SEATS = 4
RACES = 16  # at once in each env runner, where there are several
ROUTES = ("plain", "agents", f"agents x {RACES}", "seats")


class FlatMasks(BaseParallelWrapper):
    """The least that RLlib needs of a PettingZoo env: one mask array in the observation, and infos without texts."""

    def observation_space(self, agent: str) -> Any:
        space = self.env.observation_space(agent)
        return Dict(observation=space["observation"], action_mask=MultiBinary(space["action_mask"].n))

    def reset(self, seed: int | None = None, options: Any = None) -> Any:
        return self._flat(*self.env.reset(seed=seed)), {}

    def step(self, actions: Any) -> Any:
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        return self._flat(observations, infos), rewards, terminated, truncated, {}

    def _flat(self, observations: Any, infos: Any) -> Any:
        return {
            a: {"observation": o["observation"], "action_mask": infos[a]["action_mask"]}
            for a, o in observations.items()
        }


def config_of(route: str, action: str, runners: int) -> PPOConfig:
    """The config of a route."""
    config = PPOConfig().env_runners(num_env_runners=runners)
    spec = RLModuleSpec(module_class=MaskedModule)
    if route == "seats":
        return (
            config.environment(RLlibVectorEnv, env_config={"action": action, "players": SEATS})
            .env_runners(num_envs_per_env_runner=RACES * SEATS, gym_env_vectorize_mode="vector_entry_point")
            .rl_module(rl_module_spec=spec)
        )
    env = "plain" if route == "plain" else RaceMultiAgentEnv
    return (
        config.environment(env, env_config={"action": action, "players": SEATS})
        .env_runners(num_envs_per_env_runner=RACES if route == ROUTES[2] else 1)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": spec}))
    )


def rate(route: str, options: argparse.Namespace) -> float:
    """Steps of races by all env runners together, for a second of processor time of each."""
    algorithm = config_of(route, options.action, options.runners).build_algo()
    each = SEATS if route == "seats" else 1

    def sample(runner: Any) -> tuple[int, float]:
        began = time.process_time()
        steps = sum(len(episode) for episode in runner.sample(num_timesteps=250 * each))
        return steps, time.process_time() - began

    group = algorithm.env_runner_group
    group.foreach_env_runner(sample, local_env_runner=False)  # machine code is loaded
    steps, seconds = 0, 0.0
    while seconds < options.seconds * options.runners:
        for taken, spent in group.foreach_env_runner(sample, local_env_runner=False):
            steps, seconds = steps + taken, seconds + spent
    algorithm.stop()
    return steps / each / (seconds / options.runners)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runners", type=int, default=2)
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="of processor time for each route and env runner (20)"
    )
    parser.add_argument("--action", default="register", choices=["register", "program"])
    options = parser.parse_args()
    ray.init(log_to_driver=False, logging_level="ERROR", include_dashboard=False, num_cpus=options.runners + 1)
    register_env(
        "plain", lambda config: ParallelPettingZooEnv(FlatMasks(parallel_env(action=config["action"], players=SEATS)))
    )
    rates = {route: rate(route, options) for route in ROUTES}
    for route, found in rates.items():
        print(f"{route:11} {found:8.0f} steps of races/s   {found / rates['plain']:5.1f} x")


if __name__ == "__main__":
    main()
