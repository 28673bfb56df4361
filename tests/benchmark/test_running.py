"""What is counted, and that neither workers nor a stop change it."""

import csv
import json

import numpy as np
import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.evaluation import decisions
from roborally_env.evaluation.benchmark import benchmark, card_of, parts
from roborally_env.evaluation.benchmark.card import write_files
from roborally_env.evaluation.benchmark.parts import Outcome
from roborally_env.evaluation.benchmark.scores import interval, score_of, times_of
from roborally_env.evaluation.benchmark.timed_agent import Watched
from roborally_env.evaluation.statistics import wilson
from roborally_env.executors import processes
from roborally_env.jobs.agent_files import files_of
from tests.benchmark.conftest import contents


def outcomes(measured, opponent=0):
    return [race for races in measured.races(opponent).values() for race in races]


def test_an_agent_like_its_opponents_wins_a_quarter(tmp_path):
    measured = benchmark("greedy", against=["greedy"], out=tmp_path / "out")
    row = card_of(measured)["against"]["greedy"]
    assert measured.complete
    assert {name: (each["score"], each["races"]) for name, each in row["scores"].items()} == {
        "all": (0.25, 48), "training": (0.25, 24), "test": (0.25, 24),
    }  # fmt: skip
    assert (row["scores"]["all"]["low"], row["scores"]["all"]["high"]) == (0.25, 0.25), "whatever deals are drawn"
    assert [each["course"] for each in row["courses"]] == ["dizzy_highway", "risky_crossing"]


def test_an_error_loses_its_own_race_only(bots, tmp_path):
    measured = benchmark(f"{bots}:Fails", against=["greedy"], quick=True, out=tmp_path / "fails")
    sound = benchmark("greedy", against=["greedy"], quick=True, out=tmp_path / "sound")
    for mine, its in zip(outcomes(measured), outcomes(sound), strict=True):
        if mine.race % 4 in (1, 2):
            assert (mine.crashed, mine.won) == (True, False)
        elif mine.race % 4 == 0:
            assert not mine.crashed
            assert mine.rounds > 0
        assert (mine.race, mine.deal, mine.seat, mine.start) == (its.race, its.deal, its.seat, its.start)
    card = card_of(measured)
    assert card["against"]["greedy"]["scores"]["all"]["crashes"] == sum(race.crashed for race in outcomes(measured))
    assert any(
        line.startswith("agent 'fails': act raised ValueError: not this (bots.py, line") for line in card["crashes"]
    )
    assert any("agent 'fails': act gave shape (1, 4)" in line for line in card["crashes"])
    assert any("agent 'fails': choose gave 99 to 99; expected 0 to" in line for line in card["crashes"])
    assert "Traceback" in measured.traceback
    assert "not this" in measured.traceback


def test_illegal_registers_are_counted(bots, tmp_path):
    measured = benchmark(f"{bots}:Illegal", against=["uniform"], quick=True, out=tmp_path / "out")
    races = outcomes(measured, 1)
    assert all(race.repairs >= 4 for race in races)
    assert card_of(measured)["against"]["uniform"]["scores"]["all"]["repairs"] == sum(race.repairs for race in races)
    assert not any(race.crashed for race in races)


def test_races_without_a_winner_are_counted(monkeypatch, tmp_path):
    monkeypatch.setattr(parts, "MAX_ROUNDS", 1)
    measured = benchmark("random", against=["uniform"], quick=True, out=tmp_path / "out")
    scores = card_of(measured)["against"]["uniform"]["scores"]["all"]
    assert (scores["cut"], scores["wins"], scores["score"]) == (24, 0, 0.0)
    assert 0.0 == scores["low"] < scores["high"] < 0.2, "nothing won says something all the same"


