"""`planner`: its search, the chance to win, its options."""

import numpy as np
import pytest
from roborally_env.agents import Info, make_agent
from roborally_env.agents.planner import PlannerAgent, candidates_for, seconds_of, weights_of

from roborally_env import AgentError
from roborally_env.batch import BatchRace
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.alone import best_programs, programs_near_best
from roborally_env.core.searching.among_others import chance_to_win
from roborally_env.evaluation.tournament import evaluate

QUICK = "planner:simulations=60"
AHEAD = "planner:simulations=300,ahead=1"


@kernel
def search(maps, games, values, programs, found):
    for i in range(values.shape[0]):
        for r in range(values.shape[1]):
            found[i, r] = best_programs(maps, games[i], r, values[i, r], programs[i, r])


@kernel
def chances(maps, games, weights, out):
    for i in range(out.shape[0]):
        for r in range(out.shape[1]):
            out[i, r] = chance_to_win(maps, games[i], r, weights)


def races(games=30, course="dizzy_highway", rounds=0, **options):
    batch = BatchRace(games, course, players=4, observation="none", seed=3, auto_reset=False, **options)
    while (batch.games["round_number"][~batch.over] <= rounds).any() or not batch.programming[~batch.over].all():
        batch.step(*batch.sample())
    return batch


def searched(batch, most):
    shape = (batch.num_games, 4, most)
    values, programs = np.zeros(shape), np.zeros((*shape, 5), np.int8)
    found = np.zeros(shape[:2], np.int64)
    search(batch.maps, batch.games, values, programs, found)
    return values, programs, found


def of_games(batch, games, seat):
    rows = np.asarray(games)
    return batch.observations["masks"][rows, seat], Info(batch, rows, np.full(len(rows), seat))


@kernel
def search_near(maps, games, values, programs, found, within):
    for i in range(values.shape[0]):
        for r in range(values.shape[1]):
            found[i, r] = programs_near_best(maps, games[i], r, values[i, r], programs[i, r], within)


@pytest.mark.parametrize(
    "course",
    [
        "dizzy_highway", "twister", "chop_shop_challenge", "2023/burnout", "community/terraces",
        "2005/risky_exchange", "2005/island_hop", "2005/moving_targets", "2005/chop_shop_challenge",
    ],
)  # fmt: skip
def test_what_the_search_leaves_out_is_no_better(course):
    batch = races(course=course, rounds=4)
    values, programs, found = searched(batch, 15_120)  # with so much room nothing is left out
    assert found.max() > 500
    assert (np.diff(values[0, 0, : found[0, 0]]) <= 0).all()
    for most in (1, 4):
        few_values, few_programs, _ = searched(batch, most)
        np.testing.assert_array_equal(few_values, values[:, :, :most])
        np.testing.assert_array_equal(few_programs, programs[:, :, :most])
    near, near_programs, count = np.zeros((30, 4, 4)), np.zeros((30, 4, 4, 5), np.int8), np.zeros((30, 4), np.int64)
    search_near(batch.maps, batch.games, near, near_programs, count, 2.0)
    good = values[:, :, :4] >= values[:, :, :1] - 2.0
    good &= np.arange(4) < found[:, :, None]
    assert (count >= good.sum(axis=2)).all()
    np.testing.assert_array_equal(near[good], values[:, :, :4][good])
    np.testing.assert_array_equal(near_programs[good], programs[:, :, :4][good])


def chances_of(batch):
    out = np.zeros((batch.num_games, 4))
    chances(batch.maps, batch.games, weights_of("complete"), out)
    return out


def test_the_chances_of_all_add_up_to_one():
    assert chances_of(races(course="twister", rounds=3)).sum(axis=1) == pytest.approx(1.0)


def test_the_chance_is_greater_with_a_checkpoint_more_and_less_damage():
    batch = races(course="twister", rounds=3)
    before = chances_of(batch)[:, 1]
    batch.games["reached"][:, 1] += 1
    assert (
        chances_of(batch)[:, 1] > before
    ).mean() > 0.85  # some are nearer to theirs than to the next, which rides on
    batch.games["reached"][:, 1] -= 1
    clean = np.where(batch.games["pile"][:, 1] >= 10, 1, batch.games["pile"][:, 1])
    fewer = (clean != batch.games["pile"][:, 1]).any(axis=1)
    batch.games["pile"][:, 1] = clean
    assert fewer.sum() > 5
    assert (chances_of(batch)[fewer, 1] > before[fewer]).all()
    batch.games["winner"][:] = 2
    assert (chances_of(batch) == [0, 0, 1, 0]).all()


