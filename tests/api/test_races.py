"""Seeds, ends, rewards, courses, the timer, copies, snapshots, the state."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from roborally_env import ActionError, BatchRace, RoboRallyError, SnapshotError, parallel_env
from roborally_env.batch import RULES_VERSION, race
from roborally_env.envs.parallel import pack_snapshot
from tests.api.helpers import (
    ACTIONS,
    BUSY,
    DECISIONS,
    KINDS,
    arrays,
    as_bytes,
    buy_nothing,
    kind_name,
    legal_actions,
    play,
    start,
    until_choice,
)
from tests.games import FULL, GAMES, LIGHTER, both_games, deal_upgrades
from tests.sizes import each_once, pairs

# -- seeds


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_the_same_seed_gives_the_same_bytes(kind: dict[str, Any]) -> None:
    first, second = parallel_env(BUSY, **kind), parallel_env(BUSY, **kind)
    for (_, mine), (_, again) in zip(play(first, 7, 60), play(second, 7, 60), strict=True):
        assert as_bytes(mine[0]) == as_bytes(again[0])
        assert mine[1:4] == again[1:4]
        assert as_bytes(mine[4]) == as_bytes(again[4])


@both_games
def test_a_reset_without_a_seed_is_the_next_race(rules: dict[str, Any]) -> None:
    env, other = parallel_env(rules=rules), parallel_env(rules=rules)
    races = [as_bytes(env.reset(seed=3)[0]), *(as_bytes(env.reset()[0]) for _ in range(3))]
    assert len(set(races)) == 4
    start(other, 3)
    other.step({agent: other.encode(range(5)) for agent in other.agents})
    assert [as_bytes(other.reset()[0]) for _ in range(3)] == races[1:]
    assert as_bytes(other.reset(seed=3)[0]) == races[0]


def test_an_unseeded_env_draws_its_own_seed() -> None:
    assert as_bytes(parallel_env().reset()[0]) != as_bytes(parallel_env().reset()[0])


@both_games
@pytest.mark.parametrize("decisions", DECISIONS)
def test_the_env_is_the_first_game_of_a_batch(decisions: str, rules: dict[str, Any]) -> None:
    options = {"reward": "shaped", "decisions": decisions, "rules": rules}
    env, batch = parallel_env(**options), BatchRace(1, seed=11, max_rounds=100, auto_reset=False, **options)
    env.reset(seed=11)
    for seed in range(150):
        programs, choices = batch.sample(seed)
        actions = {agent: env.encode(programs[0, r], choices[0, r]) for r, agent in enumerate(env.agents)}
        result = env.step(actions)
        given = batch.step_prepared()
        for r, agent in enumerate(env.possible_agents):
            assert as_bytes(result[0][agent]["observation"]) == given.observations["symbolic"][0, r].tobytes()
        assert list(result[1].values()) == given.rewards[0].tolist()
        if not env.agents:
            break


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True, [1]])
def test_wrong_seeds_are_refused(seed: Any) -> None:
    env = parallel_env()
    env.reset(seed=1)
    before = env.snapshot()
    with pytest.raises(RoboRallyError, match=r"seed.*0"):
        env.reset(seed=seed)
    assert env.snapshot() == before


# -- courses


def test_a_list_of_courses_is_drawn_from_by_the_seed() -> None:
    names = ["dizzy_highway", "risky_crossing", "high_octane"]
    env = parallel_env(names)
    found = [env.reset(seed=seed)[1]["robot_0"]["course"] for seed in range(30)]
    assert set(found) == set(names)
    assert found == [env.reset(seed=seed)[1]["robot_0"]["course"] for seed in range(30)]
    env.reset(seed=0)
    assert len({env.reset()[1]["robot_0"]["course"] for _ in range(30)}) == 3


@both_games
def test_the_state_says_which_course_is_raced(rules: dict[str, Any]) -> None:
    env = parallel_env(["dizzy_highway", "risky_crossing"], rules=rules)
    for seed in range(8):
        course = env.reset(seed=seed)[1]["robot_0"]["course"]
        assert state_part(env, "course").tolist() == [course == "dizzy_highway", course == "risky_crossing"]


def state_part(env: Any, name: str) -> np.ndarray:
    """A part of the state by its name."""
    sizes = [int(np.prod(shape)) for shape in env.state_shapes.values()]
    return np.split(env.state(), np.cumsum(sizes)[:-1])[list(env.state_shapes).index(name)]


# -- the end of a race, and rewards


@pytest.mark.parametrize(("action", "rules"), each_once(ACTIONS, GAMES.values()))
def test_all_agents_end_together_with_the_same_flags(action: str, rules: dict[str, Any]) -> None:
    ends = set()
    env = parallel_env(action=action, max_rounds=12, rules=rules)
    for _, (observations, rewards, terminations, truncations, infos) in play(env, 1, 2500):
        flags = set(zip(terminations.values(), truncations.values(), strict=True))
        assert len(flags) == 1
        over = flags.pop()
        assert over != (True, True)
        assert bool(env.agents) == (over == (False, False))
        assert list(observations) == list(rewards) == list(infos) == env.possible_agents
        assert all(("place" in info) == (over != (False, False)) for info in infos.values())
        if any(over):
            ends.add(over)
            assert {info["decision"] for info in infos.values()} == {None}
    assert ends == {(True, False), (False, True)}


@both_games
def test_max_rounds_cuts_a_race(rules: dict[str, Any]) -> None:
    env = parallel_env(max_rounds=2, rules=rules)
    start(env, 1)
    everybody = {agent: env.encode(range(5)) for agent in env.agents}
    assert not any(env.step(everybody)[3].values())
    while not env.batch.programming[0]:
        assert not any(buy_nothing(env)[3].values())
    _, rewards, terminations, truncations, infos = env.step(everybody)
    assert all(truncations.values())
    assert not any(terminations.values())
    assert sum(rewards.values()) == pytest.approx(0)
    assert infos["robot_0"]["round"] == 2


@both_games
def test_after_the_end_only_reset_helps(rules: dict[str, Any]) -> None:
    env = parallel_env(max_rounds=1, rules=rules)
    with pytest.raises(RoboRallyError, match="reset"):
        env.step({})
    start(env, 1)
    everybody = {agent: env.encode(range(5)) for agent in env.agents}
    env.step(everybody)
    assert tuple(env.step({})) == ({}, {}, {}, {}, {})
    with pytest.raises(RoboRallyError, match="over"):
        env.step(everybody)


@pytest.mark.parametrize(("reward", "action", "rules"), pairs(["race", "progress", "shaped"], ACTIONS, GAMES.values()))
def test_rewards_are_made_of_the_components_in_info(reward: str, action: str, rules: dict[str, Any]) -> None:
    env = parallel_env(reward=reward, action=action, max_rounds=20, rules=rules)
    total = {"race": 0.0, "progress": 0.0}
    for _, (_, rewards, _, _, infos) in play(env, 2, 600):
        for agent, value in rewards.items():
            parts = infos[agent]["rewards"]
            expected = parts["race"] + parts["shaping"] if reward == "shaped" else parts[reward]
            assert value == pytest.approx(expected, abs=1e-6)
            assert isinstance(value, float)
        total["race"] += sum(info["rewards"]["race"] for info in infos.values())
        total["progress"] += sum(info["rewards"]["progress"] for info in infos.values())
        if not env.agents:
            by_place = sorted((infos[a]["place"], infos[a]["rewards"]["race"]) for a in infos)
            for place, race in by_place:
                assert race == pytest.approx((5 - 2 * place) / 3)
    assert total["race"] == pytest.approx(0, abs=1e-5)
    assert total["progress"] > 0


def test_a_purchase_pays_nothing() -> None:
    """Rewards come when registers are played; `shaped` rewards look at the way to go, which no purchase changes."""
    env = parallel_env(reward="shaped")
    env.reset(seed=1)
    bought = 0
    while not env.batch.programming[0]:
        seat = int(env.batch.games["ask_seat"][0])
        highest = int(env.batch.games["ask_options"][0]).bit_length()
        rewards = env.step({a: env.encode(range(5), highest * (r == seat)) for r, a in enumerate(env.agents)})[1]
        assert set(rewards.values()) == {0.0}
        bought += 1
    assert bought
    assert (env.batch.games["bought"] != 0).sum() == bought


# -- the timer


@both_games
def test_registers_that_the_timer_caught_are_not_read(rules: dict[str, Any]) -> None:
    options = {"rules": {**rules, "timer": True}, "strict": True}
    caught, free = parallel_env(**options), parallel_env(**options)
    observations, _ = start(caught, 4)
    start(free, 4)
    actions = legal_actions(caught, observations, np.random.default_rng(0))
    caught.catch("robot_1", [3, 5])
    twice = actions["robot_1"].copy()
    twice[[2, 4]] = twice[0]  # not read, so not refused
    caught.step({**actions, "robot_1": twice})
    free.step(actions)
    assert caught.batch.games.tobytes() != free.batch.games.tobytes()
    while not caught.batch.programming[0]:
        buy_nothing(caught)
    programs = {agent: caught.encode([0, 1, 2, 3, 4]) for agent in caught.agents}
    with pytest.raises(ActionError):  # it held for one step
        caught.step(programs | {"robot_1": caught.encode([1, 1, 2, 3, 4])})


@both_games
@pytest.mark.parametrize("action", ACTIONS)
def test_every_form_can_be_caught(action: str, rules: dict[str, Any]) -> None:
    env = parallel_env(action=action, rules={**rules, "timer": True})
    observations, _ = start(env, 4)
    env.catch("robot_0", [1, 2, 3, 4, 5])
    for _ in range(5 if action == "register" else 1):
        observations, _, _, _, infos = env.step(legal_actions(env, observations, np.random.default_rng(0)))
    assert infos["robot_0"]["corrected"] == 0
    assert env.unwrapped._caught == [0] * 4


def test_wrong_catches_are_refused() -> None:
    env = parallel_env(rules={"timer": True})
    with pytest.raises(RoboRallyError, match="reset"):
        env.catch("robot_0", [1])
    env.reset(seed=1)
    with pytest.raises(RoboRallyError, match="catch"):  # a purchase is
        env.catch("robot_0", [1])
    start(env, 1)
    with pytest.raises(RoboRallyError, match=r"registers.*1.*5.*6"):
        env.catch("robot_0", [6])
    with pytest.raises(RoboRallyError, match="'robot_9'"):
        env.catch("robot_9", [1])
    plain = parallel_env()
    start(plain, 1)
    with pytest.raises(ActionError, match="timer"):
        plain.catch("robot_0", [1])


# -- copies and snapshots


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_what_is_given_is_a_copy(kind: dict[str, Any]) -> None:
    env = parallel_env(BUSY, max_rounds=5, **kind)
    untouched = parallel_env(BUSY, max_rounds=5, **kind)
    kept: list[tuple[list[np.ndarray], list[bytes]]] = []
    for (_, result), (_, clean) in zip(play(env, 3, 12), play(untouched, 3, 12), strict=True):
        assert as_bytes(result[0]) == as_bytes(clean[0])
        given = [*arrays(result[0]), *arrays(result[4])]
        for older, _ in kept:
            assert not any(np.shares_memory(a, b) for a in older[:4] for b in given)
        kept.append((given, [a.tobytes() for a in given]))
        for earlier, content in kept:
            assert [a.tobytes() for a in earlier] == content
    for given, _ in kept:  # and writing into it harms nothing
        for array in given:
            array[...] = 1
    before = env.state()
    env.state()[...] = 0
    np.testing.assert_array_equal(env.state(), before)


@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_a_snapshot_can_be_gone_back_to(kind: dict[str, Any]) -> None:
    env, other = parallel_env(BUSY, **kind), parallel_env(BUSY, **kind)
    rng = np.random.default_rng(0)
    observations, infos = env.reset(seed=5)
    for i in range(30):
        saved, actions = env.snapshot(), legal_actions(env, observations, rng)
        mine = env.step(actions)
        again, again_infos = other.restore(saved)
        assert as_bytes(again) == as_bytes(observations)
        played = [info.pop("program") for info in (*again_infos.values(), *infos.values())]  # as `repairs`: of a step
        assert all((program == -1).all() for program in played[: len(again_infos)])
        assert as_bytes(again_infos) == as_bytes(infos)
        assert [info["decision"] for info in again_infos.values()] == [info["decision"] for info in infos.values()]
        theirs = other.step(actions)
        assert as_bytes(mine[0]) == as_bytes(theirs[0])
        assert mine[1:4] == theirs[1:4]
        assert env.snapshot() == other.snapshot(), i
        if not env.agents:
            break
        observations, infos = mine[0], mine[4]


@both_games
def test_a_snapshot_keeps_whom_the_timer_caught(rules: dict[str, Any]) -> None:
    rules = {**rules, "timer": True}
    env, other = parallel_env(rules=rules), parallel_env(rules=rules)
    start(env, 1)
    env.catch("robot_3", [2])
    other.restore(env.snapshot())
    everybody = {agent: env.encode(range(5)) for agent in env.agents}
    assert as_bytes(env.step(everybody)[0]) == as_bytes(other.step(everybody)[0])


@pytest.mark.parametrize("kinds", [("buy_upgrade",), ("memory_swap", "cache_memory"), ("reboot_facing", "hack")])
def test_a_snapshot_in_the_middle_of_a_choice_is_gone_on_from(kinds: tuple[str, ...]) -> None:
    """With answers that have been given before in the same step, too."""
    env, other = parallel_env(BUSY, decisions="all"), parallel_env(BUSY, decisions="all")
    rng = np.random.default_rng(1)
    env.reset(seed=3)
    deal_upgrades(env.batch, 3)
    given = env.restore(env.snapshot())
    met = answered = 0
    while env.agents and met < 12:
        actions = legal_actions(env, given[0], rng)
        if {info["decision"] for info in given[1].values()} & set(kinds):
            met += 1
            answered += int(env.batch.games["answered"][0])
            again = other.restore(env.snapshot())
            assert as_bytes(again) == as_bytes(given)
            assert [info["options"] for info in again[1].values()] == [info["options"] for info in given[1].values()]
            other.step(actions)
            given = env.step(actions)[::4]
            assert env.snapshot() == other.snapshot()
        else:
            given = env.step(actions)[::4]
    assert met > 1
    assert answered or "memory_swap" not in kinds


@both_games
def test_a_finished_race_comes_back_finished(rules: dict[str, Any]) -> None:
    env = parallel_env(max_rounds=1, rules=rules)
    start(env, 1)
    env.step({agent: env.encode(range(5)) for agent in env.agents})
    saved = env.snapshot()
    env.reset()
    env.restore(saved)
    assert env.agents == []


def test_a_batch_looks_for_its_courses_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each snapshot of a batch on thousands of courses would compile them again, more than are cached."""
    asked: list[int] = []
    digests = race.course_digests
    monkeypatch.setattr(race, "course_digests", lambda courses: asked.append(len(courses)) or digests(courses))
    batch = BatchRace(2, ["dizzy_highway", "burnout"], rules={"upgrades": False})
    first = batch.snapshot()
    batch.restore(first)
    assert batch.copy().snapshot() == first
    assert asked == [2]


