"""The tables of docs/ that are of the community edition."""

from collections.abc import Iterator
from typing import Any

from docs_tables import actions, codes
from roborally_env.agents.power_down import FROM_TOKENS

from roborally_env.cards.listing import list_cards
from roborally_env.core import cards, choices, upgrades
from roborally_env.core.editions.community.damage import DESTRUCTION
from roborally_env.core.seeing import observe

HAND = 9  # cards of a robot without damage
OPEN = 5  # registers


def action_space() -> Iterator[str]:
    """What an agent gives."""
    at = observe.layout_of("community")
    yield from actions(("community", "any", at.slots, at.option_count + 1))


def decisions() -> Iterator[str]:
    """How the decisions and options of the community edition differ from those of 2016."""
    heal = f"option {upgrades.HEAL_ROUTINE} of `buy_upgrade`, its card number {cards.HEAL_ROUTINE}"
    yield from ("| what | number |", "| --- | --- |")
    yield f"| `power_down` | place {choices.POWER_DOWN - 1} of `asked`; 0 `no`, 1 `yes` |"
    yield f"| Heal Routine | {heal} |"
    yield f"| never for sale | {_names(_left_out())} |"


def _left_out() -> list[int]:
    """The upgrades of 2016 that are not in the deck."""
    return sorted(set(range(1, upgrades.HEAL_ROUTINE + 1)) - {int(u) for u in upgrades.COMMUNITY_DECK})


def _names(numbers: list[int]) -> str:
    return codes(upgrades.ALL_NAMES[number] for number in numbers)


def health() -> Iterator[str]:
    """Cards and locks by damage, ten tokens and fewer."""
    yield from ("| damage | health | cards in hand | locked registers |", "| ---: | ---: | ---: | --- |")
    for damage in range(DESTRUCTION):
        locked = range(HAND - damage + 1, OPEN + 1)
        yield f"| {damage} | {DESTRUCTION - damage} | {HAND - damage} | {', '.join(map(str, locked))} |"
    yield f"| {DESTRUCTION} | 0 | destroyed | |"


def deck() -> Iterator[str]:
    """What is in the upgrade deck, and the rulings of all its cards."""
    yield f"- The deck has {len(sold())} cards. Left out: {_names(_left_out())}."
    yield from (f"- {ruling}" for ruling in sold()[0].every)


def sold() -> list[Any]:
    """The cards of the upgrade deck."""
    return [card for card in list_cards("community") if card.cost is not None]


def upgrade_table() -> Iterator[str]:
    """The deck, with what is done where nothing but programs and purchases is asked."""
    yield from ('| card | type | cost | rule | with `decisions="program"` |', "| --- | --- | ---: | --- | --- |")
    yield from (f"| {card.title} | {card.type} | {card.cost} | {card.rule} | {card.default} |" for card in sold())


TABLES = {
    "actions community": action_space,
    "decisions community": decisions,
    "health": health,
    "deck community": deck,
    "upgrades community": upgrade_table,
    "power downs community": lambda: (f"A bot announces a power down from {FROM_TOKENS} damage on.",),
}
