"""The rules of the editions: what each plays in place of a default is there, fits, and is asked for."""

import ast
from pathlib import Path

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.compiling.hooks import Constant
from roborally_env.core.editions import KINDS
from roborally_env.core.kernel import kernel
from roborally_env.core.rule import RULES, Rule, override, overrides_of, rule
from roborally_env.core.state import mark_of
from tests.editions.geyser import GEYSERS

ROOT = Path(__file__).parents[2]
CORE = ROOT / "roborally_env" / "core"
SHARED = [path for path in sorted(CORE.rglob("*.py")) if path.relative_to(CORE).parts[0] != "editions"]


def rules() -> list[Rule]:
    """Every rule of the package; those of tests are left out."""
    return [one for one in RULES if one.__module__.startswith("roborally_env.")]


@pytest.mark.parametrize("path", SHARED, ids=lambda path: str(path.relative_to(CORE)))
def test_shared_code_imports_no_edition(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
        else:
            names = {alias.name for alias in node.names} if isinstance(node, ast.Import) else set()
        assert not [name for name in names if name.startswith("roborally_env.core.editions")]


@pytest.mark.parametrize("kind", KINDS)
def test_every_rule_has_a_function_in_every_kind_of_game(kind: str) -> None:
    assert len(rules()) > 70
    for one in rules():
        assert one.chosen_for({mark_of(kind)}) is not None


@pytest.mark.parametrize("kind", KINDS)
def test_an_edition_lists_only_what_differs(kind: str) -> None:
    for of, by in overrides_of(kind).items():
        assert by is not of.default, of
        if isinstance(by, Constant) and isinstance(of.default, Constant):
            assert by.value is not of.default.value, of


def test_every_rule_is_played_in_another_way_by_some_edition() -> None:
    """Also by one from outside: nothing else brings tiles that the shared code does not know."""
    known = {of for kind in KINDS for of in overrides_of(kind)} | {of for _, rows in GEYSERS.kinds for of in rows}
    of_outside = "roborally_env.core.editions.e2016.upgrades.more"  # moments of cards that editions from outside bring
    assert not [one for one in rules() if one not in known and one.function.__module__ != of_outside]


def test_every_rule_is_asked_for_somewhere() -> None:
    called = set()
    for path in [*CORE.rglob("*.py"), *(ROOT / "agents").glob("*.py"), *(ROOT / "roborally_env").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called.add(node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", ""))
    assert not [one for one in rules() if one.function.__name__ not in called]


@rule
def length(game, r):
    """A rule for tests."""
    return 1


def test_what_does_not_fit_is_refused_by_name() -> None:
    @kernel
    def other(game, robot):
        return 2

    with pytest.raises(RoboRallyError, match=r"length.*\(game, r\).*\(game, robot\)"):
        override("a test's", {length: other})
    with pytest.raises(RoboRallyError, match="rule"):
        override("a test's", {other: other})
    with pytest.raises(RoboRallyError, match="rules"):
        override("2005", {})


def test_a_game_without_rules_is_refused_by_name() -> None:
    with pytest.raises(RoboRallyError, match="'nothing'"):
        length.chosen_for({mark_of("nothing")})


def test_a_default_that_gives_a_constant_is_one() -> None:
    assert length.default == Constant(1)
