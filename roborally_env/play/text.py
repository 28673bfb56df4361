"""Questions to players as sentences, and the titles of answers."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from roborally_env.base.texts import read_texts
from roborally_env.base.types import Record
from roborally_env.cards.listing import Card, list_cards
from roborally_env.cards.option_names import is_placing_at_home
from roborally_env.core import cards, cards2005, choices, options, upgrades
from roborally_env.core.state import Kind

TEXTS = read_texts(Path(__file__).with_name("questions.toml"))
_UPGRADE_NAMES = frozenset(choices.OPTION_NAMES[choices.REPLACE_UPGRADE])
# decisions that are answered by an upgrade
_OF_UPGRADES = (
    choices.BUY_UPGRADE, choices.REPLACE_UPGRADE, choices.INSTALL_UPGRADE, choices.UNINSTALL_UPGRADE,
    choices.UPGRADE + upgrades.MODULAR_CHASSIS,
)  # fmt: skip


def program_sentence(to_fill: int, closed: int) -> str:
    """The sentence that asks for a program."""
    words = ("no card", "one card", "two cards", "three cards", "four cards", "five cards")
    asked = f"Program your robot: place {words[to_fill]}"
    if closed:
        return f"{asked}; {closed} register{' is' if closed == 1 else 's are'} locked."
    return f"{asked}."


def sentence(game: Record, kind_of_game: Kind, about: str) -> str:
    """The open question of a record in words. `about` is the name of the robot that it concerns, or empty."""
    kind, seat = int(game["ask_kind"]), int(game["ask_seat"])
    tables = [TEXTS["question"]]
    if kind_of_game.has("damage"):
        archives = kind_of_game.has("archive")
        tables.insert(0, TEXTS["question_with_archives" if archives else "question_without_archives"])
    if kind == choices.REENTRY_CELL and is_placing_at_home(game):
        tables.insert(0, TEXTS["question_at_home"])
    for texts in tables:
        if (found := texts.get(choices.NAMES[kind])) is not None:
            energy = int(game["energy"][seat]) if kind_of_game.has("energy") else 0
            return found.format(energy=f"{energy} energy cube{'s' * (energy != 1)}")
    card = card_of(kind, kind_of_game.edition)
    assert card is not None  # every other decision is that of a card
    return f"{_card_question(game, kind, card.title, f' on {about}' if about else '')} {card.rule}"


def _card_question(game: Record, kind: int, title: str, target: str) -> str:
    """The question that a card asks, before its rule."""
    legal = int(game["ask_options"])
    if not choices.can_decline(kind, legal):
        if kind == choices.UPGRADE + upgrades.CACHE_MEMORY:
            return f"{title}: put another card on top of your deck?"
        if kind == choices.UPGRADE + upgrades.MEMORY_SWAP:
            return f"{title}: which card goes on top of your deck?"
        return f"{title}: which one?"
    names = {name for option, name in enumerate(choices.OPTION_NAMES[kind]) if legal >> option & 1} - {"no"}
    if names == {"yes"}:
        return f"Use {title}{target}?"
    return f"Use {title}{target}, and {_how(names)}?"


def _how(names: set[str]) -> str:
    """What is asked beside whether a card is used, by the names of the answers."""
    if names <= set("NESW"):
        return "which way"
    if names <= {"left", "right"}:
        return "to which side"
    if any(name.startswith("register_") for name in names):
        return "which register or option does it hit"
    return "which upgrade" if names <= _UPGRADE_NAMES else "with which card"


def card_of(kind: int, edition: str) -> Card | None:
    """The upgrade or option that a decision belongs to, or None."""
    return _asking(edition).get(choices.NAMES[kind]) if kind > choices.REPLACE_UPGRADE else None


@cache
def _asking(edition: str) -> dict[str, Card]:
    """The upgrades and options of an edition by name."""
    return {card.name: card for card in list_cards(edition) if card.cost is not None or card.type == "option"}


def answer_title(kind: int, name: str, kind_of_game: Kind) -> str:
    """The title of an answer; `name` as in `option_names`."""
    answers, decision = {"no": "answer_no", "none": "answer_no", "yes": "answer_yes"}, choices.NAMES[kind]
    if name in answers and decision in TEXTS[answers[name]]:
        return TEXTS[answers[name]][decision]
    if name in TEXTS["answer"]:
        return TEXTS["answer"][name]
    if name.startswith("register_"):
        return f"Register {name.removeprefix('register_')}"
    if kind == choices.REENTRY_CELL:
        return f"Space {name}" if "," in name else f"Column {name}"
    if kind == choices.REENTRY_ROW:
        return f"Row {name}"
    return card_title(name, kind_of_game)


def card_title(name: str, kind_of_game: Kind) -> str:
    """The printed name of a card, upgrade or option; a program card of 2005 also gets its number."""
    plain, _, number = name.partition(":")
    title = _titles(kind_of_game.edition).get(plain, plain)
    return f"{title} ({number})" if number else title


@cache
def _titles(edition: str) -> dict[str, str]:
    return {card.name: card.title for card in list_cards(edition)}


def card_hint(kind: int, name: str, kind_of_game: Kind) -> tuple[str, int | None]:
    """The rule and the cost of a card that can be chosen; ("", None) of other answers."""
    if kind in _OF_UPGRADES:
        card = _asking(kind_of_game.edition).get(name)
        return (_with_special(card, kind_of_game.edition), card.cost) if card else ("", None)
    of_options = (choices.OPTION_FOR_DAMAGE, choices.OPTION_LOST, choices.KEEP_OPTION)
    if kind in (*of_options, choices.OPTION + options.FIRE_CONTROL) and name in options.NUMBERS:
        return _asking(kind_of_game.edition)[name].rule, None
    return "", None


def lasting(name: str, kind_of_game: Kind) -> str:
    """Whether an upgrade is "permanent" or "temporary"."""
    return _asking(kind_of_game.edition)[name].type


def _with_special(upgrade: Card, edition: str) -> str:
    """The rule of an upgrade, with that of the special card which it puts into the deck."""
    special = next((card for card in list_cards(edition, "special") if f"card {card.title} " in upgrade.rule), None)
    return upgrade.rule if special is None else f"{upgrade.rule} The card: {special.rule}"


def programming_card(name: str) -> bool:
    """Whether a name is that of a card that lies in hands and registers."""
    plain = name.partition(":")[0]
    return (plain in cards.ALL_NAMES and plain != "none") or name in cards2005.NAMES[1:]
