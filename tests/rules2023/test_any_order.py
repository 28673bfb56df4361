"""Who acts when: 2023 rulebook, The upgrade phase ("in any order you choose"); R80."""

from itertools import permutations

import pytest

from roborally_env.base.errors import ScenarioError
from tests.rules.scene import scene
from tests.rules.slowly import core_decides

from .phase import PAIR, SOLO, acts, phase

MAT = {"upgrades": ["brakes"], "collection": ["hack"]}
DOES = {
    "draw": ("draw_upgrade yes", "upgrade_drawn zoop"),
    "install": ("install_upgrade hack", "installed hack"),
    "uninstall": ("uninstall_upgrade brakes", "uninstalled brakes"),
}


@core_decides("the reference takes the answers of a phase in the order of the rulebook")
@pytest.mark.parametrize(
    "order", [p for n in range(4) for p in permutations(DOES, n)], ids=lambda order: "-".join(order) or "nothing"
)
def test_a_player_does_any_of_it_in_any_order(order):
    """ "You may perform any or all of the following actions in any order you choose." """
    result = phase(*(f"A {DOES[act][0]}" for act in order), deck="zoop", A=MAT)
    assert acts(result) == [f"A {DOES[act][1]}" for act in order]


def test_energy_and_cards_go_by_the_order():
    """Two energy: after drawing, Rail Gun for two cannot be paid for; the other way round nothing is left to draw."""
    mat = {"collection": ["rail_gun"], "energy": 2}
    phase("A draw_upgrade yes", deck="crab_legs", A=mat).has("energy", A=1).asks("install_upgrade", "A no")
    phase("A install_upgrade rail_gun", A=mat).has("energy", A=0).asks("draw_upgrade", "A no")


def test_everything_that_can_be_done_is_offered_again_after_each_act():
    """R80: drawing, installing, uninstalling; what was declined is asked again when something else was done."""
    result = phase("A uninstall_upgrade brakes", A={"upgrades": ["brakes", "firewall"], "collection": ["hack"]})
    result.asked(
        "A draw_upgrade no", "A install_upgrade no", "A uninstall_upgrade brakes",
        "A draw_upgrade no", "A install_upgrade no", "A uninstall_upgrade no",
    )  # fmt: skip


def test_who_declines_all_of_it_is_done():
    """R80: nothing is asked a second time when nothing has been done."""
    phase(A=MAT).asked("A draw_upgrade no", "A install_upgrade no", "A uninstall_upgrade no")


@core_decides("the reference takes the answers of a phase in the order of the rulebook")
def test_players_act_in_priority_order_each_until_it_is_done():
    """R80, R44: B, which comes first, does all that it wants before A is asked."""
    mats = {"A": {"collection": ["boink"]}, "B": {"collection": ["hack"]}}
    answers = ("A install_upgrade boink", "A draw_upgrade yes", "B install_upgrade hack", "B draw_upgrade yes")
    result = phase(*answers, picture=PAIR, order="BA", deck="zoop brakes", **mats)
    assert acts(result) == ["B installed hack", "B upgrade_drawn zoop", "A installed boink", "A upgrade_drawn brakes"]


@pytest.mark.parametrize(("antenna_a", "antenna_b", "first"), [("Y>", ".", "A"), (".", "Y>", "B")])
def test_the_player_closest_to_the_antenna_acts_first(antenna_a, antenna_b, first):
    """R80, R42: priority is measured once a phase."""
    picture = f"{antenna_a}  A^  .  B^  {antenna_b}"
    result = phase("A draw_upgrade yes", "B draw_upgrade yes", picture=picture)
    assert acts(result)[0].startswith(first)


def test_everybody_is_done_before_hands_are_drawn():
    """ "Once all players are done drawing and installing upgrades, proceed to the Programming Phase." """
    result = scene(PAIR, edition="2023").play_rounds(
        start="upgrade", answers=("A draw_upgrade yes", "B draw_upgrade yes")
    )
    kinds = [event["kind"] for event in result.events if event["kind"] in ("upgrade_drawn", "draw")]
    assert kinds == ["upgrade_drawn"] * 2 + ["draw"] * 18


