"""The tables of docs/ that are of the 2016 edition."""

from collections.abc import Iterator, Sequence

from docs_tables import actions, codes

from roborally_env.cards.listing import list_cards
from roborally_env.core import cards, choices, upgrades
from roborally_env.core.seeing import observe
from roborally_env.core.state import COMPLETE, LIGHTER

UPGRADES = [card for card in list_cards("2016") if card.cost is not None]
ASKED = {card.name: card for card in UPGRADES if card.decision}

# decisions that belong to no upgrade: when they are asked, their choices, what is done where they are not asked
OTHERS = {
    "program": ("programming phase", "which hand slot goes into each register", "always"),
    "reboot_facing": ("put down after a reboot", "N, E, S, W", "the token's arrow; on a start space the start facing"),
    "damage_kind": (
        "the damage pile from which a card is due is empty, and more than one other is not",
        ", ".join(cards.DAMAGE_NAMES),
        "Trojan Horse, Virus, Worm, SPAM, the first that is left",
    ),
    "buy_upgrade": ("upgrade phase, with energy for a card of the shop", "no, or the upgrade", "always"),
    "replace_upgrade": (
        "buying a fourth card of a type",
        "the owned upgrade of that type that is replaced",
        "the cheapest; among equals the first in printed order",
    ),
}

# the moments of a round at which players are asked, and what in which order
MOMENTS = (
    ("Upgrade phase, one player after the other in turn order", ("buy_upgrade", "replace_upgrade")),
    (
        "After hands are drawn, one player after the other in the order of the upgrade phase, again as long as "
        "something was used",
        ("cache_memory", "defrag_gizmo", "memory_swap", "recharge", "recompile", "spam_blocker"),
    ),
    ("All players at once", ("program",)),
    ("About the cards left in the hand, in the same order", ("cache_memory",)),
    (
        "When the cards of a register are revealed and priority is measured, one player after the other in measured "
        "order",
        ("admin_privilege", "deflector_shield", "manual_sort"),
    ),
    (
        "On a robot's turn before its card, again as long as something was used",
        ("boink", "reboot", "recharge", "refresh", "zoop"),
    ),
    ("If its card is a choice", ("weasel_routine", "sandbox_routine")),
    ("If its card is a move (the first two: a Move 1)", ("brakes", "crab_legs", "teleporter")),
    ("When a step meets a robot", ("side_arms",)),
    ("When a step has moved a robot that it touched", ("blue_screen_of_death", "modular_chassis", "corruption_wave")),
    (
        "After its card (also where the register is empty), again as long as something was used",
        ("boink", "hack", "reboot", "recharge", "zoop"),
    ),
    ("At robot lasers, one shooter after the other in turn order", ("rail_gun", "rear_laser")),
    (
        "When all hits are found, one shooter after the other, hit by hit",
        ("blue_screen_of_death", "mini_howitzer", "corruption_wave"),
    ),
    ("When all damage is dealt, one shooter after the other, hit by hit", ("pressor_beam", "tractor_beam")),
    ("Whenever they arise", ("reboot_facing", "damage_kind")),
)


def action_space() -> Iterator[str]:
    """What an agent gives, by game and by what is asked."""
    full, light = observe.layout_of(COMPLETE), observe.layout_of(LIGHTER)
    yield from actions(
        ("complete game", "any", full.slots, full.option_count + 1),
        ("lighter game", "program", light.slots, 0),
        ("lighter game", "all", light.slots, light.option_count + 1),
    )


def decisions() -> Iterator[str]:
    """Decisions in the order of their one-hot, and what their options mean."""
    yield from ("| place | decision | options |", "| ---: | --- | --- |")
    for kind, name in enumerate(choices.NAMES[1 : choices.KINDS_2016], 1):
        yield f"| {kind - 1} | `{name}` | {_options(kind, name)} |"


def _options(kind: int, name: str) -> str:
    """What the options of a decision mean, by number."""
    if kind == choices.PROGRAM:
        return "none: the registers are the answer"
    if name not in OTHERS and name not in ASKED:
        return "no decision"
    names = choices.OPTION_NAMES[kind]
    if name in ("cache_memory", "memory_swap"):
        last = f"{choices.DONE} `{names[choices.DONE]}`"
        if name == "memory_swap":
            return f"first 0 `no`, {last}; then three times a card's number, the first ends up on top"
        return f"0 `no` or a card's number; then a card's number or {last}; the first ends up on top"
    if names in (upgrades.NAMES, upgrades.ALL_NAMES):
        return "an upgrade's number" if name == "replace_upgrade" else "0 `no`, else an upgrade's number"
    offered = (ASKED[name].choices if name in ASKED else ", ".join(names)).split(", ")
    return ", ".join(f"{names.index(each)} `{each}`" for each in offered)


def numbers() -> Iterator[str]:
    """The numbers of cards and upgrades."""
    yield from (f"Cards by number: {numbered(cards.NAMES)}.", "", f"Upgrades by number: {numbered(upgrades.NAMES)}.")


def numbered(names: Sequence[str]) -> str:
    """Names with their numbers, from 1 on."""
    return ", ".join(f"{i} `{name}`" for i, name in enumerate(names) if i)


def upgrade_table(kind: str) -> Iterator[str]:
    """The upgrades of a type."""
    yield '| card | cost | value | when | rule | decision | choices | with `decisions="program"` |'
    yield "| --- | ---: | ---: | --- | --- | --- | --- | --- |"
    for card in UPGRADES:
        if card.type == kind:
            decision = f"`{card.decision}`" if card.decision else ""
            value = upgrades.upgrade(upgrades.NUMBERS[card.name]).value
            cells = (
                card.title, str(card.cost), str(value), card.when, card.rule, decision, card.choices, card.default
            )  # fmt: skip
            yield f"| {' | '.join(cells)} |"


def special_cards() -> Iterator[str]:
    """The cards that routines and upgrades bring."""
    yield from ("| card | rule | rulings |", "| --- | --- | --- |")
    for card in list_cards("2016", "special"):
        yield f"| {card.title} | {card.rule} | {' '.join(card.rulings)} |"


def moments() -> Iterator[str]:
    """The moments of a round in order."""
    named = {name for _, names in MOMENTS for name in names}
    assert named == {*OTHERS, *ASKED}, named ^ {*OTHERS, *ASKED}
    yield from (f"{i}. {moment}: {codes(names)}." for i, (moment, names) in enumerate(MOMENTS, 1))


def all_decisions() -> Iterator[str]:
    """Every decision of the game."""
    yield from ('| decision | when | choices | with `decisions="program"` |', "| --- | --- | --- | --- |")
    yield from (f"| `{name}` | {' | '.join(row)} |" for name, row in OTHERS.items())
    for name, card in ASKED.items():
        yield f"| `{name}` | {card.when.removeprefix('when bought; ')} | {card.choices} | {card.default} |"


TABLES = {
    "actions 2016": action_space,
    "decisions 2016": decisions,
    "numbers 2016": numbers,
    "rulings of every upgrade": lambda: (f"- {ruling}" for ruling in UPGRADES[0].every),
    "upgrades permanent": lambda: upgrade_table("permanent"),
    "upgrades temporary": lambda: upgrade_table("temporary"),
    "special cards": special_cards,
    "rulings 2016": lambda: (f"- **{card.title}.** {' '.join(card.rulings)}" for card in UPGRADES),
    "moments 2016": moments,
    "all decisions 2016": all_decisions,
}
