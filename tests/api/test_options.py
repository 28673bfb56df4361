"""One declaration of the options of races, and one reading of a course, for every interface."""

import inspect
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from roborally_env import BatchRace, aec_env, make_vec, parallel_env
from roborally_env.arguments import CourseSource, course_source
from roborally_env.base.errors import CourseError
from roborally_env.batch.options import RaceOptions
from roborally_env.courses import catalogue, load_course, write_course
from roborally_env.envs import RoboRallyEnv
from roborally_env.evaluation.crossplay import crossplay
from roborally_env.evaluation.tournament import evaluate
from roborally_env.generated import Generator
from tests.games import LIGHTER

RACE = list(get_type_hints(RaceOptions))


def sb3(*given: Any, **options: Any) -> Any:
    """Races for Stable-Baselines3."""
    from roborally_env.envs.sb3 import SB3VecEnv

    return SB3VecEnv(*given, **options)


def rllib(course: Any, **options: Any) -> Any:
    """Races for RLlib."""
    from roborally_env.envs.rllib import RLlibVectorEnv

    return RLlibVectorEnv({"num_envs": 4, "course": course, **options})


def without(name: str) -> Any:
    """A mark that skips a case where a library is missing."""
    return pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is not installed")


CONSTRUCTORS: list[Any] = [
    pytest.param(parallel_env, id="parallel_env"),
    pytest.param(aec_env, id="aec_env"),
    pytest.param(lambda course, **options: RoboRallyEnv(course=course, **options), id="RoboRallyEnv"),
    pytest.param(lambda course, **options: BatchRace(2, course, **options), id="BatchRace"),
    pytest.param(lambda course, **options: make_vec(2, course, **options), id="make_vec"),
    pytest.param(lambda course, **options: sb3(2, course, **options), id="sb3", marks=without("stable_baselines3")),
    pytest.param(
        lambda course, **options: sb3(2, course, opponents="random", **options),
        id="sb3 against agents",
        marks=without("stable_baselines3"),
    ),
    pytest.param(rllib, id="rllib", marks=without("ray")),
]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The course files that are read, which includes the search for a way to the last checkpoint."""
    found: list[Path] = []
    read = catalogue.read_course

    def counted(path: Path, *given: Any) -> Any:
        found.append(path)
        return read(path, *given)

    monkeypatch.setattr(catalogue, "read_course", counted)
    return found


@pytest.fixture
def course_file(tmp_path: Path) -> Path:
    """A course file that does not come with the package."""
    path = tmp_path / "mine.toml"
    path.write_text(write_course("dizzy_highway"))
    return path


@pytest.mark.parametrize("make", CONSTRUCTORS)
def test_a_course_file_is_read_once(make: Callable[..., Any], course_file: Path, reads: list[Path]) -> None:
    make(course_file, rules=LIGHTER)
    assert reads == [course_file]


def test_a_course_file_is_read_once_by_all_pairs_of_crossplay(course_file: Path, reads: list[Path]) -> None:
    crossplay(["random", "random:seed=1"], course_file, games=1, max_rounds=1, rules=LIGHTER)
    assert reads == [course_file]


@pytest.mark.parametrize("make", CONSTRUCTORS)
def test_every_constructor_takes_a_source(make: Callable[..., Any], reads: list[Path]) -> None:
    make(course_source("twister", "2016"), rules=LIGHTER)
    make(course_source(["twister", load_course("dizzy_highway")]), edition="2023")
    assert not reads or all(path.stem in ("twister", "dizzy_highway") for path in reads)  # shipped ones are kept


def test_a_source_is_a_value() -> None:
    source = course_source("twister")
    assert source == course_source("2016/twister") != course_source("2005/twister")
    assert course_source(source) is source
    assert course_source(source, "2016") is source
    assert course_source(source, "2023").edition == "2023"
    with pytest.raises(CourseError):
        course_source(source, "2005")


def test_the_source_of_a_generator_has_a_sample() -> None:
    source = course_source("generated:levels=2,difficulty=2")
    assert source == CourseSource((Generator("generated:levels=2,difficulty=2").course(0),), source.generator)
    assert source == course_source(["generated:levels=2,difficulty=2"])
    result = evaluate(["random"] * 2, source, games=1, max_rounds=1, rules=LIGHTER)
    assert result.setup.generator == source.generator


@pytest.mark.parametrize("function", [parallel_env, aec_env, make_vec, BatchRace, RoboRallyEnv])
def test_signatures_and_documentation_show_every_option(function: Callable[..., Any]) -> None:
    shown, documented = inspect.signature(function).parameters, inspect.getdoc(function) or ""
    assert set(RACE) <= set(shown)
    assert shown["max_rounds"].default == (None if function is BatchRace else 100)
    for name in shown:
        assert re.search(rf"^ *(\w+, )*{name}(, \w+)*: ", documented, re.MULTILINE), name
