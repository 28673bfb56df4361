"""Tournaments: the same for the same seed, whatever plays them."""

import json
import threading

import pytest
from roborally_env.agents import make_agent

from roborally_env import AgentError, RoboRallyError
from roborally_env.evaluation.files import chosen_races
from roborally_env.evaluation.tournament import evaluate
from roborally_env.executors import processes
from tests.games import GAMES

FIRST = "tests.evaluation.agents:FirstCards"
SHORT = {"games": 13, "seed": 5, "max_rounds": 5}


@pytest.fixture(scope="module", params=GAMES.values(), ids=GAMES)
def short(request):
    """What the races of `result` have in common."""
    return {**SHORT, "rules": request.param}


@pytest.fixture(scope="module")
def result(short):
    return evaluate(["random", FIRST, "greedy"], ["dizzy_highway", "twister"], **short)


def test_every_race_is_there_and_balanced(result):
    assert result.complete
    assert [(race.course, race.game) for race in result.races] == [(c, g) for c in (0, 1) for g in range(13)]
    assert result.races[1].line_up == (1, 2, 0)
    assert all(sum(race.place) == 6 for race in result.races)
    assert result.cut == sum(race.winner < 0 and race.rounds == 5 for race in result.races) > 0
    assert all(race.repairs == (0, 0, 0) for race in result.races)


def test_the_winner_stands_at_the_last_checkpoint(result):
    for race in result.races:
        if race.winner >= 0:
            assert race.place[race.winner] == 1
            assert race.to_go[race.winner] == 0
        assert all(left >= 0 for left in race.to_go)


def test_greedy_beats_random(result):
    random, _, greedy = result.rows
    assert greedy.win_rate > random.win_rate
    assert greedy.ordinal > random.ordinal


def test_chunks_change_nothing(result, short):
    again = evaluate(["random", FIRST, "greedy"], ["dizzy_highway", "twister"], chunk=5, **short)
    assert again.races == result.races
    assert json.dumps(again.to_dict()) == json.dumps(result.to_dict())


def test_workers_change_nothing(result, short, monkeypatch):
    monkeypatch.setattr(processes, "WORTH_WORKERS", 0.0)
    done = []
    again = evaluate(
        ["random", FIRST, "greedy"],
        ["dizzy_highway", "twister"],
        workers=2,
        chunk=4,
        progress=lambda played, of: done.append((played, of)),
        **short,
    )
    assert json.dumps(again.to_dict()) == json.dumps(result.to_dict())
    assert again.races == result.races
    assert done[-1] == (26, 26)
    assert [played for played, _ in done] == sorted(played for played, _ in done)


def test_another_seed_is_another_tournament(result, short):
    other = evaluate(["random", FIRST, "greedy"], "dizzy_highway", **{**short, "seed": 6})
    assert [r[3:] for r in other.races] != [r[3:] for r in result.races[:13]]


def test_a_course_alone_goes_as_among_others(result, short):
    alone = evaluate(["random", FIRST, "greedy"], "twister", **short)
    assert [race[1:] for race in alone.races] == [race[1:] for race in result.races[13:]]


def test_agents_may_be_given_as_they_are():
    agent = make_agent("random", 5)
    assert evaluate([agent, "greedy"], **SHORT).races == evaluate(["random", "greedy"], **SHORT).races


def test_an_agent_may_play_itself():
    result = evaluate(["random", "random"], games=4, seed=1, max_rounds=5)
    assert result.setup.names == ["random", "random (2)"]
    alone = evaluate(["random"], games=4, seed=1, max_rounds=5, players=3)
    assert [row.races for row in alone.rows] == [12]


def test_every_choice_may_be_asked():
    result = evaluate(["random", "greedy"], games=6, seed=2, max_rounds=12, decisions="all")
    assert result.complete


def test_ctrl_c_keeps_the_finished_races():
    def stop(played, of):
        if played >= 6:
            raise KeyboardInterrupt

    result = evaluate(["random", "random"], games=40, seed=1, max_rounds=5, chunk=4, progress=stop)
    assert not result.complete
    assert len(result.races) == 6
    assert result.to_dict()["complete"] is False
    assert result.races == evaluate(["random", "random"], games=6, seed=1, max_rounds=5).races


def test_it_plays_in_another_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(evaluate(["random", "random"], games=3, max_rounds=3)))
    thread.start()
    thread.join()
    assert found[0].complete


def test_chosen_races(result):
    chosen = chosen_races(result)
    assert {"closest_finish", "most_reboots", "win_greedy"} <= set(chosen)
    won = [race for race in result.races if race.winner >= 0]
    greedy = chosen["win_greedy"]
    assert greedy.line_up[greedy.winner] == 2
    assert greedy.rounds == min(race.rounds for race in won if race.line_up[race.winner] == 2)
    assert sum(chosen["most_reboots"].reboots) == max(sum(race.reboots) for race in result.races)


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("WrongShape", r"'wrong_shape'.*\(8, 4\)"),
        ("Broken", r"agent 'broken': act raised KeyError: 'nothing' \(agents\.py, line \d+\)"),
        ("WrongRange", "act gave 10 to 10; expected 0 to 9"),
    ],
)
def test_an_agent_that_gives_nonsense_is_named(agent, message):
    with pytest.raises(AgentError, match=message.replace("8, 4", "1, 4")):
        evaluate([f"tests.evaluation.agents:{agent}", "random"], games=4)


def test_illegal_programs_are_counted():
    result = evaluate(["tests.evaluation.agents:Moody", "random"], games=8, seed=1, max_rounds=10)
    assert result.rows[1].repairs == 0
    moody = evaluate(["tests.evaluation.agents:Moody", "random"], games=30, seed=1, max_rounds=20)
    assert moody.rows[0].repairs > 0


def test_an_agent_that_depends_on_the_batch_is_found_out():
    result = evaluate(["tests.evaluation.agents:Moody", "random"], games=30, seed=1, max_rounds=40)
    with pytest.raises(AgentError):
        _ = [result.replay(race) for race in result.races]


WRONG = {
    "agents": ({"agents": "random"}, "agents"),
    "no agents": ({"agents": []}, "agents.*1.*12"),
    "nothing for agents": ({"agents": None}, "agents.*1.*12.*None"),
    "a number in the list": ({"agents": ["random", 5]}, "agent 5.*no method act"),
    "progress": ({"progress": 1}, "progress.*1"),
    "out": ({"out": 5}, "out.*path.*5"),
    "unknown agent": ({"agents": ["randm"]}, "random"),
    "course": ({"courses": "dizy_highway"}, "dizzy_highway"),
    "twice": ({"courses": ["twister", "twister"]}, "twister"),
    "players": ({"players": 7}, "players.*2.*6.*7.*dizzy_highway"),
    "games": ({"games": 0}, "games.*1"),
    "seed": ({"seed": -1}, "seed.*0"),
    "workers": ({"workers": 0}, "workers.*1"),
    "chunk": ({"chunk": 0}, "chunk.*1"),
    "rounds": ({"max_rounds": None}, "max_rounds.*1"),
    "edition": ({"edition": "2017"}, "'2017'"),
    "rules": ({"rules": {"advnced": True}}, "advanced"),
    "decisions": ({"decisions": "some"}, "decisions.*program, all"),
}


@pytest.mark.parametrize(("values", "message"), WRONG.values(), ids=WRONG)
def test_wrong_values(values, message):
    given = {"agents": ["random", "random"], "courses": "dizzy_highway", "games": 2} | values
    with pytest.raises(RoboRallyError, match=message):
        evaluate(given.pop("agents"), given.pop("courses"), **given)
