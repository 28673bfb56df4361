"""Rollouts whose workers are killed."""

import os
import signal
from pathlib import Path
from typing import Any

from roborally_env.training.selfplay.actors import Rollouts


class Killed(Rollouts):
    """Rollouts whose worker is killed once."""

    def do(self, made: Any, part: Any, stopped: Any) -> Any:
        mark = Path(self.options.out) / "killed"
        if part[2].version == 1 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().do(made, part, stopped)


class Dead(Rollouts):
    """Rollouts that no worker survives."""

    def begin(self) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)
