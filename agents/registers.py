"""Compiled parts of acting: inputs of rows of seats, programs drawn card by card, and advantages.

A row is a deciding seat of a game, `games[rows[i]]` and `seats[i]`. A program is drawn register by register;
before each register the ghost shows where the cards so far take the robot.
"""

import numpy as np

from roborally_env.core import cards
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.programs import closed, legal_card
from roborally_env.core.searching import ghost
from roborally_env.core.searching.alone import kind_of_card
from roborally_env.core.searching.best_list import FIVE, follow_tracks, not_to_fill
from roborally_env.core.searching.ghost import KINDS, count_cards
from roborally_env.core.searching.plan_tables import planned_at
from roborally_env.core.seeing.parts import parts_of

# parts of the symbolic vector that are left out: cards are counted by kind, and who knows where on the board it is
# learns courses by heart
NOT_SEEN = ("hand", "position")


class Inputs:
    """Where the numbers of a game's symbolic vector go: all but NOT_SEEN and the rows of the others.

    Attributes:
        columns: i8: the numbers of the own vector; KINDS cards of the hand and the number of players follow.
        others_at, row: where the others' rows begin, and the length of one.
        own: the length of the own vector.
    """

    def __init__(self, game: str) -> None:
        """For a kind of game (`BatchRace.game`)."""
        at, self.others_at, self.row = 0, 0, 0
        columns: list[int] = []
        for part in parts_of(game):
            if part.name == "others":
                self.others_at, self.row = at, part.shape[1]
                break
            length = int(np.prod(part.shape))
            if part.name not in NOT_SEEN:
                columns += range(at, at + length)
            at += length
        self.columns = np.array(columns, np.int64)
        self.own = len(columns) + KINDS + 1


@kernel
def write_input(game, r, symbolic, columns, others_at, own, others):
    """Write robot r's own vector [columns + KINDS + 1] and the others' rows [P - 1, row].

    `symbolic` [size] is its observation, `columns` those of its numbers that are taken; then come the cards of each
    kind in the hand / 4, and the number of players / 8.
    """
    at, length = columns.shape[0], others.shape[1]
    for j in range(at):
        own[j] = symbolic[columns[j]]
    for j in range(at, own.shape[0]):
        own[j] = 0.0
    for slot in range(game.hand.shape[1]):
        card = game.hand[r, slot]
        if card != cards.NONE:
            own[at + np.int64(kind_of_card(game, card)) - 1] += 0.25
    own[at + KINDS] = game.players * 0.125
    for q in range(others.shape[0]):
        for j in range(length):
            others[q, j] = symbolic[others_at + q * length + j]


@kernel
def write_inputs(games, rows, seats, symbolic, columns, others_at, own, others):
    """`write_input` of rows, from the observations `symbolic` [B, P, size] of a batch: `own` f4 [n, own], `others` f4
    [n, P - 1, row]."""
    for i in range(rows.shape[0]):
        game, r = games[rows[i]], seats[i]
        write_input(game, r, symbolic[rows[i], r], columns, others_at, own[i], others[i])


@kernel
def begin_program(maps, game, r, pose, places, counts):
    """Prepare the program of robot r: the ghost's `pose` [POSE], the `places` [6, 8] of checkpoints, and the `counts`
    f4 [KINDS] of its hand. Returns the registers that get no card, as bits."""
    ghost.begin_ghost(maps, game, r, pose)
    follow_tracks(maps.courses[planned_at(maps, game)], game, places)
    count_cards(game, r, np.int64(0), counts)
    return np.int64(not_to_fill(game, r)) | np.int64(closed(game, r))


@kernel
def begin_programs(maps, games, rows, seats, poses, places, shut, counts):
    """`begin_program` of rows: `poses` i4 [n, POSE], `places` i8 [n, 6, 8], `shut` i8 [n], `counts` f4 [n, KINDS]."""
    for i in range(rows.shape[0]):
        shut[i] = begin_program(maps, games[rows[i]], seats[i], poses[i], places[i], counts[i])


@kernel
def look_for(maps, game, r, k, pose, places, counts, with_ghost, out):
    """Write what is seen before register k (0..4): `out` f4 [SIZE + KINDS], the ghost and the cards left / 4. Without
    the ghost only the register is seen of its part."""
    if with_ghost:
        ghost.write_ghost(maps, game, r, k, places, pose, counts, out[: ghost.SIZE])
    else:
        out[: ghost.SIZE] = 0.0
        out[k] = 1.0
    for j in range(KINDS):
        out[ghost.SIZE + j] = counts[j] * 0.25


