"""Options against damage: Ablative Coat, Power-Down Shield, Superior Archive. The card texts and R61."""

import pytest

from .scene import scene

FAR = "A>   .    B^   ."
TRIPLE = "A>      .       B^+LL>  C<"
CROSS = """
    +    +    +    +    +
      .    .    Gv   .
    +    +    +    +    +
      C>   .    B>   D<
    +    +    +    +    +
      .    .    F^   .
    +    +    +    +    +
"""
ALONE = ".    .    A>"


# -- Ablative Coat


def test_the_coat_takes_three_tokens():
    """Card: the next 3 damage tokens go on this card; with the third it is discarded. Nobody is asked (R61)."""
    ready = scene(FAR, B="ablative_coat")
    ready.play(to=2).damage().options(B="ablative_coat").asked()
    ready.play(to=3).damage().options(B="").asked()
    ready.play(to=4).damage(B=1).asked()


def test_the_third_token_may_come_within_one_volley():
    """R61: one token at a time: two beams, two barrels and C's laser, of which three are for the coat."""
    scene(TRIPLE, A="double_barreled_laser", B="ablative_coat").play().damage(B=2).options(B="")


def test_other_options_are_asked_for_when_the_coat_is_gone():
    """R61: Ablative Coat first, then `option_for_damage`, which cannot be the coat."""
    scene(TRIPLE, A="double_barreled_laser", B="ablative_coat brakes").play(
        answers=("B option_for_damage brakes",)
    ).damage(B=1).options(B="").asked("B option_for_damage brakes")


def test_the_coat_is_worn_from_turn_to_turn():
    """Card: the next 3 damage tokens, whenever they come."""
    spins = [f"turn_left:{number}" for number in range(70, 430, 20)]
    result = scene(FAR, B="ablative_coat", draw=spins).play_rounds(
        2, A=["u_turn", "u_turn", "turn_left", "turn_right", "turn_left"], B=["u_turn"] * 5
    )
    result.options(B="").has(
        "damage", B=0
    )  # two in the first turn, the third in the second, where A turns left five times


def test_the_coat_takes_every_kind_of_damage():
    """Card: damage tokens; rammed, by a howitzer, by a board laser."""
    result = scene(".  A>  B^  .", A="ramming_gear mini_howitzer", B="ablative_coat").play(
        A="move_1", answers=("A mini_howitzer yes",)
    )
    result.destroyed("B")
    scene(FAR, A="mini_howitzer", B="ablative_coat").play(answers=("A mini_howitzer yes",)).damage().at(B="3 0")


def test_the_coat_does_not_save_from_a_pit():
    """Rulebook p. 10: moves into a pit."""
    scene(ALONE, A="ablative_coat").play(A="move_1").destroyed("A").options(A="")


def test_the_coat_does_not_take_the_damage_of_coming_back():
    """R61: a destroyed robot comes back with two damage in all."""
    scene(ALONE, A={"options": ["ablative_coat", "brakes"], "archive": "0 0"}).play_rounds(
        A=["move_1", "u_turn", "u_turn", "u_turn", "u_turn"], answers=("A option_lost brakes",)
    ).damage(A=2).options(A="ablative_coat")


def test_tokens_on_the_coat_are_not_on_the_program_sheet():
    """Card: instead of the program sheet; with nine tokens there the next one does not destroy."""
    registers = ["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50"]
    scene(FAR, B={"options": ["ablative_coat"], "damage": 9, "registers": registers}).play().damage(B=9).destroyed("")


# -- Power-Down Shield


def shielded(board, **options):
    """A scene whose robot B is powered down behind its shield."""
    return scene(board, B={"options": ["power_down_shield"], "powered_down": True}, **options)


def test_the_shield_prevents_one_damage_a_phase():
    """Card: while powered down, in each register phase up to 1 damage; R61: on its own."""
    shielded(FAR).play(to=5).damage().asked()


def test_the_shield_is_for_a_powered_down_robot():
    """Card: while powered down."""
    scene(FAR, B="power_down_shield").play().damage(B=1).asked("B option_for_damage no")


def test_of_two_shots_from_one_direction_one_comes_through():
    """Card: up to 1 damage from each direction."""
    shielded(FAR, A="double_barreled_laser").play().damage(B=1).asked("B option_for_damage no")


def test_from_each_direction_one_damage_is_prevented():
    """Card: from each of the four directions."""
    shielded(CROSS).play().damage()
    shielded(CROSS, special_rules=["double_lasers"]).play().damage(B=4)  # the second shot from each side


