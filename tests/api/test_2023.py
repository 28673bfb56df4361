"""The interfaces race by the 2023 edition."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test

from roborally_env import BatchRace, aec_env, load_course, make_vec, parallel_env
from roborally_env.base.errors import RoboRallyError
from roborally_env.core.choices import KINDS_2023, NAMES
from roborally_env.core.seeing.observe import layout_of, parts_of
from roborally_env.core.upgrades import COUNT, bits
from tests.api.helpers import as_bytes, legal_action, masks_of, play
from tests.api.test_hidden_information import with_games

PHASE = {NAMES[kind] for kind in KINDS_2023}


@pytest.mark.parametrize("course", [None, "dizzy_highway", "2023/twister", "2016/twister", load_course("burnout")])
def test_it_races_on_the_courses_of_2016(course):
    env = parallel_env(course, edition="2023")
    assert env.batch.edition == env.batch.courses[0].edition == "2023"


def test_the_edition_of_a_course_s_name_is_enough():
    assert parallel_env("2023/twister").batch.edition == "2023"
    assert parallel_env("twister").batch.edition == "2016"


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"course": "checkmate"}, "checkmate.*edition 2005.*2023"),
    ({"course": "2005/twister"}, "2005/twister.*'2023'"),
    ({"course": load_course("checkmate")}, "checkmate.*edition 2005.*2023"),
    ({"rules": {"upgrades": False}}, "rules.*'upgrades'"),
    ({"rules": {"start_energy": 4}}, "rules.start_energy.*3.*5.*4"),
    ({"rules": {"most_energy": 0}}, "rules.most_energy.*10.*'unlimited'.*0"),
    ({"players": 7}, "players.*2.*6.*7"),
]


@pytest.mark.parametrize(
    ("arguments", "message"), WRONG, ids=lambda given: "" if isinstance(given, str) else str(given)
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(RoboRallyError, match=message):
        parallel_env(**{"edition": "2023", **arguments})


@pytest.mark.parametrize("decisions", ["program", "all"])
@pytest.mark.parametrize("observation", ["symbolic", "planes", "dict"])
def test_pettingzoo_s_own_test_passes(observation, decisions):
    env = parallel_env("dizzy_highway", edition="2023", observation=observation, decisions=decisions, max_rounds=6)
    parallel_api_test(env, num_cycles=60)


def test_the_action_is_five_slots_and_with_all_decisions_a_choice():
    assert parallel_env(edition="2023").action_space("robot_0") == gymnasium.spaces.MultiDiscrete([10] * 5)
    every = parallel_env(edition="2023", decisions="all").action_space("robot_0")
    assert every == gymnasium.spaces.MultiDiscrete([10] * 5 + [42])


@pytest.mark.parametrize("action", ["program", "register", "flat"])
def test_every_decision_of_the_phase_is_asked_and_named(action):
    env = parallel_env("twister", edition="2023", decisions="all", action=action, max_rounds=5, strict=True)
    asked, named = set(), set()
    for _, (_, _, _, _, infos) in play(env, 3, 500):
        for info in infos.values():
            if info["decision"] in PHASE:
                asked.add(info["decision"])
                named |= set(info["options"])
    assert asked == PHASE
    assert {"no", "yes"} < named
    assert len(named) > 20


def test_the_turn_by_turn_form_plays_a_race():
    env = aec_env("dizzy_highway", edition="2023", decisions="all", max_rounds=3)
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    for agent in env.agent_iter(4000):
        observation, _, terminated, truncated, _ = env.last()
        done = terminated or truncated
        space = env.action_space(agent)
        env.step(None if done else legal_action(observation["action_mask"], rng, space))
        assert agent in env.possible_agents
    assert not env.agents


def test_gymnasium_races_against_bots():
    env = gymnasium.make("RoboRally-v0", edition="2023", opponents=["greedy", "random"], max_rounds=4)
    observation, _ = env.reset(seed=3)
    over = False
    while not over:
        mask = masks_of(env.action_space, observation["action_mask"])
        slots: list[int] = []
        for legal in mask[:5]:
            slots.append(next(int(i) for i in np.flatnonzero(legal) if i not in slots))
        observation, _, terminated, truncated, _ = env.step(np.array(slots))
        over = terminated or truncated


@pytest.mark.parametrize("decisions", ["program", "all"])
def test_gymnasium_s_own_check_passes(decisions):
    env = gymnasium.make(
        "RoboRally-v0", edition="2023", opponents=["random", "random"], decisions=decisions, disable_env_checker=True
    )
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.slow
@pytest.mark.train
def test_stable_baselines_learns_on_it():
    pytest.importorskip("sb3_contrib")
    from sb3_contrib import MaskablePPO

    from roborally_env.envs.sb3 import SB3VecEnv

    env = SB3VecEnv(4, edition="2023", action="register", mask_in_observation=False, max_rounds=4, seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=32, device="cpu")
    model.learn(64)


def test_the_vector_env_races():
    envs = make_vec(8, "dizzy_highway", edition="2023", opponents=["greedy", "random"], seed=1)
    envs.reset()
    for _ in range(20):
        observations, rewards, *_ = envs.step(envs.action_space.sample())
    assert rewards.shape == (8,)
    assert observations["observation"].shape[0] == 8


# -- what is seen


@pytest.mark.parametrize("observation", ["symbolic", "planes", "dict"])
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_another_s_collection_is_seen_by_its_owner_alone(observation, decisions):
    """Whichever cards lie in it; how many they are everybody sees."""
    seen = 0
    env = parallel_env("twister", edition="2023", observation=observation, decisions=decisions, max_rounds=20)
    for i, _ in enumerate(play(env, 2, 120)):
        game = env.batch.games[0]
        mine = [u for u in range(1, COUNT + 1) if int(game.collection[2]) >> u & 1]
        if i % 5 or not env.agents or not mine or game.ask_seat == 2:
            continue
        now, games = with_games(env, env.batch.games), env.batch.games.copy()
        card, other = mine[0], int(games["upgrade_deck"][0, 0])
        games["collection"][0, 2] ^= bits(card, other)
        games["upgrade_deck"][0, 0] = card
        changed = with_games(env, games)
        for agent in env.possible_agents:
            assert (as_bytes(changed[agent]) == as_bytes(now[agent])) == (agent != "robot_2")
        games["collection"][0, 2] |= bits(card)
        fuller = with_games(env, games)
        assert all(as_bytes(fuller[agent]) != as_bytes(now[agent]) for agent in env.possible_agents)
        seen += 1
    assert seen > 3


def test_the_parts_of_the_observation_say_what_the_record_says():
    batch = BatchRace(30, ["twister", "dizzy_highway"], edition="2023", decisions="all", seed=2, max_rounds=12)
    at, rows = layout_of("2023"), 0
    numbers = np.arange(1, COUNT + 1)
    for i in range(120):
        batch.sample(i)
        batch.step_prepared()
        if i % 10:
            continue
        vectors = batch.observations["symbolic"]
        for game, seats in zip(batch.games, vectors, strict=True):
            for r, vector in enumerate(seats):
                parts = {
                    "collection": int(game.collection[r]), "upgrades": int(game.owned[r]),
                    "upgrade_discard": int(game.upgrade_discard),
                }  # fmt: skip
                for name, wanted in parts.items():
                    begin = getattr(at, name)
                    assert np.array_equal(vector[begin : begin + COUNT], wanted >> numbers & 1), name
                flags = vector[at.upgrade_phase : at.upgrade_phase + 3]
                phase = [int(game.drew) >> r & 1, int(game.installed) >> r & 1, int(game.upgrades_left) / 40]
                assert np.allclose(flags, phase)
                for k in range(1, 4):
                    count = int(game.collection[(r + k) % 4]).bit_count()
                    assert vector[at.others + (k - 1) * at.row + at.row - 1] == count / 8
                    rows += count
    assert rows > 100


def test_the_decision_that_is_asked_is_in_its_own_place():
    """The kinds of 2023 follow those of 2016 in `asked`."""
    batch = BatchRace(40, "twister", edition="2023", decisions="all", seed=2, max_rounds=12)
    offsets, begin = {}, 0
    for name, shape, *_ in parts_of("2023", True):
        offsets[name] = begin
        begin += int(np.prod([3 if n < 0 else n for n in shape]))
    assert begin == batch.symbolic_size
    size = offsets["options"] - offsets["asked"]
    found = set()
    for i in range(150):
        for game, seats in zip(batch.games, batch.observations["symbolic"], strict=True):
            if game.ask_seat >= 0:
                part = seats[int(game.ask_seat)][offsets["asked"] : offsets["options"]]
                assert part.sum() == 1
                found.add((int(game.ask_kind), int(part.argmax())))
        batch.sample(i)
        batch.step_prepared()
    assert {place for kind, place in found if kind in KINDS_2023} == {size - 3, size - 2, size - 1}
    assert len({place for _, place in found}) == len({kind for kind, _ in found}) == len(found)


def test_the_state_for_critics_has_all_collections():
    env = parallel_env(edition="2023", decisions="all", max_rounds=5)
    for _ in play(env, 1, 30):
        if env.agents:
            assert env.state().shape == env.state_space.shape
            assert env.state_space.contains(env.state())
