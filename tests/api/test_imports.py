"""Importing the package is light, names come when they are used, and gymnasium knows the env in any case."""

import subprocess
import sys
from pathlib import Path

import pytest

import roborally_env
import roborally_env.courses
import roborally_env.courses.tiles
import roborally_env.envs


def run(code: str) -> str:
    """What a new Python process prints."""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = ("numba", "gymnasium", "pettingzoo", "numpy")
    assert run(f"import sys, roborally_env; print([m for m in {heavy} if m in sys.modules])") == "[]"


@pytest.mark.parametrize(
    "imports",
    ["import gymnasium, roborally_env", "import roborally_env, gymnasium", "import roborally_env.envs, gymnasium"],
)
def test_gymnasium_knows_the_env(imports: str) -> None:
    code = f"{imports}\nprint(gymnasium.spec('RoboRally-v0').entry_point, 'numba' in __import__('sys').modules)"
    assert run(code) == "roborally_env.envs.single:RoboRallyEnv False"


def test_gymnasium_imports_the_package_by_the_env_s_full_name() -> None:
    assert run("import gymnasium; print(gymnasium.make('roborally_env:RoboRally-v0').spec.name)") == "RoboRally"


@pytest.mark.parametrize("module", [roborally_env, roborally_env.envs])
def test_every_public_name_is_there(module: object) -> None:
    names = module.__all__  # type: ignore[attr-defined]
    assert list(names) == sorted(names)
    for name in names:
        assert getattr(module, name) is not None
        assert name in dir(module)
    with pytest.raises(AttributeError, match="'paralel_env'"):
        module.paralel_env  # type: ignore[attr-defined]  # noqa: B018


def test_loading_a_course_of_the_package_needs_no_compiled_code() -> None:
    code = "import sys; from roborally_env import load_course; load_course('dizzy_highway')"
    assert run(f"{code}; print('numba' in sys.modules)") == "False"


def test_functions_of_courses_that_take_names_are_there() -> None:
    for name in roborally_env.courses.__all__:
        assert getattr(roborally_env.courses, name) is not None
        assert name in dir(roborally_env.courses)
    with pytest.raises(AttributeError, match="'lod_course'"):
        roborally_env.courses.lod_course  # type: ignore[attr-defined]  # noqa: B018


def test_every_kind_of_tile_is_listed() -> None:
    folder = Path(roborally_env.courses.tiles.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert modules == {module.__name__.rpartition(".")[2] for module in roborally_env.courses.tiles._KINDS}
