"""What `learned-search` looks at, how long it thinks, and how it and `learned` answer questions."""

import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from roborally_env.agents import Info, learned_search, make_agent, quick_search
from roborally_env.agents.candidates import CHANCE, DEALT, FEATURES, MOST, OUTCOMES, new_work, write_decisions
from roborally_env.agents.planner import weights_of
from roborally_env.agents.rollout import (
    BASE,
    DEAL,
    GREEDY,
    MIXED,
    POLICY,
    SEARCH,
    TRIAL,
    deal_out,
    drop_worse,
    follow_greedy,
    play_deal,
    play_purchase,
    propose,
    propose_purchases,
)

from roborally_env import BatchRace
from roborally_env.core.choices import BUY_UPGRADE, REBOOT_FACING
from roborally_env.core.searching.among_others import redeal_for
from roborally_env.core.searching.distances import remaining
from tests.sizes import size, some_rows

SPEC = "learned-search:simulations=150"
BUYS = "learned-search:simulations=3000,ahead=2"
PLAYERS = 4


def race(rounds: int = 0, games: int = 4, course: str = "dizzy_highway", **options: object) -> BatchRace:
    """Races that wait for programs after `rounds` rounds."""
    batch = BatchRace(games, course, players=PLAYERS, observation="none", seed=8, **options)  # type: ignore[arg-type]
    while not (batch.programming & (batch.games["round_number"] > rounds)).all():
        batch.step(*batch.sample())
    return batch


def decisions(agent: object, batch: BatchRace, seat: int = 0) -> np.ndarray:
    games = np.arange(batch.num_games)
    info = Info(batch, games, np.full(batch.num_games, seat))
    return agent.act(None, batch.observations["masks"][games, seat], info)  # type: ignore[attr-defined]


@pytest.mark.parametrize("rounds", [0, 1])
@pytest.mark.parametrize("spec", [f"{SPEC},ahead=1", f"{SPEC},others=search", "learned:ahead=3"])
def test_no_decision_depends_on_the_cards_that_others_hold(spec: str, rounds: int) -> None:
    batch = race(rounds=rounds)
    other = batch.redeal(0, 9)
    assert (other.games["hand"][:, 1:] != batch.games["hand"][:, 1:]).any(axis=(1, 2)).all()
    other.games["key"], other.games["draws"] = batch.games["key"], batch.games["draws"]
    agent = make_agent(spec, 2)
    np.testing.assert_array_equal(decisions(agent, batch), decisions(agent, other))


def test_no_decision_depends_on_the_order_of_the_own_pile() -> None:
    batch = race(rounds=1)
    agent = make_agent(f"{SPEC},ahead=1", 2)
    before = decisions(agent, batch)
    for game in range(batch.num_games):
        drawable = int(batch.games["drawable"][game, 0])
        batch.games["pile"][game, 0, :drawable] = batch.games["pile"][game, 0, :drawable][::-1].copy()
    np.testing.assert_array_equal(decisions(agent, batch), before)


def test_what_was_looked_at_before_changes_nothing() -> None:
    batch, elsewhere = race(rounds=1), race(course="twister")
    agent = make_agent(f"{SPEC},ahead=1", 2)
    first = decisions(agent, batch)
    decisions(agent, elsewhere)
    np.testing.assert_array_equal(decisions(agent, batch), first)


def test_further_rounds_are_played_and_equal_positions_once() -> None:
    batch = race(course="twister")
    table = make_agent(SPEC).table_for(batch)  # type: ignore[attr-defined]
    left = propose(table, batch.games, 0, 1)
    play_deal(table, 1, np.uint64(5), 0, left, 0, GREEDY)
    there = table.records[TRIAL].copy()
    found = []
    for rounds in (0, 1, 2, 1):
        table.records[TRIAL] = there
        found.append(follow_greedy(table, 1, np.uint64(5), rounds))
        if rounds == 2:
            table.seen[:] = 0
    chances, spent = zip(*found, strict=True)
    assert all(0 < chance < 1 for chance in chances)
    assert 0 == spent[0] < spent[1]  # programs were looked for
    assert spent[2] == 0  # what is kept
    assert chances[1] == chances[3]


