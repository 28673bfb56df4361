"""Snapshots of one seat against opponents: the race, the opponents and chance go on as in the env that took them."""

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest

from roborally_env import RoboRallyError, parallel_env
from roborally_env.base.errors import SnapshotError
from roborally_env.envs import RoboRallyEnv
from roborally_env.envs.snapshots import pack_snapshot, unpack_snapshot
from tests.api.helpers import BUSY, as_bytes, legal_action
from tests.games import LIGHTER
from tests.sizes import pairs

CREW = ["random", "easy", "planner:simulations=30"]
GAMES: list[dict[str, Any]] = [
    {"course": ["dizzy_highway", BUSY], "decisions": "all"},
    {"course": BUSY, "rules": LIGHTER, "observation": "vector", "infos": "numeric"},
    {"edition": "2005", "seat": 1, "reward": "shaped", "discount": 0.9},
    {"edition": "community", "infos": "mask"},
]


def gone_on(env: RoboRallyEnv, masks: np.ndarray, steps: int) -> list[Any]:
    """What random legal steps give, through the ends of races."""
    rng, given = np.random.default_rng(3), []
    for _ in range(steps):
        observation, *flags, info = env.step(legal_action(masks, rng, env.action_space))
        given.append([as_bytes(observation), *flags, {name: repr(value) for name, value in info.items()}])
        if flags[1] or flags[2]:
            observation, info = env.reset()
            given.append([as_bytes(observation), env.seat, {name: repr(value) for name, value in info.items()}])
        masks = env.action_masks()
    return given


@pytest.mark.parametrize(("options", "action"), pairs(GAMES, ["program", "register", "flat"]))
def test_a_restored_env_goes_on_exactly(options: dict[str, Any], action: str) -> None:
    env, other = (RoboRallyEnv(CREW, action=action, max_rounds=3, **options) for _ in range(2))
    env.reset(seed=5)
    other.reset(seed=77)
    rng = np.random.default_rng(0)
    for k in range(9):
        if not env.race.agents:
            env.reset()
        observation, _, _, _, info = env.step(legal_action(env.action_masks(), rng, env.action_space))
        if not env.race.agents:
            continue
        saved = env.snapshot()
        fresh = RoboRallyEnv(CREW, action=action, max_rounds=3, **options) if k % 4 == 0 else other
        restored, its = fresh.restore(saved)
        assert as_bytes(restored) == as_bytes(observation)
        assert set(its) == set(info)
        assert (fresh.seat, fresh.snapshot()) == (env.seat, saved)
        np.testing.assert_array_equal(fresh.action_masks(), env.action_masks())
        assert fresh.race.unwrapped.robot_names == env.race.unwrapped.robot_names
        if k % 4:
            continue
        expected = gone_on(copy.deepcopy(env), env.action_masks(), 20)
        assert gone_on(fresh, fresh.action_masks(), 20) == expected
        fresh.restore(saved)  # from where it went to
        assert gone_on(fresh, fresh.action_masks(), 20) == expected


def test_the_races_that_follow_are_the_same_with_their_seats_and_seeds() -> None:
    env, other = RoboRallyEnv(), RoboRallyEnv()
    env.reset(seed=1)
    other.restore(env.snapshot())
    assert other.np_random_seed == env.np_random_seed == 1
    for seed in (None, None, 4, None):
        (mine, own), (its, theirs) = env.reset(seed=seed), other.reset(seed=seed)
        assert as_bytes(mine) == as_bytes(its)
        assert own["seat"] == theirs["seat"]
    assert env.np_random.integers(2**60) == other.np_random.integers(2**60)


def test_it_is_restored_below_gymnasium_s_wrappers() -> None:
    env = gymnasium.make("RoboRally-v0", opponents="random")
    env.reset(seed=1)
    saved = env.unwrapped.snapshot()  # type: ignore[attr-defined]
    action = np.arange(6)
    first = env.step(action)
    env.unwrapped.restore(saved)  # type: ignore[attr-defined]
    again = env.step(action)
    assert as_bytes(first[0]) == as_bytes(again[0])
    assert first[1:4] == again[1:4]


def test_the_end_of_a_race_is_restored() -> None:
    env = RoboRallyEnv(["random"], max_rounds=1, rules=LIGHTER)
    env.reset(seed=1)
    last, *_ = env.step(np.arange(5))
    assert not env.race.agents
    other = RoboRallyEnv(["random"], max_rounds=1, rules=LIGHTER)
    observation, _ = other.restore(env.snapshot())
    assert as_bytes(observation) == as_bytes(last)
    with pytest.raises(RoboRallyError, match="reset"):
        other.step(np.arange(5))
    assert as_bytes(other.reset()[0]) == as_bytes(env.reset()[0])


