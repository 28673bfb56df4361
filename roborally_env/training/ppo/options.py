"""The options of a run of PPO."""

from __future__ import annotations

from dataclasses import dataclass

from roborally_env.base.errors import RoboRallyError
from roborally_env.training.options import MOST_SEED, RULES, check_bounds, option, settle

REWARDS = ("race", "win")
ALGORITHMS, CRITICS = ("ppo", "pqn"), ("own", "central")
OF_THE_MACHINE = ("out", "device", "threads", "checkpoint_every")
FREE = frozenset(
    {*OF_THE_MACHINE, "decisions", "hours", "evaluate_every", "evaluate_games", "evaluate_courses", "opponents"}
)


@dataclass
class Options:
    """Everything that decides what comes out; each is an option of the command."""

    out: str = option("out/ppo", "Folder of the run.")
    algorithm: str = option("ppo", "ppo; or pqn: Q-learning card by card, without a replay buffer.", choices=ALGORITHMS)
    critic: str = option(
        "own", "What ppo's critic sees: own, what the seat sees; central, what all seats see.", choices=CRITICS
    )
    courses: list[str] = option(
        ["dizzy_highway"], "Courses to race on, including generated ones such as generated:seed=1."
    )
    levels: int = option(300, "Number of courses for each generated:.. that sets no levels.", least=1, most=1024)
    generated: float = option(
        2 / 3,
        "Fraction of the races on generated courses, if there are named ones too.",
        least=0,
        most=1,
        open_ends=True,
    )
    edition: str | None = option(None, "Rules.  [default: the courses' edition]")
    players: int = option(4, "Players in a race.", least=2, most=8)
    rules: str = option("{}", RULES, words=True)
    games: int = option(256, "Number of parallel races.", least=1)
    steps: int = option(16, "Steps per rollout.", least=1)
    decisions: int = option(10_000_000, "Stop after N decisions of the network.", least=1)
    hours: float = option(0.0, "Stop after X hours of training; 0: no limit.", least=0)
    max_rounds: int = option(60, "Truncate a race after N rounds.", least=1)
    seed: int = option(1, "Random seed of the races and the initial weights.", least=0, most=MOST_SEED)
    ghost: bool = option(True, "Show, before each card, where the cards chosen so far take the robot.")
    bots: list[str] = option([], "Bots to train against in some of the races.", may_be_empty=True)
    bot_races: float = option(0.5, "Fraction of the races in which bots have some of the seats.", least=0, most=1)
    bot_seats: int = option(
        0, "Seats of the bots in each such race; 0: from one to all but one, drawn for each race.", least=0, most=7
    )
    begin: str = option(
        "", "Initial weights: weights.npz of a run with the same --hidden and --width, also for another game."
    )
    imitate: str = option("", "Agent to imitate first, such as greedy.")
    imitate_decisions: int = option(1_000_000, "Number of its decisions to imitate.", least=0)
    reward: str = option("race", "Reward at the end of a race: race, by place; win, by winning.", choices=REWARDS)
    shaping: float = option(1.0, "Weight of the progress that is added to the reward.", least=0)
    lr: float = option(1e-3, "Initial learning rate of Adam; it decays linearly.", least=0, also=("--learning-rate",))
    lr_end: float = option(
        0.05, "Fraction of the learning rate at which its decay stops; 1: it stays constant.", least=0, most=1
    )
    imitate_soft: float = option(
        0.0,
        "While imitating, learn from the values of all cards for a robot alone, not from the agent's cards: the "
        "softmax of the values at this temperature, in quarter registers; 0: from its cards.",
        least=0,
    )
    solo_weight: float = option(
        0.0,
        "Weight, after imitation, of the registers that the policy's card is expected to lose against the best card "
        "for a robot alone; it decays linearly to 0.",
        least=0,
    )
    imitate_lr: float = option(0.0025, "Initial learning rate of imitation; it decays in the same way.", least=0)
    gamma: float = option(
        1.0, "Discount factor from one decision of a seat to its next; within a program nothing is discounted.",
        least=0, most=1,
    )  # fmt: skip
    lam: float = option(0.95, "GAE's lambda from one decision to the next.", least=0, most=1, also=("--gae-lambda",))
    inner_lam: float = option(0.95, "GAE's lambda from one card of a program to the next.", least=0, most=1)
    clip: float = option(0.2, "PPO's clip range.", least=0)
    epochs: int = option(1, "Passes over each rollout.", least=1)
    target_kl: float = option(
        0.0, "Make no further pass over a rollout after one whose mean KL divergence is larger; 0: make all.", least=0
    )
    minibatch: int = option(512, "Decisions per gradient step.", least=1)
    entropy: float = option(0.01, "Weight of the entropy of a decision.", least=0, also=("--ent-coef",))
    explore: float = option(
        0.05, "pqn: fraction of random cards; it falls from 1 to this over the first tenth of the run.", least=0,
        most=1,
    )  # fmt: skip
    value_weight: float = option(0.5, "Weight of the squared error of the values.", least=0, also=("--vf-coef",))
    max_grad_norm: float = option(0.5, "Clip gradients to this norm.", least=0)
    hidden: int = option(128, "Units of the layers that read the position.", least=1, most=2048)
    width: int = option(96, "Units of the layers that choose a card.", least=1, most=2048)
    ahead: bool = option(
        False, "Use a second core: play the next rollout with weights one version behind while learning."
    )
    actors: int = option(1, "Threads that play, each an equal part of the parallel races.", least=1, most=256)
    learners: int = option(
        1, "Threads that learn on the CPU, each from the rollouts of an equal part of the actors.", least=1, most=256
    )
    device: str = option("cpu", "Where the network learns: cpu, cuda, or auto.")
    threads: int = option(1, "Number of torch threads.", least=1, most=256)
    checkpoint_every: float = option(120.0, "Seconds between checkpoints.", least=0)
    evaluate_every: int = option(1_000_000, "Decisions between evaluations; 0: only at the end.", least=0)
    evaluate_games: int = option(200, "Races per evaluation and opponent; twice as many at the end.", least=0)
    evaluate_courses: list[str] = option(
        [], "Courses of the evaluations.  [default: those of --courses]", may_be_empty=True
    )
    opponents: list[str] = option(["random", "greedy"], "Agents to race in evaluations.", may_be_empty=True)

    def __post_init__(self) -> None:
        settle(self)

    def check(self) -> None:
        """Raise a RoboRallyError for values that make no run."""
        check_bounds(self)
        if self.algorithm == "pqn" and (self.critic, self.imitate) != ("own", ""):
            raise RoboRallyError("--algorithm pqn: expected no --imitate and no --critic, which belong to ppo")
        if self.games % self.actors:
            raise RoboRallyError(f"--games: expected a multiple of --actors {self.actors}, got {self.games}")
        if self.actors % self.learners:
            raise RoboRallyError(f"--actors: expected a multiple of --learners {self.learners}, got {self.actors}")
        if self.learners > 1 and self.device != "cpu":
            raise RoboRallyError(f"--learners {self.learners}: expected 1 with --device {self.device}, or --device cpu")
        if self.bot_seats >= self.players:
            raise RoboRallyError(
                f"--bot-seats: expected 0 to {self.players - 1}, as one of {self.players} players is the network, got "
                f"{self.bot_seats}"
            )
