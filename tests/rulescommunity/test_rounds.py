"""The phases of a round, who acts first, the upgrade phase, and the order of the board elements."""

from typing import Any

import pytest

from .scene import scene


def test_the_phases_come_in_their_order():
    """The game: upgrade phase, programming phase, power-down-announce phase, register phase, end of turn effects."""
    draw = ["move_1", "turn_left", "turn_right", "turn_left", "turn_right", "u_turn", "power_up", "move_1", "move_2"]
    scene(
        """
        +     +     +
          .     R>
        +     +     +
          A>    .
        +     +     +
    """,
        A={"draw": draw},
    ).play_rounds(
        start="upgrade",
        shop=("hack",),
        answers=("A program turn_right move_1 turn_left turn_right turn_left",),
    ).asked(
        "A buy_upgrade no",
        "A program turn_right move_1 turn_left turn_right turn_left",
        "A power_down no",
        "A reboot_facing E",
    )


def test_robots_act_in_the_order_of_the_priority_beacon():
    """Register phase: the priority beacon tells them in which order they have to move: the nearest first."""
    scene("""
        +     +     +     +     +
          Y>    .     .     B<
        +     +     +     +     +
          .     A^    .     .
        +     +     +     +     +
    """).play(A="move_1", B="move_2").at(A="1 0", B="2 0")  # the other way round A would push B off the board


def test_the_order_is_measured_in_each_register():
    """R42: when cards are revealed: in register two B is nearer."""
    scene("""
        +     +     +     +     +     +
          Y>    .     A>    .     B<
        +     +     +     +     +     +
          .     .     .     .     .
        +     +     +     +     +     +
    """).play(A=["move_1"], B=[None, "power_up"]).at(A="3 0")


def test_every_robot_moves_before_the_board_does():
    """Register phase 2: when every robot has completed the move the board elements are triggered."""
    scene("""
        +     +     +     +     +
          A>    >     .     .
        +     +     +     +     +
          B>    >     .     .
        +     +     +     +     +
    """).play(A="move_1", B="move_1").at(A="2 0", B="2 1")


def test_all_five_registers_are_played():
    """Register phase 4: everything is repeated until all 5 registers have been completed."""
    cards = ["turn_left", "turn_left", "turn_left", "power_up", "move_1"]
    result = scene("A^  .").play_rounds(A=cards)
    result.at(A="1 0 E").has("energy", A=6)
    assert result.outcome["register"] == 5


def test_board_elements_act_in_their_order():
    """Register phase elements: double belts, single belts, pushers, gears, ramps, trapdoors, stompers, lasers.

    A rides the double belt onto the single one, that takes it onto the pusher, which pushes it onto the gear.
    """
    scene("""
        +        +        +        +
          >>+A^    >        Pv1
        +        +        +        +
          .        .        cw
        +        +        +        +
    """).play().at(A="2 1 E")


# ---- Upgrade phase ------------------------------------------------------------------------------------------------

SHOP = """
    +     +     +     +     +
      Yv    .     A^    .
    +     +     +     +     +
      B>    .     .     .
    +     +     +     +     +
"""
STILL = {"A": ["turn_left"], "B": ["turn_left"]}


def test_everyone_may_buy_one_card_in_the_order_of_the_beacon():
    """Purchase: everyone can buy one upgrade card; the sequence is specified by the priority beacon: B is nearest."""
    scene(SHOP, B={"energy": 9}).play_rounds(
        **STILL,
        start="upgrade",
        shop=("rail_gun", "brakes"),
        answers=("B buy_upgrade brakes", "A buy_upgrade rail_gun"),
    ).asked("B buy_upgrade brakes", "A buy_upgrade rail_gun", "A power_down no", "B power_down no").owns(
        A="rail_gun", B="brakes"
    ).has("energy", A=3, B=6)  # fmt: skip


def test_cards_that_are_too_dear_are_not_offered():
    """Purchase: these cards get bought with energy cubes; the price is written on the card."""
    scene(SHOP, A={"energy": 1}, B={"energy": 1}).play_rounds(
        **STILL, start="upgrade", shop=("rail_gun", "hack"), answers=("B buy_upgrade hack",)
    ).asks("buy_upgrade", "B hack")  # fmt: skip


def test_with_three_of_a_type_an_old_card_is_exchanged():
    """Card types: a maximum amount of three; Purchase: you are able to exchange an old card with a new one."""
    scene(SHOP, B={"upgrades": ["rail_gun", "rear_laser", "firewall"]}).play_rounds(
        **STILL,
        start="upgrade",
        shop=("brakes", "hack"),
        answers=("B buy_upgrade brakes", "B replace_upgrade firewall"),
    ).owns(B="rail_gun rear_laser brakes")  # fmt: skip


