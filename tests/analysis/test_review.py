"""Looking back on a race: chances that add up, blunders that are some, and the same review every time."""

import dataclasses
from typing import Any

import numpy as np
import pytest
from roborally_env.agents import make_agent
from roborally_env.agents.rounds_ahead import deal, play

from roborally_env import BatchRace, ReplayError, RoboRallyError
from roborally_env.evaluation import analysis
from roborally_env.evaluation.races import decide
from roborally_env.evaluation.tournament import Result, evaluate
from roborally_env.replay import Recorder, Replay
from roborally_env.review import Review, review
from roborally_env.review.builder import Reviewer
from roborally_env.review.model import BLUNDER, PROGRAM, PURCHASE
from roborally_env.review.search import MOST

FEW = 1_000  # simulations


@pytest.fixture(scope="module")
def replay(result: Result) -> Replay:
    """A race of three `greedy` and three `random`."""
    return result.replay(max(result.races, key=lambda race: race.rounds))


@pytest.fixture(scope="module")
def found(replay: Replay) -> Review:
    """Its row in the tables."""
    return review(replay, simulations=FEW)


def test_every_round_has_chances_that_add_up_to_one(replay: Replay, found: Review) -> None:
    assert len(found.chances) == len(replay.rounds) + 1
    assert all(len(row) == replay.robots and min(row) >= 0 for row in found.chances)
    assert np.sum(found.chances[:-1], 1) == pytest.approx(1)


@pytest.mark.parametrize(
    ("edition", "course"),
    [("2016", "twister"), ("2023", "twister"), ("2005", "risky_exchange"), ("community", "summit_works")],
)
def test_a_race_that_max_rounds_ended_has_chances_to_win_at_its_end(edition: str, course: str) -> None:
    result = evaluate(["greedy"], course, edition=edition, games=1, players=4, seed=2, max_rounds=2)
    replay = result.replay(result.races[0])
    end = review(replay, simulations=FEW).chances[-1]
    assert sum(end) == pytest.approx(1)
    assert max(end) < 1


def test_a_summary_goes_from_the_first_chance_to_the_last(found: Review) -> None:
    for robot in found.robots:
        assert robot.first + robot.cards + robot.own + robot.others == pytest.approx(robot.last)
        lost = [each.loss for each in found.decisions if each.seat == robot.seat]
        assert robot.own == pytest.approx(-sum(lost))
        assert min(lost) >= 0
    assert sum(r.others for r in found.robots) == pytest.approx(
        sum(found.chances[-1]) - 1 - sum(r.cards + r.own for r in found.robots)
    )


def test_further_rounds_are_played_to_the_end_of_the_race(replay: Replay) -> None:
    """After one round nobody has won yet; after sixty the race is over."""
    reviewer = Reviewer(replay, FEW, 0)
    first = next(each for each in reviewer.positions if each.programs)
    reviewer.work.programs[MOST] = first.programs[0]
    key = np.uint64(1)
    deal(reviewer.batch.maps, first.game, 0, key, reviewer.work)
    given = reviewer.predictor.weights, reviewer.work
    soon, at_last = (play(reviewer.batch.maps, 0, MOST, key, rounds, *given) for rounds in (0, 60))
    assert 0 < soon < 1
    assert at_last in {0.0, 1.0}


def test_who_lays_anything_loses_more_by_it(found: Review) -> None:
    # later they have less to lose
    first = [each for each in found.decisions if (each.round, each.kind) == (1, PROGRAM)]
    lost = {name: [d.loss for d in first if found.agents[d.seat] == name] for name in ("greedy", "random")}
    assert len(lost["greedy"]) == len(lost["random"]) == 3
    assert sum(lost["random"]) > 2 * sum(lost["greedy"])


def test_every_program_is_told_with_its_cards(replay: Replay, found: Review) -> None:
    programs = [each for each in found.decisions if each.kind == PROGRAM]
    assert len(programs) == len(replay.rounds) * replay.robots
    for each in programs:
        assert len(each.made) == 5
        assert bool(each.better) == (each.loss > 0)
        assert sorted(each.better) != sorted(each.made) or each.better != each.made
        assert (each.mark == "blunder") == (each.loss - each.error >= BLUNDER)


def test_it_depends_on_the_seed_alone(replay: Replay, found: Review) -> None:
    assert review(replay, simulations=FEW) == found
    other = review(replay, simulations=FEW, seed=1)
    assert other.chances != found.chances
    assert np.abs(np.array(other.chances) - np.array(found.chances)).max() < 0.15


