"""Positions played on by `greedy`: chances to win that the luck of one race blurs less than its result does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents.candidates import chance_after
from roborally_env.agents.greedy_round import new_hands, play_as_greedy
from roborally_env.agents.planner import weights_of
from roborally_env.agents.purchases import best_purchase
from roborally_env.base.types import Array
from roborally_env.batch import BatchRace
from roborally_env.core.chance import key_of, stream_word
from roborally_env.core.driving.advance import answer
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.among_others import redeal_for
from roborally_env.core.searching.best_list import FIVE
from roborally_env.core.state import NOBODY
from roborally_env.core.traits import with_upgrades

KEPT = 256  # hands


@with_upgrades()
def answer_purchase(game):
    """Answer an open purchase as `greedy`."""
    if game.ask_seat != NOBODY:
        answer(game, best_purchase(game, np.int64(game.ask_seat)))


@kernel
def play_on(table, games, deals, rounds, seed, weights, trial, out):
    """Play each of `games` on in `deals` deals, for at most `rounds` rounds: `out` f4 [n, P] is the fraction of them
    that each seat wins, where a race that has not ended counts as `planner`'s chance to win there. All hidden cards are
    dealt anew; `table` is `greedy_round.Hands`, `trial` [1] a record as scratch."""
    program = np.zeros((1, FIVE), np.int8)
    for k in range(games.shape[0]):
        key = key_of(games[k].key, seed)
        for d in range(deals):
            trial[0] = games[k]
            game = trial[0]
            redeal_for(game, NOBODY, stream_word(key, np.uint64(d)))
            answer_purchase(game)
            for _ in range(rounds):
                if play_as_greedy(table, game, 0, program) == 0 or game.winner != NOBODY:
                    break
            for seat in range(game.players):
                out[k, seat] += chance_after(table.maps, game, seat, weights) / deals


def chances_by_rollouts(batch: BatchRace, games: Array, deals: int, rounds: int, seed: int) -> NDArray[np.float32]:
    """float32 [n, P]: what `play_on` finds for records [n] of a batch's games."""
    out = np.zeros((len(games), batch.players), np.float32)
    trial = np.zeros(1, batch.games.dtype)
    play_on(new_hands(batch, KEPT), games, deals, rounds, np.uint64(seed), weights_of(batch.game), trial, out)
    return out
