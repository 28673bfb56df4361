"""Small changes of courses, and how alike two courses are."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from roborally_env.batch import BatchRace
from roborally_env.courses import course_names, load_course
from roborally_env.courses.alike import distance, whole_turned
from roborally_env.courses.checks import course_issues
from roborally_env.courses.generate import Generator, mutate, proof_of
from roborally_env.courses.model import EDITIONS, Course
from roborally_env.courses.scene import Scene
from roborally_env.errors import RoboRallyError

CHAIN = 50
PRINTED = [
    (edition, name)
    for edition in ("2016", "2005", "community")
    for name in course_names(edition)
    if load_course(name, edition).edition == edition
]


def is_small(a: Course, b: Course) -> bool:
    """Whether little has changed; more of it where a board has turned."""
    return 0 < distance(a, b) < (0.5 if a.boards == b.boards else 0.95)


def is_special(course: Course) -> bool:
    return bool(EDITIONS[course.edition].special and course.special_rules)


@pytest.mark.parametrize(("edition", "name"), PRINTED)
def test_printed_courses_change_a_little(edition, name):
    course = load_course(name, edition)
    if is_special(course):
        with pytest.raises(RoboRallyError, match="special rules"):
            mutate(course, 1)
        return
    changed = mutate(course, 1)
    assert changed == mutate(course, 1)
    assert not proof_of(changed).problem
    assert not [issue for issue in course_issues(changed) if issue not in course_issues(course)]
    assert is_small(course, changed)


@pytest.mark.parametrize("edition", ["2016", "2005", "community"])
def test_a_chain_of_changes(edition):
    course = Generator(edition=edition, way="arranged", difficulty=2, seed=3).course(0)
    chain = [course]
    for seed in range(CHAIN):
        chain.append(mutate(chain[-1], seed))
    assert not list(course_issues(chain[-1]))
    steps = [distance(a, b) for a, b in itertools.pairwise(chain)]
    assert all(is_small(a, b) for a, b in itertools.pairwise(chain))
    assert distance(chain[0], chain[-1]) > sum(steps) / len(steps)
    assert kinds_of_changes(chain) >= {"checkpoint moved", "checkpoints", "board turned", "walls", "tiles"}


def kinds_of_changes(chain: list[Course]) -> set[str]:
    """What has changed from one course to the next."""
    found = set()
    for a, b in itertools.pairwise(chain):
        walls = [Scene(course).walls for course in (a, b)]
        tiles = [{e for e in course.elements if e.kind != "wall"} for course in (a, b)]
        if a.boards != b.boards:
            found.add("board turned")
        elif walls[0] != walls[1]:
            found.add("walls")
        elif tiles[0] != tiles[1]:
            found.add("tiles")
        elif a.reboots != b.reboots:
            found.add("token")
        elif len(a.checkpoints) != len(b.checkpoints):
            found.add("checkpoints")
        elif sorted(c[1:] for c in a.checkpoints) == sorted(c[1:] for c in b.checkpoints):
            found.add("checkpoints swapped")
        else:
            found.add("checkpoint moved")
    return found


def test_every_kind_of_change_comes_up():
    course = Generator(way="arranged", difficulty=3, checkpoints=3, seed=3).course(0)
    found = set().union(*(kinds_of_changes([course, mutate(course, seed)]) for seed in range(60)))
    assert found == {
        *("checkpoint moved", "checkpoints", "checkpoints swapped"),
        *("board turned", "walls", "tiles", "token"),
    }


def test_a_changed_course_is_made_again_from_its_slug():
    for course in (load_course("twister", "2005"), Generator(difficulty=1, seed=3).course(2)):
        first = mutate(course, 3)
        changed = mutate(first, np.int64(11))
        assert changed.slug == f"{course.slug}~3~11" == changed.source
        assert load_course(changed.slug, course.edition) == changed
        assert load_course(first.slug, course.edition) == first
        assert (first.title, changed.title) == (f"{course.title} ~3", f"{course.title} ~11")


def test_a_changed_course_is_raced_by_its_slug():
    batch = BatchRace(1, ["generated:difficulty=1,seed=3~5"], players=2)
    assert (batch.generator, batch.courses[0].slug) == (None, "generated:difficulty=1,seed=3,number=0~5")


def test_names_are_courses():
    printed = load_course("dizzy_highway")
    assert mutate("dizzy_highway", 1) == mutate(printed, 1)
    assert distance("dizzy_highway", "dizzy_highway~1") == distance(printed, mutate(printed, 1))
    for wrong in (lambda: mutate("dizzy_hihgway", 1), lambda: distance("dizzy_highway", "dizzy_hihgway")):
        with pytest.raises(RoboRallyError, match=r"unknown course 'dizzy_hihgway' \(did you mean dizzy_highway"):
            wrong()
    with pytest.raises(RoboRallyError, match="expected the name of a course or the path of a course file, got 3"):
        mutate(3, 1)


@pytest.mark.parametrize("seed", [-1, True, 1.5, "1", None])
def test_wrong_seeds(seed):
    with pytest.raises(RoboRallyError, match="seed: expected a whole number from 0"):
        mutate(load_course("dizzy_highway"), seed)


# ---- Distance ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["2016", "2005", "community"])
def test_distance_is_a_metric_up_to_turns(edition):
    courses = [Generator(edition=edition, difficulty=1 + n % 3, seed=4).course(n) for n in range(5)]
    courses.append(mutate(courses[0], 1))
    for course in courses:
        assert [distance(course, whole_turned(course, quarters)) for quarters in range(4)] == [0.0] * 4
    for a, b, c in itertools.permutations(courses, 3):
        assert distance(a, b) == distance(b, a) > 0
        assert distance(a, c) <= distance(a, b) + distance(b, c) + 1e-12


def test_courses_with_nothing_in_common_have_distance_1():
    printed = load_course("dizzy_highway")
    other = load_course("chop_shop_challenge", "2005")
    bare = replace(other, elements=(), docks=(), checkpoints=())
    assert distance(printed, bare) == 1.0
    assert distance(bare, bare) == 0.0
