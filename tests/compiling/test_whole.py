"""Whole-program compilation gives what plain numba gives, also where a function of plain numba calls a kernel."""

import hashlib
import importlib
import pkgutil

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest
from numba import typeof, types

from roborally_env import core
from roborally_env.compiling import cache, kernels
from roborally_env.compiling.arrays import may_make_arrays
from roborally_env.compiling.calls import NEVER_FAIL
from roborally_env.compiling.fingerprint import Reach
from roborally_env.core.chance import key_of, scaled
from roborally_env.core.kernel import kernel
from tests.compiling.helpers import PROBE, python

# random programs, and with MAPS the solo moves and distances of a course with belts, gears and pushers: a game's
# mechanics and hooks, for which plain numba takes a minute
BYTES = """
import hashlib, os, sys
import numpy as np
from roborally_env.compiling import whole_program
from roborally_env.core.seeing import random_actions
from roborally_env.core.driving.driver import Actions
from roborally_env.core.steps import PROGRAM
from roborally_env.core.searching.distances import course_maps
from roborally_env.core.editions import game_dtype
from roborally_env.courses import load_course
found = course_maps(load_course("burnout"), "lighter") if "MAPS" in os.environ else None
games = np.zeros(4, game_dtype("lighter"))
games["players"], games["step"], games["key"] = 4, PROGRAM, [1, 2, 3, 4]
games["hand"][:, :, :9] = np.arange(1, 10)
actions = Actions(np.zeros((16, 5), np.int8), np.zeros((4, 4), np.int8), np.zeros((4, 4), np.uint8))
random_actions.sample_actions(games, np.uint64(3), actions)
arrays = [*actions] if found is None else [found.solo, found.track, found.to_go, *found.blocks, *actions]
print(whole_program.WHOLE, hashlib.sha256(b"".join(a.tobytes() for a in arrays)).hexdigest())
"""


