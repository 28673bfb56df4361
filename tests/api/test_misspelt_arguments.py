"""A misspelt argument is one line with the nearest name, and messages of one seat speak of its action."""

import inspect
import re
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

import roborally_env
from roborally_env import ActionError, BatchRace, RoboRallyError, aec_env, make_vec, parallel_env
from roborally_env.base.threads import most_threads
from roborally_env.envs.single import RoboRallyEnv
from tests.games import LIGHTER

ID = "roborally_env:RoboRally-v0"
MAKERS: list[tuple[Callable[..., Any], tuple[Any, ...], str]] = [
    (parallel_env, (), "parallel_env"),
    (aec_env, (), "aec_env"),
    (roborally_env.env, (), "aec_env"),
    (BatchRace, (2,), "BatchRace"),
    (make_vec, (2,), "make_vec"),
    (gymnasium.make_vec, (ID, 2), "make_vec"),
    (gymnasium.make, (ID,), "RoboRallyEnv"),
    (RoboRallyEnv, (), "RoboRallyEnv"),
]


@pytest.mark.parametrize(("make", "given", "name"), MAKERS)
@pytest.mark.parametrize(("misspelt", "nearest"), [("max_round", "max_rounds"), ("editon", "edition"), ("xyzzy", "")])
def test_a_misspelt_argument_is_one_line_with_the_nearest_name(
    make: Callable[..., Any], given: tuple[Any, ...], name: str, misspelt: str, nearest: str
) -> None:
    with pytest.raises(RoboRallyError) as caught:
        make(*given, **{misspelt: 3})
    line = str(caught.value)
    hint = f" (did you mean {nearest}" if nearest else "; expected "
    assert line.startswith(f"{name}: unknown argument {misspelt!r}{hint}")
    assert "\n" not in line


def test_envs_of_libraries_name_it_too() -> None:
    pytest.importorskip("stable_baselines3")
    from roborally_env.envs import sb3

    with pytest.raises(RoboRallyError, match=r"SB3VecEnv.*'oponents'.*opponents"):
        sb3.SB3VecEnv(2, oponents=["random"])


def test_signatures_and_documentation_stay() -> None:
    assert "max_rounds" in inspect.signature(parallel_env).parameters
    assert "num_games" in inspect.signature(BatchRace).parameters
    assert (parallel_env.__doc__ or "").startswith("One Robo Rally race")


@pytest.mark.parametrize("action", ["program", "register", "flat"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("wrong", ["a", 2.5, [[1, 2]], -1, 10**9, None])
def test_one_seat_speaks_of_its_action(action: str, seat: int, wrong: Any) -> None:
    env = RoboRallyEnv(["random"], seat=seat, action=action, rules=LIGHTER)
    env.reset(seed=1)
    if action == "program" and wrong in (-1, 10**9):
        wrong = [0, 0, 0, 0, wrong]
    with pytest.raises(ActionError, match=r"^action(\[4\])?: expected"):
        env.step(wrong)


@pytest.mark.parametrize(
    ("action", "wrong", "line"),
    [
        ("program", [0, 0, 0, 0, 0], r"^action\[1\]: slot 0.*register 1"),
        ("register", 0, "^action: 0.*1, 2, 3"),
    ],
)
def test_one_seat_speaks_of_its_illegal_action(action: str, wrong: Any, line: str) -> None:
    env = RoboRallyEnv(["random"], seat="random", action=action, rules=LIGHTER, strict=True)
    for seed in range(4):  # in either seat
        env.reset(seed=seed)
        if action == "register":
            env.step(0)
        with pytest.raises(ActionError) as caught:
            env.step(wrong)
        assert re.search(line, str(caught.value))


def test_races_of_all_seats_speak_of_the_agent() -> None:
    env = parallel_env(players=2, rules=LIGHTER)
    env.reset(seed=1)
    with pytest.raises(ActionError, match=r"actions\['robot_1'\]"):
        env.step({"robot_0": [0, 1, 2, 3, 4], "robot_1": [0]})


def test_more_threads_than_processors_are_taken() -> None:
    many, one = BatchRace(64, threads=most_threads() + 7, seed=3), BatchRace(64, threads=1, seed=3)
    assert many.threads == most_threads()
    for batch in (many, one):
        batch.sample(1)
    assert np.array_equal(many.sample(1)[0], one.sample(1)[0])
    for wrong in (0, -1, 2.0, True, "2", 10**9):
        with pytest.raises(RoboRallyError, match=r"threads.*1"):
            BatchRace(2, threads=wrong)  # type: ignore[arg-type]
