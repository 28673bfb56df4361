"""The references are written apart from the package: none of their modules imports it."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
COMPARING = ("comparison.py",)  # the core beside the reference


@pytest.mark.parametrize("edition", ["e2016", "e2023", "e2005", "community", "seeing", "."])
def test_no_reference_imports_the_package(edition):
    modules = [path for path in (HERE / edition).glob("*.py") if not path.name.startswith("test_")]
    assert modules
    for path in modules:
        assert path.name in COMPARING or "roborally_env" not in path.read_text(encoding="utf-8"), path
