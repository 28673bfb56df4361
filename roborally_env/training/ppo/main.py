"""`roborally train ppo`."""

from __future__ import annotations

from roborally_env.training.ppo import run
from roborally_env.training.ppo.options import Options


def train(options: Options) -> int:
    """Train, or resume the run in the folder; returns the exit code.

    Raises:
        RoboRallyError: as `run.train`.
    """
    return run.STOPPED if run.train(options).stopped else 0
