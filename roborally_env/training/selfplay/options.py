"""The options of a run of self-play."""

from __future__ import annotations

from dataclasses import dataclass, fields

from roborally_env.agents.candidates import AHEAD, MOST
from roborally_env.agents.candidates import DEALS as HEATS
from roborally_env.base.errors import RoboRallyError
from roborally_env.generated.level_replay import CURRICULA, LONGEST
from roborally_env.training.options import MOST_SEED, RULES, check_bounds, default_of, flag, option, settle

NO_CURRICULUM = "none"
NEEDS_LEAGUE = ("success", "weakest")  # curricula that look at how the network does against it
OF_A_CURRICULUM = ("fresh", "temperature", "staleness", "edit", "edit_most", "remember", "robust")  # of no use without
REWARDS = ("win", "race", "progress", "shaped")
OF_THE_MACHINE = ("out", "device", "threads", "checkpoint_every", "ray")  # options that are not kept with the weights
# what a run that goes on may change without becoming another run
FREE = frozenset(
    {*OF_THE_MACHINE, "decisions", "hours", "evaluate_every", "evaluate_games", "evaluate_courses", "opponents"}
)


@dataclass
class Options:
    """Everything that decides what comes out; each is an option of the command."""

    out: str = option("out/selfplay", "Folder of the run.")
    courses: list[str] = option(["dizzy_highway", "risky_crossing", "twister"], "Courses to race on.")
    edition: str | None = option(None, "Rules.  [default: the courses' edition]")
    players: list[int] = option([4], "Players in a race; each number gets its own batch of races.")
    rules: str = option("{}", RULES, words=True)
    games: int = option(256, "Number of parallel races for each number of players.", least=1)
    steps: int = option(24, "Steps per iteration.", least=1)
    decisions: int = option(20_000_000, "Stop after N decisions of the network; 0: only imitation.", least=0)
    hours: float = option(0.0, "Stop after X hours of training; 0: no limit.", least=0)
    max_rounds: int = option(60, "Truncate a race after N rounds.", least=1)
    seed: int = option(1, "Random seed of courses, races and weights.", least=0, most=MOST_SEED)
    # the courses
    generated: float = option(
        2 / 3,
        "Fraction of the races on generated courses, if there are named ones too.",
        least=0,
        most=1,
        open_ends=True,
    )
    at_once: int = option(
        32, "Minimum number of courses at a time, if any are generated; with a curriculum, the exact number.", least=1
    )
    change_every: int = option(16, "Change the courses every N iterations, if there are others.", least=1)
    curriculum: str = option(
        NO_CURRICULUM,
        "Score by which courses are replayed (prioritised level replay).",
        choices=(NO_CURRICULUM, *CURRICULA),
    )
    fresh: float = option(0.5, "Fraction of new courses in a curriculum, as long as there are any.", least=0, most=1)
    temperature: float = option(1.0, "Temperature of the ranks in a curriculum.", least=0, open_ends=True)
    staleness: float = option(
        0.3, "Fraction of the replayed courses that are drawn by the time since they were last played.", least=0, most=1
    )
    edit: float = option(
        0.0,
        "Fraction of a curriculum's new courses that are edits of courses with a high score (ACCEL).",
        least=0,
        most=1,
    )
    edit_most: int = option(LONGEST, "Maximum number of successive changes to a course.", least=1, most=1000)
    remember: int = option(
        4000, "Number of generated and edited courses that a curriculum keeps: those with the highest scores.", least=1
    )
    robust: bool = option(False, "Do not learn from a course the first time it is played.")
    # the league
    league: list[str] = option(["greedy", "planner:simulations=30"], "Bots to play against.", may_be_empty=True)
    league_share: float = option(0.5, "Fraction of the races with league agents.", least=0, most=1)
    snapshot_every: int = option(1_000_000, "Add the network to the league every N decisions.", least=1)
    snapshots: int = option(6, "Number of earlier versions to keep.", least=0)
    # PPO
    lr: float = option(5e-4, "Initial learning rate of Adam; it decays linearly.", least=0, also=("--learning-rate",))
    lr_end: float = option(
        0.05, "Fraction of the learning rate at which its decay stops; 1: it stays constant.", least=0, most=1
    )
    gamma: float = option(1.0, "Discount factor per decision.", least=0, most=1)
    lam: float = option(0.95, "GAE lambda.", least=0, most=1, also=("--gae-lambda",))
    clip: float = option(0.2, "PPO's clip range.", least=0)
    epochs: int = option(2, "Passes over the decisions of an iteration.", least=1)
    minibatch: int = option(2048, "Decisions per gradient step.", least=1)
    entropy: float = option(0.003, "Entropy weight.", least=0, also=("--ent-coef",))
    value_weight: float = option(
        0.5, "Weight of the losses of value and win probability.", least=0, also=("--vf-coef",)
    )
    reward: str = option("win", "Reward to learn from: win, or a reward of BatchRace.", choices=REWARDS)
    central_critic: bool = option(False, "Let the critic see the other robots' hands; the policy never does.")
    # candidates and expert iteration
    deals: list[int] = option([0, 1, 2], "Numbers of deals to simulate per decision; one is drawn for each.", least=0)
    ahead: int = option(
        AHEAD,
        "How many heats of a decision's simulations, of four, look one round further: the last ones.",
        least=0,
        most=len(HEATS),
    )
    expert: float = option(
        0.0, "Fraction of decisions whose candidates are simulated as a learning target.", least=0, most=1
    )
    expert_deals: int = option(16, "Number of deals for these simulations.", least=1)
    expert_candidates: int = option(
        MOST, "Number of candidates that are simulated: the best by the policy, and some of the others.", least=2
    )
    expert_rounds: int = option(
        0, "Number of further rounds in these simulations, in which everybody programs as greedy.", least=0
    )
    expert_weight: float = option(1.0, "Weight of the policy loss from these simulations.", least=0)
    policy_weight: float = option(1.0, "Weight of the policy gradient; 0: only expert iteration.", least=0)
    begin: str = option("", "File of weights: the parts that do not read programs are loaded and stay fixed.")
    # imitation
    imitate: str = option("", "Agent to imitate first, or a folder of recorded races.")
    imitate_decisions: int = option(300_000, "Number of decisions to imitate.", least=0)
    # actors
    actors: int = option(
        0, "Number of actors that play while the learner learns; 0: the learner plays.", least=0, most=1024
    )
    behind: int = option(
        1,
        "Maximum number of versions that an actor's network may lag; 0: actors wait for the learner.",
        least=0,
    )
    ray: str = option(
        "", "Run actors on a Ray cluster: auto, HOST:PORT or ray://HOST:PORT.  [default: local processes]"
    )
    # the rest
    hidden: int = option(128, "Units of each hidden layer.", least=1)
    threads: int = option(1, "Number of torch threads; one is best for a network this small.", least=1)
    device: str = option("auto", "cpu, cuda, or auto.")
    checkpoint_every: float = option(120.0, "Seconds between checkpoints.", least=0)
    evaluate_every: int = option(2_000_000, "Decisions between evaluations; 0: only at the end.", least=0)
    evaluate_games: int = option(200, "Races per evaluation and opponent; twice as many at the end.", least=0)
    evaluate_courses: list[str] = option(
        [],
        "Courses for evaluation only, such as generated:seed=9; by default the first two of --courses.",
        may_be_empty=True,
    )
    opponents: list[str] = option(["greedy", "random"], "Agents to race in evaluations.", may_be_empty=True)

    def __post_init__(self) -> None:
        settle(self)

    def check(self) -> None:
        """Raise a RoboRallyError for values that make no run."""
        check_bounds(self)
        if self.curriculum in NEEDS_LEAGUE and not (self.league and self.league_share):
            raise RoboRallyError(f"--curriculum {self.curriculum}: expected a --league to race against, got none")
        self._check_of_a_curriculum()
        if self.edit and not self.fresh:
            raise RoboRallyError("--edit: expected --fresh over 0, because changed courses are new ones; got 0")
        if self.curriculum != NO_CURRICULUM and self.remember < self.at_once * max(1, self.actors):
            raise RoboRallyError(
                f"--remember: expected at least the {self.at_once * max(1, self.actors)} courses that are played at "
                f"once, got {self.remember}"
            )
        if self.ray and not self.actors:
            raise RoboRallyError("--ray: expected --actors of at least 1, got 0")

    def _check_of_a_curriculum(self) -> None:
        """Raise a RoboRallyError for an option of a curriculum where there is none; its default is no question."""
        if self.curriculum != NO_CURRICULUM:
            return
        for one in fields(self):
            if one.name in OF_A_CURRICULUM and getattr(self, one.name) != default_of(one):
                raise RoboRallyError(f"{flag(one.name)}: expected a --curriculum with it, got none")
