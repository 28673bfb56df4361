"""A seat's observation does not change by a byte when only what it cannot know changes."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from roborally_env import parallel_env
from roborally_env.core import upgrades
from roborally_env.core.cards import NONE
from roborally_env.core.choices import BUY_UPGRADE
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, CHECKPOINTS, STORE_HANDS
from roborally_env.core.seeing.observe import layout_of
from roborally_env.core.state import COMPLETE, PILE
from roborally_env.core.state import LIGHTER as LIGHTER_GAME
from roborally_env.envs.parallel import pack_snapshot
from tests.api.helpers import BUSY, OBSERVATIONS, as_bytes, play
from tests.games import FULL, GAMES, LIGHTER, both_games
from tests.sizes import pairs

Situation = Callable[[Any], bool]


def programming(env: Any) -> bool:
    """Hands lie ready."""
    return bool(env.batch.programming[0])


def anywhere(env: Any) -> bool:
    """Programs are wanted, or somebody is asked."""
    return True


def asking(env: Any) -> bool:
    """Somebody is asked; with decisions="all" in the middle of rounds, where registers lie face down."""
    return not programming(env)


def in_a_register(env: Any) -> bool:
    """Somebody is asked while a register is played."""
    return asking(env) and BEGIN_REGISTER <= env.batch.games["step"][0] <= CHECKPOINTS


def situations(
    observation: str, decisions: str, count: int, rules: dict[str, Any], wanted: Situation = anywhere
) -> Iterator[Any]:
    """Envs in the middle of races."""
    env = parallel_env(BUSY, decisions=decisions, observation=observation, max_rounds=30, rules=rules)
    found = 0
    for i, _ in enumerate(play(env, 1, 5000)):
        if env.agents and wanted(env) and (decisions == "all" or i % 3 == 2):
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


def first_hidden(game: Any) -> int:
    """The first register whose card lies face down."""
    return int(game["register"]) + (0 if game["step"] == STORE_HANDS else 1)


@pytest.mark.parametrize(("observation", "decisions", "rules"), pairs(OBSERVATIONS, ["program", "all"], GAMES.values()))
def test_redealt_hidden_cards_leave_the_seat_s_observation_as_it_is(
    observation: str, decisions: str, rules: dict[str, Any]
) -> None:
    others_differ = 0
    for i, env in enumerate(situations(observation, decisions, 25, rules)):
        now = with_games(env, env.batch.games)
        for seat, agent in enumerate(env.possible_agents):
            changed = with_games(env, env.batch.redeal(seat, i).games)
            assert as_bytes(changed[agent]) == as_bytes(now[agent])
            others_differ += sum(as_bytes(changed[a]) != as_bytes(now[a]) for a in now if a != agent)
    assert others_differ > 100  # the change is one that others do see


@both_games
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_swapping_a_card_between_hand_and_draw_pile_is_seen_by_its_owner_alone(
    observation: str, rules: dict[str, Any]
) -> None:
    swaps = 0
    for env in situations(observation, "program", 15, rules, programming):
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


@both_games
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_the_order_of_piles_is_seen_by_nobody(observation: str, rules: dict[str, Any]) -> None:
    for env in situations(observation, "program", 10, rules):
        now = with_games(env, env.batch.games)
        games = env.batch.games.copy()
        for r in range(4):
            drawable = int(games["drawable"][0, r])
            games["pile"][0, r, :drawable] = games["pile"][0, r, :drawable][::-1].copy()
        if rules == FULL:
            left = int(games["upgrades_left"][0])
            assert left > 1
            games["upgrade_deck"][0, :left] = games["upgrade_deck"][0, :left][::-1].copy()
        changed = with_games(env, games)
        assert as_bytes(changed) == as_bytes(now)


@both_games
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_face_down_registers_and_chance_to_come_are_seen_by_nobody_else(
    observation: str, rules: dict[str, Any]
) -> None:
    exchanged = 0
    for env in situations(observation, "all", 60 if rules == FULL else 25, rules, asking):
        now = with_games(env, env.batch.games)
        games = env.batch.games.copy()
        game = games[0]
        game["key"] = int(game["key"]) ^ 0xABCDEF
        game["draws"] = int(game["draws"]) + 17
        hidden = game["registers"][1, first_hidden(game) :]
        if len(set(hidden.tolist()) - {NONE}) > 1:
            hidden[:] = hidden[::-1].copy()
            exchanged += 1
        changed = with_games(env, games)
        for agent in env.possible_agents:
            if agent != "robot_1":
                assert as_bytes(changed[agent]) == as_bytes(now[agent])
    assert exchanged > 5


@both_games
def test_what_is_shown_of_others_cards_is_their_sum(rules: dict[str, Any]) -> None:
    """Of another's hand, face-down registers and draw pile a player knows the cards together: all others lie open."""
    kinds = int(layout_of(COMPLETE if rules == FULL else LIGHTER_GAME).kinds)
    for env in [
        *situations("dict", "program", 5, rules, programming),
        *situations("dict", "all", 20, rules, asking),
    ]:
        observations = with_games(env, env.batch.games)
        game = env.batch.games[0]
        for seat, agent in enumerate(env.possible_agents):
            rows = observations[agent]["observation"]["others"]
            for i, row in enumerate(rows):
                q = (seat + 1 + i) % 4
                pile = game["pile"][q]
                held = [*game["hand"][q], *pile[: int(game["drawable"][q])], *pile[PILE - int(game["known"][q]) :]]
                held += game["registers"][q, first_hidden(game) :].tolist()
                counts = np.bincount([int(card) for card in held], minlength=kinds + 1)[1:]
                np.testing.assert_allclose(row[12 : 12 + kinds], counts / 4)


