"""Install 1 Upgrade: 2023 rulebook, The upgrade phase; R82."""

import pytest

from roborally_env.base.errors import ScenarioError
from tests.rules.scene import scene
from tests.rules.slowly import core_decides
from tests.rules.upgrade_cards import COSTS, PERMANENT, ROUTINES, SPECIAL_CARD, TEMPORARY

from .phase import PAIR, SOLO, acts, phase


def test_an_upgrade_of_the_collection_is_installed_at_its_cost():
    """ "You may install 1 upgrade from your collection of uninstalled upgrades." Rail Gun costs two."""
    result = phase("A install_upgrade rail_gun", A={"collection": ["rail_gun", "hack"]})
    result.has("energy", A=1).owns(A="rail_gun").collects(A="hack")


@pytest.mark.parametrize(("card", "cost"), COSTS.items())
def test_each_card_costs_the_number_in_its_corner(card, cost):
    """ "This is the cost in Energy you must pay to install that card." To the last energy."""
    result = phase(f"A install_upgrade {card}", A={"collection": [card], "energy": cost})
    result.has("energy", A=0).collects(A="").owns(A="" if card in ROUTINES else card)


@pytest.mark.parametrize(("card", "cost"), [item for item in COSTS.items() if item[1]])
def test_who_can_pay_for_no_card_of_the_collection_is_asked_all_the_same(card, cost):
    """R90: with `no` alone, so that nobody learns from the number of steps what a hidden card costs."""
    mat = {"collection": [card], "energy": cost - 1}
    phase(A=mat).asks("install_upgrade", "A no")
    with pytest.raises(ScenarioError, match=r"install_upgrade.*robot 0"):
        phase(f"A install_upgrade {card}", A=mat)


def test_a_cheap_card_and_a_dear_one_take_equally_many_steps():
    """R90: the same questions for Hack, which costs one, and for Rail Gun, which costs two."""
    hack, gun = (phase(A={"collection": [card], "energy": 1}).decisions for card in ("hack", "rail_gun"))
    assert hack == gun


def test_who_has_no_card_or_has_installed_one_is_not_asked():
    """R90: a card in the collection, and nothing installed in this phase."""
    phase(A={"upgrades": ["hack"]}).never_asked("install_upgrade")
    mat = {"collection": ["hack", "rail_gun"], "energy": 1}
    phase("A install_upgrade hack", A=mat).asks("install_upgrade", "A hack")


def test_only_cards_of_the_own_collection_are_offered():
    mats = {"A": {"collection": ["hack"]}, "B": {"collection": ["zoop"]}}
    with pytest.raises(ScenarioError, match=r"'zoop'.*no, hack"):
        phase("A install_upgrade zoop", picture=PAIR, **mats)


def test_one_upgrade_is_installed_a_phase():
    """ "You may only install 1 upgrade during each Upgrade Phase." """
    mat = {"collection": ["hack", "zoop"]}
    phase("A install_upgrade hack", A=mat).asks("install_upgrade", "A hack").owns(A="hack").collects(A="zoop")
    with pytest.raises(ScenarioError):
        phase("A install_upgrade hack", "A install_upgrade zoop", A=mat)


def test_the_next_one_is_installed_in_the_next_phase():
    mat = {"collection": ["hack", "zoop"]}
    result = phase("A install_upgrade hack", "A install_upgrade zoop", rounds=2, A=mat)
    result.owns(A="hack zoop").has("energy", A=1)


def test_it_can_be_done_in_the_very_first_round():
    """ "including the very first round of the game": the card drawn in it is installed in it."""
    result = phase("A draw_upgrade yes", "A install_upgrade rail_gun", deck="rail_gun")
    assert [event["round"] for event in result.happened("round")] == [1]
    result.owns(A="rail_gun").collects(A="").has("energy", A=0)


def test_it_acts_in_the_round_in_which_it_was_installed():
    """ "Once all players are done drawing and installing upgrades, proceed to the Programming Phase.": ten cards are
    drawn with the Memory Stick."""
    robots = scene(SOLO, edition="2023", A={"collection": ["memory_stick"]})
    result = robots.play_rounds(start="upgrade", answers=("A install_upgrade memory_stick",))
    kinds = [event["kind"] for event in result.events if event["kind"] in ("installed", "draw", "program")]
    assert kinds == ["installed", *["draw"] * 10, *["program"] * 5]


