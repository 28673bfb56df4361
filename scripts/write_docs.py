"""Write the pages of docs/ that come from the tables that the simulator itself uses, and draw docs/gallery.md.

Tests hold them together.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from docs_2005 import decisions_2005, options_page
from docs_2023 import decisions_2023, edition_page
from docs_community import decisions_community
from docs_community import edition_page as community_page
from docs_gallery import files as gallery

from roborally_env.cards.listing import list_cards
from roborally_env.cards.rulings_2016 import FOR_EVERY_UPGRADE
from roborally_env.core import cards, choices, upgrades
from roborally_env.core.log import TABLE as EVENTS
from roborally_env.core.rule_options import EDITION_RULES
from roborally_env.core.seeing import observe
from roborally_env.core.state import COMPLETE, LIGHTER

DOCS = Path(__file__).parent.parent / "docs"
UPGRADES = [card for card in list_cards("2016") if card.cost is not None]
ASKED = {card.name: card for card in UPGRADES if card.decision}

# decisions that belong to no upgrade: when they are asked, their choices, what is done where they are not asked
OTHERS = {
    "program": ("programming phase", "which hand slot goes into each register", "always asked"),
    "reboot_facing": ("put down after a reboot", "N, E, S, W", "the token's arrow; on a start space the start facing"),
    "damage_kind": (
        "the damage pile that is due is empty, and more than one other is not",
        ", ".join(cards.DAMAGE_NAMES),
        "Trojan Horse, Virus, Worm, SPAM, the first that is left",
    ),
    "buy_upgrade": ("upgrade phase, with energy for a card of the shop", "no, or the upgrade", "always asked"),
    "replace_upgrade": (
        "buying at three of a type",
        "the owned upgrade of that type that goes",
        "the cheapest, the first in printed order",
    ),
}

# the moments of a round at which players are asked, and what in which order
MOMENTS = (
    ("Upgrade phase, one player after the other in turn order", ("buy_upgrade", "replace_upgrade")),
    (
        "Hands are drawn; one player after the other in the order of the upgrade phase, from the start again as long "
        "as something was used",
        ("cache_memory", "defrag_gizmo", "memory_swap", "recharge", "recompile", "spam_blocker"),
    ),
    ("All players at once", ("program",)),
    ("What is left of the hand, in that order", ("cache_memory",)),
    (
        "A register begins: its cards are revealed, priority is measured; one player after the other in measured order",
        ("admin_privilege", "deflector_shield", "manual_sort"),
    ),
    (
        "A robot's turn, before its card, again as long as something was used",
        ("boink", "reboot", "recharge", "refresh", "zoop"),
    ),
    ("Its card is a choice", ("weasel_routine", "sandbox_routine")),
    ("Its card is a move (the first two: a Move 1)", ("brakes", "crab_legs", "teleporter")),
    ("A step meets a robot", ("side_arms",)),
    ("A step has moved a robot that it touched", ("blue_screen_of_death", "modular_chassis", "corruption_wave")),
    (
        "After its card (also where the register is empty), again as long as something was used",
        ("boink", "hack", "reboot", "recharge", "zoop"),
    ),
    ("Robot lasers, one shooter after the other in turn order", ("rail_gun", "rear_laser")),
    (
        "All hits are found; one shooter after the other, hit by hit",
        ("blue_screen_of_death", "mini_howitzer", "corruption_wave"),
    ),
    ("All damage is dealt; one shooter after the other, hit by hit", ("pressor_beam", "tractor_beam")),
    ("Whenever it happens", ("reboot_facing", "damage_kind")),
)


# -- docs/observations.md


def observations() -> str:
    """The page on what an agent sees."""
    return "\n".join(
        (
            OBSERVATIONS,
            *_symbolic("Edition 2016, with upgrades", COMPLETE, range(2, 7)),
            *_symbolic("Edition 2016, the lighter game", LIGHTER, range(2, 7)),
            *_symbolic("Edition 2023", "2023", range(2, 7)),
            *_symbolic("Edition 2005", "2005", range(2, 9)),
            *_symbolic("Edition community", "community", range(2, 7)),
            *_decisions(),
            *decisions_2023(),
            *decisions_2005(),
            *decisions_community(),
            *_planes(),
            REWARDS,
            *_rule_options(),
            *_events(),
        )
    )


OBSERVATIONS = """\
# Observations

Written by `python scripts/write_docs.py` from the tables in `roborally_env/core`.

Everything is seen from the own robot, heading up. In 2016 discard piles, the shop and everybody's upgrades lie open
on the table; of another player's cards in hand, face-down registers and draw pile a player knows the union,
not the split. The order of piles is in no observation, but for the cards that lie known on the own deck.
In 2005 options, damage, lives, archive markers, locked and revealed registers lie open; others' hands, face-down
registers and cards on their options do not. A robot that is off the board sees from its archive marker.
By community rules damage, ramps, upgrades, discard piles, locked and revealed registers lie open. A robot that is off
the board sees nothing around it.

