"""Draw a New Upgrade: 2023 rulebook, The upgrade phase; R81, R86."""

import pytest

from roborally_env.base.errors import ScenarioError
from tests.rules.upgrade_cards import COSTS

from .phase import PAIR, acts, phase

ALL = " ".join(COSTS)


def all_but(*names: str) -> str:
    return " ".join(card for card in COSTS if card not in names)


def test_an_upgrade_is_drawn_for_one_energy():
    """ "You may spend 1 Energy to draw 1 new upgrade card." It lies in the collection, not on the mat."""
    phase("A draw_upgrade yes", deck="rail_gun").has("energy", A=2).collects(A="rail_gun").owns(A="")


def test_the_top_card_is_drawn():
    """Of a deck whose top is known, the next player gets the next card."""
    result = phase("A draw_upgrade yes", "B draw_upgrade yes", picture=PAIR, deck="hack zoop")
    result.collects(A="hack", B="zoop")


def test_nobody_has_to_draw():
    """ "Note that a player is never required to spend their Energy to draw or install upgrades." """
    phase(deck="rail_gun").asked("A draw_upgrade no").has("energy", A=3).collects(A="")


def test_without_energy_nothing_is_asked():
    """R53: a choice that cannot change anything is not asked."""
    phase(A={"energy": 0}).asked()


def test_the_last_energy_is_enough():
    phase("A draw_upgrade yes", deck="hack", A={"energy": 1}).has("energy", A=0).collects(A="hack")


def test_one_upgrade_is_drawn_a_phase():
    """ "You may only draw 1 new upgrade during each Upgrade Phase." """
    result = phase("A draw_upgrade yes", deck="crab_legs hack")
    result.asks("draw_upgrade", "A yes").has("energy", A=2)
    with pytest.raises(ScenarioError):
        phase("A draw_upgrade yes", "A draw_upgrade yes", deck="crab_legs hack")


def test_another_one_is_drawn_in_the_next_phase():
    """ "At the start of each round": every round has its upgrade phase."""
    result = phase("A draw_upgrade yes", "A draw_upgrade yes", deck="crab_legs hack", rounds=2)
    assert acts(result) == ["A upgrade_drawn crab_legs", "A upgrade_drawn hack"]
    result.collects(A="crab_legs hack")


def test_a_collection_has_no_limit():
    """ "There is no limit to the number of uninstalled upgrades you may have in your collection." """
    others = "brakes cache_memory corruption_wave firewall zoop boink reboot recompile refresh"
    phase("A draw_upgrade yes", deck="hack", A={"collection": others.split()}).collects(A=f"{others} hack")


def test_the_collection_of_one_is_not_that_of_another():
    phase("A draw_upgrade yes", picture=PAIR, deck="hack", B={"collection": ["zoop"]}).collects(A="hack", B="zoop")


def test_an_unknown_deck_is_shuffled():
    """R81: the top card of a deck that nobody knows is any of it."""
    drawn = {phase("A draw_upgrade yes", seed=seed).robot("A")["collection"][0] for seed in range(40)}
    assert len(drawn) > 15


def test_no_card_that_lies_somewhere_else_is_drawn():
    """There is one of each card: neither an installed one nor one of a collection is in the deck."""
    mats = {"A": {"collection": ["zoop", "hack"]}, "B": {"upgrades": ["brakes"], "collection": ["boink"]}}
    elsewhere = {"zoop", "hack", "brakes", "boink", "firewall"}
    for seed in range(60):
        result = phase("A draw_upgrade yes", picture=PAIR, discard="firewall", seed=seed, **mats)
        assert len(elsewhere & set(result.robot("A")["collection"])) == 2


# -- the upgrade discard pile


def test_an_empty_deck_is_made_of_the_discard_pile():
    """R81: the discard pile is shuffled when a card is to be drawn and the deck is empty."""
    result = phase("A draw_upgrade yes", discard=ALL)
    assert [event["cards"] for event in result.happened("upgrades_shuffled")] == [40]
    drawn = result.robot("A")["collection"]
    assert len(drawn) == 1
    result.discarded("")


def test_the_discard_pile_stays_while_the_deck_has_a_card():
    """R81: the last card of the deck is drawn, and nothing is shuffled yet."""
    result = phase("A draw_upgrade yes", deck="hack", discard=all_but("hack"))
    result.collects(A="hack").discarded(all_but("hack"))
    assert not result.happened("upgrades_shuffled")


def test_a_shuffled_pile_comes_in_any_order():
    drawn = {phase("A draw_upgrade yes", discard=ALL, seed=s).robot("A")["collection"][0] for s in range(40)}
    assert len(drawn) > 15


def test_with_both_piles_empty_nothing_can_be_drawn():
    """R81, R53: no card is left, so nobody is asked."""
    phase(A={"collection": ALL.split()}).never_asked("draw_upgrade")


def test_what_is_uninstalled_can_be_drawn_again():
    """R83, R81: the only card of the discard pile is the one that A has just discarded."""
    mat = {"collection": all_but("zoop").split(), "upgrades": ["zoop"]}
    result = phase("A uninstall_upgrade zoop", "A draw_upgrade yes", A=mat)
    assert acts(result) == ["A uninstalled zoop", "A upgrade_drawn zoop"]
    result.collects(A=ALL)