def test_a_short_search_finds_more_of_planners_programs_for_the_others() -> None:
    batch = race(rounds=2, games=30, course="twister")
    table = make_agent(SPEC).table_for(batch)  # type: ignore[attr-defined]
    dealt, agreed = batch.copy(), dict.fromkeys((GREEDY, POLICY, SEARCH), 0)
    submitted = {}
    for game in range(batch.num_games):
        propose(table, batch.games, game, 1)
        dealt.games[game] = table.records[BASE]
        redeal_for(dealt.games[game], 1, np.uint64(game))
        for others in agreed:
            deal_out(table, 1, np.uint64(game), others)
            submitted[others, game] = table.records[DEAL]["registers"].copy()
    planner = make_agent("planner:simulations=3000,ahead=0")
    for seat in (0, 2, 3):
        programs = decisions(planner, dealt, seat)
        for game, program in enumerate(programs):
            cards = dealt.games["hand"][game, seat][program]
            for others in agreed:
                agreed[others] += (submitted[others, game][seat] == cards).all()
    assert agreed[SEARCH] > 1.3 * max(agreed[GREEDY], agreed[POLICY])


def test_others_that_are_greedy_submit_what_greedy_submits() -> None:
    batch = race(rounds=2, games=10, course="twister")
    table = make_agent(SPEC).table_for(batch)  # type: ignore[attr-defined]
    dealt, submitted = batch.copy(), []
    for game in range(batch.num_games):
        propose(table, batch.games, game, 1)
        dealt.games[game] = table.records[BASE]
        redeal_for(dealt.games[game], 1, np.uint64(game))
        deal_out(table, 1, np.uint64(game), GREEDY)
        submitted.append(table.records[DEAL]["registers"].copy())
    for seat in (0, 2, 3):
        for game, program in enumerate(decisions(make_agent("greedy"), dealt, seat)):
            np.testing.assert_array_equal(submitted[game][seat], dealt.games["hand"][game, seat][program])


def test_by_default_the_others_are_greedy() -> None:
    batch = race(rounds=2, games=12, course="twister")
    found = {
        others: decisions(make_agent(f"learned-search:simulations=500{others}", 2), batch).tolist()
        for others in ("", ",others=greedy", ",others=policy")
    }
    assert found[""] == found[",others=greedy"] != found[",others=policy"]


def test_mixed_programs_of_the_others_are_searched_for_in_every_fourth_deal() -> None:
    batch = race(course="twister")
    table = make_agent(SPEC).table_for(batch)  # type: ignore[attr-defined]
    left = propose(table, batch.games, 0, 1)
    differ = 0
    for deal in range(6):
        found = {}
        for others in (POLICY, SEARCH, MIXED):
            table.totals[:] = 0.0
            play_deal(table, 1, np.uint64(5), deal, left, 0, others)
            found[others] = table.totals[:left].tolist()
        assert found[MIXED] == found[SEARCH if deal % 4 == 0 else POLICY]
        differ += found[SEARCH] != found[POLICY]
    assert differ == 6


def test_learned_looks_a_round_further_in_as_many_heats_as_asked() -> None:
    batch = race(rounds=1, course="twister")
    one, seats = np.zeros(1, np.int64), np.array([1])
    found = []
    for ahead in (0, 4):
        work = new_work(batch, 1, ahead=ahead)
        shapes = (1, MOST, FEATURES), (1, MOST, OUTCOMES)
        rows, outcomes = (np.zeros(shape, np.float32) for shape in shapes)
        programs, counts = np.zeros((1, MOST, 5), np.int8), np.zeros(1, np.int64)
        write_decisions(
            batch.maps, batch.games, one, seats, np.uint64(3), np.ones(1, np.int64), weights_of(batch.game), work, rows,
            outcomes, programs, counts,
        )  # fmt: skip
        found.append(work.tally.chances[: counts[0], 0])  # of all candidates in the first deal
    now, later = found
    going_on = (now > 0) & (now < 1)
    assert going_on.any()
    assert (now[going_on] != later[going_on]).all()
    np.testing.assert_array_equal(now[~going_on], later[~going_on])
    further = 2 * later - now  # the chance after the further round, of which `later` is the mean with `now`
    assert (further >= -1e-9).all()
    assert (further <= 1 + 1e-9).all()


