"""5. Cleanup, repairs, upgrades and wiping registers: 2005 rulebook p. 8; R60."""

import pytest

from .scene import scene

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]


def on(site: str) -> str:
    """A stands on a site."""
    return f"{site}+A^  .  2"


@pytest.mark.parametrize(("site", "left"), [("r1", 2), ("r2", 2), ("1", 2), ("cw", 3)])
def test_a_site_takes_one_token_off(site, left):
    """p. 8: single wrench, wrench and hammer; R60: a flag as a single wrench."""
    scene(on(site), A={"damage": 3}).play_rounds(A=TURNS).damage(A=left)


def test_a_flag_repairs_whether_it_counts_or_not():
    """R60: a flag is a single-wrench space."""
    scene(on("1"), A={"damage": 3, "checkpoint": 1}).play_rounds(A=TURNS).damage(A=2)


def test_an_undamaged_robot_has_nothing_to_discard():
    """p. 8."""
    scene(on("r1")).play_rounds(A=TURNS).damage(A=0)


def test_robots_are_repaired_once_a_turn():
    """p. 8: after register five."""
    scene(on("r1"), A={"damage": 3}).play(A=TURNS).damage(A=3)


def test_only_robots_that_are_there_in_the_end_are_repaired():
    """p. 8: after finishing the last register phase; A leaves, B comes."""
    scene(
        """
        +      +      +      +
          r1+A>  .      .
        +      +      +      +
          r1     .      B<
        +      +      +      +
    """,
        A={"damage": 3},
        B={"damage": 3},
    ).play_rounds(A=["turn_left", "turn_right", "u_turn", "u_turn", "move_1"], B=[*TURNS[:4], "move_2"]).at(
        A="1 0 E", B="0 1 W"
    ).damage(A=3, B=2)


def test_a_wrench_and_hammer_gives_an_option_card():
    """p. 8: discard 1 token and draw one option card, which lies face up in front of the player."""
    result = scene(on("r2"), A={"damage": 3}).play_rounds(A=TURNS)
    assert len(result.robot("A")["options"]) == 1
    assert [event["option"] for event in result.happened("option", "A")] == result.robot("A")["options"]


@pytest.mark.parametrize("site", ["r1", "1"])
def test_a_single_wrench_gives_no_option_card(site):
    """p. 8."""
    scene(on(site), A={"damage": 3}).play_rounds(A=TURNS).options(A="")


def test_an_undamaged_robot_draws_an_option_card_too():
    """p. 8: robots on that space."""
    result = scene(on("r2")).play_rounds(A=TURNS)
    assert len(result.robot("A")["options"]) == 1


def test_option_cards_are_kept():
    """p. 8: it is put in front of you; a second one is another card."""
    result = scene(on("r2"), A="brakes").play_rounds(A=TURNS)
    options = result.robot("A")["options"]
    assert len(options) == 2
    assert "brakes" in options


def test_an_option_is_drawn_at_random():
    """p. 3: the option deck is shuffled."""
    drawn = {scene(on("r2")).play_rounds(A=TURNS, seed=seed).robot("A")["options"][0] for seed in range(8)}
    assert len(drawn) > 1


def test_a_powered_down_robot_draws_an_option_too():
    """R92: the book makes no exception for robots that are powered down."""
    result = scene(on("r2"), A={"powered_down": True}).play_rounds(option_deck="brakes flywheel")
    result.options(A="brakes")


def test_options_are_drawn_from_the_top_of_the_deck():
    """p. 3: one deck; in dock order. The cards below those that a file names are shuffled."""
    two = """
        +      +      +      +
          r2+A^  .      r2+B^
        +      +      +      +
          .      .      .
        +      +      +      +
    """
    programs = {"A": TURNS, "B": TURNS}
    scene(two).play_rounds(option_deck="flywheel brakes", **programs).options(A="flywheel", B="brakes")
    races = [scene(two).play_rounds(option_deck="flywheel", seed=seed, **programs) for seed in range(6)]
    below = {race.robot("B")["options"][0] for race in races}
    assert len(below) > 1
    assert "flywheel" not in below


def test_no_option_lies_before_two_players():
    """p. 3: one deck; what lies in front of B is not drawn."""
    for seed in range(8):
        result = scene("r2+A^  r2+B^").play_rounds(A=TURNS, B=TURNS, seed=seed)
        assert result.robot("A")["options"] != result.robot("B")["options"]


def test_the_game_without_options_repairs_only():
    """Switch `options`."""
    scene(on("r2"), {"options": False}, A={"damage": 3}).play_rounds(A=TURNS).damage(A=2).options(A="")


def test_a_robot_that_reenters_on_a_site_is_not_repaired():
    """p. 8, p. 9: repairs come first, then it re-enters with two tokens."""
    picture = "r2  .  A>"
    scene(picture, A={"archive": "0 0"}).play_rounds(
        A=["move_1", *TURNS[:4]], answers=("A reboot_facing E",)
    ).at(A="0 0 E").damage(A=2).options(A="")  # fmt: skip


# -- wiping registers


def test_registers_are_wiped():
    """p. 8: discard all program cards from registers that aren't locked; R67: they are empty after a round."""
    program = ["turn_left:70", "turn_left:90", "turn_left:110", "turn_left:130", "turn_left:150"]
    result = scene(on("cw")).play_rounds(A=program)
    result.register_cards(A=[None] * 5)
    assert set(program) <= set(result.robot("A")["discard"])


def test_registers_are_not_wiped_before_the_clean_up():
    """p. 8: in step five."""
    scene(on("cw")).play(A=TURNS).register_cards(A=TURNS)


def test_locked_registers_are_not_wiped():
    """p. 8, p. 10."""
    result = scene(on("cw"), A={"damage": 7, "registers": [None, None, "u_turn:10", "u_turn:20", "u_turn:30"]})
    result.play_rounds(A=TURNS[:2]).register_cards(A=[None, None, "u_turn:10", "u_turn:20", "u_turn:30"])
