"""Small changes of courses, and how alike two courses are."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from roborally_env.base.errors import CourseError
from roborally_env.batch import BatchRace
from roborally_env.courses import course_as_dict, course_from_map, course_names, distance, load_course, write_course
from roborally_env.courses.checks import course_issues
from roborally_env.courses.model import EDITIONS, Course
from roborally_env.courses.scene import Scene
from roborally_env.courses.similarity import same_race, whole_turned
from roborally_env.evaluation.tournament import evaluate
from roborally_env.generated import Generator, mutate, proof_of
from roborally_env.replay import load, play, save
from roborally_env.watch import replay_page

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
        with pytest.raises(CourseError):
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
    found = set().union(*(kinds_of_changes([course, mutate(course, seed)]) for seed in range(120)))
    assert found == {
        *("checkpoint moved", "checkpoints", "checkpoints swapped"),
        *("board turned", "walls", "tiles", "token"),
    }


@pytest.mark.parametrize(
    ("name", "edition", "slug"),
    [
        ("dizzy_highway", None, "dizzy_highway"),
        ("Dizzy Highway", None, "dizzy_highway"),
        ("twister", "2005", "2005/twister"),  # the name alone is that of 2016
        ("checkmate", None, "checkmate"),
        ("dizzy_highway", "2023", "2023/dizzy_highway"),
        ("terraces", None, "terraces"),
        ("generated:seed=3,difficulty=1,number=2", None, "generated:difficulty=1,seed=3,number=2"),
        ("generated:difficulty=1", "2023", "generated:edition=2023,difficulty=1,number=0"),
        ("twister~1", "2005", "2005/twister~1"),
    ],
)
def test_a_changed_course_is_made_again_from_its_slug(name: str, edition: str | None, slug: str) -> None:
    course = load_course(name, edition)
    first = mutate(course, 3)
    changed = mutate(first, np.int64(11))
    assert changed.slug == f"{slug}~3~11" == changed.source
    assert load_course(changed.slug) == load_course(changed.slug, course.edition) == changed
    assert load_course(first.slug) == first
    title = course.title.partition(" ~")[0]
    assert (first.title, changed.title) == (f"{title} ~3", f"{title} ~11")


@pytest.mark.parametrize("given", ["my.toml", "sub/my.toml", "twister.toml", "my", Path("twister"), Path("2016/my")])
def test_a_changed_course_of_a_file_is_made_again_from_its_slug(
    given: str | Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for path in (Path(given), tmp_path / given):
        path.parent.mkdir(exist_ok=True)
        path.write_text(write_course(load_course("risky_crossing")), encoding="utf-8")
        changed = mutate(load_course(given if path == Path(given) else path), 3)
        assert changed.slug == changed.source
        assert load_course(changed.slug) == changed
        assert load_course(f"{changed.slug}~4") == mutate(changed, 4)
        assert changed.checkpoints == mutate("risky_crossing", 3).checkpoints


def test_a_file_that_is_named_as_a_change_is_changed_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, course in (("my", "risky_crossing"), ("my~3", "dizzy_highway")):
        Path(name).write_text(write_course(load_course(course)), encoding="utf-8")
    assert load_course("my~3").title == "Dizzy Highway"
    assert load_course("my~3~4").title == "Dizzy Highway ~4"


def test_a_course_of_a_map_keeps_its_name() -> None:
    course = load_course("dizzy_highway")
    mapped = course_from_map(course_as_dict(course)["map"], "2016", "mine")
    assert mutate(mapped, 3).slug == "mine~3"


def test_a_changed_course_is_raced_by_its_slug():
    batch = BatchRace(1, ["generated:difficulty=1,seed=3~5"], players=2)
    assert (batch.generator, batch.courses[0].slug) == (None, "generated:difficulty=1,seed=3,number=0~5")


@pytest.mark.parametrize("name", ["2005/twister~1", "my.toml~3"])
def test_races_on_a_changed_course_are_kept_and_played_again(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text(write_course(load_course("risky_crossing")), encoding="utf-8")
    result = evaluate(["greedy", "random"], name, games=2, max_rounds=4)
    assert [race.course_name for race in result.races] == [name] * 2
    saved = result.replay(result.races[0])
    save(saved, "race.json")
    Path("my.toml").unlink(missing_ok=True)  # the replay has the whole course
    again = load("race.json")
    assert again.courses[0].slug == name
    assert len(list(play(again))) > 1  # which checks the hash after each round
    assert "<svg" in replay_page(again)


def test_a_changed_course_has_none_of_the_words_of_the_first():
    course = load_course("dizzy_highway")
    assert course.section or course.difficulty
    changed = mutate(course, 1)
    assert (changed.section, changed.difficulty, changed.length) == ("", "", "")
    assert mutate(Generator(difficulty=2).course(0), 1).difficulty == ""


def test_a_change_is_another_race():
    course = Generator(difficulty=2, seed=1).course(0)  # whose board looks the same after a half turn
    for seed in range(40, 60):
        changed = mutate(course, seed)
        assert distance(course, changed) > 0
        assert not same_race(course, changed)


def test_names_are_courses():
    printed = load_course("dizzy_highway")
    assert mutate("dizzy_highway", 1) == mutate(printed, 1)
    assert distance("dizzy_highway", "dizzy_highway~1") == distance(printed, mutate(printed, 1))
    for wrong in (lambda: mutate("dizzy_hihgway", 1), lambda: distance("dizzy_highway", "dizzy_hihgway")):
        with pytest.raises(CourseError, match=r"'dizzy_hihgway'.*dizzy_highway"):
            wrong()


@pytest.mark.parametrize("seed", [-1, True, 1.5, "1", None])
def test_wrong_seeds(seed):
    with pytest.raises(CourseError, match=r"seed.*0"):
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


def test_courses_of_distance_0_are_the_same_race():
    course = Generator(difficulty=2, seed=4).course(0)
    assert all(same_race(course, whole_turned(course, quarters)) for quarters in range(4))
    for seed in range(10):
        changed = mutate(course, seed)
        assert not same_race(course, changed)
        assert same_race(whole_turned(changed, 1), changed)
