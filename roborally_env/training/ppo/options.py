"""The options of a run of PPO."""

from __future__ import annotations

from dataclasses import dataclass

from roborally_env.training.options import check_bounds, check_json, option

REWARDS = ("race", "win")
OF_THE_MACHINE = ("out", "threads", "checkpoint_every")
FREE = frozenset(
    {*OF_THE_MACHINE, "decisions", "hours", "evaluate_every", "evaluate_games", "evaluate_courses", "opponents"}
)


@dataclass
class Options:
    """Everything that decides what comes out; each is an option of the command."""

    out: str = option("out/ppo", "Folder of the run.")
    courses: list[str] = option(["dizzy_highway"], "Courses to race on, also generated ones, as generated:seed=1.")
    levels: int = option(300, "Courses of each generated:.. without levels of its own.", least=1, most=1024)
    generated: float = option(
        2 / 3,
        "Fraction of the races on generated courses, if there are named ones too.",
        least=0,
        most=1,
        open_ends=True,
    )
    edition: str | None = option(None, "The rules; those of the courses, if not given.")
    players: int = option(4, "Players of a race.", least=2, most=8)
    rules: str = option("{}", 'Rule options as JSON, as {"upgrades": false}.')
    games: int = option(256, "Races at once.", least=1)
    steps: int = option(64, "Steps of a rollout.", least=1)
    decisions: int = option(10_000_000, "Stop after this many decisions of the network.", least=1)
    hours: float = option(0.0, "Or after this many hours of training; 0: no limit.", least=0)
    max_rounds: int = option(60, "Races are cut after this many rounds.", least=1)
    seed: int = option(1, "Of races and weights.", least=0)
    ghost: bool = option(True, "Show where the cards chosen so far take the robot.")
    bots: list[str] = option([], "Bots to train against in some races.", may_be_empty=True)
    bot_races: float = option(0.5, "Fraction of the races in which bots have some of the seats.", least=0, most=1)
    begin: str = option("", "Weights to begin with: weights.npz of a run with the same network.")
    imitate: str = option("", "An agent to copy first.")
    imitate_decisions: int = option(1_000_000, "Decisions to copy.", least=0)
    reward: str = option("race", "The outcome that is learned from: places, or who wins.", choices=REWARDS)
    shaping: float = option(1.0, "Weight of the distance gained, beside the outcome.", least=0)
    lr: float = option(1e-3, "Learning rate of Adam at the start; it falls linearly.", least=0)
    lam: float = option(0.95, "Lambda of the advantages from one decision to the next.", least=0, most=1)
    inner_lam: float = option(0.95, "Lambda from one card of a program to the next.", least=0, most=1)
    clip: float = option(0.2, "PPO's clip range.", least=0)
    epochs: int = option(2, "Passes over the decisions of a rollout.", least=1)
    minibatch: int = option(2048, "Decisions of one gradient step.", least=1)
    entropy: float = option(0.01, "Weight of the entropy of a card.", least=0)
    value_weight: float = option(0.5, "Weight of the squared error of the values.", least=0)
    max_grad_norm: float = option(0.5, "Gradients are clipped to this norm.", least=0)
    hidden: int = option(128, "Units of the position.", least=1)
    width: int = option(96, "Units of the head that chooses a card.", least=1)
    ahead: bool = option(
        True, "Play the next rollout while learning from the last one, with weights one version behind."
    )
    threads: int = option(1, "Threads of torch.", least=1)
    checkpoint_every: float = option(120.0, "Seconds between checkpoints.", least=0)
    evaluate_every: int = option(1_000_000, "Decisions between evaluations; 0: only at the end.", least=0)
    evaluate_games: int = option(200, "Races of an evaluation, against each opponent.", least=0)
    evaluate_courses: list[str] = option(
        [], "Courses of the evaluations; those of --courses, if not given.", may_be_empty=True
    )
    opponents: list[str] = option(["random", "greedy"], "Agents to race in evaluations.", may_be_empty=True)

    def check(self) -> None:
        """Raise a RoboRallyError for values that make no run."""
        check_bounds(self)
        check_json("rules", self.rules)
