"""Comparing an outcome with the `expect` of a scenario.

A card that is expected without a priority number is any card of its type: `move_1` stands for `move_1:650`.
"""

import json
from typing import Any

from roborally_env.base.errors import cut, listed


def differences(expected: Any, got: Any, path: str = "expect") -> list[str]:
    """One line for each place where `got` differs from `expected`; only the keys that `expected` names are compared."""
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            nothing = not expected and path.endswith("]")  # {} in a list compares nothing
            return [] if nothing else [f"{path}: expected an object, got {_shown(got)}"]
        lines = []
        for key, value in expected.items():
            if key not in got:
                lines.append(f"{path}.{cut(key)}: the outcome has no such key; it has {listed(got)}")
            else:
                lines += differences(value, got[key], f"{path}.{cut(key)}")
        return lines
    if isinstance(expected, list) and isinstance(got, list):
        if len(expected) != len(got):
            return [f"{path}: expected {len(expected)} entries {_shown(expected)}, got {len(got)} {_shown(got)}"]
        return [
            line
            for i, (e, g) in enumerate(zip(expected, got, strict=True))
            for line in differences(e, g, f"{path}[{i}]")
        ]
    if type(expected) is bool or type(got) is bool:
        same = expected is got
    elif isinstance(expected, str) and isinstance(got, str):
        same = expected == got or _same_cards(expected, got)
    else:
        same = expected == got
    return [] if same else [f"{path}: expected {_shown(expected)}, got {_shown(got)}"]


def _shown(value: Any) -> str:
    """A value as JSON, cut where it is long: two of them and their place are at most 300 characters."""
    return cut(json.dumps(value), 100)


def _same_cards(expected: str, got: str) -> bool:
    """Whether the cards of a register, in any order, are those expected, by number or by type."""
    if ":" not in got and "+" not in got:
        return False
    wanted, found = sorted(expected.split("+")), sorted(got.split("+"))
    return len(wanted) == len(found) and all(
        name in (card, card.partition(":")[0]) for name, card in zip(wanted, found, strict=True)
    )
