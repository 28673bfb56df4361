"""One seat for Gymnasium, the others played by agents."""

import itertools
import re
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import roborally_env
from roborally_env.base.errors import AgentError
from roborally_env.core import choices
from roborally_env.envs import RoboRallyEnv
from tests import stranger
from tests.api.helpers import ACTIONS, BUSY, KINDS, as_bytes, kind_name, legal_action
from tests.games import FULL, LIGHTER, both_games

YARD = str(Path(__file__).parents[2] / "scripts" / "experiments" / "short_yard.toml")  # random programs end there soon


class Fixed:
    """An opponent that programs its first legal cards, takes defaults, and remembers its decisions."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []  # seat, round

    def act(self, observations: Any, masks: Any, info: Any) -> Any:
        assert observations.shape == (1, info.batch.symbolic_size)
        assert observations.dtype == np.float32
        assert masks.shape == (1, 5, info.batch.hand_slots)
        assert masks.dtype == np.int8
        self.asked.append((int(info.seats[0]), int(info.batch.games["round_number"][info.games[0]])))
        legal = np.flatnonzero(masks[0, 0])[:1]
        rest = [i for i in np.flatnonzero(masks[0, 1]) if i != legal[0]]
        return np.array([[legal[0], *rest[:4]]], np.int8)


class Buyer(Fixed):
    """It answers every choice with the highest number, and remembers the kinds."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: list[str] = []

    def choose(self, observations: Any, masks: Any, info: Any) -> Any:
        assert observations.shape == (1, info.batch.symbolic_size)
        assert masks.shape == (1, 1 + info.batch.options)
        game = info.batch.games[info.games[0]]
        assert game["ask_seat"] == info.seats[0]
        self.kinds.append(choices.NAMES[game["ask_kind"]])
        return np.flatnonzero(masks[0])[-1:].astype(np.int8)


def race(env: gymnasium.Env, seed: int, steps: int = 10_000) -> list[Any]:
    """All that a race by a seed gives, with random legal actions."""
    rng = np.random.default_rng(seed)
    given: list[Any] = [env.reset(seed=seed)]
    observation = given[0][0]
    for _ in range(steps):
        given.append(env.step(legal_action(observation["action_mask"], rng, env.action_space)))
        observation = given[-1][0]
        if given[-1][2] or given[-1][3]:
            break
    return given


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", KINDS, ids=kind_name)
def test_it_passes_gymnasiums_check(kind: dict[str, Any]) -> None:
    env = gymnasium.make("RoboRally-v0", opponents=["random", "random"], disable_env_checker=True, **kind)
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.filterwarnings("error", "ignore:.*no display:RuntimeWarning")
@pytest.mark.parametrize("options", [{}, {"observation": "vector", "infos": "numeric", "rules": {"upgrades": False}}])
def test_gymnasiums_check_passes_whole_without_a_display(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    check_env(gymnasium.make("RoboRally-v0", **options).unwrapped)


def test_rendering_without_a_mode_warns_as_gymnasiums_own_do() -> None:
    env = gymnasium.make("RoboRally-v0").unwrapped
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="without specifying any render mode"):
        assert env.render() is None


def test_stable_baselines3_learns_from_the_default_form() -> None:
    ppo = pytest.importorskip("stable_baselines3").PPO
    env = gymnasium.make("RoboRally-v0", max_rounds=2)
    ppo("MultiInputPolicy", env, n_steps=4, batch_size=4, n_epochs=1, device="cpu").learn(4)


def test_rendering_passes_gymnasiums_check() -> None:
    env = gymnasium.make("RoboRally-v0", render_mode="ansi", disable_env_checker=True)
    env.reset(seed=1)
    assert "Dizzy Highway, round 1" in str(env.render())
    env.close()


