"""The tables of docs/cards.md: every card of each edition under a heading of its own, which a search finds."""

from collections.abc import Iterator

from docs_tables import codes

from roborally_env.cards.listing import Card, list_cards

# edition -> the edition whose cards its table leaves out where they are the same
OWN = {"2016": "2016", "2005": "2005", "community": "2016"}


def rows(edition: str) -> Iterator[str]:
    """The cards of an edition; in the community edition those that are not, or not quite, as in 2016."""
    before = {(card.name, card.rule) for card in list_cards(OWN[edition]) if OWN[edition] != edition}
    for card in list_cards(edition):
        if (card.name, card.rule) not in before:
            yield from _card(card)


def _card(card: Card) -> Iterator[str]:
    special = ", special card" if card.type == "special" else ""  # an upgrade has the same name
    yield from (f"### {card.title}{special} ({card.edition})", "")
    yield f"{codes([card.name])}, {', '.join(_facts(card))}. {card.rule}"
    if card.decision:
        yield f"It is asked as `{card.decision}`: {card.choices}; otherwise: {card.default}."
    yield from ("", *(f"- {ruling}" for ruling in card.rulings))
    if card.rulings:
        yield ""


def _facts(card: Card) -> Iterator[str]:
    yield card.type
    if card.cost is not None:
        yield f"cost {card.cost}"
    if card.count > 1:
        yield f"{card.count} of them"
    if card.numbers:
        yield f"priority {card.numbers}"
    if card.when:
        yield f"acts: {card.when}"


TABLES = {f"cards {edition}": lambda edition=edition: rows(edition) for edition in OWN}
