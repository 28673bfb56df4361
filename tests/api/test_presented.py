"""The forms that libraries take: infos in numbers, flat masks, the vector alone; and the program that was played."""

import copy
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test, state_test

from roborally_env import RoboRallyError, aec_env, make_vec, parallel_env
from roborally_env.core import choices
from roborally_env.envs import FlatActions, FormattedEnv, RegisterActions
from tests.api.helpers import ACTIONS, BUSY, legal_action
from tests.games import FULL, LIGHTER
from tests.sizes import each_once, pairs

EDITIONS: list[dict[str, Any]] = [
    {"edition": "2016", "rules": FULL},
    {"edition": "2016", "rules": LIGHTER},
    {"edition": "2005"},
    {"edition": "2023"},
    {"edition": "community"},
]
FORMS: list[dict[str, Any]] = [
    {"infos": "numeric", "masks": "flat"},
    {"infos": "mask", "observation": "vector"},
    {"infos": "numeric", "observation": "vector", "masks": "flat", "action": "register"},
    {"infos": "numeric", "masks": "registers", "rules": LIGHTER},
]
NUMBERS = (
    "corrected", "reward_race", "reward_progress", "reward_shaping", "decision", "round", "course", "place",
    "is_success",
)  # fmt: skip


def edition_name(options: dict[str, Any]) -> str:
    """A test's id."""
    return options["edition"] + "-lighter" * (options.get("rules") == LIGHTER)


def form_name(options: dict[str, Any]) -> str:
    """A test's id."""
    return "-".join(str(value) for value in options.values() if isinstance(value, str))


def sizes_of(env: Any) -> list[int]:
    """The sizes of an action's components."""
    space = env.action_space(env.possible_agents[0])
    return space.nvec.tolist() if hasattr(space, "nvec") else [int(space.n)]


def played(env: Any, seed: int, steps: int) -> Iterator[tuple[dict[str, Any], dict[str, Any], Any]]:
    """(actions, observations, result) of random legal play by the masks in infos, over as many races as it takes."""
    rng = np.random.default_rng(seed)
    observations, infos = env.reset(seed=seed)
    for _ in range(steps):
        actions = {a: legal_action(infos[a]["action_mask"].ravel(), rng, env.action_space(a)) for a in env.agents}
        result = env.step(actions)
        yield actions, observations, result
        observations, infos = (result[0], result[4]) if env.agents else env.reset()


# -- infos


@pytest.mark.parametrize(
    ("options", "decisions", "action"), pairs(EDITIONS, ["program", "all"], ["program", "register"])
)
def test_numbers_say_what_full_infos_say(options: dict[str, Any], decisions: str, action: str) -> None:
    courses = [BUSY, "dizzy_highway"] if options["edition"] == "2016" else None
    shared = {"decisions": decisions, "action": action, "reward": "shaped", "max_rounds": 6, **options}
    full, numeric = parallel_env(courses, **shared), parallel_env(courses, infos="numeric", **shared)
    _, first = numeric.reset(seed=4)
    shapes = {(name, np.asarray(value).shape, np.asarray(value).dtype) for name, value in first["robot_0"].items()}
    assert {name for name, *_ in shapes} == {*NUMBERS, "action_mask", "program"}
    decided, ended, numeric_steps = set(), 0, iter(played(numeric, 4, 120))
    for actions, _, (_, rewards, _, _, infos) in played(full, 4, 120):
        same_actions, _, (_, _, _, _, numbers) = next(numeric_steps)
        assert all(np.array_equal(actions[a], same_actions[a]) for a in actions)
        for agent, info in infos.items():
            own = numbers[agent]
            assert {(k, np.asarray(v).shape, np.asarray(v).dtype) for k, v in own.items()} == shapes
            assert (choices.NAMES[own["decision"]] if own["decision"] else None) == info["decision"]
            assert {f"reward_{name}": value for name, value in info["rewards"].items()}.items() <= own.items()
            assert (own["corrected"], own["round"]) == (info["corrected"], info["round"])
            assert numeric.batch.courses[own["course"]].slug == info["course"]
            assert own["place"] == info.get("place", 0.0)
            assert own["is_success"] is info.get("is_success", False)
            assert rewards[agent] == pytest.approx(own["reward_race"] + own["reward_shaping"])
            np.testing.assert_array_equal(own["program"], info["program"])
            decided.add(own["decision"])
            ended += "place" in info
    assert choices.PROGRAM in decided
    assert ended
    if decisions == "all" or options.get("rules") == FULL:
        assert len(decided) > 2


