"""`grade`: a course in numbers."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from roborally_env.base import former
from roborally_env.base.checks import check_whole
from roborally_env.core.rule_options import game_of, rule_values
from roborally_env.core.searching.distances import course_maps
from roborally_env.courses import Course
from roborally_env.courses.catalogue import CourseOrName
from roborally_env.evaluation.grades.estimates import estimate
from roborally_env.evaluation.grades.races import ROBOTS, alone, together
from roborally_env.generated import proof_of
from roborally_env.generated.given import racing_course

RACES = 32
# special rules that give robots other aims or other rules of their own: a grade is of a race without them
_ROLES = frozenset(
    {
        "superbot",
        "racers_and_blockers",
        "shared_flags",
        "two_teams",
        "capture_the_flag",
        "claims",
        "sit_out",
        "last_team_standing",
    }
)


@dataclass(frozen=True, slots=True)
class Grade:
    """What racing on a course is like. Rounds have five registers.

    Attributes:
        band: the difficulty, 1 to 5, by `rounds_estimated`.
        rounds_estimated: of a race of four `greedy`, by distances alone.
        rounds: that they took, in the mean. A race that nobody wins counts as 100 rounds.
        finished: the share of these races that somebody won.
        rounds_alone: that a robot takes alone, playing the best program of each hand that it is dealt.
        falls: the share of legal programs after which a robot alone has left the board or was destroyed: random
            programs from the states that it comes through on its way.
        spread: how much farther the farthest start space is from checkpoint 1 than the nearest, in rounds.
        pushes: how often another robot pushes a robot in a round, in races of four `greedy`.
        met: the share of its rounds in which another robot pushes or shoots it.
        proved: whether it is proved that robots can always finish, whatever they do before.
        problem: what the proof has found; "" where proved.
    """

    band: int
    rounds_estimated: float
    rounds: float
    finished: float
    rounds_alone: float
    falls: float
    spread: float
    pushes: float
    met: float
    proved: bool
    problem: str

    rounds_foretold = former.attribute("rounds_estimated")

    def __str__(self) -> str:
        """One line, in parts with semicolons."""
        parts = (
            f"difficulty {self.band} of 5",
            f"{self.rounds:.1f} rounds of four greedy, {self.rounds_estimated:.1f} estimated by distances",
            f"{self.finished:.0%} of their races finished",
            f"{self.rounds_alone:.1f} rounds of a robot alone",
            f"{self.falls:.0%} of programs end in a fall",
            f"start spaces {self.spread:.2f} rounds apart",
            f"{self.pushes:.2f} pushes of a robot in a round",
            f"{self.met:.0%} of its rounds pushed or shot",
            "proved solvable" if self.proved else f"not proved solvable: {self.problem}",
        )
        return "; ".join(parts)


def grade(course: CourseOrName, *, races: int = RACES, seed: int = 0) -> Grade:
    """The numbers of a course of any edition for which courses are generated. Equal arguments give equal numbers.

    Alone, `greedy` plays nearly perfectly: it tries every distinct program of its hand on the tables of solo moves and
    plays one that leaves the least distance, by tables that know all ways. It cannot know the hands to come, and nobody
    can. A race that nobody wins, as where all lives are lost, counts as 100 rounds.

    Courses are graded as races of each for itself to the checkpoints in order: special rules of teams, of the SuperBot
    and of blockers are left out, and so are limits of the number of players.

    Args:
        course: a Course, or the name or file of one, with start spaces and at least one checkpoint.
        races: of a robot alone, and of four; more of them give finer numbers.
        seed: of the races.

    Raises:
        RoboRallyError: for anything that is not a course, one without start spaces or checkpoints,
            or with one that cannot be reached, and for wrong numbers.
    """
    races = check_whole(races, "races", 1, 100_000)
    seed = check_whole(seed, "seed", 0, 2**64 - 1)
    course = plain(course)
    maps = course_maps(course, game_of(course.edition, rule_values(course.edition, {})))
    estimated = estimate(course, maps)
    proof = proof_of(course, maps)
    one = alone(course, races, seed)
    four = together(course, min(ROBOTS, course.players[1]), races, seed)
    return Grade(
        band=estimated.band,
        rounds_estimated=estimated.rounds,
        rounds=four.rounds,
        finished=four.finished,
        rounds_alone=one.rounds,
        falls=one.falls,
        spread=estimated.spread,
        pushes=four.pushes,
        met=four.met,
        proved=not proof.problem,
        problem=proof.problem,
    )


def plain(course: CourseOrName) -> Course:
    """The course as it is graded: any number of players, each for itself.

    Raises:
        RoboRallyError: for anything that is not a course, and for one without start spaces or checkpoints.
    """
    course = racing_course(course)
    rules = tuple(rule for rule in course.special_rules if rule not in _ROLES)
    return dataclasses.replace(course, players=(1, len(course.docks)), player_counts=(), special_rules=rules)
