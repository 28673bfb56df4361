"""What a run has trained, as an agent."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from roborally_env.envs.sb3_agent import ModelAgent
from roborally_env.training.folder import CHECKPOINT, read_checkpoint
from roborally_env.training.sb3.model import make_env, make_model
from roborally_env.training.sb3.options import Options
from roborally_env.training.sb3.state import generators, set_generators


class Trained(ModelAgent):
    """What a run has trained: `roborally_env.training.sb3:Trained:folder=out/sb3`.

    Args:
        folder: of the run.
        seed: not used: the agent plays the likeliest program.

    Raises:
        RoboRallyError: if there is no checkpoint in the folder.
    """

    def __init__(self, folder: str = "out/sb3", seed: int = 0) -> None:
        state = read_checkpoint(Path(folder) / CHECKPOINT)
        # no opponents: they are not needed to decide, and making those that a file names may run code
        options = dataclasses.replace(Options(**state["options"]), games=2, rollout=2, minibatch=2, opponents=())
        before = generators()
        model = make_model(options, make_env(options), device="cpu")
        set_generators(before)
        model.set_parameters(state["parameters"], device="cpu")
        super().__init__(model, name=Path(folder).name)
