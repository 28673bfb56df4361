"""Does each test say which rule it shows, and is each point of the open rules shown?"""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
POINTS = [f"C{number}" for number in range(1, 22)]


@pytest.fixture(autouse=True)
def engine():
    """Nothing is played here."""


def docstrings() -> dict[str, str]:
    """`file::test` -> docstring."""
    found = {}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[f"{path.stem}::{node.name}"] = ast.get_docstring(node) or ""
    return found


@pytest.mark.parametrize("point", POINTS)
def test_each_open_point_is_shown_by_a_test(point):
    assert any(re.search(rf"\b{point}\b", text) for text in docstrings().values())


def test_each_scene_says_which_rule_it_shows():
    assert not [name for name, text in docstrings().items() if not text and not name.startswith("test_rulings")]