def test_of_candidates_with_equal_results_one_is_kept() -> None:
    batch = race()
    table = make_agent(SPEC).table_for(batch)  # type: ignore[attr-defined]
    table.order[:6] = np.arange(6)
    table.totals[:6] = [1.0, 3.0, 2.0, 3.0, 2.0, 0.5]
    assert drop_worse(table.order, table.totals, 6, 4, 3) == 4  # too few deals to tell
    np.testing.assert_array_equal(table.order[:4], [1, 3, 2, 4])
    table.order[:6] = np.arange(6)
    assert drop_worse(table.order, table.totals, 6, 4, 10) == 4
    np.testing.assert_array_equal(table.order[:4], [1, 2, 0, 5])


def purchases(games: int = 6) -> tuple[BatchRace, np.ndarray, np.ndarray, np.ndarray]:
    """Races in which a seat may buy: the batch, games, the seats that are asked, and their masks."""
    batch = BatchRace(games, "dizzy_highway", players=PLAYERS, observation="none", seed=8)
    rows, seats = np.arange(games), batch.games["ask_seat"].astype(np.int64)
    return batch, rows, seats, batch.observations["choice_masks"][rows, seats]


def test_purchases_are_played_out_with_enough_simulations() -> None:
    batch, games, seats, masks = purchases()
    info = Info(batch, games, seats)
    few, enough, learned = (
        make_agent(spec).choose(None, masks, info)  # type: ignore[attr-defined]
        for spec in ("learned-search:simulations=3000", BUYS, "learned")
    )
    assert masks[games, enough].all()
    np.testing.assert_array_equal(few, learned)
    assert (enough != learned).any()
    agent = make_agent(BUYS)
    alone = agent.choose(None, masks[3:4], Info(batch, games[3:4], seats[3:4]))  # type: ignore[attr-defined]
    assert alone[0] == enough[3]


def test_a_purchase_does_not_depend_on_what_nobody_sees() -> None:
    batch = race(games=12)
    for _ in range(3):  # to the purchases of the second round
        batch.step(*batch.sample())
    games = np.flatnonzero(batch.games["ask_kind"] == BUY_UPGRADE)
    seats = batch.games["ask_seat"][games].astype(np.int64)
    masks = batch.observations["choice_masks"][games, seats]
    agent = make_agent(BUYS)
    before = agent.choose(None, masks, Info(batch, games, seats))  # type: ignore[attr-defined]
    assert len(games) > 3
    other = batch.copy()
    for game in games:
        for robot in range(PLAYERS):
            drawable = int(batch.games["drawable"][game, robot])
            other.games["pile"][game, robot, :drawable] = batch.games["pile"][game, robot, :drawable][::-1].copy()
    assert (other.games["pile"] != batch.games["pile"]).any(axis=(1, 2))[games].all()
    after = agent.choose(None, masks, Info(other, games, seats))  # type: ignore[attr-defined]
    np.testing.assert_array_equal(after, before)


def test_the_network_likes_a_purchase_as_much_as_in_learned() -> None:
    batch, games, seats, masks = purchases()
    agent = make_agent("learned-search")
    table = agent.table_for(batch)  # type: ignore[attr-defined]
    learned = make_agent("learned").choose(None, masks, Info(batch, games, seats))  # type: ignore[attr-defined]
    for game in games:
        left = propose_purchases(table, batch.games, game, seats[game], masks[game])
        options = table.order[:left]
        np.testing.assert_array_equal(options, np.flatnonzero(masks[game, 1:]))
        assert 1 + options[np.argmax(table.scores[options])] == learned[game]


