"""What `write_docs.py` says of the community edition."""

from collections.abc import Iterator

from roborally_env.core import cards, choices, observe, upgrades
from roborally_env.core.state import COMMUNITY


def decisions_community() -> Iterator[str]:
    """How the decisions and options of the community edition differ from those of 2016."""
    at = observe.layout_of(COMMUNITY)
    asked = choices.POWER_DOWN - 1
    heal = upgrades.HEAL_ROUTINE
    left_out = sorted(set(range(1, heal + 1)) - {int(u) for u in upgrades.COMMUNITY_DECK})
    yield f"""\
## Decisions, options and the action: edition community

The action is `MultiDiscrete([{at.slots}] * 5 + [{at.option_count + 1}])`: a hand slot for each register, and a
choice. Slot 0 is the one legal value of a locked register, and of every register of a robot that is off the board or
powered down. While programs are wanted the choice is 1 to announce a power down, which every robot on the board may,
one that is powered down too (`info["decision"]` is `"power_down"` then); else it is 0 nothing to choose, or 1 + the
option's number. With `decisions="all"` power down is asked after the programs.

Decisions and their options are those of 2016, and place {asked} of `asked` is `power_down`: 0 `no`, 1 `yes`. Heal
Routine is option {heal} of `buy_upgrade`, its card number {cards.HEAL_ROUTINE}. Never for sale: {_names(left_out)}.
"""


def _names(numbers: list[int]) -> str:
    return ", ".join(f"`{upgrades.ALL_NAMES[number]}`" for number in numbers)