@both_games
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("decisions", ["program", "all"])
def test_a_seed_fixes_the_race_seat_and_opponents_too(action: str, decisions: str, rules: dict[str, Any]) -> None:
    def make() -> gymnasium.Env:
        return gymnasium.make("RoboRally-v0", course=BUSY, action=action, decisions=decisions, rules=rules)

    first, second = make(), make()
    seats = set()
    for seed in range(4):
        mine, again = race(first, seed, 40), race(second, seed, 40)
        assert as_bytes(mine) == as_bytes(again)
        assert [given[1:4] for given in mine[1:]] == [given[1:4] for given in again[1:]]
        seats.add(mine[0][1]["seat"])
    assert len(seats) > 1


@both_games
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_opponents_play_their_own_seats_once_a_round(seat: int, rules: dict[str, Any]) -> None:
    opponents = [Fixed(), Fixed()]
    env = RoboRallyEnv(opponents, seat=seat, action="register", max_rounds=3, rules=rules)
    race(env, 1)
    others = [s for s in range(3) if s != seat]
    for opponent, own in zip(opponents, others, strict=True):
        assert opponent.asked == [(own, n) for n in range(1, 1 + len(opponent.asked))]
        assert 1 <= len(opponent.asked) <= 3


@pytest.mark.parametrize(
    ("rules", "decisions", "kinds"),
    [
        (FULL, "program", {"program", "buy_upgrade"}),
        (FULL, "all", {"program", "buy_upgrade", "reboot_facing"}),
        (LIGHTER, "program", {"program"}),
        (LIGHTER, "all", {"program", "reboot_facing"}),
    ],
)
def test_the_learner_is_asked_only_for_its_own_decisions(
    rules: dict[str, Any], decisions: str, kinds: set[str]
) -> None:
    env = RoboRallyEnv(["random"] * 3, course=BUSY, decisions=decisions, rules=rules, max_rounds=40)
    found = set()
    for seed in range(4):
        for given in race(env, seed):
            info = given[-1]
            over = len(given) == 5 and (given[2] or given[3])
            assert over == (info["decision"] is None)
            found.add(info["decision"])
    assert found - {None} >= kinds
    assert decisions == "all" or found - {None} == kinds


@pytest.mark.parametrize("decisions", ["program", "all"])
def test_opponents_that_choose_are_asked_for_their_own_choices(decisions: str) -> None:
    opponents = [Buyer(), Fixed(), Buyer()]
    env = RoboRallyEnv(opponents, seat=1, course=BUSY, decisions=decisions, max_rounds=12)
    race(env, 3)
    bought = env.race.batch.games["bought"][0] != 0
    assert bought[[0, 3]].all()
    assert not bought[2]  # who has no `choose` takes the default: no purchase
    kinds = {kind for each in (opponents[0], opponents[2]) for kind in each.kinds}
    assert kinds == {"buy_upgrade"} if decisions == "program" else len(kinds) > 2


@both_games
def test_the_reward_is_that_of_the_seat_in_the_race(rules: dict[str, Any]) -> None:
    env = RoboRallyEnv([Fixed(), Fixed()], seat=1, reward="shaped", max_rounds=20, rules=rules)
    given = race(env, 2)
    for _, reward, _, _, info in given[1:]:
        assert reward == pytest.approx(info["rewards"]["race"] + info["rewards"]["shaping"], abs=1e-6)
    assert given[-1][4]["rewards"]["race"] == pytest.approx(2 - given[-1][4]["place"])


@pytest.mark.parametrize("max_rounds", [2, 40])
def test_the_end_of_a_race_says_whether_it_was_won(max_rounds: int) -> None:
    env = gymnasium.make("RoboRally-v0", opponents=["random"], course=YARD, rules=LIGHTER, max_rounds=max_rounds)
    found = set()
    for seed in range(12):
        *others, (_, _, terminated, _, info) = race(env, seed)
        assert not any("is_success" in given[-1] for given in others)
        assert info["is_success"] is (terminated and info["place"] == 1)
        found.add(info["is_success"])
    assert found == ({True, False} if max_rounds == 40 else {False})


