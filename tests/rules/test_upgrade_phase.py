"""The upgrade phase: 2016 rulebook p. 5, Upgrade Phase; R44."""

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import scene
from .upgrade_cards import COSTS, OWNED, PERMANENT, ROUTINES, SPECIAL_CARD, TEMPORARY

SOLO = """
    +    +    +
      A^   .
    +    +    +
      .    .
    +    +    +
"""
PAIR = """
    +    +    +    +
      A^   .    .
    +    +    +    +
      .    .    B^
    +    +    +    +
"""
THREE = """
    +    +    +    +
      A^   .    .
    +    +    +    +
      .    B^   .
    +    +    +    +
      .    .    C^
    +    +    +    +
"""
SIX = """
    +    +    +    +    +    +    +
      A^   B^   C^   D^   F^   G^
    +    +    +    +    +    +    +
      .    .    .    .    .    .
    +    +    +    +    +    +    +
"""


def shopping(*answers, shop, picture=PAIR, order="", rounds=1, seed=0, **mats):
    """Rounds that begin with the upgrade phase. In the first of them everybody just turns round once."""
    shoppers = scene(picture, **mats)
    return shoppers.play_rounds(
        rounds,
        start="upgrade",
        shop=shop,
        order=order,
        answers=answers,
        seed=seed,
        **{name: ["u_turn"] for name in shoppers.names},
    )


# -- buying


def test_a_purchase_is_paid_for_and_lies_in_front_of_its_buyer():
    """p. 5; R44: one purchase. Rail Gun costs two of the five cubes, and its place in the shop is empty."""
    result = shopping("A buy_upgrade rail_gun", shop=("rail_gun", "hack"))
    result.has("energy", A=3, B=5).owns(A="rail_gun", B="").shop_holds("hack")


def test_nobody_has_to_buy():
    """p. 5: you may; it is asked and declined."""
    result = shopping(shop=("rail_gun", "hack"))
    result.asks("buy_upgrade", "A no", "B no")
    result.has("energy", A=5, B=5).owns(A="", B="").shop_holds("hack", "rail_gun")


@pytest.mark.parametrize(("card", "cost"), COSTS.items())
def test_each_card_costs_what_is_printed_on_it(card, cost):
    """p. 5, Purchasing Upgrades; Card Index, Cost: to the last cube."""
    result = shopping(f"A buy_upgrade {card}", shop=(card,), picture=SOLO, A={"energy": cost})
    result.has("energy", A=0).shop_holds()


@pytest.mark.parametrize(("card", "cost"), [item for item in COSTS.items() if item[1]])
def test_with_a_cube_too_few_nothing_is_asked(card, cost):
    """R44, R53: a choice that cannot change anything is not asked: the only card of the shop is too dear."""
    shopping(shop=(card,), picture=SOLO, A={"energy": cost - 1}).asked().has("energy", A=cost - 1)


def test_only_cards_that_can_be_paid_for_are_offered():
    """R44: with one cube Hack can be had and Rail Gun, for two, cannot."""
    mat = {"energy": 1}
    shopping("A buy_upgrade hack", shop=("rail_gun", "hack"), A=mat).has("energy", A=0).owns(A="hack")
    with pytest.raises(ScenarioError):
        shopping("A buy_upgrade rail_gun", shop=("rail_gun", "hack"), A=mat)


def test_only_cards_of_the_shop_are_offered():
    """p. 5: from the upgrade shop."""
    with pytest.raises(ScenarioError):
        shopping("A buy_upgrade zoop", shop=("rail_gun", "hack"))


def test_recharge_can_be_had_without_energy():
    """Card Index, Recharge: it costs nothing, so the player without a cube is asked."""
    result = shopping("A buy_upgrade recharge", shop=("rail_gun", "recharge"), A={"energy": 0}, B={"energy": 0})
    result.asks("buy_upgrade", "A recharge").owns(A="recharge")


def test_a_player_buys_once_a_round():
    """R44: one purchase a player a round, though the energy would do for both cards."""
    result = shopping("A buy_upgrade hack", shop=("zoop", "hack"))
    result.asks("buy_upgrade", "A hack", "B no").shop_holds("zoop")