def test_wrong_snapshots_are_refused_and_nothing_changes() -> None:
    env = parallel_env()
    env.reset(seed=1)
    good = env.snapshot()
    env.step({agent: env.encode(range(5), 1) for agent in env.agents})
    now = env.snapshot()
    damaged = bytearray(good)
    damaged[len(good) // 2] ^= 1
    others = {
        "register": parallel_env(action="register"),
        "course": parallel_env("risky_crossing"),
        "lighter": parallel_env(rules=LIGHTER),
        "advanced": parallel_env(rules={"advanced": True}),
        "all": parallel_env(decisions="all"),
    }
    snapshots = {}
    for name, other in others.items():
        other.reset(seed=1)
        snapshots[name] = other.snapshot()
    inner = env.batch.snapshot()
    older = inner.replace(b'"rules_version": %d' % RULES_VERSION, b'"rules_version": 0')
    cases = {
        b"": "snapshot",
        "text": "snapshot",
        good[:-1]: "snapshot",
        bytes(damaged): "snapshot",
        snapshots["register"]: "'register'",
        snapshots["course"]: "snapshot",
        snapshots["lighter"]: "snapshot",
        snapshots["advanced"]: "snapshot",
        snapshots["all"]: "'all'",
        pack_snapshot("program", {"caught": [0] * 4}, older): "damaged|rules_version",
    }
    for snapshot, words in cases.items():
        with pytest.raises(SnapshotError, match=words):
            env.restore(snapshot)  # type: ignore[arg-type]
        assert env.snapshot() == now


@both_games
@pytest.mark.parametrize("action", ACTIONS)
def test_an_env_can_be_copied_and_pickled(action: str, rules: dict[str, Any]) -> None:
    env = parallel_env(action=action, rules=rules)
    observations, _ = env.reset(seed=2)
    actions = legal_actions(env, observations, np.random.default_rng(0))
    env.step(actions)
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    wanted = env.snapshot()
    for other in copies:
        assert other.snapshot() == wanted
        assert other.agents == env.agents
        other.step({agent: other.action_space(agent).sample() for agent in other.agents})
        assert env.snapshot() == wanted


# -- the state


@both_games
def test_the_state_shows_what_is_hidden_from_seats(rules: dict[str, Any]) -> None:
    env, _, _ = until_choice(rules=rules, kinds=("reboot_facing", "damage_kind"))
    before = env.state()
    redealt = env.batch.redeal(0, 1)
    env.restore(pack_snapshot("program", {"caught": [0] * 4}, redealt.snapshot()))
    assert not np.array_equal(env.state(), before)
    assert env.state().dtype == np.float32
    assert env.state().shape == env.state_space.shape == (sum(np.prod(s) for s in env.state_shapes.values()),)


FIELDS = ["owned", "used", "shop", "upgrade_deck", "shielded", "known", "registers", "energy"]


@pytest.mark.parametrize("field", FIELDS)
def test_the_state_changes_with_whatever_of_the_upgrades_changes(field: str) -> None:
    env, _, _ = until_choice(rules=FULL, kinds=("reboot_facing",))
    before = env.state()
    env.batch.games[field] ^= 2
    env.batch.observe()
    assert not np.array_equal(env.state(), before)
