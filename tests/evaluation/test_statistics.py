"""Intervals, ratings and the table."""

import math

import pytest

from roborally_env.evaluation.races import Race
from roborally_env.evaluation.statistics import ratings, table, wilson


def race(line_up, place, rounds=5, winner=None, **more):
    players = len(line_up)
    values = {"reached": (0,) * players, "reboots": (0,) * players, "damage": (0,) * players}
    values |= {"to_go": (0.0,) * players, "repairs": (0,) * players, "course": 0, "game": 0} | more
    winner = place.index(1.0) if winner is None else winner
    return Race(line_up=line_up, place=place, rounds=rounds, winner=winner, **values)


@pytest.mark.parametrize(
    ("wins", "races", "low", "high"), [(0, 10, 0.0, 0.27753), (10, 10, 0.72247, 1.0), (5, 10, 0.23659, 0.76341)]
)
def test_wilson_interval(wins, races, low, high):
    assert wilson(wins, races) == pytest.approx((low, high), abs=1e-5)


@pytest.mark.parametrize(("wins", "races"), [(1, 3), (7, 9), (300, 500), (1, 10_000)])
def test_wilson_bounds_are_shares_from_which_the_result_is_just_probable(wins, races):
    for share in wilson(wins, races):
        assert abs(wins / races - share) == pytest.approx(1.96 * math.sqrt(share * (1 - share) / races), rel=1e-3)


def test_wilson_interval_of_nothing():
    assert wilson(0, 0) == (0.0, 1.0)


def test_ratings_follow_the_places():
    races = [race((0, 1, 2), (1.0, 2.0, 3.0))] * 30 + [race((1, 0, 2), (1.0, 2.0, 3.0))] * 5
    (first, sigma), (second, _), (third, _) = ratings(3, races)
    assert first > second > third
    assert sigma < 25 / 3


def test_those_level_stay_level():
    (a, _), (b, _), (c, _) = ratings(3, [race((0, 1, 2), (1.0, 2.5, 2.5))] * 3)
    assert a > b == pytest.approx(c)


def test_an_agent_in_two_seats_has_one_rating():
    (a, _), (b, _) = ratings(2, [race((0, 1, 0), (1.0, 3.0, 2.0)), race((1, 0, 1), (2.0, 1.0, 3.0))])
    assert a > 25 > b


def test_an_agent_against_itself_is_not_rated():
    assert ratings(1, [race((0, 0), (1.0, 2.0))]) == [(25.0, 25 / 3)]


def test_the_table():
    races = [
        race((0, 1), (1.0, 2.0), rounds=4, reboots=(1, 3), damage=(2, 6)),
        race((1, 0), (1.0, 2.0), rounds=6, reboots=(0, 0), damage=(0, 4)),
        race((0, 1), (1.0, 2.0), rounds=9),
        race((1, 0), (1.5, 1.5), rounds=150, winner=-1, repairs=(2, 0)),
    ]
    a, b = table(["a", "b"], races)
    assert (a.agent, a.races, a.wins, a.win_rate, a.cut) == ("a", 4, 2, 0.5, 1)
    assert (a.mean_place, b.mean_place) == (1.375, 1.625)
    assert (a.rounds_won_mean, a.rounds_won_median) == (6.5, 6.5)
    assert a.rounds_mean == pytest.approx(19 / 3)
    assert a.rounds_median == 6
    assert (a.reboots, b.reboots, a.damage, b.damage) == (0.25, 0.75, 1.5, 1.5)
    assert (a.repairs, b.repairs) == (0, 2)
    assert a.ordinal == a.mu - 3 * a.sigma
    assert a.win_low < 0.5 < a.win_high


def test_who_never_won_has_no_rounds_to_win():
    _, b = table(["a", "b"], [race((0, 1), (1.0, 2.0))])
    assert (b.rounds_won_mean, b.rounds_won_median, b.rounds_mean) == (None, None, 5)