def forged(snapshot: bytes, **changes: Any) -> bytes:
    """A snapshot with other values beside the race, and a right check sum."""
    own, inner = unpack_snapshot("seat", snapshot)
    del own["form"]
    return pack_snapshot("seat", {**own, **changes}, inner)


def without(snapshot: bytes, name: str) -> bytes:
    own, inner = unpack_snapshot("seat", snapshot)
    return pack_snapshot("seat", {key: value for key, value in own.items() if key not in (name, "form")}, inner)


def test_wrong_snapshots_are_refused_and_nothing_changes() -> None:
    env = RoboRallyEnv(["random", "greedy"], action="register")
    with pytest.raises(RoboRallyError, match="reset"):
        env.snapshot()
    env.reset(seed=1)
    env.step(0)
    good = env.snapshot()
    env.step(0)
    now = env.snapshot()
    race = parallel_env(players=3, action="register")
    race.reset(seed=1)
    others = {}
    for name, options in {
        "greedy": {"opponents": ["greedy", "random"]},
        "three": {"opponents": ["random", "greedy", "random"]},
        "program": {"opponents": ["random", "greedy"], "action": "program"},
        "course": {"opponents": ["random", "greedy"], "action": "register", "course": "twister"},
    }.items():
        other = RoboRallyEnv(**options)
        other.reset(seed=1)
        others[name] = other.snapshot()
    cases = [
        (b"", "snapshot"),
        ("text", "snapshot"),
        (good[:-1], "damaged"),
        (race.snapshot(), "taken with action 'register'.*RoboRally-v0"),
        (others["greedy"], "opponents greedy, random.*random, greedy"),
        (others["three"], "opponents random, greedy, random.*has random, greedy"),
        (others["program"], "taken with action 'program'.*'register'"),
        (others["course"], "course"),
        (forged(good, opponents=None), "opponents"),
        (forged(good, seat=3), "seat.*0 to 2.*3"),
        (forged(good, seat=True), "seat"),
        (forged(good, seeds=[1]), "seeds"),
        (forged(good, seeds=[1, 2**31]), "seeds"),
        (forged(good, programs=[[0] * 5]), "programs"),
        (forged(good, programs=[[0] * 5, [0] * 4 + [10]]), "programs.*9"),
        (forged(good, programs=3), "programs"),
        (forged(good, announced=[2, 0]), "announced"),
        (forged(good, chance=[1, 2, 3]), "chance"),
        (forged(good, chance=[2**128, 1, 0, 0]), "chance"),
        (forged(good, chance=[1, 1, 2**32, 0]), "chance"),
        (forged(good, seed="x"), "seed"),
        *((without(good, name), name) for name in ("opponents", "seat", "seeds", "programs", "announced", "chance")),
    ]
    for snapshot, words in cases:
        with pytest.raises(SnapshotError, match=words) as refused:
            env.restore(snapshot)  # type: ignore[arg-type]
        assert "\n" not in str(refused.value)
        assert env.snapshot() == now, words
    with pytest.raises(SnapshotError, match=r"taken as RoboRally-v0.*'register'"):
        race.restore(good)
    env.restore(good)
    assert env.snapshot() == good


def test_objects_as_opponents_are_known_by_their_class() -> None:
    class Bot:
        def act(self, observations: Any, masks: Any, info: Any) -> Any:
            return np.argsort(masks[:, 1] == 0, axis=1, kind="stable")[:, :5].astype(np.int8)

    env, other = RoboRallyEnv([Bot(), "random"], seat=0), RoboRallyEnv([Bot(), "random"], seat=0)
    env.reset(seed=1)
    other.restore(env.snapshot())
    assert gone_on(env, env.action_masks(), 4) == gone_on(other, other.action_masks(), 4)
    with pytest.raises(SnapshotError, match=r"opponents Bot \(an object\), random"):
        RoboRallyEnv(["random", "random"]).restore(env.snapshot())


def test_a_generator_of_the_caller_is_saved_if_it_is_of_gymnasium_s_kind() -> None:
    env, other = RoboRallyEnv(["random"]), RoboRallyEnv(["random"])
    env.reset(seed=1)
    env.np_random = np.random.default_rng(9)
    other.restore(env.snapshot())
    assert other.np_random_seed == -1
    assert other.np_random.integers(2**60) == env.np_random.integers(2**60)
    env.np_random = np.random.Generator(np.random.MT19937(1))
    with pytest.raises(RoboRallyError, match="MT19937"):
        env.snapshot()
