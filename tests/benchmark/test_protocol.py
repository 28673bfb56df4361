"""The protocol's data: courses, seeds, seats and start spaces."""

from collections import Counter

import pytest
from roborally_env.agents import agent_names
from roborally_env.agents.learned import WEIGHTS
from roborally_env.agents.network import read_weights
from roborally_env.agents.ppo import read_policy

from roborally_env.arguments import course_source
from roborally_env.base.errors import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.courses import Course, load_course
from roborally_env.courses.catalogue import is_generated
from roborally_env.courses.special import TEAM_RULES
from roborally_env.evaluation.benchmark import PROTOCOLS
from roborally_env.evaluation.benchmark.design import design_of, shifted
from roborally_env.evaluation.benchmark.parts import Part, make_plan
from roborally_env.evaluation.benchmark.protocol import OPPONENTS, ROBOTS, TIME_CLASSES, seed_of, time_class
from tests.benchmark.conftest import SMALL

REAL = dict(PROTOCOLS)  # before the fixture replaces one


def spaces_of(course: Course) -> int:
    """How many start spaces four robots take: in 2005 docks 1 to 4 (R88)."""
    return ROBOTS if course.edition == "2005" else len(course.docks)


@pytest.mark.parametrize("protocol", REAL.values(), ids=REAL)
def test_every_course_is_in_one_set_and_four_can_race_on_it(protocol):
    courses = course_source(list(protocol.courses), protocol.edition).courses
    assert len(set(protocol.courses)) == len(protocol.courses)
    assert [each.name for each in protocol.sets] == ["training", "test"]
    for course in courses:
        assert ROBOTS in course.counts
        assert course.robots_each == 1
        assert not TEAM_RULES & set(course.special_rules)
        assert protocol.races % (ROBOTS * spaces_of(course)) == 0
        assert protocol.set_of(course.slug) in ("training", "test")


@pytest.mark.parametrize("protocol", REAL.values(), ids=REAL)
def test_there_are_enough_races(protocol):
    races = protocol.races * len(protocol.courses)
    assert 1.96 * 0.5 / races**0.5 < 0.02
    assert protocol.quick_races <= protocol.races / 10


def test_no_test_course_is_one_that_the_weights_were_trained_on():
    found = sorted(WEIGHTS.glob("*.npz"))
    assert found
    for path in found:
        about = (read_policy if path.stem.startswith("ppo") else read_weights)(path)[1]
        trained = {name for name in about["options"]["courses"] if not is_generated(name)}
        training = REAL[about["edition"]].sets[0].courses
        assert trained
        assert {name.rpartition("/")[2] for name in trained} <= set(training), path.name


def test_each_course_has_a_seed_of_its_own_far_from_those_of_trainings():
    seeds = [seed_of(name, course) for name, protocol in REAL.items() for course in protocol.courses]
    assert len(set(seeds)) == len(seeds)
    assert min(seeds) > 1 << 48


def test_the_opponents_are_agents():
    assert [each.name for each in OPPONENTS] == ["greedy", "planner"]
    assert {each.spec.partition(":")[0] for each in OPPONENTS} <= set(agent_names())


DOCKS = {"six": ("dizzy_highway", "2016", 144, 12), "eight": ("risky_exchange", "2005", 160, 16)}


@pytest.mark.parametrize(("name", "edition", "races", "quick"), DOCKS.values(), ids=DOCKS)
def test_seats_and_start_spaces_come_equally_often(name, edition, races, quick):
    course = load_course(name, edition)
    design = design_of(course, races)
    pairs = Counter((design.seat(race), design.start(race)) for race in range(races))
    assert set(pairs.values()) == {races // (ROBOTS * spaces_of(course))}
    assert len(pairs) == ROBOTS * spaces_of(course)
    few = design_of(course, quick)
    assert few.deals == design.deals[: quick // ROBOTS], "the quick races are the first of all"
    for each in (few.seat, few.start):
        assert len(set(Counter(map(each, range(quick))).values())) == 1
    assert len(set(map(few.start, range(quick)))) == spaces_of(course)
    assert len({deal.number for deal in design.deals}) == races // ROBOTS, "no deal comes twice"


def test_other_numbers_of_races_are_refused():
    with pytest.raises(RoboRallyError, match="dizzy_highway: 20"):
        design_of(load_course("dizzy_highway"), 20)


@pytest.mark.parametrize("docks", [4, 5, 6, 8])
def test_moving_on_along_the_circle_takes_every_start_space_in_every_seat(docks):
    rows = shifted((2, 0, 3, 1), docks)
    assert all(sorted(column) == list(range(docks)) for column in zip(*rows, strict=True))


def test_the_robots_stand_where_the_design_says():
    plan = make_plan("random", SMALL, False)
    course = plan.setup.courses[1]
    batch = plan.batch(Part(0, 1, 12, 6), [])
    cells = {place: y * 32 + x for place, (_, x, y) in enumerate(course.docks)}
    for row, race in enumerate(range(12, 18)):
        wanted = [cells[start] for start in plan.design(1).deal(race).starts]
        assert batch.games["start"][row, :ROBOTS].tolist() == wanted
        assert batch.games["episode"][row] == 0
    assert len(set(batch.games["key"].tolist())) == 2, "four races with one deal, and two with the next"
    deal = plan.design(1).deal(12)
    again = BatchRace(1, course, players=ROBOTS, seed=plan.design(1).seed, first_game=deal.number)
    assert again.games["key"][0] == batch.games["key"][0], "a deal is a game of the course's seed"


def test_a_time_is_in_the_smallest_class_that_it_fits():
    assert [time_class(seconds) for seconds in (0.0002, 0.001, 0.0011, 0.5, 7.0)] == [
        "1ms", "1ms", "10ms", "1s", "unlimited",
    ]  # fmt: skip
    assert list(TIME_CLASSES.values()) == sorted(TIME_CLASSES.values())