def test_the_first_round_of_a_scenario_may_begin_with_programming():
    result = scene(SOLO, edition="2023").play_rounds(2, A=["u_turn"], answers=("A draw_upgrade yes",))
    kinds = [event["kind"] for event in result.events if event["kind"] in ("round", "upgrade_drawn")]
    assert kinds == ["round", "round", "upgrade_drawn"]


# -- what scenario files say


def test_a_refusal_is_said_once_for_each_time_that_it_is_asked():
    """The second phase's answers stand behind the refusal of the first."""
    answers = ("A draw_upgrade yes", "A install_upgrade no", "A install_upgrade hack")
    result = phase(*answers, deck="hack zoop", rounds=2)
    rounds = [e["kind"] for e in result.events if e["kind"] in ("round", "upgrade_drawn", "installed")]
    assert rounds == ["round", "upgrade_drawn", "round", "installed"]


def test_an_act_that_never_becomes_possible_is_refused_by_name():
    with pytest.raises(ScenarioError, match=r"draw_upgrade 'yes'.*robot 0"):
        phase("A draw_upgrade yes", A={"energy": 0})


def test_several_robots_may_have_the_same_upgrade_installed():
    """As in the scenarios of 2016: a mat holds a card once, and so does the discard pile."""
    result = phase("A uninstall_upgrade zoop", "B zoop N", picture=PAIR, A="brakes zoop", B="brakes zoop")
    result.owns(A="brakes", B="brakes").discarded("zoop")


WRONG = {
    "collection": ({"collection": ["zop"]}, {}, r"robots\[0\]\.collection\[0\]"),
    "twice": ({"collection": ["zoop", "zoop"]}, {}, r"robots\[0\]\.collection\[1\]"),
    "no list": ({"collection": "zoop"}, {}, r"robots\[0\]\.collection"),
    "in two places": (
        {"collection": ["zoop"], "upgrades": ["zoop"]}, {}, "'zoop'"),
    "on a mat and discarded": (
        {"upgrades": ["zoop"]}, {"upgrade_discard": ["zoop"]}, "upgrade_discard"),
    "on top and held": ({"collection": ["zoop"]}, {"upgrade_deck": ["zoop"]}, "upgrade_deck"),
    "discarded and on top": ({}, {"upgrade_deck": ["zoop"], "upgrade_discard": ["zoop"]}, "upgrade_discard"),
    "shop": ({}, {"shop": ["zoop"]}, "shop.*edition 2023"),
    "energy": ({"energy": 11}, {}, r"robots\[0\]\.energy.*0.*10.*11"),
    "damage": ({"damage": 1}, {}, r"robots\[0\]\.damage.*0.*edition 2023"),
    "buying": (
        {}, {"answers": [{"robot": 0, "decision": "buy_upgrade", "choice": "no"}]}, r"answers\[0\]\.decision"),
    "not this edition": ({}, {"edition": "2016", "upgrade_deck": ["zoop"]}, "upgrade_deck"),
    "nor its collection": ({"collection": ["zoop"]}, {"edition": "2016"}, "collection.*edition 2016"),
    "upgrades cannot be left out": ({}, {"rules": {"upgrades": False}}, "'upgrades'"),
}  # fmt: skip


@pytest.mark.parametrize(("robot", "keys", "message"), WRONG.values(), ids=WRONG)
def test_a_malformed_scenario_is_refused(robot, keys, message):
    from roborally_env.scenario import load

    scenario = {"edition": "2023", "map": {"width": 2, "height": 1}, "robots": [{"x": 0, "y": 0, **robot}], **keys}
    with pytest.raises(ScenarioError, match=message):
        load(scenario)
