"""End of turn effects: radiation, repair sites, checkpoints, registers. C16."""

import pytest

from .scene import scene

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]


def cell(tokens: str, beside: str = ".") -> str:
    """A picture of one cell with these tokens, and of the one beside it."""
    return f"{tokens}  {beside}"


def test_radiation_does_one_damage():
    """Radiation: a robot on a radiation space takes 1 point of damage, once a round."""
    scene(cell("*+A^")).play_rounds(A=TURNS).damage(A=1)


@pytest.mark.parametrize("register", [1, 5])
def test_radiation_acts_at_the_end_of_the_round_only(register):
    """End of turn elements."""
    scene(cell("*+A^")).play(register).damage(A=0)


@pytest.mark.parametrize(("site", "damage"), [("r1", 3), ("r2", 2)])
def test_repair_sites_repair_one_point_or_two(site, damage):
    """Repair sites: depending on how strong the repair field is."""
    scene(cell(f"{site}+A^"), A={"damage": 4}).play_rounds(A=TURNS).damage(A=damage)


def test_repair_sites_repair_at_the_end_of_the_round_only():
    """End of turn elements."""
    scene(cell("r2+A^"), A={"damage": 4}).play(5).damage(A=4)


def test_nobody_is_repaired_beyond_full_health():
    """Damage: a robot has a maximum of 10 health-points."""
    scene(cell("r2+A^"), A={"damage": 1}).play_rounds(A=TURNS).damage(A=0)


def test_a_checkpoint_repairs_one_point():
    """Checkpoints: a robot on a flag repairs 1 point of damage; any checkpoint, reached or not."""
    scene("F1  A^+F2", A={"damage": 4}).play_rounds(A=TURNS).damage(A=3).checkpoints(A=0)


def test_a_checkpoint_repairs_where_it_is_now():
    """C16: any checkpoint's cell as it is now: it has ridden to A."""
    scene(">+F2  A^  F1", A={"damage": 4}).play_rounds(A=TURNS).damage(A=3)


def test_a_robot_on_several_is_served_by_each():
    """C16: radiation, then the site and the checkpoint."""
    scene(cell("*+r1+A^+F2", "F1"), A={"damage": 4}).play_rounds(A=TURNS).damage(A=3)


def test_radiation_acts_before_repair():
    """Rulings: radiation acts before repair: at nine damage it destroys, and no site helps."""
    result = scene(cell("*+r2+A^"), A={"damage": 9}).play_rounds(A=TURNS)
    result.damage(A=2).destroyed("A").at(A="0 0 E")


def test_a_robot_destroyed_by_radiation_re_enters_in_the_same_clean_up():
    """Rulings: radiation, then re-entry; all its registers are discarded."""
    picture = "*+A^  Rv"
    scene(picture, A={"damage": 9}).play_rounds(A=TURNS).at(A="1 0 S").damage(A=2).register_cards(A=[None] * 5)


def test_repairs_come_before_registers_are_wiped():
    """C16, order: the site unlocks register five, which is wiped."""
    scene(cell("r1+A^"), A={"damage": 5}).play_rounds(A=TURNS).damage(A=4).register_cards(A=[None] * 5)


def test_radiation_comes_before_registers_are_wiped():
    """C16, order: the fifth token of radiation locks register five, which keeps its card."""
    scene(cell("*+A^"), A={"damage": 4}).play_rounds(A=TURNS).damage(A=5).register_cards(A=[*[None] * 4, "u_turn"])


def test_registers_that_are_not_locked_are_wiped():
    """Wipe registers: discard all program cards from registers that are not locked."""
    scene(cell("A^")).play_rounds(A=TURNS).register_cards(A=[None] * 5).pile("discard", A=TURNS)


def test_a_powered_down_robot_is_served_too():
    """C15, C16: board elements act on it."""
    scene(cell("r1+A^"), A={"powered_down": True, "damage": 3}).play_rounds().damage(A=2)


def test_a_robot_that_re_enters_is_not_served_any_more():
    """C16, order: re-entry comes last."""
    picture = "A^  r2+Rv"
    scene(picture).play_rounds(A=["move_1"]).at(A="1 0 S").damage(A=2)
