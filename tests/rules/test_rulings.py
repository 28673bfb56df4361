"""Is each ruling shown by a scene, each test explained, and the table of README.md as it should be?"""

import ast

import pytest

from . import rulings


@pytest.mark.parametrize("ruling", rulings.RULINGS)
def test_each_ruling_is_shown_by_a_test(ruling):
    assert rulings.tests_by_ruling()[ruling]


def test_each_scene_says_which_rule_it_shows():
    for path in rulings.HERE.glob("test_*.py"):
        if path.stem in ("test_rulings", "test_uncompiled", "test_scene"):
            continue
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert ast.get_docstring(node), f"{path.name}: {node.name} has no docstring"


def test_the_readme_lists_the_tests_of_each_ruling(update_golden):
    """`pytest tests/rules --update-golden` rewrites the table."""
    if update_golden:
        rulings.update_readme()
    assert rulings.README.read_text(encoding="utf-8").endswith(rulings.table())