def test_of_several_a_direction_the_rest_comes_through():
    """Card: up to 1 damage from each direction; of two barrels from the west one, and none of C's from the east."""
    shielded("A>  .  B^  C<", A="double_barreled_laser").play().damage(B=1)


def test_board_lasers_and_robots_share_a_direction():
    """Card: from each direction, whoever shoots: a beam and a robot from the west are two."""
    shielded("A>  L>  B^  .").play().damage(B=1)


def test_the_shield_serves_each_phase_anew():
    """Card: in each register phase."""
    shielded(FAR, A="double_barreled_laser").play(to=3).damage(B=3)


def test_the_rear_laser_comes_from_behind_the_shooter():
    """Card: from the direction in which the shooter stands: with its back to B, it is one direction still."""
    shielded(FAR.replace("A>", "A<"), A="rear_firing_laser").play().damage()


def test_the_shield_stops_the_howitzers_damage_not_its_push():
    """Card: damage is prevented."""
    shielded(FAR, A="mini_howitzer").play(answers=("A mini_howitzer yes",)).damage().at(B="3 0")


def test_damage_without_a_direction_is_not_stopped():
    """R61; that is what Ramming Gear does, the only damage of a powered-down robot that is not shot at it."""
    shielded(FAR.replace("A>   .  ", ".    A<"), A="ramming_gear").play(A="back_up").at(B="3 0").damage(B=1)


def test_the_coat_comes_before_the_shield():
    """R61: Ablative Coat first, then Power-Down Shield: of four phases with two shots each, the coat takes the first
    three tokens, and the shield one in the second phase and in each after it."""
    mat = {"options": ["ablative_coat", "power_down_shield"], "powered_down": True}
    ready = scene(FAR, A="double_barreled_laser", B=mat)
    ready.play().damage().options(B="ablative_coat power_down_shield")
    ready.play(to=2).damage().options(B="power_down_shield")
    ready.play(to=3).damage(B=1)


@pytest.mark.parametrize(("row", "tokens"), [("L>     .      B^     .", 0), (".      .      B^     L<", 1)])
def test_board_lasers_come_by_the_direction_in_which_they_fire(row, tokens):
    """R61: one token at a time, of lasers that fire N, E, S, then W. The shield is given for the second token from the
    north: by then it has stopped one that runs east, and stops none that runs west."""
    shielded(f"""
        +      +      +      +      +
          .      .      LLv    .
        +      +      +      +      +
          {row}
        +      +      +      +      +
    """).play(answers=("B option_for_damage power_down_shield",)).damage(B=tokens).options(B="")  # fmt: skip


def test_the_shield_can_be_given_for_damage():
    """Rulebook p. 10: any option, for a token that it does not stop."""
    result = shielded(FAR, A="double_barreled_laser").play(answers=("B option_for_damage power_down_shield",))
    result.damage().options(B="")


# -- Superior Archive

WALK = ["move_1", "u_turn", "u_turn", "u_turn", "u_turn"]


def test_superior_archive_spares_the_damage_of_coming_back():
    """Card: it does not get the usual 2 damage; it has another option to lose."""
    scene(ALONE, A={"options": ["superior_archive", "brakes"], "archive": "0 0", "damage": 3}).play_rounds(
        A=WALK, answers=("A option_lost brakes",)
    ).damage(A=0).options(A="superior_archive").lives(A=2)


def test_without_it_a_robot_comes_back_with_two():
    """Rulebook p. 9."""
    scene(ALONE, A={"archive": "0 0", "damage": 3}).play_rounds(A=WALK).damage(A=2)


@pytest.mark.parametrize("options", [["superior_archive"], ["superior_archive", "brakes"]])
def test_a_lost_archive_spares_nothing(options):
    """Rulebook p. 10: an option is lost at once; R61: a single one without a question."""
    answers = ("A option_lost superior_archive",) if len(options) > 1 else ()
    scene(ALONE, A={"options": options, "archive": "0 0"}).play_rounds(A=WALK, answers=answers).damage(A=2)


def test_with_the_archive_too_a_robot_may_come_back_powered_down():
    """Rulebook p. 9: a player may decide so; the card speaks of damage only."""
    scene(ALONE, A={"options": ["superior_archive", "brakes"], "archive": "0 0"}).play_rounds(
        A=WALK, answers=("A option_lost brakes", "A reenter_powered_down yes")
    ).damage(A=0)
