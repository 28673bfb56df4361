"""Is each ruling on the 2005 edition shown by a scene, and does docs/rulings.md have it?"""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "rulings.md").read_text(encoding="utf-8")
RULINGS = ["R34", "R38", "R60", "R61", "R62", "R63", "R64", "R65", "R66", "R67", "R88", "R89", "R91", "R92", "R93"]


def docstrings() -> str:
    """Of all tests beside this file."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in HERE.glob("test_*.py") if path != Path(__file__))
    nodes = (node for tree in trees for node in [tree, *tree.body] if isinstance(node, (ast.Module, ast.FunctionDef)))
    return "\n".join(ast.get_docstring(node) or "" for node in nodes)


@pytest.mark.parametrize("ruling", RULINGS)
def test_each_ruling_is_on_the_page_and_shown_by_a_test(ruling):
    assert re.search(rf"\b{ruling}\b", docstrings())
    assert re.search(rf"\*\*{ruling}\b", PAGE)
