"""Which tests show which ruling, read from the docstrings: the table at the end of README.md."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
README = HERE / "README.md"
HEADING = "| ruling | tests |\n| --- | --- |\n"
# the rulings that concern the 2016 edition
# fmt: off
RULINGS = (
    "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R10", "R11", "R12", "R13", "R15", "R16", "R17", "R17a", "R17b",
    "R18", "R19", "R20", "R23", "R24", "R25", "R25a", "R26", "R27", "R28", "R30", "R31", "R32", "R33", "R35", "R36",
    "R37", "R38", "R38a", "R41", "R42", "R44", "R45", "R46", "R47", "R48", "R49", "R50", "R51", "R52", "R53",
    "R94",
)
# fmt: on


def tests_by_ruling() -> dict[str, list[str]]:
    """Ruling -> `file::test` of each test whose docstring names it."""
    found: dict[str, list[str]] = {ruling: [] for ruling in RULINGS}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for ruling in sorted(set(re.findall(r"\bR\d+[ab]?\b", ast.get_docstring(node) or ""))):
                    found[ruling].append(f"{path.stem.removeprefix('test_')}::{node.name.removeprefix('test_')}")
    return found


def table() -> str:
    """The table as Markdown."""
    rows = (f"| {ruling} | {', '.join(names)} |\n" for ruling, names in tests_by_ruling().items())
    return HEADING + "".join(rows)


def update_readme() -> None:
    """Put the table in place of the one in README.md."""
    text = README.read_text(encoding="utf-8")
    README.write_text(text[: text.index(HEADING)] + table(), encoding="utf-8")
