"""A review: win probabilities round by round, what each decision was worth, and a summary of each robot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from roborally_env.base.types import JsonObject

PROGRAM = "program"  # kinds of decisions that are judged
PURCHASE = "buy_upgrade"
# what a decision has to give away, or to gain over what is obvious, to be marked: of the chance to win, beyond the
# standard error
BLUNDER = 0.08
BRILLIANT = 0.15


@dataclass(frozen=True)
class Decision:
    """A program or a purchase. Chances to win are those of the seat that decides, by what it could know."""

    round: int  # from 1; a purchase belongs to the round that it is made for
    seat: int
    kind: str  # "program" or "buy_upgrade"
    made: tuple[str, ...]  # the cards of the program, or the upgrade ("none": nothing was bought)
    better: tuple[str, ...]  # what the search would have done; empty if nothing was found that is better
    chance: float  # with what was done
    best: float  # with the better one
    obvious: float  # of a program: with the best one for a robot alone; of a purchase: with none
    error: float  # standard error of the difference between `best` and `chance`
    above_error: float  # that of the difference between `chance` and `obvious`
    cards: float = 0.0  # of a program: what the hand allowed beyond the mean of other hands
    plain: tuple[str, ...] = ()  # of a program: the cards of the obvious one

    @property
    def loss(self) -> float:
        """The chance to win that was given away, 0 or more."""
        return self.best - self.chance

    @property
    def mark(self) -> str:
        """The mark: blunder, brilliant, or none."""
        if self.loss - self.error >= BLUNDER:
            return "blunder"
        above = self.chance - self.obvious - self.above_error
        return "brilliant" if above >= BRILLIANT and self.loss <= self.error else ""


@dataclass(frozen=True)
class Robot:
    """Why a robot won or lost: `first` + `cards` + `own` + `others` = `last`."""

    seat: int
    agent: str
    first: float  # chance to win before round 1
    last: float  # chance to win after the last round: 1 or 0 if the race is over, unless `max_rounds` ended it
    cards: float  # gained by hands better than others would have been, or lost by worse ones
    own: float  # given away by own programs and purchases: 0 or less
    others: float  # gained or lost by what the others did, and by chance in the course of a round
    blunders: int
    brilliant: int


@dataclass(frozen=True)
class Review:
    """A race that was looked back on."""

    course: str
    edition: str
    agents: tuple[str, ...]
    winner: int | None  # a seat; None if nobody won, or the race is not over
    simulations: int
    seed: int
    chances: tuple[tuple[float, ...], ...]  # [rounds + 1][P]: before each round, and after the last one
    decisions: tuple[Decision, ...]
    robots: tuple[Robot, ...]

    def to_dict(self) -> JsonObject:
        """The review as JSON values."""
        return {
            **{name: value for name, value in asdict(self).items() if name not in ("decisions", "robots")},
            "decisions": [asdict(each) | {"loss": each.loss, "mark": each.mark} for each in self.decisions],
            "robots": [asdict(each) for each in self.robots],
        }


def summary(
    agents: Sequence[str], chances: Sequence[Sequence[float]], decisions: Sequence[Decision]
) -> tuple[Robot, ...]:
    """The summary of each robot."""
    found = []
    for seat, agent in enumerate(agents):
        mine = [each for each in decisions if each.seat == seat]
        marks = [each.mark for each in mine]
        first, last = chances[0][seat], chances[-1][seat]
        cards, own = sum(each.cards for each in mine), -sum(each.loss for each in mine)
        others = last - first - cards - own
        robot = Robot(seat, agent, first, last, cards, own, others, marks.count("blunder"), marks.count("brilliant"))
        found.append(robot)
    return tuple(found)
