"""Where the time of compiled code goes: by step of the round and by part of the observation, for each edition.

Linux's `perf` samples the process while it plays random programs, as `roborally bench` does. Compiled code is one
function with nearly everything inlined; to distinguish its parts, the kernels that `drive`, the round and
the observation call are compiled apart here, with frame pointers, as machine code of their own beside the usual one.
That costs a few per cent, so shares are right and speeds are those of `roborally bench`.

    python scripts/profile_core.py --edition complete 2023
    python scripts/profile_core.py --edition complete --split take_turn touch_checkpoints
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from rich.console import Console
from rich.table import Table

from roborally_env import BatchRace
from roborally_env.base.errors import RoboRallyError
from roborally_env.compiling import keys, libraries
from roborally_env.compiling.fingerprint import reach_of
from roborally_env.compiling.hooks import record_fields
from roborally_env.core.driving import driver
from roborally_env.core.driving.advance import play_step, submit_programs
from roborally_env.core.editions import game_dtype
from roborally_env.core.seeing import random_actions
from roborally_env.core.seeing.observe import observe_symbolic

GAMES: dict[str, dict[str, Any]] = {
    "lighter": {"edition": "2016", "rules": {"upgrades": False}},
    "complete": {"edition": "2016"},
    "2023": {"edition": "2023"},
    "2005": {"edition": "2005"},
    "community": {"edition": "community"},
}
BATCH = 256
WARM_UP = 150  # steps, so that cards, energy and damage are as in the middle of races
MEASURED = (driver.drive, random_actions.sample_actions)


def main() -> None:
    """Profile the games of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", nargs="+", choices=GAMES, default=list(GAMES), help="which games (all)")
    parser.add_argument("--course", help="dizzy_highway; in 2005 risky_exchange")
    parser.add_argument("--players", type=int, default=4, help="robots in a race (4)")
    parser.add_argument("--split", nargs="+", default=[], metavar="KERNEL", help="also what these kernels call, apart")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long each game is sampled (5)")
    parser.add_argument(
        "--least", type=float, default=0.5, help="leave out what has a smaller share, in per cent (0.5)"
    )
    options = parser.parse_args()
    if shutil.which("perf") is None or sys.platform != "linux":
        sys.exit("profile_core: perf was not found; expected Linux with the command perf (package linux-perf)")
    if not keys.WHOLE:
        sys.exit("profile_core: this numba compiles function by function; expected numba 0.63 to 0.68, whole programs")
    if len(options.edition) > 1:  # a process each: which kernels are apart differs
        rest = [f"--players={options.players}", f"--seconds={options.seconds}", f"--least={options.least}"]
        rest += [f"--course={options.course}"] if options.course else []
        rest += ["--split", *options.split] if options.split else []
        for edition in options.edition:
            subprocess.run([sys.executable, __file__, "--edition", edition, *rest], check=True)
        return
    try:
        show(options.edition[0], options)
    except RoboRallyError as error:
        sys.exit(f"profile_core: {error}")


def show(name: str, options: argparse.Namespace) -> None:
    """Play, sample and print one game's table."""
    libraries.Linked._optimize = with_frame_pointers(libraries.Linked._optimize)
    found = split(game_dtype(name), options.split)
    missing = sorted(set(options.split) - found)
    if missing:
        sys.exit(f"profile_core: --split {missing[0]}: {name} plays no kernel of that name")
    race = BatchRace(BATCH, options.course, seed=1, players=options.players, max_rounds=60, **GAMES[name])
    for _ in range(WARM_UP):
        race.sample()
        race.step_prepared()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "perf.data"
        steps, seconds = sampled(race, options.seconds, data)
        own, inclusive, total = shares(data)
    print_table(name, own, inclusive, total, 1e9 * seconds / steps / BATCH, options.least)


# -- which kernels are compiled apart


def split(record: np.dtype[Any], further: list[str]) -> set[str]:
    """Set apart what the driver, the round and the observation of a kind of record call, and what the kernels named in
    `further` call. Returns the names in `further` that were found."""
    fields = frozenset(record.names or ())
    outer = [*MEASURED, play_step, submit_programs, observe_symbolic]
    for each in outer:
        for kernel in called_by(chosen(each, fields), fields):
            set_apart(kernel)
    found = set()
    for kernel in reached(driver.drive, fields):
        if kernel.py_func.__name__ in further:
            found.add(kernel.py_func.__name__)
            set_apart(kernel)
            for callee in called_by(kernel, fields):
                set_apart(callee)
    return found


def set_apart(kernel: Any) -> None:
    """Compile a kernel as a function of its own; what is inlined on purpose stays so."""
    if not kernel.attribute and kernel.targetoptions.get("inline") != "always":
        kernel.attribute = "noinline"


def chosen(each: Any, fields: frozenset[str]) -> Any:
    """The kernel that a name stands for in a game with these fields."""
    return each.chosen_for(fields) if hasattr(each, "chosen_for") else each


def called_by(kernel: Any, fields: frozenset[str]) -> Iterator[Any]:
    """The kernels that a kernel calls, through those whose text numba inlines."""
    function = getattr(kernel, "py_func", None)
    for name in function.__code__.co_names if function else ():
        callee = chosen(function.__globals__.get(name), fields)
        if hasattr(callee, "py_func"):
            if callee.targetoptions.get("inline") == "always":
                yield from called_by(callee, fields)
            else:
                yield callee


