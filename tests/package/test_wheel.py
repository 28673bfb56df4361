"""The wheel carries everything: installed into a new environment and used from an unrelated folder, it plays a race."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RACE = """
import roborally_env, pathlib
from roborally_env.agents import make_agent
from roborally_env.evaluation.tournament import evaluate
assert "site-packages" in roborally_env.__file__, roborally_env.__file__
assert (len(roborally_env.course_names("2016")), len(roborally_env.course_names("2005"))) == (19, 34)
import roborally_env.core.editions.e2016.upgrades.weapons, roborally_env.core.editions.e2005.weapons
lighter = {"upgrades": False}  # it compiles faster; the code of the other games is imported all the same
result = evaluate(["greedy", "random"], ["dizzy_highway"], games=2, seed=1, rules=lighter)
env = roborally_env.parallel_env("twister", players=2, rules=lighter)
env.reset(seed=0)
env.step({agent: env.action_space(agent).sample() for agent in env.agents})
print("raced")
"""


def run(*command: object, cwd: Path) -> str:
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The python of a new environment with the built wheel in it, and this one's dependencies in sight."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT, cwd=folder)
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    binaries = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    (wheel,) = folder.glob("*.whl")
    pip = (sys.executable, "-m", "pip", "--python", binaries / "python")
    run(*pip, "install", "--quiet", "--no-deps", wheel, cwd=folder)
    (site,) = (folder / "venv").rglob("site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return binaries / "python"


def test_an_installed_package_races_from_an_unrelated_folder(python: Path, tmp_path: Path) -> None:
    assert "raced" in run(python, "-c", RACE, cwd=tmp_path)


def test_the_installed_command_draws_a_course(python: Path, tmp_path: Path) -> None:
    assert "Dizzy Highway" in run(python.parent / "roborally", "draw", "dizzy_highway", "--no-color", cwd=tmp_path)


def test_the_installed_command_trains(python: Path, tmp_path: Path) -> None:
    assert "--evaluate-against" in run(python.parent / "roborally", "train", "sb3", "--help", cwd=tmp_path)


def test_the_wheel_carries_every_file_that_is_no_python(python: Path) -> None:
    (site,) = python.parents[1].rglob("site-packages")
    folders = {"roborally_env": ROOT / "roborally_env", "agents": ROOT / "agents", "courses/files": ROOT / "courses"}
    for inside, folder in folders.items():
        target = site / "roborally_env" / ("" if inside == "roborally_env" else inside)
        wanted = {path.relative_to(folder) for path in folder.rglob("*.*") if path.suffix not in (".py", ".pyc")}
        missing = sorted(str(path) for path in wanted if not (target / path).exists())
        assert wanted
        assert not missing


def test_every_package_of_the_checkout_is_listed_for_the_wheel() -> None:
    import tomllib

    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"])
    found = {
        ".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "roborally_env").rglob("__init__.py")
    } | {"roborally_env.agents", "roborally_env.courses.files"}
    assert listed == found