# -- upgrades


@pytest.mark.parametrize("decisions", ["program", "all"])
def test_mats_shop_and_energy_lie_open(decisions: str) -> None:
    """Every seat sees them, as they are; and who is asked for a purchase, which cards it may buy."""
    kinds, numbers = int(layout_of(COMPLETE).kinds), np.arange(1, upgrades.COUNT + 1)
    bought = offers = 0
    for env in situations("dict", decisions, 30, FULL):
        observations, game = with_games(env, env.batch.games), env.batch.games[0]
        owned = game["owned"][:4, None] >> numbers & 1
        bought += owned.sum()
        for seat, agent in enumerate(env.possible_agents):
            seen = observations[agent]["observation"]
            buys = game["ask_seat"] == seat and game["ask_kind"] == BUY_UPGRADE
            offered = int(game["ask_options"]) >> numbers & 1 if buys else 0
            np.testing.assert_array_equal(seen["shop"], np.isin(numbers, game["shop"]) + offered)
            np.testing.assert_array_equal(seen["decision"], [programming(env), buys])
            np.testing.assert_array_equal(seen["upgrades"], owned[seat])
            np.testing.assert_allclose(seen["energy"], game["energy"][seat] / 10)
            offers += buys
            for q in set(range(4)) - {seat}:
                row = seen["others"][(q - seat) % 4 - 1]
                np.testing.assert_array_equal(row[12 + kinds :], owned[q])
                np.testing.assert_allclose(row[8], game["energy"][q] / 10)
    assert bought > 20
    assert offers > 5


def test_a_revealed_register_is_seen_by_all_and_the_own_ones_by_their_owner() -> None:
    kinds = int(layout_of(COMPLETE).kinds)
    lying = 0
    for env in situations("dict", "all", 25, FULL, in_a_register):
        observations, game = with_games(env, env.batch.games), env.batch.games[0]
        k = int(game["register"])
        for seat, agent in enumerate(env.possible_agents):
            seen = observations[agent]["observation"]
            one_hot = np.eye(kinds + 1, dtype=np.float32)[game["registers"][seat]][:, 1:]
            np.testing.assert_array_equal(seen["registers"], one_hot)
            assert seen["register"].argmax() == k
            for q in set(range(4)) - {seat}:
                card = np.eye(kinds + 1, dtype=np.float32)[game["registers"][q, k]][1:]
                row = seen["revealed"][(q - seat) % 4 - 1]
                np.testing.assert_array_equal(row[:kinds], card)
                assert row[kinds] == int(game["shielded"]) >> q & 1
                lying += card.any()
    assert lying > 100


def test_the_known_top_of_a_deck_is_seen_by_its_owner_alone() -> None:
    for env in situations("dict", "all", 5, FULL, programming):
        games = env.batch.games.copy()
        game = games[0]
        drawable = int(game["drawable"][2])
        if drawable < 3 or game["known"][2]:
            continue
        below = with_games(env, games)
        top = game["pile"][2, [drawable - 1, drawable - 2]].copy()
        game["pile"][2, drawable - 2 : drawable] = NONE
        discards = game["pile"][2, drawable : drawable + int(game["discarded"][2])].copy()
        game["pile"][2, drawable - 2 : drawable - 2 + len(discards)] = discards
        game["pile"][2, drawable - 2 + len(discards) : drawable + len(discards)] = NONE
        game["pile"][2, PILE - 2 :] = top
        game["drawable"][2], game["known"][2] = drawable - 2, 2
        changed = with_games(env, games)
        for agent in env.possible_agents:
            assert (as_bytes(changed[agent]) == as_bytes(below[agent])) == (agent != "robot_2")
        shown = changed["robot_2"]["observation"]["known_top"]
        assert [1 + int(row.argmax()) for row in shown[:2]] == top.tolist()
        assert not shown[2].any()
        return
    raise AssertionError("no draw pile with three cards")


def test_what_another_is_asked_is_not_shown() -> None:
    """The options of a choice, which may be cards of a hand, and whom it is about: for whoever is asked alone."""
    about = 0
    for env in situations("dict", "all", 200, FULL, asking):
        observations, game = with_games(env, env.batch.games), env.batch.games[0]
        seat = int(game["ask_seat"])
        for r, agent in enumerate(env.possible_agents):
            seen = observations[agent]["observation"]
            options = np.flatnonzero(seen["options"]).tolist()
            assert options == [o for o in range(41) if r == seat and int(game["ask_options"]) >> o & 1]
            assert np.flatnonzero(seen["asked"]).tolist() == [int(game["ask_kind"]) - 1] * (r == seat)
            for q in set(range(4)) - {r}:
                row = seen["revealed"][(q - r) % 4 - 1]
                assert row[-1] == (r == seat and q == game["ask_about"])
                about += row[-1]
    assert about > 5


def test_the_lighter_game_shows_nothing_of_upgrades() -> None:
    for env in situations("dict", "all", 5, LIGHTER):
        observations = with_games(env, env.batch.games)
        assert not {"shop", "upgrades", "known_top"} & set(observations["robot_0"]["observation"])
