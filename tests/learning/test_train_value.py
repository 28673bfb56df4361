"""`roborally train value`: what it learns from, that it learns, and that it can be stopped."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from roborally_env.agents import make_agent
from roborally_env.agents.network import net_of

from roborally_env import RoboRallyError
from roborally_env.cli import main
from tests.later import imported_later

with imported_later("torch"):
    import torch

    from roborally_env.training.value.network import Samples
    from roborally_env.training.value.options import Options
    from roborally_env.training.value.run import Run


def options(out: Path, **given: Any) -> Any:
    """A run of a few seconds."""
    small = {
        "out": str(out), "courses": ["dizzy_highway", "twister"], "games": 24, "positions": 1500, "minibatch": 128,
        "hidden": 16, "held_out": 3, "checkpoint_every": 1e9,
    }  # fmt: skip
    return Options(**(small | given))


def test_samples_are_the_same_whenever_they_are_played_and_one_seat_of_a_race_wins(tmp_path: Path) -> None:
    run = Run(options(tmp_path))
    net = net_of(run.net.arrays())
    first, again, other = run.races.play(2, net), run.races.play(2, net), run.races.play(3, net)
    for mine, its in zip(first, again, strict=True):
        np.testing.assert_array_equal(mine, its)
    assert first.own.shape != other.own.shape or (first.own != other.own).any()
    assert len({len(part) for part in first}) == 1
    assert first.others.shape[1] == 3
    assert 0.15 < first.won.mean() < 0.35  # one of four
    assert np.corrcoef(first.prior, first.won)[0, 1] > 0.2


def test_purchases_are_explored_and_begin_as_greedy_buys(tmp_path: Path) -> None:
    plain, curious = (Run(options(tmp_path / str(share), shop_around=share)) for share in (0.0, 1.0))
    net = net_of(plain.net.arrays())
    greedy, drawn = plain.races.play(1, net), curious.races.play(1, net)
    shopping = greedy.bought > 0
    assert shopping.any()
    assert (greedy.worth[~shopping] == 0).all()
    assert (greedy.worth >= 0).all()  # as `greedy` would buy
    assert greedy.worth[shopping].mean() > drawn.worth[drawn.bought > 0].mean()


@pytest.mark.slow
def test_power_downs_are_explored_and_begin_as_greedy_announces(tmp_path: Path) -> None:
    given = {"courses": ["risky_exchange"], "edition": "2005", "explore": 0.0, "wander": 0.0}
    plain, curious = (Run(options(tmp_path / str(share), doze=share, **given)) for share in (0.0, 1.0))
    net = net_of(plain.net.arrays())
    calm, drawn = plain.races.play(1, net), curious.races.play(1, net)
    could = calm.down != 0
    assert could.any()
    np.testing.assert_array_equal(calm.down[could] > 0, calm.tired[could] > 0)
    assert 0.4 < (drawn.down[drawn.down != 0] > 0).mean() < 0.6


def test_rollouts_add_positions_with_the_fraction_that_each_seat_wins(tmp_path: Path) -> None:
    given = {"courses": ["dizzy_highway"], "games": 48}
    plain = Run(options(tmp_path / "plain", **given))
    run = Run(options(tmp_path / "soft", rollouts=8, rollout_share=0.5, **given))
    net = net_of(plain.net.arrays())
    results, both = plain.races.play(1, net), run.races.play(1, net)
    n = len(results.won)
    for mine, its in zip(results, both, strict=True):
        np.testing.assert_array_equal(mine, its[:n])  # the races are the same
    assert both.soft[n:].all()
    assert not both.soft[:n].any()
    assert (both.bought[n:] == 0).all()
    won = both.won[n:].reshape(-1, 4)
    assert len(won) > 30
    np.testing.assert_allclose(won.sum(1), 1.0, rtol=1e-6)  # each race has a winner
    np.testing.assert_allclose(won * 8, np.rint(won * 8), atol=1e-5)
    assert np.corrcoef(both.prior[n:], both.won[n:])[0, 1] > np.corrcoef(results.prior, results.won)[0, 1]
    for mine, its in zip(both, run.races.play(1, net), strict=True):
        np.testing.assert_array_equal(mine, its)


def test_rollouts_of_few_rounds_end_with_the_chance_by_distances(tmp_path: Path) -> None:
    run = Run(options(tmp_path, courses=["burnout"], rollouts=1, rollout_rounds=1, rollout_share=1.0))
    data = run.races.play(1, net_of(run.net.arrays()))
    chances = data.won[data.soft].reshape(-1, 4)
    over = (chances == 1).any(1)
    assert 0.05 < over.mean() < 0.7  # races that a round ends
    assert (chances[~over] > 0).all()
    np.testing.assert_allclose(chances.sum(1), 1.0, rtol=1e-5)


def test_batches_have_the_numbers_of_players_that_are_given(tmp_path: Path) -> None:
    run = Run(options(tmp_path, players=[2, 3], rollouts=1, rollout_share=0.1))
    net = net_of(run.net.arrays())
    found = {run.races.play(number, net).others.shape[1] for number in range(6)}
    assert found == {1, 2}
    run.work()
    assert run.count["positions"] >= run.options.positions


def test_a_card_that_wins_is_bought(tmp_path: Path) -> None:
    """Races in which the buyers of a card always win, the others never."""
    run = Run(options(tmp_path, positions=10**9, shop_around=1.0))
    data = Samples(*(torch.as_tensor(part) for part in run.races.play(1, net_of(run.net.arrays()))))
    card = int(torch.bincount(data.bought[data.bought > 1]).argmax())
    data = data._replace(won=(data.bought == card).float())
    for number in range(20):
        run.learn(data, number)
    scores = run.net.arrays()["buy_b"]
    assert scores.argmax() == card


def test_the_loss_goes_down_on_fixed_races(tmp_path: Path) -> None:
    run = Run(options(tmp_path, positions=10**9))
    data = Samples(*(torch.as_tensor(array) for array in run.races.play(1, net_of(run.net.arrays()))))
    before, prior = run.loss_of(data)
    assert before == pytest.approx(prior, abs=0.01)  # it begins by adding nothing but what `greedy` thinks of cards
    for number in range(20):
        run.learn(data, number)
    assert run.loss_of(data)[0] < before - 0.02


@pytest.mark.parametrize("given", [{}, {"rollouts": 2, "players": [2, 4]}], ids=["results", "rollouts"])
def test_a_run_that_was_stopped_comes_out_as_one_that_was_not(tmp_path: Path, given: dict[str, Any]) -> None:
    whole = Run(options(tmp_path / "whole", **given))
    parts = Run(options(tmp_path / "parts", checkpoint_every=0.0, **given))
    whole.work()
    play = parts.races.play

    def play_and_stop(number: int, net: Any) -> Any:
        parts.stopped = number == 1
        return play(number, net)

    parts.races.play = play_and_stop
    parts.work()
    assert 0 < parts.count["positions"] < whole.count["positions"]
    again = Run(options(tmp_path / "parts", **given))
    assert again.count == parts.count
    again.work()
    for name, mine in whole.net.state_dict().items():
        assert mine.numpy().tobytes() == again.net.state_dict()[name].numpy().tobytes(), name


def test_its_weights_are_for_learned_search(tmp_path: Path) -> None:
    from roborally_env.evaluation.tournament import evaluate

    run = Run(options(tmp_path))
    run.work()
    agent = f"learned-search:simulations=300,weights={tmp_path / 'weights.npz'}"
    table = make_agent(agent).table_for(run.races.batch)  # type: ignore[attr-defined]
    assert (table.leaf.prior, table.has_policy) == (1.0, False)
    result = evaluate([agent, "random", "random", "random"], "dizzy_highway", games=4, seed=1)
    assert result.rows[0].win_rate == 1.0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--courses", "dizy_highway"], "dizzy_highway"),
        (["--agent", "gredy"], "greedy"),
        (["--explore", "2"], "--explore: expected 0 to 1"),
        (["--shop-around", "-1"], "--shop-around: expected 0 to 1"),
        (["--games", "0"], "--games: expected at least 1"),
        (["--courses", "generated:levls=3"], "unknown key 'levls'"),
        (["--generated", "1"], "--generated: expected over 0 and under 1"),
        (["--at-once", "0"], "--at-once: expected at least 1"),
        (["--held-out", "1"], "--held-out: expected at least 2"),
        (["--explore", "0.7", "--wander", "0.7"], "at most 1 together"),
        (["--rules", "{"], "--rules: expected JSON"),
        (["--players", "4", "9"], "players"),
        (["--rollouts", "-1"], "--rollouts: expected at least 0"),
        (["--lr", "-1"], "--lr: expected at least 0"),
        (["--decay", "-1"], "--decay: expected at least 0"),
        (["--rollout-share", "2"], "--rollout-share: expected 0 to 1"),
        (["--rollouts", "4", "--rollout-share", "0"], "--rollout-share over 0"),
    ],
)
def test_wrong_options_are_told_in_one_line(
    tmp_path: Path, given: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["train", "value", "--out", str(tmp_path / "x"), *given])
    text = capsys.readouterr().err
    assert stop.value.code == 2
    assert text.count("\n") == 1
    assert message in text
    assert not (tmp_path / "x").exists()


def test_another_run_in_the_folder_is_refused(tmp_path: Path) -> None:
    Run(options(tmp_path)).save()
    with pytest.raises(RoboRallyError, match=r"--hidden 16.*32"):
        Run(options(tmp_path, hidden=32))


def test_every_batch_has_the_named_courses_and_generated_ones_of_its_own(tmp_path: Path) -> None:
    given = {"courses": ["dizzy_highway", "twister", "generated:seed=3"], "at_once": 8, "generated": 0.75}
    run = Run(options(tmp_path, **given))
    first, second = (run.races.new(number) for number in (0, 1))
    for batch in (first, second):
        slugs = [course.slug for course in batch.courses]
        assert len(slugs) == 8
        assert [slug for slug in slugs if "generated" not in slug] == ["dizzy_highway", "twister"]
    assert not {c.slug for c in first.courses if "generated" in c.slug} & {c.slug for c in second.courses}
    net = net_of(run.net.arrays())
    for mine, its in zip(run.races.play(1, net), Run(options(tmp_path, **given)).races.play(1, net), strict=True):
        np.testing.assert_array_equal(mine, its)


def test_a_run_on_generated_courses_that_was_stopped_goes_on_as_it_was(tmp_path: Path) -> None:
    given = {"courses": ["dizzy_highway", "generated:seed=3,levels=9"], "at_once": 4, "positions": 900, "games": 12}
    Run(options(tmp_path / "whole", **given)).work()
    parts = Run(options(tmp_path / "parts", checkpoint_every=0.0, **given))
    report = parts.report
    parts.report = lambda *losses: (report(*losses), setattr(parts, "stopped", True))  # type: ignore[method-assign]
    parts.work()
    again = Run(options(tmp_path / "parts", **given))
    assert again.count["batches"] == 1
    again.work()
    assert (tmp_path / "whole" / "weights.npz").read_bytes() == (tmp_path / "parts" / "weights.npz").read_bytes()


@pytest.mark.slow
def test_rows_that_were_written_after_the_checkpoint_are_not_written_twice(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    Run(options(whole, positions=5000)).work()
    run = Run(options(parts, positions=5000))
    run.play_and_learn()
    run.save()
    for _ in range(4):
        run.play_and_learn()  # lost
    Run(options(parts, positions=5000)).work()
    first, second = (losses(folder / "progress.csv") for folder in (whole, parts))
    assert first == second
    assert len(first) > 2


def test_rollouts_measure_the_network_too(tmp_path: Path) -> None:
    Run(options(tmp_path, rollouts=8, rollout_share=0.3)).work()
    rows = list(csv.DictReader((tmp_path / "progress.csv").open()))
    assert rows
    for row in rows:
        assert 0.02 < float(row["rms"]) < 0.4
        assert 0.02 < float(row["rms_of_prior"]) < 0.4


def losses(path: Path) -> list[tuple[str, str, str]]:
    """progress.csv without the seconds."""
    rows = csv.DictReader(path.open())
    return [(row["positions"], row["log_loss"], row["log_loss_of_prior"]) for row in rows]


def test_the_first_batch_is_followed_by_a_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(options(tmp_path))
    saved: list[int] = []
    save = run.save
    monkeypatch.setattr(run, "save", lambda: (saved.append(run.count["batches"]), save()))
    run.work()
    assert saved[0] == 1
