"""Everything that going on exactly needs, out of a model and back."""

from __future__ import annotations

import copy
import dataclasses
import random

import numpy as np
import torch

from roborally_env.base.types import Json, NamedValues
from roborally_env.training.sb3.options import Options

# SB3's own counters, and the observation that the next rollout begins with

COUNTERS = (
    "num_timesteps", "_n_updates", "_episode_num", "_current_progress_remaining", "_last_obs", "_last_episode_starts",
    "ep_info_buffer", "ep_success_buffer",
)  # fmt: skip
MONITOR = ("episode_count", "episode_returns", "episode_lengths")


def full_state(model: Json, options: Options) -> NamedValues:
    """Everything that going on exactly needs, as a copy that does not change with the model."""
    return copy.deepcopy(
        {
            "options": dataclasses.asdict(options),
            "parameters": model.get_parameters(),  # of the policy and of the optimizer
            "counters": {name: getattr(model, name) for name in COUNTERS},
            "monitor": {name: getattr(model.env, name) for name in MONITOR},
            "races": model.env.unwrapped.state_dict(),
            "generators": generators(),
        }
    )


def generators() -> NamedValues:
    """The state of all global generators."""
    cuda = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    numpy = np.random.get_state()  # noqa: NPY002  # the generator that SB3 draws from
    return {"torch": torch.get_rng_state(), "cuda": cuda, "numpy": numpy, "python": random.getstate()}


def set_generators(state: NamedValues) -> None:
    """Put them back."""
    torch.set_rng_state(state["torch"])
    if state["cuda"] and len(state["cuda"]) == torch.cuda.device_count():
        torch.cuda.set_rng_state_all(state["cuda"])
    np.random.set_state(state["numpy"])  # noqa: NPY002
    random.setstate(state["python"])


def put_back(model: Json, state: NamedValues) -> None:
    """Set a new model and its env to a checkpoint."""
    model.set_parameters(state["parameters"], device=model.device)
    model.env.unwrapped.load_state_dict(state["races"])
    for name, value in state["counters"].items():
        setattr(model, name, value)
    for name, value in state["monitor"].items():
        setattr(model.env, name, value)
