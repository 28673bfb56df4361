"""An upgrade card from outside the package is bought, asked about, observed, drawn, listed and recorded like others."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from roborally_env import BatchRace, editions, parallel_env, replay, scenario, watch
from roborally_env.base.errors import CourseError, RoboRallyError, ScenarioError
from roborally_env.cards.listing import list_cards
from roborally_env.cli import main
from roborally_env.core import choices, upgrades
from roborally_env.core.seeing.parts import parts_of
from roborally_env.evaluation.tournament import evaluate

from .workshop import AFTERBURNER, BUMPER, CARD, DECISION, DECK, KIND, WORKSHOP


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    editions.register(WORKSHOP)
    yield
    editions.unregister("workshop")


def played(answers: list[dict[str, Any]], x: int = 1, *more: str) -> dict[str, Any]:
    """Robot 0 at (x, 1) faces east and plays a Move 1; robot 1 stands at (5, 1), the checkpoint is at (4, 0)."""
    outcome = scenario.load(
        {
            "edition": "workshop",
            "map": {
                "width": 8,
                "height": 3,
                "antenna": {"x": 0, "y": 2, "facing": "E"},
                "reboots": [{"x": 7, "y": 2, "facing": "N"}],
                "checkpoints": [{"number": 1, "x": 4, "y": 0}],
            },
            "robots": [
                {"x": x, "y": 1, "facing": "E", "registers": ["move_1"], "upgrades": [CARD.name, *more]},
                {"x": 5, "y": 1, "facing": "S", "registers": ["turn_left"]},
            ],
            "answers": answers,
            "play": {"from": 1, "to": 1},
        }
    ).run()
    return dict(outcome)


def use(choice: str) -> list[dict[str, Any]]:
    return [{"robot": 0, "decision": CARD.name, "choice": choice}]


@pytest.mark.parametrize(("choice", "x"), [("yes", 3), ("no", 2)])
def test_a_scenario_plays_it(choice: str, x: int) -> None:
    outcome = played(use(choice))
    assert outcome["robots"][0]["x"] == x
    assert outcome["decisions"] == use(choice)


def test_its_step_pushes() -> None:
    outcome = played(use("yes"), x=3)
    assert [robot["x"] for robot in outcome["robots"]] == [5, 6]


def test_a_card_that_is_never_asked_acts_by_itself() -> None:
    outcome = played(use("yes"), 3, "bumper")
    assert [robot["energy"] for robot in outcome["robots"]] == [5, 4]


def test_a_wrong_answer_is_named() -> None:
    with pytest.raises(ScenarioError, match=r'answers\[0\].*no, yes.*"left"'):
        played(use("left"))


def race(decisions: str = "program", **options: Any) -> BatchRace:
    return BatchRace(32, edition="workshop", players=4, seed=5, decisions=decisions, observation="symbolic", **options)


@pytest.mark.slow
def test_random_players_buy_and_use_it() -> None:
    batch = race("all")
    asked = np.zeros(choices.KINDS, bool)
    bought = False
    for step in range(400):
        batch.sample(step)
        batch.step_prepared()
        asked[np.unique(batch.games["ask_kind"])] = True
        bought |= bool((batch.games["bought"] >> AFTERBURNER & 1).any())
    assert asked[DECISION]
    assert bought


@pytest.mark.slow
def test_every_card_of_the_deck_is_sold() -> None:
    batch = race("all")
    seen: set[int] = set()
    for step in range(300):
        batch.sample(step)
        batch.step_prepared()
        seen |= set(np.unique(batch.games["shop"]).tolist())
    assert seen - {0} == set(DECK)


@pytest.mark.slow
def test_it_is_observed() -> None:
    shapes = {name: shape for name, shape, *_ in parts_of("workshop", True)}
    assert shapes["upgrades"] == shapes["shop"] == (BUMPER,)
    assert shapes["options"] == (1 + BUMPER,)
    batch = race()
    batch.games["owned"][:, 0] = 1 << AFTERBURNER
    batch.games["on_mats"] = 1 << AFTERBURNER
    batch.sample(0)
    batch.step_prepared()
    own = batch.games["owned"] >> AFTERBURNER & 1
    start = 0
    for name, shape, *_ in parts_of("workshop"):
        if name == "upgrades":
            break
        start += int(np.prod(shape))
    seen = batch.observations["symbolic"][..., start + AFTERBURNER - 1]
    assert own[:, 0].any()
    assert (seen == own[:, : seen.shape[1]]).all()


@pytest.mark.slow
def test_its_decision_has_a_place_of_its_own() -> None:
    batch = race("all")
    parts = parts_of("workshop", True)
    start = 0
    for name, shape, *_ in parts:
        if name == "asked":
            break
        start += int(np.prod([3 if n < 0 else n for n in shape]))
    shapes = {name: shape for name, shape, *_ in parts}
    places: dict[int, set[int]] = {}
    for step in range(400):
        batch.sample(step)
        batch.step_prepared()
        asked = batch.observations["symbolic"][..., start : start + shapes["asked"][0]]
        for i in np.flatnonzero(batch.games["ask_seat"] >= 0):
            shown = np.flatnonzero(asked[i, batch.games["ask_seat"][i]]).tolist()
            places.setdefault(int(batch.games["ask_kind"][i]), set()).update(shown)
    assert places[DECISION] == {shapes["asked"][0] - 2}
    assert all(place == {kind - 1} for kind, place in places.items() if kind != DECISION)


@pytest.mark.slow
def test_bots_buy_it_and_races_are_recorded_and_played_back(tmp_path: Path) -> None:
    result = evaluate(["greedy", "random"], edition="workshop", players=2, games=40, seed=3)
    races = [race for race in result.races if any(int(cards) >> AFTERBURNER & 1 for cards in race.bought)]
    assert races
    path = tmp_path / "workshop.json"
    replay.save(result.replay(races[0]), path)
    *_, last = replay.play(replay.load(path))
    assert last.winner == races[0].winner
    assert f'"title":"{CARD.title}"' in watch.replay_page(replay.load(path))


def test_it_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    listed = {card.name: card for card in list_cards("workshop")}
    assert listed[CARD.name].decision == CARD.name
    assert listed[CARD.name].cost == 1
    assert len([card for card in listed.values() if card.cost is not None]) == len(DECK)
    assert CARD.name not in {card.name for card in list_cards("2016")}
    with pytest.raises(SystemExit) as ended:
        main(["cards", "afterburner"])
    assert not ended.value.code
    assert CARD.rule in capsys.readouterr().out


@pytest.mark.slow
def test_the_environment_names_its_decision() -> None:
    env = parallel_env(edition="workshop", players=2, decisions="all")
    env.reset(seed=4)
    env.close()
    assert env.action_space(env.possible_agents[0]) is not None


OTHER = CARD._replace(number=44, name="other")
WRONG = {
    "42.*62.*40": OTHER._replace(number=upgrades.ZOOP),
    "42": OTHER._replace(number=AFTERBURNER),
    "'zoop'": OTHER._replace(name="zoop"),
    "letters": OTHER._replace(name="after burner"),
    "permanent, temporary": OTHER._replace(type="eternal"),
    "hand, register": OTHER._replace(moments=("midnight",)),
    "'no'": OTHER._replace(options=("yes", "no")),
    "cost": OTHER._replace(cost=-1),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_wrong_card_is_refused_and_nothing_is_registered(message: str) -> None:
    before = list(upgrades.ALL_NAMES)
    other = KIND._replace(name="other", edition="other", upgrade_numbers=upgrades.DECK)
    with pytest.raises(RoboRallyError, match=message):
        editions.register(
            editions.Edition(
                name="other", courses=WORKSHOP.courses, kinds=[(other, WORKSHOP.kinds[0][1])], upgrades=[WRONG[message]]
            )
        )
    assert before == upgrades.ALL_NAMES


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"upgrade_numbers": (1, 2, 60)}, r"\[60\]"),
        ({"upgrade_numbers": DECK, "parts": None}, "40.*43"),
    ],
)
def test_a_deck_that_does_not_fit_is_refused(change: dict[str, Any], message: str) -> None:
    from roborally_env.core.editions.e2016.parts import complete_parts

    if "parts" in change:
        change = {**change, "parts": complete_parts}
    kind = KIND._replace(name="other", edition="other", **change)
    with pytest.raises(RoboRallyError, match=message):
        editions.register(
            editions.Edition(name="other", courses=WORKSHOP.courses, kinds=[(kind, WORKSHOP.kinds[0][1])])
        )


def test_taken_back_nothing_of_it_is_left() -> None:
    editions.unregister("workshop")
    try:
        assert CARD.name not in upgrades.ALL_NAMES
        assert choices.NAMES[DECISION] == ""
        with pytest.raises(CourseError, match="'workshop'"):
            race()
    finally:
        editions.register(WORKSHOP)


@pytest.mark.slow
def test_commands_know_an_edition_that_they_load(tmp_path: Path) -> None:
    lines = ("import tests.editions.workshop", "from roborally_env.editions import register")
    (tmp_path / "my_edition.py").write_text("\n".join((*lines, "register(tests.editions.workshop.WORKSHOP)\n")))
    (tmp_path / "broken.py").write_text("1 / 0\n")
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (tmp_path, root)))}
    environment.pop("ROBORALLY_EDITIONS", None)

    def command(*words: str) -> subprocess.CompletedProcess[str]:
        whole = [sys.executable, "-m", "roborally_env", *words]
        return subprocess.run(whole, env=environment, text=True, capture_output=True, check=False)

    listed = command("--load", "my_edition", "cards", "--edition", "workshop", "--json")
    assert "afterburner" in listed.stdout
    assert listed.returncode == 0
    raced = command("--load", "my_edition", "evaluate", "--edition", "workshop", "--agents", "random", "--games", "4")
    assert raced.returncode == 0, raced.stderr
    for words, line in {
        ("--load", "no_such_module", "cards"): "edition module no_such_module: cannot import it: ModuleNotFoundError",
        ("--load", "broken", "cards"): "edition module broken: cannot import it: ZeroDivisionError",
        ("cards", "--edition", "workshop"): "unknown edition 'workshop'",
    }.items():
        failed = command(*words)
        assert failed.returncode == 2
        assert line in failed.stderr
        assert "Traceback" not in failed.stderr
