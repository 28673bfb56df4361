"""House rules that run: each layer imports only from those below it, each ring only inwards, nothing by a string."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
# lowest first; a part may import from itself and from parts before it
LAYERS = (
    ("base",),
    ("courses", "compiling"),
    ("core",),
    ("generated",),
    ("render", "cards", "arguments"),
    ("scenario",),
    ("editions",),
    ("batch",),
    ("replay", "web"),
    ("watch",),
    ("agents",),
    ("engine", "envs"),
    ("film",),
    ("executors",),
    ("review",),
    ("evaluation", "jobs", "speed"),
    ("evaluation.grades",),
    ("precompile",),
    ("selfplay",),
    ("evaluation.benchmark",),
    ("training",),
    ("evaluation.analysis",),
    ("play",),
    ("text",),
    ("cli",),
    ("__main__",),
    ("__init__",),  # the public names of the package
)
RANK = {part: rank for rank, parts in enumerate(LAYERS) for part in parts}

# The rings, innermost first, each with the libraries that it may import beside those of the rings within it. The middle
# ring has all parts that are not listed: also pictures and pages, which environments and results make without any
# library of the web.
GAME = {
    "base", "courses", "compiling", "core", "generated", "cards", "arguments", "scenario", "editions", "batch",
    "agents",
}  # fmt: skip
SHOW = {"play", "text", "cli", "__main__"}
RINGS = (
    {"numpy", "numba", "llvmlite"},
    {
        "gymnasium", "pettingzoo", "torch", "torchrl", "tensordict", "tianshou", "stable_baselines3", "sb3_contrib",
        "tensorboard", "ray", "grpc", "openskill", "pandas", "pyarrow", "fsspec", "minari", "matplotlib", "PIL",
        "jax", "pyspiel", "pufferlib",
        "pygame", "resvg_py", "av",
    },
    {"starlette", "uvicorn", "h11", "click", "rich"},
)  # fmt: skip

# public names of `courses` that are defined above it: importing one is importing `generated`
FORWARDED = {"check_course", "course_as_dict", "distance", "load_course", "write_course"}
UPWARD = {("courses/__init__.py", "generated")}  # where they are forwarded
# the functions that import modules whose names users give
BY_NAME = {
    ("agents/base.py", "_import"),
    ("roborally_env/editions/__init__.py", "load_named"),
    ("roborally_env/base/former.py", "load"),
}


class Import(NamedTuple):
    """An import statement: the file and line in which it stands, and the whole name of what it imports."""

    path: Path
    line: int
    name: str

    @property
    def part(self) -> str:
        """The part of the package in which it stands."""
        return part_of(self.path)

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line} imports {self.name}"


@cache
def nodes() -> dict[Path, list[Any]]:
    """All nodes of the syntax tree of each file of the package."""
    files = sorted([*(ROOT / "roborally_env").rglob("*.py"), *(ROOT / "agents").rglob("*.py")])
    return {path: list(ast.walk(ast.parse(path.read_text(encoding="utf-8")))) for path in files}


def part_of(path: Path) -> str:
    """The part of the package that a file belongs to."""
    relative = path.relative_to(ROOT)
    if relative.parts[0] == "agents":
        return "agents"
    return part_named(".".join(relative.with_suffix("").parts))


def part_named(module: str) -> str:
    """The part of a module, or of a name in it, by its whole name."""
    _, *names = module.split(".")
    if names[0] == "courses" and len(names) == 2 and names[1] in FORWARDED:
        return "generated"
    two = ".".join(names[:2])
    return two if two in RANK else names[0]


def statements(path: Path) -> Iterator[Import]:
    """Every import statement of a file, also those in functions and under TYPE_CHECKING."""
    for node in nodes()[path]:
        if isinstance(node, ast.ImportFrom):
            assert node.module, f"{path}: a relative import"
            yield from (Import(path, node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (Import(path, node.lineno, alias.name) for alias in node.names)


def strings(path: Path) -> Iterator[Import]:
    """The strings of a file that name a module of the package, as in the registry of agents: they are imported too."""
    for node in nodes()[path]:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if re.fullmatch(r"roborally_env(\.\w+)+(:\w+)?", node.value):
                yield Import(path, node.lineno, node.value.partition(":")[0])


@cache
def all_imports() -> list[Import]:
    """Every import of the package."""
    return [each for path in nodes() for each in (*statements(path), *strings(path))]


def own_imports() -> list[Import]:
    """The imports of a part of the package by another part."""
    own = [each for each in all_imports() if each.name.startswith("roborally_env.")]
    own = [each for each in own if part_named(each.name) in RANK]  # not a public name of the whole package
    return [each for each in own if part_named(each.name) != each.part and not _is_forwarding(each)]


def _is_forwarding(each: Import) -> bool:
    return any(str(each.path).endswith(end) and part_named(each.name) == part for end, part in UPWARD)


def ring_of(part: str) -> int:
    """The ring of a part, as an index of RINGS."""
    return 0 if part in GAME else 2 if part in SHOW else 1


def test_every_part_has_its_layer_and_ring() -> None:
    assert {part_of(path) for path in nodes()} == set(RANK)
    assert set(RANK) >= GAME | SHOW


def test_a_file_imports_only_from_its_layer_and_below() -> None:
    wrong = [str(each) for each in own_imports() if RANK[part_named(each.name)] > RANK[each.part]]
    assert not wrong, "\n".join(wrong)


def test_only_the_core_and_the_editions_import_from_the_folder_of_an_edition() -> None:
    folders = {path.parent.name for path in (ROOT / "roborally_env/core/editions").glob("*/rules.py")}
    assert len(folders) == 4
    theirs = re.compile(rf"roborally_env\.core\.editions\.({'|'.join(folders)})\b")
    wrong = [str(each) for each in all_imports() if theirs.match(each.name) and each.part not in ("core", "editions")]
    assert not wrong, "\n".join(wrong)


def test_rings_import_only_inwards() -> None:
    wrong = [str(each) for each in own_imports() if ring_of(part_named(each.name)) > ring_of(each.part)]
    assert not wrong, "\n".join(wrong)


def test_a_ring_imports_its_own_libraries_and_those_of_the_rings_within() -> None:
    known = {"roborally_env", *sys.stdlib_module_names}
    allowed = [known.union(*RINGS[: ring + 1]) for ring in range(len(RINGS))]
    wrong = [str(each) for each in all_imports() if each.name.split(".")[0] not in allowed[ring_of(each.part)]]
    assert not wrong, "\n".join(wrong)


def test_the_compiler_knows_nothing_of_the_game() -> None:
    names = {each.name.split(".")[1] for each in own_imports() if each.part == "compiling"}
    assert names == {"base"}


def importing_functions(path: Path) -> Iterator[str]:
    """The names of the functions of a file ("" outside of them) that import what a variable or a string names."""
    functions = [node for node in nodes()[path] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for node in nodes()[path]:
        name = getattr(node, "id", getattr(node, "attr", getattr(node, "name", "")))  # a name, an attribute, an alias
        if name in ("import_module", "__import__"):
            around = [each for each in functions if each.lineno <= node.lineno <= each.end_lineno]
            yield around[-1].name if around else ""


def test_no_import_is_a_string() -> None:
    found = {(str(path.relative_to(ROOT)), name) for path in nodes() for name in importing_functions(path)}
    assert found == BY_NAME


def test_no_script_imports_from_the_tests() -> None:
    files = [path for folder in ("scripts", "docs/tables") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 30
    found = [
        path.name for path in files if re.search(r"^\s*(?:from|import) tests\b", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert not found


def test_the_core_prints_nothing() -> None:
    calls = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path, found in nodes().items()
        if part_of(path) == "core"
        for node in found
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"
    ]
    assert not calls, calls


def test_courses_know_no_numba_and_the_core_knows_no_files() -> None:
    assert not [str(each) for each in all_imports() if each.part == "courses" and each.name.startswith("numba")]
    for path in (ROOT / "roborally_env" / "core").rglob("*.py"):
        if path.name != "kernel.py":  # where machine code is kept
            assert "open(" not in path.read_text(encoding="utf-8")


NAMING = {"roborally_env/courses/model.py"}  # the one file outside the folders of editions that names one: the default


def test_only_the_folders_of_the_editions_name_one() -> None:
    named = re.compile("""["'](2005|2016|2023|community)["']""")
    shared = [path for path in nodes() if "editions" not in path.parts]
    found = {str(path.relative_to(ROOT)) for path in shared if named.search(path.read_text("utf-8"))}
    assert found == NAMING
