"""A curriculum over courses: those from which a learner has most to learn come again, also with changes.

This is prioritised level replay (Jiang, Grefenstette and Rocktaeschel, "Prioritized Level Replay", ICML 2021). A level
is drawn by the rank of its score and by how long ago it was drawn last. What the score is made of:

    regret       what the learner loses with a decision: the larger, the more it comes
    race_regret  the same, times the rounds of a race: with many decisions more is lost than with few
    success      a share of wins: those near one half come most, as p (1 - p)
    weakest      a share of wins: the lower, the more it comes

In a short race one decision decides more, so by `regret` short races come most; by `race_regret` long ones do.

For the robust variant (Jiang et al., "Replay-Guided Adversarial Environment Design", NeurIPS 2021) a learner scores the
levels in `LevelReplay.first_time`, but does not learn from them; it learns from those that come again.

With `edit` some of the new levels are changes of levels with a high score, as in ACCEL (Parker-Holder et al., "Evolving
Curricula with Regret-Based Environment Design", ICML 2022): what is hard is made a little different, and stays among
the levels that are remembered if its own score is high enough. A change is one of `mutate`; the level is named
`LEVEL~0`, `LEVEL~1`, .. by how often it has been changed, so `load_course` makes it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roborally_env.base.checks import check_choice, check_positive, check_share, check_whole
from roborally_env.base.types import NamedValues
from roborally_env.generated.draws import Draws
from roborally_env.generated.mixture import Mixture

REGRETS = ("regret", "race_regret")
CURRICULA = (*REGRETS, "success", "weakest")
LONGEST = 16  # changes of a course, one after the other
_TRIES = 8  # levels that are tried to be changed for one new level


@dataclass
class Level:
    """What is known of a course."""

    value: float = 0.0  # mean of what was noted
    weight: float = 0.0  # of so much; 0: nothing yet
    drawn: int = 0  # the draw in which it came last
    times: int = 0  # how often it came
    edits: int = 0  # how many changes of it were made
    fixed: bool = False  # it cannot be changed
    rounds: float | None = None  # of a race on it, as somebody estimated; None: nobody did


class Pool(NamedTuple):
    """Levels to draw from."""

    names: list[str]
    bounds: NDArray[np.float64]  # sums of their chances up to each


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
        edit: share of the new courses that are changes of courses that were scored, drawn by the ranks of their scores.
        longest: changes of a course, one after the other, at most: to make a course again takes as many.
        most: generated and changed courses that are remembered; beyond that the one with the lowest score is forgotten.
        memory: so much weight of what was noted earlier counts beside what is new.

    Raises:
        RoboRallyError: for an unknown curriculum, or a number out of range.
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
        edit: float = 0.0,
        longest: int = LONGEST,
        most: int = 4000,
        memory: float = 64.0,
    ) -> None:
        self.mixture, self.curriculum = mixture, check_choice(curriculum, "curriculum", CURRICULA)
        self.fresh, self.staleness = check_share(fresh, "fresh"), check_share(staleness, "staleness")
        self.edit, self.longest = check_share(edit, "edit"), check_whole(longest, "longest", 1, 1000)
        self.temperature, self.memory = check_positive(temperature, "temperature"), check_positive(memory, "memory")
        self.most = check_whole(most, "most", 1, 10_000_000)
        self.levels: dict[str, Level] = {}
        self.first_time: set[str] = set()  # of the last draw's courses those that had never come before
        self._draws = Draws(check_whole(seed, "seed", 0, 2**64 - 1))
        self._time = 0

    def draw(self, count: int) -> list[str]:
        """The next courses, by name or specification; one may come several times."""
        known, parents = _pool(list(self.levels), self.chances()), self._parents()
        self._time += 1
        self.first_time = set()
        found = [self._one(known, parents) for _ in range(count)]
        for name in found:
            level = self.levels[name]
            level.drawn, level.times = self._time, level.times + 1
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

    def note_rounds(self, name: str, rounds: float | None) -> None:
        """Remember how many rounds a race on a course is estimated to have. Only `race_regret` draws by it."""
        if name in self.levels:
            self.levels[name].rounds = rounds

    def scores(self) -> NDArray[np.float64]:
        """[levels]: how much is to be learned on each; without end where nothing is known yet."""
        values = np.array([level.value for level in self.levels.values()])
        if self.curriculum == "success":
            values = values * (1.0 - values)
        elif self.curriculum == "weakest":
            values = 1.0 - values
        elif self.curriculum == "race_regret":
            values = values * np.array([level.rounds or 1.0 for level in self.levels.values()])
        known = np.array([level.weight > 0.0 for level in self.levels.values()], np.bool_)
        return np.where(known, values, np.inf)

    def chances(self) -> NDArray[np.float64]:
        """[levels]: how likely each is to come again."""
        if not self.levels:
            return np.zeros(0)
        stale = np.array([self._time - level.drawn for level in self.levels.values()], float)
        by_age = stale if stale.any() else np.ones_like(stale)
        found = self._by_rank(self.scores()) * (1.0 - self.staleness)
        found += by_age * (self.staleness / by_age.sum())
        return found

    def summary(self) -> dict[str, float]:
        """How many courses are `known`, how many `draws` there were, and `score_mean` and `score_max` of those that
        have a score, if there are any."""
        scores = self.scores()
        scores = scores[np.isfinite(scores)]
        found: dict[str, float] = {"known": len(self.levels), "draws": self._time}
        if len(scores):
            found |= {"score_mean": float(scores.mean()), "score_max": float(scores.max())}
        return found

    def table(self) -> list[NamedValues]:
        """A row for each course that is known, by falling score; courses without one come last, and theirs is None."""
        rows = [
            {
                "level": name,
                "score": score if np.isfinite(score) else None,
                "times": level.times,
                "last_draw": level.drawn,
                "rounds": level.rounds,
                "changes": self.mixture.changes(name),
            }
            for (name, level), score in zip(self.levels.items(), self.scores().tolist(), strict=True)
        ]
        return sorted(rows, key=lambda row: -np.inf if row["score"] is None else row["score"], reverse=True)

    def state_dict(self) -> NamedValues:
        """All that changes, as plain values."""
        return {
            "levels": {name: asdict(level) for name, level in self.levels.items()},
            "first_time": sorted(self.first_time),
            "draws": self._draws.state,
            "time": self._time,
        }

    def load_state_dict(self, state: NamedValues) -> None:
        """Go on as the one whose `state_dict` this is."""
        self.levels = {name: Level(**level) for name, level in state["levels"].items()}
        self.first_time = set(state["first_time"])
        self._draws.state, self._time = state["draws"], state["time"]

    def _by_rank(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Chances by the ranks of scores, the highest first."""
        ranks = np.empty(len(scores))
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
        found: NDArray[np.float64] = (1.0 / ranks) ** (1.0 / self.temperature)
        found /= found.sum()
        return found

    def _parents(self) -> Pool:
        """The levels that may be changed."""
        if not self.edit:
            return _pool([], np.zeros(0))
        names, scores = [], []
        for (name, level), score in zip(self.levels.items(), self.scores(), strict=True):
            if level.weight > 0.0 and not level.fixed and self.mixture.changes(name) < self.longest:
                names.append(name)
                scores.append(score)
        return _pool(names, self._by_rank(np.array(scores)))

    def _one(self, known: Pool, parents: Pool) -> str:
        new = self._new(bool(known.names), parents)
        if new is not None:
            self.levels[new] = Level()
            self.first_time.add(new)
            return new
        if not known.names:  # the first draw has more places than there are courses
            return self._draws.one(list(self.levels))
        return self._drawn_from(known)

    def _drawn_from(self, pool: Pool) -> str:
        place = int(np.searchsorted(pool.bounds, self._draws.word() / 2.0**64, side="right"))
        return pool.names[min(place, len(pool.names) - 1)]

    def _new(self, may_replay: bool, parents: Pool) -> str | None:
        """A course that has never come; None if it is time for one that has, or there is none."""
        for name in self.mixture.named:
            if name not in self.levels:
                return name
        if may_replay and not self._draws.chance(self.fresh):
            return None
        if parents.names and self._draws.chance(self.edit):
            edited = self._edited(parents)
            if edited is not None:
                return edited
        return self.mixture.fresh(self._draws, self.levels)

    def _edited(self, parents: Pool) -> str | None:
        """A change of one of these levels; None if none was found."""
        for _ in range(_TRIES):
            parent = self._drawn_from(parents)
            level = self.levels[parent]
            if level.fixed:
                continue
            name = self.mixture.changed(parent, level.edits)
            level.edits += 1
            if name is None:
                level.fixed = True
            elif name not in self.levels:
                return name
        return None

    def _forget(self) -> None:
        """Of too many generated courses drop those from which least is to be learned."""
        scored = dict(zip(self.levels, self.scores(), strict=True))
        droppable = sorted((name for name in self.levels if name not in self.mixture.named), key=scored.__getitem__)
        for name in droppable[: max(0, len(droppable) - self.most)]:
            del self.levels[name]


def _pool(names: Sequence[str], chances: NDArray[np.float64]) -> Pool:
    return Pool(list(names), np.cumsum(chances))