def test_a_player_buys_again_in_the_next_round():
    """R44: one a round."""
    result = shopping("A buy_upgrade hack", "A buy_upgrade zoop", shop=("zoop", "hack"), rounds=2)
    result.owns(A="hack zoop", B="")


def test_an_upgrade_is_of_use_in_the_round_in_which_it_was_bought():
    """p. 5: it takes effect at once: ten cards are drawn with a Memory Stick just bought."""
    buyer = scene(PAIR)
    result = buyer.play_rounds(
        start="upgrade", shop=("memory_stick", "hack"), answers=("A buy_upgrade memory_stick",), B=["u_turn"]
    )
    kinds = [event["kind"] for event in result.events if event["kind"] in ("draw", "program")]
    assert kinds[:11] == ["draw"] * 10 + ["program"]


# -- priority order


def test_players_buy_in_priority_order():
    """p. 5; R44: B comes first and takes the card that both would like."""
    shop = ("rail_gun", "hack")
    result = shopping("B buy_upgrade rail_gun", shop=shop, order="BA")
    result.asks("buy_upgrade", "B rail_gun", "A no").owns(A="", B="rail_gun")
    with pytest.raises(ScenarioError):
        shopping("B buy_upgrade rail_gun", "A buy_upgrade rail_gun", shop=shop, order="BA")


@pytest.mark.parametrize(("antenna_a", "antenna_b", "first"), [("Y>", ". ", "A"), (". ", "Y>", "B")])
def test_the_player_closest_to_the_antenna_buys_first(antenna_a, antenna_b, first):
    """p. 5: priority; R42: measured once an upgrade phase."""
    picture = f"""
        +    +    +    +    +
          {antenna_a}   A^   .    .
        +    +    +    +    +
          .    .    B^   {antenna_b}
        +    +    +    +    +
    """
    second = "B" if first == "A" else "A"
    shopping(shop=("rail_gun", "hack"), picture=picture).asks("buy_upgrade", f"{first} no", f"{second} no")


def test_who_finds_nothing_left_to_pay_for_is_not_asked():
    """R53: A has taken the only card that B could pay for."""
    result = shopping("A buy_upgrade hack", shop=("crab_legs", "hack"), A={"energy": 1}, B={"energy": 1})
    result.asks("buy_upgrade", "A hack")


def test_a_robot_that_rebooted_buys_in_the_next_round():
    """R48: until the round ends; p. 15."""
    result = scene(PAIR).play_rounds(
        2, shop=("rail_gun", "hack"), answers=("A buy_upgrade hack",), A=["move_1"], B=["u_turn"]
    )
    result.asks("buy_upgrade", "A hack", "B no").owns(A="hack")


# -- three of a type


