"""Every agent plays each seat equally often, against all others."""

from collections import Counter
from itertools import combinations

import pytest

from roborally_env.evaluation.line_ups import LineUps


@pytest.mark.parametrize("players", range(2, 7))
def test_as_many_agents_as_players_rotate(players):
    line_ups = LineUps(players, players)
    for game in range(2 * players):
        assert line_ups.seats(game) == tuple((seat + game) % players for seat in range(players))


@pytest.mark.parametrize(("agents", "players"), [(1, 4), (2, 3), (2, 6), (3, 4), (4, 2), (5, 3), (6, 4), (8, 2)])
def test_a_full_cycle_is_balanced(agents, players):
    line_ups = LineUps(agents, players)
    cycle = len(list(combinations(range(agents), players))) if agents >= players else agents
    seats = [Counter() for _ in range(agents)]
    meetings = Counter()
    for game in range(cycle * players):
        line_up = line_ups.seats(game)
        for seat, agent in enumerate(line_up):
            seats[agent][seat] += 1
        meetings.update(pair for pair in combinations(sorted(set(line_up)), 2))
    assert len({tuple(sorted(each.items())) for each in seats}) == 1
    assert all(len(each) == players and len(set(each.values())) == 1 for each in seats)
    assert len(set(meetings.values())) <= 1 or agents < players


def test_early_games_are_near_balanced():
    line_ups = LineUps(6, 2)
    races = Counter(agent for game in range(30) for agent in line_ups.seats(game))
    assert max(races.values()) - min(races.values()) <= 2
