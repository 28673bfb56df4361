"""`reset(options=..)`: the course and the seat of the next race, and what is refused."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from roborally_env import BatchRace, CourseError, RoboRallyError, aec_env, load_course, make_vec, parallel_env
from roborally_env.envs import RoboRallyEnv
from tests.api.helpers import as_bytes, legal_action
from tests.games import LIGHTER

COURSES = ["dizzy_highway", "death_trap", "twister"]
FILE = Path(__file__).parents[2] / "scripts" / "experiments" / "short_yard.toml"


def played(env: Any, seed: int | None, options: dict[str, Any] | None, steps: int = 4) -> list[Any]:
    """What agents see in a race with random legal actions, and its rewards."""
    rng = np.random.default_rng(1)
    observations, infos = env.reset(seed=seed, options=options)
    given = [as_bytes(observations), infos]
    for _ in range(steps):
        actions = {a: legal_action(infos[a]["action_mask"].ravel(), rng, env.action_space(a)) for a in env.agents}
        observations, rewards, *_, infos = env.step(actions)
        given += [as_bytes(observations), rewards]
    return given


@pytest.mark.parametrize(
    "options",
    [
        {"course": COURSES},
        {"course": COURSES, "action": "register", "observation": "vector", "infos": "mask"},
        {"course": ["2005/twister", "frenetic_factory", "day_of_the_superbot"], "players": 5, "observation": "planes"},
        {"course": ["interference"]},
    ],
)
def test_a_race_on_a_chosen_course_is_that_of_an_env_of_this_course_alone(options: dict[str, Any]) -> None:
    courses = options.pop("course")
    env = parallel_env(courses, **options)
    for k, name in enumerate(courses):
        alone = parallel_env(name, **options)
        for chosen in (name, k, np.int64(k), env.batch.courses[k]):
            assert env.batch.courses[k] == alone.batch.courses[0]
            found, expected = played(env, 7, {"course": chosen}), played(alone, 7, None)
            assert found[0] == expected[0]
            assert found[2:] == expected[2:]
            assert env.batch.games["course"][0] == k


def test_the_races_after_it_are_those_without_options() -> None:
    one, two = parallel_env(COURSES), parallel_env(COURSES)
    played(one, 3, None)
    played(two, 3, {"course": "twister"})
    assert one.batch.games["rules"][0] == two.batch.games["rules"][0]
    seen = set()
    for _ in range(4):
        expected, found = played(one, None, None), played(two, None, None)
        assert found[0] == expected[0]
        seen.add(one.batch.course_slugs[0])
    assert len(seen) > 1
    before = one.batch.games["episode"][0]
    played(one, None, {"course": 1})
    assert one.batch.course_slugs[0] == "death_trap"
    assert one.batch.games["episode"][0] == before + 1


def test_a_race_on_a_chosen_course_is_saved_and_restored() -> None:
    env, other = parallel_env(COURSES), parallel_env(COURSES)
    for k in range(len(COURSES)):
        env.reset(seed=4, options={"course": k})
        observations, _ = other.restore(env.snapshot())
        assert other.batch.course_slugs[0] == COURSES[k]
        assert as_bytes(observations) == as_bytes(env.reset(seed=4, options={"course": k})[0])


def test_a_course_of_a_file_or_a_list_is_chosen_as_it_was_given() -> None:
    env = parallel_env([str(FILE), "twister", "twister"])
    for given in (str(FILE), FILE, "short_yard", load_course(FILE), [FILE]):
        env.reset(seed=1, options={"course": given})
        assert env.batch.course_slugs[0] == "short_yard"
    env.reset(seed=1, options={"course": "twister"})  # the first of the two
    assert env.batch.games["course"][0] == 1


def test_the_aec_env_takes_them_too() -> None:
    env = aec_env(COURSES)
    env.reset(seed=1, options={"course": "twister"})
    assert env.infos["robot_0"]["course"] == "twister"
    env.reset(seed=1, options={"options": 1})  # what PettingZoo's own tests pass


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        (3, RoboRallyError, "dict.*3"),
        ([("course", 1)], RoboRallyError, "dict"),
        ({"cuorse": "twister"}, RoboRallyError, "'cuorse'.*course"),
        ({1: 2}, RoboRallyError, "1.*course"),
        (
            {"course": "dizzy_hihgway"},
            CourseError,
            "highway, death_trap, twister.*hihgway.*mean dizzy_highway",
        ),
        ({"course": "burnout"}, CourseError, "dizzy_highway.*burnout"),
        ({"course": "2005/twister"}, CourseError, "dizzy_highway.*2005/twister"),
        ({"course": COURSES}, CourseError, "dizzy_highway"),
        ({"course": "generated:difficulty=3"}, CourseError, "dizzy_highway"),
        ({"course": 3}, RoboRallyError, "course.*0 to 2.*3"),
        ({"course": -1}, RoboRallyError, "course.*0 to 2.*-1"),
        ({"course": True}, RoboRallyError, "course.*0 to 2.*True"),
        ({"course": 1.0}, CourseError, r"dizzy_highway.*1\.0"),
        ({"course": object()}, CourseError, "dizzy_highway.*object"),
    ],
    ids=str,
)
def test_other_options_are_refused_and_nothing_changes(options: Any, kind: type, words: str) -> None:
    for env in (parallel_env(COURSES), RoboRallyEnv(course=COURSES)):
        env.reset(seed=1)
        batch = env.batch if not isinstance(env, RoboRallyEnv) else env.race.batch
        before = batch.games.tobytes()
        with pytest.raises(kind, match=words) as refused:
            env.reset(seed=2, options=options)
        assert "\n" not in str(refused.value)
        assert batch.games.tobytes() == before


def test_a_generated_course_cannot_be_chosen() -> None:
    env = parallel_env("generated:levels=4", rules=LIGHTER)
    env.reset(seed=1, options={"course": None})
    with pytest.raises(CourseError, match="seed"):
        env.reset(seed=1, options={"course": 1})
    with pytest.raises(RoboRallyError, match="seed"):
        env.batch.reset(1, courses=[0])


def test_batches_take_the_course_of_each_race() -> None:
    batch = BatchRace(4, COURSES, seed=1)
    batch.reset(5, courses=[2, 0, 1, 2])
    assert batch.games["course"].tolist() == [2, 0, 1, 2]
    before = batch.games.copy()
    batch.reset(None, np.array([True, False, False, False]), [1, 0, 0, 0])
    assert batch.games["course"].tolist() == [1, 0, 1, 2]
    assert batch.games[1:].tobytes() == before[1:].tobytes()
    for wrong in ([0, 1], [0, 0, 0, 3], [0, 0, 0, -1], [0.0] * 4):
        with pytest.raises(RoboRallyError, match="courses"):
            batch.reset(5, courses=wrong)


# -- one seat


def raced(env: Any, seed: int | None, options: dict[str, Any] | None, steps: int = 3) -> list[Any]:
    rng = np.random.default_rng(2)
    observation, info = env.reset(seed=seed, options=options)
    given: list[Any] = [info["seat"], info["course"], as_bytes(observation)]
    for _ in range(steps):
        observation, reward, *_ = env.step(legal_action(observation["action_mask"], rng, env.action_space))
        given += [as_bytes(observation), reward]
    return given


@pytest.mark.parametrize("seat", [0, 2])
def test_a_chosen_seat_is_that_of_an_env_with_this_seat(seat: int) -> None:
    env = gymnasium.make("RoboRally-v0", course=COURSES, opponents=["random", "greedy"])
    fixed = gymnasium.make("RoboRally-v0", course="twister", opponents=["random", "greedy"], seat=seat)
    assert raced(env, 5, {"course": "twister", "seat": seat}) == raced(fixed, 5, None)
    assert raced(env, 5, {"course": "twister", "seat": np.int64(seat)})[0] == seat


@pytest.mark.parametrize("seat", ["random", 1])
def test_the_next_races_have_their_own_seats_again(seat: Any) -> None:
    one, two = (RoboRallyEnv(["random", "random"], seat=seat, course=COURSES) for _ in range(2))
    raced(one, 6, None)
    raced(two, 6, {"seat": 2, "course": 0})
    seats = set()
    for _ in range(9):
        expected = raced(one, None, None)
        assert raced(two, None, {}) == expected
        seats.add(expected[0])
    assert len(seats) == (1 if seat == 1 else 3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seat": 3}, "seat.*0 to 2.*3"),
        ({"seat": -1}, "seat.*0 to 2.*-1"),
        ({"seat": "random"}, "seat.*0 to 2.*random"),
        ({"seat": False}, "seat.*0 to 2.*False"),
        ({"seats": 1}, "'seats'.*seat.*course or seat"),
        ({"options": 1}, "'options'.*course or seat"),
    ],
)
def test_a_wrong_seat_is_refused_and_nothing_changes(options: dict[str, Any], words: str) -> None:
    env, twin = (RoboRallyEnv(["random", "random"], course=COURSES) for _ in range(2))
    raced(env, 1, None)
    raced(twin, 1, None)
    with pytest.raises(RoboRallyError, match=words):
        env.reset(options=options)
    assert raced(env, None, None) == raced(twin, None, None)


def test_pictures_name_the_learner_in_its_chosen_seat() -> None:
    env = RoboRallyEnv(["random", "greedy"], seat=0)
    env.reset(seed=1, options={"seat": 2})
    assert env.race.unwrapped.robot_names == ["random", "greedy", "learner"]


def test_vector_envs_name_their_own_key() -> None:
    env = make_vec(2, opponents="random", players=2)
    env.reset(seed=1, options={"reset_mask": None})
    with pytest.raises(RoboRallyError, match=r"'mask'.*reset_mask"):
        env.reset(options={"mask": np.ones(2, bool)})