@pytest.mark.parametrize("maps", [{}, pytest.param({"MAPS": "1"}, marks=pytest.mark.slow)], ids=["programs", "maps"])
def test_both_ways_give_the_same_bytes(maps: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> None:
    import os

    home = os.environ.get("ROBORALLY_CACHE") or str(cache.home())
    ways = {}
    for way in ("whole", "plain"):
        done = python(BYTES, home, ROBORALLY_COMPILE=way, **maps)  # type: ignore[arg-type]
        assert done.returncode == 0, done.stderr
        ways[way] = done.stdout.split()
    assert (ways["whole"][0], ways["plain"][0]) == ("True", "False")
    assert ways["whole"][1] == ways["plain"][1]


def test_an_unknown_version_of_numba_is_compiled_plainly(tmp_path_factory: pytest.TempPathFactory) -> None:
    """With one warning, in the process that compiles."""
    code = f"import numba; numba.__version__ = '9.1.0'\n{PROBE}print(whole_program.WHOLE)"
    home = tmp_path_factory.mktemp("cache")
    first, second = python(code, home), python(code, home)
    assert first.stdout.split() == second.stdout.split() == ["0", "0", "False"]
    (line,) = first.stderr.splitlines()
    assert "9.1.0" in line
    assert second.stderr == ""


@pytest.mark.slow
def test_plain_numba_keeps_its_machine_code_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("cache")
    assert python(PROBE, home, ROBORALLY_COMPILE="plain").returncode == 0
    files = sorted(path.name for path in (home / "code").glob("*.bin"))
    assert files
    assert all(name.startswith("plain-") for name in files)
    assert python(PROBE, home, ROBORALLY_COMPILE="plain").returncode == 0
    assert sorted(path.name for path in (home / "code").glob("*.bin")) == files


def test_a_function_of_plain_numba_may_call_kernels() -> None:
    @numba.njit
    def dice(seed, rolls):  # type: ignore[no-untyped-def]
        for i in range(rolls.shape[0]):
            rolls[i] = 1 + scaled(key_of(seed, np.uint64(i)), 6)

    rolls = np.zeros(8, np.int64)
    dice(np.uint64(5), rolls)
    keys = [np.uint64(key_of(np.uint64(5), np.uint64(i))) for i in range(8)]
    assert rolls.tolist() == [1 + scaled(key, 6) for key in keys]
    assert set(rolls.tolist()) <= set(range(1, 7))


def test_a_kernel_that_is_typed_unseen_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its edits would leave the machine code as it was."""
    from roborally_env.core.kernel import kernel

    @kernel
    def hidden(x):  # type: ignore[no-untyped-def]
        return x + 1

    @kernel
    def caller(x):  # type: ignore[no-untyped-def]
        return hidden(x)

    seen = kernels.reach_of(caller, frozenset())
    assert {name.rpartition(".")[2] for name in seen.kernels} == {"caller", "hidden"}
    blind = Reach(f"unseen {id(hidden)}", {})
    monkeypatch.setattr(kernels, "reach_of", lambda one, fields: blind if one is caller else seen)
    with pytest.raises(RuntimeError, match=r"caller .*hidden"):
        caller(1)


def test_symbols_are_short() -> None:
    """A record's layout in each symbol made the code's text three times as long."""
    key_of(np.uint64(1), np.uint64(2))
    names = [result.fndesc.mangled_name for result in key_of.overloads.values()]
    assert names
    assert all(len(name) < 80 for name in names)
    assert len({hashlib.sha256(name.encode()).hexdigest() for name in names}) == len(names)


def test_one_machine_code_serves_all_numbers_of_players_with_and_without_a_log() -> None:
    from numba import typeof
    from roborally_env.agents import Info

    from roborally_env import BatchRace
    from roborally_env.core.driving.driver import drive

    lighter = {"upgrades": False}
    for options in (
        *({"players": players} for players in range(2, 7)),
        {"events": True},
        {"observation": "planes", "decisions": "all", "reward": "shaped"},
        {"course": ["twister", "burnout"], "masks": False, "observation": "none", "threads": 2},
    ):
        batch = BatchRace(4, rules=lighter, **options)  # type: ignore[arg-type]
        batch.sample(1)
        batch.step_prepared()
        batch.reset(mask=np.zeros((4, 2), np.bool_)[:, 0])  # an array with gaps
        batch.copy().redeal(0, 1).step_prepared()
        rows = np.nonzero(np.ones((4, 2)))
        assert all(each.flags.c_contiguous for each in (Info(batch, *rows).games, Info(batch, *rows).seats))
    of_the_lighter = [args for args in drive.overloads if args[1].dtype == typeof(batch.games).dtype]
    assert len(of_the_lighter) == 1


def test_only_searches_make_arrays() -> None:
    """References are counted in code that may make arrays, which costs a step of games a twentieth."""
    makes = set()
    for module in pkgutil.walk_packages(core.__path__, f"{core.__name__}."):
        for found in vars(importlib.import_module(module.name)).values():
            kernel = getattr(found, "kernel", getattr(found, "default", found))  # of a trait, of a rule
            if isinstance(kernel, kernels.Kernel) and may_make_arrays(kernel.py_func):
                makes.add(f"{kernel.py_func.__module__}.{kernel.py_func.__name__}".removeprefix(f"{core.__name__}."))
    assert "searching.alone.greedy_programs" in makes
    others = {name for name in makes if not name.startswith("searching.")}
    assert others == {"editions.e2005.search.submit_one", "log.begin_log"}


def test_arrays_that_kernels_make_are_freed_again() -> None:
    """References are counted where a kernel makes arrays, and where it is handed them by one that does."""
    from numba.core.runtime import _nrt_python, rtsys

    from roborally_env.core.kernel import kernel

    @kernel
    def fresh(count):  # type: ignore[no-untyped-def]
        return np.zeros(count), np.ones(count)

    @kernel
    def total(count):  # type: ignore[no-untyped-def]
        zeros, ones = fresh(count)
        for i in range(count):
            zeros[i] += ones[i] * i
        return add(zeros)

    @kernel
    def add(values):  # type: ignore[no-untyped-def]
        found = 0.0
        for i in range(values.shape[0]):
            found += values[i]
        return found

    assert total(4) == 6.0
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        assert [total(n) for n in range(50)] == [n * (n - 1) / 2 for n in range(50)]
        arrays = fresh(3)
        assert [a.tolist() for a in arrays] == [[0.0] * 3, [1.0] * 3]
        del arrays
        after = rtsys.get_allocation_stats()
    finally:
        _nrt_python.memsys_disable_stats()
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free >= 102


RETURNING = """
import numpy as np
from roborally_env.core.kernel import kernel

@kernel
def fresh(count):
    return np.zeros(count), np.ones(count)

@kernel
def first(count):
    return fresh(count)[1][0]

assert first(2) == 1.0
assert [a.tolist() for a in fresh(2)] == [[0.0, 0.0], [1.0, 1.0]]
"""


@pytest.mark.slow
def test_arrays_are_returned_to_python_from_the_cache_too(tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("cache")
    module = tmp_path_factory.mktemp("module")
    (module / "returning.py").write_text(RETURNING, encoding="utf-8")
    for _ in range(2):
        done = python(f"import sys; sys.path.insert(0, {str(module)!r}); import returning", home)
        assert done.returncode == 0, done.stderr


# an index from the end, and what numba's own code makes of one; a kernel that is never inlined
ENDS = """
import llvmlite.binding as llvm
import numba, numpy as np
from roborally_env.compiling import whole_program
from roborally_env.core.kernel import kernel

@kernel(seldom=True)
def entry(numbers, i):
    return numbers[i]

@kernel
def read(numbers, i, out):
    out[0] = entry(numbers, i)

@numba.njit
def last(numbers):
    return numbers[-1]

numbers, out = np.arange(10), np.zeros(1, np.int64)
assert last(numbers) == 9
try:
    read(numbers[5:], -2, out)
    print(out[0])
except IndexError:
    print("error")
library = entry.typed_for(tuple(read.nopython_signatures[0].args[:2])).library
made = [function for function in llvm.parse_bitcode(library.bitcode).functions if not function.is_declaration]
print(any(b"noinline" in attributes for function in made for attributes in function.attributes))
"""


@pytest.mark.parametrize(("checked", "read"), [("", "3"), ("1", "error")])
def test_kernels_do_not_count_from_the_end_and_keep_their_attributes(
    tmp_path_factory: pytest.TempPathFactory, checked: str, read: str
) -> None:
    """An index below 0 is not looked for, unless bounds are checked; functions of plain numba count as usual."""
    variables = {"NUMBA_BOUNDSCHECK": checked} if checked else {}
    done = python(ENDS, tmp_path_factory.mktemp("cache"), **variables)
    assert done.stdout.split() == [read, "True"], done.stderr


def test_errors_reach_the_caller_and_what_never_fails_is_known() -> None:
    @kernel
    def picked(i):  # type: ignore[no-untyped-def]
        return (3, 5, 7)[i]

    @kernel
    def counted(n):  # type: ignore[no-untyped-def]
        total = 0
        for i in range(n):
            total += i
        return total

    @kernel
    def caller(i):  # type: ignore[no-untyped-def]
        return counted(i + 3) + picked(i)

    assert caller(2) == 10 + 7
    with pytest.raises(IndexError):
        caller(3)
    symbols = [each.typed_for((types.int64,)).fndesc.llvm_func_name for each in (picked, counted, caller)]
    assert [symbol in NEVER_FAIL for symbol in symbols] == [False, True, False]


def test_an_element_of_an_array_in_a_record_is_a_load() -> None:
    """Arrays are values: read, written, sliced, set in one way or the other, and changed in a loop."""
    record = np.zeros(1, np.dtype([("a", np.int16, (3, 4)), ("b", np.int64)]))
    record["a"] = np.arange(12).reshape(3, 4)

    @kernel
    def probe(games, turns):  # type: ignore[no-untyped-def]
        game = games[0]
        row = game.a[0] if turns > 2 else game.a[1]
        for i in range(turns):
            row[i % 4] += i
            if row[i % 4] > 5:
                row = game.a[2]
            game.b += row.shape[0] + row[1:].sum()
        return game.a[2, 3] + row[0]

    @kernel
    def element(games, i):  # type: ignore[no-untyped-def]
        return games[0].a[2, i]

    for turns in (1, 2, 3, 9):
        expected, got = record.copy(), record.copy()
        assert probe.py_func(expected.view(np.recarray), turns) == probe(got, turns)
        assert (expected == got).all()
    assert element(record, 3) == 11
    code = llvm.parse_bitcode(element.typed_for((typeof(record), types.int64)).library.bitcode)
    instructions = [each.opcode for f in code.functions for block in f.blocks for each in block.instructions]
    assert len(instructions) < 60
    assert instructions.count("alloca") <= 1


@kernel
def with_closure(n):
    def twice(x):
        return 2 * x

    return twice(n) + 1


@kernel
def with_comprehension(n):
    return np.array([3 * i for i in range(n)]).sum()


def test_closures_and_comprehensions_in_kernels_are_inlined() -> None:
    assert with_closure(4) == 9
    assert with_comprehension(4) == 18
