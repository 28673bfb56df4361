"""What `roborally compile` takes with an empty cache, by part and by stage of the compiler.

    python scripts/experiments/full_compile.py    # writes results/speed/compile.json

Seconds are of the processor, so other programs beside it change little.
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

OUT = Path(__file__).parents[2] / "results" / "speed" / "compile.json"


def measured(edition: str) -> dict[str, Any]:
    """The seconds of each part, and in it of each stage; to be called with an empty cache."""
    from roborally_env.compiling.libraries import Linked
    from roborally_env.compiling.progress import Progress
    from roborally_env.precompile import compile_part, parts_of

    marks: list[tuple[str, float]] = []
    stages: Counter[str] = Counter()
    stage, make = Progress.stage, Linked.make

    def marked(self: Progress, name: str) -> None:
        marks.append((name, time.process_time()))
        stage(self, name)

    def timed(self: Linked, *given: Any) -> None:
        marks.clear()
        make(self, *given)
        ends = [at for _, at in marks[1:]] + [time.process_time()]
        for (name, at), end in zip(marks, ends, strict=True):
            stages[name] += end - at

    Progress.stage, Linked.make, Progress.quiet = marked, timed, True  # type: ignore[method-assign]
    rows, began = [], time.process_time()
    for part in sorted(parts_of(edition), key=lambda each: each.what != "simulator"):
        stages.clear()
        compile_part(part)
        seconds, began = time.process_time() - began, time.process_time()
        llvm = sum(stages.values())
        rows.append({"name": part.what, "seconds": round(seconds, 1), "llvm": round(llvm, 1)})
    return {"edition": edition, "parts": rows, "seconds": round(time.process_time(), 1)}


def main() -> None:
    """Measure in a process of its own, and write the file."""
    if sys.argv[1:] == ["here"]:
        print(json.dumps(measured("2016")))
        return
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "ROBORALLY_CACHE": folder}
        words = [sys.executable, __file__, "here"]
        done = subprocess.run(words, env=env, check=True, text=True, stdout=subprocess.PIPE)
    OUT.write_text(json.dumps(json.loads(done.stdout.splitlines()[-1]), indent=1) + "\n", encoding="utf-8")
    print(done.stdout)


if __name__ == "__main__":
    main()
