"""House rules that run: each layer imports only from those below it, and the core prints nothing."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# lowest first; a part may import from itself and from parts before it
LAYERS = (
    ("terminal",),
    ("errors", "words"),
    ("documents", "files"),
    ("courses", "compiling"),
    ("core",),
    ("render", "cards", "check", "arguments", "arrays", "threads", "signals", "children"),
    ("scenario",),
    ("editions",),
    ("courses.generate",),
    ("batch",),
    ("replay",),
    ("watch",),
    ("envs",),
    ("film",),
    ("agents",),
    ("executors",),
    ("review",),
    ("evaluation", "jobs", "tournament", "crossplay", "bench"),
    ("grading",),
    ("ahead",),
    ("selfplay",),
    ("benchmark",),
    ("training",),
    ("analysis",),
    ("play",),
    ("cli",),
    ("__main__",),
)
RANK = {part: rank for rank, parts in enumerate(LAYERS) for part in parts}
FILES = sorted([*(ROOT / "roborally_env").rglob("*.py"), *(ROOT / "agents").rglob("*.py")])


def part_of(path: Path) -> str:
    """The part of the package that a file belongs to."""
    relative = path.relative_to(ROOT)
    if relative.parts[0] == "agents":
        return "agents"
    return part_named(".".join(relative.with_suffix("").parts))


def part_named(module: str) -> str:
    """The part of a module by its whole name."""
    _, *names = module.split(".")
    two = ".".join(names[:2])
    return two if two in RANK else names[0]


def imported_parts(path: Path) -> set[str]:
    """The parts of the package that a file imports at its top (not under TYPE_CHECKING or in functions)."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = []
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            modules += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
    return {part_named(m) for m in modules if m.startswith("roborally_env.")} & set(RANK)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_imports_only_from_its_layer_and_below(path: Path) -> None:
    part = part_of(path)
    if part == "__init__":
        return
    above = {p for p in imported_parts(path) if p != part and RANK[p] > RANK[part]}
    assert not above


def test_every_part_has_its_layer() -> None:
    assert {part_of(path) for path in FILES} - {"__init__"} == set(RANK)


@pytest.mark.parametrize("path", sorted((ROOT / "roborally_env" / "core").rglob("*.py")), ids=lambda p: p.name)
def test_the_core_prints_nothing(path: Path) -> None:
    calls = [n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Call)]
    assert not [c for c in calls if isinstance(c.func, ast.Name) and c.func.id == "print"]


def test_courses_know_no_numba_and_the_core_knows_no_files() -> None:
    for path in (ROOT / "roborally_env" / "courses").rglob("*.py"):
        assert "import numba" not in path.read_text(encoding="utf-8")
    for path in (ROOT / "roborally_env" / "core").rglob("*.py"):
        if path.name != "kernel.py":  # where machine code is kept
            assert "open(" not in path.read_text(encoding="utf-8")


# folders and files that may name an edition: the editions, tables of data by edition, and what a user types
NAMES = {"2005", "2016", "2023", "community"}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_code_but_the_editions_branches_on_an_edition_s_name(path: Path) -> None:
    if "editions" in path.parts:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Compare):
            compared = {leaf.value for leaf in ast.walk(node) if isinstance(leaf, ast.Constant)}
            assert not [name for name in compared if isinstance(name, str) and name in NAMES], f"line {node.lineno}"