def test_two_workers_and_a_stop_give_the_same_bytes(bots, tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "WORTH_WORKERS", 0.0)
    pool, started = processes.ProcessPoolExecutor, []
    monkeypatch.setattr(processes, "ProcessPoolExecutor", lambda *given: (started.append(given[0]), pool(*given))[1])
    spec = f"{bots}:Fails"

    def stop(done, races):
        if done >= 18:
            raise KeyboardInterrupt

    stopped = benchmark(spec, against=["greedy"], out=tmp_path / "stopped", progress=stop)
    assert not stopped.complete
    assert len(stopped.parts) == 3
    before = contents(tmp_path / "stopped" / "parts")
    cards = []
    for name, number in (("one", 1), ("two", 2), ("stopped", 1)):
        measured = benchmark(spec, against=["greedy"], out=tmp_path / name, workers=number)
        card = card_of(measured, command=name)
        write_files(measured, card)
        assert measured.complete
        cards.append({key: value for key, value in card.items() if key != "run"})
    assert started == [2]
    assert cards[0] == cards[1] == cards[2]
    found = [contents(tmp_path / name, "times", "card") for name in ("one", "two", "stopped")]
    assert len(found[0]) == 8 + 3, "the parts, the manifest, the table of races, a traceback"
    assert found[0] == found[1] == found[2]
    assert before.items() <= contents(tmp_path / "stopped" / "parts").items()


def test_the_table_of_races_is_the_same_for_every_agent_but_for_what_happened(tmp_path):
    tables = []
    for agent in ("random", "greedy"):
        measured = benchmark(agent, against=["greedy"], quick=True, out=tmp_path / agent)
        write_files(measured, card_of(measured))
        tables.append(list(csv.DictReader((tmp_path / agent / "races.csv").open())))
    for mine, its in zip(*tables, strict=True):
        for column in ("opponent", "course", "set", "seed", "race", "deal", "seat", "start"):
            assert mine[column] == its[column]
    assert [row["won"] for row in tables[0]] != [row["won"] for row in tables[1]]


def test_a_finished_part_is_not_played_again_and_a_damaged_one_is(tmp_path):
    out = tmp_path / "out"
    benchmark("random", against=["greedy"], quick=True, out=out)
    before = contents(out / "parts")
    stamps = {path: path.stat().st_mtime_ns for path in (out / "parts").iterdir()}
    damaged = sorted(stamps)[0]
    damaged.write_text('{"races": [', encoding="utf-8")
    reported = []
    benchmark("random", against=["greedy"], quick=True, out=out, progress=lambda *numbers: reported.append(numbers))
    assert reported == [(18, 24), (24, 24)]
    assert contents(out / "parts") == before
    assert all(path.stat().st_mtime_ns == at for path, at in stamps.items() if path != damaged)


@pytest.mark.parametrize(
    ("folder", "key", "value"),
    [
        ("parts", "races", lambda races: [["x"] * len(race) for race in races]),
        ("parts", "races", lambda races: [[*race[:4], "x", *race[5:]] for race in races]),
        ("parts", "races", lambda races: [[race[0] + 1, *race[1:]] for race in races]),
        ("parts", "crashes", lambda crashes: 5),
        ("parts", "traceback", lambda text: ["x"]),
        ("times", "rows, microseconds", lambda calls: [[1, "x"]]),
        ("times", "rows, microseconds", lambda calls: [1]),
    ],
)
def test_a_part_with_other_values_is_played_again(folder, key, value, tmp_path):
    benchmark("random", against=["uniform"], quick=True, out=tmp_path)
    path = min((tmp_path / folder).iterdir())
    found = json.loads(path.read_text())
    path.write_text(json.dumps({**found, key: value(found[key])}))
    again = benchmark("random", against=["uniform"], quick=True, out=tmp_path)
    assert again.complete
    assert folder == "times" or json.loads(path.read_text()) == found
    card_of(again)


def test_opponents_may_be_added_later(tmp_path):
    out = tmp_path / "out"
    assert list(card_of(benchmark("random", against=["uniform"], quick=True, out=out))["against"]) == ["uniform"]
    both = benchmark("random", quick=True, out=out)
    assert list(card_of(both)["against"]) == ["greedy", "uniform"]
    assert both.complete