def test_stable_baselines3_s_evaluations_report_the_races_won(tmp_path: Path) -> None:
    ppo = pytest.importorskip("stable_baselines3").PPO
    from stable_baselines3.common.callbacks import EvalCallback
    from stable_baselines3.common.monitor import Monitor

    env = Monitor(gymnasium.make("RoboRally-v0", opponents=["random"], observation="vector", max_rounds=2))
    evaluations = EvalCallback(env, n_eval_episodes=3, eval_freq=4, log_path=str(tmp_path), verbose=0)
    ppo("MlpPolicy", env, n_steps=4, batch_size=4, n_epochs=1, device="cpu").learn(4, callback=evaluations)
    assert np.load(tmp_path / "evaluations.npz")["successes"].shape == (1, 3)


@both_games
@pytest.mark.parametrize("action", ACTIONS)
def test_the_flat_mask_is_there_for_sb3_contrib(action: str, rules: dict[str, Any]) -> None:
    env = gymnasium.make("RoboRally-v0", action=action, rules=rules)
    _, info = env.reset(seed=1)
    masks = env.get_wrapper_attr("action_masks")()
    assert masks.dtype == bool
    np.testing.assert_array_equal(masks, info["action_mask"])


def test_resetting_without_a_seed_goes_on_to_another_race() -> None:
    env = RoboRallyEnv(["random", "random"])
    first = as_bytes(env.reset(seed=1)[0])
    second = as_bytes(env.reset()[0])
    assert first != second
    env.reset(seed=1)
    assert as_bytes(env.reset()[0]) == second


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"opponents": []}, "opponents"),
        ({"opponents": "randim"}, "random"),
        ({"opponents": [type("Bot", (), {"act": len})]}, r"Bot is a class; pass an agent, Bot\(\)"),
        ({"opponents": [3]}, "opponents"),
        ({"opponents": ["random"], "players": 2}, "players"),
        ({"opponents": ["random"] * 6}, "players.*2.*6"),
        ({"seat": 4}, "seat.*0.*3"),
        ({"seat": "first"}, "seat.*random"),
        ({"course": "dizzy_hihgway"}, "dizzy_highway"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(roborally_env.RoboRallyError) as refused:
        RoboRallyEnv(**arguments)
    assert re.search(words, str(refused.value))


def test_an_unknown_opponent_is_refused_with_the_nearest_names() -> None:
    with pytest.raises(AgentError, match="random"):
        RoboRallyEnv(["randon", "random"]).reset(seed=1)


def test_an_opponent_that_does_not_play_the_edition_is_refused_when_the_environment_is_made() -> None:
    with pytest.raises(AgentError, match=stranger.REASON):
        RoboRallyEnv([stranger.SPEC, "random"], course="terraces")
    with pytest.raises(AgentError, match=stranger.REASON):
        roborally_env.make_vec(2, "terraces", opponents=[stranger.SPEC, "random"])


def test_an_opponent_that_gives_no_program_is_refused() -> None:
    class Wrong:
        def act(self, *_: Any) -> Any:
            return np.zeros((5,), np.int8)

    env = RoboRallyEnv([Wrong(), Wrong()], rules=LIGHTER)
    env.reset(seed=1)
    with pytest.raises(AgentError):
        env.step(np.arange(5))


@both_games
def test_a_wrong_seed_and_a_step_too_many_are_refused(rules: dict[str, Any]) -> None:
    env = RoboRallyEnv(["random", "random"], max_rounds=1, rules=rules)
    action = np.arange(6 if rules == FULL else 5)
    with pytest.raises(roborally_env.RoboRallyError, match="reset"):
        env.step(action)
    for seed in (-1, 1.5, "1", 2**64):
        with pytest.raises(roborally_env.RoboRallyError, match="seed"):
            env.reset(seed=seed)  # type: ignore[arg-type]
    env.reset(seed=1)
    for _ in itertools.count():
        if any(env.step(action)[2:4]):
            break
    with pytest.raises(roborally_env.RoboRallyError, match="reset"):
        env.step(action)