KINDS = {
    "permanent": ("brakes", "hover_unit", "rail_gun", "memory_stick"),
    "temporary": ("zoop", "refresh", "hack", "boink"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_with_three_of_a_type_a_purchase_replaces_one(kind):
    """p. 5: at most three of each type; R44: a purchase names the owned one it replaces. The full price is paid."""
    first, second, third, wanted = KINDS[kind]
    result = shopping(
        f"A buy_upgrade {wanted}",
        f"A replace_upgrade {third}",
        shop=(wanted, "scrambler"),
        A=f"{first} {second} {third}",
    )
    result.owns(A=f"{first} {second} {wanted}").has("energy", A=5 - COSTS[wanted]).shop_holds("scrambler")
    # the card that was replaced has not gone into the shop


@pytest.mark.parametrize("card", [*OWNED, *ROUTINES])
def test_each_card_counts_towards_three_of_its_type(card):
    """R44. A routine is a temporary too, though only its programming card stays."""
    same = PERMANENT if card in PERMANENT else TEMPORARY
    others = [name for name in same if name != card][:3]
    result = shopping(
        f"A buy_upgrade {card}", f"A replace_upgrade {others[1]}", shop=(card,), picture=SOLO, A=" ".join(others)
    )
    left = f"{others[0]} {others[2]}"
    result.owns(A=left if card in ROUTINES else f"{left} {card}").has("energy", A=5 - COSTS[card])


@pytest.mark.parametrize(("owned", "bought"), [("brakes hover_unit rail_gun", "hack"), ("zoop refresh hack", "brakes")])
def test_the_two_types_are_counted_apart(owned, bought):
    """p. 5: three permanent and three temporary upgrades."""
    result = shopping(f"A buy_upgrade {bought}", shop=(bought, "scrambler"), A=owned)
    result.never_asked("replace_upgrade").owns(A=f"{owned} {bought}")


@pytest.mark.parametrize("owned", ["brakes hover_unit", "brakes hover_unit zoop refresh hack"])
def test_with_two_of_the_type_nothing_is_replaced(owned):
    """R44: at three of a type."""
    result = shopping("A buy_upgrade rail_gun", shop=("rail_gun", "scrambler"), A=owned)
    result.never_asked("replace_upgrade").owns(A=f"{owned} rail_gun")


@pytest.mark.parametrize(
    ("owned", "gone"),
    [
        ("brakes rail_gun hover_unit", "hover_unit"),
        ("scrambler memory_stick brakes", "brakes"),
        ("zoop hack boink", "boink"),
    ],
)
def test_without_a_word_of_the_player_the_cheapest_goes(owned, gone):
    """Scenario default; the first in printed order where several cost the least."""
    bought = "rear_laser" if gone != "boink" else "refresh"
    result = shopping(f"A buy_upgrade {bought}", shop=(bought, "virus_module"), A=owned)
    result.asks("replace_upgrade", f"A {gone}")


def test_what_is_replaced_is_of_the_type_that_is_bought():
    """R44: the owned one it replaces."""
    with pytest.raises(ScenarioError):
        shopping(
            "A buy_upgrade rear_laser",
            "A replace_upgrade hack",
            shop=("rear_laser",),
            picture=SOLO,
            A="brakes hover_unit rail_gun hack",
        )


# -- the routines


@pytest.mark.parametrize("routine", ROUTINES)
def test_a_routine_puts_its_card_into_the_discard_pile(routine):
    """p. 24, Special Programming Cards; R53: when bought, without a question. The upgrade card is not kept."""
    result = shopping(f"A buy_upgrade {routine}", shop=(routine, "scrambler"))
    result.owns(A="").pile("discard", A=["u_turn", SPECIAL_CARD[routine]]).shop_holds("scrambler")
    result.asked(f"A buy_upgrade {routine}", "B buy_upgrade no")


@pytest.mark.parametrize("routine", ROUTINES)
def test_a_scene_that_lists_a_routine_begins_with_its_card_in_the_discard_pile(routine):
    """R53: a scenario that lists one begins so."""
    result = scene(PAIR, A=routine).play_rounds(A=["u_turn"], B=["u_turn"])
    result.owns(A="").pile("discard", A=["u_turn", SPECIAL_CARD[routine]])


def test_routines_do_not_count_towards_the_three():
    """R44, R53: they are not owned; three temporaries may lie beside them, and two leave room for one more."""
    result = shopping(
        "A buy_upgrade refresh", shop=("refresh", "scrambler"), A="zoop hack energy_routine weasel_routine"
    )
    result.never_asked("replace_upgrade").owns(A="hack refresh zoop")


# -- the row of cards


def test_the_shop_is_filled_to_the_number_of_players():
    """p. 5; R44. Two of three places were open."""
    shop = shopping(shop=("rail_gun",), picture=THREE).outcome["shop"]
    assert len(set(shop)) == 3
    assert "rail_gun" in shop


def test_the_deck_is_shuffled():
    """p. 5: other seeds give other rows, the same seed the same."""
    rows = {tuple(shopping(shop=(), picture=THREE, seed=seed).outcome["shop"]) for seed in (1, 1, 2, 3, 4)}
    assert len(rows) == 4


def test_cards_in_front_of_players_are_not_in_the_deck():
    """One card of each name: p. 3. What A and B own does not come up in their shop."""
    mats = {
        "A": "brakes hover_unit rail_gun boink zoop hack",
        "B": "scrambler side_arms rear_laser refresh reboot recharge",
    }
    owned = {name for mat in mats.values() for name in mat.split()}
    for seed in range(8):
        assert not owned & set(shopping(shop=(), seed=seed, **mats).outcome["shop"])


def test_after_a_purchase_the_empty_place_is_filled():
    """p. 5; R44: A bought, so Rail Gun stays for the next round and one new card joins it."""
    shop = shopping("A buy_upgrade hack", shop=("rail_gun", "hack"), rounds=2).outcome["shop"]
    assert len(set(shop)) == 2
    assert "rail_gun" in shop
    assert "hack" not in shop


@pytest.mark.parametrize("seed", range(4))
def test_where_nobody_bought_a_new_row_is_dealt(seed):
    """p. 5; R44: its cards leave the game."""
    first = {"rail_gun", "hack"}
    second = shopping(shop=tuple(first), rounds=2, seed=seed).outcome["shop"]
    third = shopping(shop=tuple(first), rounds=3, seed=seed).outcome["shop"]
    assert [len(second), len(third)] == [2, 2]
    assert len(first | set(second) | set(third)) == 6


def test_the_row_is_renewed_for_the_round_in_which_nobody_bought_not_for_each_player():
    """R44: nobody bought in the last phase. One of three did, so two cards stay."""
    shop = shopping("C buy_upgrade hack", shop=("rail_gun", "hack", "zoop"), picture=THREE, rounds=2).outcome["shop"]
    assert {"rail_gun", "zoop"} < set(shop)
    assert len(shop) == 3


def test_a_purchase_keeps_the_row_for_one_phase_only():
    """R44: in the second phase nobody bought, so before the third Rail Gun leaves."""
    shop = shopping("A buy_upgrade hack", shop=("rail_gun", "hack"), rounds=3).outcome["shop"]
    assert "rail_gun" not in shop
    assert len(shop) == 2


def test_a_scene_that_begins_with_programming_has_its_first_upgrade_phase_in_round_two():
    """Scenario files: there the listed row is filled, not renewed: no phase has passed in which nobody bought."""
    result = scene(PAIR).play_rounds(2, shop=("rail_gun", "hack"), A=["u_turn"], B=["u_turn"])
    result.asks("buy_upgrade", "A no", "B no").shop_holds("hack", "rail_gun")


def test_a_round_that_begins_with_programming_has_no_upgrade_phase():
    """Scenario files."""
    result = scene(PAIR).play_rounds(shop=("rail_gun", "hack"), A=["u_turn"], B=["u_turn"])
    result.never_asked("buy_upgrade").shop_holds("hack", "rail_gun")


# -- a short deck: the cards that are neither in the shop nor in front of a player


LAST_SIX = ("scrambler", "side_arms", "teleporter", "tractor_beam", "trojan_needler", "virus_module")


def six_players(routines=""):
    """Eighteen permanent upgrades, ten temporary ones and `routines` in front of six players; LAST_SIX are left."""
    permanent = [name for name in PERMANENT if name not in LAST_SIX]
    temporary = list(TEMPORARY)
    mats = {name: permanent[3 * i : 3 * i + 3] + temporary[3 * i : 3 * i + 3] for i, name in enumerate("ABCDFG")}
    return {name: " ".join([*cards, *([routines] if routines and name == "F" else [])]) for name, cards in mats.items()}


def test_a_new_row_is_what_the_deck_still_has():
    """R44: short deck: what there is. The six routines make the second row; for the third nothing is left."""
    players = six_players()
    shopping(shop=LAST_SIX, picture=SIX, **players).shop_holds(*LAST_SIX)
    shopping(shop=LAST_SIX, picture=SIX, rounds=2, **players).shop_holds(*ROUTINES)
    result = shopping(shop=LAST_SIX, picture=SIX, rounds=3, **players).shop_holds()
    assert len(result.asked_about("buy_upgrade")) == 12  # in two rounds; at an empty shop nobody is asked (R53)


def test_an_empty_deck_fills_no_place():
    """R44: short deck. The Brakes that A gave up have left the game: they do not come back."""
    players = six_players(routines=" ".join(ROUTINES))
    bought = ("A buy_upgrade virus_module", "A replace_upgrade brakes")
    shopping(*bought, shop=LAST_SIX, picture=SIX, rounds=2, **players).shop_holds(*LAST_SIX[:-1])
    shopping(*bought, shop=LAST_SIX, picture=SIX, rounds=3, **players).shop_holds()


# -- the lighter game


def test_without_upgrades_there_is_no_upgrade_phase():
    """p. 27, A Lighter Game: just eliminate the upgrade phase."""
    result = scene(PAIR, {"upgrades": False}).play_rounds(2, A=["u_turn"], B=["u_turn"])
    result.never_asked("buy_upgrade").shop_holds().owns(A="", B="")
