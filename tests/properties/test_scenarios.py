"""What holds in every outcome of a scenario."""

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from roborally_env.base.errors import RoboRallyError
from roborally_env.core import upgrades
from roborally_env.core.cards import DAMAGE_NAMES, DECK_COUNTS, NAMES
from roborally_env.scenario import load
from tests.reference.e2016.generate import scenario
from tests.sizes import size

DECK = Counter({NAMES[card]: int(count) for card, count in enumerate(DECK_COUNTS) if count})
ROUTINES = {row.name: NAMES[row.special] for row in map(upgrades.upgrade, upgrades.DECK) if row.special}
PERMANENT = set(upgrades.NAMES[1:25])
BOX = {"spam": 38, "worm": 6, "virus": 18, "trojan_horse": 12}
EXAMPLES = settings(max_examples=size(100, 300), deadline=None, derandomize=True)


def played(seed: int, whole_rounds: bool = False) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The random scenario of a seed and its outcome; None where an answer is not legal."""
    found = scenario(seed)
    if whole_rounds:
        found.pop("answers", None)
        found["play"] = {"rounds": 1 + seed % 3}
    try:
        return found, load(found).run()
    except RoboRallyError:
        return None


@EXAMPLES
@given(seed=st.integers(0, 2**32))
def test_no_cell_is_shared_and_everybody_stands_on_the_board(seed: int) -> None:
    result = played(seed)
    if result is None:
        return
    world, robots = result[0]["map"], result[1]["robots"]
    cells = {(robot["x"], robot["y"]) for robot in robots}
    assert len(cells) == len(robots)
    forbidden = {(e["x"], e["y"]) for e in world["elements"] if e["kind"] == "pit"}
    if "antenna" in world:
        forbidden.add((world["antenna"]["x"], world["antenna"]["y"]))
    assert not cells & forbidden
    assert all(0 <= x < world["width"] and 0 <= y < world["height"] for x, y in cells)


def special_cards(robot: dict[str, Any]) -> Counter[str]:
    """The special programming cards that a robot of a scenario has beside its twenty."""
    named = [card for key in ("registers", "hand", "draw", "discard") for card in robot.get(key, [])]
    found = Counter(card for card in named if card in ROUTINES.values())
    return found + Counter(ROUTINES[name] for name in robot.get("upgrades", []) if name in ROUTINES)


@EXAMPLES
@given(seed=st.integers(0, 2**32))
def test_cards_are_conserved_over_whole_rounds(seed: int) -> None:
    result = played(seed, whole_rounds=True)
    assert result is not None
    damage = Counter[str]()
    for before, robot in zip(result[0]["robots"], result[1]["robots"], strict=True):
        owned = Counter([*robot["hand"], *robot["draw"], *robot["discard"], *filter(None, robot["registers"])])
        damage.update({name: owned.pop(name, 0) for name in DAMAGE_NAMES})
        deck = DECK + special_cards(before)
        if result[1]["winner"] is None:  # else a card drawn for an Again still lies on it, and is not shown
            assert owned == deck
        else:
            assert owned <= deck
    assert all(damage[name] <= BOX[name] for name in DAMAGE_NAMES)


@EXAMPLES
@given(seed=st.integers(0, 2**32))
def test_no_upgrade_comes_from_nowhere_and_no_mat_holds_too_many(seed: int) -> None:
    result = played(seed)
    if result is None:
        return
    mats = [robot.get("upgrades", []) for robot in result[0]["robots"]]
    before = Counter([*(name for mat in mats for name in mat), *result[0].get("shop", [])])
    after = Counter(result[1].get("shop", []))
    for robot in result[1]["robots"]:
        names = robot.get("upgrades", [])
        after.update(names)
        assert names == sorted(set(names) - ROUTINES.keys())
        permanent = len(PERMANENT & set(names))
        assert permanent <= 3
        assert len(names) - permanent <= 3
    dealt = "rounds" in result[0]["play"] and result[0].get("rules", {}).get("upgrades", True)
    for name, count in after.items():
        assert count <= max(before[name], int(dealt)), name


@EXAMPLES
@given(seed=st.integers(0, 2**32))
def test_the_decisions_that_were_made_lead_there_again(seed: int) -> None:
    """The outcome's decisions, given as answers, are all asked again and change nothing."""
    result = played(seed)
    if result is None:
        return
    again = {**result[0], "answers": result[1]["decisions"]}
    assert load(again).run() == result[1]


@EXAMPLES
@given(seed=st.integers(0, 2**32), number=st.integers(1, 5))
def test_playing_in_one_go_or_register_by_register_agree_on_what_came_first(seed: int, number: int) -> None:
    """The events up to a register's end do not depend on how far the scenario goes on."""
    found = scenario(seed)
    if "rounds" in found["play"] or "answers" in found:
        return
    found["play"]["from"] = 1
    whole = load({**found, "play": {**found["play"], "to": 5}}).run()["events"]
    part = load({**found, "play": {**found["play"], "to": number}}).run()["events"]
    assert whole[: len(part)] == part
