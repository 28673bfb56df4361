"""Many races for Gymnasium: the autoreset contract, opponents at race borders, saving, wrong values."""

import copy
import gc
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import roborally_env
from roborally_env import CourseError, RoboRallyError, make_vec
from roborally_env.envs.vector import RoboRallyVectorEnv
from tests.api.helpers import legal_action
from tests.games import LIGHTER
from tests.learning.helpers import CREW, random_rows, same
from tests.sizes import each_once, size

SHORT: dict[str, Any] = {"opponents": CREW, "max_rounds": 4, "reward": "shaped"}
MODES = list(AutoresetMode)


def without_options(infos: dict[str, Any]) -> dict[str, Any]:
    """Infos of Gymnasium's own vector env less the one that ours leaves out."""
    return {
        name: without_options(info) if isinstance(info, dict) else info
        for name, info in infos.items()
        if name not in ("options", "_options")
    }


def check_against_single_envs(
    mode: AutoresetMode, steps: int = 60, num_envs: int = 3, legal: bool = True, **options: Any
) -> None:
    """Every step of the vector env is that of single envs that Gymnasium steps one after the other."""
    singles = gymnasium.make_vec(
        "RoboRally-v0", num_envs, "sync", vector_kwargs={"autoreset_mode": mode}, **SHORT, **options
    )
    ours = gymnasium.make_vec("RoboRally-v0", num_envs, autoreset_mode=mode, **SHORT, **options)
    assert type(ours) is RoboRallyVectorEnv
    assert ours.metadata["autoreset_mode"] is mode
    assert (singles.observation_space, singles.action_space) == (ours.observation_space, ours.action_space)
    rng, ends = np.random.default_rng(0), 0
    singles.action_space.seed(0)
    seen, infos = singles.reset(seed=5)
    own_seen, own_infos = ours.reset(seed=5)
    over = np.zeros(num_envs, np.bool_)
    space = ours.single_action_space
    for _ in range(steps):
        if mode is AutoresetMode.DISABLED and over.any():
            seen, infos = singles.reset(options={"reset_mask": over.copy()})
            own_seen, own_infos = ours.reset(options={"reset_mask": over.copy()})
        same(seen, own_seen)
        same(without_options(infos), own_infos)
        assert own_seen in ours.observation_space
        actions = np.stack([legal_action(mask, rng, space) for mask in ours.action_masks()])
        if not legal:
            actions = singles.action_space.sample()
        seen, *flags, infos = singles.step(actions)
        own_seen, *own_flags, own_infos = ours.step(actions)
        same(tuple(flags), tuple(own_flags))
        over = flags[1] | flags[2]
        ends += over.sum()
    assert ends > 5


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize("action", ["program", "register"])
def test_every_mode_goes_as_single_envs_go(mode: AutoresetMode, action: str) -> None:
    check_against_single_envs(mode, steps=60 if action == "program" else 120, action=action)


@pytest.mark.parametrize(
    "options",
    [
        {"action": "flat"},
        {"observation": "dict", "action": "register", "steps": 120},
        {"observation": "planes"},
        {"decisions": "all", "seat": 2, "course": ["dizzy_highway", "death_trap"]},
    ],
    ids=lambda options: "-".join(map(str, options.values())),
)
def test_every_form_goes_as_single_envs_go(options: dict[str, Any]) -> None:
    check_against_single_envs(AutoresetMode.SAME_STEP, **options)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name)
@pytest.mark.parametrize(
    "options",
    [
        {"infos": "numeric", "masks": "flat"},
        {"infos": "numeric", "observation": "vector", "action": "register", "steps": 120},
        {"infos": "mask", "masks": "registers", "rules": LIGHTER},
    ],
    ids=["numeric", "vector", "mask"],
)
def test_the_forms_for_libraries_go_as_single_envs_go(mode: AutoresetMode, options: dict[str, Any]) -> None:
    check_against_single_envs(mode, **options)


LIMITS = [
    {"max_episode_steps": 5},  # some races end before, at and after it
    {"max_episode_steps": 13, "action": "register", "infos": "numeric", "steps": 120},
    {"max_episode_steps": 3, "observation": "planes", "edition": "2005"},
]


@pytest.mark.parametrize(("mode", "options"), each_once(MODES, LIMITS))
def test_a_limit_of_steps_goes_as_single_envs_go(mode: AutoresetMode, options: dict[str, Any]) -> None:
    check_against_single_envs(mode, **options)


