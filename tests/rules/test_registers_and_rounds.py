"""The activation phase: 2016 rulebook p. 7 to p. 11."""

from .scene import scene

WAIT = "power_up"


def kinds_in_order(result, kinds):
    """The events of these kinds, as they came."""
    return [event["kind"] for event in result.events if event["kind"] in kinds]


def test_all_robots_play_register_one_before_register_two():
    """p. 6, p. 7: programming cards activate one register at a time, players take turns during the register."""
    result = scene("A^  B^  C^").play(**{name: [WAIT, WAIT] for name in "ABC"})
    assert result.turns == "ABCABC"


def test_board_elements_act_after_all_robots_have_played():
    """p. 7: for every register, after all players have activated their programming. B still finds A on the belt."""
    scene("""
        +      +      +      +
          B>     v+A^   .
        +      +      +      +
          .      .      .
        +      +      +      +
    """).play(order="AB", A=WAIT, B="move_1").shows("""
        +    +    +    +
          .    .    A^
        +    +    +    +
          .    B>   .
        +    +    +    +
    """)


def test_board_elements_act_after_every_register():
    """p. 8: repeat for the remaining registers; p. 12: at the end of each register."""
    scene(">+A^  >  .").play(A=[WAIT, WAIT]).at(A="2 0")


def test_the_order_of_the_elements():
    """p. 7, Activation Order: blue and green belts, panels, gears, board and robot lasers, energy, checkpoints."""
    checkpoints = [{"number": 1, "x": 1, "y": 1}, {"number": 2, "x": 2, "y": 5}]
    result = scene("""
        +       +       +       +
          >>+A^   .       .
        +       +       +       +
          >+B^    .       .
        +       +       +       +
          P>1+C^  .       .
        +       +       +       +
          cw+D<   .       .
        +       +       +       +
          L>+F^   G<      .
        +       +       +       +
          .       .       .
        +       +       +       +
    """, energy=[{"x": 1, "y": 0}], checkpoints=checkpoints).play()  # fmt: skip
    kinds = ("belt", "panel", "gear", "turn", "board_laser", "robot_laser", "energy", "checkpoint")
    order = list(dict.fromkeys(kinds_in_order(result, kinds)))
    assert order == ["belt", "panel", "gear", "board_laser", "robot_laser", "energy", "checkpoint"]
    assert [event["speed"] for event in result.happened("belt")] == [2, 1]


def test_a_robot_is_handed_from_element_to_element():
    """p. 7, Activation Order: blue belt, green belt, panel, gear, all in one register; then it shoots."""
    scene("""
        +        +        +        +        +        +
          .        .        .        .        .
        +        +        +        +        +        +
          >>+A^    >        P>1      cw       B^
        +        +        +        +        +        +
    """).play().at(A="3 1 E").took(B=1)


def test_an_element_that_acts_earlier_does_not_act_on_late_arrivals():
    """p. 12: A comes from the panel onto the belt, whose turn has passed."""
    scene("P>1+A^  >  .").play().at(A="1 0")


def test_an_element_no_longer_affects_a_robot_that_has_left_it():
    """p. 12: as soon as it moves off a board element: the panel pushes A out of the beam before the laser fires."""
    scene("""
        +        +        +        +
          P>1+A^   .        .
        +        +        +        +
          L^       .        .
        +        +        +        +
    """).play().at(A="1 0").took()


def test_all_robots_on_elements_are_affected_at_the_same_time():
    """p. 7: affect all robots on them at the same time."""
    scene("""
        +      +      +      +      +
          >+A^   >+B^   >+C^   .
        +      +      +      +      +
          cw+D^  cw+F^  cw+G^  .
        +      +      +      +      +
    """).play().shows("""
        +    +    +    +    +
          .    A^   B^   C^
        +    +    +    +    +
          D>   F>   G>   .
        +    +    +    +    +
    """)


def test_the_example_of_the_activation_phase():
    """p. 9, p. 10: Amanda moves three, Luis one into a laser, Chris turns left on a blue belt and is carried two."""
    scene("""
        +      +      +      +      +      +
          Y>     A>     .      .      .
        +      +      +      +      +      +
          .      B>     Lv     .      .
        +      +      +      +      +      +
          .      .      .      .      .
        +      +      +      +      +      +
          .      <<     <<     <<+C^  .
        +      +      +      +      +      +
    """).play(A="move_3", B="move_1", C="turn_left").took(B=1).shows("""
        +    +    +    +    +    +
          .    .    .    .    A>
        +    +    +    +    +    +
          .    .    B>   .    .
        +    +    +    +    +    +
          .    .    .    .    .
        +    +    +    +    +    +
          .    C<   .    .    .
        +    +    +    +    +    +
    """)


def test_after_the_fifth_register_the_registers_are_discarded_and_a_new_round_begins():
    """p. 8: players place the cards of their registers in their discard piles; then play returns to the first phase."""
    program = ["turn_left", "turn_right", "u_turn", WAIT, "turn_left"]
    result = scene("A^  .").play_rounds(1, A=program).pile("discard", A=program)
    result.register_cards(A=[None] * 5)
    more = scene("A^  .").play_rounds(2, A=program)
    assert kinds_in_order(more, ("round", "register")) == ["round", *["register"] * 5] * 2
    assert more.outcome["round"] == 2


def test_a_register_without_a_card_does_nothing():
    """Scenario files: a missing register does nothing."""
    scene("A^  B^").play(A=[None, WAIT], B=[WAIT]).has("energy", A=6, B=6)
