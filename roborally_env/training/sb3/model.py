"""The races to train in, and a new model for them."""

from __future__ import annotations

import time
from typing import TypeAlias

from sb3_contrib import MaskablePPO
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnvWrapper, VecMonitor
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

from roborally_env.base.types import Array, Json, NamedValues
from roborally_env.envs.sb3 import SB3VecEnv
from roborally_env.training.sb3.options import Options, rules_of
from roborally_env.training.sb3.policy import ProgramPolicy


class Timed(VecEnvWrapper):
    """Counts the seconds that the env takes."""

    seconds = 0.0

    def reset(self) -> VecEnvObs:
        """As the env."""
        return self.venv.reset()

    def step_async(self, actions: Array) -> None:
        """As the env."""
        self._since = time.perf_counter()
        self.venv.step_async(actions)

    def step_wait(self) -> VecEnvStepReturn:
        """As the env."""
        given = self.venv.step_wait()
        self.seconds += time.perf_counter() - self._since
        return given


Model: TypeAlias = Json  # PPO or MaskablePPO; SB3 types its parts more loosely than they are


def make_env(options: Options) -> SB3VecEnv:
    """The races to train in."""
    return SB3VecEnv(
        options.games,
        list(options.course) or None,
        opponents=list(options.opponents) or None,
        players=options.players,
        edition=options.edition,
        rules=rules_of(options),
        reward=options.reward,
        discount=options.discount,
        max_rounds=options.max_rounds,
        action="program" if options.algorithm == "ppo" else "register",
        ghost=options.ghost,
        mask_in_observation=options.algorithm == "ppo",
        seed=options.seed,
    )


def make_model(options: Options, env: SB3VecEnv, device: str | None = None) -> Model:
    """A new model. Its seed is set here: torch's, NumPy's and Python's generators are that of the run."""
    options.check_rollout(env.num_envs)
    shared: NamedValues = {
        "n_steps": options.rollout,
        "batch_size": options.minibatch,
        "n_epochs": options.epochs,
        "learning_rate": options.learning_rate,
        "gamma": options.discount,
        "gae_lambda": options.gae_lambda,
        "clip_range": options.clip,
        "ent_coef": options.entropy,
        "seed": options.seed,
        "device": device or options.device,
    }
    timed = VecMonitor(Timed(env))
    if options.algorithm == "ppo":
        policy = {"hand": env.shapes["hand"], "width": options.width}
        return PPO(ProgramPolicy, timed, policy_kwargs=policy, **shared)
    return MaskablePPO("MlpPolicy", timed, policy_kwargs={"net_arch": [options.width] * 2}, **shared)
