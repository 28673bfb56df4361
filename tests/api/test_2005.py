"""The env of the 2005 edition: hands, locked registers, power down, and what is seen."""

from typing import Any

import numpy as np
import pytest

from roborally_env import ActionError, BatchRace, RoboRallyError, load_course, parallel_env
from roborally_env.core import options
from roborally_env.core.cards2005 import ACTION, PACE
from roborally_env.core.choices import OPTIONS_2005
from roborally_env.core.editions.e2005.locks import LOCKS
from roborally_env.core.seeing.observe import PLANES, layout_of, planes_of
from roborally_env.courses.tables import WIDTH
from tests.api.helpers import ACTIONS, DECISIONS, legal_actions, parts_of_mask, play, refreshed, situations

COURSE = "risky_exchange"
RECORD = {"edition": "2005", "max_rounds": 30}


def env_of(course: str = COURSE, **options: Any) -> Any:
    """A four-player race, on Risky Exchange."""
    return parallel_env(course, **{**RECORD, **options})


def damaged(env: Any, tokens: int, seat: int = 1) -> None:
    """Give a robot damage tokens, a hand and locked cards as after dealing."""
    game = env.batch.games[0]
    free = [int(card) for card in game["deck"][: int(game["deck_left"])]]
    own = [int(card) for card in game["hand"][seat] if card]
    game["damage"][seat] = tokens
    game["hand"][seat] = 0
    game["held"][seat] = max(0, 9 - tokens)
    game["hand"][seat, : max(0, 9 - tokens)] = own[: max(0, 9 - tokens)]
    locks = int(LOCKS[tokens])
    for k in range(5):
        if locks >> k & 1:
            game["registers"][seat, k], game["pace"][seat, k] = free[k], PACE[free[k]]
    env.batch.observe()


@pytest.mark.parametrize(("decisions", "last"), [("program", 2), ("all", 1 + OPTIONS_2005)])
def test_the_shapes_of_actions_and_masks(decisions: str, last: int) -> None:
    env = env_of(decisions=decisions)
    assert env.action_space("robot_0").nvec.tolist() == [9] * 5 + [last]
    observations, infos = env.reset(seed=1)
    assert [len(mask) for mask in parts_of_mask(env, observations["robot_3"])] == [9] * 5 + [last]
    assert infos["robot_3"]["action_mask"].shape == (45 + last,)


@pytest.mark.parametrize("tokens", range(10))
def test_a_locked_register_has_one_legal_value_and_a_small_hand_few_slots(tokens: int) -> None:
    env = env_of()
    env.reset(seed=1)
    damaged(env, tokens)
    observations, infos = refreshed(env)
    *registers, announcement = parts_of_mask(env, observations["robot_1"])
    for k, mask in enumerate(registers):
        locked = int(LOCKS[tokens]) >> k & 1
        legal = [0] if locked else list(range(9 - tokens))
        assert np.flatnonzero(mask).tolist() == legal
    assert announcement.tolist() == [1, int(tokens > 0)]
    assert infos["robot_1"]["decision"] == "program"


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("tokens", [1, 5, 7, 9])
def test_every_form_lays_what_is_legal_beside_locked_registers(action: str, tokens: int) -> None:
    env = env_of(action=action, strict=True)
    env.reset(seed=1)
    damaged(env, tokens)
    damaged(env, 10 - tokens, 2)
    observations, _ = refreshed(env)
    rng = np.random.default_rng(0)
    batch = env.unwrapped.batch
    kept = batch.games["registers"][0].copy()
    for _ in range(6 if action == "register" else 1):
        observations, _, _, _, infos = env.step(legal_actions(env, observations, rng))
        assert {info["corrected"] for info in infos.values()} == {0}
    assert batch.games["round_number"][0] == 2
    assert (kept[1] > 0).sum() == max(0, tokens - 4)


def test_only_a_damaged_robot_that_runs_may_announce_and_is_down_in_the_next_turn() -> None:
    env = env_of()
    observations, _ = env.reset(seed=2)
    assert all(parts_of_mask(env, seen)[5].tolist() == [1, 0] for seen in observations.values())
    damaged(env, 3)
    refreshed(env)
    actions = {agent: env.encode(range(5), int(agent == "robot_1")) for agent in env.agents}
    observations, _, _, _, infos = env.step(actions)
    game = env.batch.games[0]
    assert int(game["down"]) == 0b10
    assert game["damage"][1] == 0
    assert infos["robot_1"]["decision"] is None
    assert {infos[a]["decision"] for a in ("robot_0", "robot_2", "robot_3")} == {"program"}
    assert [np.flatnonzero(mask).tolist() for mask in parts_of_mask(env, observations["robot_1"])] == [[0]] * 6


