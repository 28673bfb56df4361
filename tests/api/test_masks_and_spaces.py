"""Spaces hold what is given; masks say exactly what is legal; what is illegal is replaced and counted."""

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from roborally_env import ActionError, parallel_env
from roborally_env.core import choices
from roborally_env.core.cards import AGAIN, NONE, REPEAT_ROUTINE
from roborally_env.core.seeing.observe import parts_of
from roborally_env.core.state import COMPLETE
from roborally_env.core.state import LIGHTER as LIGHTER_GAME
from roborally_env.envs import ranking_of
from tests.api.helpers import (
    ACTIONS,
    BUSY,
    DECISIONS,
    KINDS,
    kind_name,
    legal_actions,
    parts_of_mask,
    play,
    start,
    until_choice,
)
from tests.games import FULL, LIGHTER, both_games, deal_upgrades


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_spaces_hold_all_that_is_given_and_legal_play_needs_no_repair(kind: dict[str, Any]) -> None:
    env = parallel_env(BUSY, max_rounds=15, **kind)
    for actions, (observations, _, _, _, infos) in play(env, 1, 200):
        for agent in env.possible_agents:
            assert env.action_space(agent).contains(actions[agent])
            assert env.observation_space(agent).contains(observations[agent])
            assert infos[agent]["corrected"] == 0
        assert env.state_space.contains(env.state())


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_legal_play_is_legal_in_the_strict_env_too(kind: dict[str, Any]) -> None:
    for _ in play(parallel_env(BUSY, max_rounds=15, strict=True, **kind), 2, 150):
        pass


@both_games
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("decisions", DECISIONS)
def test_the_flat_mask_in_info_is_the_one_in_the_observation(
    action: str, decisions: str, rules: dict[str, Any]
) -> None:
    env = parallel_env(BUSY, action=action, decisions=decisions, rules=rules)
    for _, (observations, _, _, _, infos) in play(env, 3, 60):
        for agent in env.possible_agents:
            np.testing.assert_array_equal(infos[agent]["action_mask"], observations[agent]["action_mask"])
            assert infos[agent]["action_mask"].dtype == np.int8


@pytest.mark.parametrize(
    ("rules", "decisions", "slots", "options"),
    [(FULL, "program", 10, 42), (FULL, "all", 10, 42), (LIGHTER, "program", 9, 0), (LIGHTER, "all", 9, 5)],
)
def test_the_shapes_of_actions_and_masks(rules: dict[str, Any], decisions: str, slots: int, options: int) -> None:
    env = parallel_env(rules=rules, decisions=decisions)
    sizes = [slots] * 5 + [options] * (options > 0)
    assert env.action_space("robot_0").nvec.tolist() == sizes
    observations, infos = env.reset(seed=1)
    assert [len(mask) for mask in parts_of_mask(env, observations["robot_0"])] == sizes
    assert infos["robot_0"]["action_mask"].shape == (sum(sizes),)
    # a choice is its option's number; in the `program` form 0 says that there is nothing to choose
    for action, size in (("register", max(slots, options - 1)), ("flat", 30240 if slots == 10 else 15120)):
        form = parallel_env(rules=rules, decisions=decisions, action=action)
        assert form.action_space("robot_0").n == size
        assert form.reset(seed=1)[0]["robot_0"]["action_mask"].shape == (size,)


@both_games
def test_the_program_mask_says_what_each_register_may_hold(rules: dict[str, Any]) -> None:
    """Any slot with a card; in the first register no Again and no Repeat Routine."""
    env = parallel_env(rules=rules)
    again = [AGAIN, REPEAT_ROUTINE]
    seen, tens = set(), 0
    for i, _ in enumerate(play(env, 4, 300 if rules == FULL else 50)):
        if not env.agents or not env.batch.programming[0]:
            continue
        games = env.batch.games
        if rules == FULL and i % 3 == 0:  # what a Memory Stick and a Repeat Routine bring
            games["hand"][0, 1, 9], games["hand"][0, 2, 0], games["held"][0, 1] = 5, REPEAT_ROUTINE, 10
            env.batch.observe()
        hands = games["hand"][0, :, : env.batch.hand_slots]
        for r, mask in enumerate(env.batch.observations["masks"][0]):
            there = hands[r] != NONE
            np.testing.assert_array_equal(mask[0], there & ~np.isin(hands[r], again))
            np.testing.assert_array_equal(mask[1:], np.tile(there, (4, 1)))
            seen |= set(hands[r].tolist()) & set(again)
            tens += there.sum() == 10
    assert seen == (set(again) if rules == FULL else {AGAIN})
    assert (tens > 0) == (rules == FULL)


