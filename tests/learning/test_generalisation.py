"""scripts/experiments/generalisation.py: which courses, which numbers, and that it goes on where it was stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError
from tests.later import imported_later
from tests.learning.nets import load_script

with imported_later("torch"):
    import torch

    from roborally_env.training.value.network import Samples
    from roborally_env.training.value.run import Run


@pytest.fixture
def script() -> Any:
    """The script."""
    return load_script("generalisation")


def options(script: Any, out: Path, **given: Any) -> Any:
    """A run of a few seconds."""
    small: dict[str, Any] = {
        "levels": (1, 0), "measures": ("value",), "positions": 700, "games": 16, "at_once": 3, "courses": 4,
        "out": str(out / "out"), "data": str(out / "results" / "data.json"), "picture": str(out / "picture.png"),
    }  # fmt: skip
    return script.Options(**(small | given))


def test_the_sets_have_no_generated_course_in_common(script: Any, tmp_path: Path) -> None:
    small = options(script, tmp_path)
    training, unseen, printed = (script.courses_of(small, name, 0) for name in script.SETS)
    assert [len(each.texts) for each in (training, unseen, printed)] == [4, 4, 19]
    assert not set(training.texts) & set(unseen.texts)
    assert (training.sampled, unseen.sampled, printed.sampled) == (True, True, False)
    one = script.courses_of(small, "training", 1)
    assert (len(one.texts), one.sampled) == (1, False)
    assert script.courses_of(small, "unseen", 1) == unseen


def test_training_courses_are_those_that_were_learned_from(script: Any, tmp_path: Path) -> None:
    small = options(script, tmp_path, courses=5)
    races = script.Races(script.value_options(small, 0))
    # of batch 0 the network learns nothing, and three courses fill a batch
    assert script.trained_on(small, 0) == [*races.courses_of(1), *races.courses_of(2)[:2]]
    assert len(script.trained_on(options(script, tmp_path, courses=50), 7)) == 7


def test_a_point_of_the_value_is_a_mean_over_courses(script: Any) -> None:
    # course, positions, sums of the losses of network and prior
    table = np.array([[3, 10, 4.0, 5.0], [3, 30, 12.0, 17.0], [8, 20, 8.0, 6.0]])
    gains = [(22 - 16) / 40, (6 - 8) / 20]
    found = script.Courses("printed", ("a", "b"), False)
    row = script.value_row(found, 10, table)
    assert (row.levels, row.courses, row.races) == (10, 2, 3)
    assert row.value == pytest.approx(np.mean(gains))
    assert row.loss == pytest.approx((16 / 40 + 8 / 20) / 2)
    assert row.loss_of_prior == pytest.approx((22 / 40 + 6 / 20) / 2)
    variance = ((1 - 0.15 * 10) ** 2 + (5 - 0.15 * 30) ** 2) / 40**2  # of the first course; the second has one race
    assert row.high - row.value == pytest.approx(1.96 * np.sqrt(variance / 4), rel=1e-3)
    sampled = script.value_row(found._replace(sampled=True), 10, table)
    assert sampled.value == row.value
    assert sampled.high - sampled.value == pytest.approx(1.96 * np.std(gains, ddof=1) / np.sqrt(2), rel=1e-3)


def test_a_point_of_an_agent_is_its_share_of_races(script: Any) -> None:
    class Race:
        def __init__(self, course: int, seat: int, winner: int) -> None:
            self.course, self.winner = course, winner
            self.line_up = tuple(0 if i == seat else i + 1 for i in range(4))

        def won(self, seat: int) -> bool:
            return seat == self.winner

    races = [Race(0, 1, 1), Race(0, 2, 2), Race(1, 3, 0), Race(1, 0, 0)]
    found = script.Courses("printed", ("a", "b"), False)
    row = script.agent_row("learned", 1, found, races)
    assert (row.value, row.races, row.courses) == (0.75, 4, 2)
    assert (row.low, row.high) == pytest.approx(script.wilson(3, 4))
    sampled = script.agent_row("learned", 1, found._replace(sampled=True), races)
    assert sampled.high - 0.75 == pytest.approx(1.96 * np.std([1, 0.5], ddof=1) / np.sqrt(2), rel=1e-3)


def test_a_network_from_a_file_loses_as_the_one_that_was_trained(script: Any, tmp_path: Path) -> None:
    run = Run(script.value_options(options(script, tmp_path), 1))
    with torch.no_grad():
        for parameter in run.net.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.15)
    run.save()
    samples, games = run.races.play_batch(run.races.new(1), 1, script.net_of(run.net.arrays()))
    found = script.value_network(run.races, run.folder.path / "weights.npz")
    table = script.losses_by_race(found, samples, games, 16)
    loss, prior = run.loss_of(Samples(*(torch.as_tensor(part) for part in samples)))
    assert table[:, 0].sum() == len(samples.own)
    assert table[:, 1].sum() / table[:, 0].sum() == pytest.approx(loss, abs=1e-3)
    assert table[:, 2].sum() / table[:, 0].sum() == pytest.approx(prior, abs=1e-6)
    assert loss > prior + 1e-2


def test_an_untrained_network_searches_by_the_distances(script: Any, tmp_path: Path) -> None:
    small = options(script, tmp_path, simulations=200)
    weights = script.weights_of(small, "search", script.UNTRAINED)
    spec = script.spec_of(small, "search", weights)
    assert spec == f"learned-search:simulations=200,trust=1,weights={weights}"
    table = script.measure_agent(
        options(script, tmp_path, search_races=8, simulations=200), "search",
        script.Courses("unseen", ("twister", "generated:seed=9,number=2"), True), script.UNTRAINED, weights,
    )  # fmt: skip
    assert (table.measure, table.levels, table.courses, table.races) == ("search", -1, 2, 8)
    assert 0 <= table.value <= 1


@pytest.mark.slow  # trains two networks
def test_what_is_measured_is_kept_and_a_run_goes_on_from_it(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "BATCH", 24)
    small = options(script, tmp_path, value_races=24)
    rows = script.read_rows(small)
    assert rows == []
    script.measure_all(small, rows)
    assert {(row.measure, row.levels, row.set) for row in rows} == {
        ("value", levels, name) for levels in (1, 0) for name in script.SETS
    }
    assert all(row.low <= row.value <= row.high and row.races == 24 for row in rows)
    kept = (tmp_path / "results" / "data.json").read_text()
    again = script.read_rows(small)
    assert sorted(map(str, again)) == sorted(map(str, rows))
    del again[0]
    monkeypatch.setattr(script, "run_training", lambda *_: pytest.fail("it is trained already"))
    script.measure_all(small, again)
    assert (tmp_path / "results" / "data.json").read_text() == kept
    with pytest.raises(RoboRallyError, match=r"700.*900.*--data"):
        script.read_rows(options(script, tmp_path, positions=900, value_races=24))


def test_the_picture_has_a_panel_for_each_measure(script: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    small = options(script, tmp_path)
    rows = [script.Row("value", levels, name, 3, 9, 0.01, 0.0, 0.02) for levels in (1, 0) for name in script.SETS]
    script.write_rows(small, rows)
    assert script.main(["--plot", "--positions", "700", "--games", "16", "--at-once", "3", "--courses", "4",
                        "--data", small.data, "--picture", small.picture]) == 0  # fmt: skip
    narrow = Path(small.picture).read_bytes()
    assert narrow.startswith(b"\x89PNG")
    script.draw(small, [*rows, script.Row("learned", -1, "unseen", 3, 9, 0.5, 0.4, 0.6)])
    width = [int.from_bytes(picture[16:20], "big") for picture in (narrow, Path(small.picture).read_bytes())]
    assert width[1] == 2 * width[0]
    assert json.loads(Path(small.data).read_text())["options"]["positions"] == 700


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--measures", "values"], "--measures: .*value, learned, search"),
        (["--levels", "1", "-3"], "--levels: .*0.*-3"),
    ],
)
def test_wrong_options_raise_a_one_line_error(script: Any, given: list[str], message: str) -> None:
    with pytest.raises(SystemExit, match=message):
        script.main(given)