def raced(last: int = -1, seat: int = -1) -> tuple[BatchRace, Replay]:
    """A race of four `greedy`; in round `last` this seat plays what `random` would."""
    batch = BatchRace(1, "dizzy_highway", players=4, observation="none", auto_reset=False, max_rounds=30, seed=4)
    recorder, agents = Recorder(batch, 4), [make_agent("greedy"), make_agent("random", 2)]
    while not batch.over[0]:
        line_up = np.zeros((1, 4), np.int64)
        if batch.programming[0] and len(recorder.replay().rounds) == last - 1:
            line_up[0, seat] = 1
        recorder.step(*decide(batch, agents, line_up))
    return batch, recorder.replay()


def test_a_victory_thrown_away_is_a_blunder_and_the_better_program_wins() -> None:
    batch, good = raced()
    winner, last = int(batch.results["winner"][0]), len(good.rounds)
    _, bad = raced(last, winner)
    assert bad.rounds[last - 1].programs[winner] != good.rounds[last - 1].programs[winner]
    programs = [each for each in review(bad, simulations=FEW).decisions if each.kind == PROGRAM]
    blunder = next(each for each in programs if (each.round, each.seat) == (last, winner))
    assert blunder.mark == "blunder"
    assert blunder.best - blunder.chance == pytest.approx(blunder.loss)
    assert played_with(bad, last, winner, blunder.better) == winner


def played_with(replay: Replay, last: int, seat: int, cards: tuple[str, ...]) -> int:
    """The winner if a seat programs these cards in round `last`."""
    batch = replay.batch()
    answers = iter([*replay.opening, *(choice for each in replay.rounds for choice in each.choices)])
    number = 0
    while not batch.over[0] and number < last:
        programs, choices = np.zeros((1, 4, 5), np.int8), np.zeros((1, 4), np.int8)
        if batch.programming[0]:
            programs[0] = replay.rounds[number].programs
            number += 1
            if number == last:
                programs[0, seat] = slots_of(batch, seat, cards)
        else:
            asked, option = next(answers)
            choices[0, asked] = 1 + option
        batch.step(programs, choices)
    return int(batch.results["winner"][0])


def slots_of(batch: BatchRace, seat: int, cards: tuple[str, ...]) -> list[int]:
    """The slots of the hand that hold these cards."""
    hand: list[Any] = analysis.hand_of(batch, seat)
    slots = []
    for card in cards:
        slots.append(hand.index(card))
        hand[slots[-1]] = None
    return slots


def test_learned_buys_what_a_review_would_buy() -> None:
    result = evaluate(["learned:deals=0", "greedy"], "twister", games=1, players=4, seed=1, max_rounds=3)
    found = review(result.replay(result.races[0]), simulations=FEW)
    bought = {name: [d for d in found.decisions if d.kind == PURCHASE and found.agents[d.seat].startswith(name)]
              for name in ("learned", "greedy")}  # fmt: skip
    assert len(bought["learned"]) >= 3
    assert all(each.loss == 0 and not each.better for each in bought["learned"])
    assert any(each.loss > 0 for each in bought["greedy"])


def test_the_table_and_the_curve_tell_the_same(replay: Replay, found: Review) -> None:
    table = analysis.review(found)
    assert len(table) == len(found.decisions)
    assert table["loss"].tolist() == [each.loss for each in found.decisions]
    assert table["mark"].tolist() == [each.mark for each in found.decisions]
    assert set(table["agent"]) == set(replay.agents)
    assert analysis.review(replay, simulations=FEW).equals(table)
    ax = analysis.plot_chances(found)
    drawn = [line.get_ydata().tolist() for line in ax.get_lines()]
    assert drawn == [[100 * row[seat] for row in found.chances] for seat in range(replay.robots)]
    assert [text.get_text() for text in ax.texts].count("??") == sum(r.blunders for r in found.robots)


def test_errors_are_told_in_one_line(replay: Replay) -> None:
    with pytest.raises(RoboRallyError, match=r"^race.*Replay.*Review"):
        analysis.review("race.json")
    with pytest.raises(RoboRallyError, match=r"^simulations.*1000"):
        review(replay, simulations=10)
    with pytest.raises(RoboRallyError, match=r"^review"):
        review(dataclasses.replace(replay, rounds=()))
    changed = dataclasses.replace(replay.rounds[1], hash="0" * 16)
    with pytest.raises(ReplayError, match=r"^replay: round 2"):
        review(dataclasses.replace(replay, rounds=(replay.rounds[0], changed, *replay.rounds[2:])))


def test_a_race_with_other_aims_is_refused() -> None:
    batch = BatchRace(1, "2005/capture_the_flag", players=4, observation="none", auto_reset=False, seed=1)
    with pytest.raises(RoboRallyError, match=r"^review: capture_the_flag.*two_teams.*capture_the_flag"):
        review(Recorder(batch, 1).replay())