def test_temporary_cards_are_counted_by_themselves():
    """Card types: three permanent and three temporary ones."""
    scene(SHOP, B={"upgrades": ["rail_gun", "rear_laser", "firewall"]}).play_rounds(
        **STILL, start="upgrade", shop=("brakes", "hack"), answers=("B buy_upgrade hack",)
    ).owns(B="rail_gun rear_laser firewall hack")  # fmt: skip


def test_heal_routine_is_bought_for_three():
    """C18: a temporary card like the other routine cards: its special card goes to the discard pile when bought."""
    scene(SHOP).play_rounds(
        **STILL, start="upgrade", shop=("heal_routine", "hack"), answers=("B buy_upgrade heal_routine",)
    ).owns(B="").pile("discard", B=["heal_routine", "turn_left"]).has("energy", B=2)


def test_what_was_bought_leaves_the_shop():
    """Refill: so many cards will be added that there are as many as players again, at the begin of the next phase."""
    scene(SHOP).play_rounds(
        **STILL, start="upgrade", shop=("rail_gun", "hack"), answers=("B buy_upgrade hack",)
    ).shop_holds("rail_gun")


PERMANENT = (
    *("admin_privilege", "brakes", "cache_memory", "crab_legs", "deflector_shield", "double_barrel_laser", "firewall"),
    *("hover_unit", "memory_stick", "mini_howitzer", "modular_chassis", "pressor_beam", "rail_gun", "ramming_gear"),
    *("rear_laser", "scrambler", "side_arms", "teleporter", "tractor_beam"),
)
TEMPORARY = ("boink", "hack", "manual_sort", "memory_swap", "reboot", "recharge", "recompile", "refresh", "zoop")
ROUTINES = ("energy", "heal", "repeat", "sandbox", "speed", "weasel")
CROWD = "A^ | B^ | C^ | D^ | F^ | G^"


def crowd(kept: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Six robots that have all upgrades of the box but these; with nine damage they need no hand."""
    permanent = [name for name in PERMANENT if name not in kept]
    temporary = [name for name in TEMPORARY if name not in kept]
    routines = [f"{name}_routine" for name in ROUTINES if f"{name}_routine" not in kept]
    mats = {}
    for name in "ABCDFG":
        upgrades = permanent[:3] + temporary[:3] + (routines if name == "A" else [])
        permanent, temporary = permanent[3:], temporary[3:]
        mats[name] = {"damage": 9, "upgrades": upgrades, "registers": ["power_up"] + ["turn_left", "turn_right"] * 2}
    assert not permanent
    assert not temporary
    return mats


def test_a_shop_in_which_nobody_bought_is_cleared():
    """Refill: if there are still all upgrade cards left in the shop they will all be removed from the match."""
    shop = ("memory_stick", "rail_gun", "rear_laser", "brakes", "hack", "tractor_beam")
    scene(CROWD, **crowd(shop)).play_rounds(2, start="upgrade", shop=shop).shop_holds()


def test_a_shop_in_which_somebody_bought_is_filled_up():
    """Refill: otherwise so many cards will be added to the shop that there are as many as players again."""
    shop = ("memory_stick", "rail_gun", "rear_laser", "brakes", "hack", "tractor_beam")
    result = scene(CROWD, **crowd((*shop, "speed_routine"))).play_rounds(
        2, start="upgrade", shop=shop, answers=("F buy_upgrade hack",)
    )
    result.shop_holds("memory_stick", "rail_gun", "rear_laser", "brakes", "tractor_beam", "speed_routine")


def test_when_the_timer_runs_out_registers_are_filled_from_the_hand():
    """Programming phase 5, C19: with random cards from the player's hand; here there is only one."""
    registers = [None, "turn_left", "turn_right", "turn_left", "turn_right"]
    mat = {"damage": 8, "registers": registers, "draw": ["power_up"]}
    picture = "A^  ."
    scene(picture, {"timer": True}, A=mat).play_rounds(answers=("A program - - - - -",)).has("energy", A=6)


@pytest.mark.parametrize("name", ["corruption_wave", "blue_screen_of_death", "trojan_needler", "virus_module"])
def test_upgrades_that_speak_of_damage_cards_are_not_in_the_game(name, engine):
    """C18: the deck of forty less the seven named."""
    with pytest.raises(Exception, match=name if engine == "core" else "no such upgrade"):
        scene(SHOP, A={"upgrades": [name]}).play()


@pytest.mark.parametrize("card", ["spam", "worm", "virus", "trojan_horse", "spam_folder"])
def test_there_are_no_damage_cards(card):
    """Damage: damage tokens stand for them."""
    with pytest.raises(Exception, match=card):
        scene(SHOP).play(A=card)
