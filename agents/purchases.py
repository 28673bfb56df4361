"""The answers of `greedy` and `planner` to purchases and choices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.base import Info
from roborally_env.agents.power_down import power_down_or

from roborally_env.core import upgrades
from roborally_env.core.choices import BUY_UPGRADE
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import cards_of_type, cheapest, costs, count_bits, values


@kernel
def _answers(games, rows, seats, choices):
    """Fill `choices` [n] for seat seats[k] in game rows[k]: 1 + the card bought, or 1 + the default policy's option."""
    for k in range(rows.shape[0]):
        game = games[rows[k]]
        if game.ask_kind != BUY_UPGRADE:
            choices[k] = 1 + game.ask_default
            continue
        choices[k] = 1 + best_purchase(game, seats[k])


@kernel
def best_purchase(game, r):
    """The most valuable option of the open purchase for robot r; 0: buy nothing."""
    best, most = 0, 0
    for card in range(1, values(game).shape[0]):
        if game.ask_options >> np.uint64(card) & np.uint64(1) == 0:
            continue
        worth = values(game)[card] - _worth_of_replaced(game, r, card)
        # the dearer card among equals: a cheap one can be bought later
        if worth > most or (worth == most and best > 0 and costs(game)[card] > costs(game)[best]):
            best, most = card, worth
    return best


@kernel
def write_values(games, rows, seats, out):
    """The value of each option of the open purchase of seat seats[k] in game rows[k]: `out` f4 [n, 1 + options], at 1 +
    the option; 0 for buying nothing."""
    out[:] = 0.0
    for k in range(rows.shape[0]):
        game = games[rows[k]]
        for card in range(1, min(values(game).shape[0], out.shape[1] - 1)):
            if game.ask_options >> np.uint64(card) & np.uint64(1):
                out[k, 1 + card] = values(game)[card] - _worth_of_replaced(game, seats[k], card)


@kernel
def _worth_of_replaced(game, r, card):
    """The value of the cheapest card, which a fourth card of a type would replace; 0 with fewer than three."""
    same = cards_of_type(game, r, card)
    return values(game)[cheapest(game, same)] if count_bits(same) >= upgrades.MOST_OF_A_TYPE else 0


def buy_or_default(choice_masks: NDArray[np.int8], info: Info) -> NDArray[np.int8]:
    """1 + the option for each row: the most valuable card of a purchase, the default policy's option of other choices.

    The value is the table's `value` of a card (`roborally_env.core.upgrades`), measured by how often its owners win,
    minus the value of the card that it would replace. A card without a positive value is not bought.
    """
    batch = info.batch
    choices = np.zeros(len(info.games), np.int8)
    if batch.upgrades:
        _answers(batch.games, info.games, info.seats, choices)
    else:
        choices[:] = 1 + batch.games["ask_default"][info.games]
    return power_down_or(choices, info) if batch.kind.has("announced") else choices
