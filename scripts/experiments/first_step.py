"""What compiling takes until the first step of the default `parallel_env`, and for a course of one's own, by function.

    python scripts/experiments/first_step.py    # writes results/speed/first_step.json

It begins with an empty cache. Seconds are of the processor, so other programs beside it change little.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

OUT = Path(__file__).parents[2] / "results" / "speed" / "first_step.json"


def measured() -> dict[str, Any]:
    """The seconds of each stage, for each function that Python calls; to be called with an empty cache."""
    from roborally_env import load_course, parallel_env
    from roborally_env.compiling.kernels import Kernel
    from roborally_env.compiling.progress import Progress
    from roborally_env.core.editions import game_dtype
    from roborally_env.core.searching.distances import CourseMaps
    from roborally_env.courses.tables import tables_of

    marks: list[tuple[str, float]] = []
    functions: dict[str, dict[str, float]] = {}
    stage, make = Progress.stage, Kernel._make_entry

    def marked(self: Progress, name: str) -> None:
        marks.append((name, time.process_time()))
        stage(self, name)

    def timed(self: Kernel, *given: Any) -> Any:
        marks[:] = [("typing", time.process_time())]
        made = make(self, *given)
        ends = [at for _, at in marks[1:]] + [time.process_time()]
        found: Counter[str] = Counter()  # with the kernels apart that it calls
        for (name, at), end in zip(marks, ends, strict=True):
            found[name] += end - at
        if sum(found.values()) >= 0.5:
            functions[self.py_func.__name__] = {name: round(spent, 1) for name, spent in found.items()}
        return made

    Progress.stage, Kernel._make_entry = marked, timed  # type: ignore[method-assign]
    imported = time.process_time()
    env = parallel_env("dizzy_highway", players=4)
    observations, _ = env.reset(seed=42)
    env.step({a: env.action_space(a).sample(observations[a]["action_mask"]) for a in env.agents})
    seconds = round(time.process_time(), 1)
    CourseMaps(tables_of(load_course("dizzy_highway")), game_dtype("complete"))  # as of a course that is not shipped
    return {"imports": round(imported, 1), "functions": functions, "seconds": seconds}


def main() -> None:
    """Measure in a process of its own, and write the file."""
    if sys.argv[1:] == ["here"]:
        print(json.dumps(measured()))
        return
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "ROBORALLY_CACHE": folder}
        words = [sys.executable, __file__, "here"]
        done = subprocess.run(words, env=env, check=True, text=True, stdout=subprocess.PIPE)
    OUT.write_text(json.dumps(json.loads(done.stdout), indent=1) + "\n", encoding="utf-8")
    print(done.stdout)


if __name__ == "__main__":
    main()
