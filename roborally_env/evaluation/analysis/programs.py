"""The programs of a policy in a given situation: how often it places each card in each register."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from roborally_env.agents import Agent, Info, make_agent
from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.base.types import Array, OptionValue, Record
from roborally_env.batch import BatchRace
from roborally_env.core import cards
from roborally_env.core.state import REGISTERS
from roborally_env.courses import DIRECTIONS, Course
from roborally_env.courses.tables import WIDTH
from roborally_env.evaluation.analysis.extras import axes_of, data_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


def situation(
    course: str | Course,
    *,
    at: tuple[int, int],
    facing: str,
    hand: Sequence[str] = (),
    reached: int = 0,
    seat: int = 0,
    seed: int = 0,
    **options: OptionValue,
) -> BatchRace:
    """A batch of one race of the 2016 edition that waits for programs, with one robot at a given place.

    The other robots stand on their start spaces. The robot's own twenty cards are dealt so that the named ones come
    first in its hand; all else is as in any race.

    Args:
        course: its name or the Course.
        at: column and row.
        facing: N, E, S or W.
        hand: names of up to nine cards of its deck; the rest of the hand is dealt by the seed.
        reached: checkpoints that it has reached.
        seat: which robot.
        seed: of the race.
        options: further ones of BatchRace: players, rules, observation, ...

    Raises:
        RoboRallyError: for a place that is off the board, taken or a pit, or cards that the deck does not have.
    """
    batch = BatchRace(1, course, seed=seed, auto_reset=False, **options)
    if not batch.kind.has("pile"):
        raise RoboRallyError("situation: expected a course of edition 2016")
    seat = check_whole(seat, "seat", 0, batch.players - 1)
    while not batch.programming[0]:  # nobody buys
        batch.step(np.zeros((1, batch.players, REGISTERS), np.int8), _nothing_bought(batch))
    game = batch.games[0]
    _place(batch, game, seat, at, facing)
    game["reached"][seat] = check_whole(reached, "reached", 0, len(batch.courses[0].checkpoints) - 1)
    _deal(game, seat, hand)
    batch.observe()
    return batch


def _nothing_bought(batch: BatchRace) -> Array:
    choices = np.zeros((1, batch.players), np.int8)
    choices[0, int(batch.games[0]["ask_seat"])] = 1
    return choices


def _place(batch: BatchRace, game: Record, seat: int, at: tuple[int, int], facing: str) -> None:
    course = batch.courses[0]
    if not (isinstance(at, Sequence) and len(at) == 2 and all(isinstance(n, (int, np.integer)) for n in at)):
        raise RoboRallyError(f"at: expected (column, row), got {at!r}")
    x, y = int(at[0]), int(at[1])
    cell = x + WIDTH * y
    pits = {(e.x, e.y) for e in course.elements if e.kind == "pit"}
    taken = [r for r in range(batch.players) if r != seat and int(game["cell"][r]) == cell]
    antenna = course.antenna[:2] if course.antenna else None
    if not course.on_board(x, y) or (x, y) in pits or (x, y) == antenna or taken:
        raise RoboRallyError(f"at: no robot can stand in {x},{y} of {course.slug}: no floor, or robot {taken} is there")
    if facing not in tuple(DIRECTIONS):
        raise RoboRallyError(f"facing: expected one of N, E, S, W, got {facing!r}")
    game["cell"][seat], game["facing"][seat] = cell, DIRECTIONS.index(facing)


def _deal(game: Record, seat: int, names: Sequence[str]) -> None:
    """Deal the robot's hand anew, the named cards first; the rest goes back into its draw pile."""
    if isinstance(names, str) or len(names) > int(game["held"][seat]):
        raise RoboRallyError(f"hand: expected a list of at most {int(game['held'][seat])} cards, got {names!r}")
    held, left = int(game["held"][seat]), int(game["drawable"][seat])
    deck = [int(c) for c in game["hand"][seat, :held]] + [int(c) for c in game["pile"][seat, :left]]
    hand = []
    for name in names:
        number = cards.NAMES.index(name) if name in cards.NAMES else -1
        if number not in deck:
            known = sorted({cards.NAMES[c] for c in deck})
            raise RoboRallyError(
                f"hand: the deck has no (further) {name!r}{nearest(name, known)}; left are {', '.join(known)}"
            )
        deck.remove(number)
        hand.append(number)
    rest = held - len(hand)
    game["hand"][seat, :held] = hand + deck[:rest]
    game["pile"][seat, :left] = deck[rest:]


