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

import importlib
from typing import TYPE_CHECKING, Any

from roborally_env.envs.registration import register_now_or_later as _register_now_or_later
from roborally_env.errors import (
    ActionError,
    AgentError,
    CourseError,
    ReplayError,
    RoboRallyError,
    ScenarioError,
    SnapshotError,
)

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

# public name -> its module, imported at first use: importing numba, gymnasium and pettingzoo is slow
_PLACES = {
    "BatchRace": "roborally_env.batch",
    "Course": "roborally_env.courses",
    "Step": "roborally_env.batch",
    "aec_env": "roborally_env.envs.make",
    "course_names": "roborally_env.courses",
    "env": "roborally_env.envs.make",
    "list_courses": "roborally_env.courses",
    "load_course": "roborally_env.courses",
    "make_vec": "roborally_env.envs.vector",
    "parallel_env": "roborally_env.envs.make",
}


# subpackages that are reached as attributes: roborally_env.scenario.load(...)
_PARTS = ("agents", "analysis", "replay", "scenario", "selfplay", "tournament")


def __getattr__(name: str) -> Any:
    if name in _PARTS:
        return importlib.import_module(f"roborally_env.{name}")
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_register_now_or_later()
