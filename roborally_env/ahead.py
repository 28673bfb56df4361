"""Machine code made ahead, for containers and clusters: everything that an edition needs is used once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from typing import Any

from roborally_env.agents import agent_names, make_agent
from roborally_env.arguments import check_choice
from roborally_env.batch import DECISIONS, BatchRace
from roborally_env.compiling import cache
from roborally_env.compiling.progress import Progress
from roborally_env.core.chance import key_of
from roborally_env.core.state import KINDS
from roborally_env.courses import EDITIONS
from roborally_env.errors import RoboRallyError

LIGHTER = {"upgrades": False}


@dataclass(frozen=True)
class Part:
    """What is compiled together, in one process."""

    edition: str
    what: str  # "simulator", "lighter simulator", "bots" or "scenarios"


@dataclass(frozen=True)
class Done:
    """A part that is compiled."""

    edition: str
    what: str
    seconds: float
    files: int  # files of machine code that were not there before


def parts_of(edition: str) -> list[Part]:
    """What an edition needs, the simulator first."""
    lighter = ["lighter simulator"] if _has_lighter(edition) else []
    return [Part(edition, what) for what in ("simulator", *lighter, "bots", "scenarios")]


def _has_lighter(edition: str) -> bool:
    """Whether its games with upgrades and those without are different kinds."""
    return {kind.has("owned") for kind in KINDS.values() if kind.edition == edition} == {True, False}


def compile_ahead(
    editions: Sequence[str], *, jobs: int = 1, progress: Callable[[str, int, int], None] | None = None
) -> list[Done]:
    """Compile all that the editions need, as far as it is not there yet.

    Args:
        editions: names such as `"2016"`.
        jobs: processes that share the work.
        progress: is called with what was done, how many parts are done, and of how many.

    Raises:
        RoboRallyError: for an unknown edition, or where no folder can be written.
    """
    for edition in editions:
        check_choice(edition, "edition", tuple(EDITIONS))
    if cache.folder() is None:
        raise RoboRallyError(f"compile: {cache.home()} cannot be written, so that no machine code can be kept")
    parts = [part for edition in dict.fromkeys(editions) for part in parts_of(edition)]
    parts.sort(key=lambda part: part.what != "simulator")  # the others need much of it
    done: list[Done] = []
    for found in _played(parts, jobs):
        done.append(found)
        if progress is not None:
            progress(f"{found.edition} {found.what}", len(done), len(parts))
    return sorted(done, key=lambda each: parts.index(Part(each.edition, each.what)))


def _played(parts: Sequence[Part], jobs: int) -> Iterator[Done]:
    if jobs == 1:
        yield from map(compile_part, parts)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_quiet) as pool:
        for future in as_completed([pool.submit(compile_part, part) for part in parts]):
            yield future.result()


def _quiet() -> None:
    Progress.quiet = True


def compile_part(part: Part) -> Done:
    """Use everything of a part once."""
    start, before = time.perf_counter(), cache.count()
    _USES[part.what](part.edition)
    return Done(part.edition, part.what, round(time.perf_counter() - start, 2), cache.count() - before)


def _use_simulator(edition: str, rules: dict[str, Any] | None = None) -> None:
    """All that a batch does: with planes, both ways of asking, redealing, random actions."""
    for decisions in DECISIONS:
        batch = BatchRace(2, edition=edition, observation="planes", decisions=decisions, rules=rules)
        batch.sample(1)
        batch.step_prepared()
        batch.restore(batch.snapshot())
        batch.redeal(0, 1)
    key_of(batch.games["seed"][0], batch.games["episode"][0])


def _use_lighter(edition: str) -> None:
    _use_simulator(edition, LIGHTER)


def _use_bots(edition: str) -> None:
    """A short race of each bot that plays the edition."""
    from roborally_env.tournament import evaluate

    for name in agent_names():
        if edition not in getattr(make_agent(name), "unknown_editions", {}):
            fast = {"planner": ":simulations=60", "learned-search": ":effort=0.05"}.get(name, "")
            evaluate([name + fast, "random"], edition=edition, games=1, max_rounds=2)


def _use_scenarios(edition: str) -> None:
    """A register and a round of a scenario."""
    from roborally_env.scenario import load

    cards = ["move_1", "move_2", "turn_left", "turn_right", "u_turn"]
    for play in ({"from": 1, "to": 5}, {"rounds": 1}):
        robots = [{"x": 1 + i, "y": 1, "facing": "E", "registers": cards} for i in range(2)]
        load({"edition": edition, "map": {"width": 8, "height": 4}, "robots": robots, "play": play}).run()


_USES: dict[str, Callable[[str], None]] = {
    "simulator": _use_simulator,
    "lighter simulator": _use_lighter,
    "bots": _use_bots,
    "scenarios": _use_scenarios,
}


def report_of(done: Sequence[Done], seconds: float) -> dict[str, Any]:
    """What was compiled as JSON values."""
    return {
        "folder": str(cache.folder()),
        "seconds": round(seconds, 2),
        "files": cache.count(),
        "megabytes": round(cache.size() / 1e6, 2),
        "parts": [asdict(each) for each in done],
    }