def hand_of(batch: BatchRace, seat: int = 0, game: int = 0) -> list[str]:
    """The names of the cards in a robot's hand, slot by slot."""
    game = check_whole(game, "game", 0, batch.num_games - 1)
    seat = check_whole(seat, "seat", 0, batch.players - 1)
    names = batch.kind.card_names
    return [str(names[card]) for card in batch.games[game]["hand"][seat].tolist() if card]


def program_table(
    agent: str | Agent, batch: BatchRace, *, game: int = 0, seat: int = 0, samples: int = 100
) -> DataFrame:
    """How often an agent places each card in each register: a DataFrame of shares, a row for each card, columns 1 to 5.

    The agent decides `samples` times; each time all hidden information is drawn anew (`BatchRace.redeal`).

    Args:
        agent: a spec as for `make_agent`, or an agent.
        batch: a batch in the programming phase, such as `situation` makes.
        game: which race of it.
        seat: the robot that is programmed.
        samples: the number of decisions.

    Raises:
        RoboRallyError: for any value outside these.
    """
    game = check_whole(game, "game", 0, batch.num_games - 1)
    seat = check_whole(seat, "seat", 0, batch.players - 1)
    player = make_agent(agent) if isinstance(agent, str) else agent
    if not batch.programming[game]:
        raise RoboRallyError("batch: expected a race that waits for programs; a purchase or a choice is open")
    if not batch.kind.has("pile"):
        raise RoboRallyError("batch: expected a race of edition 2016")
    hand = hand_of(batch, seat, game)
    rows = [name for name in dict.fromkeys(cards.NAMES) if name in hand]
    shares = _empty(rows)
    for sample in range(check_whole(samples, "samples", 1, 1_000_000)):
        for register, slot in enumerate(_decide(player, batch.redeal(seat, sample), game, seat)):
            shares.loc[hand[int(slot)], register + 1] += 1 / samples
    return shares


def _empty(rows: list[str]) -> DataFrame:
    table = data_frame(np.zeros((len(rows), REGISTERS)))
    table.index, table.columns = rows, range(1, REGISTERS + 1)
    table.index.name, table.columns.name = "card", "register"
    return table


def _decide(agent: Agent, batch: BatchRace, game: int, seat: int) -> Array:
    games, seats = np.array([game], np.int64), np.array([seat], np.int64)
    seen = batch.vectors[games, seats] if agent.needs_observation else None
    programs = agent.act(seen, batch.observations["masks"][games, seats], Info(batch, games, seats))
    return np.asarray(np.asarray(programs)[0])


def plot_program(shares: DataFrame, title: str = "", *, ax: Axes | None = None) -> Axes:
    """A table of shares or probabilities, cards by registers, as a picture with the numbers in per cent.

    Args:
        shares: from `program_table`, or your own DataFrame of probabilities: rows are cards, columns registers.
        title: of the picture.
        ax: matplotlib Axes to draw into; None: a new figure.
    """
    values = np.asarray(shares, np.float64)
    if values.ndim != 2 or not hasattr(shares, "index"):
        raise RoboRallyError("shares: expected a table as program_table gives it, cards by registers")
    ax = axes_of(ax, 4.6, 0.9 + 0.3 * len(values))
    ax.imshow(values, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for (row, column), share in np.ndenumerate(values):
        if share >= 0.005:
            color = "white" if share > 0.55 else "black"
            ax.text(column, row, f"{100 * share:.0f}", ha="center", va="center", fontsize=8, color=color)
    ax.set_xticks(range(values.shape[1]), [str(name) for name in shares.columns])
    ax.set_yticks(range(len(values)), [str(name).replace("_", " ") for name in shares.index])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("register")
    ax.set_title(title, fontsize=10)
    return ax