@pytest.mark.parametrize("action", ["program", "register", "flat"])
def test_what_is_illegal_is_replaced_as_in_single_envs(action: str) -> None:
    check_against_single_envs(AutoresetMode.SAME_STEP, legal=False, action=action, steps=90)


@pytest.mark.parametrize("action", ["program", "register"])
def test_the_2005_edition_goes_as_single_envs_go(action: str) -> None:
    # robots that are off the board or powered down sit rounds out: many steps within one
    check_against_single_envs(AutoresetMode.SAME_STEP, edition="2005", action=action, steps=90)


@pytest.mark.parametrize("action", size(["register"], ["program", "register"]))
def test_the_community_edition_goes_as_single_envs_go(action: str) -> None:
    # a robot that is powered down is asked whether it stays so
    check_against_single_envs(AutoresetMode.SAME_STEP, edition="community", action=action, steps=90)


def run(env: RoboRallyVectorEnv, steps: int, seed: int = 0) -> list[Any]:
    """What random legal steps give, as copies."""
    rng, given = np.random.default_rng(seed), []
    nvec = env.single_action_space.nvec.tolist()  # type: ignore[attr-defined]
    masks = env.action_masks()
    for _ in range(steps):
        given.append(copy.deepcopy(env.step(random_rows(masks, nvec, rng))))
        masks = env.action_masks()
    return given


def test_the_state_of_each_row_is_that_of_its_race() -> None:
    short: dict[str, Any] = {**SHORT, "max_rounds": 2, "rules": {"upgrades": False}}
    envs, single = make_vec(2, **short), gymnasium.make("RoboRally-v0", **short).unwrapped
    with pytest.raises(RoboRallyError, match="reset"):
        envs.state()
    envs.reset(seed=5)
    single.reset(seed=6)
    over = np.zeros(2, np.bool_)
    while not over.any():
        state = envs.state()
        assert envs.single_state_space.contains(state[1])
        assert np.array_equal(state[1], single.race.state())  # type: ignore[attr-defined]
        _, _, terminated, truncated, _ = envs.step(np.tile(np.arange(5), (2, 1)))
        over = terminated | truncated
        single.step(np.arange(5))
    assert over.all()
    assert not envs.state().any()


def test_the_number_of_sub_envs_changes_none_of_them() -> None:
    rng = np.random.default_rng(3)
    many, few = make_vec(5, **SHORT), make_vec(2, **SHORT)
    seen, _ = many.reset(seed=10)
    own, _ = few.reset(seed=11)
    for _ in range(30):
        assert np.array_equal(seen["observation"][1:3], own["observation"])
        actions = np.stack([legal_action(mask, rng, many.single_action_space) for mask in seen["action_mask"]])
        seen, rewards, *_ = many.step(actions)
        own, own_rewards, *_ = few.step(actions[1:3])
        assert np.array_equal(rewards[1:3], own_rewards)


def crews_of(state: Any, name: str) -> dict[str, Any]:
    """The opponents of a state, but for one's name."""
    crews: dict[str, Any] = state["rows"]["races"]["crews"]
    return crews | {"names": [name, *crews["names"][1:]]}


STATES = {
    "nothing": (lambda _: None, "expected what state_dict"),
    "no keys": (lambda _: {}, "expected the keys rows, over"),
    "a number": (lambda state: state | {"rows": 1}, r"state\['rows'\]: expected what state_dict.*got 1"),
    "another shape": (lambda state: state | {"over": np.zeros(3, bool)}, r"state\['over'\]: expected an array bool"),
    "fewer generators": (
        lambda state: state | {"rows": state["rows"] | {"races": state["rows"]["races"] | {"generators": []}}},
        "what state_dict",
    ),
    "other opponents": (
        lambda state: (
            state | {"rows": state["rows"] | {"races": state["rows"]["races"] | {"crews": crews_of(state, "nosuch")}}}
        ),
        "nosuch",
    ),
    "fewer keys": (lambda state: {"rows": state["rows"]}, "expected the keys"),
}


@pytest.mark.parametrize(("spoil", "words"), STATES.values(), ids=STATES)
def test_other_states_are_refused_and_change_nothing(spoil: Any, words: str) -> None:
    env = make_vec(2, opponents="random", rules={"upgrades": False}, seed=1)
    env.reset(seed=1)
    before = env.state_dict()
    with pytest.raises(RoboRallyError, match=words):
        env.load_state_dict(spoil(env.state_dict()))
    assert pickle.dumps(env.state_dict()) == pickle.dumps(before)


