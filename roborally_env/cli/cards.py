"""`roborally cards`."""

import dataclasses
from collections.abc import Iterable

import click
from rich.console import Console
from rich.table import Table

from roborally_env.base.terminal import print_lines
from roborally_env.base.types import JsonObject
from roborally_env.cards.listing import TYPES, Card, find_cards, list_cards
from roborally_env.cli.console import print_json
from roborally_env.cli.tables import LEAST, columns_of_terminal

WIDTH = 160  # columns if the output is not a terminal
WIDE = 120  # columns from which on every fact has a column of its own


@click.command()
@click.argument("name", nargs=-1, metavar="[NAME]")
@click.option("--edition", metavar="E", help="List only the cards of this edition.")
@click.option("--type", "kind", metavar="T", help=f"List only cards of this type: {', '.join(TYPES)}.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else: a list of cards.")
def cards(name: tuple[str, ...], edition: str | None, kind: str | None, as_json: bool) -> None:
    """List the cards with cost or priority numbers, rule and rulings, or show everything about the card NAME.

    Names may be written as "Rail Gun", rail-gun or rail_gun.
    """
    found = find_cards(" ".join(name), edition, kind) if name else list_cards(edition, kind)
    if as_json:
        print_json([_as_json(card) for card in found])
        return
    console = Console(width=columns_of_terminal() or WIDTH)
    if name:
        for card in found:
            console.print(_in_full(card), markup=False, highlight=False)
        return
    if not found:
        types = ", ".join(dict.fromkeys(card.type for card in list_cards(edition)))
        print_lines(f"edition {edition} has no cards of type {kind}; it has {types}")
    for each in dict.fromkeys(card.edition for card in found):
        own = [card for card in found if card.edition == each]
        console.print(_listed(f"Edition {each}", own, console.width >= WIDE))
    for what, rulings in dict.fromkeys((_kind(card), card.every) for card in found if card.every):
        console.print(f"Every {what}:", *rulings, sep="\n  ", markup=False, highlight=False)


def _kind(card: Card) -> str:
    """What cards like this one are called."""
    return "upgrade" if card.cost is not None else card.type


def _as_json(card: Card) -> JsonObject:
    """Every fact as JSON values, with priority numbers if there are any."""
    facts = dataclasses.asdict(card)
    del facts["every"]
    if not card.numbers:
        del facts["numbers"]
    return facts


def _listed(title: str, found: Iterable[Card], wide: bool) -> Table:
    """A table with one row for each card and one section for each type; in a narrow terminal with only two columns."""
    table = Table(title=title, title_justify="left", expand=True)
    found = list(found)
    numbered = any(card.numbers for card in found)
    table.add_column("card", no_wrap=True)
    if wide:
        table.add_column("type", no_wrap=True)
        for head in ("count", "numbers" if numbered else "cost"):
            table.add_column(head, justify="right", no_wrap=True)
        for head, share in (("when", 2), ("rule", 4), ("rulings", 9)):
            table.add_column(head, ratio=share, min_width=LEAST, overflow="fold")
    else:
        table.add_column("rule and rulings", ratio=1, overflow="fold")
    last = ""
    for card in found:
        if last and card.type != last:
            table.add_section()
        last = card.type
        cost = card.numbers if card.cost is None else str(card.cost)
        rulings = "\n".join(card.rulings)
        if wide:
            table.add_row(card.title, card.type, str(card.count), cost, card.when, card.rule, rulings)
        else:
            under = f"{card.type}, {card.count}" if card.cost is None else f"{card.type}, cost {cost}"
            under += f", {card.numbers}" if card.numbers else ""
            rule = f"{card.when}: {card.rule}" if card.when else card.rule
            table.add_row(f"{card.title}\n{under}", "\n".join((rule, *card.rulings)))
    return table


def _in_full(card: Card) -> Table:
    """Everything about one card."""
    table = Table(title=f"{card.title} (edition {card.edition})", title_justify="left", show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    for head, text in _facts(card):
        if text:
            table.add_row(head, text)
    return table


def _facts(card: Card) -> list[tuple[str, str]]:
    upgrade = card.cost is not None
    each = "in the deck of each robot" if card.type == "programming" else "in the box"
    if card.numbers or card.type == "option":  # one deck for all robots
        each = "in the deck"
    return [
        ("name", card.name),
        ("type", card.type),
        ("count", f"{card.count} {each}"),
        ("cost", f"{card.cost} energy cube{'s' * (card.cost != 1)}" if upgrade else ""),
        ("numbers", card.numbers),
        ("when", card.when),
        ("rule", card.rule),
        ("rulings", "\n".join(card.rulings)),
        ("decision", card.decision or "none"),
        ("choices", card.choices),
        ('with decisions="program"', card.default),
        (f"every {_kind(card)}", "\n".join(card.every)),
    ]
