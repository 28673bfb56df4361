"""Uninstall Upgrades: 2023 rulebook, The upgrade phase; R83, R84."""

import pytest

from roborally_env.base.errors import ScenarioError
from tests.rules.scene import scene
from tests.rules.upgrade_cards import COSTS

from .phase import PAIR, SOLO, acts, phase

IN_LINE = "A>  B^  ."
SIX = ["brakes", "rail_gun", "firewall", "hack", "zoop", "boink"]


def test_an_installed_upgrade_is_discarded():
    """ "Uninstall any number of upgrades and discard them to the upgrade discard pile." """
    result = phase("A uninstall_upgrade brakes", A="brakes rail_gun")
    result.owns(A="rail_gun").collects(A="").discarded("brakes").has("energy", A=3)


@pytest.mark.parametrize("count", range(7))
def test_any_number_is_uninstalled(count):
    """R83: one question after the other, until none is left or it is declined."""
    answers = [f"A uninstall_upgrade {card}" for card in SIX[:count]]
    result = phase(*answers, A=" ".join(SIX))
    result.owns(A=" ".join(SIX[count:])).discarded(" ".join(SIX[:count]))
    assert acts(result) == [f"A uninstalled {card}" for card in SIX[:count]]
    assert len(result.asked_about("uninstall_upgrade")) == min(count + 1, 6)


def test_nobody_has_to_uninstall():
    phase(A="brakes").asks("uninstall_upgrade", "A no").owns(A="brakes")


def test_with_nothing_installed_nothing_is_asked():
    phase(A={"collection": ["brakes"]}).never_asked("uninstall_upgrade")


def test_it_does_not_come_back_into_the_collection():
    """R83: discarded means the pile, so it cannot be installed again for nothing or for energy."""
    with pytest.raises(ScenarioError):
        phase("A uninstall_upgrade brakes", "A install_upgrade brakes", A="brakes")


def test_what_was_installed_in_this_phase_can_be_uninstalled_in_it():
    """R83: nothing forbids it; its energy is gone."""
    result = phase("A install_upgrade hack", "A uninstall_upgrade hack", A={"collection": ["hack"]})
    assert acts(result) == ["A installed hack", "A uninstalled hack"]
    result.owns(A="").discarded("hack").has("energy", A=2)


def test_only_own_upgrades_are_uninstalled():
    with pytest.raises(ScenarioError, match="'zoop'"):
        phase("A uninstall_upgrade zoop", picture=PAIR, A="brakes", B="zoop")


def test_an_uninstalled_upgrade_acts_no_longer():
    """Nine cards are drawn without the Memory Stick."""
    robots = scene(SOLO, edition="2023", A="memory_stick")
    result = robots.play_rounds(start="upgrade", answers=("A uninstall_upgrade memory_stick",))
    assert len(result.drawn("A")) == 9


# -- temporary and permanent


def test_a_temporary_upgrade_is_discarded_after_it_was_used():
    """ "Temporary upgrades may be used only once and are discarded after you activate them." R84: to the pile."""
    robots = scene(SOLO, edition="2023", A="zoop recharge")
    result = robots.play_rounds(A=["u_turn"], answers=("A recharge yes", "A zoop E"))
    result.owns(A="").discarded("recharge zoop").has("facing", A="W")
    result = robots.play_rounds(2, A=["u_turn"], answers=("A zoop E",))
    result.asks("zoop", "A E").owns(A="recharge")


def test_a_permanent_upgrade_stays():
    """ "A permanent upgrade's effects will (usually) last for the remainder of the game." """
    result = phase(rounds=3, A="memory_stick")
    assert len(result.drawn("A")) == 9 + 10 + 10 - 9  # in round one a program lies there
    result.owns(A="memory_stick").discarded("")


def test_a_used_temporary_upgrade_can_be_drawn_again():
    """R84, R81: in the next phase it is the only card of the discard pile, and the deck is empty."""
    robots = scene(
        SOLO, edition="2023",
        A={"upgrades": ["zoop"], "collection": [card for card in COSTS if card not in ("zoop", "recharge")]},
    )  # fmt: skip
    result = robots.play_rounds(2, upgrade_deck="recharge", A=["u_turn"], answers=("A zoop E", "A draw_upgrade yes"))
    result.collects(A=" ".join(card for card in COSTS if card != "zoop")).discarded("zoop")
    result = robots.play_rounds(
        3, upgrade_deck="recharge", A=["u_turn"], answers=("A zoop E", "A draw_upgrade yes", "A draw_upgrade yes")
    )
    result.collects(A=" ".join(COSTS)).discarded("")


def test_modular_chassis_moves_installed_upgrades_alone():
    """R87: as in 2016; the collections of both stay as they are."""
    robots = scene(
        IN_LINE, edition="2023",
        A={"upgrades": ["modular_chassis"], "collection": ["hack"]},
        B={"upgrades": ["rail_gun"], "collection": ["firewall"]},
    )  # fmt: skip
    result = robots.play_rounds(A=["move_1"], B=["u_turn"], answers=("A modular_chassis rail_gun",))
    result.owns(A="rail_gun", B="modular_chassis").collects(A="hack", B="firewall").discarded("")
