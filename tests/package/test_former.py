"""Former names of public modules and of what is in them: each works and warns with the present name."""

import importlib
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import roborally_env
from roborally_env.base import former
from roborally_env.evaluation import tournament

# libraries that a module needs
NEEDS = {"analysis": "pandas", "selfplay": "pyarrow", "training": "torch", "play": "starlette"}

LIBRARIES = {
    "envs.rllib": ("ray.rllib",),
    "envs.sb3": ("stable_baselines3",),
    "envs.tianshou": ("tianshou",),
    "envs.torchrl": ("torchrl",),
    "jobs.storage": ("pyarrow",),
    "play.lobby": ("starlette",),
}


def current(name: str) -> object:
    """What has this name below the package."""
    try:
        return importlib.import_module(f"roborally_env.{name}")
    except ModuleNotFoundError:
        where, _, last = name.rpartition(".")
        return getattr(importlib.import_module(f"roborally_env.{where}"), last)


@pytest.mark.parametrize("old", former.MODULES)
def test_a_former_module_is_the_present_one(old: str) -> None:
    pytest.importorskip(NEEDS.get(old.partition(".")[0], "numpy"))
    sys.modules.pop(f"roborally_env.{old}", None)
    with pytest.warns(DeprecationWarning, match=former.MODULES[old]) as caught:
        module = importlib.import_module(f"roborally_env.{old}")
    assert module is current(former.MODULES[old])
    assert module.__spec__ is not None
    assert module.__spec__.name == module.__name__ == f"roborally_env.{former.MODULES[old]}"
    assert [each.filename for each in caught] == [__file__]


@pytest.mark.parametrize(("module", "old"), [name.rpartition(".")[::2] for name in former.NAMES])
def test_a_former_name_is_the_present_one(module: str, old: str) -> None:
    for library in LIBRARIES.get(module, ()):
        pytest.importorskip(library)
    new = former.NAMES[f"{module}.{old}"]
    with pytest.warns(DeprecationWarning, match=new) as caught:
        found = getattr(current(module), old)
    assert found is current(new)
    assert [each.filename for each in caught] == [__file__]


def test_a_module_in_a_former_package() -> None:
    for name in ("roborally_env.bench.running", "roborally_env.bench.rows", "roborally_env.bench"):
        sys.modules.pop(name, None)
    with pytest.warns(DeprecationWarning, match="speed"):
        module = importlib.import_module("roborally_env.bench.rows")
    assert module is current("speed.rows")
    with pytest.warns(DeprecationWarning, match=r"speed\.runner"):  # the name of the module has changed too
        assert importlib.import_module("roborally_env.bench.running") is current("speed.runner")


def test_no_module_has_a_former_name() -> None:
    for old in former.MODULES:
        path = Path(roborally_env.__file__).parent.joinpath(*old.split("."))
        assert not path.with_suffix(".py").exists()
        assert not (path / "__init__.py").exists()


def test_a_former_module_as_an_attribute_of_the_package() -> None:
    vars(roborally_env).pop("tournament", None)
    sys.modules.pop("roborally_env.tournament", None)
    with pytest.warns(DeprecationWarning, match=r"evaluation\.tournament"):
        assert roborally_env.tournament is tournament


def test_a_name_that_nothing_has_or_had_raises_attribute_error() -> None:
    for module, name in (("", "tournaments"), ("generated", "is_specificaton")):
        with pytest.raises(AttributeError, match=name):
            getattr(current(module) if module else roborally_env, name)
    with pytest.raises(ModuleNotFoundError, match="speed"):
        importlib.import_module("roborally_env.bench.nothing")


def test_a_pickle_with_a_former_name_is_read() -> None:
    new = b"croborally_env.evaluation.tournament\nResult\n."
    old = b"croborally_env.tournament\nResult\n."
    sys.modules.pop("roborally_env.tournament", None)
    with pytest.warns(DeprecationWarning, match=r"evaluation\.tournament"):
        assert pickle.loads(old) is pickle.loads(new) is tournament.Result


def test_a_script_sees_the_warning() -> None:
    code = "from roborally_env import tournament; from roborally_env.generated import is_specification"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "<string>:1: DeprecationWarning: roborally_env.tournament is now roborally_env.evaluation.tournament" in (
        result.stderr
    )
    assert (
        "roborally_env.generated.is_specification is now roborally_env.courses.catalogue.is_generated" in result.stderr
    )


def test_a_former_key_of_an_info_is_the_present_one() -> None:
    info = former.Keys({"corrected": 2})
    with pytest.warns(DeprecationWarning, match="corrected") as caught:
        assert info["repairs"] == 2
    with pytest.warns(DeprecationWarning, match="corrected"):
        assert info.get("repairs") == 2
    assert (info.get("corrected"), info.get("steps"), info.get("steps", 3)) == (2, None, 3)
    assert [each.filename for each in caught] == [__file__]
    assert list(info) == ["corrected"]
    with pytest.raises(KeyError, match="repair"):
        info["repair"]
    assert pickle.loads(pickle.dumps(info)) == info