@both_games
@pytest.mark.parametrize("decisions", DECISIONS)
def test_named_parts_are_the_vector_cut_up(decisions: str, rules: dict[str, Any]) -> None:
    options = {"players": 3, "decisions": decisions, "rules": rules}
    vector, named = parallel_env(**options), parallel_env(observation="dict", **options)
    first, second = vector.reset(seed=8)[0], named.reset(seed=8)[0]
    for agent in vector.agents:
        parts = second[agent]["observation"]
        game = COMPLETE if rules == FULL else LIGHTER_GAME
        assert list(parts) == [name for name, *_ in parts_of(game, decisions == "all")]
        np.testing.assert_array_equal(np.concatenate([p.ravel() for p in parts.values()]), first[agent]["observation"])
        assert parts["others"].shape[0] == 2


@both_games
def test_planes_come_with_the_vector(rules: dict[str, Any]) -> None:
    vector, planes = parallel_env(rules=rules), parallel_env(observation="planes", rules=rules)
    first, second = vector.reset(seed=8)[0], planes.reset(seed=8)[0]
    for agent in vector.agents:
        np.testing.assert_array_equal(second[agent]["observation"]["features"], first[agent]["observation"])


# -- repairs


def illegal_program(env: Any, r: int) -> list[int]:
    """Slots with one used three times: two repairs."""
    first = int(np.flatnonzero(env.batch.observations["masks"][0, r, 0])[0])
    return [first, first, first, (first + 1) % 9, (first + 3) % 9]


@both_games
def test_a_slot_used_twice_is_replaced_by_the_next_free_one_and_counted(rules: dict[str, Any]) -> None:
    env = parallel_env(rules=rules)
    start(env, 1)
    actions = {agent: illegal_program(env, r) for r, agent in enumerate(env.agents)}
    infos = env.step({agent: env.encode(slots) for agent, slots in actions.items()})[4]
    for r, agent in enumerate(env.possible_agents):
        first = actions[agent][0]
        # the second becomes +1, the third +2; then +1 is used: the next free one is +3, and so +4 for the last
        assert env.batch.submitted_programs[0, r].tolist() == [(first + i) % 9 for i in range(5)]
        assert infos[agent]["corrected"] == 4


def test_an_empty_slot_is_replaced_by_the_next_one_with_a_card_and_counted() -> None:
    """Slot 9 holds a card with a Memory Stick alone."""
    env = parallel_env()
    start(env, 1)
    legal = [int(np.flatnonzero(mask[0])[0]) for mask in env.batch.observations["masks"][0]]
    rest = [[i for i in range(9) if i != first] for first in legal]
    actions = {a: env.encode([legal[r], *rest[r][1:4], 9]) for r, a in enumerate(env.agents)}
    infos = env.step(actions)[4]
    for r, agent in enumerate(env.possible_agents):
        used = [legal[r], *rest[r][1:4]]
        free = next(slot for slot in range(9) if slot not in used)
        assert env.batch.submitted_programs[0, r].tolist() == [*used, free]
        assert infos[agent]["corrected"] == 1


@both_games
def test_an_illegal_choice_becomes_the_default_and_is_counted(rules: dict[str, Any]) -> None:
    env, _, infos = until_choice(rules=rules)
    asked = int(env.batch.games["ask_seat"][0])
    for r, agent in enumerate(env.possible_agents):
        assert (infos[agent]["decision"] is not None) == (r == asked)
        assert bool(infos[agent]["options"]) == (r == asked)
    infos = env.step({agent: [0] * 6 for agent in env.agents})[4]
    assert [infos[agent]["corrected"] for agent in env.possible_agents] == [int(r == asked) for r in range(4)]