def test_an_announcement_that_is_not_allowed_is_counted_and_nothing_else() -> None:
    env = env_of()
    env.reset(seed=2)
    infos = env.step({agent: env.encode(range(5), int(agent == "robot_1")) for agent in env.agents})[4]
    assert infos["robot_1"]["corrected"] == 1
    assert int(env.batch.games["down"][0]) == 0
    strict = env_of(strict=True)
    strict.reset(seed=2)
    with pytest.raises(ActionError, match=r"robot_1.*\[5\]: choice 1.*0"):
        strict.step({agent: strict.encode(range(5), int(agent == "robot_1")) for agent in strict.agents})


def test_courses_without_power_downs_offer_none() -> None:
    env = parallel_env("factory_rejects", players=5, max_rounds=20)
    for _, (observations, *_) in play(env, 1, 60):
        assert all(parts_of_mask(env, seen)[5].tolist() == [1, 0] for seen in observations.values())


@pytest.mark.parametrize("decisions", DECISIONS)
def test_what_lies_open_is_seen_by_everybody(decisions: str) -> None:
    """Damage, lives, options, power, archive markers, locked registers."""
    kinds, numbers = np.arange(1, 8), np.arange(1, options.COUNT + 1)
    lying = owned = 0
    race = env_of("tricksy", decisions=decisions, observation="dict")
    for env in situations(race, 80 if decisions == "program" else 300):
        observations, game = refreshed(env)[0], env.batch.games[0]
        for r, agent in enumerate(env.possible_agents):
            seen = observations[agent]["observation"]
            np.testing.assert_allclose(seen["damage"], game["damage"][r] / 10)
            np.testing.assert_allclose(seen["lives"], game["lives"][r] / 4)
            np.testing.assert_array_equal(seen["own_options"], game["options"][r] >> numbers & 1)
            off = game["cell"][r] < 0
            np.testing.assert_array_equal(seen["power"], [game[n] >> r & 1 for n in ("down", "announced")] + [off])
            hand = game["hand"][r, :9]
            np.testing.assert_array_equal(seen["hand"][:, :7], ACTION[hand][:, None] == kinds)
            np.testing.assert_allclose(seen["hand"][:, 7], hand / 84, rtol=1e-6)
            for i in range(1, 4):
                q, row = (r + i) % 4, seen["others"][i - 1]
                np.testing.assert_allclose(row[[8, 9]], [game["damage"][q] / 10, game["lives"][q] / 4], rtol=1e-6)
                np.testing.assert_array_equal(row[[11, 12]], [game["down"] >> q & 1, game["announced"] >> q & 1])
                np.testing.assert_array_equal(row[19:45], game["options"][q] >> numbers & 1)
                locked = int(LOCKS[game["damage"][q]]) | int(game["jammed"][q])
                cards = row[45:].reshape(5, 8)
                for k in range(5):
                    card = int(game["registers"][q, k])
                    if locked >> k & 1 and card:
                        assert cards[k, ACTION[card] - 1] == 1
                        lying += 1
                owned += row[19:45].any()
    assert lying > 10
    assert owned > 10


def test_unseen_cards_are_the_84_less_what_a_seat_sees() -> None:
    for env in situations(env_of(observation="dict"), 40):
        observations, game = refreshed(env)[0], env.batch.games[0]
        opened = [int(card) for card in game["registers"].ravel() if card]  # locked: programs are wanted
        for r, agent in enumerate(env.possible_agents):
            mine = [int(card) for card in (*game["hand"][r], game["flywheel"][r]) if card]
            left = [card for card in range(1, 85) if card not in opened + mine]
            counts = np.bincount(ACTION[left], minlength=8)[1:]
            np.testing.assert_allclose(observations[agent]["observation"]["unseen"], counts / 18, rtol=1e-6)


def test_a_robot_off_the_board_sees_from_its_archive_marker_and_is_asked_nothing() -> None:
    found = 0
    env = parallel_env("2005/death_trap", observation="planes", max_rounds=30)
    at = layout_of("2005")
    for _, (observations, _, _, _, infos) in play(env, 2, 400):
        game = env.batch.games[0]
        for r, agent in enumerate(env.possible_agents):
            if not env.agents or game["cell"][r] >= 0:
                continue
            features = observations[agent]["observation"]["features"]
            assert not features[at.position : at.position + 2].any()
            assert features[at.power + 2] == 1
            assert infos[agent]["decision"] is None
            assert [mask.sum() for mask in parts_of_mask(env, observations[agent])] == [1] * 6
            plane = [name for name, _ in planes_of("2005")].index("own_archive")
            assert observations[agent]["observation"]["planes"][6, 6, plane] == (game["lives"][r] > 0)
            found += 1
    assert found > 5