YARD = str(Path(__file__).parents[2] / "scripts" / "experiments" / "short_yard.toml")  # random programs end there soon


@pytest.mark.parametrize("options", [{}, {"action": "register"}, {"infos": "numeric"}, {"max_rounds": 1}], ids=str)
def test_the_end_of_a_race_says_who_has_won(options: dict[str, Any]) -> None:
    env = parallel_env(YARD, players=2, rules=LIGHTER, **{"max_rounds": 40, **options})
    winners, numeric = set(), "infos" in options
    for _, _, (_, _, terminated, _, infos) in played(env, 1, 300):
        if env.agents:
            assert not any(info["is_success"] if numeric else "is_success" in info for info in infos.values())
            continue
        won = {agent: info["is_success"] for agent, info in infos.items()}
        assert won == {agent: terminated[agent] and info["place"] == 1 for agent, info in infos.items()}
        assert all(type(value) is bool for value in won.values())
        winners.add(tuple(won.values()))
    assert winners >= ({(False, False)} if "max_rounds" in options else {(True, False), (False, True)})


def test_a_team_wins_together() -> None:
    env = parallel_env("all_for_one_or_one_for_all", players=4, max_rounds=30, infos="numeric")
    env.reset(seed=1)
    game = env.batch.games[0]
    game["round_number"], game["winner"] = 30, 3  # as if robot 3 had touched the last flag of its team
    *_, infos = env.step({agent: env.encode_nothing() for agent in env.agents})
    assert not env.agents
    won = [info["is_success"] for info in infos.values()]
    assert sum(won) == 2
    assert won[3]
    assert all(info["is_success"] == (info["place"] == 1) for info in infos.values())


def test_the_course_is_its_number_on_generated_courses() -> None:
    env = parallel_env("generated:levels=4", infos="numeric", rules=LIGHTER, max_rounds=2)
    seen = set()
    for seed in range(8):
        _, infos = env.reset(seed=seed)
        number = infos["robot_0"]["course"]
        assert env.batch.course_slugs[0] == env.batch.generator.course(number).slug
        seen.add(number)
    assert len(seen) > 1


def careless(env: Any, rng: np.random.Generator) -> dict[str, Any]:
    """An action of each agent while programs are wanted, without regard to masks; no power down is announced."""
    if isinstance(env, RegisterActions):
        return {a: int(rng.integers(env.batch.hand_slots)) if env.register < 5 else 0 for a in env.agents}
    if isinstance(env, FlatActions):
        return {a: int(rng.integers(env.ranking.count)) for a in env.agents}
    return {a: env.encode(rng.integers(env.batch.hand_slots, size=5)) for a in env.agents}


def answers(env: Any, option: int) -> dict[str, Any]:
    """The actions by which the asked player takes an option."""
    asked = int(env.batch.games["ask_seat"][0])
    return {a: env.encode((0,) * 5, 1 + option if r == asked else 0, r) for r, a in enumerate(env.agents)}


@pytest.mark.parametrize("options", EDITIONS, ids=edition_name)
@pytest.mark.parametrize("action", ACTIONS)
def test_the_program_in_infos_is_what_was_played(options: dict[str, Any], action: str) -> None:
    """Played as it is in a strict env, which repairs nothing, it leads to the same state."""
    env = parallel_env(BUSY, action=action, max_rounds=8, **options)
    twin = parallel_env(BUSY, strict=True, max_rounds=8, **options)
    rng, repaired, closed, programs = np.random.default_rng(1), 0, 0, 0
    for race in range(4):
        env.reset(seed=race)
        twin.reset(seed=race)
        while env.agents:
            if not env.batch.programming[0]:
                option = int(rng.choice([i for i in range(64) if int(env.batch.games["ask_options"][0]) >> i & 1]))
                infos = env.step(answers(env, option))[4]
                assert all((info["program"] == -1).all() for info in infos.values())
                twin.step(answers(twin, option))
                continue
            shut = env.batch.closed_registers[0].copy()
            infos = env.step(careless(env, rng))[4]
            repaired += sum(info["corrected"] for info in infos.values())
            if isinstance(env, RegisterActions) and env.register:
                assert all((info["program"][env.register :] == -1).all() for info in infos.values())
                continue
            for r, info in enumerate(infos.values()):
                assert (info["program"] == -1).tolist() == [bool(shut[r] >> k & 1) for k in range(5)]
            closed += int(shut.any())
            programs += 1
            twin.step({a: twin.encode(np.maximum(info["program"], 0)) for a, info in infos.items()})
            assert twin.batch.games.tobytes() == env.batch.games.tobytes()
    assert programs > 10
    assert repaired
    assert bool(closed) == (options["edition"] in ("2005", "community"))


