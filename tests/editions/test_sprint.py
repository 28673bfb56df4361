"""An edition that is registered from outside plays, is drawn, listed, recorded and evaluated like the built-in ones."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from roborally_env.agents.features import layout_for, learned_of
from roborally_env.agents.learned import shipped_weights

from roborally_env import BatchRace, editions, parallel_env, replay
from roborally_env.base.errors import AgentError, RoboRallyError
from roborally_env.cards.listing import list_cards
from roborally_env.cli import main
from roborally_env.core.driving.advance import play_step
from roborally_env.core.editions import KINDS
from roborally_env.core.editions.e2016 import race as race_2016
from roborally_env.core.rule_options import EDITION_RULES
from roborally_env.core.seeing.parts import layout_of
from roborally_env.courses import EDITIONS
from roborally_env.evaluation.tournament import evaluate
from roborally_env.generated.draws import Draws
from roborally_env.generated.procedural import make_board
from roborally_env.generated.specification import Specification
from tests.invariants import check_game

from .sprint import KIND, OVERRIDES, SPRINT


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    editions.register(SPRINT)
    yield
    editions.unregister("sprint")


def race(rules: dict[str, object] | None = None, **options: object) -> BatchRace:
    return BatchRace(16, "burnout", edition="sprint", players=4, seed=5, rules=rules, **options)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "wanted"), [({}, 1), ({"checkpoints": 2}, 2)])
def test_a_race_is_won_at_its_own_goal(rules: dict[str, object], wanted: int) -> None:
    batch = race(rules, auto_reset=False, max_rounds=None)
    for step in range(1500):
        batch.sample(step)
        batch.step_prepared()
        if batch.over.all():
            break
    games = batch.games
    won = games["winner"] >= 0
    assert won.sum() > 8
    best = games["reached"].max(axis=1)
    assert (best[won] == wanted).all()
    assert (games["stops"].max(axis=1) == best).all()


@pytest.mark.slow
def test_belts_leave_robots_facing_as_they_do() -> None:
    batch = race()
    usual = BatchRace(16, "burnout", players=4, seed=5, rules={"upgrades": False})
    differing = 0
    for step in range(30):
        for each in (batch, usual):
            each.sample(step)
            each.step_prepared()
        differing += int((batch.games["facing"] != usual.games["facing"]).sum())
    assert differing


@pytest.mark.slow
def test_it_is_drawn() -> None:
    env = parallel_env(edition="sprint", players=3, render_mode="rgb_array", rules={"checkpoints": 2})
    env.reset(seed=4)
    assert env.render().std() > 10


def test_it_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert {card.edition for card in list_cards("sprint")} == {"sprint"}
    with pytest.raises(SystemExit) as ended:
        main(["cards", "--edition", "sprint"])
    assert not ended.value.code
    assert "Move 1" in capsys.readouterr().out


@pytest.mark.slow
def test_bots_race_by_its_rules_and_a_race_is_recorded_and_played_back(tmp_path: Path) -> None:
    result = evaluate(["greedy", "random"], edition="sprint", players=2, games=20, seed=3)
    assert result.rows[0].agent == "greedy"
    path = tmp_path / "sprint.json"
    replay.save(result.replay(result.races[0]), path)
    *_, last = replay.play(replay.load(path))
    assert last.winner == result.races[0].winner


@pytest.mark.slow
def test_its_games_keep_the_invariants_that_need_no_checks_of_its_own() -> None:
    batch = race()
    for step in range(10):
        batch.sample(step)
        batch.step_prepared()
        for game in batch.games:
            check_game(game, batch.courses[0])
    batch.games["want"][0, 0] = 1
    with pytest.raises(AssertionError, match="scratch"):
        check_game(batch.games[0], batch.courses[0])


def test_learned_says_that_nobody_has_trained_weights_for_it() -> None:
    assert learned_of("sprint").takes["draw_pile"] == layout_of("sprint").kinds
    assert layout_for("sprint").own > 200
    with pytest.raises(AgentError, match="sprint"):
        shipped_weights("learned", "sprint")


@pytest.fixture(name="alone")
def an_edition_that_borrows_no_courses() -> Iterator[str]:
    kinds = [(KIND._replace(name="alone", edition="alone"), OVERRIDES)]
    courses = EDITIONS["2016"]._replace(borrows=(), kinds=EDITIONS["2016"].kinds - {"laser"})
    editions.register(dataclasses.replace(SPRINT, name="alone", courses=courses, kinds=kinds))
    yield "alone"
    editions.unregister("alone")


def test_courses_of_an_edition_without_printed_boards_are_made_of_the_tiles_that_it_has(alone: str) -> None:
    wanted = Specification(edition=alone, pits=0.1)
    board = make_board(wanted.home, 10, 10, wanted, Draws(3))
    assert (wanted.home, board.edition, board.count("pit")) == (alone, alone, 10)
    assert {e.kind for e in board.elements} <= EDITIONS[alone].kinds
    for refused in ({"lasers": 0.1}, {"heights": 0.1}, {"way": "arranged"}):
        with pytest.raises(RoboRallyError, match="edition"):
            Specification(edition=alone, **refused)


def test_what_cannot_be_registered_leaves_nothing_behind() -> None:
    before = list(EDITION_RULES), list(EDITIONS), list(KINDS)
    changes = {
        "'sprint'": {},
        "letters": {"name": "a b"},
        "kind": {"name": "other", "kinds": []},
        "'other'.*'sprint'": {"name": "other"},
        "edition": {
            "name": "other",
            "kinds": [(KIND._replace(name="other", edition="other"), OVERRIDES)],
            "courses": EDITIONS["2016"]._replace(borrows=("1994",)),
        },
        "rule": {"name": "other", "kinds": [(KIND._replace(name="other", edition="other"), {np.sum: np.sum})]},
    }
    for message, change in changes.items():
        with pytest.raises(RoboRallyError, match=message):
            editions.register(editions.Edition(**{**vars(SPRINT), **change}))
    assert (list(EDITION_RULES), list(EDITIONS), list(KINDS)) == before


@pytest.mark.slow
def test_an_edition_is_taken_back_and_registered_anew() -> None:
    editions.unregister("sprint")
    for gone in (lambda: race(), lambda: editions.unregister("sprint"), lambda: editions.unregister("2016")):
        with pytest.raises(RoboRallyError, match=r"sprint|2016"):
            gone()
    changed = dataclasses.replace(SPRINT, kinds=[(KIND, {**OVERRIDES, play_step: race_2016.play_step})])
    with pytest.raises(RoboRallyError, match="process"):
        editions.register(changed)
    editions.register(SPRINT)
    assert race().edition == "sprint"
