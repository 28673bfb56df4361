"""Robo Rally as a reinforcement-learning environment.

    parallel_env    one race for PettingZoo, all robots at once
    aec_env, env    the same, one agent after the other
    make_vec        many races at once for Gymnasium: the learner has one seat of each, agents the others
    BatchRace       many races at once, arrays in and arrays out
    load_course     a course by its name or from a file; course_names, list_courses: the courses of the package
    RoboRallyError  raised for wrong input; CourseError, ActionError, AgentError, ReplayError, ScenarioError and
                    SnapshotError are its subclasses

`gymnasium.make("roborally_env:RoboRally-v0", opponents=["random", "random"])` makes an env of one seat against agents.
The part before the colon imports this package; where it is imported already, `"RoboRally-v0"` will do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from roborally_env.base import former as _former
from roborally_env.base.errors import (
    ActionError,
    AgentError,
    CourseError,
    ReplayError,
    RoboRallyError,
    ScenarioError,
    SnapshotError,
)
from roborally_env.base.registry import REGISTERED as _REGISTERED
from roborally_env.envs.registration import register_now_or_later as _register_now_or_later

if TYPE_CHECKING:
    from roborally_env.batch import BatchRace, Step
    from roborally_env.courses import Course, course_names, list_courses, load_course
    from roborally_env.envs.make import aec_env, env, parallel_env
    from roborally_env.envs.vector import make_vec

__all__ = [
    "ActionError",
    "AgentError",
    "BatchRace",
    "Course",
    "CourseError",
    "ReplayError",
    "RoboRallyError",
    "ScenarioError",
    "SnapshotError",
    "Step",
    "aec_env",
    "course_names",
    "env",
    "list_courses",
    "load_course",
    "make_vec",
    "parallel_env",
]

# subpackages that are reached as attributes: roborally_env.scenario.load(...)
_PARTS = ("agents", "evaluation", "replay", "scenario", "selfplay")


def __getattr__(name: str) -> Any:
    """A public name or subpackage, imported at first use: numba, gymnasium and pettingzoo take long."""
    if name == "__version__":  # of pyproject.toml, which alone has it
        from importlib import metadata

        try:
            return metadata.version(__name__)
        except metadata.PackageNotFoundError:  # a checkout that is not installed
            return "unknown"
    if _former.current(f"{__name__}.{name}") is not None:
        return _former.load(f"{__name__}.{name}")
    if name not in __all__ and name not in _PARTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _part(name) if name in _PARTS else getattr(_home(name), name)


def _home(name: str) -> Any:
    """The module of a public name."""
    if name in ("BatchRace", "Step"):
        import roborally_env.batch

        return roborally_env.batch
    if name == "make_vec":
        import roborally_env.envs.vector

        return roborally_env.envs.vector
    if name in ("aec_env", "env", "parallel_env"):
        import roborally_env.envs.make

        return roborally_env.envs.make
    import roborally_env.courses

    return roborally_env.courses


def _part(name: str) -> Any:
    """A subpackage."""
    if name == "agents":
        import roborally_env.agents

        return roborally_env.agents
    if name == "evaluation":
        import roborally_env.evaluation

        return roborally_env.evaluation
    if name == "replay":
        import roborally_env.replay

        return roborally_env.replay
    if name == "scenario":
        import roborally_env.scenario

        return roborally_env.scenario
    import roborally_env.selfplay

    return roborally_env.selfplay


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _register_editions() -> None:
    from roborally_env.editions.built_in import register_all

    register_all()


_former.install()
_REGISTERED.later(_register_editions)
_register_now_or_later()
