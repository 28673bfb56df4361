"""Factory Rejects, Option World, Ball Lightning and Tight Collar: 2005 course manual p. 23 and 24."""

import pytest

from roborally_env.base.errors import ScenarioError
from tests.rules.scene import race_on

from .scene import Scene, dealt, scene

TURNS = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]

# -- Factory Rejects

LASER = """
    +      +      +      +
      A^     .      .
    +      +      +      +
      .      L>     B^
    +      +      +      +
"""


def rejects(picture: str, **options) -> Scene:
    """A scene in which nobody can power down."""
    return scene(picture, special_rules=["start_damage", "no_power_down"], **options)


def test_robots_start_with_two_damage_tokens():
    """p. 23; p. 9: so they are dealt seven cards."""
    result = race_on("factory_rejects", edition="2005", A="5 14 N", B="6 14 N").play_rounds(A=TURNS)
    assert result.robot("A")["damage"] == 2
    assert dealt(result, "B") == 7


def test_nobody_announces_a_power_down():
    """p. 23: no ability to power down. Robots with damage would be asked (R60)."""
    plain = """
        +    +    +    +
          A^   .    .
        +    +    +    +
          .    B^   .
        +    +    +    +
    """
    rejects(plain, B={"damage": 5, "registers": [None] * 4 + ["u_turn"]}).play_rounds(
        A=TURNS, B=TURNS[:4]
    ).never_asked("power_down", "stay_down")  # fmt: skip
    scene(plain, A={"damage": 2}).play_rounds(A=TURNS, B=TURNS).asked("A power_down no")


def test_a_robot_that_comes_back_cannot_power_down():
    """p. 23; p. 9 would let it."""
    rejects("A>  .  .").play_rounds(A=["move_3", None, None, None, None]).damage(A=2).asked("A reboot_facing E")


def test_a_robot_that_a_scenario_powers_down_powers_up_again():
    """p. 23: it is not asked whether it stays down."""
    rejects("A^  .", A={"powered_down": True}).play_rounds(2, A=TURNS).never_asked("stay_down")


def test_circuit_breaker_does_nothing_there():
    """p. 23: course rules override option cards (p. 3)."""
    result = rejects("A^  .", A={"damage": 4, "options": ["circuit_breaker"]}).play_rounds(2, A=TURNS)
    assert not result.happened("announced")
    assert not result.happened("powered_down")


# -- Option World

WRENCHES = """
    +      +      +      +
      {:<4}   .      .
    +      +      +      +
      .      .      1
    +      +      +      +
"""


@pytest.mark.parametrize(("space", "options"), [("r1+A^", 1), ("1+A^", 1), ("r2+A^", 2), ("A^", 0)])
def test_repair_sites_and_flags_give_options_in_place_of_repairs(space, options):
    """p. 23: on a single wrench or a flag one option, on wrench and hammer two, and no damage is discarded."""
    picture = WRENCHES.format(space).replace(".      1", ".      2")
    result = scene(picture, special_rules=["options_for_repairs"], A={"damage": 3}).play_rounds(A=TURNS)
    assert len(result.robot("A")["options"]) == options
    result.damage(A=3)


def test_elsewhere_they_repair():
    """p. 8: wrench and hammer discard one token and give one option."""
    result = scene(WRENCHES.format("r2+A^"), A={"damage": 3}).play_rounds(A=TURNS).damage(A=2)
    assert len(result.robot("A")["options"]) == 1


def test_only_at_the_end_of_the_turn():
    """p. 23: robots that end the turn there."""
    result = scene(WRENCHES.format("r2+A>"), special_rules=["options_for_repairs"], A={"damage": 3}).play_rounds(
        A=["turn_left", "turn_right", "turn_left", "turn_right", "move_1"]
    )
    result.at(A="1 0").damage(A=3).options(A="")


def test_options_come_from_those_that_nobody_has():
    """p. 23: draw; the deck has one card of each."""
    names = ["brakes", "fourth_gear", "reverse_gear", "crab_legs", "ramming_gear", "extra_memory"]
    result = scene(
        WRENCHES.format("r2+A^"), special_rules=["options_for_repairs"], A=" ".join(names)
    ).play_rounds(A=TURNS)  # fmt: skip
    assert len(set(result.robot("A")["options"])) == len(names) + 2