@both_games
def test_the_register_form_replaces_at_once(rules: dict[str, Any]) -> None:
    env = parallel_env(action="register", rules=rules)
    start(env, 1)
    first = {
        agent: int(np.flatnonzero(env.batch.observations["masks"][0, r, 0])[0]) for r, agent in enumerate(env.agents)
    }
    env.step(first)
    observations, _, _, _, infos = env.step(first)
    for agent, slot in first.items():
        assert infos[agent]["corrected"] == 1
        assert observations[agent]["action_mask"][(slot + 1) % 9] == 0
        assert observations[agent]["action_mask"].sum() == 7


@both_games
def test_the_flat_form_replaces_what_is_illegal(rules: dict[str, Any]) -> None:
    env = parallel_env(action="flat", rules=rules)
    for seed in range(50):
        observations, _ = start(env, seed)
        illegal = {a: int(o["action_mask"].argmin()) for a, o in observations.items()}
        wrong = [a for a, o in observations.items() if not o["action_mask"][illegal[a]]]
        infos = env.step(illegal)[4]
        assert all((infos[a]["corrected"] > 0) == (a in wrong) for a in observations)
        if wrong:
            return
    raise AssertionError("no Again in any hand")


# -- strict


def _announces(kind: dict[str, Any]) -> bool:
    """Whether the form has numbers for an announcement of a power down, which nobody may make at the start."""
    return kind["action"] == "flat" and kind["decisions"] == "program"


# in a first hand of the 2005 edition every slot is legal in every register
CAN_BE_WRONG = [kind for kind in KINDS if kind["edition"] != "2005" or _announces(kind)]


@pytest.mark.parametrize("kind", CAN_BE_WRONG, ids=kind_name)
def test_strict_refuses_what_is_illegal_and_plays_nothing(kind: dict[str, Any]) -> None:
    env = parallel_env(strict=True, **kind)
    for seed in range(50):
        observations, _ = start(env, seed)
        actions = legal_actions(env, observations, np.random.default_rng(0))
        wrong = wrong_action(kind["action"], parts_of_mask(env, observations["robot_2"]))
        if wrong is None:
            continue
        before = env.snapshot()
        with pytest.raises(ActionError, match="robot_2"):
            env.step({**actions, "robot_2": wrong})
        assert env.snapshot() == before
        env.step(actions)
        return
    raise AssertionError("no Again in any hand")


def wrong_action(action: str, masks: Any) -> Any:
    """An action that the masks forbid, or None where it forbids none."""
    if action != "program":
        return None if masks[0].all() else int(masks[0].argmin())
    forbidden = np.flatnonzero(masks[0] == 0)
    if not len(forbidden):
        return None
    slots = [int(forbidden[0]), *[i for i in range(9) if i != forbidden[0]][:4]]
    return [*slots, 0] if len(masks) == 6 else slots


@both_games
def test_strict_says_what_is_wrong_with_a_program(rules: dict[str, Any]) -> None:
    env = parallel_env(strict=True, rules=rules)
    observations, _ = start(env, 1)
    actions = legal_actions(env, observations, np.random.default_rng(0))
    first = int(actions["robot_1"][0])
    twice = env.encode([first, first, *[i for i in range(9) if i != first][:3]])
    with pytest.raises(ActionError, match=r"actions\['robot_1'\]\[1\]: slot \d.*register 1"):
        env.step({**actions, "robot_1": twice})
    if rules == FULL:
        empty = env.encode([first, *[i for i in range(9) if i != first][:3], 9])
        with pytest.raises(ActionError, match=r"\[4\]: slot 9.*register 5.*0, 1, 2"):
            env.step({**actions, "robot_1": empty})
        with pytest.raises(ActionError, match=r"\[5\]: choice 1.*0"):
            env.step({**actions, "robot_1": [*actions["robot_1"][:5], 1]})


