"""The class `Edition`: all that belongs to an edition, as one value."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from roborally_env.base.types import Fields

if TYPE_CHECKING:
    from roborally_env.cards.listing import Card
    from roborally_env.core.rule import Rule
    from roborally_env.core.rule_options import Option
    from roborally_env.core.state import Kind
    from roborally_env.core.upgrades import Upgrade
    from roborally_env.courses.model import Edition as CourseRules
    from roborally_env.courses.tile_kinds import TileKind
    from roborally_env.generated.style import CourseStyle
    from roborally_env.scenario.keys import EditionScenario

    Kinds = Sequence[tuple[Kind, Mapping[Rule, Any]]]


class Learned(NamedTuple):
    """What the networks of `learned` and `learned-search` take of the observation."""

    kind: str  # the kind of record with the widest vectors: a network has room for all its numbers
    takes: Mapping[str, int]  # part of the symbolic vector -> how many numbers; of "others" in a row


class StartPage(NamedTuple):
    """The edition on the start page of `roborally play`."""

    plan: str = ""  # what it is, in a sentence or two
    course: str = ""  # chosen first: for beginners, with three checkpoints; empty: the default course
    hard: tuple[str, ...] = ()  # the opponents of the level hard, where they are stronger than the usual ones
    slips: float = 0.7  # the probability of a slip of `easy` in a program: more where forgetting the belts costs more


class Benchmark(NamedTuple):
    """The courses and numbers of races of RoboRally-Bench, which must not change within a version of it."""

    training: tuple[str, ...]
    test: tuple[str, ...]
    races: int  # on each course against each opponent
    quick_races: int


class SpeedRows(NamedTuple):
    """The rows of an edition in `roborally bench`."""

    courses: tuple[str, ...] = ()  # empty: the report's course
    players: tuple[int, ...] = ()  # empty: as many as the report's
    skips_idle: bool = False  # also measure vectors that are not written for robots that do nothing
    may_power_down: bool = True  # else nobody does: rounds of powered-down robots would be too quick
    made: str = ""  # the kind of record of the row of generated courses; empty: no row


@dataclasses.dataclass(frozen=True, kw_only=True)
class Edition:
    """The parts of an edition.

    Attributes:
        name: the name that users give, `edition="sprint"`.
        courses: what its courses may have, and the edition whose courses it also races on (`borrows`).
        tiles: kinds of tiles of its own, beside those in `courses`.
        kinds: its kinds of record, each with its overrides of the default rules (see `core.rule`), or a function that
            returns them, called when a race is first made; most editions have one kind.
        kind_of: a function from the checked values of the options to the name of a kind; None if there is one kind.
        options: its rule options by name.
        upgrades: its own upgrade cards; its kinds list those that are dealt (`Kind.upgrade_numbers`).
        generated: what its generated courses are like; None: as on the courses that it borrows, else made of the tiles
            that its boards may have.
        cards: a function that lists its cards as `roborally cards` does; None: those of 2016, with the upgrades that
            its kinds deal.
        new_cards: a function that lists the cards that no edition had before; None: its own upgrades.
        scenario: how its scenarios are read and played, or a function that returns this, called when one is first
            loaded; None: scenarios of this edition raise an error.
        learned: what the learned agents see; None: all parts of its symbolic vector but the hand.
        planner: the weights by which `planner` values positions (`Weights`); None: those of 2016.
        temperature: by how much reviews multiply the log of a robot's standing, so that chances to win are calibrated.
        start_page: the edition on the start page of `roborally play`.
        benchmark: its courses in RoboRally-Bench; None: it has no protocol.
        speed: its rows in `roborally bench`; None: it has none.
    """

    name: str
    courses: CourseRules
    tiles: Sequence[TileKind] = ()
    kinds: Kinds | Callable[[], Kinds]
    kind_of: Callable[[Fields], str] | None = None
    options: Mapping[str, Option] = dataclasses.field(default_factory=dict)
    upgrades: Sequence[Upgrade] = ()
    generated: CourseStyle | None = None
    cards: Callable[[], list[Card]] | None = None
    new_cards: Callable[[], list[Card]] | None = None
    scenario: EditionScenario | Callable[[], EditionScenario] | None = None
    learned: Learned | None = None
    planner: Mapping[str, float] | None = None
    temperature: float = 1.0
    start_page: StartPage = dataclasses.field(default_factory=StartPage)
    benchmark: Benchmark | None = None
    speed: SpeedRows | None = None

    @property
    def kinds_now(self) -> Kinds:
        """The kinds of record, with their overrides."""
        return self.kinds() if callable(self.kinds) else self.kinds
