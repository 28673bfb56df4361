"""Making agents from specs, and the uniform agent."""

import numpy as np
import pytest
from roborally_env.agents import Info, agent_names, make_agent, register_agent
from roborally_env.agents.base import REGISTRY

from roborally_env import AgentError
from roborally_env.batch import BatchRace
from roborally_env.core.upgrades import DECK, column_of
from tests.evaluation.agents import FirstCards

HERE = "tests.evaluation.agents"

VALUES = column_of(DECK, "value")


def everyone(batch):
    games, seats = np.divmod(np.arange(batch.num_games * batch.players), batch.players)
    return batch.observations["masks"][games, seats], Info(batch, games, seats)


def test_the_names_are_listed():
    assert agent_names()[:3] == ("random", "greedy", "planner")


def test_a_spec_carries_options():
    assert make_agent(f"{HERE}:FirstCards:skip=3").skip == 3
    assert make_agent("random:seed=5", seed=1).seed == 5
    assert make_agent("random", seed=7).seed == 7
    planner = make_agent("planner:simulations=50,candidates=8")
    assert (planner.simulations, planner.candidates) == (50, 8)


def test_a_user_registers_an_own_agent():
    try:
        register_agent("first", FirstCards)
        assert isinstance(make_agent("first:skip=1"), FirstCards)
        register_agent("first", f"{HERE}:FirstCards")  # the same again
        with pytest.raises(AgentError):
            register_agent("first", f"{HERE}:Moody")
    finally:
        REGISTRY.pop("first", None)


WRONG = {
    "unknown name": ("plannr", "'plannr'.*planner.*random, greedy"),
    "empty": ("", "random"),
    "no text": (3, "random"),
    "option": ("random:sed=1", "'sed'.*seed"),
    "no value": ("random:seed", "key=value.*'seed'"),
    "seed": ("random:seed=-1", "seed.*0"),
    "seed type": ("random:seed=much", "seed.*0"),
    "value": ("planner:simulations=0", "simulations.*1"),
    "module": ("no_such_module:Class", "no_such_module"),
    "class": (f"{HERE}:Nothing", f"{HERE}"),
    "no agent": (f"{HERE}:NoAct", r"NoAct has no method act\("),
    "no attribute": (f"{HERE}:Blind", "needs_observation"),
    "twice": ("greedy:seed=1,seed=2", "option seed is given twice"),
    "name": (f"{HERE}:Nameless", "name.*7"),
    "no class": (f"{HERE}:np", "np is not a class"),
    "relative": (".foo:Bar", r"'\.foo'"),
    "no module": (":X", "''"),
    "broken": (f"{HERE}:BrokenFromTheStart", "ZeroDivisionError: division by zero"),
}


@pytest.mark.parametrize(("spec", "message"), WRONG.values(), ids=WRONG)
def test_wrong_specs(spec, message):
    with pytest.raises(AgentError, match=message):
        make_agent(spec)


def test_a_name_for_an_agent_is_a_word():
    with pytest.raises(AgentError):
        register_agent("a b", FirstCards)


def test_random_is_legal_and_tries_everything():
    batch = BatchRace(400, players=4, seed=3, observation="none", rules={"upgrades": False})
    masks, info = everyone(batch)
    programs = make_agent("random").act(None, masks, info)
    assert all(len(set(program)) == 5 for program in programs.tolist())
    assert masks[np.arange(1600)[:, None], np.arange(5), programs].all()
    counts = np.stack([np.bincount(programs[:, k], minlength=9) for k in range(5)])
    assert (counts > 120).all(), "each slot is programmed in each register about 178 times"


def test_random_depends_on_game_round_seat_and_seed_alone():
    agent = make_agent("random", seed=3)
    lighter = {"upgrades": False}
    whole = BatchRace(40, players=3, seed=9, observation="none", rules=lighter)
    masks, info = everyone(whole)
    programs = agent.act(None, masks, info).reshape(40, 3, 5)
    part = BatchRace(7, players=3, seed=9, observation="none", first_game=20, rules=lighter)
    masks, info = everyone(part)
    assert (agent.act(None, masks, info).reshape(7, 3, 5) == programs[20:27]).all()
    assert (make_agent("random", seed=4).act(None, masks, info).reshape(7, 3, 5) != programs[20:27]).any(axis=2).all()


@pytest.mark.slow
def test_greedy_buys_what_it_goes_by_and_no_more():
    batch = BatchRace(64, players=4, seed=2, observation="none", auto_reset=False, max_rounds=6)
    agent = make_agent("greedy")
    bought = 0
    while not batch.over.all():
        masks, info = everyone(batch)
        choices = np.zeros((64, 4), np.int8)
        games = np.flatnonzero(~batch.programming & ~batch.over)
        seats = batch.games["ask_seat"][games].astype(np.int64)
        if len(games):
            offered = batch.observations["choice_masks"][games, seats]
            chosen = agent.choose(None, offered, Info(batch, games, seats))
            choices[games, seats] = chosen
            assert offered[np.arange(len(games)), chosen].all()
            for mask, choice, game, seat in zip(offered, chosen.tolist(), games, seats, strict=True):
                worth = [int(VALUES[u]) for u in np.flatnonzero(mask[1:])]
                if bin(int(batch.games["owned"][game, seat])).count("1") < 3:  # nothing would be replaced
                    assert VALUES[choice - 1] == max(worth)
                bought += choice > 1
        batch.step(
            agent.act(None, masks, info).reshape(64, 4, 5) if batch.programming.any() else batch.sample()[0], choices
        )
        assert not batch.corrected[~batch.over].any()
    assert bought > 100


def test_random_answers_choices():
    batch = BatchRace(64, players=4, seed=1, observation="none", decisions="all", auto_reset=False, max_rounds=8)
    agent = make_agent("random")
    asked = 0
    while not batch.over.all():
        masks, info = everyone(batch)
        choices = np.zeros((64, 4), np.int8)
        games = np.flatnonzero(~batch.programming & ~batch.over)
        seats = batch.games["ask_seat"][games].astype(np.int64)
        if len(games):
            offered = batch.observations["choice_masks"][games, seats]
            choices[games, seats] = agent.choose(None, offered, Info(batch, games, seats))
            assert offered[np.arange(len(games)), choices[games, seats]].all()
            assert (choices[games, seats] > 0).all()
        asked += len(games)
        batch.step(agent.act(None, masks, info).reshape(64, 4, 5), choices)
    assert asked > 50