In 2023 installed upgrades and the upgrade discard pile lie open, and how many upgrades each player has collected;
which they are only their owner sees.

There are five layouts: that of the complete 2016 game, which is played unless told otherwise, that of the
lighter game, `rules={"upgrades": False}`, that of the 2023 edition, that of the 2005 edition, and that of the community
edition (with and without its upgrade phase).

## `symbolic`: a float32 vector

P is the number of robots. `others` has a row for each other robot, in seat order after the own seat.
"""

REWARDS = """\
## `dict`

The parts of the symbolic vector by name, each in its own shape.

## Rewards

| name | meaning |
| --- | --- |
| `race` | at the end: from 1 for the first to -1 for the last, zero in sum; players level share the mean of \
their places. Where there are teams, it is that of the team among the teams |
| `progress` | checkpoints (flags) reached in the step, in parts of the course's |
| `shaped` | `race` plus discount x potential after - potential before; the potential is minus the belt-aware distance \
still to go, / 32 registers, and 0 after a finished race (Ng, Harada, Russell 1999: the optimal policy stays the same) |
"""


def _symbolic(title: str, game: str, players: Iterable[int]) -> Iterator[str]:
    """The table of one layout of the symbolic vector."""
    sizes = ", ".join(f"{observe.symbolic_size(p, game)} for {p}" for p in players)
    yield from (f"### {title}", "", f"Numbers in all, by robots: {sizes}.", "")
    if game != LIGHTER:
        longer = ", ".join(f"{observe.symbolic_size(p, game, True)} for {p}" for p in players)
        yield from (f'With `decisions="all"` the vector goes on after `others`, in all {longer}.', "")
    yield from ("| from | name | shape | meaning |", "| ---: | --- | --- | --- |")
    at, fixed = 0, True  # behind `others` the place depends on the number of players
    for name, shape, meaning in observe.parts_of(game, game != LIGHTER):
        size = " x ".join("P - 1" if n < 0 else str(n) for n in shape)
        yield f"| {at if fixed else ''} | `{name}` | {size} | {meaning} |"
        fixed = fixed and min(shape) > 0
        at += int(np.prod([n for n in shape if n > 0]))
    yield ""


def _decisions() -> Iterator[str]:
    """Decisions in the order of their one-hot, and what their options mean."""
    full, light = observe.layout_of(COMPLETE), observe.layout_of(LIGHTER)
    yield f"""\
## Decisions, options and the action: edition 2016

`asked` tells in the order of this list what is asked of the seat, `options` the legal options by number; both are
there with `decisions="all"`. In the lighter game `decision` has the first three. Where programs and purchases alone
are asked, `decision` says which, and `shop` which cards may be bought.

The action is `MultiDiscrete([{full.slots}] * 5 + [{full.option_count + 1}])`:
a hand slot for each register, and a choice: 0 nothing to choose, else 1 + the option's number; its mask is laid out
likewise. In the lighter game it is `MultiDiscrete([{light.slots}] * 5)`, and with `decisions="all"`
`MultiDiscrete([{light.slots}] * 5 + [{light.option_count + 1}])`. What is asked when: [upgrades.md](upgrades.md).

| place | decision | options |
| ---: | --- | --- |"""
    for kind, name in enumerate(choices.NAMES[1 : choices.KINDS_2016], 1):
        yield f"| {kind - 1} | `{name}` | {_options(kind, name)} |"
    yield from ("", f"Cards by number: {_numbered(cards.NAMES)}.")
    yield from ("", f"Upgrades by number: {_numbered(upgrades.NAMES)}.", "")


def _options(kind: int, name: str) -> str:
    """What the options of a decision mean, by number."""
    if kind == choices.PROGRAM:
        return "none: the registers are the answer"
    if name not in OTHERS and name not in ASKED:
        return "never asked"
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


def _numbered(names: Sequence[str]) -> str:
    return ", ".join(f"{i} `{name}`" for i, name in enumerate(names) if i)


def _planes() -> Iterator[str]:
    yield f"""\
## `planes`: a uint8 window of {observe.WINDOW} x {observe.WINDOW} cells x {observe.DEPTH} planes

The own robot stands in the middle and heads up (row 0 lies ahead). Channels come last; the planes are the same
in both games of 2016 and in 2023. The `features` beside them are the symbolic vector.

