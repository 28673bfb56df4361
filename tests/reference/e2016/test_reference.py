"""The reference itself, against the rulebook's examples and the rulings: the game without upgrades."""

import pytest

from tests.reference.errors import BadScenario, NeedsChance
from tests.reference.scenes import cells, column, robot

from .scenes import race


def test_again_drawn_for_again_after_damage_is_discarded():
    entry = robot(1, 1, "E", "spam", "again", draw=["move_1", "again", "spam", "move_3"])
    assert cells(race([entry], span=(1, 2))) == [(5, 1)]


DRAW_PILE = ["again", "move_1", "turn_left", "turn_right", "u_turn", "power_up", "back_up", "move_2", "move_3", "again"]


def test_an_answered_program_is_played_and_an_illegal_one_is_an_error():
    entry = {"x": 4, "y": 3, "facing": "E", "draw": DRAW_PILE}
    program = ["power_up", "again", "again", "move_1", "move_2"]
    bad = [["again", *program[:1], *program[2:]], [*program[:4], "move_3"]]
    outcome = race(
        [{**entry, "hand": ["move_2"], "draw": ["again", "again", *DRAW_PILE[1:7]]}], span=None, **said(program)
    )
    assert (cells(outcome), column(outcome, "energy")) == ([(7, 3)], [8])
    for choice in bad:
        with pytest.raises(BadScenario, match="program"):
            race([entry], span=None, **said(choice))


def said(choice):
    return {"answers": [{"robot": 0, "decision": "program", "choice": choice}]}


def test_an_answer_never_asked_for_is_an_error():
    with pytest.raises(BadScenario, match="reboot_facing"):
        race([robot(1, 1)], answers=[{"robot": 0, "decision": "reboot_facing", "choice": "N"}])


def test_a_card_that_only_a_shuffle_can_tell_is_not_played():
    with pytest.raises(NeedsChance):
        race([robot(1, 1, "E", "spam")])
