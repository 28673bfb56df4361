"""The options of a run with Stable-Baselines3."""

from __future__ import annotations

from dataclasses import dataclass

from roborally_env.agents import make_agent
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import NamedValues
from roborally_env.core.rule_options import EDITION_RULES
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.training.options import check_bounds, flag, option

MOST_SEEDS = 2**32 - 1  # of NumPy's older generator, which Stable-Baselines3 draws from
# what a run that goes on may change without becoming another run
FREE = frozenset({"out", "decisions", "hours", "threads", "device", "final_games", "checkpoint_seconds", "resume"})


@dataclass(frozen=True)
class Options:
    """Everything that can be chosen; each is an option of the command."""

    out: str = option("out/sb3", "Folder of the run.")
    algorithm: str = option(
        "ppo", "ppo: a policy designed for programs; maskable: sb3-contrib's MaskablePPO.", choices=("ppo", "maskable")
    )
    ghost: bool = option(False, "maskable: the policy sees where the cards placed so far take the robot.")
    course: tuple[str, ...] = option(
        (), "Courses; each race draws one. None: the edition's default course.", may_be_empty=True
    )
    edition: str = option(DEFAULT_EDITION, "Rules.", choices=tuple(EDITION_RULES))
    upgrades: bool = option(False, "2016: play the complete game, with upgrades.")
    players: int = option(4, "Players in a race.")
    opponents: tuple[str, ...] = option((), "Agents in the other seats; none: every seat learns.", may_be_empty=True)
    reward: str = option("shaped", "Reward to learn from.", choices=("race", "progress", "shaped"))
    max_rounds: int = option(60, "Truncate a race after N rounds.", least=1)
    decisions: int = option(2_000_000, "Stop after N decisions.", least=1)
    hours: float = option(0.0, "Stop after X hours of training; 0: no limit.", least=0)
    games: int = option(64, "Number of parallel races.", least=1)
    rollout: int = option(32, "Steps of each seat between updates.", least=1)
    minibatch: int = option(1024, "Decisions per gradient step.", least=1)
    epochs: int = option(4, "Passes over a rollout.", least=1)
    learning_rate: float = option(5e-4, "Learning rate of Adam.", least=0, open_ends=True, also=("--lr",))
    discount: float = option(0.98, "Discount factor per decision.", least=0, most=1, also=("--gamma",))
    gae_lambda: float = option(0.95, "GAE lambda.", least=0, most=1)
    clip: float = option(0.2, "PPO's clip range.", least=0)
    entropy: float = option(0.01, "Entropy weight.", least=0, also=("--ent-coef",))
    width: int = option(256, "Units of each hidden layer.", least=1)
    seed: int = option(1, "Random seed of courses, races and weights.", least=0, most=MOST_SEEDS)
    threads: int = option(0, "Number of torch CPU threads; 0: one per core.", least=0)
    device: str = option("auto", "cpu, cuda, or auto.")
    evaluate_every: int = option(250_000, "Decisions between evaluations; 0: only at the end.", least=0)
    evaluate_against: tuple[str, ...] = option(
        ("random", "greedy"), "Agents; each one in turn fills all other seats.", may_be_empty=True
    )
    evaluate_games: int = option(100, "Races per evaluation against each agent.", least=1)
    final_games: int = option(400, "Races of the final evaluation against each agent.", least=0)
    checkpoint_seconds: float = option(60.0, "Seconds between checkpoints; 0: after each update.", least=0)
    resume: bool = option(False, "Only resume: fail if there is no run to resume.")

    def check(self) -> None:
        """Raise a RoboRallyError for values that make no run."""
        check_bounds(self)
        if self.ghost and self.algorithm != "maskable":
            raise RoboRallyError(f"{flag('ghost')}: expected {flag('algorithm')} maskable, got {self.algorithm}")
        for agent in self.evaluate_against:
            make_agent(agent)

    def check_rollout(self, rows: int) -> None:
        """Raise a RoboRallyError if a rollout of this number of rows has fewer decisions than a gradient step."""
        if self.rollout * rows < max(self.minibatch, 2):
            raise RoboRallyError(
                f"{flag('minibatch')}: expected at most the {self.rollout * rows} decisions of a rollout, "
                f"got {self.minibatch}"
            )


def rules_of(options: Options) -> NamedValues:
    """The rule options of the races."""
    return {"upgrades": options.upgrades} if "upgrades" in EDITION_RULES[options.edition] else {}
