"""A run: train, or go on with it."""

from __future__ import annotations

from contextlib import suppress

import torch
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.threads import most_threads
from roborally_env.base.types import NamedValues
from roborally_env.jobs import storage
from roborally_env.training.board import Board
from roborally_env.training.devices import device_of
from roborally_env.training.evaluations import COLUMNS, TABLE
from roborally_env.training.folder import Folder
from roborally_env.training.options import refuse_changes
from roborally_env.training.sb3.model import Model, make_env, make_model
from roborally_env.training.sb3.options import FREE, Options
from roborally_env.training.sb3.state import put_back
from roborally_env.training.sb3.watch import PROGRESS, OutOfTime, Watch

STOPPED = 130  # exit code after Ctrl-C


def train(options: Options) -> int:
    """Train, or go on with the run in the folder, and race what was trained; returns the exit code.

    What comes out is the same whether the run was stopped (by Ctrl-C, by kill -9) or not.

    Raises:
        RoboRallyError: for options that do not fit, or a folder that holds another run.
    """
    options.check()
    device_of(options.device)
    folder = Folder(options.out, {"progress.csv": PROGRESS, TABLE: COLUMNS}, "decisions")
    old = folder.read()
    if old is not None:
        refuse_changes(folder.checkpoint, old["options"], options, FREE)
    elif options.resume:
        raise RoboRallyError(f"--resume: {folder.checkpoint}: no such file; without --resume a run begins there")
    torch.set_num_threads(options.threads or most_threads())
    model = make_model(options, make_env(options))
    folder.make()
    with storage.Folder(folder.path).only_writer():
        return _train(model, options, folder, old)


def _train(model: Model, options: Options, folder: Folder, old: NamedValues | None) -> int:
    folder.begin(old)
    if old is not None:
        put_back(model, old)
        folder.report_start(model.num_timesteps, options.decisions)
    log = TensorBoard(str(folder.path), model.num_timesteps)
    model.set_logger(Logger(str(folder.path), [log]))
    watch = Watch(options, folder, old)
    try:
        learn(model, options, watch)
        watch.line.close()
        if options.final_games:
            watch.init_callback(model)
            watch.num_timesteps = model.num_timesteps
            watch.evaluate(options.final_games)
    except KeyboardInterrupt:
        watch.save()
        watch.line.say("stopped; the same command resumes from the last complete update")
        return STOPPED
    return 0


def learn(model: Model, options: Options, watch: Watch) -> None:
    """Learn until decisions or hours are reached, and write the checkpoint."""
    left = options.decisions - model.num_timesteps
    if left <= 0:
        return
    with suppress(OutOfTime):
        model.learn(left, callback=watch, reset_num_timesteps=False)
    watch.save()


class TensorBoard(TensorBoardOutputFormat):
    """A log for TensorBoard, in which what a run wrote after its checkpoint is no longer shown."""

    def __init__(self, folder: str, decisions: int) -> None:
        # instead of the class's own writer, which would begin another file
        self.writer = Board(folder, decisions)
        self._is_closed = False
