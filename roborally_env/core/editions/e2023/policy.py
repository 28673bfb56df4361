"""The default policy of the 2023 upgrade phase: the answers of decisions="program".

It considers only the `value` of each card (`core.upgrades`), not other players.
"""

from roborally_env.core import upgrades
from roborally_env.core.choices import NO, YES
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import cards_of_type, count_bits, lowest_bit, values
from roborally_env.core.rule import fact_of_kind

# the least value of a card that is installed; with such a card in the collection nothing is drawn, to save energy.
# Measured with `greedy` on seven courses: this policy wins 26%, drawing until the collection has any card and
# installing that 25%, doing nothing 22%
WORTH_HAVING = 3


@fact_of_kind
def wanted(kind):
    """The cards worth having, as bits."""
    return upgrades.bits(*(u for u in kind.upgrade_numbers if upgrades.upgrade(u).value >= WORTH_HAVING))


@kernel
def wants_to_draw(game, r):
    """Whether to draw: if no card of the collection is worth having."""
    return NO if game.collection[r] & wanted(game) else YES


@kernel
def wanted_upgrade(game, r, options):
    """The most valuable card among `options`, if it is worth having and more valuable than the card that it would
    replace; else NO."""
    if not options & wanted(game):
        return NO
    best = most_valued(game, options & wanted(game))
    same = cards_of_type(game, r, best)
    if count_bits(same) >= upgrades.MOST_OF_A_TYPE and values(game)[least_valued(game, same)] >= values(game)[best]:
        return NO
    return best


@kernel
def most_valued(game, cards):
    """The most valuable card of a bit set, the first in printed order among equals; NONE if none has a value."""
    best = upgrades.NONE
    while cards:
        card = lowest_bit(cards)
        if values(game)[card] > values(game)[best]:
            best = card
        cards &= cards - 1
    return best


@kernel
def least_valued(game, cards):
    """The least valuable card of a bit set, the first in printed order among equals."""
    worst = upgrades.NONE
    while cards:
        card = lowest_bit(cards)
        if worst == upgrades.NONE or values(game)[card] < values(game)[worst]:
            worst = card
        cards &= cards - 1
    return worst
