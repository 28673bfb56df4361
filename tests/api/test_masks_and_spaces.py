"""Spaces hold what is given; masks say exactly what is legal; what is illegal is replaced and counted."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from roborally_env import RoboRallyError, parallel_env
from roborally_env.core.cards import AGAIN
from roborally_env.core.observe import PARTS
from roborally_env.envs import program_mask, program_number, program_slots
from tests.api.helpers import BUSY, KINDS, kind_name, legal_actions, play, until_choice


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_spaces_hold_all_that_is_given_and_legal_play_needs_no_repair(kind: dict[str, str]) -> None:
    env = parallel_env(BUSY, max_rounds=15, **kind)
    for actions, (observations, _, _, _, infos) in play(env, 1, 200):
        for agent in env.possible_agents:
            assert env.action_space(agent).contains(actions[agent])
            assert env.observation_space(agent).contains(observations[agent])
            assert infos[agent]["repairs"] == 0
        assert env.state_space.contains(env.state())


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_legal_play_is_legal_in_the_strict_env_too(kind: dict[str, str]) -> None:
    for _ in play(parallel_env(BUSY, max_rounds=15, strict=True, **kind), 2, 150):
        pass


@pytest.mark.parametrize("action", ["program", "register", "flat"])
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_the_flat_mask_in_info_is_the_one_in_the_observation(action: str, decisions: str) -> None:
    env = parallel_env(BUSY, action=action, decisions=decisions)
    for _, (observations, _, _, _, infos) in play(env, 3, 60):
        for agent in env.possible_agents:
            mask = observations[agent]["action_mask"]
            flat = np.concatenate(mask) if isinstance(mask, tuple) else mask
            np.testing.assert_array_equal(infos[agent]["action_mask"], flat)
            assert infos[agent]["action_mask"].dtype == np.int8


def test_the_program_mask_says_what_each_register_may_hold() -> None:
    env = parallel_env()
    seen = 0
    for _ in play(env, 4, 50):
        if not env.agents:
            continue
        hands = env.batch.games["hand"][0]
        for r, mask in enumerate(env.batch.observations["masks"][0]):
            again = hands[r, :9] == AGAIN
            np.testing.assert_array_equal(mask[0], ~again)
            assert mask[1:].all()
            seen += again.any()
    assert seen


def test_named_parts_are_the_vector_cut_up() -> None:
    vector, named = parallel_env(players=3), parallel_env(players=3, observation="dict")
    first, second = vector.reset(seed=8)[0], named.reset(seed=8)[0]
    for agent in vector.agents:
        parts = second[agent]["observation"]
        assert list(parts) == [name for name, _, _ in PARTS]
        np.testing.assert_array_equal(np.concatenate([p.ravel() for p in parts.values()]), first[agent]["observation"])
        assert parts["others"].shape[0] == 2


def test_planes_come_with_the_vector() -> None:
    vector, planes = parallel_env(), parallel_env(observation="planes")
    first, second = vector.reset(seed=8)[0], planes.reset(seed=8)[0]
    for agent in vector.agents:
        np.testing.assert_array_equal(second[agent]["observation"]["features"], first[agent]["observation"])


# -- repairs


def illegal_program(env: Any, r: int) -> list[int]:
    """Slots with one used three times: two repairs."""
    first = int(np.flatnonzero(env.batch.observations["masks"][0, r, 0])[0])
    return [first, first, first, (first + 1) % 9, (first + 3) % 9]


def test_a_slot_used_twice_is_replaced_by_the_next_free_one_and_counted() -> None:
    env = parallel_env()
    env.reset(seed=1)
    actions = {agent: illegal_program(env, r) for r, agent in enumerate(env.agents)}
    infos = env.step(actions)[4]
    for r, agent in enumerate(env.possible_agents):
        first = actions[agent][0]
        # the second becomes +1, the third +2; then +1 is used: the next free one is +3, and so +4 for the last
        assert env.batch.programs_laid[0, r].tolist() == [(first + i) % 9 for i in range(5)]
        assert infos[agent]["repairs"] == 4


def test_an_illegal_choice_becomes_the_default_and_is_counted() -> None:
    env, _, infos = until_choice()
    asked = int(env.batch.games["ask_seat"][0])
    for r, agent in enumerate(env.possible_agents):
        assert (infos[agent]["decision"] is not None) == (r == asked)
        assert bool(infos[agent]["options"]) == (r == asked)
    infos = env.step({agent: [0] * 6 for agent in env.agents})[4]
    assert [infos[agent]["repairs"] for agent in env.possible_agents] == [int(r == asked) for r in range(4)]


def test_the_register_form_replaces_at_once() -> None:
    env = parallel_env(action="register")
    env.reset(seed=1)
    first = {
        agent: int(np.flatnonzero(env.batch.observations["masks"][0, r, 0])[0]) for r, agent in enumerate(env.agents)
    }
    env.step(first)
    observations, _, _, _, infos = env.step(first)
    for agent, slot in first.items():
        assert infos[agent]["repairs"] == 1
        assert observations[agent]["action_mask"][(slot + 1) % 9] == 0
        assert observations[agent]["action_mask"].sum() == 7


def test_the_flat_form_replaces_what_is_illegal() -> None:
    env = parallel_env(action="flat")
    for seed in range(50):
        observations, _ = env.reset(seed=seed)
        illegal = {a: int(o["action_mask"].argmin()) for a, o in observations.items()}
        wrong = [a for a, o in observations.items() if not o["action_mask"][illegal[a]]]
        infos = env.step(illegal)[4]
        assert all((infos[a]["repairs"] > 0) == (a in wrong) for a in observations)
        if wrong:
            return
    raise AssertionError("no Again in any hand")


# -- strict


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_strict_refuses_what_is_illegal_and_plays_nothing(kind: dict[str, str]) -> None:
    env = parallel_env(strict=True, **kind)
    for seed in range(50):
        observations, _ = env.reset(seed=seed)
        actions = legal_actions(env, observations, np.random.default_rng(0))
        wrong = wrong_action(kind["action"], observations["robot_2"]["action_mask"])
        if wrong is None:
            continue
        before = env.snapshot()
        with pytest.raises(RoboRallyError, match="robot_2"):
            env.step({**actions, "robot_2": wrong})
        assert env.snapshot() == before
        env.step(actions)
        return
    raise AssertionError("no Again in any hand")


def wrong_action(action: str, mask: Any) -> Any:
    """An action that the mask forbids, or None where it forbids none."""
    if action != "program":
        return None if mask.all() else int(mask.argmin())
    forbidden = np.flatnonzero(mask[0] == 0)
    if not len(forbidden):
        return None
    slots = [int(forbidden[0]), *[i for i in range(9) if i != forbidden[0]][:4]]
    return [*slots, 0] if len(mask) == 6 else slots


def test_strict_says_what_is_wrong_with_a_program() -> None:
    env = parallel_env(strict=True)
    observations, _ = env.reset(seed=1)
    actions = legal_actions(env, observations, np.random.default_rng(0))
    twice = [int(actions["robot_1"][0])] * 2 + [i for i in range(9) if i != actions["robot_1"][0]][:3]
    with pytest.raises(RoboRallyError, match=r"actions\['robot_1'\]\[1\]: slot \d is already used in register 1"):
        env.step({**actions, "robot_1": twice})


def test_strict_says_what_is_wrong_with_a_choice() -> None:
    env, observations, _ = until_choice(strict=True)
    actions = legal_actions(env, observations, np.random.default_rng(0))
    asked = env.possible_agents[int(env.batch.games["ask_seat"][0])]
    other = next(agent for agent in env.agents if agent != asked)
    before = env.snapshot()
    with pytest.raises(RoboRallyError, match=r"choice 0 is not legal; expected 1 \(.*\), 2 \("):
        env.step({**actions, asked: [0] * 6})
    with pytest.raises(RoboRallyError, match=r"choice 1 is not legal; expected 0 \(nothing to choose\)"):
        env.step({**actions, other: [0] * 5 + [1]})
    assert env.snapshot() == before
    env.step(actions)


# -- the forms


def test_programs_are_numbered_in_lexicographic_order() -> None:
    every = list(permutations(range(9), 5))
    numbers = np.arange(len(every))
    assert len(every) == 15120
    np.testing.assert_array_equal(program_slots(numbers), every)
    np.testing.assert_array_equal(program_number(every), numbers)
    assert program_number([1, 1, 2, 3, 4]) == -1


def test_the_mask_of_programs_is_exact() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        masks = (rng.random((5, 9)) < 0.8).astype(np.int8)
        exact = [all(masks[k, slot] for k, slot in enumerate(slots)) for slots in program_slots(np.arange(15120))]
        np.testing.assert_array_equal(program_mask(masks), exact)


def test_all_forms_play_the_same_race() -> None:
    program, register, flat = (parallel_env(BUSY, decisions="all", action=a) for a in ("program", "register", "flat"))
    rng = np.random.default_rng(0)
    observations, _ = program.reset(seed=6)
    register.reset(seed=6)
    flat.reset(seed=6)
    choices = 0
    while program.agents:
        actions = legal_actions(program, observations, rng)
        choosing = register.choosing
        choices += choosing
        for env in (register, flat):
            for _ in range(5 if env is register and not choosing else 1):
                result = env.step({a: env.encode(actions[a][:5], int(actions[a][5])) for a in env.agents})
        observations, rewards, *_ = program.step(actions)
        assert result[1] == rewards
        assert register.batch.games.tobytes() == program.batch.games.tobytes() == flat.batch.games.tobytes()
    assert not register.agents
    assert not flat.agents
    assert choices


def test_between_registers_nothing_is_played_and_the_laid_cards_are_seen() -> None:
    env = parallel_env(action="register", observation="dict")
    observations, _ = env.reset(seed=2)
    state = env.batch.games.tobytes()
    hands = env.batch.games["hand"][0]
    laid: list[int] = []
    for k in range(4):
        parts = observations["robot_0"]["observation"]
        assert parts["register"].tolist() == [float(i == k) for i in range(5)]
        assert np.flatnonzero(parts["used"]).tolist() == sorted(laid)
        for i, slot in enumerate(laid):
            assert np.flatnonzero(parts["laid"][i]).tolist() == [hands[0, slot] - 1]
        actions = legal_actions(env, observations, np.random.default_rng(k))
        laid.append(int(actions["robot_0"]))
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert set(rewards.values()) == {0.0}
        assert not any(terminations.values())
        assert not any(truncations.values())
        assert infos["robot_0"]["rewards"] == {"race": 0.0, "progress": 0.0, "shaping": 0.0}
        assert env.batch.games.tobytes() == state
    env.step(legal_actions(env, observations, np.random.default_rng(9)))
    assert env.batch.games.tobytes() != state


def test_choices_of_the_one_number_forms_are_option_numbers() -> None:
    for action in ("register", "flat"):
        env, observations, infos = until_choice(action=action)
        asked = int(env.batch.games["ask_seat"][0])
        options = int(env.batch.games["ask_options"][0])
        for r, agent in enumerate(env.agents):
            legal = np.flatnonzero(observations[agent]["action_mask"]).tolist()
            assert legal == ([i for i in range(4) if options >> i & 1] if r == asked else [0])
        assert len(infos[env.agents[asked]]["options"]) == bin(options).count("1")
        if action == "register":
            assert not observations["robot_0"]["observation"][-79:].any()
