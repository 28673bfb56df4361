"""Power down: announced for the next round, and what a powered-down robot does. C15."""

from .scene import scene

FIELD = "A^ | .  B^"
STILL = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn", "power_up", "turn_right", "move_2", "move_1"]


def test_every_player_may_announce_a_power_down():
    """Power-down-announce phase: every player can announce that they power down after that round; in seat order."""
    scene(FIELD).play_rounds(
        A=["turn_left"], B=["turn_left"], order="BA", answers=("A power_down yes", "B power_down no")
    ).asked("A power_down yes", "B power_down no").down("A")  # fmt: skip


def test_a_robot_that_announced_plays_the_round_to_its_end():
    """Power-down-announce phase: after this round."""
    result = scene(FIELD).play_rounds(A=["turn_left", "power_up"], B=["turn_left"], answers=("A power_down yes",))
    result.has("energy", A=6).at(A="0 0 W")


def test_a_powered_down_robot_discards_its_damage_when_the_round_begins():
    """Rulings: power down clears all damage at the start of the round it is for."""
    cards = ["turn_left", "turn_right", "power_up", "u_turn", "turn_left"]
    alone = "A^  ."
    result = scene(alone, {"upgrades": False}, A={"damage": 7}).play_rounds(2, A=cards, answers=("A power_down yes",))
    result.damage(A=0).down("").register_cards(A=[None] * 5).pile("discard", A=cards)


def test_it_has_no_hand_and_no_program_and_no_turn():
    """C15: no hand, no program; nobody asks it for one, but whether it stays down."""
    scene(FIELD, A={"powered_down": True}, B={"draw": STILL}).play_rounds().asked(
        "B program turn_left turn_right turn_left turn_right u_turn", "A power_down no", "B power_down no"
    ).at(A="0 0 N").register_cards(A=[None] * 5)


def test_a_powered_down_robot_does_not_play_cards_that_lie_there():
    """C15: no turn."""
    scene(FIELD, A={"powered_down": True}).play(A="turn_left").at(A="0 0 N")


def test_a_powered_down_robot_does_not_shoot():
    """Rulings: a powered-down robot does not shoot; it is shot."""
    scene("A>  .  B<", A={"powered_down": True}).play().damage(A=1, B=0)


def test_board_elements_act_on_a_powered_down_robot():
    """C15: belts, pushers, gears, stompers, and it reaches checkpoints."""
    scene("""
        +        +        +        +
          >+A^     F1+cw    F2
        +        +        +        +
          P>1+B^   S1       .
        +        +        +        +
    """, A={"powered_down": True}, B={"powered_down": True}).play().at(A="1 0 E", B="1 1").checkpoints(A=1).damage(
        B=2
    )  # fmt: skip


def test_it_can_be_pushed():
    """C15: only its own turn is missing."""
    scene("A<  B^  .", B={"powered_down": True}).play(A="back_up").at(A="1 0", B="2 0")


def test_it_powers_up_at_clean_up():
    """Power up: players whose robots were powered down this turn will be powered up again."""
    scene(FIELD, A={"powered_down": True}).play_rounds(B=["turn_left"]).down("")


def test_it_may_stay_down():
    """Power up: unless they got powered down again; the announcement is asked of powered-down robots too."""
    scene(FIELD, A={"powered_down": True}).play_rounds(B=["turn_left"], answers=("A power_down yes",)).down("A")


def test_damage_taken_while_down_locks_registers_without_cards():
    """C13: the locked register gets the top card when hands are dealt in the next round, before the hand."""
    picture = "S3+A^  ."
    draw = ["u_turn", "turn_left", "turn_right", "turn_left", "power_up", "move_1"]
    mats = {"A": {"powered_down": True, "damage": 3, "draw": draw}}
    result = scene(picture, {"upgrades": False}, **mats).play_rounds(2)
    result.asked("A power_down no", "A program turn_left turn_right turn_left power_up -", "A power_down no")
    result.register_cards(A=[None, None, "turn_left", "power_up", "u_turn"]).damage(A=7)


def test_it_buys_in_the_upgrade_phase():
    """C15: it may buy; the damage and the cards of its registers are gone by then."""
    mat = {"powered_down": True, "damage": 6, "registers": [None, None, None, "power_up", "turn_left"]}
    scene(FIELD, A=mat).play_rounds(
        B=["turn_left"], start="upgrade", shop=("rail_gun", "hack"), answers=("A buy_upgrade rail_gun",)
    ).owns(A="rail_gun").damage(A=0).register_cards(A=[None] * 5)  # fmt: skip


def test_passive_upgrades_work_while_it_is_down():
    """C15: passive upgrades work: Firewall, when it comes back."""
    picture = "D1+A^  ."
    scene(picture, A={"powered_down": True, "upgrades": ["firewall"]}).play_rounds().damage(A=0).down("")


def test_it_uses_no_upgrades_of_its_turn():
    """C15: it has no turn: neither temporaries nor Manual Sort are asked for."""
    scene(FIELD, A={"powered_down": True, "upgrades": ["zoop", "boink", "manual_sort"]}).play(B="turn_left").asked()