@pytest.mark.parametrize("spec", [QUICK, AHEAD])
def test_a_program_does_not_depend_on_the_other_rows(spec):
    batch = races()
    agent = make_agent(spec, seed=4)
    whole = agent.act(None, *of_games(batch, range(30), 1))
    assert (agent.act(None, *of_games(batch, range(20, 23), 1)) == whole[20:23]).all()
    assert (make_agent(spec, seed=5).act(None, *of_games(batch, range(30), 1)) != whole).any()


@pytest.mark.parametrize("spec", [QUICK, AHEAD])
def test_the_batch_is_left_as_it_is(spec):
    batch = races()
    before = batch.games.tobytes()
    make_agent(spec).act(None, *of_games(batch, range(30), 0))
    assert batch.games.tobytes() == before


@pytest.mark.parametrize(("spec", "least"), [(QUICK.replace("60", "200"), 0.34), (AHEAD.replace("300", "2000"), 0.5)])
def test_one_planner_among_three_greedy_wins_more_than_its_share(spec, least):
    result = evaluate([spec, "greedy", "greedy", "greedy"], "twister", games=120, seed=2)
    assert result.rows[0].win_rate > least
    assert result.rows[0].repairs == 0


def test_more_effort_looks_further_ahead():
    efforts = ["simulations=9999", "simulations=10000", "simulations=100000", "budget=29ms", "budget=30ms", "budget=1s"]
    assert [make_agent(f"planner:{effort}").ahead for effort in efforts] == [0, 1, 2, 0, 1, 2]
    assert make_agent("planner:ahead=1").ahead == 1
    assert make_agent("planner:simulations=10000,ahead=0").ahead == 0


def test_the_effort_is_about_the_number_of_simulations():
    batch = races(games=4)
    for simulations in (3_000, 10_000):
        agent, programs = make_agent(f"planner:simulations={simulations},ahead=1"), np.zeros((1, 5), np.int8)
        for game in range(4):
            spent = agent._plan(of_games(batch, [game], 2)[1], slice(None), simulations, programs)
            assert simulations <= spent < 1.1 * simulations


@pytest.mark.slow
@pytest.mark.parametrize("options", ["", ",ahead=1"])
@pytest.mark.parametrize("course", ["risky_exchange", "dizzy_dash"])
def test_it_plays_the_2005_edition(course, options):
    line_up = [QUICK + options, "random", "random", "random"]
    result = evaluate(line_up, f"2005/{course}", games=8, players=4, seed=2, max_rounds=40)
    assert result.rows[0].wins >= 7
    assert result.rows[0].repairs == 0


def test_a_budget_becomes_a_number_of_simulations(monkeypatch):
    asked = []
    agent = PlannerAgent(budget="20ms")

    def plan(info, rows, simulations, programs):
        asked.append(simulations)
        return simulations

    monkeypatch.setattr(agent, "_plan", plan)
    ticks = iter(np.cumsum([0.0, 0.2, 0.0, 0.01, 0.0, 0.04]))  # 200 take 0.2 s; then 20 take half as long as expected
    monkeypatch.setattr("roborally_env.agents.planner.time.perf_counter", lambda: next(ticks))
    agent.act(None, np.zeros((2, 5, 10), np.int8), Info(None, np.arange(2), np.arange(2)))
    assert asked == [1, 200, 20, 22]


def test_a_budget_gives_programs():
    batch = races()
    programs = make_agent("planner:budget=1ms").act(None, *of_games(batch, range(30), 2))
    assert all(len(set(program)) == 5 for program in programs.tolist())


def test_more_simulations_try_more_programs():
    assert [candidates_for(n) for n in (1, 4, 100, 1000, 10**7)] == [1, 4, 27, 85, 512]


@pytest.mark.parametrize(("text", "seconds"), [("20ms", 0.02), ("0.5s", 0.5), (0.25, 0.25), ("300us", 0.0003)])
def test_times_are_read(text, seconds):
    assert seconds_of(text) == pytest.approx(seconds)


WRONG = {
    "planner:budget=fast": "budget.*0.5s.*1.*'fast'",
    "planner:budget=0ms": "budget",
    "planner:budget=-1s": "budget",
    "planner:budget=nan": "budget",
    "planner:budget=true": "budget",
    "planner:simulations=0": "simulations.*1",
    "planner:simulations=1.5": "simulations.*1",
    "planner:simulations=true": "simulations.*1",
    "planner:simulations=10,budget=1ms": "budget",
    "planner:candidates=-1": "candidates.*0.*15120",
    "planner:ahead=11": "ahead.*0 to 10, got 11",
    "planner:simulation=5": "'simulation' .did",
}


@pytest.mark.parametrize(("spec", "message"), WRONG.items(), ids=WRONG)
def test_wrong_options(spec, message):
    with pytest.raises(AgentError, match=message):
        make_agent(spec)
