"""A curriculum over courses: those from which a learner has most to learn come again.

This is prioritised level replay (Jiang, Grefenstette and Rocktaeschel, "Prioritized Level Replay", ICML 2021). A level
is drawn by the rank of its score and by how long ago it was drawn last. What the score is made of:

    regret   what the learner loses: the larger, the more it comes
    success  a share of wins: those near one half come most, as p (1 - p)
    weakest  a share of wins: the lower, the more it comes

For the robust variant (Jiang et al., "Replay-Guided Adversarial Environment Design", NeurIPS 2021) a learner scores the
levels in `LevelReplay.first_time`, but does not learn from them; it learns from those that come again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from roborally_env.courses.generate.draws import Draws
from roborally_env.courses.generate.mixture import Mixture
from roborally_env.errors import RoboRallyError, nearest

CURRICULA = ("regret", "success", "weakest")


@dataclass
class Level:
    """What is known of a course."""

    value: float = 0.0  # mean of what was noted
    weight: float = 0.0  # of so much; 0: nothing yet
    drawn: int = 0  # the draw in which it came last


class LevelReplay:
    """Which courses of a mixture are played next. Equal arguments and notes give equal courses.

    Args:
        mixture: the named courses come first, each once; generated ones are drawn as long as there are new ones.
        curriculum: what the values mean, see `CURRICULA`.
        seed: of all draws.
        fresh: chance that a new course is drawn, as long as there is one.
        temperature: of the ranks; the nearer to 0, the more the best ones come. PLR draws one level at a time and has
            0.1; who draws many at once wants different ones.
        staleness: share of the draws by how long ago a course came last.
        most: generated courses that are remembered; beyond that the one with the lowest score is forgotten.
        memory: so much weight of what was noted earlier counts beside what is new.

    Raises:
        RoboRallyError: for an unknown curriculum.
    """

    def __init__(
        self,
        mixture: Mixture,
        curriculum: str,
        *,
        seed: int = 0,
        fresh: float = 0.5,
        temperature: float = 1.0,
        staleness: float = 0.3,
        most: int = 4000,
        memory: float = 64.0,
    ) -> None:
        if curriculum not in CURRICULA:
            known = ", ".join(CURRICULA)
            raise RoboRallyError(
                f"curriculum: expected one of {known}, got {curriculum!r}{nearest(curriculum, CURRICULA)}"
            )
        self.mixture, self.curriculum = mixture, curriculum
        self.fresh, self.temperature, self.staleness = fresh, temperature, staleness
        self.most, self.memory = most, memory
        self.levels: dict[str, Level] = {}
        self.first_time: set[str] = set()  # of the last draw's courses those that had never come before
        self._draws = Draws(seed)
        self._time = 0

    def draw(self, count: int) -> list[str]:
        """The next courses, by name or specification; one may come several times."""
        known, chances = list(self.levels), self.chances()
        self._time += 1
        self.first_time = set()
        found = [self._one(known, chances) for _ in range(count)]
        for name in found:
            self.levels[name].drawn = self._time
        self._forget()
        return found

    def note(self, name: str, total: float, weight: float) -> None:
        """Take values into account that were seen on a course: their sum, and how many they were."""
        level = self.levels.get(name)
        if level is None or weight <= 0.0:
            return
        before = min(level.weight, self.memory)
        level.value = float((before * level.value + total) / (before + weight))
        level.weight = float(before + weight)

    def scores(self) -> NDArray[np.float64]:
        """[levels]: how much is to be learned on each; without end where nothing is known yet."""
        values = np.array([level.value for level in self.levels.values()])
        if self.curriculum == "success":
            values = values * (1.0 - values)
        elif self.curriculum == "weakest":
            values = 1.0 - values
        known = np.array([level.weight > 0.0 for level in self.levels.values()], np.bool_)
        return np.where(known, values, np.inf)

    def chances(self) -> NDArray[np.float64]:
        """[levels]: how likely each is to come again."""
        if not self.levels:
            return np.zeros(0)
        ranks = np.empty(len(self.levels))
        ranks[np.argsort(-self.scores(), kind="stable")] = np.arange(1, len(self.levels) + 1)
        by_score = (1.0 / ranks) ** (1.0 / self.temperature)
        stale = np.array([self._time - level.drawn for level in self.levels.values()], float)
        by_age = stale if stale.any() else np.ones_like(stale)
        found: NDArray[np.float64] = by_score * ((1.0 - self.staleness) / by_score.sum())
        found += by_age * (self.staleness / by_age.sum())
        return found

    def state_dict(self) -> dict[str, Any]:
        """All that changes, as plain values."""
        return {
            "levels": {name: asdict(level) for name, level in self.levels.items()},
            "first_time": sorted(self.first_time),
            "draws": self._draws.state,
            "time": self._time,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on as the one whose `state_dict` this is."""
        self.levels = {name: Level(**level) for name, level in state["levels"].items()}
        self.first_time = set(state["first_time"])
        self._draws.state, self._time = state["draws"], state["time"]

    def _one(self, known: Sequence[str], chances: NDArray[np.float64]) -> str:
        new = self._new(bool(known))
        if new is not None:
            self.levels[new] = Level()
            self.first_time.add(new)
            return new
        if not known:  # the first draw has more places than there are courses
            return self._draws.one(list(self.levels))
        place = int(np.searchsorted(np.cumsum(chances), self._draws.word() / 2.0**64, side="right"))
        return known[min(place, len(known) - 1)]

    def _new(self, may_replay: bool) -> str | None:
        """A course that has never come; None if it is time for one that has, or there is none."""
        for name in self.mixture.named:
            if name not in self.levels:
                return name
        if may_replay and not self._draws.chance(self.fresh):
            return None
        return self.mixture.fresh(self._draws, self.levels)

    def _forget(self) -> None:
        """Of too many generated courses drop those from which least is to be learned."""
        scored = dict(zip(self.levels, self.scores(), strict=True))
        droppable = sorted((name for name in self.levels if name not in self.mixture.named), key=scored.__getitem__)
        for name in droppable[: max(0, len(droppable) - self.most)]:
            del self.levels[name]
