"""Start spaces of fair courses: how often the best one wins, predicted from the solo moves, and in races."""

from itertools import combinations, product

import numpy as np
import pytest
from roborally_env.agents import make_agent

from roborally_env.batch import BatchRace
from roborally_env.core.searching.arrival import fill_arrived
from roborally_env.core.searching.distances import STATES
from roborally_env.courses import Course, load_course
from roborally_env.courses.tables import WIDTH
from roborally_env.evaluation.races import play_races
from roborally_env.generated import Generator
from roborally_env.generated.fairness import CHOICE, best_share, chances
from roborally_env.generated.proof import cards_of_actions, maps_for
from roborally_env.generated.style import STYLES
from tests.sizes import size

BEST_SHARE = STYLES["2005"].best_share


def share_of(course: Course) -> float:
    """`best_share` of a whole course."""
    return best_share(course, maps_for(course), range(len(course.checkpoints)))


# ---- Chances from arrivals -----------------------------------------------------------------------------------------


def test_chances_are_those_of_all_sets_of_others():
    arrived = np.array([[0.5, 0.2, 0.2], [0.1, 0.3, 0.4], [0.3, 0.3, 0.3], [0.0, 0.9, 0.1]])
    found = chances(arrived, 2)
    for own in range(4):
        sets = list(combinations([other for other in range(4) if other != own], 2))
        assert found[own] == pytest.approx(np.mean([first_home(arrived, own, others) for others in sets]), abs=0.02)


def first_home(arrived: np.ndarray, own: int, others: tuple[int, ...]) -> float:
    """How often a robot is home before these others; those that are home with it win as often."""
    late = np.append(arrived, 1 - arrived.sum(axis=1, keepdims=True), axis=1)
    last, found = late.shape[1] - 1, 0.0
    for times in product(range(last + 1), repeat=1 + len(others)):
        if times[0] < last and times[0] <= min(times[1:]):
            weight = np.prod([late[who, time] for who, time in zip((own, *others), times, strict=True)])
            found += weight / times.count(times[0])
    return found


def test_equal_start_spaces_have_equal_chances():
    assert chances(np.tile([0.2, 0.5, 0.3], (6, 1)), 1) == pytest.approx([0.5] * 6)
    ahead = np.array([[1.0, 0.0]] + [[0.0, 1.0]] * 4)
    assert chances(ahead, 3)[0] == pytest.approx(1.0)


# ---- Arrivals ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["dizzy_dash", pytest.param("generated:edition=2005,difficulty=2,number=4", marks=pytest.mark.slow)]
)
def test_arrivals_are_those_of_robots_that_draw_their_cards(name):
    course = load_course(name, "2005")
    maps = maps_for(course)
    docks = np.array([(y * WIDTH + x) * 4 + course.start_facing for _, x, y in course.docks[:2]])
    goals = np.array([y * WIDTH + x for _, x, y in course.checkpoints])
    cards, distances = cards_of_actions(maps), np.stack([block[:STATES] for block in maps.blocks])
    arrived = np.empty((2, 40))
    moves = (maps.costs, maps.fall, cards, CHOICE, maps.states)
    assert fill_arrived(maps.solo, maps.registers, distances, goals, *moves, docks, 0.0, arrived) == 40
    for dock, row in zip(docks, arrived, strict=True):
        raced = drawn_arrivals(maps, distances, goals, cards, int(dock), 40)
        assert row.sum() > 0.2
        assert np.abs(row.cumsum() - raced.cumsum()).max() < 0.04


def drawn_arrivals(maps, distances, goals, cards, dock: int, registers: int) -> np.ndarray:
    """The share of 2,000 robots that are home in each register."""
    random, robots = np.random.default_rng(5), 2000
    found = np.zeros(registers)
    for _ in range(robots):
        at, leg = dock, 0
        for moment in range(registers):
            ends = maps.solo[moment % 5, at].astype(int)
            left = np.where(ends >> 2 == goals[leg], 0, distances[leg][ends].astype(int))
            worth = maps.costs + np.where(ends < 0, 10**6, left)
            drawn = random.choice(len(cards), CHOICE, p=cards / cards.sum())
            at = ends[min(drawn, key=lambda action: (worth[action], action))]
            if at < 0:
                break
            leg += at >> 2 == goals[leg]
            if leg == len(goals):
                found[moment] += 1 / robots
                break
    return found


# ---- Fair courses of 2005 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("difficulty", [1, 2, 3, 4, 5])
def test_there_are_fair_courses_of_each_band(difficulty):
    """Course 0 of band 1 with this seed was not found while start spaces had to be equally far."""
    generator = Generator(edition="2005", difficulty=difficulty, fair=True, seed=21)
    for number in range(size(1, 2)):
        course = generator.course(number)
        assert len(course.docks) == 8
        assert share_of(course) <= BEST_SHARE


@pytest.mark.parametrize("players", [2, 3])
def test_few_players_have_fair_courses_too(players):
    course = Generator(edition="2005", difficulty=1, fair=True, players=players).course(0)
    assert len(course.docks) == players
    assert 0.9 <= share_of(course) <= BEST_SHARE  # those that are underway for long count for nobody


@pytest.mark.slow
def test_the_best_start_of_fair_courses_wins_less_than_of_others():
    fair, plain = (
        [Generator(edition="2005", difficulty=1, fair=fair, seed=4).course(n) for n in range(8)]
        for fair in (True, False)
    )
    assert np.mean([share_of(course) for course in plain]) > BEST_SHARE
    best = [[best_start(course) for course in courses] for courses in (fair, plain)]
    assert sum(share < 0.45 for share in best[0]) >= 6
    assert np.mean(best[0]) + 0.02 < np.mean(best[1])


def best_start(course: Course, races: int = 300) -> float:
    """The share of its races of four `greedy` that the best start space wins."""
    batch = BatchRace(races, course, players=4, edition="2005", observation="none", auto_reset=False, max_rounds=60)
    starts = batch.games["start"][:, :4].copy()
    play_races(batch, [make_agent("greedy")], np.zeros((races, 4), np.int64))
    winner = batch.results["winner"]
    won = starts[winner >= 0, winner[winner >= 0]]
    return max(float((won == cell).sum() / (starts == cell).sum()) for cell in np.unique(starts))
