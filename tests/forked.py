"""Programs in processes of their own, which begin with the heavy libraries imported."""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LIBRARIES = (
    "roborally_env.evaluation.tournament", "roborally_env.envs.parallel", "pandas", "pyarrow", "sb3_contrib",
    "torch._dynamo",  # which the first optimiser imports
)  # fmt: skip


def run(code: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder, with environment variables beside those of the tests. What it puts out is captured.

    Importing takes longer than most programs of the pages, so these are forks of one process that has imported.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():  # Windows
        words, env = [sys.executable, "-c", code], {**os.environ, **variables}
        return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env=env)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([name for name in LIBRARIES if importlib.util.find_spec(name.partition(".")[0])])
    with tempfile.TemporaryDirectory() as kept:
        texts = [Path(kept, name) for name in ("out", "err")]
        child = context.Process(target=_program, args=(code, folder, {**os.environ, **variables}, texts))
        child.start()
        child.join()
        return subprocess.CompletedProcess([], child.exitcode or 0, *(path.read_text("utf-8") for path in texts))


def _program(code: str, folder: Path, variables: dict[str, str], texts: list[Path]) -> None:
    for number, path in enumerate(texts, 1):
        os.dup2(os.open(path, os.O_CREAT | os.O_WRONLY), number)
    os.chdir(folder)
    os.environ.update(variables)
    sys.path[:0] = ["", *filter(None, variables.get("PYTHONPATH", "").split(os.pathsep))]
    exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
