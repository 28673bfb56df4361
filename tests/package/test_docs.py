"""The docs say what the code does: pages written from tables are up to date, the README's code runs."""

import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def write_docs(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script that writes pages."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("write_docs")


PAGES = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_tables_of_a_page_are_those_of_the_simulator(path: Path, write_docs: Any) -> None:
    page = path.read_text(encoding="utf-8")
    assert page == write_docs.filled(page), "run: python scripts/write_docs.py"
    assert page.count("<!-- table ") == page.count("<!-- end -->") == len(write_docs.tables_in(page)), (
        "a mark is spoilt"
    )


def test_every_table_stands_on_a_page(write_docs: Any) -> None:
    found = [name for path in PAGES for name in write_docs.tables_in(path.read_text(encoding="utf-8"))]
    assert sorted(found) == sorted(write_docs.TABLES)


def test_the_page_of_upgrades_has_every_card_and_every_decision() -> None:
    from roborally_env.core import choices, upgrades

    page = (ROOT / "docs" / "upgrades.md").read_text(encoding="utf-8")
    decisions = page.partition("## All decisions")[2]
    for row in map(upgrades.upgrade, upgrades.DECK):
        assert f"| {row.title} | {row.cost} |" in page
        assert f"- **{row.title}.** " in page
        assert (f"| `{row.name}` |" in decisions) == bool(row.asked)
    for name in choices.NAMES[choices.PROGRAM : choices.UPGRADE + 1]:
        assert f"| `{name}` |" in decisions


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_the_python_of_the_readme_runs(code: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))])
def test_every_file_that_a_page_links_to_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    missing = [link for link in links if link and not (ROOT / page).parent.joinpath(link).exists()]
    assert not missing


def test_every_command_of_the_readme_exists() -> None:
    from roborally_env.cli.main import COMMANDS

    named = set(re.findall(r"^roborally (\w+)", README, re.MULTILINE)) | set(re.findall(r"`roborally (\w+)", README))
    assert named
    assert named <= set(COMMANDS)
