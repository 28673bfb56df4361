"""Importing the package is light, names come when they are used, and gymnasium knows the env in any case."""

import subprocess
import sys

import pytest

import roborally_env
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
    with pytest.raises(AttributeError, match="no attribute 'paralel_env'"):
        module.paralel_env  # type: ignore[attr-defined]  # noqa: B018