def test_another_benchmark_in_the_folder_is_refused(bots, tmp_path):
    out = tmp_path / "out"
    benchmark(f"{bots}:Fails", against=["uniform"], quick=True, out=out)
    for wrong, message in {
        "greedy": 'config.agent.*"greedy"',
        f"{bots}:Fails": "config.files.bots.py",
    }.items():
        bots.write_text(bots.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
        with pytest.raises(RoboRallyError, match=message):
            benchmark(wrong, against=["uniform"], quick=True, out=out)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").touch()
    with pytest.raises(RoboRallyError, match=r"letter\.txt"):
        benchmark("random", out=tmp_path / "full")
    (tmp_path / "full" / "manifest.json").write_text(json.dumps({"config": {}, "versions": {}}))
    with pytest.raises(RoboRallyError, match="manifest"):
        benchmark("random", out=tmp_path / "full")


def test_a_card_names_the_files_of_an_agent(bots, tmp_path):
    assert set(benchmark(f"{bots}:Illegal", against=["uniform"], quick=True, out=tmp_path / "a").files) == {"bots.py"}
    files = benchmark("learned", against=["uniform"], quick=True, out=tmp_path / "b").files
    assert [(name, len(digest)) for name, digest in files.items()] == [("learned_2016.npz", 64)]
    files = files_of(["ppo", "greedy"], "lighter")
    assert [(name, len(digest)) for name, digest in files.items()] == [("ppo_lighter.npz", 64)]


def races(rows):
    """Outcomes of four races a deal, from the numbers of wins of each deal."""
    return [
        Outcome(4 * deal + seat, deal, seat, 0, seat < wins, 5, False, 0, False)
        for deal, wins in enumerate(rows)
        for seat in range(4)
    ]


def test_the_interval_is_over_deals():
    even, uneven = [races([2, 2, 2, 2])] * 2, [races([0, 4, 0, 4])] * 2
    assert interval(even) == (0.5, 0.5)
    low, high = interval(uneven)
    assert low < 0.3
    assert high > 0.7
    assert interval(uneven) == (low, high), "the same draws each time"


def test_intervals_of_few_deals_are_wide_enough() -> None:
    """With three deals on each of eleven courses, as with --quick, about 93 of 100 intervals have the true score."""
    rng, held, chance, tries = np.random.default_rng(0), 0, 0.3, 150
    for _ in range(tries):
        won = rng.random((11, 3, 4)) < chance
        courses = [
            [Outcome(4 * deal + seat, deal, seat, 0, bool(won[course, deal, seat]), 9, False, 0, False)
             for deal in range(3) for seat in range(4)]
            for course in range(11)
        ]  # fmt: skip
        low, high = interval(courses)
        held += low <= chance <= high
    assert held / tries > 0.9
    one = [[race for race in course if race.deal == 0] for course in courses]
    assert interval(one) == wilson(sum(race.won for course in one for race in course), 44)


def test_a_score_is_the_mean_of_the_courses():
    score = score_of({"a": races([4, 4]), "b": races([0] * 6), "c": []})
    assert (score.score, score.courses, score.races, score.wins) == (0.5, 2, 32, 8)
    assert score_of({"a": []}) is None


def test_the_time_of_a_call_is_shared_by_its_rows():
    times = times_of([(1, 9000), (3, 3000)])
    assert (times.decisions, times.median_ms, times.mean_ms) == (4, 1.0, 3.0)
    assert times_of([]) is None


def test_a_long_part_goes_on_from_its_decisions(bots, tmp_path, monkeypatch):
    """Also in its lost races; the times of decisions made before the stop are kept."""
    spec, act, partial = f"{bots}:Fails", Watched.act, tmp_path / "data" / "begun"
    given = {"against": ["greedy"], "quick": True}
    whole = benchmark(spec, out=tmp_path / "whole", **given)
    monkeypatch.setattr(decisions, "SLICE", 0.0)

    def stopping(self, observations, masks, info):
        if partial.exists():
            raise KeyboardInterrupt
        return act(self, observations, masks, info)

    monkeypatch.setattr(Watched, "act", stopping)
    assert not benchmark(spec, out=tmp_path / "data", **given).complete
    assert len(list(partial.iterdir())) == 1
    monkeypatch.setattr(Watched, "act", act)
    found = benchmark(spec, out=tmp_path / "data", **given)
    assert contents(tmp_path / "data", "times") == contents(tmp_path / "whole", "times")
    assert found.times.decisions == whole.times.decisions
    assert found.crashes == whole.crashes
