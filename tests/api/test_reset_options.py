"""`reset(options=..)`: the course and the seat of the next race, and what is refused."""

import copy
import pickle
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from roborally_env import BatchRace, CourseError, RoboRallyError, aec_env, load_course, make_vec, parallel_env
from roborally_env.envs import RoboRallyEnv
from roborally_env.envs.vec_resets import WaitingRows
from roborally_env.envs.vec_setup import make_learner_rows
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
        pytest.param({"course": object()}, CourseError, "dizzy_highway.*object", id="object"),  # else with an address
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


# -- copies in the middle of such a race


def gone_on(env: Any, infos: Any, steps: int = 9) -> list[Any]:
    """What agents see in the rest of the race and in the next ones, and pictures."""
    rng, given = np.random.default_rng(3), []
    for _ in range(steps):
        if not env.agents:
            observations, infos = env.reset()
            given.append(as_bytes(observations))
        actions = {a: legal_action(infos[a]["action_mask"].ravel(), rng, env.action_space(a)) for a in env.agents}
        observations, *rest, infos = env.step(actions)
        given += [as_bytes(observations), rest, repr(infos), env.render()]
    return given


def copies(env: Any) -> list[Any]:
    return [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]


@pytest.mark.parametrize(
    "options",
    [
        {"course": COURSES},
        {"course": COURSES, "action": "register", "observation": "vector", "infos": "numeric"},
        {"course": ["2005/twister", "frenetic_factory"], "players": 5},
        {"course": ["interference"]},
    ],
)
def test_copies_and_restored_envs_go_on_exactly(options: dict[str, Any]) -> None:
    options = {"max_rounds": 3, "render_mode": "ansi", **options}
    env, fresh = parallel_env(**options), parallel_env(**options)
    _, infos = env.reset(seed=3, options={"course": len(options["course"]) - 1})
    rng = np.random.default_rng(0)
    *_, infos = env.step(
        {a: legal_action(infos[a]["action_mask"].ravel(), rng, env.action_space(a)) for a in env.agents}
    )
    fresh.restore(env.snapshot())
    others = [*copies(env), fresh]
    assert [other.render() for other in others] == [env.render()] * len(others)
    expected = gone_on(env, infos)
    for other in others:
        assert gone_on(other, infos) == expected


def test_copies_of_the_aec_env_go_on_exactly_in_the_middle_of_a_turn() -> None:
    def played_on(env: Any, turns: int) -> list[Any]:
        rng, given = np.random.default_rng(3), []
        for _ in range(turns):
            if not env.agents:
                env.reset()
            observation, *rest = env.last()
            given += [env.agent_selection, as_bytes(observation), repr(rest)]
            over = rest[1] or rest[2]
            space = env.action_space(env.agent_selection)
            env.step(None if over else legal_action(observation["action_mask"], rng, space))
        return given

    env = aec_env(COURSES, max_rounds=2)
    env.reset(seed=1, options={"course": "twister"})
    played_on(env, 5)
    others = copies(env)
    expected = played_on(env, 40)
    assert [played_on(other, 40) for other in others] == [expected] * 2


@pytest.mark.parametrize("action", ["program", "register"])
def test_copies_of_one_seat_go_on_exactly(action: str) -> None:
    options: dict[str, Any] = {"course": COURSES, "action": action, "max_rounds": 3, "render_mode": "ansi"}
    env, fresh = (RoboRallyEnv(["random", "greedy"], **options) for _ in range(2))
    env.reset(seed=3, options={"course": "twister", "seat": 2})
    env.step(legal_action(env.action_masks(), np.random.default_rng(0), env.action_space))
    fresh.restore(env.snapshot())

    def played_on(env: RoboRallyEnv) -> list[Any]:
        rng, given = np.random.default_rng(3), [env.render()]
        for _ in range(12):
            if not env.race.agents:
                given.append(as_bytes(env.reset()[0]))
            seen, *rest = env.step(legal_action(env.action_masks(), rng, env.action_space))
            given += [as_bytes(seen), repr(rest), env.seat, env.render()]
        return given

    others = [*copies(env), fresh]
    expected = played_on(env)
    for other in others:
        assert played_on(other) == expected


# -- many races


def of_course(name: str) -> dict[str, Any]:
    return {"course": name, "max_rounds": 2, "rules": LIGHTER, "infos": "numeric"}


