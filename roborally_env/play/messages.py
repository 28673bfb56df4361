"""The messages of a page as JSON text; for any other text one sentence names the mistake."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields

from roborally_env.base.types import Function, JsonObject
from roborally_env.core.state import REGISTERS
from roborally_env.play.questions import Refused

LONGEST = 2000  # characters; real messages have at most about 150
_MOST = 2**31


@dataclass(frozen=True)
class Program:
    """{"type": "program", "number", "robot", "slots": five hand slots, null where a register takes no card}, and
    perhaps "power_down": true."""

    number: int
    robot: int
    slots: tuple[int | None, ...]
    power_down: bool = False


@dataclass(frozen=True)
class Draft(Program):
    """{"type": "draft", "number", "robot", "slots", and perhaps "power_down"}: the cards placed so far, as in a
    program; what the timer finds when it runs out."""


@dataclass(frozen=True)
class Choice:
    """{"type": "choice", "number", "robot", "option"}, and perhaps "rest": true, the same answer whenever this is asked
    again in the round."""

    number: int
    robot: int
    option: int
    rest: bool = False


@dataclass(frozen=True)
class Shown:
    """{"type": "shown", "items"}: the number of received items that the page has shown."""

    items: int


@dataclass(frozen=True)
class Rematch:
    """{"type": "rematch"}: another race with the same players, after one that is over."""


@dataclass(frozen=True)
class Trial:
    """{"type": "ghost", "number", "robot", "slots": as in a program, null for an empty register}: where would
    that take the robot alone?"""

    number: int
    robot: int
    slots: tuple[int | None, ...]


@dataclass(frozen=True)
class Advice:
    """{"type": "hint", "number", "robot"}: which program or upgrade would a search choose?"""

    number: int
    robot: int


Message = Program | Draft | Choice | Shown | Rematch | Trial | Advice
MESSAGES: dict[str, type[Message]] = {  # by their `type`; the other keys are the fields
    "program": Program,
    "choice": Choice,
    "shown": Shown,
    "rematch": Rematch,
    "draft": Draft,
    "ghost": Trial,
    "hint": Advice,
}


def parse(text: str | bytes) -> Message:
    """The message of a text.

    Raises:
        Refused: for a text that is too long or not JSON, an unknown type or key, a missing or wrong value.
    """
    if not isinstance(text, str):
        raise Refused("message: expected text, got bytes")
    if len(text) > LONGEST:
        raise Refused(f"message: expected at most {LONGEST} characters, got {len(text)}")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused(f"message: not JSON: {_short(text)}") from None
    if not isinstance(data, dict):
        raise Refused(f"message: expected an object, got {_short(data)}")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in MESSAGES:
        raise Refused(f"message: type: expected {', '.join(MESSAGES)}, got {_short(kind)}")
    names = [field.name for field in fields(MESSAGES[kind])]
    for key in data:
        if key not in ("type", *names):
            raise Refused(f"{kind}: unknown key {_short(key)}; expected {', '.join(('type', *names))}")
    return MESSAGES[kind](*(_READERS[name](kind, data, name) for name in names))


def _slots(kind: str, data: JsonObject, key: str) -> tuple[int | None, ...]:
    slots = data.get(key)
    if not isinstance(slots, list) or len(slots) != REGISTERS or not all(s is None or _is_whole(s) for s in slots):
        raise Refused(f"{kind}: {key}: expected {REGISTERS} hand slots or nulls, got {_short(slots)}")
    return tuple(slots)


def _flag(kind: str, data: JsonObject, key: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise Refused(f"{kind}: {key}: expected true or false, got {_short(value)}")
    return value


def _whole(kind: str, data: JsonObject, key: str) -> int:
    value = data.get(key)
    if not _is_whole(value):
        raise Refused(f"{kind}: {key}: expected a whole number, got {_short(value) if key in data else 'nothing'}")
    return int(value)  # type: ignore[arg-type]  # a whole number


_READERS: dict[str, Function] = {
    "number": _whole, "robot": _whole, "option": _whole, "items": _whole, "slots": _slots, "power_down": _flag,
    "rest": _flag,
}  # fmt: skip


def _is_whole(value: object) -> bool:
    return type(value) is int and 0 <= value < _MOST


def _short(value: object) -> str:
    """The value as short text for a sentence."""
    try:
        text = value if isinstance(value, str) else json.dumps(value)
    except RecursionError:  # writing needs a little more depth than reading
        text = "something too deep"
    text = "".join(c if c.isprintable() else "?" for c in text[:60])
    return repr(text) if isinstance(value, str) else text
