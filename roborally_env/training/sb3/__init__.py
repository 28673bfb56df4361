"""Stable-Baselines3: PPO with a policy made for programs, or sb3-contrib's MaskablePPO.

`Trained` is what a run has learned, as an agent: `roborally_env.training.sb3:Trained:folder=out/sb3`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roborally_env.training.sb3.agent import Trained

__all__ = ["Trained"]


def __getattr__(name: str) -> Any:
    """Import what needs torch when it is used: the options of the command do not."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from roborally_env.training.sb3 import agent

    return getattr(agent, name)
