"""Running a benchmark in a folder; a stopped run is resumed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from roborally_env.base.checks import check_choice
from roborally_env.base.types import JsonObject
from roborally_env.courses.model import DEFAULT_EDITION
from roborally_env.evaluation.benchmark.parts import Outcome, Part, Plan, make_plan, read_part
from roborally_env.evaluation.benchmark.protocol import NAME, protocol_of
from roborally_env.evaluation.benchmark.scores import Times, times_of
from roborally_env.executors import executor_for
from roborally_env.jobs.agent_files import files_of
from roborally_env.jobs.manifest import prepare, refuse_other_things, versions_here
from roborally_env.jobs.parts import play_parts
from roborally_env.jobs.storage import Folder

FOLDER = Path("out") / "benchmark"
WHAT = "a benchmark"


@dataclass(frozen=True)
class Measured:
    """What a folder holds: the outcomes of the races played so far."""

    plan: Plan
    folder: Path
    files: dict[str, str]  # files that the agent is made of: name -> sha256
    against: tuple[str, ...]  # the opponents that this run was for
    parts: dict[Part, JsonObject]

    @property
    def complete(self) -> bool:
        """Whether every race against the opponents of this run was played."""
        wanted = [part for number in numbers_of(self.plan, self.against) for part in self.plan.parts(number)]
        return all(part in self.parts for part in wanted)

    def races(self, opponent: int) -> dict[str, list[Outcome]]:
        """The outcomes against an opponent by course, in the order of the protocol and of the races."""
        found: dict[str, list[Outcome]] = {course: [] for course in self.plan.courses}
        for part in sorted(self.parts, key=lambda part: part.first):
            if part.opponent == opponent:
                found[self.plan.courses[part.course]] += self.parts[part]["races"]
        return found

    @property
    def times(self) -> Times | None:
        """The times of all decisions."""
        return times_of([call for found in self.parts.values() for call in found["calls"]])

    @property
    def crashes(self) -> list[str]:
        """One line for each race that the agent lost by an error, in order."""
        ordered = sorted(self.parts, key=lambda part: (part.opponent, part.course, part.first))
        return [line for part in ordered for line in self.parts[part]["crashes"].values()]

    @property
    def traceback(self) -> str:
        """The traceback of the first of these errors; "" without one."""
        ordered = sorted(self.parts, key=lambda part: (part.opponent, part.course, part.first))
        return next((text for part in ordered if (text := self.parts[part]["traceback"])), "")


def benchmark(
    agent: str,
    *,
    edition: str = DEFAULT_EDITION,
    quick: bool = False,
    against: Sequence[str] = (),
    out: str | Path | None = None,
    workers: int = 1,
    ray: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Measured:
    """Measure an agent by RoboRally-Bench, and return what came out.

    Parts of 24 races are written one by one. The same call resumes a run that was stopped by Ctrl-C or killed; after
    Ctrl-C the finished part is returned (`Measured.complete` is False). The outcomes depend neither on who plays nor on
    interruptions.

    Args:
        agent: a spec as for `make_agent`.
        edition: the name of the rules, one of `PROTOCOLS`.
        quick: play fewer races.
        against: names of opponents; by default all of the protocol.
        out: a new or empty folder, or one to go on with; default: one in `out/benchmark` with the agent's name.
        workers: processes, at most.
        ray: the address of a Ray cluster that plays in their place, as in `tournament.evaluate`.
        progress: called with the races done and all races, as they go.

    Raises:
        RoboRallyError: for any value outside these, a folder with other contents or of another config or version.
    """
    protocol = protocol_of(edition)
    against = tuple(against) or tuple(each.name for each in protocol.opponents)
    for name in against:
        check_choice(name, "against", [each.name for each in protocol.opponents])
    plan = make_plan(agent, protocol, quick)
    files = files_of([agent], plan.setup.kind.name)
    folder = folder_of(agent, edition, quick) if out is None else Path(out)
    report = progress or (lambda done, races: None)
    place = Folder(folder)
    place.make()
    refuse_other_things(place, WHAT)
    with executor_for(workers, ray) as executor, place.only_writer():
        prepare(place, _manifest(plan, files), lambda there: "protocol" in there["config"], WHAT)
        place.clear_partial()
        wanted = [part for number in numbers_of(plan, against) for part in plan.parts(number)]
        missing = [part for part in wanted if read_part(place, part, plan) is None]
        races = sum(part.games for part in wanted)
        kept = races - sum(part.games for part in missing)
        report(kept, races)
        with suppress(KeyboardInterrupt):
            play_parts(plan, missing, place, executor, lambda played: report(kept + played, races))
        place.clear_partial()
    return Measured(plan, folder, files, against, _parts_in(place, plan))


def numbers_of(plan: Plan, against: Sequence[str]) -> list[int]:
    """The numbers of opponents in the protocol, by their names."""
    return [number for number, each in enumerate(plan.protocol.opponents) if each.name in against]


def folder_of(agent: str, edition: str, quick: bool) -> Path:
    """The folder of a benchmark if none is named."""
    name = re.sub(r"[^A-Za-z0-9_.=-]+", "_", agent).strip("_.")
    more = [edition] * (edition != DEFAULT_EDITION) + ["quick"] * quick
    return FOLDER / "-".join((name, *more))


def _manifest(plan: Plan, files: dict[str, str]) -> JsonObject:
    config = {
        "protocol": NAME,
        "agent": plan.agent,
        "edition": plan.protocol.edition,
        "quick": plan.quick,
        "files": files,
    }
    return {"config": config, "versions": versions_here()}


def _parts_in(folder: Folder, plan: Plan) -> dict[Part, JsonObject]:
    every = [part for number in range(len(plan.protocol.opponents)) for part in plan.parts(number)]
    found = {part: read_part(folder, part, plan) for part in every}
    return {part: each for part, each in found.items() if each is not None}
