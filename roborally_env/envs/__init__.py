"""Interfaces of BatchRace for PettingZoo, Gymnasium and, in `sb3`, Stable-Baselines3. They contain no rules."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from roborally_env.envs.forms import FlatForm, RegisterForm
    from roborally_env.envs.make import aec_env, env, parallel_env
    from roborally_env.envs.parallel import RoboRallyParallelEnv
    from roborally_env.envs.players import PlayerForm
    from roborally_env.envs.presenting import PresentedEnv
    from roborally_env.envs.ranking import Ranking, ranking_of
    from roborally_env.envs.single import RoboRallyEnv
    from roborally_env.envs.vector import RaceVectorEnv, make_vec

__all__ = [
    "FlatForm",
    "PlayerForm",
    "PresentedEnv",
    "RaceVectorEnv",
    "Ranking",
    "RegisterForm",
    "RoboRallyEnv",
    "RoboRallyParallelEnv",
    "aec_env",
    "env",
    "make_vec",
    "parallel_env",
    "ranking_of",
]

# public name -> its module, imported at first use: importing numba, gymnasium and pettingzoo is slow
_PLACES = {
    "FlatForm": "roborally_env.envs.forms",
    "PlayerForm": "roborally_env.envs.players",
    "PresentedEnv": "roborally_env.envs.presenting",
    "RaceVectorEnv": "roborally_env.envs.vector",
    "Ranking": "roborally_env.envs.ranking",
    "RegisterForm": "roborally_env.envs.forms",
    "RoboRallyEnv": "roborally_env.envs.single",
    "RoboRallyParallelEnv": "roborally_env.envs.parallel",
    "aec_env": "roborally_env.envs.make",
    "env": "roborally_env.envs.make",
    "make_vec": "roborally_env.envs.vector",
    "parallel_env": "roborally_env.envs.make",
    "ranking_of": "roborally_env.envs.ranking",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
