"""What a page may say, and one clear error for everything else."""

import json

import pytest

from roborally_env.play.messages import LONGEST, Choice, Program, Shown, parse
from roborally_env.play.questions import Refused


def test_the_three_messages_are_read() -> None:
    program = {"type": "program", "number": 3, "robot": 0, "slots": [0, 8, None, 2, 1]}
    assert parse(json.dumps(program)) == Program(3, 0, (0, 8, None, 2, 1))
    assert parse('{"type": "choice", "number": 4, "robot": 1, "option": 7}') == Choice(4, 1, 7)
    assert parse('{"type": "shown", "items": 12}') == Shown(12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"{}", ""),
        ("", ""),
        ("{", ""),
        ("[" * 1900, ""),
        ("\x00\x07", r"'\?\?'"),
        ("null", ""),
        ("[1, 2]", "1.*2"),
        ("{}", "type"),
        ('{"type": "cheat"}', "'cheat'"),
        ('{"type": ["program"]}', "type"),
        ('{"type": "shown", "items": 1, "extra": 2}', "shown.*'extra'"),
        ('{"type": "shown"}', "shown: items"),
        ('{"type": "shown", "items": true}', "items"),
        ('{"type": "shown", "items": -1}', "items.*1"),
        ('{"type": "shown", "items": 1e3}', "items.*1000.0"),
        ('{"type": "shown", "items": 99999999999}', "items"),
        ('{"type": "choice", "number": "1", "robot": 0, "option": 0}', "number.*'1'"),
        ('{"type": "choice", "number": 1, "robot": 0}', "choice: option"),
        ('{"type": "program", "number": 1, "robot": 0}', "program: slots.*5"),
        ('{"type": "program", "number": 1, "robot": 0, "slots": [1, 2]}', "1.*2"),
        ('{"type": "program", "number": 1, "robot": 0, "slots": [1, 2, 3, 4, 5.5]}', "slots.*5"),
        ('{"type": "program", "number": 1, "robot": 0, "slots": "01234"}', "slots.*5"),
        ('{"type": "shown", "items": ' + "9" * LONGEST + "}", "2000"),
    ],
)
def test_anything_else_is_named(text: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        parse(text)


def test_a_long_wrong_value_is_cut_in_the_message() -> None:
    with pytest.raises(Refused) as caught:
        parse(json.dumps({"type": "x" * 1500}))
    assert len(str(caught.value)) < 200


def test_lists_in_lists_are_refused_however_deep() -> None:
    """What is just not too deep to be read may be too deep to be written into the message."""
    for depth in range(1, LONGEST // 2):
        with pytest.raises(Refused):
            parse("[" * depth + "]" * depth)
