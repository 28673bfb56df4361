"""Interfaces of BatchRace for PettingZoo, Gymnasium and, in `sb3`, Stable-Baselines3. They contain no rules."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roborally_env.envs.formats import FormattedEnv
    from roborally_env.envs.forms import FlatActions, RegisterActions
    from roborally_env.envs.make import aec_env, env, parallel_env
    from roborally_env.envs.parallel import RoboRallyParallelEnv
    from roborally_env.envs.players import PlayerForm
    from roborally_env.envs.program_ranks import Ranking, ranking_of
    from roborally_env.envs.single import RoboRallyEnv
    from roborally_env.envs.vector import RoboRallyVectorEnv, make_vec

__all__ = [
    "FlatActions",
    "FormattedEnv",
    "PlayerForm",
    "Ranking",
    "RegisterActions",
    "RoboRallyEnv",
    "RoboRallyParallelEnv",
    "RoboRallyVectorEnv",
    "aec_env",
    "env",
    "make_vec",
    "parallel_env",
    "ranking_of",
]


def __getattr__(name: str) -> Any:
    """A public name, imported at first use: numba, gymnasium and pettingzoo take long."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_home(name), name)


def _home(name: str) -> ModuleType:
    """The module of a public name."""
    home: ModuleType
    match name:
        case "FlatActions" | "RegisterActions":
            from roborally_env.envs import forms as home
        case "PlayerForm":
            from roborally_env.envs import players as home
        case "FormattedEnv":
            from roborally_env.envs import formats as home
        case "RoboRallyVectorEnv" | "make_vec":
            from roborally_env.envs import vector as home
        case "Ranking" | "ranking_of":
            from roborally_env.envs import program_ranks as home
        case "RoboRallyEnv":
            from roborally_env.envs import single as home
        case "RoboRallyParallelEnv":
            from roborally_env.envs import parallel as home
        case _:
            from roborally_env.envs import make as home
    return home


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
