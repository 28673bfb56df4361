"""The options of a run that learns the chance to win."""

from __future__ import annotations

from dataclasses import dataclass

from roborally_env.base.errors import RoboRallyError
from roborally_env.training.options import MOST_SEED, RULES, check_bounds, option, settle

OF_THE_MACHINE = ("out", "threads", "checkpoint_every")  # options that are not kept with the weights


@dataclass
class Options:
    """Everything that decides what comes out; each is an option of the command."""

    out: str = option("out/value", "Folder of the run.")
    courses: list[str] = option(["dizzy_highway", "risky_crossing", "twister"], "Courses to race on.")
    generated: float = option(
        2 / 3,
        "Fraction of the races on generated courses, if there are named ones too.",
        least=0,
        most=1,
        open_ends=True,
    )
    at_once: int = option(32, "Minimum number of courses in a batch, if any are generated.", least=1)
    edition: str | None = option(None, "Rules.  [default: the courses' edition]")
    players: list[int] = option([4], "Players in a race; of several numbers each batch draws one.")
    rules: str = option("{}", RULES, words=True)
    agent: str = option("greedy", "Agent that chooses the programs.")
    explore: float = option(0.25, "Fraction of programs drawn from the good ones.", least=0, most=1)
    wander: float = option(0.05, "Fraction of programs drawn from all legal ones.", least=0, most=1)
    shop_around: float = option(0.5, "Fraction of purchases drawn from all legal ones.", least=0, most=1)
    doze: float = option(0.25, "Fraction of power downs decided at random.", least=0, most=1)
    rollouts: int = option(
        0, "Play out this many races by `greedy` from some positions; the share each seat wins is a target.", least=0
    )
    rollout_rounds: int = option(
        60, "Rounds of these races; for unfinished ones the win probability by distances replaces the result.", least=1
    )
    rollout_share: float = option(0.1, "Fraction of rounds from whose start they are played.", least=0, most=1)
    rollout_weight: float = option(4.0, "Weight of these positions in the loss; a result has weight 1.", least=0)
    games: int = option(2048, "Number of parallel races; the network learns from them when they are over.", least=1)
    max_rounds: int = option(60, "Truncate a race after N rounds.", least=1)
    positions: int = option(3_000_000, "Stop after N positions.", least=1)
    held_out: int = option(10, "Hold out every N-th batch to measure the network.", least=2)
    epochs: int = option(1, "Passes over a batch; more than one overfits.", least=1)
    minibatch: int = option(1024, "Positions per gradient step.", least=1)
    lr: float = option(5e-4, "Initial learning rate of AdamW; it decays linearly to a twentieth.", least=0)
    decay: float = option(1e-4, "Weight decay.", least=0)
    hidden: int = option(128, "Units of each hidden layer.", least=1)
    seed: int = option(1, "Random seed of courses, races and weights.", least=0, most=MOST_SEED)
    threads: int = option(1, "Number of torch threads.", least=1)
    checkpoint_every: float = option(60.0, "Seconds between checkpoints.", least=0)

    def __post_init__(self) -> None:
        settle(self)

    def check(self) -> None:
        """Raise a RoboRallyError for values that make no run."""
        check_bounds(self)
        if self.explore + self.wander > 1:
            raise RoboRallyError("--explore, --wander: expected at most 1 together")
        if self.rollouts and not self.rollout_share:
            raise RoboRallyError("--rollouts: expected --rollout-share over 0 with it")
