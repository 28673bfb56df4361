"""The two games: the complete one, and the lighter one without upgrades."""

import random
from typing import Any

import pytest

from roborally_env.batch import BatchRace
from roborally_env.core import cards, upgrades
from roborally_env.core.editions import portable_dtype

FULL = {"upgrades": True}
LIGHTER = {"upgrades": False}
GAMES = {"upgrades": FULL, "lighter": LIGHTER}

# runs a test in both games: its argument `rules`
both_games = pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)


def deal_upgrades(batch: Any, seed: int, energy: int = 12) -> None:
    """Deal three permanent and up to three temporary upgrades from the deck to each mat, in every game of a batch.

    Routines go as when they are bought: their cards into the discard piles. Call it before programs are submitted.
    """
    for number, game in enumerate(batch.games):
        dice = random.Random(f"{seed} {batch.first_game + number}")
        deck = dice.sample(game.upgrade_deck[: game.upgrades_left].tolist(), int(game.upgrades_left))
        for r in range(game.players):
            for permanent in (True, False):
                for upgrade in [u for u in deck if (upgrades.upgrade(u).type == upgrades.PERMANENT) == permanent][:3]:
                    deck.remove(upgrade)
                    put_on_mat(game, r, upgrade)
            game.energy[r] = energy
        game.upgrade_deck[:] = upgrades.NONE
        game.upgrade_deck[: len(deck)] = deck
        game.upgrades_left = len(deck)
    batch.observe()


def put_on_mat(game: Any, r: int, upgrade: int) -> None:
    """Robot r gets an upgrade, or the card of a routine."""
    game.had[r] |= 1 << upgrade
    card = upgrades.upgrade(upgrade).special
    if card == cards.NONE:
        game.owned[r] |= 1 << upgrade
        game.on_mats |= 1 << upgrade
    else:
        game.pile[r, int(game.drawable[r]) + int(game.discarded[r])] = card
        game.discarded[r] += 1


def seated(batch: BatchRace, field: str) -> Any:
    """A field of all games without the seats that are empty with this number of players."""
    shape = portable_dtype(batch.players, batch.game)[field].shape
    return batch.games[field][(slice(None), *map(slice, shape))]
