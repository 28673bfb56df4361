"""No kernel of a race reads or writes outside its arrays: every edition, every kind of course, random and greedy play.

Without checks such an access is silent: it reads what lies beside an array, or overwrites it. With them it raises
an IndexError, which ends the test.
"""

from collections import defaultdict

import numpy as np
import pytest

from roborally_env import BatchRace
from roborally_env.core.kernel import kernel
from roborally_env.courses import course_names, list_courses, load_course
from roborally_env.courses.model import EDITIONS
from roborally_env.evaluation.tournament import evaluate
from tests.games import deal_upgrades
from tests.properties.test_all_courses_2005 import deal_options

ROUNDS = 8
ROBOTS = (4, 8)  # sizes of the records, each with machine code of its own
GENERATED = ("generated:difficulty=2", "generated:difficulty=2,way=made")
PLAYS = {"program": "symbolic", "all": "planes"}  # decisions, and the observation that is written meanwhile


@kernel
def beside(array, index):
    """An element of an array."""
    return array[index]


@pytest.mark.parametrize("index", [3, -1])
def test_an_index_outside_an_array_is_an_error(index):
    with pytest.raises(IndexError):
        beside(np.zeros(3, np.int64), index)


def lists_of_courses(edition):
    """The printed courses in lists that a batch takes, with their numbers of players."""
    groups = defaultdict(list)
    for course in list_courses(edition):
        robots = next(n for n in ROBOTS if n // course.robots_each in course.counts)
        groups[robots // course.robots_each, course.robots_each].append(course)
    return [(courses, players) for (players, _), courses in groups.items()]


def play(courses, players, edition, decisions, rules=None):
    """Random races to their last round; whoever can has cards of the edition to use."""
    batch = BatchRace(
        2 * (1 if isinstance(courses, str) else len(courses)), courses, edition=edition, players=players, seed=9,
        decisions=decisions, observation=PLAYS[decisions], max_rounds=ROUNDS, auto_reset=False, rules=rules,
        components=True,
    )  # fmt: skip
    if batch.upgrades and not batch.collects:
        deal_upgrades(batch, 1)
    dice = np.random.default_rng(4)
    waiting = set(range(batch.num_games)) if batch.kind.has("option_deck") else set()
    for step in range(4000):
        for number in [n for n in waiting if batch.programming[n]]:
            deal_options(batch.games[number], dice)
            waiting.discard(number)
        batch.sample(step)
        batch.step_prepared()
        if batch.over.all():
            return
    raise AssertionError("a race has no end")


@pytest.mark.parametrize("decisions", PLAYS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_random_play_on_all_printed_courses(edition, decisions):
    for courses, players in lists_of_courses(edition):
        play(courses, players, edition, decisions)


@pytest.mark.parametrize("course", GENERATED)
@pytest.mark.parametrize("edition", EDITIONS)
def test_random_play_on_generated_courses(edition, course):
    play(course, 4, edition, "all")


@pytest.mark.parametrize("edition", EDITIONS)
def test_random_play_on_changed_courses(edition):
    name = next(n for n in ("dizzy_highway", "risky_exchange", *course_names(edition)) if n in course_names(edition))
    play([load_course(f"{name}~{seed}", edition) for seed in range(1, 7)], 4, edition, "all")


def test_random_play_without_upgrades():
    play("dizzy_highway", 4, "2016", "program", {"upgrades": False})


@pytest.mark.parametrize("edition", EDITIONS)
def test_greedy_and_random_race(edition):
    for courses, players in lists_of_courses(edition):
        evaluate(
            ["greedy", "random"], courses, games=2, players=players, edition=edition, seed=3, max_rounds=ROUNDS,
            decisions="all",
        )  # fmt: skip
