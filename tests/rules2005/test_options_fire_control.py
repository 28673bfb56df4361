"""Fire Control: the card text, R64 and R66."""

import pytest

from roborally_env.base.errors import ScenarioError

from .scene import scene, turns

FAR = "A>  .  B^  ."
LINE = "A>  B^  .  C^"
SPINS = ["u_turn:10", "u_turn:20", "u_turn:30", "u_turn:40", "u_turn:50"]
LEFTS = ["turn_left:70", "turn_left:90", "turn_left:110", "turn_left:130", "turn_left:150"]


def test_it_locks_a_register_instead_of_doing_damage():
    """Card: the owner chooses one register of the target, which is locked."""
    result = scene(FAR, A="fire_control").play(answers=("A fire_control register_3",)).damage()
    assert result.happened("locked") == [{"kind": "locked", "robot": 1, "register": 3}]


def test_it_destroys_an_option_instead_of_doing_damage():
    """Card: or one option of the target, which is destroyed."""
    result = scene(FAR, A="fire_control", B="brakes flywheel").play(answers=("A fire_control flywheel",))
    result.damage().options(A="fire_control", B="brakes")


def test_it_is_a_may():
    """Card: may; else the laser does its damage."""
    scene(FAR, A="fire_control").play().damage(B=1).asked("A fire_control no")


def test_the_target_cannot_discard_an_option_to_avoid_it():
    """Card; the rulebook p. 10 speaks of damage tokens."""
    result = scene(FAR, A="fire_control", B="brakes").play(answers=("A fire_control register_1",))
    result.asked("A fire_control register_1").options(B="brakes")


def test_neither_coat_nor_shield_stop_it():
    """Cards: they are for damage."""
    mat = {"options": ["ablative_coat", "power_down_shield"], "powered_down": True}
    result = scene(FAR, A="fire_control", B=mat).play(answers=("A fire_control ablative_coat",))
    result.damage().options(B="power_down_shield")


def test_a_register_that_is_locked_is_not_offered():
    """Card: a register, which is locked; that of register 5 is, with five tokens."""
    with pytest.raises(ScenarioError, match="'register_5'"):
        scene(FAR, A="fire_control", B={"damage": 5, "registers": SPINS}).play(answers=("A fire_control register_5",))


def test_an_option_of_somebody_else_is_not_offered():
    """Card: one option of the target."""
    with pytest.raises(ScenarioError, match="'brakes'"):
        scene(LINE, A="fire_control brakes", B="flywheel").play(answers=("A fire_control brakes",))


def test_with_all_registers_locked_and_no_option_there_is_no_question():
    """Card: there is nothing to choose; the tenth token comes."""
    scene(FAR, A="fire_control", B={"damage": 9, "registers": SPINS}).play().asked().destroyed("B")


def test_a_locked_register_keeps_its_card():
    """Rulebook p. 10: the card stays, and is executed in the next turn again; R66: until a token is repaired."""
    spins = [f"turn_right:{number}" for number in range(80, 440, 20)]
    result = scene(FAR, A="fire_control", draw=spins).play_rounds(
        2,
        A=["turn_left", "u_turn", "u_turn", "turn_right", "u_turn"],  # one shot, in register 4
        B=LEFTS,
        answers=("A fire_control register_2",),
    )
    assert len(result.happened("locked", "B")) == 1
    assert result.happened("play", "B")[6]["card"] == LEFTS[1]
    assert result.robot("B")["registers"][1] == LEFTS[1]


def test_the_other_registers_are_programmed():
    """Rulebook p. 10: only the locked one keeps its card; the hand is as large as the damage says."""
    result = scene(FAR, B={"locked": [2], "registers": [None, "turn_left:90"]}).play_rounds(
        B=[SPINS[0], "turn_left:90", *SPINS[2:]],
    )
    assert result.robot("B")["registers"] == [None, "turn_left:90", None, None, None]


def test_the_next_token_that_is_repaired_frees_the_register():
    """R66; here on a repair site."""
    site = ".  B^+r1  ."
    mat = {"locked": [2], "damage": 1, "registers": SPINS}
    scene(site, B=mat, A={"lives": 0}).play_rounds().damage(B=0).register_cards(B=[None] * 5)


