"""What `write_docs.py` says of the community edition: a part of docs/observations.md, and docs/edition_community.md."""

from collections.abc import Iterator

from roborally_env.agents.powering import FROM_TOKENS

from roborally_env.cards.listing import list_cards
from roborally_env.cards.rulings_community import FOR_EVERY_UPGRADE
from roborally_env.core import cards, choices, upgrades
from roborally_env.core.editions.community.damage import DESTRUCTION
from roborally_env.core.seeing import observe

HAND = 9  # cards of a robot without damage
OPEN = 5  # registers


def decisions_community() -> Iterator[str]:
    """How the decisions and options of the community edition differ from those of 2016."""
    at = observe.layout_of("community")
    asked = choices.POWER_DOWN - 1
    heal = upgrades.HEAL_ROUTINE
    yield f"""\
## Decisions, options and the action: edition community

The action is `MultiDiscrete([{at.slots}] * 5 + [{at.option_count + 1}])`: a hand slot for each register, and a
choice. Slot 0 is the one legal value of a locked register, and of every register of a robot that is off the board or
powered down. While programs are wanted the choice is 1 to announce a power down, which every robot on the board may,
one that is powered down too (`info["decision"]` is `"power_down"` then); else it is 0 nothing to choose, or 1 + the
option's number. With `decisions="all"` power down is asked after the programs.

Decisions and their options are those of 2016, and place {asked} of `asked` is `power_down`: 0 `no`, 1 `yes`. Heal
Routine is option {heal} of `buy_upgrade`, its card number {cards.HEAL_ROUTINE}. Never for sale: {_names(_left_out())}.
"""


def edition_page() -> str:
    """The page on the community edition."""
    return "\n".join((HEAD, *_health(), BOARD, *_upgrades(), REST))


def _left_out() -> list[int]:
    """The upgrades of 2016 that are not in the deck."""
    return sorted(set(range(1, upgrades.HEAL_ROUTINE + 1)) - {int(u) for u in upgrades.COMMUNITY_DECK})


def _names(numbers: list[int]) -> str:
    return ", ".join(f"`{upgrades.ALL_NAMES[number]}`" for number in numbers)


def _health() -> Iterator[str]:
    """Cards and locks by damage, ten tokens and fewer."""
    yield from ("| damage | health | cards in hand | locked registers |", "| ---: | ---: | ---: | --- |")
    for damage in range(DESTRUCTION):
        locked = range(HAND - damage + 1, OPEN + 1)
        yield f"| {damage} | {DESTRUCTION - damage} | {HAND - damage} | {', '.join(map(str, locked))} |"
    yield f"| {DESTRUCTION} | 0 | destroyed | |"


def _upgrades() -> Iterator[str]:
    """The deck, with what is done where nothing but programs and purchases is asked."""
    sold = [card for card in list_cards("community") if card.cost is not None]
    yield from (
        "## Cards",
        "",
        "Each robot has the deck of twenty of 2016. Special cards come by the routines; Heal Routine removes a damage.",
        f"The upgrade deck has {len(sold)} cards, those of 2016 and Heal Routine, less those that only speak of",
        f"damage cards: {_names(_left_out())}. What more there is to",
        "a card than this table says, with its rulings: `roborally cards NAME --edition community`.",
        "",
        *(f"- {ruling}" for ruling in FOR_EVERY_UPGRADE),
        "",
        '| card | type | cost | rule | with `decisions="program"` |',
        "| --- | --- | ---: | --- | --- |",
    )
    yield from (f"| {card.title} | {card.type} | {card.cost} | {card.rule} | {card.default} |" for card in sold)


HEAD = """\
# The community edition

Written by `python scripts/write_docs.py` from the tables in `roborally_env`.

`edition="community"` is Robo Rally by the community rules: the cards of 2016 with damage, health and power down, on
boards with levels, ledges, ramps and machines. Four courses are made for it, from one level to three
([pictures](gallery.md)), and it races on every course of 2016.

```python
from roborally_env import parallel_env

env = parallel_env("terraces", players=4)  # or "dizzy_highway", edition="community"
observations, infos = env.reset(seed=42)
while env.agents:
    actions = {a: env.action_space(a).sample(observations[a]["action_mask"]) for a in env.agents}
    observations, rewards, terminations, truncations, infos = env.step(actions)
```

What the rules leave open is settled in [rulings.md](rulings.md), under "Community edition"; scenes of it are written
as [scenario files](scenarios.md). Rule options: [observations.md](observations.md#rule-options).

## A round

1. Upgrade phase: the shop is filled, each player may buy one card, in priority order.
2. Programming: hands are drawn, every open register gets a card. Who wants to be powered down in the next round says
   so with the program.
3. Five registers: in priority order each robot carries out its card; then double belts, single belts, pushers, gears,
   slides from ramps, trapdoors, stompers, board lasers, robot lasers, energy spaces and checkpoints.
4. End of the round: radiation, repair sites, checkpoints repair one damage, registers are wiped where they are not
   locked, robots power up, destroyed robots come back with two damage. One that comes back on the cell of another is
   virtual until it shares its cell with nobody.

A powered-down robot loses all its damage, lays no program and does not shoot. The race ends with the first robot at the
last checkpoint; with `rules={"race_on": True}` the others race on for the places behind it.
"""

BOARD = """
A locked register keeps its card and carries it out every round; it opens when the damage that locked it is repaired.

## The board

| tile | what it does | `kind` in a scenario's map |
| --- | --- | --- |
| level | a floor at 1, 2 or 3; robots shoot and push on their own level | `level` |
| ledge | where two levels meet: a wall from below, two damage a level from above | |
| ramp | joins two levels; its sides are walls; who ends a register on it slips to its foot | `ramp` |
| button | each robot that gets onto it switches its ramps; one that goes off under a robot deals 1 damage | `button` |
| one-way cell | entered in the direction of its arrow only, by robots, checkpoints and beams | `one_way` |
| puddle | leaving it costs a card one step | `puddle` |
| pusher | a wall on its back; in its registers it pushes robots and checkpoints | `panel` |
| trapdoor | in its registers it destroys who stands on it | `trapdoor` |
| stomper | in its registers it deals 2; who was stomped acts last in the next register | `stomper` |
| radiation | 1 damage at the end of the round | `radiation` |
| repair site | repairs 1 or 2 at the end of the round | `repair` |
| checkpoint | rides belts and pushers, never to where no robot could go; repairs 1 at the end of the round | |

Belts, gears, pits, walls, board lasers, energy spaces and the antenna are those of 2016.
"""

REST = f"""
## Agents

`random`, `greedy` and `planner` play this edition; `learned` and `learned-search` have no network for it and say so.
Bots assume that ramps stay as they are at the start of the race, and announce a power down from {FROM_TOKENS} damage.
"""
