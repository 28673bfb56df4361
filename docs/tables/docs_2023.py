"""The tables of docs/ that are of the 2023 edition."""

from collections.abc import Iterator

from docs_tables import actions

from roborally_env.core import choices
from roborally_env.core.editions.e2023.policy import WORTH_HAVING
from roborally_env.core.seeing import observe

# when each is asked, its choices, what is done with decisions="program"
DECISIONS = {
    "draw_upgrade": (
        "upgrade phase, if the player has drawn nothing in it so far, has energy, and a card is in the upgrade deck "
        "or its discard pile",
        "no, yes",
        f"yes, unless a card of value {WORTH_HAVING} or more lies in the collection",
    ),
    "install_upgrade": (
        "upgrade phase, if the player has installed nothing in it so far and has a card in the collection (R90)",
        "no, or the upgrade",
        f"the one of the highest value, if that is {WORTH_HAVING} or more, and more than that of the card it replaces",
    ),
    "replace_upgrade": (
        "installing a fourth card of a type",
        "the installed upgrade of that type that is replaced",
        "the one of the lowest value; among equals the first in printed order",
    ),
    "uninstall_upgrade": ("upgrade phase, if an upgrade is installed", "no, or the upgrade", "no"),
}


def action_space() -> Iterator[str]:
    """What an agent gives, by what is asked."""
    at = observe.layout_of("2023")
    yield from actions(("2023", "program", at.slots, 0), ("2023", "all", at.slots, at.option_count + 1))


def decisions() -> Iterator[str]:
    """Decisions beside those of 2016."""
    yield from ("| place | decision | options |", "| ---: | --- | --- |")
    for place, kind in enumerate(choices.KINDS_2023, choices.KINDS_2016 - 1):
        numbers = "0 `no`, 1 `yes`" if kind == choices.DRAW_UPGRADE else "0 `no`, else an upgrade's number"
        yield f"| {place} | `{choices.NAMES[kind]}` | {numbers} |"


def acts() -> Iterator[str]:
    """The acts of the upgrade phase."""
    yield from ('| decision | when | choices | with `decisions="program"` |', "| --- | --- | --- | --- |")
    yield from (f"| `{name}` | {' | '.join(row)} |" for name, row in DECISIONS.items())


TABLES = {"actions 2023": action_space, "decisions 2023": decisions, "acts 2023": acts}