@pytest.mark.parametrize("limit", [None, 6])
def test_a_saved_env_goes_on_exactly(limit: int | None) -> None:
    env = make_vec(4, seed=1, max_episode_steps=limit, **SHORT)
    env.reset()
    run(env, 17)
    state = copy.deepcopy(env.state_dict())
    expected = run(env, 25, seed=7)
    other = make_vec(4, seed=99, max_episode_steps=limit, **SHORT)
    other.load_state_dict(state)
    for a, b in zip(expected, run(other, 25, seed=7), strict=True):
        same(a, b)


STOCHASTIC = ("random", "easy", "planner:simulations=50", "learned", "blocker")


@pytest.mark.parametrize("opponent", STOCHASTIC)
def test_a_seed_given_to_reset_is_enough(opponent: str) -> None:
    """Whatever the env was made with, and also in an env that goes on from a saved state."""
    options: dict[str, Any] = {"opponents": opponent, "players": 3, "rules": LIGHTER}
    env, other = make_vec(3, **options), make_vec(3, seed=5, **options)
    for each in (env, other):
        each.reset(seed=7)
    for a, b in zip(run(env, 5), run(other, 5), strict=True):
        same(a, b)
    restored = make_vec(3, seed=1, **options)
    restored.load_state_dict(env.state_dict())
    for a, b in zip(run(restored, 5), run(env, 5), strict=True):
        same(a, b)


def test_observations_are_the_caller_s_own_or_two_that_alternate() -> None:
    own, shared = make_vec(3, seed=1, **SHORT), make_vec(3, seed=1, copy=False, **SHORT)
    kept = [own.reset()[0]["observation"]]
    first = shared.reset()[0]["observation"]
    before = first.copy()
    same(first, kept[0])
    kept += [step[0]["observation"] for step in run(own, 2)]
    action = np.zeros((3, 6), np.int64)
    second = shared.step(action)[0]["observation"]
    assert np.array_equal(first, before)
    assert not np.shares_memory(first, second)
    third = shared.step(action)[0]["observation"]
    assert np.shares_memory(first, third)
    assert not np.shares_memory(kept[0], kept[2])


class Counting:
    """Plays through the agent protocol, and remembers in which games it decided."""

    name, needs_observation = "counting", False

    def __init__(self) -> None:
        self.games: list[tuple[int, int]] = []  # game, episode
        self.calls = 0

    def act(self, observations: Any, masks: Any, info: Any) -> Any:
        self.calls += 1
        self.games += [(int(g), int(info.batch.games["episode"][g])) for g in info.games]
        return np.argsort(masks[:, 1] == 0, axis=1, kind="stable")[:, :5].astype(np.int8)


@pytest.mark.parametrize("ending", [{"max_episode_steps": 2}, {"max_rounds": 1, "rules": LIGHTER}], ids=["cut", "over"])
def test_the_end_of_all_races_leaves_the_last_observation_unchanged(ending: dict[str, Any]) -> None:
    env = make_vec(3, seed=1, copy=False, dtype="uint8", autoreset_mode="SAME_STEP", **ending)
    kept = env.reset()[0]["observation"]
    before = kept.copy()
    for _ in range(2):
        seen, *_, infos = env.step(np.zeros((3, len(env.single_action_space.nvec)), int))  # type: ignore[attr-defined]
        assert np.array_equal(kept, before)
        if "final_obs" in infos:
            return
        kept, before = seen["observation"], seen["observation"].copy()
    raise AssertionError("no race has ended")


def test_an_agent_is_called_once_for_all_its_seats() -> None:
    agent = Counting()
    env = make_vec(6, opponents=[agent, agent, agent], rules={"upgrades": False}, seed=2)
    env.reset()
    run(env, 1)
    assert agent.calls == 1
    assert len(agent.games) == 18


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP"])
def test_opponents_are_swapped_only_where_a_race_begins(mode: str) -> None:
    agent = Counting()
    env = make_vec(4, opponents="random", seed=2, max_rounds=5, autoreset_mode=mode)
    env.reset()
    run(env, 3)
    assert not env.batch.over.any()
    mask = np.array([True, True, False, False])
    env.set_opponents([agent, "random", "greedy"], mask)
    racing = {(g, int(e)) for g, e in enumerate(env.batch.games["episode"])}
    given = run(env, 60)
    assert sum(step[2].sum() + step[3].sum() for step in given) > 8
    assert {g for g, _ in agent.games} == {0, 1}
    assert not racing & set(agent.games)
    assert {e for g, e in agent.games if g == 0} == set(range(1, 1 + max(e for g, e in agent.games if g == 0)))


