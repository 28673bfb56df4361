"""Generated courses in the environments, replays, pictures, tournaments and commands."""

import csv
import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test, state_test

from roborally_env import CourseError, aec_env, load_course, make_vec, parallel_env
from roborally_env.batch import BatchRace
from roborally_env.evaluation.tournament import evaluate
from roborally_env.executors import processes
from roborally_env.generated import Generator
from roborally_env.replay import load, play, record, save
from tests.api.helpers import as_bytes, legal_actions
from tests.learning.helpers import same

TEXT = "generated:difficulty=1,seed=5"
SHORT: dict[str, Any] = {"players": 2, "max_rounds": 2}
ONE: dict[str, Any] = {"opponents": ["random"], "max_rounds": 2}

# PettingZoo would rather have plain boxes than a dict with a mask
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not NumPy array"),
    pytest.mark.filterwarnings("ignore:Action space for each agent probably should be"),
]


def races(env: Any, count: int, seed: int | None = 3) -> list[tuple[str, bytes]]:
    """The course and the last observations of some races of random legal play."""
    rng, found = np.random.default_rng(0), []
    for number in range(count):
        observations, infos = env.reset(seed=seed if number == 0 else None)
        course = infos[env.agents[0]]["course"]
        while env.agents:
            observations, *_ = env.step(legal_actions(env, observations, rng))
        found.append((course, as_bytes(observations)))
    return found


# -- PettingZoo


@pytest.mark.parametrize("observation", ["symbolic", "planes", "dict"])
@pytest.mark.parametrize("course", [TEXT, TEXT + ",levels=3"])
def test_pettingzoo_s_tests(course: str, observation: str) -> None:
    options = {"course": course, "observation": observation, "max_rounds": 3}
    parallel_api_test(parallel_env(**options), num_cycles=60)
    parallel_seed_test(lambda: parallel_env(**options), num_cycles=30)
    api_test(aec_env(**options), num_cycles=30)
    seed_test(lambda: aec_env(**options), num_cycles=30)
    state_test(aec_env(**options), parallel_env(**options), num_cycles=10)


@pytest.mark.parametrize("action", ["program", "register", "flat"])
def test_each_episode_has_its_course_and_a_seed_repeats_them(action: str) -> None:
    env = parallel_env(TEXT, action=action, **SHORT)
    found = races(env, 4)
    assert len({course for course, _ in found}) == 4
    assert all(course.startswith(TEXT + ",number=") for course, _ in found)
    assert races(env, 4) == found
    assert races(parallel_env(Generator(difficulty=1, seed=5), action=action, **SHORT), 4) == found
    env.close()


def test_an_episode_goes_as_on_its_course_by_name() -> None:
    (course, end), *_ = races(parallel_env(TEXT, **SHORT), 1)
    assert races(parallel_env(course, **SHORT), 1) == [(course, end)]


def test_a_snapshot_of_an_env_restores_into_another() -> None:
    env, other = parallel_env(TEXT, **SHORT), parallel_env(TEXT, **SHORT)
    races(env, 2)
    env.reset()
    other.reset(seed=8)
    given, infos = other.restore(env.snapshot())
    assert infos["robot_0"]["course"] == env.batch.course_slugs[0]
    assert as_bytes(given) == as_bytes(env.restore(env.snapshot())[0])


def test_pictures_and_state_are_of_the_course() -> None:
    env = parallel_env(TEXT, render_mode="ansi", **SHORT)
    pictures = set()
    for seed in range(3):
        _, infos = env.reset(seed=seed)
        picture = str(env.render())
        assert picture.startswith(load_course(infos["robot_0"]["course"]).title)
        pictures.add(picture)
        assert env.state_space.contains(env.state())
    assert len(pictures) == 3


def test_a_frame_is_of_the_course() -> None:
    pytest.importorskip("resvg_py")
    env = parallel_env(TEXT, render_mode="rgb_array", render_size=300, **SHORT)
    frames = []
    for seed in range(2):
        env.reset(seed=seed)
        frames.append(env.render())
    assert frames[0].shape != frames[1].shape or (frames[0] != frames[1]).any()


# -- Gymnasium


@pytest.mark.parametrize("course", [TEXT, TEXT + ",levels=3"])
def test_gymnasium_s_check(course: str) -> None:
    env = gymnasium.make("RoboRally-v0", course=course, disable_env_checker=True, **ONE)
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_a_vector_env_goes_as_single_envs(mode: str) -> None:
    options: dict[str, Any] = {"opponents": ["greedy"], "seat": 0, "max_rounds": 2}
    env = make_vec(3, TEXT, autoreset_mode=mode, **options)
    singles = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make("RoboRally-v0", course=TEXT, **options) for _ in range(3)],
        autoreset_mode=env.autoreset_mode,
    )
    rng, courses = np.random.default_rng(1), set()
    given = [each.reset(seed=4) for each in (env, singles)]
    for _ in range(15):
        same(given[0][0], given[1][0])
        infos = [each[-1] for each in given]
        assert infos[0]["course"].tolist() == infos[1]["course"].tolist()
        if "final_info" in infos[0]:
            marked = infos[0]["_final_info"]
            ends = [each["final_info"]["course"][marked].tolist() for each in infos]
            assert ends[0] == ends[1]
        courses |= set(infos[0]["course"].tolist())
        actions = rng.integers(0, 9, (3, 6))
        given = [each.step(actions) for each in (env, singles)]
    assert len(courses) > 3
    env.close()