def reached(kernel: Any, fields: frozenset[str]) -> list[Any]:
    """All kernels that a kernel reaches."""
    seen = {id(kernel): kernel}
    waiting = [kernel]
    while waiting:
        for callee in called_by(waiting.pop(), fields):
            if id(callee) not in seen:
                seen[id(callee)] = callee
                waiting.append(callee)
    return list(seen.values())


def with_frame_pointers(optimize: Any) -> Any:
    """The optimiser with a frame pointer in every function, by which perf finds who called it."""

    def optimize_with(self: Any, machine: Any) -> None:
        text = re.sub(
            r"^(define .*\)(?: local_unnamed_addr| unnamed_addr)?)(?=[ {])",
            r'\1 "frame-pointer"="all"',
            str(self._final_module),
            flags=re.MULTILINE,
        )
        self._final_module = llvm.parse_assembly(text)
        optimize(self, machine)

    return optimize_with


# -- sampling


def sampled(race: BatchRace, seconds: float, data: Path) -> tuple[int, float]:
    """Play for `seconds` of CPU time while perf looks on; returns the steps and the seconds."""
    write_map()
    # perf's own limits for users: only this process, only its own code
    command = ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", "4000", "--call-graph", "fp", "-o", str(data)]
    perf = subprocess.Popen([*command, "-p", str(os.getpid())], stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    if perf.poll() is not None:
        sys.exit(f"profile_core: perf: {perf.communicate()[1].strip().splitlines()[0]}")
    start, steps = time.process_time(), 0
    while time.process_time() - start < seconds:
        race.sample()
        race.step_prepared()
        steps += 1
    taken = time.process_time() - start
    perf.send_signal(signal.SIGINT)
    perf.wait()
    return steps, taken


def write_map() -> None:
    """Write perf the place of each function."""
    lines = []
    for library, shown in loaded_code():
        symbols = dict(functions_of(library.code))
        base = library.get_pointer_to_function(shown) - symbols[shown][0]
        for symbol, (start, size) in symbols.items():
            lines.append(f"{base + start:x} {size:x} jit:{kernel_name(symbol)}\n")
    map_file().write_text("".join(lines))


def loaded_code() -> Iterator[tuple[libraries.Linked, str]]:
    """The machine code of what is measured and of the kernels apart that it calls, each with the symbol shown."""
    for kernel in MEASURED:
        for args, result in kernel.overloads.items():
            yield result.library, result.fndesc.llvm_cpython_wrapper_name
            for one in reach_of(kernel, record_fields(args)).kernels.values():
                for of, library in one._apart.items():
                    yield library, one.typed_for(of).fndesc.llvm_func_name


def map_file() -> Path:
    """Where perf looks for the names of this process's compiled functions."""
    return Path(f"/tmp/perf-{os.getpid()}.map")


def functions_of(elf: bytes) -> Iterator[tuple[str, tuple[int, int]]]:
    """Name, start and size of the functions in a 64-bit ELF object."""
    at, size, count = struct.unpack_from("<Q10xH H", elf, 0x28)[0], *struct.unpack_from("<HH", elf, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, at + i * size) for i in range(count)]
    for _, kind, _, _, offset, length, link, *_ in sections:
        if kind == 2:  # the symbol table
            names = sections[link][4]
            for entry in range(offset, offset + length, 24):
                name, info, _, _, value, extent = struct.unpack_from("<IBBHQQ", elf, entry)
                if info & 15 == 2:  # a function
                    end = elf.index(b"\0", names + name)
                    yield elf[names + name : end].decode(), (value, extent)


def kernel_name(symbol: str) -> str:
    """The kernel's name in a symbol `_ZNname_digest`."""
    return re.sub(r"^_ZN(?:7cpython)?|_[0-9a-f]{24}$", "", symbol.removesuffix(libraries.HIDDEN))


def shares(data: Path) -> tuple[Counter[str], Counter[str], int]:
    """Samples by kernel: in its own code, with all that it calls; and how many there were."""
    script = subprocess.run(
        ["perf", "script", "-i", str(data), "-F", "ip,sym"], capture_output=True, text=True, check=True
    )
    map_file().unlink()
    own: Counter[str] = Counter()
    inclusive: Counter[str] = Counter()
    total = 0
    for sample in script.stdout.split("\n\n"):
        frames = [line.split(None, 1)[1] for line in sample.strip().splitlines() if len(line.split(None, 1)) > 1]
        if not frames:
            continue
        total += 1
        kernels = [frame.removeprefix("jit:").split("+")[0] for frame in frames if frame.startswith("jit:")]
        leaf = kernels[0] if kernels else "Python and NumPy"
        own[leaf] += 1
        inclusive.update(set(kernels) or {leaf})
    return own, inclusive, total


def print_table(
    name: str, own: Counter[str], inclusive: Counter[str], total: int, nanoseconds: float, least: float
) -> None:
    """Print a row for each kernel, the one with the greatest share first."""
    table = Table(title=f"{name}: {nanoseconds:,.0f} ns a step of a game, {total:,} samples", title_justify="left")
    table.add_column("kernel")
    for column in ("with callees %", "own %", "with callees ns"):
        table.add_column(column, justify="right")
    for kernel, count in inclusive.most_common():
        if 100 * count / total >= least:
            share = count / total
            table.add_row(
                kernel, f"{100 * share:.1f}", f"{100 * own[kernel] / total:.1f}", f"{share * nanoseconds:.0f}"
            )
    Console().print(table)


if __name__ == "__main__":
    main()
