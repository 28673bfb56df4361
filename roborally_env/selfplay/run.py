"""Self-play into a folder, here or elsewhere; a stopped run is resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from roborally_env.arguments import Courses
from roborally_env.base.types import Fields
from roborally_env.evaluation.setup import MAX_ROUNDS, check_setup
from roborally_env.executors import executor_for
from roborally_env.jobs.arrow import import_pyarrow
from roborally_env.jobs.manifest import refuse_other_things
from roborally_env.jobs.parts import play_parts
from roborally_env.jobs.storage import FileSystem, Storage, storage_of
from roborally_env.selfplay.manifest import prepare, read_manifest
from roborally_env.selfplay.plan import SHARD_GAMES, Plan, check_plan
from roborally_env.selfplay.reader import Data, load
from roborally_env.selfplay.shards import ShardJob


def selfplay(
    agents: Sequence[str],
    courses: Courses | None = None,
    *,
    out: str | Path,
    filesystem: FileSystem = None,
    games: int,
    players: int | None = None,
    edition: str | None = None,
    seed: int = 0,
    workers: int = 1,
    ray: str | None = None,
    max_rounds: int = MAX_ROUNDS,
    rules: Fields | None = None,
    decisions: str = "program",
    observations: bool = False,
    shard_games: int = SHARD_GAMES,
    progress: Callable[[int, int], None] | None = None,
) -> Data:
    """Play `games` races on each course, seats rotated, and write every decision as Parquet into the folder `out`.

    The races are those of `tournament.evaluate` with the same arguments. Shards are written one by one, each as a whole
    or not at all. The same call resumes a run that was stopped by Ctrl-C or killed, a shard that takes long in its
    middle (`evaluation.decisions`); no race is lost or written twice.
    The bytes of the files depend neither on who plays nor on interruptions. After Ctrl-C the finished part is returned
    (`Data.complete` is False).

    Args:
        agents: specs as for `make_agent`.
        courses, games, players, edition, seed, max_rounds, rules, decisions: as in `tournament.evaluate`.
        out: a new or empty folder, or one to go on with; a URI such as `s3://bucket/folder` for one elsewhere.
        filesystem: of `pyarrow.fs` or fsspec; `out` is then a path on it.
        workers: processes, at most; they are started where that saves time, each for whole shards. A script that asks
            for more than one needs the usual `if __name__ == "__main__":`.
        ray: the address of a Ray cluster that plays in their place, as in `tournament.evaluate`. The files are written
            by this process: the nodes need no common folder, and any cluster can go on with a run.
        observations: keep what each robot saw, the `symbolic` vector; every course must have the same number of robots.
        shard_games: races of a shard.
        progress: called with the races done and all races, as they go.

    Raises:
        RoboRallyError: for any value outside these, a folder with other contents, data of another config or version, or
            where a file cannot be written (also: a bucket that is not there).
    """
    import_pyarrow()
    setup = check_setup(
        agents,
        courses,
        games=games,
        players=players,
        edition=edition,
        seed=seed,
        max_rounds=max_rounds,
        rules=rules,
        decisions=decisions,
    )
    plan = check_plan(setup, observations=observations, shard_games=shard_games)
    place, report = storage_of(out, filesystem), progress or (lambda done, races: None)
    with executor_for(workers, ray) as executor, _only_run(place, plan):
        there = Data(place, read_manifest(place)).shards
        missing = [shard for shard in plan.shards() if shard.number not in there]
        kept = plan.episodes - sum(shard.games for shard in missing)
        report(kept, plan.episodes)
        with suppress(KeyboardInterrupt):
            play_parts(ShardJob(plan), missing, place, executor, lambda played: report(kept + played, plan.episodes))
    return load(out, filesystem)


@contextmanager
def _only_run(place: Storage, plan: Plan) -> Iterator[None]:
    """Hold the lock of the folder, check its manifest, and remove unfinished files before and after."""
    place.make()
    refuse_other_things(place, "self-play data")
    with place.only_writer():
        prepare(place, plan)
        place.clear_partial()
        yield
        place.clear_partial()
