"""What a page shows while machine code is made: for what, and how many seconds are left.

A race needs several functions, one after the other. Their proportions are known, and the one that is being compiled
gives the rate of this machine, so the seconds are those until all that is waited for is there.
"""

from __future__ import annotations

from roborally_env.base.types import JsonObject
from roborally_env.compiling.progress import Compiling, Progress

# What is compiled for what: functions that are always needed together, in order, with processor seconds of the complete
# game on an Intel Xeon (model 207). Those of the other games stand in nearly the same proportions.
STAGES = {
    "the simulator": {"explore": 8.1, "drive": 19.1},  # `explore` on courses that are not shipped
    "the search for programs": {"plan_ahead": 9.3, "greedy_programs": 1.6},
    "the planner": {"plan_programs": 7.7},
    "the purchases of the learned agent": {"learned_choices": 5.8},
    "the learned agent": {"learned_programs": 18.3},
    "the value of upgrades": {"score_purchases": 3.5},
    "the look back": {"predict": 6.9, "judge": 7.9, "gain_of_search": 7.0},
}
OTHER = "the rules"


def compiling() -> JsonObject | None:
    """What this process compiles, for a page; None if it compiles nothing.

    Returns:
        `what` in words; `seconds` until all of it is there, null while that is not known.
    """
    now = Progress.now()
    return None if now is None else left_of(now)


def left_of(now: Compiling) -> JsonObject:
    """As `compiling`, of the progress of one function."""
    what = next((name for name, functions in STAGES.items() if now.entry in functions), OTHER)
    seconds = now.seconds_left
    if seconds is not None and now.seconds is not None and what != OTHER:
        functions = STAGES[what]
        names = list(functions)
        later = sum(functions[name] for name in names[names.index(now.entry) + 1 :])
        seconds += later * now.seconds / functions[now.entry]
    return {"what": what, "seconds": None if seconds is None else max(1, round(seconds))}
