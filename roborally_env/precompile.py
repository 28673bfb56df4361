"""Compilation ahead of time, for containers and clusters: each kernel that an edition needs is called once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context

from roborally_env.agents import agent_names, make_agent
from roborally_env.base.checks import check_choice
from roborally_env.base.children import Guard, starting
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import NamedValues
from roborally_env.batch import DECISIONS, BatchRace
from roborally_env.compiling import cache
from roborally_env.compiling.garbage import rare_collections
from roborally_env.compiling.progress import Progress
from roborally_env.core.chance import key_of
from roborally_env.core.state import KINDS
from roborally_env.courses import EDITIONS
from roborally_env.generated import generates

LIGHTER = {"upgrades": False}


@dataclass(frozen=True)
class Part:
    """A set of kernels that one process compiles."""

    edition: str
    what: str  # "simulator", "lighter simulator", "bots", "lighter bots", "reviews" or "scenarios"


@dataclass(frozen=True)
class Done:
    """The report of a part that has been compiled."""

    edition: str
    what: str
    seconds: float
    files: int  # files of machine code that it wrote


def parts_of(edition: str) -> list[Part]:
    """The parts that an edition needs, the simulator first."""
    parts = ["simulator", "bots", "reviews", "scenarios"]
    if _has_lighter(edition):
        parts[1:1] = ["lighter simulator", "lighter bots"]
    return [Part(edition, what) for what in parts]


def _has_lighter(edition: str) -> bool:
    """Whether the edition has different kinds of records for games with and without upgrades."""
    return {kind.has("owned") for kind in KINDS.values() if kind.edition == edition} == {True, False}


def compile_ahead(
    editions: Sequence[str], *, jobs: int = 1, progress: Callable[[str, int, int], None] | None = None
) -> list[Done]:
    """Compile all that the editions need and that the cache does not hold yet.

    Args:
        editions: their names.
        jobs: processes that share the work.
        progress: called with the name of the part just done, the number of parts done, and the number of all parts.

    Raises:
        RoboRallyError: for an unknown edition, or if no cache folder can be written.
    """
    for edition in editions:
        check_choice(edition, "edition", tuple(EDITIONS))
    if cache.folder() is None:
        raise RoboRallyError(f"compile: machine code cannot be kept: {cache.why_none()}")
    parts = [part for edition in dict.fromkeys(editions) for part in parts_of(edition)]
    parts.sort(key=lambda part: part.what != "simulator")  # the other parts need much of its code
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
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=Guard(), initargs=(_quiet,)) as pool:
        with starting():
            futures = [pool.submit(compile_part, part) for part in parts]
        for future in as_completed(futures):
            yield future.result()


def _quiet() -> None:
    Progress.quiet = True


def compile_part(part: Part) -> Done:
    """Call every kernel of a part once."""
    start, before = time.perf_counter(), cache.saved()
    with rare_collections():
        _USES[part.what](part.edition)
    return Done(part.edition, part.what, round(time.perf_counter() - start, 2), cache.saved() - before)


def _use_simulator(edition: str, rules: NamedValues | None = None) -> None:
    """Use all that a batch offers: planes, both values of `decisions`, redealing, random actions."""
    for decisions in DECISIONS:
        batch = BatchRace(2, edition=edition, observation="planes", decisions=decisions, rules=rules)
        batch.sample(1)
        batch.step_prepared()
        batch.restore(batch.snapshot())
        batch.redeal(0, 1)
    if generates(edition):
        BatchRace(1, f"generated:edition={edition}", edition=edition, rules=rules)
    key_of(batch.games["seed"][0], batch.games["episode"][0])


def _use_lighter(edition: str) -> None:
    _use_simulator(edition, LIGHTER)


# options of the bots that search, so that each of their searches plays a few rounds
_FAST = {
    "planner": (":simulations=60", ":simulations=60,ahead=1"),
    "learned-search": (":simulations=200,ahead=2",),
}


def _use_bots(edition: str) -> None:
    """Play a short race with each bot that plays the edition."""
    from roborally_env.evaluation.tournament import evaluate

    for name in agent_names():
        if edition not in getattr(make_agent(name), "unknown_editions", {}):
            for options in _FAST.get(name, ("",)):
                evaluate([name + options, "random"], edition=edition, games=1, max_rounds=2)


def _use_lighter_bots(edition: str) -> None:
    """Play a short race with the bots that the start page of `roborally play` seats, and that hints come from."""
    from roborally_env.evaluation.tournament import evaluate

    planners = ["planner" + options for options in _FAST["planner"]]
    evaluate([*planners, "greedy"], edition=edition, rules=LIGHTER, games=1, max_rounds=2)


def look_back(edition: str, rules: NamedValues | None = None) -> None:
    """Look back on a race of a round."""
    from roborally_env.evaluation.tournament import evaluate
    from roborally_env.review import review

    result = evaluate(["greedy", "random"], edition=edition, rules=rules, games=1, max_rounds=1)
    review(result.replay(result.races[0]), simulations=1_000)


def _use_scenarios(edition: str) -> None:
    """Play a register and a round of a scenario."""
    from roborally_env.scenario import load

    cards = ["move_1", "move_2", "turn_left", "turn_right", "u_turn"]
    for play in ({"from": 1, "to": 5}, {"rounds": 1}):
        robots = [{"x": 1 + i, "y": 1, "facing": "E", "registers": cards} for i in range(2)]
        load({"edition": edition, "map": {"width": 8, "height": 4}, "robots": robots, "play": play}).run()


_USES: dict[str, Callable[[str], None]] = {
    "simulator": _use_simulator,
    "lighter simulator": _use_lighter,
    "bots": _use_bots,
    "lighter bots": _use_lighter_bots,
    "reviews": look_back,
    "scenarios": _use_scenarios,
}


def report_of(done: Sequence[Done], seconds: float) -> NamedValues:
    """The compiled parts as JSON values."""
    return {
        "folder": str(cache.folder()),
        "seconds": round(seconds, 2),
        "files": cache.count(),
        "megabytes": round(cache.size() / 1e6, 2),
        "parts": [asdict(each) for each in done],
    }