def test_registers_that_the_timer_caught_have_no_slot() -> None:
    env = parallel_env(rules={**LIGHTER, "timer": True})
    env.reset(seed=1)
    env.catch("robot_1", [2, 5])
    infos = env.step({a: env.encode(range(4, 9)) for a in env.agents})[4]
    assert (infos["robot_1"]["program"] < 0).tolist() == [False, True, False, False, True]
    assert (infos["robot_0"]["program"] >= 0).all()


# -- masks and vectors


@pytest.mark.parametrize(("options", "action"), each_once(EDITIONS, ACTIONS))
def test_every_lay_out_has_the_same_mask_and_the_vector_is_the_symbolic_one(
    options: dict[str, Any], action: str
) -> None:
    shared = {"action": action, "max_rounds": 6, **options}
    even = action == "program" and (options["edition"] == "2023" or options.get("rules") == LIGHTER)
    usual, flat = parallel_env(BUSY, masks="tuple", **shared), parallel_env(BUSY, **shared)
    vector = parallel_env(BUSY, observation="vector", **shared)
    others = [flat, vector, *([parallel_env(BUSY, masks="registers", **shared)] if even else [])]
    steps = [iter(played(env, 6, 60)) for env in others]
    for _, expected, (_, rewards, *_) in played(usual, 6, 60):
        given = [next(step) for step in steps]
        assert all(result[1] == rewards for _, _, result in given)
        for agent, whole in expected.items():
            seen = [observations[agent] for _, observations, _ in given]
            mask = whole["action_mask"]
            joined = np.concatenate(mask) if isinstance(mask, tuple) else mask
            np.testing.assert_array_equal(seen[0]["action_mask"], joined)
            np.testing.assert_array_equal(seen[0]["observation"], whole["observation"])
            np.testing.assert_array_equal(seen[1], whole["observation"])
            if even:
                np.testing.assert_array_equal(seen[2]["action_mask"], np.stack(mask))
                np.testing.assert_array_equal(given[2][2][4][agent]["action_mask"].shape, (5, len(mask[0])))
            assert all(env.observation_space(agent).contains(one) for env, one in zip(others, seen, strict=True))


@pytest.mark.parametrize("action", ACTIONS)
def test_a_player_with_two_robots_has_these_forms_too(action: str) -> None:
    options: dict[str, Any] = {"players": 2, "action": action, "decisions": "all", "max_rounds": 8}
    env = parallel_env("interference", infos="numeric", masks="flat", **options)
    alone = parallel_env("interference", infos="mask", observation="vector", **options)
    assert alone.observation_space("player_0").shape == (2 * env.observation_space("player_0")["observation"].shape[1],)
    observations, infos = env.reset(seed=1)
    seen, masks = alone.reset(seed=1)
    decided, robots = set(), set()
    for _ in range(80):
        for agent in env.agents:
            assert env.observation_space(agent).contains(observations[agent])
            assert alone.observation_space(agent).contains(seen[agent])
            np.testing.assert_array_equal(observations[agent]["observation"].ravel(), seen[agent])
            np.testing.assert_array_equal(infos[agent]["action_mask"], masks[agent]["action_mask"])
            np.testing.assert_array_equal(infos[agent]["action_mask"], observations[agent]["action_mask"])
            assert infos[agent]["program"].shape == (2, 5)
            decided.add(infos[agent]["decision"])
            robots.add(infos[agent]["robot"])
        actions = {a: env.action_space(a).sample() for a in env.agents}
        observations, _, _, _, infos = env.step(actions)
        seen, _, _, _, masks = alone.step(actions)
        if not env.agents:
            (observations, infos), (seen, masks) = env.reset(), alone.reset()
    assert {0, choices.PROGRAM} < decided
    assert robots == {0, 1, 2}


# -- the libraries' own checks


# PettingZoo would rather have a plain box, and masks in one row
quiet = pytest.mark.filterwarnings(
    "error",
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent",
    "ignore:Action space for each agent",
    "ignore:Action mask has more than 1 dimension",
    "ignore:State is not in a common image format",
)


