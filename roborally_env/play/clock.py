"""The rules' timer: when it starts during programming, and when it runs out.

By the rules of 2016, 2023 and the community it begins when the first player has finished (2016 rulebook p. 7), in 2005
when only one player is left, at once where only one programs (2005 rulebook p. 4). On courses with program timers (Ball
Lightning, Tight Collar) it runs for everybody from the deal on.

A page shows the round before it shows the new hand. So nothing runs before everybody who decides has seen it, but
nobody can stop the race by not looking: after GRACE seconds it runs all the same.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from roborally_env.base.checks import check_whole
from roborally_env.courses import EDITIONS, Course

SECONDS, BOTS = 30, 60
LONGEST = 3600
GRACE = 90.0  # seconds
# the special rules of courses with program timers -> seconds
PROGRAM_TIMES = {"program_time_30": 30, "program_time_60": 60}


@dataclass(frozen=True)
class Timer:
    """The timer of a race.

    Attributes:
        seconds: for how long it runs.
        bots: the seconds that bots take for a program, as far as the timer is concerned; 0: they have finished at once.
    """

    seconds: int = SECONDS
    bots: int = BOTS

    def __post_init__(self) -> None:
        check_whole(self.seconds, "timer", 1, LONGEST)
        check_whole(self.bots, "bot_time", 0, LONGEST)

    def limit(self, course: Course) -> int | None:
        """The seconds that all players have from the deal on, where the course says so."""
        return next((PROGRAM_TIMES[rule] for rule in course.special_rules if rule in PROGRAM_TIMES), None)


class Clock:
    """The timer of one programming phase. Times are seconds of any one clock.

    Args:
        timer: the race's.
        course: that is raced.
        people: the people who program.
        bots: whether bots program too.
        now: when the hands were dealt.
    """

    def __init__(self, timer: Timer, course: Course, people: Collection[int], bots: bool, now: float) -> None:
        self.timer, self.limit, self.bots, self.dealt = timer, timer.limit(course), bots, now
        self.people = frozenset(people)
        self.of_one = EDITIONS[course.edition].timer_of_one
        self.started: float | None = None  # when everybody had seen the new hand
        self.ends: float | None = None
        self.length = 0

    def look(self, now: float, unfinished: dict[int, int], seen: bool) -> float:
        """Start the timer if it is due.

        Args:
            now: the time.
            unfinished: how many programs each person still has to finish; without people who have finished.
            seen: whether everybody who programs has seen the new hand.

        Returns the seconds after which something may be due again; infinity if only an answer can change anything.
        """
        if self.started is None:
            if not seen and now < self.dealt + GRACE:
                return self.dealt + GRACE - now
            self.started = now
        if self.ends is None:
            starts = self._starts(now, unfinished)
            if starts > now:
                return starts - now
            self.length = self.limit or self.timer.seconds * (max(unfinished.values()) if self.of_one else 1)
            self.ends = now + self.length
        return max(self.ends - now, 0.0)

    @property
    def running(self) -> bool:
        """Whether the timer runs."""
        return self.ends is not None

    def left(self, now: float) -> float:
        """The seconds left of a timer that runs."""
        return max(0.0, (math.inf if self.ends is None else self.ends) - now)

    def _starts(self, now: float, unfinished: dict[int, int]) -> float:
        """When the timer starts, as far as is known now: it was due if that is no later than now."""
        assert self.started is not None
        bots = self.started + self.timer.bots if self.bots else -math.inf
        if self.limit is not None:
            return self.started
        if self.of_one:
            return max(bots, self.started) if len(unfinished) == 1 else math.inf
        if len(unfinished) < len(self.people):
            return now
        return bots if self.bots else math.inf
