"""A seat's observation does not change by a byte when only what it cannot know changes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from roborally_env import parallel_env
from roborally_env.core.cards import NONE
from roborally_env.core.observe import CARD_KINDS, PARTS
from roborally_env.envs.parallel import pack_snapshot
from tests.api.helpers import BUSY, OBSERVATIONS, as_bytes, play


def situations(observation: str, decisions: str, count: int) -> Iterator[Any]:
    """Envs in the middle of races; with decisions="all" in the middle of rounds, where registers lie face down."""
    env = parallel_env(BUSY, decisions=decisions, observation=observation, max_rounds=30)
    found = 0
    for i, (_, result) in enumerate(play(env, 1, 5000)):
        if env.agents and (result[4]["robot_0"]["decision"] != "program" or (decisions == "program" and i % 3 == 2)):
            yield env
            found += 1
            if found == count:
                return
    raise AssertionError("too few situations")


def with_games(env: Any, games: np.ndarray) -> dict[str, Any]:
    """The observations of the env's race with another record, and the env put back."""
    kept = env.snapshot()
    changed = env.batch.copy()
    changed.games[:] = games
    observations, _ = env.restore(pack_snapshot("program", {"caught": [0] * 4}, changed.snapshot()))
    env.restore(kept)
    return dict(observations)


@pytest.mark.parametrize("observation", OBSERVATIONS)
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_redealt_hidden_cards_leave_the_seat_s_observation_as_it_is(observation: str, decisions: str) -> None:
    others_differ = 0
    for i, env in enumerate(situations(observation, decisions, 25)):
        now = with_games(env, env.batch.games)
        for seat, agent in enumerate(env.possible_agents):
            changed = with_games(env, env.batch.redeal(seat, i).games)
            assert as_bytes(changed[agent]) == as_bytes(now[agent])
            others_differ += sum(as_bytes(changed[a]) != as_bytes(now[a]) for a in now if a != agent)
    assert others_differ > 100  # the change is one that others do see


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_swapping_a_card_between_hand_and_draw_pile_is_seen_by_its_owner_alone(observation: str) -> None:
    swaps = 0
    for env in situations(observation, "program", 15):
        now = with_games(env, env.batch.games)
        games = env.batch.games.copy()
        game = games[0]
        for i in range(int(game["drawable"][2])):
            if game["pile"][2, i] != game["hand"][2, 4]:
                game["pile"][2, i], game["hand"][2, 4] = int(game["hand"][2, 4]), int(game["pile"][2, i])
                break
        else:
            continue
        swaps += 1
        changed = with_games(env, games)
        for agent in env.possible_agents:
            assert (as_bytes(changed[agent]) == as_bytes(now[agent])) == (agent != "robot_2")
    assert swaps > 5


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_the_order_of_a_draw_pile_is_seen_by_nobody(observation: str) -> None:
    for env in situations(observation, "program", 10):
        now = with_games(env, env.batch.games)
        games = env.batch.games.copy()
        for r in range(4):
            drawable = int(games["drawable"][0, r])
            games["pile"][0, r, :drawable] = games["pile"][0, r, :drawable][::-1].copy()
        changed = with_games(env, games)
        assert as_bytes(changed) == as_bytes(now)


@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_face_down_registers_and_chance_to_come_are_seen_by_nobody_else(observation: str) -> None:
    exchanged = 0
    for env in situations(observation, "all", 25):
        now = with_games(env, env.batch.games)
        games = env.batch.games.copy()
        game = games[0]
        game["key"] = int(game["key"]) ^ 0xABCDEF
        game["draws"] = int(game["draws"]) + 17
        hidden = game["registers"][1, int(game["register"]) + 1 :]
        if len(set(hidden.tolist()) - {NONE}) > 1:
            hidden[:] = hidden[::-1].copy()
            exchanged += 1
        changed = with_games(env, games)
        for agent in env.possible_agents:
            if agent != "robot_1":
                assert as_bytes(changed[agent]) == as_bytes(now[agent])
    assert exchanged > 5


def test_what_is_shown_of_others_cards_is_their_sum() -> None:
    """Of another's hand and draw pile a player knows the cards together, since all its other cards lie open."""
    at = [name for name, _, _ in PARTS].index("others")
    for env in situations("dict", "program", 10):
        observations = with_games(env, env.batch.games)
        game = env.batch.games[0]
        for seat, agent in enumerate(env.possible_agents):
            rows = observations[agent]["observation"][PARTS[at][0]]
            for i, row in enumerate(rows):
                q = (seat + 1 + i) % 4
                held = [*game["hand"][q], *game["pile"][q, : int(game["drawable"][q])]]
                counts = np.bincount([int(card) for card in held], minlength=CARD_KINDS + 1)[1 : CARD_KINDS + 1]
                np.testing.assert_allclose(row[-CARD_KINDS:], counts / 4)