@pytest.mark.parametrize("opponents", [None, ["random", "greedy"]])
@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP", "DISABLED"])
def test_sub_envs_race_on_chosen_courses_and_then_draw_theirs(opponents: Any, mode: str) -> None:
    """Each race is that of an env of this course alone by its seed, also where the last one has just ended."""
    seats = 3 if opponents is None else 1
    options: dict[str, Any] = {"opponents": opponents, "players": 3, "autoreset_mode": mode}
    env, twin = (make_vec(4 * seats, **{**of_course(""), "course": COURSES}, **options) for _ in range(2))
    alone = [make_vec(4 * seats, **of_course(name), **options) for name in COURSES]
    envs, rng = [env, twin, *alone], np.random.default_rng(0)
    chosen = np.repeat([2, 0, -1, 1], seats)
    drawn = twin.reset(seed=5)[1]["course"]
    everywhere = np.ones(len(chosen), np.bool_)
    names = [None if k < 0 else COURSES[k] if i % 2 else k for i, k in enumerate(chosen)]

    def check_rows(given: list[Any], rows: np.ndarray) -> None:
        """These rows of the env are those of the env on their course alone, or of its twin if none was chosen."""
        for row in np.flatnonzero(rows):
            expected = given[2 + chosen[row]]
            assert as_bytes(given[0]["observation"][row]) == as_bytes(expected["observation"][row])

    started = [each.reset(seed=5)[0] for each in envs[1:]]
    seen, infos = env.reset(seed=5, options={"course": names})
    np.testing.assert_array_equal(infos["course"], np.where(chosen < 0, drawn, chosen))
    check_rows([seen, *started], everywhere)
    for _ in range(2):
        actions = np.stack([legal_action(mask, rng, env.single_action_space) for mask in env.action_masks()])
        given = [each.step(actions) for each in envs]
        if mode != "SAME_STEP":
            check_rows([each[0] for each in given], everywhere)
    assert (given[0][2] | given[0][3]).all()
    part = np.arange(4 * seats) < 2 * seats
    chosen[part] = 1
    begun = [each.reset(options={"reset_mask": part})[0] for each in envs[1:]]
    seen, infos = env.reset(options={"reset_mask": part, "course": "death_trap"})
    assert (infos["course"][part] == 1).all()
    check_rows([seen, *begun], part)
    for each in envs:
        each.reset()
    found, expected = env.reset(), twin.reset()
    assert as_bytes(found[0]) == as_bytes(expected[0])
    np.testing.assert_array_equal(found[1]["course"], expected[1]["course"])


@pytest.mark.parametrize(
    ("course", "kind", "words"),
    [
        ("burnout", CourseError, "dizzy_highway.*burnout"),
        (3, RoboRallyError, "course.*0 to 2.*3"),
        (["twister", "twister"], CourseError, "4.*2"),
        (["twister", None, "dizzy_hihgway", 1], CourseError, r"\[2\].*dizzy_hihgway"),
        ([[0, 1]] * 4, CourseError, r"\[0\]"),
        (np.array(1.5), CourseError, "1.5"),
    ],
    ids=str,
)
def test_other_courses_of_sub_envs_are_refused_and_nothing_changes(course: Any, kind: type, words: str) -> None:
    env = make_vec(4, COURSES, opponents=None, players=2)
    env.reset(seed=1)
    before = env.batch.games.tobytes()
    with pytest.raises(kind, match=words):
        env.reset(seed=2, options={"course": course})
    assert env.batch.games.tobytes() == before
    generated = make_vec(2, "generated:levels=4", opponents=None, players=2, rules=LIGHTER)
    with pytest.raises(CourseError, match="seed"):
        generated.reset(options={"course": 0})


def test_in_self_play_the_course_of_a_race_is_that_of_its_first_seat() -> None:
    env = make_vec(4, COURSES, opponents=None, players=2, infos="numeric")
    own = env.reset(seed=1)[1]["course"].tolist()
    infos = env.reset(seed=1, options={"course": ["twister", None, None, "death_trap"]})[1]
    assert infos["course"].tolist() == [2, 2, *own[2:]]


def test_the_next_races_of_waiting_rows_begin_on_a_chosen_course() -> None:
    """Those of libraries that reset each entry, after the end of a race and in the middle of one."""
    options: dict[str, Any] = {
        "opponents": None, "seat": "random", "players": 2, "seed": 1, "threads": 1, "action": "program", "ghost": False,
        "rules": LIGHTER, "max_rounds": 1, "edition": None,
    }  # fmt: skip
    (races, twin), alone = (
        [WaitingRows(make_learner_rows(2, course, copy=True, **options)[0], 1) for _ in range(2)]
        for course in (COURSES, "twister")
    )
    every, programs = np.ones(4, np.bool_), np.tile(np.arange(5), (4, 1))
    on_twister = np.array([2, 2, -1, -1])
    for playing in (every, every, ~every):
        for each in (races, twin, *alone):
            each.reset(every, on_twister if each is races else None)
            each.step(programs, playing)
        seen = races.observe()
        np.testing.assert_array_equal(seen[:2], alone[0].observe()[:2])
        np.testing.assert_array_equal(seen[2:], twin.observe()[2:])


def test_options_of_stable_baselines3_choose_courses_too() -> None:
    sb3 = pytest.importorskip("roborally_env.envs.sb3")
    env = sb3.SB3VecEnv(2, COURSES, players=2)
    env.set_options({"course": "twister"})
    env.reset()
    assert env.batch.course_slugs.tolist() == ["twister"] * 2
    env.set_options([{"course": 1}, {}, {"course": "twister"}, {}])
    env.reset()
    assert env.batch.course_slugs.tolist() == ["death_trap", "twister"]
    env.set_options({"cuorse": 1})
    with pytest.raises(RoboRallyError, match=r"'cuorse'.*course"):
        env.reset()
    env.reset()


def test_vector_envs_name_their_own_keys() -> None:
    env = make_vec(2, opponents="random", players=2)
    env.reset(seed=1, options={"reset_mask": None})
    with pytest.raises(RoboRallyError, match=r"'mask'.*reset_mask"):
        env.reset(options={"mask": np.ones(2, bool)})