def test_without_a_token_to_repair_the_register_stays_locked():
    """R66: until the next token is repaired."""
    site = ".  B^+r1  ."
    result = scene(site, B={"locked": [2], "registers": SPINS}, A={"lives": 0}).play_rounds()
    result.register_cards(B=[None, SPINS[1], None, None, None])


def test_a_power_down_frees_the_register():
    """Rulebook p. 5: all damage tokens are discarded; R66."""
    scene(FAR, A={"lives": 0}, B={"locked": [2], "damage": 2, "registers": LEFTS}).play_rounds(
        2, answers=("B power_down yes",)
    ).damage(B=0).register_cards(B=[None] * 5)


def test_a_destroyed_robot_has_no_locked_register():
    """R61: it comes back with two damage in all, and those lock nothing."""
    mat = {"locked": [1], "registers": ["move_3:790", *SPINS[1:]]}
    scene(FAR, B=mat).play_rounds(A=["turn_left"] * 5).register_cards(B=[None] * 5)


def test_a_register_of_a_powered_down_robot_is_programmed_from_the_deck():
    """Rulebook p. 10: registers that become locked during a power down get the top card of the deck."""
    scene(FAR, A="fire_control", B={"powered_down": True}, draw=["move_3:790"]).play(
        answers=("A fire_control register_4",)
    ).register_cards(B=[None, None, None, "move_3:790"])


def test_each_shot_is_controlled_by_itself():
    """Cards: Double-Barreled Laser combines with Fire Control; what was chosen first is gone."""
    ready = scene(FAR, A="fire_control double_barreled_laser", B="brakes")
    ready.play(answers=("A fire_control register_1", "A fire_control brakes")).damage().options(B="")
    ready.play(answers=("A fire_control register_1",)).damage(B=1).asks("fire_control", "A register_1", "A no")
    with pytest.raises(ScenarioError, match="'register_1'"):
        ready.play(answers=("A fire_control register_1", "A fire_control register_1"))


def test_each_robot_in_the_line_of_a_high_power_laser_is_controlled_by_itself():
    """Cards: High-Power Laser combines with Fire Control; ahead before behind."""
    scene(LINE, A="fire_control high_power_laser", C="brakes").play(
        answers=("A fire_control register_5", "A fire_control brakes")
    ).damage().options(C="")


def test_two_barrels_with_high_power_are_four_shots():
    """Cards: all three combine."""
    result = scene(LINE, A="fire_control high_power_laser double_barreled_laser", C="brakes").play(
        answers=("A fire_control no", "A fire_control register_1", "A fire_control register_2", "A fire_control brakes")
    )
    result.damage(B=1).options(C="")
    assert [(event["robot"], event["register"]) for event in result.happened("locked")] == [(1, 1), (2, 2)]


def test_a_course_that_doubles_lasers_doubles_the_questions():
    """Set to Kill: options that fire too; each shot is controlled."""
    scene(FAR, A="fire_control", special_rules=["double_lasers"]).play(
        answers=("A fire_control register_1", "A fire_control register_2")
    ).damage()


def test_a_beam_cannot_stand_for_half_the_laser():
    """R64: the other weapons stand for the whole main laser at that target."""
    both = scene(FAR, A="fire_control double_barreled_laser pressor_beam")
    both.play(answers=("A fire_control register_1",)).damage(B=1).never_asked("pressor_beam")
    both.play(answers=("A pressor_beam yes",)).damage().at(B="3 0").asks("fire_control", "A no", "A no")


def test_the_locked_register_is_left_alone_by_a_thrown_abort_switch():
    """R65: Abort Switch leaves locked registers alone, one that was locked after it was thrown too."""
    scene(FAR, A="fire_control", B="abort_switch", draw=["turn_right:80", "turn_right:100"]).play(
        A=["turn_left:410", "turn_right:420"],
        B=LEFTS[:4],
        answers=("B abort_switch yes", "A fire_control register_3"),
        to=4,
    ).register_cards(B=["turn_right:80", "turn_right:100", LEFTS[2]])


def test_a_card_in_a_register_locked_now_is_still_played():
    """Rulebook p. 10: it stays there."""
    result = scene(FAR, A="fire_control").play(A=["u_turn"] * 3, B=LEFTS[:3], answers=("A fire_control register_3",))
    result.register_cards(B=LEFTS[:3])
    assert turns(result).count("B") == 3