@kernel
def look(maps, games, rows, seats, k, poses, places, counts, with_ghost, seen, near, led, led_row, led_kind):
    """`look_for` of rows, in two parts; returns the length m of the second.

    `near` f4 [n, AROUND + KINDS] is what lies around each ghost, and the cards left. The first m rows of `led` f4
    [.., AFTER + CARDS] are, for each of the CARDS kinds that is left, where it takes the ghost, and its kind, one-hot;
    `led_row` and `led_kind` i4 are the row and the kind, from 0, of each. `seen` f4 [SIZE + KINDS] is overwritten.
    """
    around, after, size = ghost.AROUND, ghost.AFTER, ghost.SIZE
    m = 0
    for i in range(rows.shape[0]):
        look_for(maps, games[rows[i]], seats[i], k, poses[i], places[i], counts[i], with_ghost, seen)
        near[i, :around] = seen[:around]
        near[i, around:] = seen[size:]
        for kind in range(ghost.CARDS):
            if seen[size + kind] > 0.0:
                at = around + kind * after
                led[m, :after] = seen[at : at + after]
                led[m, after:] = 0.0
                led[m, after + kind] = 1.0
                led_row[m] = i
                led_kind[m] = kind
                m += 1
    return m


@kernel
def legal_kinds(game, r, k, used):
    """The kinds of cards that may go into register k, as bits; all that are left where no card may (R23)."""
    legal = left = np.int64(0)
    for slot in range(game.hand.shape[1]):
        card = game.hand[r, slot]
        if card == cards.NONE or used >> slot & 1:
            continue
        bit = np.int64(1) << (np.int64(kind_of_card(game, card)) - 1)
        left |= bit
        if legal_card(game, r, card, k):
            legal |= bit
    return legal if legal else left


@kernel
def slot_of(game, r, kind, used):
    """The slot of the free card of a kind that has the highest number: in 2005 it is the fastest."""
    best = -1
    for slot in range(game.hand.shape[1]):
        card = game.hand[r, slot]
        if card == cards.NONE or used >> slot & 1 or np.int64(kind_of_card(game, card)) != kind:
            continue
        if best < 0 or card > game.hand[r, best]:
            best = slot
    return best


@kernel
def take_card(maps, game, r, k, logits, uniform, given, pose, places, shut, counts, used):
    """Choose the card of register k (0..4) and move the ghost: (slot, kind, legal, log-probability).

    `uniform` in 0..1 draws by the softmax of `logits` [KINDS]; below 0 the likeliest kind is taken. `given`: the slot
    that a teacher takes, or -1; where its card may not go there, one is drawn. The slot is -1, and the others are 0,
    where the register gets no card.
    """
    slot, kind, bits, logp = np.int64(-1), np.int64(0), np.int64(0), 0.0
    card = np.int64(cards.NONE)
    if shut >> k & 1:
        if np.int64(closed(game, r)) >> k & 1:
            card = np.int64(game.registers[r, k])
    else:
        bits = np.int64(legal_kinds(game, r, k, used))
        if bits != 0:
            drawn, slot = np.int64(-1), np.int64(given)
            if given >= 0 and game.hand[r, given] != cards.NONE and not used >> given & 1:
                drawn = np.int64(kind_of_card(game, game.hand[r, given])) - 1
            if drawn < 0 or not bits >> drawn & 1:
                drawn = np.int64(draw(logits, bits, uniform))
                slot = np.int64(slot_of(game, r, drawn + 1, used))
            card = np.int64(game.hand[r, slot])
            counts[drawn] -= 1.0
            kind = drawn + 1
            logp = log_share(logits, bits, drawn)
    ghost.move_ghost(maps, game, r, k, card, places, pose)
    return slot, kind, bits, logp