@pytest.mark.parametrize("card", sorted(ROUTINES))
def test_a_routine_brings_its_special_card_and_is_out_of_the_game(card):
    """R84: its card goes to the own discard pile; the routine is in no pile, so there is never a second one."""
    result = phase(f"A install_upgrade {card}", A={"collection": [card], "energy": 5})
    result.in_pile("discard", SPECIAL_CARD[card], A=1).owns(A="").collects(A="").discarded("")


# -- three of a type


@pytest.mark.parametrize("cards", [PERMANENT, TEMPORARY], ids=["permanent", "temporary"])
def test_a_fourth_of_a_type_takes_the_place_of_one_that_is_named(cards):
    """ "If you already have 3 of one type, you may discard an upgrade of that type to make room for a new one." """
    *three, fourth = cheap(cards, 4)
    mat = {"upgrades": three, "collection": [fourth], "energy": 5}
    result = phase(f"A install_upgrade {fourth}", f"A replace_upgrade {three[1]}", A=mat)
    assert acts(result) == [f"A uninstalled {three[1]}", f"A installed {fourth}"]
    result.owns(A=" ".join([three[0], three[2], fourth])).discarded(three[1])


def test_three_of_each_type_can_be_installed():
    """ "a maximum of 3 permanent upgrades and 3 temporary upgrades at a time": no replacement is asked for a sixth."""
    permanent, temporary = cheap(PERMANENT, 3), cheap(TEMPORARY, 3)
    mat = {"upgrades": [*permanent, *temporary[:2]], "collection": [temporary[2]]}
    result = phase(f"A install_upgrade {temporary[2]}", A=mat)
    result.never_asked("replace_upgrade").owns(A=" ".join([*permanent, *temporary]))


def test_only_one_of_the_same_type_can_make_room():
    *three, fourth = cheap(PERMANENT, 4)
    other = cheap(TEMPORARY, 1)
    mat = {"upgrades": [*three, *other], "collection": [fourth], "energy": 5}
    with pytest.raises(ScenarioError, match="replace_upgrade"):
        phase(f"A install_upgrade {fourth}", f"A replace_upgrade {other[0]}", A=mat)


@core_decides("the reference has no default policy")
def test_the_one_that_is_worth_least_goes_where_nobody_says():
    """The default policy of `replace_upgrade`."""
    mat = {"upgrades": ["pressor_beam", "rear_laser", "firewall"], "collection": ["rail_gun"]}
    phase("A install_upgrade rail_gun", A=mat).asks("replace_upgrade", "A rear_laser").discarded("rear_laser")


def test_what_is_replaced_is_not_paid_back():
    mat = {"upgrades": ["pressor_beam", "rear_laser", "firewall"], "collection": ["rail_gun"], "energy": 2}
    phase("A install_upgrade rail_gun", "A replace_upgrade firewall", A=mat).has("energy", A=0)


@core_decides("the reference has no default policy")
def test_a_card_discarded_before_makes_room_without_a_question():
    """R80: in any order, so first one is uninstalled, then another installed."""
    mat = {"upgrades": ["pressor_beam", "rear_laser", "firewall"], "collection": ["rail_gun"]}
    result = phase("A uninstall_upgrade firewall", "A install_upgrade rail_gun", A=mat)
    result.never_asked("replace_upgrade").owns(A="pressor_beam rear_laser rail_gun")


def test_a_routine_at_three_temporary_cards_takes_the_place_of_one():
    """R84: a routine is a temporary card until its special card is dealt."""
    mat = {"upgrades": ["hack", "zoop", "boink"], "collection": ["speed_routine"]}
    result = phase("A install_upgrade speed_routine", "A replace_upgrade zoop", A=mat)
    result.owns(A="hack boink").discarded("zoop").in_pile("discard", "speed_routine", A=1)


def cheap(cards, count: int) -> list[str]:
    """The cheapest cards of a list that stay on the mat."""
    return sorted((card for card in cards if card not in ROUTINES), key=COSTS.__getitem__)[:count]
