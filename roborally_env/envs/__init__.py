"""Interfaces of BatchRace for PettingZoo, Gymnasium and, in `sb3`, Stable-Baselines3. They contain no rules."""

from __future__ import annotations

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


def _home(name: str) -> Any:
    """The module of a public name."""
    if name in ("FlatActions", "RegisterActions"):
        import roborally_env.envs.forms

        return roborally_env.envs.forms
    if name == "PlayerForm":
        import roborally_env.envs.players

        return roborally_env.envs.players
    if name == "FormattedEnv":
        import roborally_env.envs.formats

        return roborally_env.envs.formats
    if name in ("RoboRallyVectorEnv", "make_vec"):
        import roborally_env.envs.vector

        return roborally_env.envs.vector
    if name in ("Ranking", "ranking_of"):
        import roborally_env.envs.program_ranks

        return roborally_env.envs.program_ranks
    if name == "RoboRallyEnv":
        import roborally_env.envs.single

        return roborally_env.envs.single
    if name == "RoboRallyParallelEnv":
        import roborally_env.envs.parallel

        return roborally_env.envs.parallel
    import roborally_env.envs.make

    return roborally_env.envs.make


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
