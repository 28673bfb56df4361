"""What changes the name under which machine code is kept, and what does not."""

import itertools
import os
import shutil
from collections import namedtuple
from functools import cache
from pathlib import Path

import pytest
from numba import typeof

from tests.compiling.helpers import ROOT, python
from tests.sizes import some_rows

# the digest of the driver for each kind of game
DIGESTS = """
from roborally_env.compiling.fingerprint import reach_of
from roborally_env.core.driving.driver import drive
from roborally_env.core.editions import KINDS, game_dtype
for game in KINDS:
    print(game, reach_of(drive, frozenset(game_dtype(game).names)).digest)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("package")
    for folder in ("roborally_env", "agents", "courses"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def digests(root: Path, code: str = DIGESTS) -> dict[str, str]:
    done = python(code, root / "cache", root=root)
    assert done.returncode == 0, done.stderr
    return dict(line.split() for line in done.stdout.splitlines())


@cache
def unedited(root: Path, code: str) -> dict[str, str]:
    return digests(root, code)


TIMES = itertools.count(1_000_000_000)  # seconds


def write(path: Path, text: str) -> None:
    """Write a source file with a time that it never had: Python tells files of the same size apart by whole seconds."""
    path.write_text(text, encoding="utf-8")
    now = next(TIMES)
    os.utime(path, (now, now))


def changed_by(root: Path, name: str, old: str, new: str, code: str = DIGESTS) -> set[str]:
    """The kinds of games whose driver has another digest after an edit, which is taken back."""
    path = root / "roborally_env" / "core" / name
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    before = unedited(root, code)
    try:
        write(path, text.replace(old, new))
        after = digests(root, code)
    finally:
        write(path, text)
    return {game for game in before if before[game] != after[game]}


EVERY = {"lighter", "complete", "2005", "2023", "community"}
FIRST_LINES = "    game = games[i]\n    if game.step == OVER:"
UPGRADES = EVERY - {"lighter", "2005"}
# what is edited: the file, old and new text, and the games whose machine code it can matter to
EDITS = {
    "a docstring": ("driving/driver.py", '"""One step of one game:', '"""Words:', set()),
    "a comment and lines": ("driving/driver.py", FIRST_LINES, f"\n    # Why.\n{FIRST_LINES}", set()),
    "an annotation": ("chance.py", "def scaled(word, bound):", 'def scaled(word: "int", bound: "int"):', set()),
    "code of all": ("chance.py", ">> _32) * np.uint64(bound)", ">> _32) * np.uint64(bound + 0)", EVERY),
    "a constant of all": ("driving/rewards.py", "POTENTIAL_UNIT = 1.0 / 128.0", "POTENTIAL_UNIT = 1.0 / 64.0", EVERY),
    "code of 2005": ("editions/e2005/set_up.py", "dock_order[place] = r", "dock_order[place + 0] = r", {"2005"}),
    "code of the community edition": ("editions/community/set_up.py", ".ramps_on\n", ".ramps_on | 0\n", {"community"}),
    "code of upgrades": ("editions/e2016/upgrades/shop.py", "round_number += 1", "round_number += 2", UPGRADES),
    "a value at the start": ("state.py", '("sold",          "u1", (), 1,', '("sold",          "u1", (), 0,', UPGRADES),
    "what makes machine code": ("log.py", "ir.Constant(_I16, 1)), logged)", "ir.Constant(_I16, 2)), logged)", EVERY),
    "a function that no race calls": ("seeing/redeal.py", "^ np.uint64(0x5EED)", "^ np.uint64(0x5EEE)", set()),
}  # fmt: skip


USUAL = ("a comment and lines", "code of all", "a constant of all", "code of 2005", "a value at the start")


@pytest.mark.parametrize(("name", "old", "new", "expected"), some_rows(EDITS, USUAL))
def test_an_edit_changes_what_it_can_matter_to(copy: Path, name: str, old: str, new: str, expected: set[str]) -> None:
    assert changed_by(copy, name, old, new) == expected


def test_each_kind_of_game_has_machine_code_of_its_own(copy: Path) -> None:
    assert len(set(digests(copy).values())) == len(EVERY)


def test_a_class_that_moved_to_another_module_has_files_of_its_own() -> None:
    from roborally_env.compiling.keys import key_of
    from roborally_env.core.driving.driver import game_seeds

    def name(module: str) -> str:
        inner = namedtuple("Inner", "a")
        inner.__module__ = module
        outer = namedtuple("Outer", "inner")
        return key_of(game_seeds, (typeof(outer(inner(1))),), "entry")

    assert name("one") == name("one") != name("other")


# what makes maps for each kind of game
SOURCES = """
from roborally_env.core.editions import KINDS, game_dtype
from roborally_env.core.searching.distances import code_of_maps
for game in KINDS:
    print(game, code_of_maps(game_dtype(game)))
"""
DISTANCES = "searching/distances.py"
MAPS = {
    "a comment in a function": (DISTANCES, "    two_parts = ", "    # Why.\n    two_parts = ", EVERY),
    "a comment elsewhere": (DISTANCES, "@kernel\ndef card_alone(", "# Why.\n@kernel\ndef card_alone(", set()),
    "a constant": (DISTANCES, "FALL_COST = 24", "FALL_COST = 25", EVERY - {"2005"}),
    "the code around kernels": (DISTANCES, "places[length:] = loop +", "places[length:] = 0 + loop +", EVERY),
    "code that is not reached": ("driving/rewards.py", "UNIT = 1.0 / 128.0", "UNIT = 1.0 / 64.0", set()),
}  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "expected"), some_rows(MAPS, ("a comment elsewhere", "a constant")))
def test_an_edit_of_what_makes_maps(copy: Path, name: str, old: str, new: str, expected: set[str]) -> None:
    assert changed_by(copy, name, old, new, SOURCES) == expected


def test_a_constant_made_anew_at_every_call_is_seen_each_time() -> None:
    """Its id may be that of an earlier one, which is no longer there."""
    from roborally_env.compiling.fingerprint import reach_of, sources_of
    from roborally_env.compiling.hooks import Constant, Hook

    class Fact(Hook):
        def __init__(self, value: int) -> None:
            super().__init__(test_a_constant_made_anew_at_every_call_is_seen_each_time)
            self.value = value

        def chosen_for(self, fields: frozenset[str]) -> Constant:
            return Constant(self.value)

    def digest(*values: int) -> tuple[str, str]:
        facts = tuple(map(Fact, values))

        def reaches() -> object:
            return facts

        return reach_of(reaches, frozenset()).digest, sources_of([reaches], frozenset())

    found = [digest(*range(20)), *(digest(*range(n), -1, *range(n + 1, 20)) for n in range(20))]
    for digests in zip(*found, strict=True):
        assert len(set(digests)) == len(found)