def test_a_vector_env_s_state_goes_into_another() -> None:
    env, other = (make_vec(3, TEXT, seed=2, opponents=["greedy"], max_rounds=2) for _ in range(2))
    rng = np.random.default_rng(1)
    env.reset(seed=4)
    other.reset(seed=7)
    for _ in range(5):
        env.step(rng.integers(0, 9, (3, 6)))
    other.load_state_dict(env.state_dict())
    for _ in range(8):
        actions = rng.integers(0, 9, (3, 6))
        one, two = env.step(actions), other.step(actions)
        same(one[0], two[0])
        assert one[-1]["course"].tolist() == two[-1]["course"].tolist()


# -- Stable-Baselines3


def test_stable_baselines3() -> None:
    pytest.importorskip("stable_baselines3")
    from stable_baselines3.common.env_checker import check_env as check_sb3

    from roborally_env.envs.sb3 import SB3VecEnv

    check_sb3(gymnasium.make("RoboRally-v0", course=TEXT, **ONE).unwrapped)
    env = SB3VecEnv(3, course=TEXT, seed=1, opponents=["greedy"], max_rounds=2)
    own = make_vec(3, TEXT, opponents=["greedy"], max_rounds=2, autoreset_mode="SAME_STEP")
    rng, ended = np.random.default_rng(1), []
    env.reset()
    own.reset(seed=1)
    for _ in range(12):
        actions = rng.integers(0, 9, (3, 6))
        *_, dones, infos = env.step(actions)
        others = own.step(actions)[-1]
        for row in np.flatnonzero(dones):
            assert infos[row]["course"] == others["final_info"]["course"][row]
            ended.append(infos[row]["course"])
    assert len(set(ended)) > 3
    env.close()


# -- replays


@pytest.mark.parametrize("edition", ["2016", "2005", "2023", "community"])
@pytest.mark.parametrize("levels", [0, 3])
def test_a_replay_is_checked_alone(edition: str, levels: int, tmp_path: Path) -> None:
    text = f"generated:edition={edition},levels={levels},difficulty=1"
    batch = BatchRace(1, text, players=2, max_rounds=4, seed=6, observation="none", auto_reset=False)
    batch.reset()
    slug = str(batch.course_slugs[0])
    replay = record(batch, 6, lambda b: b.sample(1))
    save(replay, tmp_path / "race.json")
    written = json.loads((tmp_path / "race.json").read_text())
    assert [course["name"] for course in written["config"]["courses"]] == [slug]
    found = load(tmp_path / "race.json")
    *_, end = play(found)
    assert end.over
    assert end.course.slug == slug
    made = load_course(slug)
    assert (end.course.elements, end.course.checkpoints) == (made.elements, made.checkpoints)


# -- tournaments and commands


@pytest.mark.parametrize("workers", [1, 2])
def test_each_race_of_a_tournament_has_its_course(workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "WORTH_WORKERS", 0.0)
    result = evaluate(["greedy", "random"], TEXT, games=12, seed=2, max_rounds=20, workers=workers, chunk=5)
    assert result.complete
    names = [race.course_name for race in result.races]
    assert len(set(names)) == 12
    replay = result.replay(result.races[4])
    assert replay.courses == (load_course(names[4]),) == (result.course_of(result.races[4]),)
    assert result == evaluate(["greedy", "random"], Generator(TEXT), games=12, seed=2, max_rounds=20, chunk=12)


def test_the_commands(roborally: Any, tmp_path: Path) -> None:
    words = ("--course", TEXT + ",levels=4", "--agents", "greedy", "random", "--games", 12, "--workers", 1)
    code, out, _ = roborally("evaluate", *words, "--out", tmp_path, "--max-rounds", 30)
    assert code == 0
    assert out.startswith(f"Generated courses ({TEXT},levels=4): 12 races of 2")
    rows = list(csv.DictReader((tmp_path / "races.csv").open()))
    assert {row["course"] for row in rows} == {f"{TEXT},number={n}" for n in range(4)}
    assert json.loads((tmp_path / "results.json").read_text())["courses"] == [f"{TEXT},levels=4"]
    replay = tmp_path / "replays" / "closest_finish.json"
    assert roborally("replay", replay)[0] == 0
    code, out, _ = roborally("watch", replay, "--out", tmp_path / "page.html", "--no-open")
    assert code == 0
    assert load(replay).courses[0].title in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert roborally("selfplay", *words, "--out", tmp_path / "data")[0] == 0


def test_a_wrong_text_on_the_command_line_is_one_line(roborally: Any) -> None:
    for command in ("evaluate", "selfplay"):
        words = ("--out", "none") if command == "selfplay" else ()
        code, out, err = roborally(command, "--course", "generated:dificulty=2", "--agents", "greedy", *words)
        assert (code, out) == (2, "")
        assert err == "roborally: generated: unknown key 'dificulty' (did you mean difficulty?)\n"


def test_every_door_takes_a_generator_and_refuses_a_wrong_text() -> None:
    doors: list[Any] = [
        lambda course: parallel_env(course, **SHORT),
        lambda course: aec_env(course, **SHORT),
        lambda course: make_vec(1, course, **ONE),
        lambda course: gymnasium.make("RoboRally-v0", course=course, **ONE),
        lambda course: evaluate(["random"], course, games=1, max_rounds=1, players=2),
    ]
    for door in doors:
        for course in (TEXT, Generator(TEXT), [TEXT], TEXT + ",number=2"):
            assert door(course) is not None
        with pytest.raises(CourseError, match=r"generated: seed.*0"):
            door("generated:seed=-1")