@kernel
def draw_cards(
    maps, games, rows, seats, k, logits, uniform, given, poses, places, shut, counts, used, slots, kinds, legal, logps
):
    """`take_card` of rows. `logits` f4 [n, KINDS], `uniform` f4 [n], `given` i1 [n, 5], or [0, 5] without a teacher;
    `used` i8 [n] slots as bits. Writes column k of `slots` i1, `kinds` i1, `legal` i4 and `logps` f4, all [n, 5]."""
    for i in range(rows.shape[0]):
        game, r = games[rows[i]], seats[i]
        wanted = np.int64(given[i, k]) if given.shape[0] > 0 else np.int64(-1)
        slot, kind, bits, logp = take_card(
            maps, game, r, k, logits[i], uniform[i], wanted, poses[i], places[i], shut[i], counts[i], used[i]
        )
        slots[i, k] = max(slot, 0)
        kinds[i, k] = kind
        legal[i, k] = bits
        logps[i, k] = logp
        if slot >= 0:
            used[i] |= np.int64(1) << slot


@kernel
def log_total(logits, bits):
    """The logarithm of the sum of exp(logits) over the bits."""
    most = -np.inf
    for j in range(logits.shape[0]):
        if bits >> j & 1:
            most = max(most, float(logits[j]))
    total = 0.0
    for j in range(logits.shape[0]):
        if bits >> j & 1:
            total += np.exp(float(logits[j]) - most)
    return most + np.log(total)


@kernel
def log_share(logits, bits, kind):
    """The log-probability of a kind among the bits."""
    return float(logits[kind]) - log_total(logits, bits)


@kernel
def draw(logits, bits, uniform):
    """A bit drawn by softmax of the logits, or the likeliest one where `uniform` is below 0."""
    best = np.int64(-1)
    if uniform < 0:
        for j in range(logits.shape[0]):
            if bits >> j & 1 and (best < 0 or logits[j] > logits[best]):
                best = np.int64(j)
        return best
    total = log_total(logits, bits)
    left = float(uniform)
    for j in range(logits.shape[0]):
        if bits >> j & 1:
            best = np.int64(j)
            left -= np.exp(float(logits[j]) - total)
            if left < 0:
                return best
    return best


@kernel
def draw_options(games, rows, logits, uniform, given, choices, legal, logps):
    """Draw an option for each row with an open choice: `choices` i1 [n] from 0, `legal` i8 [n], `logps` f4.
    `given` i1 [n]: the options that a teacher takes, or nothing [0]."""
    for i in range(rows.shape[0]):
        bits = np.int64(games[rows[i]].ask_options)
        legal[i] = bits
        chosen = np.int64(given[i]) if given.shape[0] > 0 else np.int64(-1)
        choices[i] = chosen if chosen >= 0 and bits >> chosen & 1 else draw(logits[i], bits, uniform[i])
        logps[i] = log_share(logits[i], bits, np.int64(choices[i]))


@kernel
def follow_back(
    at,
    rewards,
    done,
    last,
    program_values,
    program_kinds,
    choice_values,
    gamma,
    lam,
    inner,
    program_advantages,
    choice_advantages,
):
    """Generalised advantage estimates (Schulman et al., ICLR 2016) along each seat's decisions.

    `at` i4 [T, B, P]: -1, or 2 * row of a program, 2 * row + 1 of a choice. `rewards` f4 [T, B, P], `done` b1 [T, B],
    `last` f4 [B, P]: the values after the last step. `gamma` discounts from one decision to the next. A program is a
    step for each card (`inner` is the lambda between two of its cards, and nothing is discounted there). Values and
    advantages f4: of programs [n, 5], of choices [n].
    """
    steps, games, players = at.shape
    for b in range(games):
        for p in range(players):
            value = float(last[b, p])
            advantage = reward = 0.0
            for t in range(steps - 1, -1, -1):
                if done[t, b]:
                    value = advantage = reward = 0.0
                reward += rewards[t, b, p]
                row = at[t, b, p]
                if row < 0:
                    continue
                i = row >> 1
                if row & 1:
                    advantage = reward + gamma * value - choice_values[i] + gamma * lam * advantage
                    choice_advantages[i] = advantage
                    value = float(choice_values[i])
                    reward = 0.0
                    continue
                discount, weight = gamma, gamma * lam
                for k in range(FIVE - 1, -1, -1):
                    program_advantages[i, k] = 0.0
                    if program_kinds[i, k] == 0:
                        continue
                    advantage = reward + discount * value - program_values[i, k] + weight * advantage
                    program_advantages[i, k] = advantage
                    value = float(program_values[i, k])
                    reward = 0.0  # a program without a card passes its reward on
                    discount, weight = 1.0, inner