@quiet
@pytest.mark.parametrize("options", FORMS, ids=form_name)
def test_pettingzoos_checks(options: dict[str, Any]) -> None:
    parallel_api_test(parallel_env(**options), num_cycles=150)
    parallel_seed_test(lambda: parallel_env(**options), num_cycles=50)
    api_test(aec_env(**options), num_cycles=50)
    seed_test(lambda: aec_env(**options), num_cycles=50)
    state_test(aec_env(**options), parallel_env(**options), num_cycles=20)


@pytest.mark.parametrize("options", FORMS, ids=form_name)
def test_what_libraries_look_for_is_there(options: dict[str, Any]) -> None:
    """Name, render modes, spaces of agents and state; `render` takes no arguments in any of its modes."""
    for make in (parallel_env, aec_env):
        env = make(render_mode="rgb_array", **options)
        assert env.metadata["name"] == "roborally_v0"
        assert env.metadata["is_parallelizable"]
        assert env.metadata["render_fps"] > 0
        assert env.metadata["render_modes"] == ["human", "rgb_array", "ansi"]
        env.reset(seed=1)
        assert env.state().shape == env.state_space.shape
        assert env.state_space.contains(env.state())
        assert env.render().shape[2] == 3
        assert len({id(env.observation_space(agent)) for agent in env.possible_agents}) == 4


@pytest.mark.parametrize("options", FORMS, ids=form_name)
def test_gymnasiums_check(options: dict[str, Any]) -> None:
    env = gymnasium.make("RoboRally-v0", opponents=["random"], **options)
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("options", FORMS, ids=form_name)
def test_stable_baselines3s_check(options: dict[str, Any]) -> None:
    checks = pytest.importorskip("stable_baselines3.common.env_checker")
    checks.check_env(gymnasium.make("RoboRally-v0", opponents=["random"], **options).unwrapped)


@pytest.mark.parametrize(
    "options", [{}, *FORMS, {"course": "interference", "players": 2}, {"course": "interference", "control": "robot"}]
)
def test_spaces_of_all_agents_are_attributes_of_unwrapped_too(options: dict[str, Any]) -> None:
    env = parallel_env(**options)
    for each in (env, env.unwrapped):
        assert list(each.possible_agents) == list(each.observation_spaces) == list(each.action_spaces)
        for agent in env.possible_agents:
            assert each.observation_spaces[agent] is env.observation_space(agent)
            assert each.action_spaces[agent] is env.action_space(agent)


# -- saving, and what makes no sense


@pytest.mark.parametrize("options", FORMS, ids=form_name)
def test_snapshots_copies_and_pickles_go_on_alike(options: dict[str, Any]) -> None:
    env = parallel_env(**options)
    assert isinstance(env, FormattedEnv)
    for _ in played(env, 1, 7):
        pass
    saved = env.snapshot()
    copies = [copy.deepcopy(env), pickle.loads(pickle.dumps(env, protocol=5)), parallel_env(**options)]
    copies[2].restore(saved)
    actions = {a: env.action_space(a).sample() for a in env.agents}
    expected = tuple(env.step(actions))
    for other in copies:
        np.testing.assert_equal(tuple(other.step(actions)), expected)
    env.restore(saved)
    assert env.snapshot() == saved


def gymnasium_env(**options: Any) -> Any:
    """One seat for Gymnasium."""
    return gymnasium.make("RoboRally-v0", **options)


def two_envs(**options: Any) -> Any:
    """Two races for Gymnasium."""
    return make_vec(2, **options)


@pytest.mark.parametrize("make", [parallel_env, aec_env, gymnasium_env, two_envs])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"infos": "numbers"}, "infos.*full, numeric, mask.*'numbers'"),
        ({"masks": "list"}, "masks.*flat, tuple, registers.*'list'"),
        ({"observation": "box"}, "observation.*symbolic, planes, dict, vector.*'box'"),
        ({"masks": "registers"}, "masks.*10.*10"),
        ({"masks": "registers", "action": "flat", "rules": LIGHTER}, 'masks: "registers"'),
        ({"masks": "registers", "observation": "vector", "rules": LIGHTER}, 'masks.*observation="vector"'),
    ],
)
def test_what_makes_no_sense_is_told_in_a_line(make: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(RoboRallyError, match=message) as found:
        make(**options)
    assert "\n" not in str(found.value)
