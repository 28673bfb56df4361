"""Measure what the pages of `roborally play` compile.

    python scripts/compile_seconds.py    # writes roborally_env/play/compile_seconds.toml

Each kind of game is compiled into an empty cache, in the order in which a player needs it: the race, the bots of the
start page, the ghost, the hints, looking back. The file has the processor seconds of each function that Python calls.
Pages count down with them: only what they are in proportion to each other matters, and the machine at hand gives the
rate. Run it again after large changes of the rules. It takes some minutes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

OUT = Path(__file__).parent.parent / "roborally_env" / "play" / "compile_seconds.toml"
LEAST = 0.3  # seconds; what takes less is left out
GAMES: dict[str, dict[str, Any]] = {
    "2016": {},
    "lighter": {"rules": {"upgrades": False}},
    "2023": {"edition": "2023"},
    "2005": {"course": "2005/risky_exchange"},
    "community": {"course": "terraces", "edition": "community"},
}


def measure(name: str) -> str:
    """The tables of a kind of game as TOML; to be called with an empty cache."""
    from roborally_env.compiling.kernels import Kernel
    from roborally_env.core.rule_options import game_of
    from roborally_env.play.compiled_ahead import ask_for_all
    from roborally_env.play.race import PlayRace
    from roborally_env.play.setup import check_play
    from roborally_env.precompile import look_back

    found: dict[str, dict[str, float]] = {}
    stage = ""
    make = Kernel._make_entry

    def timed(self: Any, *arguments: Any) -> Any:
        began = time.process_time()
        try:
            return make(self, *arguments)
        finally:
            of = found.setdefault(stage, {})
            of[self.py_func.__name__] = of.get(self.py_func.__name__, 0.0) + time.process_time() - began

    Kernel._make_entry = timed  # type: ignore[method-assign]
    alone, usual = (check_play(**GAMES[name], seed=1, opponents=bots) for bots in (["random"], None))

    def play(setup: Any) -> None:
        PlayRace(setup).think()

    stages: dict[str, Callable[[], None]] = {
        "race": lambda: play(alone),
        "bots": lambda: play(usual),
        "hint": lambda: ask_for_all(alone),
        "review": lambda: look_back(usual.course.edition, usual.rules),
    }
    for at, use in stages.items():
        stage = at
        use()
    kind = game_of(usual.course.edition, usual.rules)
    lines = []
    for stage, entries in found.items():
        lines += [f"\n[{kind}.{stage}]" if kind.isidentifier() else f'\n["{kind}".{stage}]']
        lines += [f"{entry} = {spent:.1f}" for entry, spent in entries.items() if spent >= LEAST]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure each kind of game in a process of its own, and write the file."""
    if len(sys.argv) > 1:
        print(measure(sys.argv[1]))
        return
    text = "# Processor seconds of compiling, in the order of a race: written by scripts/compile_seconds.py.\n"
    for name in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            env = {**os.environ, "ROBORALLY_CACHE": folder}
            done = subprocess.run(
                [sys.executable, __file__, name], env=env, check=True, text=True, stdout=subprocess.PIPE
            )
        text += done.stdout.rstrip("\n") + "\n"
        print(done.stdout, flush=True)
    OUT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
