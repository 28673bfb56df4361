"""Between updates: evaluations, checkpoints, and how it goes."""

from __future__ import annotations

import dataclasses
import time

from stable_baselines3.common.callbacks import BaseCallback

from roborally_env.base.types import Fields, NamedValues
from roborally_env.envs.sb3_agent import ModelAgent
from roborally_env.evaluation.tournament import Result
from roborally_env.training.evaluations import TABLE, Evaluation, course_name, race_to_end
from roborally_env.training.folder import Folder
from roborally_env.training.progress import ProgressLine, hours_and_minutes
from roborally_env.training.sb3.model import Model
from roborally_env.training.sb3.options import Options, rules_of
from roborally_env.training.sb3.state import full_state, set_generators

LOSSES = {  # columns of progress.csv -> what SB3 calls them
    "policy": "train/policy_gradient_loss",
    "value": "train/value_loss",
    "entropy": "train/entropy_loss",
    "kl": "train/approx_kl",
    "clipped": "train/clip_fraction",
}
PROGRESS = ("decisions", "seconds", "rate", "reward", "share/env", "share/policy", "share/update", *LOSSES)


class OutOfTime(Exception):
    """The hours of a run are over."""


class Watch(BaseCallback):
    """Evaluates, keeps checkpoints, writes progress.csv and reports progress.

    A run is whole when a rollout begins: then its state is kept, and that is what a checkpoint has.

    Args:
        options: of the run.
        folder: of the run.
        old: the checkpoint from which it goes on, if it does.
    """

    def __init__(self, options: Options, folder: Folder, old: Fields | None) -> None:
        super().__init__()
        self.options, self.folder = options, folder
        self.line = ProgressLine()
        old = old or {}
        self.generators = old.get("generators")  # to be set when the first rollout begins
        self.evaluated: int = old.get("evaluated", 0)  # decisions at the last evaluation
        self.seconds: float = old.get("seconds", 0.0)  # of training, without evaluations
        self.state: NamedValues = {}
        self.saved = time.monotonic()
        self.started: float | None = None  # when this rollout began, and ended
        self.ended = 0.0

    def _on_training_start(self) -> None:
        self.timed = self.model.get_env().venv  # type: ignore[union-attr]  # as `make_model` wraps it

    def _on_rollout_start(self) -> None:
        updated = self.started is not None
        if updated:
            self._note_update()
        if self.generators is not None:
            set_generators(self.generators)
            self.generators = None
        else:
            self._evaluate_if_due()
        self.keep_state()
        if updated and (self._checkpoint_is_due() or not self.folder.checkpoint.exists()):
            self.save()
        if 0 < 3600 * self.options.hours <= self.seconds:
            raise OutOfTime
        self.started, self.timed.seconds = time.perf_counter(), 0.0

    def _on_rollout_end(self) -> None:
        self.ended = time.perf_counter()

    def _on_training_end(self) -> None:
        self._note_update()
        self.keep_state()

    def _on_step(self) -> bool:
        return True

    # -- how it goes

    def _note_update(self) -> None:
        """A row of progress.csv, and the progress line, of the rollout and the update that are over."""
        assert self.started is not None
        now = time.perf_counter()
        took, env, update = now - self.started, self.timed.seconds, now - self.ended
        self.seconds += took
        decisions = self.options.rollout * self.training_env.num_envs
        shares = {"env": env / took, "policy": (took - env - update) / took, "update": update / took}
        noted = self.logger.name_to_value
        row = {name: float(noted[key]) for name, key in LOSSES.items() if key in noted}
        rewards = [episode["r"] for episode in self.model.ep_info_buffer or ()]
        row |= {f"share/{name}": share for name, share in shares.items()}
        row |= {"seconds": self.seconds, "rate": decisions / took}
        row |= {"reward": sum(rewards) / len(rewards)} if rewards else {}
        self.folder.append("progress.csv", {"decisions": self.num_timesteps, **row})
        self.logger.record("time/decisions_per_second", row["rate"])
        self.logger.record("time/share_env", row["share/env"])
        self.line.show(
            f"{self.num_timesteps:,} of {self.options.decisions:,} decisions",
            f"{row['rate']:,.0f}/s",
            " ".join(f"{name} {share:.0%}" for name, share in shares.items()),
            f"{hours_and_minutes(self._left())} left",
        )

    def _left(self) -> float:
        """Seconds to the end."""
        left = (self.options.decisions - self.num_timesteps) * self.seconds / self.num_timesteps
        return min(left, 3600 * self.options.hours - self.seconds) if self.options.hours else left

    # -- checkpoints

    def keep_state(self) -> None:
        """Keep the state of the run as it is now."""
        self.state = full_state(self.model, self.options)
        self.state |= {"seconds": self.seconds, "evaluated": self.evaluated, "lengths": self.folder.lengths()}

    def save(self) -> None:
        """Write the state that was kept last."""
        if self.state:
            self.folder.save(self.state)
        self.saved = time.monotonic()

    def _checkpoint_is_due(self) -> bool:
        return time.monotonic() - self.saved >= self.options.checkpoint_seconds

    # -- evaluations

    def _evaluate_if_due(self) -> None:
        every = self.options.evaluate_every
        if every and self.num_timesteps // every > self.evaluated // every:
            self.evaluate(self.options.evaluate_games)

    def evaluate(self, games: int) -> None:
        """Race against each of the fixed opponents."""
        for against in self.options.evaluate_against:
            row = self.race_against(against, games)
            self.folder.append(TABLE, dataclasses.asdict(row))
            self.logger.record(f"eval/win_rate_{against}", row.win_rate)
            self.line.say(
                f"{row.decisions:,} decisions: {row.win_rate:.0%} ({row.win_low:.0%} - {row.win_high:.0%}) of "
                f"{row.races} races against {self.options.players - 1} {against}"
            )
        self.evaluated = self.num_timesteps

    def race_against(self, against: str, games: int) -> Evaluation:
        """Races of the model, one among `against` in all other seats."""
        result = race(self.model, self.options, against, games)
        row, course = result.rows[0], course_name([course.slug for course in result.setup.courses])
        return Evaluation(
            self.num_timesteps, self.seconds, course, against, row.races, row.win_rate, row.win_low, row.win_high
        )


def race(model: Model, options: Options, against: str, games: int) -> Result:
    """Races of the model, one among `against` in all other seats."""
    return race_to_end(
        [ModelAgent(model, name="trained"), *[against] * (options.players - 1)],
        list(options.course) or None,
        games=max(games // max(len(options.course), 1), 1),
        players=options.players,
        edition=options.edition,
        seed=options.seed,
        rules=rules_of(options),
        chunk=games,
    )