@pytest.mark.parametrize(
    ("rules", "kinds", "words"),
    [
        (LIGHTER, (), r"expected 1 \(N\), 2 \(E\)|expected 1 \(spam\), 2 \(worm\)"),
        (FULL, ("reboot_facing",), r"expected 1 \(N\), 2 \(E\)"),
        (FULL, ("buy_upgrade",), r"expected 1 \(no\), \d+ \([a-z_]+\)"),
    ],
)
def test_strict_says_what_is_wrong_with_a_choice(rules: dict[str, Any], kinds: tuple[str, ...], words: str) -> None:
    env, observations, _ = until_choice(strict=True, rules=rules, kinds=kinds)
    actions = legal_actions(env, observations, np.random.default_rng(0))
    asked = env.possible_agents[int(env.batch.games["ask_seat"][0])]
    other = next(agent for agent in env.agents if agent != asked)
    before = env.snapshot()
    with pytest.raises(ActionError, match=rf"choice 0.*{words}"):
        env.step({**actions, asked: [0] * 6})
    with pytest.raises(ActionError, match=r"choice 1.*0"):
        env.step({**actions, other: [0] * 5 + [1]})
    assert env.snapshot() == before
    env.step(actions)


# -- the forms


@pytest.mark.parametrize(("slots", "count"), [(9, 15120), (10, 30240)])
def test_programs_are_numbered_in_lexicographic_order(slots: int, count: int) -> None:
    every = list(permutations(range(slots), 5))
    ranking, numbers = ranking_of(slots), np.arange(len(every))
    assert len(every) == ranking.count == count
    np.testing.assert_array_equal(ranking.slots(numbers), every)
    np.testing.assert_array_equal(ranking.number(every), numbers)
    assert ranking.number([1, 1, 2, 3, 4]) == -1


@pytest.mark.parametrize("slots", [9, 10])
def test_the_mask_of_programs_is_exact(slots: int) -> None:
    rng, ranking = np.random.default_rng(0), ranking_of(slots)
    for _ in range(20):
        masks = (rng.random((5, slots)) < 0.8).astype(np.int8)
        exact = masks[np.arange(5), ranking.programs].all(axis=1)
        np.testing.assert_array_equal(ranking.mask(masks), exact)


@both_games
@pytest.mark.parametrize("decisions", DECISIONS)
def test_all_forms_play_the_same_race(decisions: str, rules: dict[str, Any]) -> None:
    program, register, flat = (parallel_env(BUSY, decisions=decisions, action=a, rules=rules) for a in ACTIONS)
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
                result = env.step({a: env.encode(actions[a][:5], int([*actions[a], 0][5])) for a in env.agents})
        observations, rewards, *_ = program.step(actions)
        assert result[1] == rewards
        assert register.batch.games.tobytes() == program.batch.games.tobytes() == flat.batch.games.tobytes()
    assert not register.agents
    assert not flat.agents
    assert bool(choices) == (rules == FULL or decisions == "all")


@both_games
def test_between_registers_nothing_is_played_and_the_laid_cards_are_seen(rules: dict[str, Any]) -> None:
    env = parallel_env(action="register", observation="dict", rules=rules)
    observations, _ = start(env, 2)
    state = env.batch.games.tobytes()
    hands = env.batch.games["hand"][0]
    taken: list[int] = []
    for k in range(4):
        parts = observations["robot_0"]["observation"]
        assert parts["to_fill"].tolist() == [float(i == k) for i in range(5)]
        assert np.flatnonzero(parts["slots_used"]).tolist() == sorted(taken)
        for i, slot in enumerate(taken):
            assert np.flatnonzero(parts["laid"][i]).tolist() == [hands[0, slot] - 1]
        actions = legal_actions(env, observations, np.random.default_rng(k))
        taken.append(int(actions["robot_0"]))
        observations, rewards, terminations, truncations, infos = env.step(actions)
        assert set(rewards.values()) == {0.0}
        assert not any(terminations.values())
        assert not any(truncations.values())
        assert infos["robot_0"]["rewards"] == {"race": 0.0, "progress": 0.0, "shaping": 0.0}
        assert env.batch.games.tobytes() == state
    env.step(legal_actions(env, observations, np.random.default_rng(9)))
    assert env.batch.games.tobytes() != state


