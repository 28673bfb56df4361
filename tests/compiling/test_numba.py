"""What is used of numba's inside is there, is written down, and is as it was outside of our own compiling."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from llvmlite import ir
from numba.core import cgutils
from numba.core.registry import cpu_target

from roborally_env.compiling import cache, keys, patches
from roborally_env.compiling.kernels import Kernel
from roborally_env.core.kernel import kernel
from tests.compiling.helpers import ROOT

PAGE = ROOT / "docs" / "numba.md"
FENCE = ROOT / "roborally_env" / "compiling"
# the core's own intrinsics, which build LLVM's instructions as numba's page on extending describes it
BUILDING = {"numba.core.cgutils"}


def imported(path: Path) -> Iterator[str]:
    """The whole names of what a file imports from numba."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "numba":
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_private(name: str) -> bool:
    return name.startswith(("numba.core.", "numba.np.", "numba.cpython."))


def listed() -> list[str]:
    """The names in the first columns of the page's tables."""
    rows = re.findall(r"^\| (`.*?`) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def live() -> dict[str, Any]:
    """The objects whose attributes the page names, by the word before the first point."""

    @kernel
    def probe(x):  # type: ignore[no-untyped-def]
        return x + 1

    plain = numba.njit(probe.py_func)
    assert plain(1) == probe(1) == 2
    inner = probe.typed_for((numba.types.int64,))
    target = cpu_target.target_context
    pipeline = probe._compiler.pipeline_class(probe.typingctx, target, None, (), None, numba.core.compiler.Flags(), {})
    function = ir.Function(ir.Module(), ir.FunctionType(ir.VoidType(), ()), "probe")
    builder = ir.IRBuilder(function.append_basic_block())
    return {
        "numba": numba,
        "kernel": probe,
        "compiler": probe._compiler,
        "library": next(iter(plain.overloads.values())).library,
        "codegen": target.codegen(),
        "typing": probe.typingctx,
        "target": target,
        "result": inner,
        "fndesc": inner.fndesc,
        "environment": inner.environment,
        "state": pipeline.state,
        "passes": numba.core.compiler.DefaultPassBuilder.define_nopython_pipeline(pipeline.state),
        "structure": cgutils.create_struct_proxy(numba.types.complex128)(target, builder),
    }


def test_the_page_lists_what_is_imported() -> None:
    names = {name for path in FENCE.rglob("*.py") for name in imported(path) if is_private(name)}
    assert names <= set(listed()), sorted(names - set(listed()))


def test_nothing_else_imports_private_names() -> None:
    files = [*(ROOT / "roborally_env").rglob("*.py"), *(ROOT / "agents").rglob("*.py")]
    names = {name for path in files if FENCE not in path.parents for name in imported(path) if is_private(name)}
    assert names == BUILDING


def test_every_listed_name_is_there() -> None:
    objects = live()
    assert len(listed()) > 60
    missing = []
    for name in listed():
        start, *rest = name.split(".")
        found = objects[start]
        for index, part in enumerate(rest):
            if not hasattr(found, part) and start == "numba":
                importlib.import_module(".".join([start, *rest[: index + 1]]))
            if not hasattr(found, part):
                missing.append(name)
                break
            found = getattr(found, part)
    assert not missing


def test_every_private_attribute_is_listed() -> None:
    """A name with an underscore that the fence reads or sets is its own or stands on the page."""
    used: set[str] = set()
    own: set[str] = set()
    for path in FENCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr):
                used.add(node.attr)
                if isinstance(node.ctx, ast.Store) and getattr(node.value, "id", "") in ("self", "Progress"):
                    own.add(node.attr)
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                own.add(node.name)
    known = {part for name in listed() for part in name.split(".")}
    assert used - own <= known, sorted(used - own - known)


def test_numba_is_changed_only_while_kernels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def now() -> list[Any]:
        codegen = cpu_target.target_context.codegen()
        return [vars(p.owner).get(p.name) for p in patches.PATCHES] + [vars(codegen).get("_library_class")]

    before, within = now(), []
    compile_inner = Kernel._make_inner

    def noted(self: Any, *arguments: Any) -> Any:
        within.append(now())  # the caller first, before it is typed; the callee while the caller is
        return compile_inner(self, *arguments)

    monkeypatch.setattr(Kernel, "_make_inner", noted)
    monkeypatch.setattr(cache, "load", lambda name: None)

    @kernel
    def callee(x):  # type: ignore[no-untyped-def]
        return x + 1

    @kernel
    def caller(x):  # type: ignore[no-untyped-def]
        return callee(x)

    assert caller(1) == 2
    assert now() == before
    assert within[0] == before
    assert len(within) == 2
    changed = zip(within[1], patches.PATCHES, strict=False)
    assert all(value is patch.value for value, patch in changed)

    @kernel
    def broken(x):  # type: ignore[no-untyped-def]
        return x.nothing

    with pytest.raises(numba.TypingError):
        broken(1)
    assert now() == before
    assert numba.njit(lambda numbers: numbers[-1])(np.arange(3)) == 2


def test_what_saves_time_gives_what_numba_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables of each instruction, and the type of each call, while a kernel is typed and lowered."""
    seen = {"calls": 0, "again": 0, "instructions": 0}
    list_variables, call_type = numba.core.ir.Inst._rec_list_vars, numba.core.types.BaseFunction.get_call_type
    kept = dict(vars(patches))

    def variables(self: Any, value: Any) -> Any:
        found = kept["_variables"](self, value)
        assert found == list_variables(self, value)
        seen["instructions"] += 1
        return found

    def typed(function: Any, context: Any, args: Any, kws: Any) -> Any:
        known = len(patches._call_types)
        found = kept["_known_call_type"](function, context, args, kws)
        assert found == call_type(function, context, args, kws)
        seen["calls" if len(patches._call_types) > known else "again"] += 1
        return found

    changed = {"_rec_list_vars": variables, "get_call_type": typed}
    monkeypatch.setattr(
        patches, "PATCHES", [each._replace(value=changed.get(each.name, each.value)) for each in patches.PATCHES]
    )
    monkeypatch.setattr(patches, "_call_types", {})  # other tests of this process may have typed the same calls
    monkeypatch.setattr(cache, "load", lambda name: None)

    @kernel
    def probe(numbers, limit):  # type: ignore[no-untyped-def]
        total, low = 0, limit
        for i in range(numbers.shape[0]):
            if numbers[i] < limit and numbers[i] + i < 2 * limit:
                total += min(numbers[i], limit) + max(numbers[i], limit)
                low = min(low, numbers[i])
        return total - low

    assert probe(np.arange(5), 3) == probe.py_func(np.arange(5), 3) == 12
    assert all(seen.values())


def test_the_versions_of_the_page_are_those_of_the_code() -> None:
    text = PAGE.read_text("utf-8")
    assert all(f"{major}.{minor}" in text for major, minor in keys.KNOWN)
