"""The network of the learned agents as compiled code on NumPy arrays, so that playing needs no torch.

    position   own vector and rows of the others -> 128 numbers                 (hidden)
    win        from these the chance to win, before the hand is dealt           (win_logit)
    programs   a score for each candidate program, from what it leads to (`candidates`) and the position
                                                                                 (score_candidates)
    purchases  a score for each option, added to the values by which `greedy` buys; one for announcing a power down

Rows are computed one at a time in a fixed order, so a result does not depend on other rows. `roborally train selfplay`
has the same network in torch, for training.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from roborally_env.agents.candidates import FEATURES, MOST, OUTCOMES, write_candidates
from roborally_env.agents.features import VERSION, layout_for, write_rows
from roborally_env.agents.layers import (
    Net,
    add,
    add_rows,
    copy,
    copy_part,
    is_zero,
    joined,
    number_in,
    rectify,
    size_of,
)
from roborally_env.agents.planner import weights_of
from roborally_env.agents.power_down import FROM_TOKENS
from roborally_env.agents.purchases import write_values
from roborally_env.agents.weight_files import check_complete, check_finite, read_arrays, write_arrays

from roborally_env.base.errors import AgentError
from roborally_env.base.types import Array, NamedValues
from roborally_env.batch import BatchRace
from roborally_env.core.chance import key_of, stream_word
from roborally_env.core.kernel import kernel
from roborally_env.core.searching.alone import best_programs
from roborally_env.core.searching.among_others import chance_to_win
from roborally_env.core.searching.best_list import copy_row
from roborally_env.core.state import REGISTERS
from roborally_env.core.traits import Trait

FORMAT = "roborally-weights"
BUYING = 43  # 0 nothing to choose, 1 + option; the last is the community edition's
SCORE = 0.05  # log-odds of winning for a unit of the scores of purchases and power downs
with_power_downs = Trait("announced")
DOWN = np.float32(4.0)  # prior log-odds for or against a power down

# Arrays are [in, out]; zeros in the input are skipped. Names are those of the torch modules. A word in a
# shape is a size that all arrays share.
_OF_VALUE: dict[str, tuple[int | str, ...]] = {
    "own_w": ("own", "hidden"), "own_b": ("hidden",), "row_w": ("row", "pooled"), "row_b": ("pooled",),
    "pool_w": ("pooled", "hidden"), "mid_w": ("hidden", "position"), "mid_b": ("position",),
    "win1_w": ("position", "tower"), "win1_b": ("tower",), "win2_w": ("tower", 1), "win2_b": (1,),
    "buy_w": ("position", BUYING), "buy_b": (BUYING,), "down_w": ("position", 1), "down_b": (1,),
}  # fmt: skip
_OF_POLICY: dict[str, tuple[int | str, ...]] = {  # which a network of `roborally train value` does not have
    "context_w": ("position", "context"), "context_b": ("context",), "cand1_w": (FEATURES + OUTCOMES, "context"),
    "cand2_w": ("context", "second"), "cand2_b": ("second",), "cand3_w": ("second", 1),
    "skip_w": (FEATURES + OUTCOMES, 1),
}  # fmt: skip
SHAPES = {**_OF_VALUE, **_OF_POLICY}
NAMES = tuple(SHAPES)
# the parts of the network, by the places of their names
(
    OWN_W, OWN_B, ROW_W, ROW_B, POOL_W, MID_W, MID_B, WIN1_W, WIN1_B, WIN2_W, WIN2_B, BUY_W, BUY_B, DOWN_W, DOWN_B,
    CONTEXT_W, CONTEXT_B, CAND1_W, CAND2_W, CAND2_B, CAND3_W, SKIP_W,
) = range(len(NAMES))  # fmt: skip


@kernel(apart=True)
def hidden(net, own, others, row, pooled, first, out):
    """Write the 128 numbers of a position into `out`. Scratch: `row` and `pooled` [48], `first` [128]."""
    pooled[:] = 0.0
    for q in range(others.shape[0]):
        if is_zero(others[q]):
            continue
        copy_part(net, ROW_B, row)
        add_rows(others[q], net, ROW_W, 0, row)
        rectify(row)
        add(row, pooled)
    copy_part(net, OWN_B, first)
    add_rows(own, net, OWN_W, 0, first)
    add_rows(pooled, net, POOL_W, 0, first)
    rectify(first)
    copy_part(net, MID_B, out)
    add_rows(first, net, MID_W, 0, out)
    rectify(out)


@kernel
def win_logit(net, position, tower):
    """The log-odds of winning the race; `tower` [64] is scratch."""
    copy_part(net, WIN1_B, tower)
    add_rows(position, net, WIN1_W, 0, tower)
    rectify(tower)
    total = number_in(net, WIN2_B, 0)
    for j in range(tower.shape[0]):
        total += tower[j] * number_in(net, WIN2_W, j)
    return total


@kernel
def win_chances(net, own, others, out):
    """The chance to win of each position: `own` [n, own], `others` [n, players - 1, row], `out` [n]."""
    row, pooled, first, position, tower = new_work(net)
    for k in range(own.shape[0]):
        hidden(net, own[k], others[k], row, pooled, first, position)
        out[k] = 1.0 / (1.0 + np.exp(-win_logit(net, position, tower)))


@kernel
def new_work(net):
    """Scratch of one position."""
    return (
        np.zeros(size_of(net, ROW_B), np.float32),
        np.zeros(size_of(net, ROW_B), np.float32),
        np.zeros(size_of(net, OWN_B), np.float32),
        np.zeros(size_of(net, MID_B), np.float32),
        np.zeros(size_of(net, WIN1_B), np.float32),
    )


@kernel
def context_of(net, position, context):
    """What the 128 numbers of a position say to the scores of its candidates: `context` f4 [64]."""
    copy_part(net, CONTEXT_B, context)
    add_rows(position, net, CONTEXT_W, 0, context)


@kernel(apart=True)
def score_candidates(net, context, rows, outcomes, count, scores):
    """Fill `scores` f4 of the first `count` candidates: `rows` f4 [.., FEATURES], `outcomes` f4 [.., OUTCOMES]."""
    first, second = np.zeros(size_of(net, CONTEXT_B), np.float32), np.zeros(size_of(net, CAND2_B), np.float32)
    for i in range(count):
        copy(context, first)
        add_rows(rows[i], net, CAND1_W, 0, first)
        add_rows(outcomes[i], net, CAND1_W, FEATURES, first)
        rectify(first)
        copy_part(net, CAND2_B, second)
        add_rows(first, net, CAND2_W, 0, second)
        rectify(second)
        total = np.float32(0.0)
        for j in range(second.shape[0]):
            total += second[j] * number_in(net, CAND3_W, j)
        for j in range(FEATURES):
            total += rows[i, j] * number_in(net, SKIP_W, j)
        for j in range(OUTCOMES):
            total += outcomes[i, j] * number_in(net, SKIP_W, FEATURES + j)
        scores[i] = total


@kernel
def learned_programs(maps, games, rows, seats, at, scratch, net, seed, deals, temperature, weights, work, out):
    """The program of seat seats[k] in game rows[k]: `out` i1 [n, 5], the candidate with the highest score.

    `at` Layout, `scratch` of `write_rows`, `work` of `candidates.new_work`; `deals`: those of the outcomes;
    `temperature`: factor of Gumbel noise that is added to the scores, 0 for none.
    """
    features = np.zeros((MOST, FEATURES), np.float32)
    outcomes = np.zeros((MOST, OUTCOMES), np.float32)
    scores = np.zeros(MOST, np.float32)
    for k in range(rows.shape[0]):
        count = write_candidates(maps, games, rows[k], seats[k], seed, deals, weights, work, features, outcomes)
        best = 0
        if count > 1:
            write_scores(maps, games, rows[k], seats[k], at, scratch, net, features, outcomes, count, scores)
            if temperature > 0.0:
                game = games[rows[k]]
                add_gumbel(key_of(game.key, seed + np.uint64(seats[k])), game.round_number, temperature, scores)
            for i in range(count):
                best = i if scores[i] > scores[best] else best
        copy_row(work.solo.programs, work.solo.order[best], out, k)


@kernel
def write_scores(maps, games, row, seat, at, scratch, net, features, outcomes, count, scores):
    """Fill `scores` f4 of the `count` candidates of a seat in game `row`; see `learned_programs`."""
    one, who = np.zeros(1, np.int64), np.zeros(1, np.int64)
    one[0], who[0] = row, seat
    own = np.zeros((1, at.own), np.float32)
    others = np.zeros((1, games[0].players - 1, at.row), np.float32)
    pooled_row, pooled, first, position, _ = new_work(net)
    context = np.empty(size_of(net, CONTEXT_B), np.float32)
    write_rows(maps, games, one, who, at, scratch[0], scratch[1], scratch[2], own, others)
    hidden(net, own[0], others[0], pooled_row, pooled, first, position)
    context_of(net, position, context)
    score_candidates(net, context, features, outcomes, count, scores)


@kernel
def best_candidate(maps, games, row, seat, at, scratch, net, features, outcomes, count):
    """The number of the candidate with the highest score, of the `count` of a seat in game `row`."""
    scores = np.zeros(count, np.float32)
    if count > 1:
        write_scores(maps, games, row, seat, at, scratch, net, features, outcomes, count, scores)
    return np.argmax(scores)


@kernel
def add_gumbel(key, round_number, temperature, scores):
    """Add Gumbel noise times `temperature` to scores: the highest is then a draw from their softmax."""
    word = np.uint64(round_number) * np.uint64(1024)
    for i in range(scores.shape[0]):
        uniform = (np.float64(stream_word(key, word + np.uint64(i)) >> np.uint64(11)) + 0.5) / 2.0**53
        scores[i] -= np.log(-np.log(uniform)) * temperature


@kernel(apart=True)
def score_purchases(maps, games, rows, seats, at, scratch, net, scores):
    """The scores of the options of the purchase of seat seats[k] in game rows[k], a unit being worth
    `SCORE` log-odds of winning: `scores` f4 [n, BUYING], at 1 + the option. Undefined for illegal options."""
    one, who = np.zeros(1, np.int64), np.zeros(1, np.int64)
    own = np.zeros((1, at.own), np.float32)
    others = np.zeros((1, games[0].players - 1, at.row), np.float32)
    row, pooled, first, position, _ = new_work(net)
    prior = np.zeros((1, size_of(net, BUY_B)), np.float32)
    for k in range(rows.shape[0]):
        one[0], who[0] = rows[k], seats[k]
        write_rows(maps, games, one, who, at, scratch[0], scratch[1], scratch[2], own, others)
        hidden(net, own[0], others[0], row, pooled, first, position)
        copy_part(net, BUY_B, scores[k])
        add_rows(position, net, BUY_W, 0, scores[k])
        write_values(games, one, who, prior)
        add(prior[0], scores[k])


@kernel
def learned_choices(maps, games, rows, seats, at, scratch, net, masks, out):
    """The purchase of seat seats[k] in game rows[k] with the highest score.

    `masks` i1 [n, 1 + options], `out` i1 [n].
    """
    scores = np.zeros((rows.shape[0], size_of(net, BUY_B)), np.float32)
    score_purchases(maps, games, rows, seats, at, scratch, net, scores)
    for k in range(rows.shape[0]):
        best = 0
        for option in range(1, masks.shape[1]):
            if masks[k, option] and (best == 0 or scores[k, option] > scores[k, best]):
                best = option
        out[k] = best


@with_power_downs(otherwise=False)
def prefers_down(game, r):
    """Whether the untrained network powers down: `greedy` does with this number of damage tokens."""
    return game.damage[r] >= FROM_TOKENS


@kernel
def learned_announcements(maps, games, rows, seats, at, scratch, net, out):
    """Set `out` i1 [n] to 1 if seat seats[k] in game rows[k] prefers a power down in the next turn (2005)."""
    one, who = np.zeros(1, np.int64), np.zeros(1, np.int64)
    own = np.zeros((1, at.own), np.float32)
    others = np.zeros((1, games[0].players - 1, at.row), np.float32)
    row, pooled, first, position, _ = new_work(net)
    for k in range(rows.shape[0]):
        one[0], who[0] = rows[k], seats[k]
        write_rows(maps, games, one, who, at, scratch[0], scratch[1], scratch[2], own, others)
        hidden(net, own[0], others[0], row, pooled, first, position)
        total = number_in(net, DOWN_B, 0) + (DOWN if prefers_down(games[rows[k]], seats[k]) else -DOWN)
        for j in range(position.shape[0]):
            total += position[j] * number_in(net, DOWN_W, j)
        out[k] = total > 0.0


# -- files


def save_weights(path: str | Path, arrays: dict[str, Array], about: NamedValues) -> None:
    """Write the network's arrays as float16, with metadata (`edition`, command, versions), to an .npz file. The file is
    there as a whole or not at all."""
    write_arrays(path, arrays, names_of(about), {"format": FORMAT, "features": VERSION, **about})


def names_of(about: NamedValues) -> tuple[str, ...]:
    """The arrays of a file of weights: one of kind "value" has those of the chance to win alone."""
    return tuple(_OF_VALUE) if about.get("kind") == "value" else NAMES


def load_weights(path: str | Path, game: str) -> tuple[Net, NamedValues]:
    """(the compiled network, about) from a file, for a game (`BatchRace.game`).

    Raises:
        AgentError: for a file that cannot be read, has no weights, or is for another edition or version.
    """
    arrays, about = read_weights_for(path, game)
    return net_of(arrays), about


def read_weights_for(path: str | Path, game: str) -> tuple[dict[str, Array], NamedValues]:
    """(arrays, about) of a file of weights for a game; errors as those of `load_weights`."""
    arrays, about = read_weights(path)
    where = f"weights {path}"
    if about.get("features") != VERSION:
        raise AgentError(f"{where}: made for features version {about.get('features')}, this is {VERSION}; train again")
    at = layout_for(game)
    if arrays["own_w"].shape[0] != at.own or arrays["row_w"].shape[0] != at.row:
        raise AgentError(
            f"{where}: trained for edition {about.get('edition')}; expected weights for the edition that is played"
        )
    return arrays, about


def net_of(arrays: dict[str, Array]) -> Net:
    """The compiled network of these arrays; [1, 1] of what a network lacks."""
    nothing = {name: np.zeros(1 if name.endswith("_b") else (1, 1)) for name in NAMES}
    return joined([arrays.get(name, nothing[name]) for name in NAMES])


def read_weights(path: str | Path) -> tuple[dict[str, Array], NamedValues]:
    """(arrays, about) of a file of weights of any edition.

    Raises:
        AgentError: for a file that cannot be read or has no weights.
    """
    arrays, about = read_arrays(path, SHAPES, FORMAT, "expected a file of roborally train selfplay or value")
    check_complete(path, arrays, names_of(about))
    check_finite(path, arrays.values())
    return arrays, about


# -- the prior to which the network's output is added, and programs to explore


@kernel
def fill_prior(maps, games, rows, seats, weights, out):
    """Log-odds of winning by distance and damage alone: `out` f4 [n]."""
    for k in range(rows.shape[0]):
        out[k] = log_odds(chance_to_win(maps, games[rows[k]], seats[k], weights))


@kernel
def log_odds(chance):
    """Log-odds of a chance, clipped at a chance of one in a thousand."""
    chance = max(0.001, min(0.999, chance))
    return np.log(chance / (1.0 - chance))


def prior_log_odds(batch: BatchRace, games: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.float32]:
    """float32 [n]: log-odds of winning by distance and damage alone, as `planner` computes them."""
    out = np.zeros(len(games), np.float32)
    fill_prior(batch.maps, batch.games, games, seats, weights_of(batch.game), out)
    return out


@kernel
def draw_programs(maps, games, rows, seats, dice, near, out):
    """Set `out` i1 [n, 5] to one of the best solo programs of each row, drawn by dice[k] in 0..1 from those within
    `near` quarter registers of the best."""
    values = np.zeros(64)
    programs = np.zeros((64, REGISTERS), np.int8)
    for k in range(rows.shape[0]):
        found = best_programs(maps, games[rows[k]], seats[k], values, programs)
        level = 0
        while level < found and values[level] >= values[0] - near:
            level += 1
        copy_row(programs, min(level - 1, int(dice[k] * level)), out, k)


def good_programs(
    batch: BatchRace, games: NDArray[np.int64], seats: NDArray[np.int64], rng: np.random.Generator, near: float = 24.0
) -> NDArray[np.int8]:
    """int8 [n, 5]: for each seat one of its 64 best solo programs, within `near` quarter registers of the best."""
    out = np.zeros((len(games), REGISTERS), np.int8)
    draw_programs(batch.maps, batch.games, games, seats, rng.random(len(games)), near, out)
    return out
