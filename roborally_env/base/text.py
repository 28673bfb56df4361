"""Numbers in sentences, and values that users write as words."""

import math
import re
from collections.abc import Sequence

from roborally_env.base.terminal import printable


def counted(number: int, noun: str) -> str:
    """'1 race', '2 races', '1,000 races': the number with its noun, which takes an s unless there is one."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def joined(parts: Sequence[str], word: str = "and") -> str:
    """'a, b and c', with this word before the last part."""
    return f" {word} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def plain(text: object) -> str:
    """A text for matplotlib, of any origin: printable, and without the formulas that it reads between dollar signs."""
    return printable(str(text)).replace("$", r"\$")


def file_name(text: str) -> str:
    """A text, such as an agent's spec, as part of a file's name: other characters than letters, digits, `_.-` become
    underscores."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", text).strip("_")


def value_of(text: str) -> int | float | bool | str:
    """The text as a bool (`true`, `false`), an int, a float, or itself.

    Digits that are too many for a number stay a text: who checks the value then shows what was written.
    """
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for number in (int, float):
        try:
            found = number(text)
        except ValueError:
            continue
        return text if math.isinf(found) and any(map(str.isdigit, text)) else found
    return text
