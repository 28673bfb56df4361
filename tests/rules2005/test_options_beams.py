"""Options that move a robot in place of the laser: Mini Howitzer, Pressor Beam, Tractor Beam. Card texts, R32, R64."""

import pytest

from .scene import scene, shots

NEAR = ".    A>   B^   ."
FAR = "A>   .    .    B^   ."
ROW = "A>   .    B^   C^   ."
STUCK = "A>   .    B^ | ."
BRINK = "A>   .    B^   O"
HOWITZER, PRESSOR, TRACTOR = ("A mini_howitzer yes",), ("A pressor_beam yes",), ("A tractor_beam yes",)
PUSHES = [("mini_howitzer", 1), ("pressor_beam", 0)]  # and the damage that each does
ALL = [*PUSHES, ("tractor_beam", 0)]


# -- what they have in common


@pytest.mark.parametrize(("option", "damage"), ALL)
def test_it_is_a_may_in_place_of_the_main_laser(option, damage):
    """Cards: instead of firing the main laser; else that does its damage."""
    scene(FAR, A=option).play().damage(B=1).at(B="3 0").asked(f"A {option} no")
    result = scene(FAR, A=option).play(answers=(f"A {option} yes",)).damage(B=damage)
    assert not shots(result)


@pytest.mark.parametrize(("option", "damage"), ALL)
def test_it_is_asked_only_where_the_laser_hits(option, damage):
    """Cards: at a robot."""
    scene(FAR.replace("A>", "A<"), A=option).play().asked()
    scene(FAR, A={"options": [option], "powered_down": True}).play().asked()  # R60


@pytest.mark.parametrize(("option", "damage"), ALL)
@pytest.mark.parametrize("how", ["double_barreled_laser", "double_lasers"])
def test_it_stands_for_the_whole_main_laser(option, damage, how):
    """R64: for both shots, and courses that double laser fire do not double it."""
    course = {"special_rules": [how]} if how == "double_lasers" else {}
    guns = option if course else f"{option} {how}"
    result = scene(FAR, A=guns, **course).play(answers=(f"A {option} yes",)).damage(B=damage)
    result.at(B="2 0" if option == "tractor_beam" else "4 0")


@pytest.mark.parametrize(("option", "damage"), ALL)
def test_it_may_be_used_in_every_register(option, damage):
    """Cards: no limit a turn."""
    row = "A>  .  .  .  .  B^" if option == "tractor_beam" else "A>  B^  .  .  .  ."
    result = scene(row, A=option).play(to=3, answers=(f"A {option} yes",) * 3)
    result.damage(B=3 * damage).at(B="2 0" if option == "tractor_beam" else "4 0")


@pytest.mark.parametrize(("option", "damage"), PUSHES)
def test_it_pushes_one_space_away(option, damage):
    """Cards: 1 space away from this robot, however far it is."""
    scene(FAR, A=option).play(answers=(f"A {option} yes",)).damage(B=damage).at(A="0 0 E", B="4 0 N")


@pytest.mark.parametrize(("option", "damage"), PUSHES)
def test_it_pushes_a_row(option, damage):
    """R64: as a card's step does, chains too; the damage is for the target."""
    scene(ROW, A=option).play(answers=(f"A {option} yes",)).damage(B=damage).at(B="3 0", C="4 0")


@pytest.mark.parametrize(("option", "damage"), PUSHES)
def test_it_does_not_push_through_a_wall(option, damage):
    """Card of the Howitzer: not through a wall; R64: as a card's step. It is asked all the same."""
    scene(STUCK, A=option).play(answers=(f"A {option} yes",)).damage(B=damage).shows(STUCK)


@pytest.mark.parametrize(("option", "damage"), PUSHES)
def test_a_row_against_a_wall_stays(option, damage):
    """R10, R64."""
    walled = "A>   .    B^   C^ | ."
    scene(walled, A=option).play(answers=(f"A {option} yes",)).damage(B=damage).shows(walled)


@pytest.mark.parametrize(("option", "damage"), PUSHES)
@pytest.mark.parametrize("board", [BRINK, BRINK.replace("   O", "").replace("    +\n", "\n")])
def test_it_pushes_into_pits_and_off_the_board(option, damage, board):
    """Rulebook p. 6 and 10: pushed anywhere, even into a pit."""
    scene(board, A=option).play(answers=(f"A {option} yes",)).destroyed("B").lives(B=2)


