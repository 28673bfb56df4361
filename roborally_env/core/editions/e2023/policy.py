"""The default policy of the 2023 upgrade phase: what decisions="program" does without asking.

By the `value` of each card (`core.upgrades`) alone: nothing here looks at other players.
"""

from roborally_env.core import upgrades
from roborally_env.core.choices import NO, YES
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.mats import cards_of_type, count_bits, lowest_bit

# the least value of a card that is installed, and for which energy is kept: then nothing is drawn. Among `greedy` on
# seven courses who does so wins 26 %, who draws until anything lies in its collection and installs it 25 %, who does
# nothing 22 %
WORTH_HAVING = 3
WANTED = upgrades.bits(*(u for u, value in enumerate(upgrades.VALUES) if value >= WORTH_HAVING))


@kernel
def wants_to_draw(game, r):
    """Draw where no card of the collection is worth having."""
    return NO if game.collection[r] & WANTED else YES


@kernel
def wanted_upgrade(game, r, options):
    """The card among `options` that is worth most, if it is worth having, and worth more than the one that it would
    replace; else NO."""
    if not options & WANTED:
        return NO
    best = most_valued(options & WANTED)
    same = cards_of_type(game, r, best)
    if count_bits(same) >= upgrades.MOST_OF_A_TYPE and value_of(least_valued(same)) >= value_of(best):
        return NO
    return best


@kernel
def value_of(card):
    """What a card is worth; 0 for none."""
    return upgrades.VALUES[card]


@kernel
def most_valued(cards):
    """The card of a bit set that is worth most, the first in printed order among equals; NONE where none is worth
    anything."""
    best = upgrades.NONE
    while cards:
        card = lowest_bit(cards)
        if upgrades.VALUES[card] > upgrades.VALUES[best]:
            best = card
        cards &= cards - 1
    return best


@kernel
def least_valued(cards):
    """The card of a bit set that is worth least, the first in printed order among equals."""
    worst = upgrades.NONE
    while cards:
        card = lowest_bit(cards)
        if worst == upgrades.NONE or upgrades.VALUES[card] < upgrades.VALUES[worst]:
            worst = card
        cards &= cards - 1
    return worst
