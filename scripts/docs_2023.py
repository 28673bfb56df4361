"""The parts of docs/observations.md that are of the 2023 edition, and the tables of docs/edition_2023.md."""

from collections.abc import Iterator

from roborally_env.core import choices
from roborally_env.core.editions.e2023.policy import WORTH_HAVING
from roborally_env.core.seeing import observe

# when each is asked, its choices, what is done with decisions="program"
DECISIONS = {
    "draw_upgrade": (
        "upgrade phase: nothing drawn in it so far, energy 1 or more, a card in the upgrade deck or its discard pile",
        "no, yes",
        f"yes, unless a card of value {WORTH_HAVING} or more lies in the collection",
    ),
    "install_upgrade": (
        "upgrade phase: nothing installed in it so far, a card of the collection that can be paid for",
        "no, or the upgrade",
        f"the one of the highest value, if that is {WORTH_HAVING} or more, and more than that of the card it replaces",
    ),
    "replace_upgrade": (
        "installing at three of a type",
        "the installed upgrade of that type that goes",
        "the one of the lowest value, the first in printed order",
    ),
    "uninstall_upgrade": ("upgrade phase: an upgrade is installed", "no, or the upgrade", "no"),
}


def decisions_2023() -> Iterator[str]:
    """Decisions beside those of 2016, and the action."""
    slots, count = observe.layout_of("2023").slots, observe.layout_of("2023").option_count
    yield f"""\
## Decisions, options and the action: edition 2023

With `decisions="program"` programs alone are asked: the action is `MultiDiscrete([{slots}] * 5)`. With
`decisions="all"` it is `MultiDiscrete([{slots}] * 5 + [{count + 1}])`, and `asked` goes on after the decisions of 2016
(`buy_upgrade` among them, which is never asked):

| place | decision | options |
| ---: | --- | --- |"""
    for place, kind in enumerate(choices.KINDS_2023, choices.KINDS_2016 - 1):
        numbers = "0 `no`, 1 `yes`" if kind == choices.DRAW_UPGRADE else "0 `no`, else an upgrade's number"
        yield f"| {place} | `{choices.NAMES[kind]}` | {numbers} |"
    yield ""


def edition_page() -> str:
    """The page on the 2023 edition."""
    rows = (f"| `{name}` | {' | '.join(row)} |" for name, row in DECISIONS.items())
    return "\n".join((HEAD, *rows, REST))


HEAD = """\
# The 2023 edition

Written by `python scripts/write_docs.py`.

`edition="2023"` is the 2016 race with the upgrade phase of the 2023 rulebook: the same boards, decks, damage cards,
upgrade cards and nineteen courses.

```python
from roborally_env import parallel_env

env = parallel_env("dizzy_highway", edition="2023", players=4)  # or "2023/dizzy_highway"; a course file of 2016 will do
observations, infos = env.reset(seed=42)
while env.agents:
    actions = {a: env.action_space(a).sample(observations[a]["action_mask"]) for a in env.agents}
    observations, rewards, terminations, truncations, infos = env.step(actions)
```

## The upgrade phase

Every round begins with it. In priority order each player may, in any order:

- draw the top card of the upgrade deck for one energy, once a phase. It goes into the player's collection, which has
  no limit; the others see how many cards it has, not which;
- install one card of the collection at its cost, once a phase, in the first round too. At three permanent or three
  temporary cards an installed one of that type is discarded for it;
- uninstall any number of installed cards.

Uninstalled and replaced cards, and temporary ones that were used, go to the upgrade discard pile, which lies open. It
is shuffled into a new deck when a card is to be drawn and the deck is empty. A routine puts its special card into the
robot's discard pile and is out of the game.

Robots begin with three energy. The track ends at ten: what is gained beyond is lost. Rule options: `start_energy` (3,
5), `most_energy` (10, `"unlimited"`), and those of 2016 but `upgrades`. Open points are settled in
[rulings.md](rulings.md), R80 to R87.

## Decisions

With `decisions="all"` a player is asked for all that it can do now, in the order of this table. After each act it is
asked for all of it anew; when it declines all of it, the next player follows. So every order can be played, and
nothing is asked twice in vain. With `decisions="program"` programs alone are asked: the last column says what is done
then. The value of a card is that of [upgrades.md](upgrades.md), by which `greedy` and `planner` buy in 2016; all bots
take these defaults. `learned` and `learned-search` use their networks of 2016, which do not see collections.

| decision | asked | choices | with `decisions="program"` |
| --- | --- | --- | --- |"""

REST = """
## Scenario files

As in 2016, but: a robot may have `"collection": ["hack", "zoop"]`, its `energy` is 3 where none is given, and `shop`
is left out. At the top, `"upgrade_deck"` names the cards known on top of the upgrade deck, the top one first, and
`"upgrade_discard"` those in its discard pile. The deck holds what lies nowhere else. There is one of each card; only
`upgrades` may name one for several robots, as in 2016. After `"rounds"` each robot of the outcome has its
`collection`, and the outcome its `upgrade_discard`.

`answers` to `draw_upgrade`, `install_upgrade` and `uninstall_upgrade` are taken in the order in which they stand in
the file, robot by robot: what is to be done first stands first. A question whose own next act stands behind another
act is declined, and comes again after that.

```json
{"edition": "2023", "course": "dizzy_highway",
 "robots": [{"x": 4, "y": 4, "upgrades": ["brakes"], "collection": ["rail_gun"], "registers": ["move_1"]}],
 "upgrade_deck": ["recharge"],
 "play": {"rounds": 1, "start": "upgrade"},
 "answers": [{"robot": 0, "decision": "uninstall_upgrade", "choice": "brakes"},
             {"robot": 0, "decision": "install_upgrade", "choice": "rail_gun"},
             {"robot": 0, "decision": "draw_upgrade", "choice": "yes"}],
 "expect": {"robots": [{"energy": 0, "upgrades": ["rail_gun"], "collection": ["recharge"]}]}}
```

## What is sure, and what is not

- From the rulebook's text: the three acts, once a phase each for drawing and installing, one energy a draw, the cost
  of a card, three of each type, the collection without a limit, the discard pile, temporary cards once.
- From one source each: a start with three energy, a track to ten (hence the options).
- Not from the 2023 box: its forty upgrade cards, which partly are others of the same name, its decks of program and
  damage cards, shutdown, the priority token and batteries are not here. The race is that of 2016.
"""
