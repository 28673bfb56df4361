"""Self-play into a folder; a stopped run is resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from roborally_env.arguments import Courses, check_whole
from roborally_env.evaluation.setup import MAX_ROUNDS, check_setup
from roborally_env.selfplay.manifest import prepare, refuse_other_things
from roborally_env.selfplay.plan import SHARD_GAMES, Plan, check_plan
from roborally_env.selfplay.reading import Data, load
from roborally_env.selfplay.shards import ShardJob
from roborally_env.selfplay.tables import import_pyarrow
from roborally_env.selfplay.workers import play_parts
from roborally_env.selfplay.writing import clear_partial, only_writer, told


def selfplay(
    agents: Sequence[str],
    courses: Courses | None = None,
    *,
    out: str | Path,
    games: int,
    players: int | None = None,
    edition: str | None = None,
    seed: int = 0,
    workers: int = 1,
    max_rounds: int = MAX_ROUNDS,
    rules: Mapping[str, Any] | None = None,
    decisions: str = "program",
    observations: bool = False,
    shard_games: int = SHARD_GAMES,
    progress: Callable[[int, int], None] | None = None,
) -> Data:
    """Play `games` races on each course, seats rotated, and write every decision as Parquet into the folder `out`.

    The races are those of `tournament.evaluate` with the same arguments. Shards are written one by one, each as a whole
    or not at all. The same call resumes a run that was stopped by Ctrl-C or killed; no race is lost or written twice.
    The bytes of the files depend neither on `workers` nor on interruptions. After Ctrl-C the finished part is returned
    (`Data.complete` is False).

    Args:
        agents: specs as for `make_agent`.
        courses, games, players, edition, seed, max_rounds, rules, decisions: as in `tournament.evaluate`.
        out: a new or empty folder, or one to go on with.
        workers: processes, at most; they are started where that saves time, each for whole shards. A script that asks
            for more than one needs the usual `if __name__ == "__main__":`.
        observations: keep what each robot saw, the `symbolic` vector; every course must have the same number of robots.
        shard_games: races of a shard; what is lost when a run is killed, for each worker.
        progress: called with the races done and all races, as they go.

    Raises:
        RoboRallyError: for any value outside these, a folder with other contents, data of another config or version, or
            where a file cannot be written.
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
    workers = check_whole(workers, "workers", 1, 1024)
    folder, tell = Path(out), progress or (lambda done, races: None)
    with _begun(folder, plan):
        there = load(folder).shards
        missing = [shard for shard in plan.shards() if shard.number not in there]
        kept = plan.episodes - sum(shard.games for shard in missing)
        tell(kept, plan.episodes)
        with suppress(KeyboardInterrupt):
            play_parts(ShardJob(plan), missing, folder, workers, lambda played: tell(kept + played, plan.episodes))
    return load(folder)


@contextmanager
def _begun(folder: Path, plan: Plan) -> Iterator[None]:
    """Hold the lock of the folder, check its manifest, and remove unfinished files before and after."""
    with told(folder):
        folder.mkdir(parents=True, exist_ok=True)
    refuse_other_things(folder)
    with only_writer(folder):
        prepare(folder, plan)
        clear_partial(folder)
        yield
        clear_partial(folder)
