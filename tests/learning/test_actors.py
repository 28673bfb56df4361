"""`roborally train selfplay --actors`: the weights of a run by itself, whatever is stopped or killed."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.cli import main
from roborally_env.executors import WorkerLost
from roborally_env.executors.processes import Processes
from tests.later import imported_later
from tests.learning.nets import load_script
from tests.sizes import size, some

with imported_later("torch", "tensorboard"):
    import torch

    from roborally_env.training.selfplay.actor_run import ActedRun
    from roborally_env.training.selfplay.actors import Rollouts
    from roborally_env.training.selfplay.options import Options
    from roborally_env.training.selfplay.run import Run
    from tests.learning.killed import Dead, Killed


class Here:
    """A crew of this process, whose workers are drawn at random: a part is played when its result is wanted."""

    def __init__(self, options: Options, workers: int = 2) -> None:
        self.work = Rollouts(options, {}, torch.__version__)
        self.workers = [self.work.begin() for _ in range(workers)]
        self.rng = np.random.default_rng()
        self.versions: list[int] = []

    def share(self, value: Any) -> Any:
        return value

    def submit(self, *part: Any) -> bytes:
        self.versions.append(part[2].version)
        return pickle.dumps(part)

    def result(self, ticket: bytes) -> Any:
        worker = self.workers[self.rng.integers(len(self.workers))]
        return pickle.loads(pickle.dumps(self.work.do(worker, pickle.loads(ticket), lambda: False)))


def options(out: Path, **given: Any) -> Options:
    """A run of a few seconds."""
    small: dict[str, Any] = {
        "out": str(out), "courses": ["dizzy_highway"], "games": 8, "steps": 6, "decisions": 10**6, "minibatch": 64,
        "hidden": 16, "league": ["greedy"], "snapshot_every": 60, "snapshots": 1, "evaluate_every": 10**9,
        "evaluate_games": 2, "opponents": ["random"], "deals": [0], "device": "cpu", "max_rounds": 4,
    }  # fmt: skip
    return Options(**(small | given))


def iterated(run: Run, count: int) -> Run:
    for _ in range(count):
        run.iterate()
    run.save()
    return run


def learned(run: Run) -> list[bytes]:
    """The weights, what Adam knows of them, the league and its scores: all that a learner has."""
    kept = [*run.learner.net.state_dict().values()]
    kept += [value for each in run.learner.optimizer.state_dict()["state"].values() for value in each.values()]
    state = run.league.state()
    kept += [value for version in state["versions"].values() for value in version.values()]
    return [value.numpy().tobytes() for value in kept] + [repr((state["scores"], state["next"])).encode()]


def acted(given: Options) -> ActedRun:
    return ActedRun(given, Here(given))


CHANGING = {"courses": ["dizzy_highway", "generated:seed=4,levels=9"], "at_once": 3, "change_every": 2}


WAYS: dict[str, dict[str, Any]] = {
    "imitation": {"imitate": "greedy", "imitate_decisions": 50, "players": [4, 3]},
    "curriculum": {**CHANGING, "curriculum": "success", "robust": True, "league_share": 0.9},
    "edit": {**CHANGING, "curriculum": "race_regret", "edit": 0.5},
}


@pytest.mark.parametrize("given", some(WAYS, usual=["imitation", "edit"]))
def test_one_actor_in_lock_step_learns_what_a_run_by_itself_does(tmp_path: Path, given: dict[str, Any]) -> None:
    alone = iterated(Run(options(tmp_path / "alone", **given)), 6)
    with_actor = iterated(acted(options(tmp_path / "acted", **given, actors=1, behind=0)), 6)
    assert alone.count["decisions"] > 0
    assert alone.league.next > 2, "a version joined"
    assert learned(with_actor) == learned(alone)
    assert with_actor.count == alone.count
    (lane,) = with_actor.lanes
    assert lane.stand.names == alone.names
    if alone.replay is not None:
        assert with_actor.replay.state_dict() == alone.replay.state_dict()
    if lane.stand.tables is not None:  # else other courses are drawn, and the actor begins their races later
        assert [snapshot for snapshot, _ in lane.stand.tables] == [table.batch.snapshot() for table in alone.tables]


@pytest.mark.parametrize(
    ("actors", "behind", "expected"), size([(3, 2, 2)], [(3, 2, 2), (2, 9, 2), (2, 0, 0), (1, 1, 1)])
)
def test_a_run_with_actors_that_was_killed_comes_out_as_one_that_was_not(
    tmp_path: Path, actors: int, behind: int, expected: int
) -> None:
    """And no rollout is older than the bound."""
    given = {"actors": actors, "behind": behind, **CHANGING}
    whole = acted(options(tmp_path / "whole", **given))
    ages = [whole.iterate()["behind"] for _ in range(7)]
    assert max(ages) == expected <= behind
    assert ages[-1] == expected
    iterated(acted(options(tmp_path / "parts", **given)), 3)
    acted(options(tmp_path / "parts", **given)).iterate()  # lost
    again = iterated(acted(options(tmp_path / "parts", **given)), 4)
    assert learned(again) == learned(whole)
    assert again.count == whole.count
    assert min(again.crew.versions) == 3 - expected, "what was under way is played with the weights of then"


def test_the_actors_race_other_races(tmp_path: Path) -> None:
    run = acted(options(tmp_path, actors=3, **CHANGING))
    seen = []
    for _ in range(5):
        run.iterate()
        seen += [lane.stand.number for lane in run.lanes]
    assert set(seen) == set(range(9)), "each draw of courses has one number"
    tables = [dict(enumerate(lane.stand.tables or [])) for lane in run.lanes]
    assert len({table[0][0] for table in tables}) == 3
    assert len({repr(lane.stand.rng) for lane in run.lanes}) == 3


@pytest.mark.slow
def test_a_killed_process_is_replaced_and_nothing_is_played_twice(tmp_path: Path) -> None:
    given = {"actors": 2, "behind": 2}
    whole = iterated(acted(options(tmp_path / "whole", **given)), 5)
    killed = options(tmp_path / "killed", **given)
    with Processes(2).crew(Killed(killed, {}, torch.__version__)) as crew:
        run = iterated(ActedRun(killed, crew), 5)
    assert (tmp_path / "killed" / "killed").exists()
    assert learned(run) == learned(whole)
    assert run.count == whole.count


@pytest.mark.slow
def test_workers_that_die_each_time_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roborally_env.executors.processes.RETRIES", 1)
    with Processes(1).crew(Dead(options(tmp_path), {}, torch.__version__)) as crew:
        ticket = crew.submit("anything")
        with pytest.raises(WorkerLost, match="2"):
            crew.result(ticket)


def test_another_torch_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RoboRallyError, match=r"torch.*0\.1"):
        Rollouts(options(tmp_path), {}, "0.1").begin()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--actors", "-1"], "--actors: expected 0 to 1024, got -1"),
        (["--actors", "1", "--behind", "-1"], "--behind: expected at least 0, got -1"),
        (["--ray", "auto"], "--ray: expected --actors of at least 1, got 0"),
    ],
)
def test_wrong_numbers_are_told_in_one_line(
    tmp_path: Path, given: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["train", "selfplay", "--out", str(tmp_path / "x"), *given])
    assert stop.value.code == 2
    assert capsys.readouterr().err == f"roborally: {message}\n"
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("actors", [0, 2])
def test_the_script_that_measures_actors(actors: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two updates of known size, whose processor seconds are kept apart; actors play in this process here."""
    script = load_script("bench_actors")
    small = {name: value for name, value in vars(options(tmp_path)).items() if name in ("steps", "hidden", "minibatch")}
    monkeypatch.setitem(script.SETTINGS, "small", {**small, "deals": [0], "league": ["greedy"], "max_rounds": 4})

    @contextmanager
    def here(number: int, ray: None) -> Iterator[Any]:
        yield Crewed(number)

    class Crewed:
        def __init__(self, number: int) -> None:
            self.number = number

        @contextmanager
        def crew(self, work: Any) -> Iterator[Here]:
            crew = Here(work.options, self.number)
            crew.work = work
            yield crew

    monkeypatch.setattr(script, "executor_for", here)
    row = script.measure("small", actors, games=8, rounds=2)
    assert (row.actors, row.rounds) == (actors, 2)
    assert row.decisions >= 2 * max(1, actors) * 8 * 4
    assert row.learner > 0
    assert (row.playing > 0) == (row.wait > 0) == (actors > 0)
    assert row.wait < 1