@pytest.mark.parametrize(("option", "damage"), PUSHES)
def test_the_last_of_a_row_may_fall(option, damage):
    """R10: the end of the row moves into the pit."""
    scene("A>  B^  C^  O", A=option).play(answers=(f"A {option} yes",)).destroyed("C").at(B="2 0").damage(B=damage)


@pytest.mark.parametrize(("option", "damage"), PUSHES)
def test_high_power_moves_both_targets(option, damage):
    """Cards: at a robot, and that shot through is one more; ahead before behind (R50), so B pushes C first."""
    result = scene("A>  B^  C^  .  .", A=f"{option} high_power_laser").play(answers=(f"A {option} yes",) * 2)
    result.damage(B=damage, C=damage).at(B="2 0", C="4 0")


@pytest.mark.parametrize(("option", "damage"), PUSHES)
def test_of_two_targets_one_may_be_shot(option, damage):
    """R64: it stands for the main laser at that target."""
    result = scene(ROW, A=f"{option} high_power_laser").play(answers=(f"A {option} no", f"A {option} yes"))
    result.damage(B=1, C=damage).at(B="2 0", C="4 0")


@pytest.mark.parametrize(("option", "damage"), ALL)
def test_shifts_come_after_all_hits(option, damage):
    """R32: all hits are found first; B still shoots C, though it is moved out of the line."""
    scene("""
        +    +    +    +    +    +
          .    .    .    C^   .
        +    +    +    +    +    +
          A>   .    .    B^   .
        +    +    +    +    +    +
    """, A=option).play(answers=(f"A {option} yes",)).damage(B=damage, C=1)  # fmt: skip


@pytest.mark.parametrize(("option", "damage"), ALL)
def test_a_shooter_that_is_shot_dead_still_uses_it(option, damage):
    """R34: a robot shot dead still fires; its only option is lost by then."""
    mat = {"options": [option], "damage": 9, "registers": ["u_turn"] * 5}
    board = FAR.replace("A>", "A<").replace("B^   .", "B<   .")
    result = scene(board, A=mat).play(answers=(f"A {option} yes",))
    result.destroyed("A").damage(A=10, B=damage).at(B="2 0" if option == "tractor_beam" else "4 0")


@pytest.mark.parametrize(("option", "damage"), ALL)
def test_it_acts_though_it_is_given_for_damage_in_the_same_phase(option, damage):
    """R32, R34: all fire together; rulebook p. 10: the exchange is made when the token is received."""
    result = scene(FAR.replace("B^   .", "B<   ."), A=option).play(
        answers=(f"A {option} yes", f"A option_for_damage {option}")
    )
    result.damage(B=damage).options(A="").at(B="2 0" if option == "tractor_beam" else "4 0")


def test_shifts_are_made_in_priority_order():
    """R32: pushes and pulls by weapons in priority order; pulled first, B is out of the row when it is pushed."""
    board = """
        +    +    +    +    +    +
          A>   B^   C^   .  | .
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    D^   .    .    .
        +    +    +    +    +    +
    """
    ready = scene(board, A="pressor_beam", D="tractor_beam")
    answers = ("A pressor_beam yes", "D tractor_beam yes")
    ready.play(order="ABCD", answers=answers).at(B="2 1", C="3 0")
    ready.play(order="DABC", answers=answers).at(B="2 1", C="2 0")


def test_several_weapons_are_asked_until_one_is_used():
    """Cards: each instead of the main laser; one of them is enough."""
    guns = scene(FAR, A="mini_howitzer pressor_beam tractor_beam")
    guns.play(answers=("A pressor_beam yes",)).asked("A mini_howitzer no", "A pressor_beam yes").at(B="4 0")
    guns.play().asked("A mini_howitzer no", "A pressor_beam no", "A tractor_beam no").damage(B=1)


# -- Mini Howitzer


def test_the_fifth_use_discards_the_howitzer():
    """Card: a token for each use; with the fifth the card is discarded. R64: against a wall is a use."""
    ready = scene(STUCK, A="mini_howitzer")
    ready.play(to=4, answers=HOWITZER * 4).damage(B=4).options(A="mini_howitzer")
    ready.play(to=5, answers=HOWITZER * 5).damage(B=5).options(A="")


