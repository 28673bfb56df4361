"""`roborally train selfplay`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from roborally_env.agents import base
from roborally_env.executors import executor_for
from roborally_env.jobs import storage
from roborally_env.training.selfplay.actor_run import ActedRun
from roborally_env.training.selfplay.actors import Rollouts
from roborally_env.training.selfplay.options import Options
from roborally_env.training.selfplay.run import Run

STOPPED = 130  # exit code after Ctrl-C


def train(options: Options) -> int:
    """Train, or go on with the run in the folder, and race what was trained; returns the exit code.

    What comes out is the same whether the run was stopped (by Ctrl-C, by kill -9) or not: on the CPU, with one thread.

    Raises:
        RoboRallyError: for options that do not fit, a folder that holds another run, or a cluster that cannot be used.
    """
    options.check()
    with started(options) as run, storage.Folder(run.folder.path).only_writer():
        run.work()
        if not run.stopped and not run.evaluate(games=2 * options.evaluate_games):
            run.progress.line.say("stopped; the same command resumes")
        run.progress.close()
    return STOPPED if run.stopped else 0


@contextmanager
def started(options: Options) -> Iterator[Run]:
    """The run of these options, with its actors while it lasts."""
    if not options.actors:
        yield Run(options)
        return
    work = Rollouts(options, dict(base.REGISTRY), torch.__version__)
    with executor_for(options.actors, options.ray or None) as executor, executor.crew(work) as crew:
        yield ActedRun(options, crew)