@both_games
@pytest.mark.parametrize("action", ["register", "flat"])
def test_choices_of_the_one_number_forms_are_option_numbers(action: str, rules: dict[str, Any]) -> None:
    env, observations, infos = until_choice(action=action, rules=rules)
    asked = int(env.batch.games["ask_seat"][0])
    options = int(env.batch.games["ask_options"][0])
    for r, agent in enumerate(env.agents):
        legal = np.flatnonzero(observations[agent]["action_mask"]).tolist()
        assert legal == ([i for i in range(41) if options >> i & 1] if r == asked else [0])
    assert len(infos[env.agents[asked]]["options"]) == bin(options).count("1")
    if action == "register":
        own = sum(int(np.prod(shape)) for shape in env.parts.values())
        assert not observations["robot_0"]["observation"][-own:].any()


# -- every option of a choice


@pytest.mark.parametrize(
    ("rules", "decisions"),
    [(FULL, "program"), (FULL, "all"), (LIGHTER, "all")],
    ids=["purchases", "upgrades", "lighter"],
)
def test_choice_masks_are_exact(rules: dict[str, Any], decisions: str) -> None:
    """Each option of a mask is played without repair; each other one is refused, or replaced by the default."""
    options = {"decisions": decisions, "rules": rules, "max_rounds": 8}
    strict, lenient = parallel_env(BUSY, strict=True, **options), parallel_env(BUSY, **options)
    tried: Counter[str] = Counter()
    lenient.reset(seed=1)
    for _, (observations, _, _, _, _) in play(dealt(strict), 9, 900 if decisions == "all" else 150):
        game = strict.batch.games[0]
        kind = choices.NAMES[int(game["ask_kind"])]
        if not strict.agents or kind == "none" or tried[kind] == 3:
            continue
        tried[kind] += 1
        check_every_choice(strict, lenient, observations)
    wanted = {"program": {"buy_upgrade"}, "all": {"reboot_facing"}}[decisions]
    assert tried.keys() >= wanted
    assert len(tried) > 25 or rules == LIGHTER or decisions == "program", tried


def dealt(env: Any) -> Any:
    """The env, with upgrades on all mats at each start of a race."""
    begin = env.reset

    def reset(**options: Any) -> Any:
        given = begin(**options)
        if env.batch.upgrades:
            deal_upgrades(env.batch, int(env.batch.games["episode"][0]))
            given = env.restore(env.snapshot())
        return given

    env.reset = reset
    return env


def check_every_choice(strict: Any, lenient: Any, observations: dict[str, Any]) -> None:
    """Try every number as the answer to the open choice; both envs are put back."""
    asked = int(strict.batch.games["ask_seat"][0])
    agent, default = strict.possible_agents[asked], 1 + int(strict.batch.games["ask_default"][0])
    mask, saved = parts_of_mask(strict, observations[agent])[5], strict.snapshot()
    assert mask[default]
    assert not mask[0]
    outcomes = {}
    for choice in range(len(mask)):
        actions = {a: strict.encode(range(5), choice if a == agent else 0) for a in strict.possible_agents}
        lenient.restore(saved)
        infos = lenient.step(actions)[4]
        assert [infos[a]["corrected"] for a in infos] == [int(a == agent and not mask[choice]) for a in infos]
        outcomes[choice] = lenient.batch.games.tobytes()
        if mask[choice]:
            strict.step(actions)
            assert strict.batch.games.tobytes() == outcomes[choice]
            strict.restore(saved)
        else:
            with pytest.raises(ActionError, match=f"choice {choice}"):
                strict.step(actions)
            assert strict.snapshot() == saved
    assert all(outcomes[choice] == outcomes[default] for choice in outcomes if not mask[choice])
