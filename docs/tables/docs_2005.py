"""The tables of docs/ that are of the 2005 edition."""

from collections.abc import Iterator

from docs_2016 import numbered
from docs_tables import actions

from roborally_env.cards.listing import list_cards
from roborally_env.cards.option_names import BY_HAND
from roborally_env.core import choices, options
from roborally_env.core.seeing import observe
from roborally_env.courses import special_table

OPTIONS = list_cards("2005", "option")
FIRE_CONTROL = choices.OPTION + options.FIRE_CONTROL

# decisions that belong to no option: when they are asked, their choices, what is done where they are not asked
OTHERS_2005 = {
    "program": ("programming", "which hand slot goes into each register that is not locked", "always"),
    "power_down": (
        "after programming, of a damaged robot that is not powered down",
        "no, yes",
        "with the program: the action's last component",
    ),
    "stay_down": ("clean-up, of a robot that is powered down", "no, yes", "no"),
    "reenter_powered_down": ("a destroyed robot comes back", "no, yes", "no"),
    "reentry_cell": (
        "re-entry, if a robot stands on the archive space, or a robot is put down in its home rows (Capture the Flag)",
        "a free space next to it; in home rows a column",
        "the first, row by row from the north-west; in home rows the first free space from the start space on",
    ),
    "reentry_row": ("after that column", "a row", "the first free space"),
    "reboot_facing": ("re-entry", "N, E, S, W, as far as allowed", "the start facing, else the next one clockwise"),
    "option_for_damage": (
        "a damage token is due, of a robot with options",
        "no, or the option that is discarded instead",
        "with seven tokens or more the option of lowest value, else no",
    ),
    "option_lost": ("a robot with several options is destroyed", "the option", "the option of lowest value"),
    "keep_option": ("set-up of Tricksy", "one of three options", "the option of highest value"),
    "set_aside": (
        "before programming, with more than nine cards in the hand (in environments)",
        "the card that is set aside",
        "the card with the lowest number of the most frequent kind",
    ),
    "home_board": ("set-up of Capture the Flag", "first, second", "first"),
}


def action_space() -> Iterator[str]:
    """What an agent gives, by what is asked."""
    at = observe.layout_of("2005")
    yield from actions(("2005", "program", at.slots, 2), ("2005", "all", at.slots, at.option_count + 1))


def decisions() -> Iterator[str]:
    """Decisions in the order of their one-hot, and what their options mean."""
    yield from ("| place | decision | options |", "| ---: | --- | --- |")
    for place, kind in enumerate((choices.REBOOT_FACING, *range(choices.KINDS_2016, choices.LAST_2005 + 1))):
        yield f"| {place} | `{choices.NAMES[kind]}` | {_choices_of(kind)} |"


def _choices_of(kind: int) -> str:
    """What the options of a decision mean, by number."""
    names = choices.OPTION_NAMES[kind]
    if kind > choices.OPTION and OPTIONS[kind - choices.OPTION - 1].decision is None:
        return "no decision"
    if kind in BY_HAND:
        later = f", {choices.USE} `yes`" if len(names) > choices.USE else ""
        return f"{'' if kind == choices.SET_ASIDE else '0 `no`, '}1 + a slot of the hand{later}"
    if kind == choices.REENTRY_CELL:
        return "0 to 7: the spaces next to the archive marker, clockwise from N; in home rows a column"
    if kind == choices.REENTRY_ROW:
        return "a row"
    if len(names) >= len(options.NAMES):
        rest = f", {choices.REGISTER_OPTION} + a register's number" if len(names) > len(options.NAMES) else ""
        none = "0 `no`, else " if kind in (choices.OPTION_FOR_DAMAGE, FIRE_CONTROL) else ""
        return f"{none}an option's number{rest}"
    return ", ".join(f"{i} `{name}`" for i, name in enumerate(names))


def option_table() -> Iterator[str]:
    """Every option card."""
    yield '| card | when | rule | decision | choices | with `decisions="program"` |'
    yield "| --- | --- | --- | --- | --- | --- |"
    for card in OPTIONS:
        decision = f"`{card.decision}`" if card.decision else ""
        yield f"| {' | '.join((card.title, card.when, card.rule, decision, card.choices, card.default))} |"


def other_decisions() -> Iterator[str]:
    """Every decision of the edition that belongs to no option."""
    named = {*choices.NAMES[choices.KINDS_2016 : choices.OPTION + 1], "program", "reboot_facing"}
    assert named == {*OTHERS_2005}, named ^ {*OTHERS_2005}
    yield from ('| decision | when | choices | with `decisions="program"` |', "| --- | --- | --- | --- |")
    yield from (f"| `{name}` | {' | '.join(row)} |" for name, row in OTHERS_2005.items())


TABLES = {
    "actions 2005": action_space,
    "decisions 2005": decisions,
    "numbers 2005": lambda: (f"Options by number: {numbered(options.NAMES)}.",),
    "rulings of every option": lambda: (f"- {ruling}" for ruling in OPTIONS[0].every),
    "options": option_table,
    "rulings 2005": lambda: (f"- **{card.title}.** {' '.join(card.rulings)}" for card in OPTIONS),
    "other decisions 2005": other_decisions,
    "special rules": lambda: special_table().splitlines(),
}