def test_a_budget_buys_deals_of_purchases_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock in which an option's deal takes a tenth of a millisecond."""
    now, ends = [0.0], []

    def timed(table: Any, seat: int, stream: int, deal: int, left: int, rounds: int) -> int:
        now[0] += 1e-4 * left
        return int(play_purchase(table, seat, stream, deal, left, rounds))

    monkeypatch.setattr(learned_search, "play_purchase", timed)
    monkeypatch.setattr(learned_search, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    batch, games, seats, masks = purchases(3)
    agent = make_agent("learned-search:budget=50ms,ahead=2")
    agent.choose(None, masks, Info(batch, games, seats))  # type: ignore[attr-defined]
    for k in games:
        started = now[0]
        agent.choose(None, masks[k : k + 1], Info(batch, games[k : k + 1], seats[k : k + 1]))  # type: ignore[attr-defined]
        ends.append(1000 * (now[0] - started))
    assert np.allclose(ends, 50, rtol=0.2)


@pytest.mark.parametrize(
    ("options", "candidates"),
    [
        ("simulations=2999", 200),
        ("simulations=15000", 400),
        ("simulations=15000,ahead=0", 200),
        ("simulations=30000", 1_000),
        ("budget=0.3s", 1_000),
        ("budget=1s", 1_500),
        ("budget=1s,candidates=7", 7),
        ("candidates=5000", 5_000),
    ],
)
def test_more_effort_tries_more_programs(options: str, candidates: int) -> None:
    batch = race(games=1, course="twister")
    table = make_agent(f"learned-search:{options}").table_for(batch)  # type: ignore[attr-defined]
    count = propose(table, batch.games, 0, 0)
    everything = make_agent("learned-search:candidates=15120").table_for(batch)  # type: ignore[attr-defined]
    assert count == min(candidates, propose(everything, batch.games, 0, 0))
    tried = {tuple(program) for program in table.programs[:count]}
    assert len(tried) == count
    assert tried <= {tuple(program) for program in everything.programs}


def test_the_only_candidate_is_the_best_program_alone() -> None:
    batch = race()
    np.testing.assert_array_equal(
        decisions(make_agent("learned-search:candidates=1"), batch), decisions(make_agent("greedy"), batch)
    )


def test_the_former_option_rounds_has_no_effect_but_a_warning() -> None:
    batch = race()
    with pytest.warns(DeprecationWarning, match="rounds.*ahead"):
        former = make_agent(f"{SPEC},rounds=1", 2)
    np.testing.assert_array_equal(decisions(former, batch), decisions(make_agent(SPEC, 2), batch))


def test_more_simulations_look_at_more_deals_and_the_clock_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def counted(*given: object) -> int:
        played[-1] += 1
        return int(play_deal(*given))

    monkeypatch.setattr(learned_search, "play_deal", counted)
    batch = race(games=1)
    for simulations in (300, 3_000):
        played.append(0)
        decisions(make_agent(f"learned-search:simulations={simulations}"), batch)
    assert played[1] > 3 * played[0] > 0


@pytest.mark.parametrize("milliseconds", [50, 1000])
def test_a_budget_is_kept_by_the_clock(milliseconds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock in which a deal takes a millisecond."""
    now, ends, rng = [0.0], [], np.random.default_rng(1)

    def timed(table: Any, seat: int, stream: int, deal: int, left: int, *rest: object) -> int:
        now[0] += 0.001
        table.totals[table.order[:left]] += rng.random(left)
        return left

    monkeypatch.setattr(learned_search, "play_deal", timed)
    monkeypatch.setattr(learned_search, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    batch = race(games=3)
    agent = make_agent(f"learned-search:budget={milliseconds}ms")
    decisions(agent, batch)  # compiles
    for game in range(3):
        started = now[0]
        agent.act(None, batch.observations["masks"][[game], [0]], Info(batch, np.array([game]), np.array([0])))  # type: ignore[attr-defined]
        ends.append(1000 * (now[0] - started))
    assert np.allclose(ends, milliseconds, rtol=0.2)
    assert time.perf_counter() > 1.0  # the real one still goes


@pytest.mark.parametrize("milliseconds", [30, 100, 300])
@pytest.mark.parametrize("course", ["dizzy_highway", "twister"])
def test_a_budget_buys_as_many_candidates_as_there_is_time_for(
    course: str, milliseconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a clock in which a candidate's round takes 40 microseconds, and its further rounds 200 each."""
    now, rng = [0.0], np.random.default_rng(1)

    def timed(table: Any, seat: int, stream: int, deal: int, left: int, rounds: int, *rest: object) -> int:
        now[0] += left * (4e-5 + rounds * 2e-4)
        table.totals[table.order[:left]] += rng.random(left)
        return left

    monkeypatch.setattr(learned_search, "play_deal", timed)
    monkeypatch.setattr(learned_search, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    batch, ends = race(games=3, course=course), []
    agent = make_agent(f"learned-search:budget={milliseconds}ms")
    for _ in range(4):  # the first ones show how fast the machine is
        ends.clear()
        for game in range(3):
            started = now[0]
            agent.act(None, batch.observations["masks"][[game], [0]], Info(batch, np.array([game]), np.array([0])))  # type: ignore[attr-defined]
            ends.append(1000 * (now[0] - started))
    assert np.allclose(ends, milliseconds, rtol=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("milliseconds", size([10], [5, 10, 25]))
def test_a_small_budget_buys_as_many_deals_as_there_is_time_for(
    milliseconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a clock in which a candidate's round takes 6 microseconds, and a further one 30."""
    now, played = [0.0], []
    play_heat = quick_search.play_heat

    def timed(*arguments: Any) -> None:
        more, left, ahead = arguments[5:8]
        now[0] += more * left * (6e-6 + 3e-5 * ahead)
        played.append((more, left, ahead))
        play_heat(*arguments)

    monkeypatch.setattr(quick_search, "play_heat", timed)
    for module in (learned_search, quick_search):
        monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    batch, ends = race(games=3, course="twister"), []
    agent = make_agent(f"learned-search:budget={milliseconds}ms")
    for _ in range(6):  # the first ones show how fast the machine is
        ends.clear()
        played.clear()
        for game in range(3):
            started = now[0]
            agent.act(None, batch.observations["masks"][[game], [0]], Info(batch, np.array([game]), np.array([0])))  # type: ignore[attr-defined]
            ends.append(1000 * (now[0] - started))
    assert np.allclose(ends, milliseconds, rtol=0.2)
    heats = {left: sum(more for more, those, _ in played if those == left) for _, left, _ in played}
    assert max(heats[128], heats[43], heats[16]) < heats[5]  # deals of all candidates, and of those of the last heat
    assert {ahead for _, left, ahead in played if left == 128} == {False}


def test_a_small_budget_has_an_end_even_if_the_clock_stands_still() -> None:
    batch = race(games=1, course="twister")
    agent = make_agent("learned")
    search = quick_search.QuickSearch(batch, agent.net_for(batch), agent.seed, list(quick_search.GUESSES))  # type: ignore[attr-defined]
    before = time.perf_counter()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quick_search, "time", SimpleNamespace(perf_counter=lambda: before))
        search.choose(batch, 0, 1, before, 100.0)
    assert search.work.tally.played.max() == search.most_deals


def test_a_small_budget_plays_as_learned_with_its_candidates_in_the_same_deals() -> None:
    """`learned` with one deal plays 1, 1, 2 and 4 deals in its heats; so does a clock that leaves time for those."""
    batch = race(games=6, course="twister", rounds=2)
    games, seats = np.arange(6), np.zeros(6, np.int64)
    masks = batch.observations["masks"][games, seats]
    expected = make_agent("learned:deals=1,ahead=2").act(None, masks, Info(batch, games, seats))  # type: ignore[attr-defined]
    agent = make_agent("learned:deals=1,ahead=2")
    search = quick_search.QuickSearch(batch, agent.net_for(batch), agent.seed, [1.0] * 4)  # type: ignore[attr-defined]
    for game in games:
        work = search.work
        count = int(quick_search.take_up(batch.maps, batch.games, game, 0, work, search.rows))
        search.outcomes[:] = 0.0
        quick_search.begin_heats(work.tally, count)
        key = search.key_of(batch, int(game))
        for first, more, heat in ((0, 1, 0), (1, 1, 1), (2, 2, 2), (4, 4, 3)):
            search.play(batch, 0, key, first, more, heat, count)
        program = search.best(batch, int(game), 0, count)
        np.testing.assert_array_equal(program, expected[game])


@pytest.mark.parametrize("course", ["twister", "dizzy_highway"])
def test_of_candidates_that_did_the_same_one_plays_on_for_all(course: str) -> None:
    batch = race(games=3, course=course, rounds=1)
    agent = make_agent("learned")
    search = quick_search.QuickSearch(batch, agent.net_for(batch), agent.seed, [1.0] * 4)  # type: ignore[attr-defined]
    work, tally, found = search.work, search.work.tally, 0
    for game in range(3):
        count = int(quick_search.take_up(batch.maps, batch.games, game, 1, work, search.rows))
        search.outcomes[:] = 0.0
        quick_search.begin_heats(tally, count)
        key, deals = search.key_of(batch, game), 0
        for heat, more in enumerate((2, 2, 4, 6)):
            left = quick_search.left_in(heat, count)
            search.play(batch, 1, key, deals, more, heat, count)
            deals += more
            played = tally.by_chance[:left]
            assert sorted(tally.by_chance[:count]) == list(range(count))  # none is lost
            differ = played[tally.twin[played] < 0]
            assert (played[: len(differ)] == differ).all()
            assert len(set(tally.total[differ])) == len(differ)
            twins = played[len(differ) :]
            np.testing.assert_array_equal(tally.total[twins], tally.total[tally.twin[twins]])
        best = tally.by_chance[0]
        quick_search.sum_up(count, tally, search.rows, search.outcomes)
        twins = np.flatnonzero(tally.twin[:count] >= 0)
        for i in twins:
            other = tally.twin[i]
            while tally.twin[other] >= 0:
                other = tally.twin[other]
            np.testing.assert_array_equal(search.outcomes[i, [DEALT, CHANCE]], search.outcomes[other, [DEALT, CHANCE]])
        found += len(twins)
        assert tally.played[best] == deals
    assert found > 0


def asked(kind: int, course: str, **options: object) -> tuple[BatchRace, np.ndarray, np.ndarray]:
    """A batch in which seats are asked a choice of a kind: (batch, games, seats)."""
    batch = BatchRace(64, course, players=PLAYERS, observation="none", seed=3, decisions="all", **options)  # type: ignore[arg-type]
    for _ in range(400):
        games = np.flatnonzero((batch.games["ask_kind"] == kind) & ~batch.programming & ~batch.over)
        if len(games) >= 8:
            return batch, games, batch.games["ask_seat"][games].astype(np.int64)
        batch.step(*batch.sample())
    raise AssertionError(f"nobody was asked {kind}")


def ways_after(batch: BatchRace, games: np.ndarray, seats: np.ndarray, choices: np.ndarray) -> np.ndarray:
    """How far the robots have to go after their choices, in quarter registers."""
    after = batch.copy()
    programs, others = after.sample(3)
    others[games, seats] = choices
    after.step(programs, others)
    course = batch.maps.courses[0]
    return np.array(
        [remaining(course, batch.maps.distance, after.games[g], s) for g, s in zip(games, seats, strict=True)]
    )


@pytest.mark.slow
def test_a_robot_that_comes_back_turns_where_it_wants_to_go() -> None:
    """With `planner`'s chance to win, which depends on the way that is left."""
    batch, games, seats = asked(REBOOT_FACING, "risky_crossing")
    masks = batch.observations["choice_masks"][games, seats]
    agent = make_agent("learned-search:trust=0")
    chosen = agent.choose(None, masks, Info(batch, games, seats))  # type: ignore[attr-defined]
    default = 1 + batch.games["ask_default"][games]
    assert masks[np.arange(len(games)), chosen].all()
    assert (chosen != default).any()
    assert ways_after(batch, games, seats, chosen).mean() <= ways_after(batch, games, seats, default).mean()


def test_a_choice_does_not_depend_on_the_rows_beside_it_or_on_hidden_cards() -> None:
    batch, games, seats = asked(REBOOT_FACING, "risky_crossing")
    masks = batch.observations["choice_masks"][games, seats]
    agent = make_agent("learned")
    together = agent.choose(None, masks, Info(batch, games, seats))  # type: ignore[attr-defined]
    alone = [
        agent.choose(None, masks[k : k + 1], Info(batch, games[k : k + 1], seats[k : k + 1]))[0]  # type: ignore[attr-defined]
        for k in range(len(games))
    ]
    np.testing.assert_array_equal(together, alone)
    other = batch.redeal(int(seats[0]), 4)
    other.games["key"], other.games["draws"] = batch.games["key"], batch.games["draws"]
    again = agent.choose(None, masks[:1], Info(other, games[:1], seats[:1]))  # type: ignore[attr-defined]
    assert again[0] == together[0]


CHOOSING = {"2016": ("2016", "twister"), "2023": ("2023", "twister"), "2005": ("2005", "2005/dizzy_dash")}


@pytest.mark.parametrize(("edition", "course"), some_rows(CHOOSING, usual=["2016"]))
def test_every_choice_of_an_edition_is_answered_legally(edition: str, course: str) -> None:
    from roborally_env.evaluation.tournament import evaluate

    result = evaluate(
        ["learned", "greedy"], course, edition=edition, games=4, players=4, seed=1, max_rounds=12, decisions="all"
    )
    assert result.rows[0].repairs == 0
