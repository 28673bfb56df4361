"""What a page shows while machine code is made: for what, and how many seconds are left.

A race needs several functions, one after the other. `compile_seconds.toml` has their proportions; the one that is being
compiled gives the rate of this machine, so the seconds are those until all that is waited for is there.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from roborally_env.base.types import JsonObject
from roborally_env.compiling.progress import Compiling, Progress

WORDS = {
    "race": "the simulator",
    "bots": "the bots",
    "hint": "ghosts and hints",
    "review": "the search for better programs",
}


def compiling(kind: str) -> JsonObject | None:
    """What this process compiles, for a page; None if it compiles nothing.

    Args:
        kind: of game, as `game_of` names it.

    Returns:
        `what` in words; `seconds` until all of it is there, null while that is not known.
    """
    now = Progress.now()
    return None if now is None else left_of(now, _seconds().get(kind, {}))


def left_of(now: Compiling, stages: dict[str, dict[str, float]]) -> JsonObject:
    """As `compiling`, of the stages of a kind of game: the seconds of each function that they compile, in order."""
    stage = next((name for name, functions in stages.items() if now.entry in functions), "")
    seconds = now.seconds_left
    if seconds is not None and now.seconds is not None and stage:
        functions = stages[stage]
        names = list(functions)
        later = sum(functions[name] for name in names[names.index(now.entry) + 1 :])
        seconds += later * now.seconds / functions[now.entry]
    return {"what": WORDS.get(stage, WORDS["race"]), "seconds": None if seconds is None else max(1, round(seconds))}


@cache
def _seconds() -> dict[str, dict[str, dict[str, float]]]:
    return tomllib.loads(resources.files("roborally_env.play").joinpath("compile_seconds.toml").read_text("utf-8"))