def test_swapping_opponents_and_back_in_one_race_changes_nothing() -> None:
    one, two = (make_vec(3, seed=4, **SHORT) for _ in range(2))
    one.reset()
    two.reset()
    run(one, 2)
    run(two, 2)
    two.set_opponents("random")
    two.set_opponents(CREW)
    for a, b in zip(run(one, 30), run(two, 30), strict=True):
        same(a, b)


def test_gymnasium_s_wrappers_take_it() -> None:
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(make_vec(4, seed=1, autoreset_mode="SAME_STEP", **SHORT))
    env.reset()
    rng, episodes = np.random.default_rng(0), 0
    for _ in range(40):
        actions = random_rows(env.unwrapped.action_masks(), [10] * 5 + [42], rng)  # type: ignore[attr-defined]
        *_, infos = env.step(actions)
        episodes += int(infos.get("_episode", np.zeros(1)).sum())
    assert episodes > 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs.*1"),
        ({"opponents": []}, "opponents"),
        ({"opponents": ["greedi"]}, "'greedi'"),
        ({"opponents": ["greedy"], "players": 4}, "opponents.*3.*4.*1"),
        ({"opponents": None}, "num_envs.*4.*2"),
        ({"opponents": [3]}, "opponents"),
        ({"players": 9}, "players"),
        ({"seat": 4}, "seat.*0.*3"),
        ({"seat": "first"}, "seat.*random"),
        ({"autoreset_mode": "sometimes"}, "autoreset_mode.*NEXT_STEP, SAME_STEP, DISABLED"),
        ({"observation": "pixels"}, "observation"),
        ({"action": "bits"}, "action"),
        ({"seed": -1}, "seed"),
        ({"autoreset": True}, "'autoreset'"),
        ({"max_episode_steps": 0}, "max_episode_steps.*1"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_argument_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RoboRallyError, match=message):
        make_vec(**{"num_envs": 2, **options})


def test_an_env_that_could_not_be_made_is_deleted_without_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CourseError, match="'nowhere'"):
        make_vec(2, "nowhere")
    gc.collect()
    assert capsys.readouterr().err == ""


def test_a_wrong_call_is_refused_and_nothing_is_played() -> None:
    env = make_vec(2, seed=1, autoreset_mode="DISABLED", **SHORT)
    legal = np.zeros((2, 6), np.int64)
    with pytest.raises(RoboRallyError, match="reset"):
        env.step(legal)
    env.reset()
    before = env.batch.games.tobytes()
    for actions, message in (
        (legal[:1], "actions.*2.*6.*1.*6"),
        (legal.astype(float), "actions"),
        (legal + np.array([0, 0, 0, 0, 0, 42]), r"actions\[0, 5\].*41.*42"),
        (legal - 1, r"actions\[0, 0\].*9.*-1"),
    ):
        with pytest.raises(RoboRallyError, match=message):
            env.step(actions)
    for seed in (-1, 1.5, [1], [1, -1], "x", np.array(3)):
        with pytest.raises(RoboRallyError, match="seed"):
            env.reset(seed=seed)  # type: ignore[arg-type]
    for mask in (np.zeros(2, np.bool_), np.ones(3, np.bool_), [1, 0], "all"):
        with pytest.raises(RoboRallyError, match="reset_mask"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(RoboRallyError, match="options"):
        env.reset(options=[1])  # type: ignore[arg-type]
    with pytest.raises(RoboRallyError, match="mask"):
        env.set_opponents("greedy", [True])
    with pytest.raises(RoboRallyError, match=r"opponents.*3"):
        env.set_opponents(["greedy"])
    assert env.batch.games.tobytes() == before
    while not (env.batch.results["rounds"] > 0).any():
        _, _, terminated, truncated, _ = env.step(legal)
    assert (terminated | truncated).any()
    with pytest.raises(RoboRallyError, match=r"\d"):
        env.step(legal)


def test_it_is_a_public_name() -> None:
    assert roborally_env.make_vec is make_vec
    assert str(make_vec(2, seed=1, **SHORT)) == "RoboRallyVectorEnv(num_envs=2)"