| plane | name | meaning |
| ---: | --- | --- |"""
    yield from (f"| {i} | `{name}` | {meaning or 'likewise'} |" for i, (name, meaning) in enumerate(observe.PLANES))
    for words, game in (("In 2005", "2005"), ("By community rules", "community")):
        rows = [(i, *own) for i, own in enumerate(observe.planes_of(game)) if own != observe.PLANES[i]]
        yield from ("", f"{words} some of them mean something else:", "", "| plane | name | meaning |")
        yield "| ---: | --- | --- |"
        yield from (f"| {i} | `{name}` | {meaning} |" for i, name, meaning in rows)
    yield ""


def _rule_options() -> Iterator[str]:
    yield from ("## Rule options", "", "| edition | option | values, the default first | meaning |")
    yield "| --- | --- | --- | --- |"
    for edition, options in EDITION_RULES.items():
        for name, option in options.items():
            yield f"| {edition} | `{name}` | {_codes(map(str, option.values))} | {option.meaning} |"
    yield ""


def _events() -> Iterator[str]:
    yield from ("## Events of a scenario or replay", "", "| kind | robot | more |", "| --- | --- | --- |")
    for _, kind, robot, more in EVENTS:
        yield f"| `{kind}` | {robot} | {_codes(name.removesuffix('_cell') for name in more)} |"
    yield ""


# -- docs/upgrades.md


def upgrades_page() -> str:
    """The page on upgrades: the phase, the cards, the decisions."""
    return "\n".join(
        (
            PHASE,
            *_upgrade_table("permanent"),
            *_upgrade_table("temporary"),
            *_special_cards(),
            "## Rulings, card by card",
            "",
            *(f"- **{card.title}.** {' '.join(card.rulings)}" for card in UPGRADES),
            "",
            *_when_asked(),
            *_all_decisions(),
        )
    )


EVERY = "\n".join(f"- {ruling}" for ruling in FOR_EVERY_UPGRADE)
PHASE = f"""\
# Upgrades

Written by `python scripts/write_docs.py` from the tables in `roborally_env`. `roborally cards` prints the same, with
the programming and damage cards; the R numbers are those of [rulings.md](rulings.md).

## The upgrade phase

- Every round begins with it. Priority is measured. The shop holds as many cards as there are players: open slots
  are filled, and where nobody bought in the last phase the whole row leaves the game for a new one.
- In priority order each player may buy one card that it can pay for (`buy_upgrade`). Each purchase is a decision of
  its own, also with `decisions="program"`: a step in which one agent is asked. The energy goes to the bank.
- A robot has three permanent and three temporary upgrades at most; at three a purchase replaces one of that type
  (`replace_upgrade`). A permanent card acts to the end of the race, a temporary one once.
- A routine puts its special card into the discard pile at once and leaves the game.

For every upgrade:

{EVERY}

With `decisions="program"` nothing but programs and purchases is asked: the last column says what is done then.

The value of a card, from 0 to {max(upgrades.VALUES)}, comes from how often its owners won. `greedy` and `planner` buy
by it, nothing of value 0, and in 2023 the default policy installs by it.
"""


def _upgrade_table(kind: str) -> Iterator[str]:
    yield from (f"## {kind.capitalize()} upgrades", "")
    yield '| card | cost | value | when | rule | decision | choices | with `decisions="program"` |'
    yield "| --- | ---: | ---: | --- | --- | --- | --- | --- |"
    for card in UPGRADES:
        if card.type == kind:
            decision = f"`{card.decision}`" if card.decision else ""
            value = upgrades.TABLE[upgrades.NUMBERS[card.name] - 1].value
            cells = (
                card.title, str(card.cost), str(value), card.when, card.rule, decision, card.choices, card.default
            )  # fmt: skip
            yield f"| {' | '.join(cells)} |"
    yield ""


def _special_cards() -> Iterator[str]:
    yield from ("## Special programming cards", "", "| card | rule | rulings |", "| --- | --- | --- |")
    for card in list_cards("2016", "special"):
        yield f"| {card.title} | {card.rule} | {' '.join(card.rulings)} |"
    yield ""


def _when_asked() -> Iterator[str]:
    """The moments of a round in order."""
    named = {name for _, names in MOMENTS for name in names}
    assert named == {*OTHERS, *ASKED}, named ^ {*OTHERS, *ASKED}
    yield """\
## What is asked when

In a game with `decisions="all"`, each question where it can change anything (R53), in this order:
"""
    yield from (f"{i}. {moment}: {_codes(names)}." for i, (moment, names) in enumerate(MOMENTS, 1))
    yield ""


def _all_decisions() -> Iterator[str]:
    """Every decision of the game."""
    yield """\
## All decisions

Named so in `info`, in replays and in scenario files. An env asks for cards that go on top one by one, a scenario
takes them as one list. Numbers of options: [observations.md](observations.md).

| decision | asked | choices | with `decisions="program"` |
| --- | --- | --- | --- |"""
    yield from (f"| `{name}` | {' | '.join(row)} |" for name, row in OTHERS.items())
    for name, card in ASKED.items():
        yield f"| `{name}` | {card.when.removeprefix('when bought; ')} | {card.choices} | {card.default} |"
    yield ""


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


PAGES = {
    "observations.md": observations,
    "upgrades.md": upgrades_page,
    "options.md": options_page,
    "edition_2023.md": edition_page,
    "edition_community.md": community_page,
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
    for name, text in gallery().items():
        (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / name).write_text(text, encoding="utf-8")
