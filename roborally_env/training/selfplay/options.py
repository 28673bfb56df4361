"""The options of a run of self-play."""

from __future__ import annotations

from dataclasses import dataclass, fields

from roborally_env.errors import RoboRallyError
from roborally_env.generated.level_replay import CURRICULA, LONGEST
from roborally_env.training.options import check_bounds, check_json, default_of, flag, option

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
    edition: str | None = option(None, "The rules; those of the courses, if not given.")
    players: list[int] = option([4], "Players of a race: a batch of races for each number.")
    rules: str = option("{}", 'Rule options as JSON, as {"upgrades": false}.')
    games: int = option(256, "Races at once, of each number of players.", least=1)
    steps: int = option(24, "Steps of an iteration.", least=1)
    decisions: int = option(20_000_000, "Stop after so many decisions of the network; 0: imitation alone.", least=0)
    hours: float = option(0.0, "Or after so many hours of training; 0: no limit.", least=0)
    max_rounds: int = option(60, "Races are cut after so many rounds.", least=1)
    seed: int = option(1, "Of courses, races and weights.", least=0)
    # the courses
    generated: float = option(
        2 / 3,
        "Share of the races on generated courses, if there are named ones too.",
        least=0,
        most=1,
        open_ends=True,
    )
    at_once: int = option(
        32, "Courses of a table at least, if any are generated; with a curriculum exactly so many.", least=1
    )
    change_every: int = option(16, "Iterations after which the tables get other courses, if there are any.", least=1)
    curriculum: str = option(
        NO_CURRICULUM,
        "What decides which courses come again (prioritised level replay).",
        choices=(NO_CURRICULUM, *CURRICULA),
    )
    fresh: float = option(0.5, "Share of new courses in a curriculum, as long as there are any.", least=0, most=1)
    temperature: float = option(1.0, "Temperature of the ranks in a curriculum.", least=0, open_ends=True)
    staleness: float = option(
        0.3, "Share of the courses that come again which are drawn by how long ago they came.", least=0, most=1
    )
    edit: float = option(
        0.0,
        "Share of a curriculum's new courses that are changes of courses with a high score (ACCEL).",
        least=0,
        most=1,
    )
    edit_most: int = option(LONGEST, "Changes of a course, one after the other, at most.", least=1, most=1000)
    remember: int = option(
        4000, "Generated and changed courses that a curriculum remembers: those with the highest scores.", least=1
    )
    robust: bool = option(False, "Learn nothing from a course that comes for the first time.")
    # the league
    league: list[str] = option(["greedy", "planner:simulations=30"], "Bots to play against.", may_be_empty=True)
    league_share: float = option(0.5, "Share of the races that have seats of the league.", least=0, most=1)
    snapshot_every: int = option(1_000_000, "Decisions after which the network joins the league.", least=1)
    snapshots: int = option(6, "Earlier versions that are kept.", least=0)
    # PPO
    lr: float = option(5e-4, "Learning rate of Adam.", least=0)
    gamma: float = option(1.0, "Discount of rewards, by decision.", least=0, most=1)
    lam: float = option(0.95, "Lambda of the advantages.", least=0, most=1)
    clip: float = option(0.2, "PPO's clip range.", least=0)
    epochs: int = option(2, "Passes over the decisions of an iteration.", least=1)
    minibatch: int = option(2048, "Decisions of one gradient step.", least=1)
    entropy: float = option(0.003, "Weight of the entropy.")
    value_weight: float = option(0.5, "Weight of the losses of value and chance to win.")
    reward: str = option("win", "What is learned from: win, or a reward of BatchRace.", choices=REWARDS)
    central_critic: bool = option(False, "The critic sees the others' hands; the players never do.")
    # candidates and expert iteration
    deals: list[int] = option([0, 1, 2], "Deals that are simulated for a decision: one of these, at random.")
    expert: float = option(0.0, "Share of the decisions after which all candidates are simulated, to learn from.")
    expert_deals: int = option(16, "In so many deals.", least=1)
    expert_weight: float = option(1.0, "Weight of what the policy gains by them.")
    policy_weight: float = option(1.0, "Weight of the policy gradient; 0: expert iteration alone.")
    begin: str = option(
        "", "A file of weights: its parts that do not look at programs are taken over, and stay as they are."
    )
    # imitation
    imitate: str = option("", "An agent to copy first, or a folder of recorded races.")
    imitate_decisions: int = option(300_000, "Decisions to copy.", least=0)
    # actors
    actors: int = option(0, "Actors, which play while one learner learns; 0: it plays itself.", least=0, most=1024)
    behind: int = option(
        1,
        "Versions that an actor's network may be behind the one that learns; 0: actors wait for it.",
        least=0,
    )
    ray: str = option("", "Actors on a Ray cluster: auto, HOST:PORT or ray://HOST:PORT; else they are processes.")
    # the rest
    hidden: int = option(128, "Units of each hidden layer.", least=1)
    threads: int = option(1, "Threads of torch; one is best for so small a network.", least=1)
    device: str = option("auto", "cpu, cuda, or auto.")
    checkpoint_every: float = option(120.0, "Seconds between checkpoints.", least=0)
    evaluate_every: int = option(2_000_000, "Decisions between evaluations; 0: only at the end.", least=0)
    evaluate_games: int = option(200, "Races of an evaluation, against each opponent.", least=0)
    evaluate_courses: list[str] = option(
        [],
        "Courses to race on in evaluations, as generated:seed=9, of which nothing is learned; if not given, the first "
        "two of --courses.",
        may_be_empty=True,
    )
    opponents: list[str] = option(["greedy", "random"], "Agents to race in evaluations.", may_be_empty=True)

    def check(self) -> None:
        """Raise a RoboRallyError for values that make no run."""
        check_bounds(self)
        check_json("rules", self.rules)
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
