"""The docs say what the code does: pages written from tables are up to date, the README's code runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_observation_page_is_written_from_the_tables() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import write_docs
    finally:
        sys.path.pop(0)
    page = (ROOT / "docs" / "observations.md").read_text(encoding="utf-8")
    assert page == write_docs.observations(), "run: python scripts/write_docs.py"


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_the_python_of_the_readme_runs(code: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_readme_shows_the_course_as_it_is_drawn() -> None:
    from roborally_env.courses import load_course
    from roborally_env.render.ansi import draw

    drawn = draw(load_course("dizzy_highway"), color=False)
    picture = "\n".join(line.rstrip() for line in drawn.splitlines()).strip()
    shown = "\n".join(line.rstrip() for line in README.splitlines())
    assert picture.splitlines()[3] in shown
    assert picture in shown


def test_every_command_of_the_readme_exists() -> None:
    from roborally_env.cli.main import COMMANDS

    named = set(re.findall(r"^roborally (\w+)", README, re.MULTILINE)) | set(re.findall(r"`roborally (\w+)", README))
    assert named
    assert named <= set(COMMANDS)