def test_board_lasers_are_not_controlled():
    """Card: the main laser."""
    scene("L>  B^  A^", A="fire_control").play().damage(B=1).asked()


def test_the_shots_act_in_the_order_in_which_they_are_chosen():
    """R32: hits are dealt one after the other: the token first, and B gives the option that was to be destroyed."""
    ready = scene(FAR, A="fire_control double_barreled_laser", B="brakes flywheel")
    result = ready.play(answers=("A fire_control no", "A fire_control brakes", "B option_for_damage brakes"))
    result.damage().options(B="flywheel")
    result = ready.play(answers=("A fire_control brakes", "A fire_control no", "B option_for_damage flywheel"))
    result.damage().options(B="")


# -- R91: by option the lock takes a damage token

TOKEN = {"fire_control_token": True}


def locks(**mat):
    """A locks register 3 of B with a token."""
    return scene(FAR, TOKEN, A="fire_control", B={"registers": LEFTS, **mat}).play(
        answers=("A fire_control register_3",)
    )


def test_the_printed_card_takes_no_token():
    """R91: the default, and the option."""
    assert scene(FAR, A="fire_control").play(answers=("A fire_control register_3",)).robot("B")["damage"] == 0
    assert locks().robot("B")["damage"] == 1


@pytest.mark.parametrize(("damage", "free"), [(3, [1, 2, 4, 5]), (4, [1, 2, 4, 5]), (5, [1, 2, 4]), (6, [1, 2])])
def test_its_token_lies_on_the_register_that_it_locks(damage, free):
    """R91: of the tokens the others lock by the table (p. 10), the ones of Fire Control the register chosen."""
    shooting = scene(FAR, TOKEN, A="fire_control", B={"damage": damage, "registers": LEFTS})
    result = shooting.play(to=2, answers=("A fire_control register_3", f"A fire_control register_{free[0]}"))
    assert result.robot("B")["damage"] == damage + 2
    with pytest.raises(ScenarioError, match=f"{', '.join(f'register_{k}' for k in free)}"):
        shooting.play(to=2, answers=("A fire_control register_3", "A fire_control register_3"))


def test_a_repair_takes_its_token_and_frees_the_register():
    """R91: a token that repairs release. Without it the lock stays on a wrench, as there is no token (R66)."""
    site = "A>  .  r1+B^  ."
    for rules, damage, card in ((TOKEN, 0, None), ({}, 0, "turn_left")):
        result = scene(site, rules, A="fire_control", B={"registers": LEFTS}).play_rounds(
            A=["u_turn:10", "u_turn:20", "turn_right:80", "turn_right:100", "turn_right:120"],
            answers=("A fire_control register_3",),
        )
        assert result.robot("B")["damage"] == damage
        result.register_cards(B=[None, None, card])


def test_a_power_down_takes_its_token_too():
    """R91: or a power down. A is asked, because it has a token (R60); without tokens it is not."""
    locked = {"locked": [3], "registers": LEFTS}
    result = scene("A^  .", TOKEN, A={"damage": 1, **locked}).play_rounds(2, answers=("A power_down yes",))
    result.damage(A=0).register_cards(A=[None] * 5)
    scene("A^  .", A=locked).play_rounds().never_asked("power_down")


def test_of_several_locks_the_lowest_is_repaired_first():
    """R91: one token at a time; p. 10 unlocks register 1 before register 5."""
    result = scene("A^  r1+B^  .", TOKEN, B={"damage": 2, "locked": [2, 4], "registers": LEFTS}).play_rounds(A=SPINS)
    assert result.robot("B")["damage"] == 1
    result.register_cards(B=[None, None, None, "turn_left:130", None])


def test_the_tenth_token_destroys():
    """R91, p. 10: it counts as any other. C and A choose the last free register together."""
    result = scene("A>  B^  C<", TOKEN, A="fire_control", B={"damage": 8, "registers": LEFTS}, C={}).play(
        answers=("A fire_control register_1",)
    )
    result.destroyed("B")


def test_without_a_token_no_register_is_locked_in_a_file():
    """R91: each register that is locked beyond the table has a token."""
    with pytest.raises(ScenarioError, match=r"robots\[1\]\.damage.*1"):
        scene(FAR, TOKEN, B={"locked": [3], "registers": LEFTS}).play()