def test_after_five_uses_there_is_the_laser():
    """Card: discarded; in the second turn A shoots five times. It moves on the spot, as B stands before a wall."""
    moves = [f"move_1:{number}" for number in range(490, 580, 10)]
    turns = ["turn_left:70", "turn_right:80", "turn_left:90", "turn_right:100"]
    result = scene("A>  B^ | .", A="mini_howitzer", draw=[*moves, *turns]).play_rounds(
        2,
        A=["move_1"] * 5,
        B=["turn_right", "turn_left", "turn_right", "turn_left", "turn_right"],
        answers=HOWITZER * 5,
    )
    result.asks("mini_howitzer", *["A yes"] * 5).options(A="").destroyed("B")
    assert shots(result) == ["AB"] * 5


def test_the_fifth_use_may_be_the_first_of_two():
    """Card: with the fifth the card is discarded, so the second target is shot."""
    row = "A>   .    B^   C^ |"
    result = scene(row, A="mini_howitzer high_power_laser").play(to=3, answers=HOWITZER * 5)
    result.damage(B=3, C=3).options(A="high_power_laser").asks("mini_howitzer", *["A yes"] * 5)


def test_an_option_may_take_the_howitzers_damage_but_not_the_push():
    """Rulebook p. 10: the exchange is for the token."""
    result = scene(FAR, A="mini_howitzer", B="brakes").play(answers=(*HOWITZER, "B option_for_damage brakes"))
    result.damage().at(B="4 0")


def test_the_howitzers_damage_may_be_the_tenth():
    """Rulebook p. 10: destroyed; it is pushed nowhere, and C behind it stays."""
    scene(ROW, A="mini_howitzer", B={"damage": 9}).play(answers=HOWITZER).destroyed("B").at(C="3 0")


# -- Tractor Beam


def test_tractor_beam_pulls_one_space():
    """Card: 1 space toward this robot; no damage."""
    scene(FAR, A="tractor_beam").play(answers=TRACTOR).at(A="0 0 E", B="2 0 N").damage()


def test_tractor_beam_is_not_for_an_adjacent_robot():
    """Card: a robot that is not in an adjacent space."""
    scene(NEAR, A="tractor_beam").play().asked().damage(B=1)


def test_a_pull_may_end_in_a_pit():
    """Rulebook p. 10: is moved into a pit."""
    scene(FAR.replace("A>   .    .  ", "A>   .    O  "), A="tractor_beam").play(answers=TRACTOR).destroyed("B")


def test_a_wall_stops_a_pull():
    """Rulebook p. 6: nobody is moved through a wall; the shot has passed it by the High-Power Laser."""
    walled = FAR.replace(".    B^", ".  | B^")
    scene(walled, A="tractor_beam high_power_laser").play(answers=TRACTOR).shows(walled).damage()


def test_a_pull_pushes_nobody():
    """R64 lets the two others push as a card's step; R50: a pull pushes nobody."""
    result = scene(ROW, A="tractor_beam high_power_laser").play(answers=("A tractor_beam no", "A tractor_beam yes"))
    result.at(B="2 0", C="3 0").damage(B=1)


def test_a_pull_of_both_targets_begins_with_the_nearer():
    """R50: ahead before behind, nearest first: there is room for the second."""
    scene(ROW, A="tractor_beam high_power_laser").play(answers=TRACTOR * 2).at(B="1 0", C="2 0").damage()


def test_behind_a_wall_next_to_it_a_robot_is_adjacent():
    """Card: not in an adjacent space, wall or not."""
    scene("A> | B^", A="tractor_beam high_power_laser").play().asked().damage(B=1)


def test_a_pull_goes_on_until_the_robot_is_adjacent():
    """Card: then the laser is all that is left."""
    result = scene(FAR, A="tractor_beam").play(to=3, answers=TRACTOR * 2)
    result.at(B="1 0").damage(B=1).asks("tractor_beam", "A yes", "A yes")


def test_a_robot_put_on_a_belt_or_site_by_a_beam_touches_it():
    """Rulebook p. 5: lasers fire before flags and repair sites are touched."""
    scene("A>  .  B^  r1", A="pressor_beam").play(answers=PRESSOR).archive(B="3 0")
    scene(FAR.replace("B^   .", "B^   1"), A="pressor_beam").play(answers=PRESSOR).flags(B=1)
