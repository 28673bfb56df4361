"""Write docs/observations.md from the tables that the simulator itself uses. A test holds the two together."""

from pathlib import Path

from roborally_env.core import observe
from roborally_env.core.log import TABLE as EVENTS
from roborally_env.core.rules import EDITION_RULES

DOCS = Path(__file__).parent.parent / "docs"


def observations() -> str:
    """The page on what an agent sees."""
    lines = [
        "# Observations",
        "",
        "Written by `python scripts/write_docs.py` from the tables in `roborally_env/core/observe.py`.",
        "",
        "Everything is seen from the own robot, heading up. Discard piles lie open on the table; of another",
        "player's cards in hand, face-down registers and draw pile a player knows the union, not the split.",
        "The order of piles is in no observation.",
        "",
        "## `symbolic`: a float32 vector",
        "",
        "P is the number of players; the vector has `symbolic_size(P)` numbers: "
        + ", ".join(f"{observe.symbolic_size(p)} for {p}" for p in range(2, 7))
        + ".",
        "",
        "| from | name | shape | meaning |",
        "| ---: | --- | --- | --- |",
    ]
    for name, shape, meaning in observe.PARTS:
        size = " x ".join("P - 1" if n < 0 else str(n) for n in shape)
        lines.append(f"| {observe.OFFSETS[name]} | `{name}` | {size} | {meaning} |")
    lines += [
        "",
        f"## `planes`: a uint8 window of {observe.WINDOW} x {observe.WINDOW} cells x {observe.DEPTH} planes",
        "",
        "The own robot stands in the middle and heads up (row 0 lies ahead). Channels come last. The `features` beside",
        "it are the symbolic vector.",
        "",
        "| plane | name | meaning |",
        "| ---: | --- | --- |",
    ]
    lines += [f"| {i} | `{name}` | {meaning or 'likewise'} |" for i, (name, meaning) in enumerate(observe.PLANES)]
    lines += [
        "",
        "## `dict`",
        "",
        "The parts of the symbolic vector by name, each in its own shape.",
        "",
        "## Rewards",
        "",
        "| name | meaning |",
        "| --- | --- |",
        "| `race` | at the end: from 1 for the first to -1 for the last, zero in sum; players level share the mean of "
        "their places |",
        "| `progress` | checkpoints reached in the step, in parts of the course's checkpoints |",
        "| `shaped` | `race` plus discount x potential after - potential before; the potential is minus the belt-aware "
        "distance still to go, / 32 registers, and 0 after a finished race "
        "(Ng, Harada, Russell 1999: the optimal policy stays the same) |",
        "",
        "## Rule options",
        "",
        "| edition | option | values, the default first | meaning |",
        "| --- | --- | --- | --- |",
    ]
    for edition, options in EDITION_RULES.items():
        for name, option in options.items():
            lines.append(f"| {edition} | `{name}` | {', '.join(f'`{v}`' for v in option.values)} | {option.meaning} |")
    lines += ["", "## Events of a scenario or replay", "", "| kind | robot | more |", "| --- | --- | --- |"]
    lines += [f"| `{kind}` | {robot} | {_names(more)} |" for _, kind, robot, more in EVENTS]
    return "\n".join(lines) + "\n"


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name.removesuffix('_cell')}`" for name in names)


if __name__ == "__main__":
    (DOCS / "observations.md").write_text(observations(), encoding="utf-8")