def test_planes_have_the_same_depth_in_both_editions() -> None:
    assert len(planes_of("2005")) == len(PLANES)
    env = env_of(observation="planes")
    observations, _ = env.reset(seed=4)
    names = [name for name, _ in planes_of("2005")]
    game, tables = env.batch.games[0], env.batch.maps.courses[0]
    for r, agent in enumerate(env.agents):
        view = observations[agent]["observation"]["planes"]
        assert view[6, 6, names.index("own_archive")] == 1
        cell, facing = int(game["cell"][r]), int(game["facing"][r])
        for ahead in range(-6, 7):
            dx, dy = ((0, -1), (1, 0), (0, 1), (-1, 0))[facing]
            x, y = cell % WIDTH + ahead * dx, cell // WIDTH + ahead * dy
            level = int(tables.repair[y * WIDTH + x]) if 0 <= x < tables.width and 0 <= y < tables.height else 0
            assert view[6 - ahead, 6, names.index("repair_site")] == level


def test_an_eliminated_robot_s_agent_stays_until_the_race_ends() -> None:
    env = parallel_env("2005/death_trap", max_rounds=None)
    eliminated = False
    for _, (_, rewards, terminations, _, infos) in play(env, 2, 600):
        game = env.batch.games[0]
        out = [r for r in range(4) if game["lives"][r] == 0]
        if env.agents and out:
            eliminated = True
            assert set(rewards) == set(env.possible_agents)
            assert not any(terminations.values())
            assert all(infos[f"robot_{r}"]["decision"] is None for r in out)
    assert eliminated


@pytest.mark.parametrize("decisions", DECISIONS)
def test_choices_are_named_with_cards_and_spaces(decisions: str) -> None:
    kinds, names = set(), set()
    env = parallel_env("2005/option_world", decisions=decisions, max_rounds=30, players=4)
    for _, (_, _, _, _, infos) in play(env, 5, 700):
        for info in infos.values():
            kinds.add(info["decision"])
            names |= set(info["options"])
    if decisions == "program":
        assert kinds <= {"program", None}
        return
    assert len(kinds) > 8
    assert "no" in names


# -- how races and courses are named


def test_a_course_of_an_edition_may_be_named_fully() -> None:
    assert parallel_env("2005/twister", players=5).batch.edition == "2005"
    assert parallel_env("twister").batch.edition == "2016"
    assert parallel_env("twister", edition="2005", players=5).batch.courses[0].edition == "2005"
    assert parallel_env(edition="2005").batch.courses[0].slug == COURSE
    assert parallel_env(COURSE).batch.edition == "2005"
    assert parallel_env(load_course("2005/twister"), players=5).batch.edition == "2005"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "edition": ({"course": "2005/twister", "edition": "2016"}, "2005/twister.*'2016'"),
    "mixed": ({"course": ["2005/twister", load_course("twister")]}, "twister.*edition 2016"),
    "players": ({"course": "2005/death_trap", "players": 9}, "players.*2"),
    "counts": ({"course": "capture_the_flag", "players": 5}, "players.*4.*6.*8.*5"),
    "kinds": ({"course": ["interference", COURSE], "players": 2}, "interference|course"),
    "rules": ({"course": COURSE, "rules": {"upgrades": False}}, "'upgrades'"),
    "control": ({"course": "interference", "players": 2, "control": "team"}, "control.*player, robot"),
}


@pytest.mark.parametrize(("arguments", "message"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RoboRallyError, match=message):
        parallel_env(**arguments)


# -- the timer


def test_the_timer_catches_one_player_at_most() -> None:
    env = env_of(rules={"timer": True})
    env.reset(seed=1)
    env.catch("robot_1", [4, 5])
    env.catch("robot_1", [5])
    with pytest.raises(ActionError, match=r"catch.*2"):
        env.catch("robot_2", [1])
    env.step({agent: env.encode(range(5)) for agent in env.agents})
    batch = BatchRace(2, COURSE, rules={"timer": True})
    caught = np.zeros((2, 4), np.uint8)
    caught[1, :2] = 1
    with pytest.raises(ActionError, match="open_registers"):
        batch.step(batch.sample()[0], None, caught)


def test_program_timers_of_a_course_catch_anybody_without_a_rule_option() -> None:
    with pytest.raises(ActionError, match="open_registers"):
        BatchRace(1, COURSE).step(np.zeros((1, 4, 5), np.int8), None, np.ones((1, 4), np.uint8))
    batch = BatchRace(1, "ball_lightning", players=4)
    step = batch.step(np.zeros((1, 4, 5), np.int8), None, np.full((1, 4), 31, np.uint8))
    assert not step.terminated[0]
    assert not batch.corrected.any()


def test_four_lives_are_for_five_and_more_robots():
    """Rulebook p. 3, Setup."""
    with pytest.raises(RoboRallyError, match=r"rules\.lives.*3.*4"):
        BatchRace(1, "risky_exchange", edition="2005", players=4, rules={"lives": 4})
