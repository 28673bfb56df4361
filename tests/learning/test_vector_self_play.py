"""Many races for Gymnasium in which every seat is a sub-env: rows as agents of `parallel_env`, ends, resets, saving."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from roborally_env import RoboRallyError, make_vec, parallel_env
from roborally_env.envs.sb3 import SB3VecEnv
from roborally_env.envs.vector import RoboRallyVectorEnv
from tests.api.helpers import legal_action
from tests.games import LIGHTER
from tests.learning.helpers import row_of, same
from tests.sizes import each_once

MODES = list(AutoresetMode)
SHORT: dict[str, Any] = {"players": 3, "max_rounds": 4, "reward": "shaped", "infos": "numeric"}
FORMS: list[dict[str, Any]] = [
    {"observation": "dict"},
    {"action": "register", "observation": "vector", "steps": 90},
    {"action": "flat", "observation": "planes", "course": ["dizzy_highway", "death_trap"]},
    {"decisions": "all", "rules": LIGHTER},
    {"edition": "2005", "action": "register", "steps": 90},
    {"edition": "community"},
    {"course": "interference", "edition": "2005", "control": "robot"},
]
SAVED: list[dict[str, Any]] = [
    {"course": ["dizzy_highway", "twister"]},
    {"action": "register", "ghost": True},
    {"action": "register", "copy": False, "max_episode_steps": 4},
    {"course": ["2005/twister", "frenetic_factory"], "players": 5},
    {"observation": "planes", "infos": "numeric"},
    {"opponents": ["random", "greedy"], "course": ["dizzy_highway", "twister"]},
]


def actions_of(env: RoboRallyVectorEnv, rng: np.random.Generator) -> np.ndarray:
    """A random legal action of each sub-env."""
    return np.stack([legal_action(mask, rng, env.single_action_space) for mask in env.action_masks()])


class Singles:
    """Parallel envs whose agents are rows, stepped one after the other as Gymnasium steps single envs."""

    def __init__(self, races: int, mode: AutoresetMode, **options: Any) -> None:
        self.mode = mode
        self.envs = [parallel_env(**options) for _ in range(races)]
        self.seats = len(self.envs[0].possible_agents)

    def reset(self, seed: int) -> list[Any]:
        """(observation, info) of each row."""
        given = [env.reset(seed=seed + g * self.seats) for g, env in enumerate(self.envs)]
        return [row for each in given for row in self._rows(*each)]

    def step(self, actions: np.ndarray) -> list[Any]:
        """(observation, reward, terminated, truncated, info, final observation and info or None) of each row."""
        found = []
        for env, own in zip(self.envs, actions.reshape(-1, self.seats, *actions.shape[1:]), strict=True):
            if not env.agents:  # NEXT_STEP
                found += [(*row, 0.0, False, False, None) for row in self._rows(*env.reset())]
                continue
            seen, rewards, terminated, truncated, infos = env.step(dict(zip(env.agents, own, strict=True)))
            flags = list(zip(rewards.values(), terminated.values(), truncated.values(), strict=True))
            rows = self._rows(seen, infos)
            final: list[Any] = [None] * self.seats
            if not env.agents and self.mode is AutoresetMode.SAME_STEP:
                final, rows = rows, self._rows(*env.reset())
            found += [(*row, *flag, end) for row, flag, end in zip(rows, flags, final, strict=True)]
        return [(seen, reward, end, cut, info, final) for seen, info, reward, end, cut, final in found]

    def next_races(self) -> list[Any]:
        """DISABLED: (observation, info) of each row of the races that are over, None for others."""
        found: list[Any] = []
        for env in self.envs:
            found += [None] * self.seats if env.agents else self._rows(*env.reset())
        return found

    def _rows(self, seen: dict[str, Any], infos: dict[str, Any]) -> list[Any]:
        return list(zip(seen.values(), infos.values(), strict=True))


def check_row(seen: Any, info: Any, expected: Any, row: int, own: dict[str, Any], seat: int) -> None:
    """Assert that a row of the vector env is the agent of the parallel env."""
    same(row_of(seen, row), expected)
    assert own["seat"][row] == seat
    for name, value in info.items():
        assert own[f"_{name}"][row], name
        same(np.asarray(own[name][row]), np.asarray(value, own[name].dtype), name)


def check_against_parallel_envs(mode: AutoresetMode, steps: int = 45, races: int = 2, **options: Any) -> None:
    options = {**SHORT, **options}
    singles = Singles(races, mode, **options)
    options.pop("control", None)
    ours = make_vec(races * singles.seats, opponents=None, autoreset_mode=mode, **options)
    assert ours.num_envs == races * singles.seats
    first = singles.envs[0].possible_agents[0]
    assert ours.single_observation_space == singles.envs[0].observation_space(first)
    assert ours.single_action_space == singles.envs[0].action_space(first)
    rng, ends = np.random.default_rng(0), 0
    seen, infos = ours.reset(seed=5)
    for row, (expected, info) in enumerate(singles.reset(5)):
        check_row(seen, info, expected, row, infos, row % singles.seats)
    over = np.zeros(ours.num_envs, np.bool_)
    for _ in range(steps):
        if mode is AutoresetMode.DISABLED and over.any():
            seen, infos = ours.reset(options={"reset_mask": over.copy()})
            for row, begun in enumerate(singles.next_races()):
                if begun is not None:
                    check_row(seen, begun[1], begun[0], row, infos, row % singles.seats)
        assert seen in ours.observation_space
        actions = actions_of(ours, rng)
        seen, rewards, terminated, truncated, infos = ours.step(actions)
        for row, (expected, reward, end, cut, info, final) in enumerate(singles.step(actions)):
            assert (rewards[row], terminated[row], truncated[row]) == (pytest.approx(reward, abs=1e-6), end, cut)
            seat = row % singles.seats
            assert (final is not None) == bool(infos.get("_final_obs", np.zeros(ours.num_envs))[row])
            if final is None:
                check_row(seen, info, expected, row, infos, seat)
            else:
                same(row_of(seen, row), expected)
                same(infos["final_obs"][row], final[0])
                check_row(seen, final[1], expected, row, infos["final_info"], seat)
        over = terminated | truncated
        together = over.reshape(races, -1)
        assert (together.any(1) == together.all(1)).all()
        ends += together.any(1).sum()
    assert ends > 3


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
def test_every_row_goes_as_the_agent_of_its_race(mode: AutoresetMode) -> None:
    check_against_parallel_envs(mode)


@pytest.mark.parametrize(("mode", "options"), each_once(MODES, FORMS))
def test_every_form_goes_as_the_agents_of_a_race(mode: AutoresetMode, options: dict[str, Any]) -> None:
    check_against_parallel_envs(mode, **options)


def test_full_infos_have_names_and_the_end_of_the_race() -> None:
    env = make_vec(4, players=2, opponents=None, max_rounds=3, autoreset_mode="SAME_STEP")
    rng = np.random.default_rng(1)
    _, infos = env.reset(seed=1)
    assert infos["seat"].tolist() == [0, 1, 0, 1]
    while True:
        buying = infos["decision"] == "buy_upgrade"
        assert (buying.reshape(2, 2).sum(1) <= 1).all()  # the other seat of the race waits, with one legal action
        waits = buying.reshape(2, 2)[:, ::-1].ravel()
        assert (env.action_masks()[waits].sum(1) == 6).all()
        assert (infos["decision"][waits] == None).all()  # noqa: E711
        *_, terminated, truncated, infos = env.step(actions_of(env, rng))
        if (terminated | truncated).any():
            break
    final = infos["final_info"]
    ended = np.flatnonzero(final["_place"])
    assert (final["place"][ended].reshape(-1, 2).sum(1) == 3).all()
    np.testing.assert_array_equal(final["is_success"][ended] & terminated[ended], final["is_success"][ended])


def test_a_robot_destroyed_for_good_stays_until_the_end_of_its_race() -> None:
    env = make_vec(16, edition="2005", players=4, opponents=None, max_rounds=40, autoreset_mode="SAME_STEP")
    rng = np.random.default_rng(0)
    env.reset(seed=1)
    legal = np.cumsum([0, *env.single_action_space.nvec[:-1]])  # type: ignore[attr-defined]
    seen = 0
    for _ in range(80):
        gone = (env.batch.games["lives"][:, :4] == 0).ravel()
        if gone.any():
            seen += 1
            masks = env.action_masks()[gone]
            assert (masks.sum(1) == 6).all()
            assert masks[:, legal].all()
        _, rewards, terminated, truncated, infos = env.step(actions_of(env, rng))
        running = gone & ~(terminated | truncated)
        assert not rewards[running].any()
        assert (infos["decision"][running] == None).all()  # noqa: E711
    assert seen > 5


def test_rows_are_those_of_stable_baselines3() -> None:
    options: dict[str, Any] = {"players": 3, "max_rounds": 4, "action": "register", "rules": LIGHTER}
    ours = make_vec(6, opponents=None, autoreset_mode="SAME_STEP", **options)
    theirs = SB3VecEnv(2, **options)
    theirs.seed(3)
    other, (seen, _) = theirs.reset(), ours.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(40):
        same(seen, other)
        actions = actions_of(ours, rng)
        seen, rewards, terminated, truncated, _ = ours.step(actions)
        other, other_rewards, dones, _ = theirs.step(actions)
        np.testing.assert_array_equal(rewards.astype(np.float32), other_rewards)
        np.testing.assert_array_equal(terminated | truncated, dones)


@pytest.mark.parametrize(("mode", "options"), each_once(MODES, SAVED))
def test_copies_and_loaded_envs_go_on_exactly_from_any_step(mode: AutoresetMode, options: dict[str, Any]) -> None:
    """Between registers, at the end of a race, and in a race on a chosen course."""
    options = {"players": 3, "max_rounds": 2, "autoreset_mode": mode, "opponents": None, **options}
    seats = 2 * options["players"]
    env = make_vec(seats, seed=1, render_mode="ansi", **options)

    def played(env: RoboRallyVectorEnv, steps: int, seed: int) -> list[Any]:
        rng, given = np.random.default_rng(seed), []
        for _ in range(steps):
            over = env._over | env._cut
            if mode is AutoresetMode.DISABLED and over.any():
                given.append(copy.deepcopy(env.reset(options={"reset_mask": over})))
            given.append(copy.deepcopy(env.step(actions_of(env, rng))))
        return [*given, env.batch.games.tobytes(), env.render()]

    env.reset(options={"course": len(env.batch.courses) - 1})
    for steps in (1, 3, 1):
        played(env, steps, steps)
        loaded = make_vec(seats, seed=99, render_mode="ansi", **options)
        loaded.load_state_dict(pickle.loads(pickle.dumps(env.state_dict())))
        twins = [loaded, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        expected = played(copy.deepcopy(env), 6, 7)
        for twin in twins:
            for a, b in zip(played(twin, 6, 7), expected, strict=True):
                same(a, b)


@pytest.mark.parametrize("limit", [None, 6])
def test_a_saved_env_goes_on_exactly(limit: int | None) -> None:
    options: dict[str, Any] = {**SHORT, "opponents": None, "max_episode_steps": limit}
    env = make_vec(6, seed=1, **options)
    env.reset()

    def run(env: RoboRallyVectorEnv, steps: int, seed: int) -> list[Any]:
        rng = np.random.default_rng(seed)
        return [copy.deepcopy(env.step(actions_of(env, rng))) for _ in range(steps)]

    run(env, 17, 0)
    state = copy.deepcopy(env.state_dict())
    expected = run(env, 25, 7)
    assert sum((step[2] | step[3]).sum() for step in expected) > 6
    other = make_vec(6, seed=99, **options)
    other.load_state_dict(state)
    for a, b in zip(expected, run(other, 25, 7), strict=True):
        same(a, b)


def test_observations_alternate_without_copies_and_the_state_is_that_of_the_race() -> None:
    options: dict[str, Any] = {"players": 2, "rules": LIGHTER, "opponents": None}
    own, shared = make_vec(4, **options), make_vec(4, copy=False, **options)
    race = parallel_env(players=2, rules=LIGHTER)
    race.reset(seed=3)
    kept, first = own.reset(seed=1)[0]["observation"], shared.reset(seed=1)[0]["observation"]
    state = own.state()
    assert own.single_state_space.contains(state[0])
    for row in (2, 3):
        np.testing.assert_array_equal(state[row], race.state())
    actions = actions_of(own, np.random.default_rng(0))
    before = kept.copy()
    own.step(actions)
    second = shared.step(actions)[0]["observation"]
    np.testing.assert_array_equal(kept, before)
    np.testing.assert_array_equal(first, before)
    assert np.shares_memory(first, shared.step(actions)[0]["observation"])
    assert not np.shares_memory(first, second)


def test_the_seats_of_a_race_share_a_picture() -> None:
    env = make_vec(4, players=2, opponents=None, render_mode="ansi")
    env.reset(seed=1)
    pictures = env.render()
    assert pictures is not None
    assert pictures[0] == pictures[1]
    assert len(pictures) == 4
    assert "learner" not in str(pictures[0])


def test_gymnasium_makes_it_and_its_wrappers_take_it() -> None:
    env = gymnasium.make_vec("RoboRally-v0", 6, opponents=None, players=3, max_rounds=2, autoreset_mode="SAME_STEP")
    assert isinstance(env, RoboRallyVectorEnv)
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    wrapped.reset(seed=1)
    rng, episodes = np.random.default_rng(0), 0
    for _ in range(20):
        *_, infos = wrapped.step(actions_of(env, rng))
        episodes += int(infos.get("_episode", np.zeros(1)).sum())
    assert episodes >= 6
    assert not episodes % 3


def test_the_default_opponents_are_as_many_as_the_other_seats() -> None:
    assert make_vec(2, edition="2005", players=8).batch.players == 8
    assert make_vec(2, players=2).batch.players == 2
    assert make_vec(2).batch.players == 4


def test_wrong_values_are_named_and_change_nothing() -> None:
    with pytest.raises(RoboRallyError, match=r"num_envs.*multiple of 3.*4"):
        make_vec(4, players=3, opponents=None)
    with pytest.raises(RoboRallyError, match=r"seat"):
        make_vec(4, opponents=None, seat=1)
    with pytest.raises(RoboRallyError, match=r"opponents.*7.*8 players.*3"):
        make_vec(4, edition="2005", players=8, opponents=["random"] * 3)
    env = make_vec(6, players=3, opponents=None)
    env.reset(seed=1)
    before = env.batch.games.tobytes()
    with pytest.raises(RoboRallyError, match=r"reset_mask.*together"):
        env.reset(options={"reset_mask": np.arange(6) < 4})
    with pytest.raises(RoboRallyError, match=r"set_opponents.*opponents"):
        env.set_opponents("greedy")
    assert env.batch.games.tobytes() == before
    env.reset(seed=[9, 1, 1, 5, 1, 1])  # the seed of a race is that of its first seat
    first = env.batch.games.tobytes()
    env.reset(seed=[9, None, None, 5, None, None])
    assert env.batch.games.tobytes() == first
