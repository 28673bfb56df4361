"""The options of a run that learns the chance to win."""

from __future__ import annotations

from dataclasses import dataclass

from roborally_env.errors import RoboRallyError
from roborally_env.training.options import check_bounds, check_json, option

OF_THE_MACHINE = ("out", "threads", "checkpoint_every")  # options that are not kept with the weights


@dataclass
class Options:
    """Everything that decides what comes out; each is an option of the command."""

    out: str = option("out/value", "Folder of the run.")
    courses: list[str] = option(["dizzy_highway", "risky_crossing", "twister"], "Courses to race on.")
    generated: float = option(
        2 / 3,
        "Share of the races on generated courses, if there are named ones too.",
        least=0,
        most=1,
        open_ends=True,
    )
    at_once: int = option(32, "Courses of a batch at least, if any are generated.", least=1)
    edition: str | None = option(None, "The rules; those of the courses, if not given.")
    players: int = option(4, "Players of a race.")
    rules: str = option("{}", 'Rule options as JSON, as {"upgrades": false}.')
    agent: str = option("greedy", "Lays the programs.")
    explore: float = option(0.25, "Share of the programs that are drawn from the good ones.", least=0, most=1)
    wander: float = option(0.05, "Share of the programs that are drawn from all legal ones.", least=0, most=1)
    shop_around: float = option(0.5, "Share of the purchases that are drawn from all legal ones.", least=0, most=1)
    doze: float = option(0.25, "Share of the power downs that are decided at random.", least=0, most=1)
    games: int = option(2048, "Races at once, played to their end, then learned from.", least=1)
    max_rounds: int = option(60, "Races are cut after so many rounds.", least=1)
    positions: int = option(3_000_000, "Stop after so many positions.", least=1)
    held_out: int = option(10, "Each batch of so many tells how good the network is and is not learned from.", least=2)
    epochs: int = option(1, "Passes over a batch; more learns races by heart.", least=1)
    minibatch: int = option(1024, "Positions of one gradient step.", least=1)
    lr: float = option(5e-4, "Learning rate of AdamW.")
    decay: float = option(1e-4, "Weight decay.")
    hidden: int = option(128, "Units of each hidden layer.", least=1)
    seed: int = option(1, "Of courses, races and weights.", least=0)
    threads: int = option(1, "Threads of torch.", least=1)
    checkpoint_every: float = option(60.0, "Seconds between checkpoints.", least=0)

    def check(self) -> None:
        """Raise a RoboRallyError for values that make no run."""
        check_bounds(self)
        check_json("rules", self.rules)
        if self.explore + self.wander > 1:
            raise RoboRallyError("--explore, --wander: expected at most 1 together")
