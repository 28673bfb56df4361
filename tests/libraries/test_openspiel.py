"""The game of OpenSpiel: its API test, races as in BatchRace, information states, search that cannot look at hands."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from roborally_env import BatchRace, RoboRallyError
from tests.later import later
from tests.learning.nets import load_script

pyspiel, ours = later("pyspiel"), later("roborally_env.envs.openspiel")
LIGHTER: dict[str, Any] = {"rules": {"upgrades": False}, "max_rounds": 3, "deals": 5}


def after_deal(game: Any, deal: int = 2) -> Any:
    """The state after the chance node."""
    state = game.new_initial_state()
    state.apply_action(deal)
    return state


@pytest.mark.parametrize(
    "options",
    [{}, {"simultaneous": True}, {"players": 4, "rules": None}, {"edition": "2005", "rules": None}, {"deals": 1}],
    ids=["lighter", "simultaneous", "upgrades", "2005", "one deal"],
)
def test_openspiels_own_test_passes(options: dict[str, Any]) -> None:
    game = ours.load_game(**{**LIGHTER, **options})
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("simultaneous", [False, True])
def test_races_are_those_of_the_batch(simultaneous: bool) -> None:
    state = after_deal(ours.load_game(**LIGHTER, simultaneous=simultaneous))
    batch = BatchRace(1, players=2, seed=2, rules={"upgrades": False}, max_rounds=3, auto_reset=False)
    batch.reset(2)
    draw = random.Random(1)
    rewards = np.zeros(2)
    while not state.is_terminal():
        programs = np.zeros((1, 2, 5), np.int64)
        for register in range(5):
            legal = [state.legal_actions(seat) for seat in (0, 1)] if simultaneous else []
            if simultaneous:
                actions = [draw.choice(each) for each in legal]
                programs[0, :, register] = actions
                state.apply_actions(actions)
        if not simultaneous:
            for seat in (0, 1):
                for register in range(5):
                    assert state.current_player() == seat
                    programs[0, seat, register] = draw.choice(state.legal_actions())
                    state.apply_action(programs[0, seat, register])
        rewards = batch.step(programs).rewards[0]
        assert not batch.corrected.any()
        assert np.array_equal(state.batch().games, batch.games)
    assert batch.over.all()
    assert state.returns() == pytest.approx(rewards.tolist())


def test_what_a_seat_knows_does_not_depend_on_what_it_cannot_see() -> None:
    state = after_deal(ours.load_game(**LIGHTER))
    for _ in range(7):
        state.apply_action(state.legal_actions()[0])
    assert state.current_player() == 1
    draw = random.Random(1).random
    others = [state.resample_from_infostate(1, draw) for _ in range(5)]
    assert {each.information_state_string(1) for each in others} == {state.information_state_string(1)}
    assert {each.observation_string(1) for each in others} == {state.observation_string(1)}
    assert [each.legal_actions(1) for each in others] == [state.legal_actions(1)] * 5
    assert len({each.information_state_string(0) for each in others}) > 1
    hands = {each.batch().games["hand"][0, 0].tobytes() for each in others}
    assert len(hands) == 5
    for each in others:
        while not each.is_terminal():
            each.apply_action(each.legal_actions()[-1])


def test_a_clone_goes_its_own_way() -> None:
    state = after_deal(ours.load_game(**LIGHTER))
    twin = state.clone()
    state.apply_action(state.legal_actions()[0])
    assert twin.history() != state.history()
    assert twin.legal_actions() != state.legal_actions()


def test_the_tensor_has_the_vector_and_the_cards_so_far() -> None:
    observation = later("open_spiel.python.observation")
    game = ours.load_game(**LIGHTER)
    observer = observation.make_observation(game)
    state = after_deal(game)
    action = state.legal_actions()[0]
    state.apply_action(action)
    observer.set_from(state, 0)
    assert np.array_equal(observer.dict["symbolic"], state.batch().observations["symbolic"][0, 0])
    assert observer.dict["request"].tolist() == [0, 1, 0, 0, 0, 0, 0]
    assert observer.dict["chosen"][0].argmax() == action
    assert observer.dict["player"].tolist() == [1, 0]
    assert len(observer.tensor) == game.observation_tensor_size()


def test_searches_of_openspiel_play() -> None:
    mcts, ismcts = later("open_spiel.python.algorithms.mcts"), later("open_spiel.python.algorithms.ismcts")
    game, draw = ours.load_game(**LIGHTER), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, draw)
    state = after_deal(game)
    for bot in (
        mcts.MCTSBot(game, 1.0, 20, evaluator, random_state=draw),
        ismcts.ISMCTSBot(game, evaluator, 1.0, 20, random_state=draw),
    ):
        assert bot.step(state) in state.legal_actions()


def test_the_example_trains_and_races() -> None:
    torch = pytest.importorskip("torch")
    train = load_script("train_openspiel")
    torch.manual_seed(1)
    game = ours.load_game(train.YARD, players=2, rules={"upgrades": False}, max_rounds=15)
    tables = [train.Table(game, seed) for seed in range(4)]
    agent = train.ppo.PPO(
        (game.observation_tensor_size(),), game.num_distinct_actions(), num_players=2, num_envs=4,
        steps_per_batch=train.STEPS, agent_fn=train.ppo.PPOAgent,
    )  # fmt: skip
    assert train.train(agent, tables, 0.1) > 0
    returns = train.race(agent, tables, 8)
    assert len(returns) == 8
    assert {abs(each) for each in returns} <= {0.0, 1.0}


@pytest.mark.parametrize(
    "options",
    [{"course": "nowhere"}, {"players": 9}, {"deals": 0}, {"rules": {"gravity": 1}}, {"max_rounds": 0}],
    ids=str,
)
def test_wrong_arguments_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(RoboRallyError) as raised:
        ours.load_game(**options)
    assert "\n" not in str(raised.value)


def test_a_state_before_the_deal_has_no_race() -> None:
    state = ours.load_game(**LIGHTER).new_initial_state()
    for call in (state.batch, lambda: state.resample_from_infostate(0, random.random)):
        with pytest.raises(RoboRallyError, match="deal"):
            call()
