"""PPO from the observation: one network plays every seat, and chooses a program card by card.

from roborally_env.training.ppo import Options, train

result = train(Options(out="out/ppo", courses=["dizzy_highway"], decisions=1_000_000))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roborally_env.training.evaluations import Evaluation
    from roborally_env.training.ppo.options import Options
    from roborally_env.training.ppo.run import Result, train

__all__ = ["Evaluation", "Options", "Result", "train"]


def __getattr__(name: str) -> Any:
    """Import what needs torch when it is used: the options of the command do not."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "Options":
        from roborally_env.training.ppo import options

        return options.Options
    from roborally_env.training.ppo import run

    return getattr(run, name)
