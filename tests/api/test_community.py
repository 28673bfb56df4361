"""The env by community rules: short hands, locked registers, power down, levels, and what is seen."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from roborally_env import ActionError, BatchRace, RoboRallyError, load_course, parallel_env
from roborally_env.core import cards, upgrades
from roborally_env.core.choices import OPTIONS_COMMUNITY
from roborally_env.core.editions.e2005.locks import LOCKS
from roborally_env.core.searching.alone import greedy_programs
from roborally_env.core.seeing.observe import PLANES, layout_of, planes_of
from roborally_env.core.steps import OVER
from roborally_env.courses.tables import STEP
from tests.api.helpers import ACTIONS, DECISIONS, legal_actions, parts_of_mask, refreshed, situations, start
from tests.games import seated
from tests.properties.races import check_all

COURSE = "community/summit_works"  # every kind of tile, three levels
PLANE = {name: i for i, (name, _) in enumerate(planes_of("community"))}
NO_PURCHASES = {"upgrades": False}


def env_of(course: str = COURSE, **options: Any) -> Any:
    """A four-player race, on Summit Works."""
    return parallel_env(course, **{"edition": "community", "max_rounds": 30, **options})


def damaged(env: Any, tokens: int, seat: int = 1, hand: Sequence[int] = ()) -> None:
    """Give a robot damage tokens while programs are wanted: a smaller hand, and cards in locked registers.

    hand: the first cards of its hand.
    """
    game = env.unwrapped.batch.games[0]
    deck = [int(card) for card in cards.DECK]
    for card in hand:
        deck.remove(card)
    cards_held = [*hand, *deck][: max(0, 9 - tokens)]
    rest = [*hand, *deck][len(cards_held) :]
    game["damage"][seat] = tokens
    game["hand"][seat], game["registers"][seat], game["pile"][seat] = 0, 0, 0
    game["hand"][seat, : len(cards_held)], game["held"][seat] = cards_held, len(cards_held)
    for k in range(5):
        if int(LOCKS[tokens]) >> k & 1:
            game["registers"][seat, k] = rest.pop()
    game["pile"][seat, : len(rest)] = rest
    game["drawable"][seat], game["discarded"][seat], game["known"][seat] = len(rest), 0, 0
    env.unwrapped.batch.observe()


# -- actions and masks


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("rules", [{}, NO_PURCHASES], ids=["upgrades", "no upgrades"])
def test_the_shapes_of_actions_and_masks(decisions: str, rules: dict[str, Any]) -> None:
    env = env_of(decisions=decisions, rules=rules)
    sizes = [10] * 5 + [1 + OPTIONS_COMMUNITY]
    assert env.action_space("robot_0").nvec.tolist() == sizes
    observations, infos = env.reset(seed=1)
    assert [len(mask) for mask in parts_of_mask(env, observations["robot_3"])] == sizes
    assert infos["robot_3"]["action_mask"].shape == (sum(sizes),)


@pytest.mark.parametrize("tokens", range(10))
def test_a_locked_register_has_one_legal_value_and_a_small_hand_few_slots(tokens: int) -> None:
    env = env_of()
    start(env, 1)
    damaged(env, tokens, hand=[cards.MOVE_1] * min(4, 9 - tokens))
    observations, infos = refreshed(env)
    *registers, announcement = parts_of_mask(env, observations["robot_1"])
    held = env.batch.games["hand"][0, 1]
    for k, mask in enumerate(registers):
        locked = int(LOCKS[tokens]) >> k & 1
        slots = [i for i in range(9 - tokens) if k or held[i] != cards.AGAIN]
        assert np.flatnonzero(mask).tolist() == ([0] if locked else slots)
    assert np.flatnonzero(announcement).tolist() == [0, 1]
    assert infos["robot_1"]["decision"] == "program"


@pytest.mark.parametrize(
    ("hand", "first"),
    [
        ([cards.AGAIN, cards.MOVE_2], [1]),
        ([cards.AGAIN, cards.AGAIN], [0, 1]),
        ([cards.MOVE_2, cards.U_TURN], [0, 1]),
    ],
    ids=["one other card", "nothing else", "no Again"],
)
def test_again_goes_into_register_one_only_of_a_hand_without_another_card(hand: list[int], first: list[int]) -> None:
    env = env_of()
    start(env, 1)
    damaged(env, 7, hand=hand)
    observations, _ = refreshed(env)
    masks = parts_of_mask(env, observations["robot_1"])
    assert np.flatnonzero(masks[0]).tolist() == first
    assert np.flatnonzero(masks[1]).tolist() == [0, 1]


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("tokens", [1, 5, 7, 9])
def test_every_form_lays_what_is_legal_beside_locked_registers(action: str, tokens: int) -> None:
    env = env_of(action=action, strict=True, rules=NO_PURCHASES)
    env.reset(seed=1)
    damaged(env, tokens)
    damaged(env, 10 - tokens, 2)
    observations, _ = refreshed(env)
    rng = np.random.default_rng(0)
    batch = env.unwrapped.batch
    kept = (seated(batch, "registers")[0] > 0).sum(axis=1)
    for _ in range(6 if action == "register" else 1):
        observations, _, _, _, infos = env.step(legal_actions(env, observations, rng))
        assert {info["corrected"] for info in infos.values()} == {0}
    assert batch.games["round_number"][0] == 2
    assert kept.tolist() == [0, max(0, tokens - 4), max(0, 6 - tokens), 0]


def test_whoever_is_on_the_board_may_announce_also_one_that_is_powered_down() -> None:
    env = env_of(rules=NO_PURCHASES)
    observations, _ = env.reset(seed=2)
    assert all(np.flatnonzero(parts_of_mask(env, seen)[5]).tolist() == [0, 1] for seen in observations.values())
    for announces, down in ((1, 0b10), (1, 0b10), (0, 0)):
        programs = [list(range(5)) for _ in range(4)]
        actions = {a: env.encode(programs[r], announces * (r == 1)) for r, a in enumerate(env.agents)}
        observations, _, _, _, infos = env.step(actions)
        assert int(env.batch.games[0]["down"]) == down
        assert infos["robot_1"]["decision"] == ("power_down" if down else "program")
        legal = [np.flatnonzero(mask).tolist() for mask in parts_of_mask(env, observations["robot_1"])]
        assert legal[5] == [0, 1]
        assert (legal[:5] == [[0]] * 5) == bool(down)


def test_with_every_choice_asked_power_down_is_a_question_of_its_own() -> None:
    env = env_of(decisions="all", rules=NO_PURCHASES)
    observations, _ = env.reset(seed=2)
    assert all(np.flatnonzero(parts_of_mask(env, seen)[5]).tolist() == [0] for seen in observations.values())
    rng = np.random.default_rng(0)
    observations, _, _, _, infos = env.step(legal_actions(env, observations, rng))
    for robot in range(4):
        assert infos[f"robot_{robot}"]["decision"] == "power_down"
        assert infos[f"robot_{robot}"]["options"] == ("no", "yes")
        actions = {a: env.encode(range(5), 2 if r == robot else 0) for r, a in enumerate(env.agents)}
        infos = env.step(actions)[4]
    assert int(env.batch.games[0]["announced"]) & 1 or int(env.batch.games[0]["rebooted"]) & 1


def test_a_powered_down_learner_is_asked_whether_it_stays_so_and_nothing_else() -> None:
    batch = BatchRace(1, COURSE, edition="community", rules=NO_PURCHASES)
    batch.sample()
    _, choices, _ = batch.actions
    choices[:] = [[0, 1, 0, 0]]
    batch.step_prepared()
    assert batch.programmed[0].tolist() == [True, False, True, True]
    assert batch.to_act[0].all()
    assert int(batch.closed_registers[0, 1]) == 31
    assert batch.sample()[0][0, 1].tolist() == [0] * 5


# -- what is seen


def one_hot(card: int) -> np.ndarray:
    """A card as it stands in a vector."""
    return np.arange(1, 1 + cards.HEAL_ROUTINE) == card


@pytest.mark.parametrize("decisions", DECISIONS)
def test_what_lies_open_is_seen_by_everybody(decisions: str) -> None:
    """Damage, power, virtual mode, upgrades, locked registers."""
    numbers = np.arange(1, 1 + upgrades.HEAL_ROUTINE)
    lying = owned = off = 0
    race = env_of(decisions=decisions, observation="dict")
    for env in situations(race, 120 if decisions == "program" else 350):
        observations, game = refreshed(env)[0], env.batch.games[0]
        if decisions == "program" and env.batch.programming[0]:
            damaged(env, 5 + int(game["round_number"]) % 5, 2)
            observations = refreshed(env)[0]
        for r, agent in enumerate(env.possible_agents):
            seen = observations[agent]["observation"]
            np.testing.assert_allclose(seen["damage"], game["damage"][r] / 10, rtol=1e-6)
            bits = [game[n] >> r & 1 for n in ("down", "announced", "virtual", "stomped")]
            np.testing.assert_array_equal(seen["power"], [*bits, game["cell"][r] < 0])
            np.testing.assert_array_equal(seen["upgrades"], game["owned"][r] >> numbers & 1)
            np.testing.assert_array_equal(seen["hand"], [one_hot(card) for card in game["hand"][r, :10]])
            for i in range(1, 4):
                q, row = (r + i) % 4, seen["others"][i - 1]
                np.testing.assert_allclose(row[11], game["damage"][q] / 10, rtol=1e-6)
                bits = [game[n] >> q & 1 for n in ("virtual", "stomped", "down", "announced")]
                np.testing.assert_array_equal(row[[10, 13, 14, 15, 16]], [game["cell"][q] < 0, *bits])
                np.testing.assert_array_equal(row[40:81], game["owned"][q] >> numbers & 1)
                found = row[81:].reshape(5, -1)
                for k in range(5):
                    locked = int(LOCKS[game["damage"][q]]) >> k & 1
                    np.testing.assert_array_equal(found[k], one_hot(game["registers"][q, k]) & bool(locked))
                    lying += found[k].any()
                owned += row[40:81].any()
                off += game["cell"][q] < 0
    assert lying > 5
    assert owned > 10
    assert off > 5 or decisions == "program"  # between rounds everybody is on the board


def test_the_own_cell_and_the_ways_out_of_it_tell_heights() -> None:
    env = env_of(observation="dict", rules=NO_PURCHASES)
    env.reset(seed=1)
    game, tables = env.batch.games[0], env.batch.maps.courses[0]
    ramp = int(tables.ramp_cell[0])
    up = int(tables.ramp_up[ramp])
    top, foot = ramp + int(STEP[up]), ramp - int(STEP[up])
    for cell, facing, on in ((ramp, up, True), (top, up ^ 2, True), (foot, up, True), (foot, up, False)):
        game["cell"][0], game["facing"][0] = cell, facing
        game["ramps"] = int(tables.ramps_on) | 1 if on else int(tables.ramps_on) & ~1
        seen = refreshed(env)[0]["robot_0"]["observation"]
        assert seen["cell"][9] == pytest.approx(tables.level[cell] / 3)
        assert seen["cell"][10] == (cell == ramp)  # it rises ahead
        ahead = seen["ways"][0]
        if cell == ramp:
            assert seen["ways"][1, 0, 0] == seen["ways"][3, 0, 0] == 1  # its sides are walls
        if cell == foot and not on:
            # over the ramp that is off, which lies at the foot's level, a step comes to the ledge
            assert ahead[:, 0].tolist() == [0, 1, 0]
        if cell == foot and on:
            assert ahead[:2, 0].tolist() == [0, 0]
        assert not ahead[:, 2].any()  # a ramp is no fall
    game["cell"][0], game["facing"][0] = top, up ^ 2
    game["ramps"] = int(tables.ramps_on) & ~1
    ahead = refreshed(env)[0]["robot_0"]["observation"]["ways"][0]
    assert ahead[0].tolist() == [0, 0, 0.5]  # one level down


def test_planes_show_levels_ramps_hazards_and_one_way_cells() -> None:
    assert len(PLANE) == len(PLANES)
    courses = [load_course(f"community/{name}") for name in ("summit_works", "hot_floor", "terraces", "rain_yard")]
    kinds: set[str] = set()
    for course in courses:
        env = env_of(course, observation="planes", rules=NO_PURCHASES)
        env.reset(seed=4)
        game, tables = env.batch.games[0], env.batch.maps.courses[0]
        for e in course.elements:
            cell, name = e.y * 32 + e.x, e.kind
            if tables.pit[cell] or cell == tables.antenna:
                continue
            game["cell"][0] = cell
            for facing in (0, 3):
                game["facing"][0] = facing
                env.batch.observe()
                here = env.batch.observations["planes"][0, 0, 6, 6]
                assert here[PLANE["floor"]] == 1 + tables.level[cell]
                assert (here[PLANE["spot"]] >> 2 & 1, here[PLANE["spot"]] >> 3 & 1) == (
                    tables.puddle[cell], tables.radiation[cell],
                )  # fmt: skip
                assert here[PLANE["spot"]] >> 4 & 1 == (tables.button[cell] > 0)
                assert here[PLANE["stomper"]] == tables.stomper[cell]
                assert here[PLANE["pit"]] == tables.trapdoor[cell]
                assert here[PLANE["energy_or_repair"]] >> 2 == tables.repair[cell]
                if name == "ramp":
                    on = int(game["ramps"]) >> int(tables.ramp[cell]) & 1
                    assert here[PLANE["ramp"]] == 1 << ((e.out - facing) & 3) | 16 * on
                if name == "one_way":
                    sides = [int(here[PLANE["wall_ahead"] + side]) >> 1 & 1 for side in range(4)]
                    entered = (e.out + 2 - facing) & 3
                    assert not sides[entered]
                    assert sum(sides) >= 1
            kinds.add(name)
    assert {"ramp", "button", "stomper", "trapdoor", "radiation", "puddle", "one_way", "repair"} <= kinds


def test_a_pit_and_another_robot_in_virtual_mode_are_seen() -> None:
    env = env_of(observation="planes", rules=NO_PURCHASES)
    env.reset(seed=4)
    game, tables = env.batch.games[0], env.batch.maps.courses[0]
    pit = int(np.flatnonzero(tables.pit)[0])
    game["cell"][0] = game["cell"][1] = pit + 1
    game["facing"][:2] = 1
    game["virtual"] = 0b10
    env.batch.observe()
    view = env.batch.observations["planes"][0, 0]
    assert view[7, 6, PLANE["pit"]] == 32  # heading east, the pit lies behind
    assert view[6, 6, PLANE["robot_ahead"]] == 2
    assert env.batch.observations["planes"][0, 1, 6, 6, PLANE["robot_ahead"]] == 1


def test_a_destroyed_robot_sees_nothing_and_is_as_far_as_from_its_entry_point() -> None:
    env = env_of(observation="planes", rules=NO_PURCHASES)
    env.reset(seed=4)
    at = layout_of("community")
    game, tables = env.batch.games[0], env.batch.maps.courses[0]
    pit = int(np.flatnonzero(tables.pit)[0])
    token = int(tables.token[pit])
    assert token >= 0
    game["cell"][1], game["facing"][1] = tables.token_cell[token], tables.token_facing[token]
    env.batch.observe()
    away = float(env.batch.observations["symbolic"][0, 1, at.distance])
    assert 0 < away < 100
    game["cell"][1] = -2 - pit
    game["rebooted"] = 0b10
    env.batch.observe()
    seen = env.batch.observations
    assert seen["symbolic"][0, 1, at.distance] == away
    assert seen["symbolic"][0, 1, at.power + 4] == 1
    for part, size in ((at.position, 2), (at.target, 6), (at.ways, 36), (at.cell, 19)):
        assert not seen["symbolic"][0, 1, part : part + size].any()
    assert not seen["planes"][0, 1].any()
    assert [mask.sum() for mask in seen["masks"][0, 1]] == [1] * 5
    assert seen["choice_masks"][0, 1].nonzero()[0].tolist() == [0]


def test_the_state_tells_ramps_and_where_robots_were() -> None:
    env = env_of(rules=NO_PURCHASES)
    env.reset(seed=4)
    game = env.batch.games[0]
    game["ramps"] = 0b101
    game["cell"][2], game["rebooted"] = -2 - (5 * 32 + 7), 0b100
    env.batch.observe()
    at, parts = 0, {}
    state = env.state()
    for name, shape in env.state_shapes.items():
        size = int(np.prod(shape))
        parts[name] = state[at : at + size].reshape(shape)
        at += size
    assert at == len(state)
    assert np.flatnonzero(parts["ramps"]).tolist() == [0, 2]
    np.testing.assert_allclose(parts["left_from"], [[-1, -1], [-1, -1], [7 / 32, 5 / 32], [-1, -1]])
    assert env.state_space.contains(state)


def test_text_and_pictures_show_the_race() -> None:
    env = env_of(render_mode="ansi", rules=NO_PURCHASES)
    env.reset(seed=4)
    game = env.batch.games[0]
    game["damage"][1], game["down"] = 4, 0b100
    text = env.render()
    assert "robot 1: checkpoint 0 of 4, damage 4, energy 5, destroyed 0 times" in text
    assert "powered down" in text
    game["ramps"] = 0
    assert env.render() != text


# -- the race that goes on


def race_of_greedy(rules: dict[str, Any]) -> tuple[BatchRace, int]:
    """Two finished races of good programs, and how many robots were at the goal at most before they were over."""
    batch = BatchRace(
        2, "community/rain_yard", players=3, edition="community", rules={**rules, **NO_PURCHASES}, seed=2,
        auto_reset=False, reward="shaped", components=True, observation="none", max_rounds=80,
    )  # fmt: skip
    games, seats = (part.reshape(-1) for part in np.indices((2, 3)))
    racing_on, over = 0, np.zeros(2, np.bool_)
    while not batch.over.all():
        greedy_programs(batch.maps, batch.games, games, seats, batch.actions[0].reshape(-1, 5))
        batch.actions[1][:] = 0
        batch.step_prepared()
        parts, ended = batch.reward_parts, batch.games["step"] == OVER
        assert np.isfinite(parts["shaping"]).all()
        assert not parts["race"][~ended].any()  # a robot at the goal has its reward when the race is over
        now = ended & ~over
        np.testing.assert_allclose(parts["race"][now], 2 - batch.results["place"][now])
        over = ended
        check_all(batch)
        at_goal = (batch.games["place"] > 0).sum(axis=1)
        racing_on = max(racing_on, int(at_goal[~batch.over].max(initial=0)))
    return batch, racing_on


def test_with_race_on_all_but_the_last_finish_and_places_are_by_finishing() -> None:
    batch, racing_on = race_of_greedy({"race_on": True})
    assert racing_on == 1  # with the second of three the places are settled
    assert (np.sort(batch.results["place"], axis=1) == [1, 2, 3]).all()
    assert (batch.results["place"][np.arange(2), batch.results["winner"]] == 1).all()
    assert (batch.games["cell"][:, :3] < 0).sum() >= 4  # those at the goal have left the board


def test_one_finish_ends_the_race_unless_it_goes_on() -> None:
    batch, racing_on = race_of_greedy({})
    assert racing_on == 0
    assert (batch.results["place"].min(axis=1) == 1).all()
    assert (batch.results["winner"] >= 0).all()


# -- wrong input


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "2005": ({"course": "2005/twister"}, "2005/twister.*'community'"),
    "2005 course": ({"course": load_course("2005/twister")}, "twister.*edition 2005"),
    "its course": ({"course": "community/terraces", "edition": "2016"}, "'2016'"),
    "players": ({"players": 7}, "players.*2.*6"),
    "rules": ({"rules": {"race_on": 1}}, "rules.race_on.*1"),
    "unknown rule": ({"rules": {"lives": 3}}, "'lives'"),
    "timer": ({"rules": {"timer": 3}}, "rules.timer"),
}


@pytest.mark.parametrize(("arguments", "message"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RoboRallyError, match=message):
        env_of(**arguments)


def test_the_2016_courses_are_raced_too_and_the_edition_has_a_usual_course() -> None:
    batch = BatchRace(1, ["dizzy_highway", load_course("twister"), "community/terraces"], edition="community")
    assert {course.edition for course in batch.courses} == {"community"}
    assert parallel_env(edition="community").batch.edition == "community"
    assert parallel_env("community/terraces").batch.edition == "community"


def test_illegal_programs_are_replaced_and_counted_and_refused_where_strict() -> None:
    env = env_of(rules=NO_PURCHASES)
    env.reset(seed=1)
    damaged(env, 6)
    refreshed(env)
    infos = env.step({agent: env.encode([9, 9, 9, 9, 9]) for agent in env.agents})[4]
    assert infos["robot_1"]["corrected"] >= 3
    strict = env_of(strict=True, rules=NO_PURCHASES)
    strict.reset(seed=1)
    damaged(strict, 6)
    refreshed(strict)
    with pytest.raises(ActionError, match=r"robot_1.*\[0\]: slot 4.*register 1"):
        strict.step({a: strict.encode([4, 1, 2, 0, 0] if r == 1 else range(5)) for r, a in enumerate(strict.agents)})


def test_the_timer_fills_open_registers_from_the_own_hand() -> None:
    env = env_of(rules={"timer": True, **NO_PURCHASES})
    env.reset(seed=1)
    env.catch("robot_1", [2, 4])
    env.catch("robot_2", [5])
    hands = env.batch.games["hand"][0].copy()
    env.batch.games["asking"] = 0
    env.step({agent: env.encode([0, 0, 1, 0, 2] if agent == "robot_1" else range(5)) for agent in env.agents})
    submitted = env.batch.submitted_programs[0]
    assert len(set(submitted[1].tolist())) == 5
    assert hands[1, submitted[1]].all()