def test_archive_markers_go_there_as_always():
    """p. 8; p. 23 replaces the repair only."""
    scene(WRENCHES.format("r1+A^"), special_rules=["options_for_repairs"], A={"archive": "2 0"}).play_rounds(
        A=TURNS
    ).archive(A="0 0")


# -- Ball Lightning and Tight Collar: registers that the timer leaves open

ROOM = """
    +----+    +    +    +
    | A^ | .    .    .
    +----+    +    +    +
    | B^ | .    .    .
    +----+    +    +    +
"""
MOVES = [f"move_1:{number}" for number in range(490, 580, 10)]
LEFTS = [f"turn_left:{number}" for number in range(70, 250, 20)]
TIMED = {"timer": True}


@pytest.fixture(params=["program_time_30", "program_time_60"])
def timed(request):
    """Makes scenes of courses with program timers."""

    def make(picture=ROOM, rules=None, **options) -> Scene:
        return scene(picture, TIMED if rules is None else rules, special_rules=[request.param], **options)

    return make


def played(result, name):
    """The cards that a robot played."""
    return [event["card"] for event in result.happened("play", name)]


def test_the_timer_fills_open_registers_from_the_own_unused_cards(timed):
    """p. 24: uses those cards to randomly fill in the remaining empty registers."""
    result = timed(A={"hand": MOVES}, B={"hand": LEFTS}).play_rounds(
        answers=(f"A program - {MOVES[8]} - {MOVES[7]} -",), B=TURNS
    )
    cards = played(result, "A")
    assert (cards[1], cards[3]) == (MOVES[8], MOVES[7])
    assert len(set(cards)) == 5
    assert set(cards) <= set(MOVES)


def test_the_cards_that_are_left_over_are_discarded(timed):
    """p. 24: discard any cards that are left over."""
    result = timed(A={"hand": MOVES}).play_rounds(answers=("A program - - - - -",), B=TURNS)
    assert set(MOVES) <= set(result.robot("A")["discard"])


def test_they_are_filled_at_random(timed):
    """p. 24: randomly, without looking at the cards: another seed, another program."""
    room = timed(A={"hand": MOVES})
    empty = ("A program - - - - -",)
    programs = {tuple(played(room.play_rounds(answers=empty, B=TURNS, seed=i), "A")) for i in range(30)}
    assert len(programs) > 25
    assert len({program[0] for program in programs}) > 5
    assert len({program[4] for program in programs}) > 5


def test_several_players_may_be_caught(timed):
    """p. 24: players have thirty seconds, or a minute, each turn: all of them."""
    result = timed(A={"hand": MOVES}, B={"hand": LEFTS}).play_rounds(
        answers=("A program - - - - -", "B program - - - - -")
    )
    assert set(played(result, "A")) <= set(MOVES)
    assert set(played(result, "B")) <= set(LEFTS)


def test_locked_registers_are_not_filled(timed):
    """p. 24: the remaining empty registers; p. 10: the card in a locked register stays."""
    under = [None, None, None, "turn_right:80", "turn_right:100"]
    result = timed(A={"damage": 6, "hand": LEFTS[:3], "registers": under}).play_rounds(
        answers=("A program - - -",), B=TURNS
    )
    assert sorted(played(result, "A")[:3]) == sorted(LEFTS[:3])
    assert played(result, "A")[3:] == under[3:]


def test_a_complete_program_is_not_touched(timed):
    """p. 24: if the timer runs out before a player finishes."""
    program = [MOVES[4], MOVES[2], MOVES[0], MOVES[1], MOVES[3]]
    result = timed(A={"hand": MOVES}).play_rounds(answers=(f"A program {' '.join(program)}",), B=TURNS)
    assert played(result, "A") == program


def test_without_the_timer_no_register_is_left_open():
    """p. 4: a program has five cards."""
    with pytest.raises(ScenarioError, match="register 1"):
        scene(ROOM, A={"hand": MOVES}).play_rounds(answers=("A program - - - - -",), B=TURNS)
