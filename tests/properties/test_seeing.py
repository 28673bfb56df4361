"""What a seat sees of cards and of the other robots, counted here one by one."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from roborally_env import BatchRace
from roborally_env.core.seeing.observe import parts_of
from roborally_env.core.seeing.parts import shape_of
from roborally_env.core.state import PILE, REGISTERS
from roborally_env.courses.tables import WIDTH

PLAYERS = 4
OF_CARDS = {"lighter": 13, "complete": 19, "2023": 19}  # numbers that show a card
OF_ROBOT = 11  # numbers of a row of another player before its damage cards and then its cards of each kind
SPAM, TROJAN_HORSE = 10, 13
GAMES: dict[str, dict[str, Any]] = {
    "lighter": {"rules": {"upgrades": False}},
    "complete": {},
    "2023": {"edition": "2023"},
}


def counted(cards: Any, kinds: int) -> NDArray[np.float64]:
    """Cards of each kind / 4."""
    return np.bincount(np.asarray(cards, np.int64), minlength=kinds + 1)[1 : kinds + 1] / 4


def turned(from_cell: int, to_cell: int, facing: int) -> tuple[float, float]:
    """Cells ahead and to the right, / 16."""
    right, down = to_cell % WIDTH - from_cell % WIDTH, to_cell // WIDTH - from_cell // WIDTH
    ahead, aside = {0: (-down, right), 1: (right, down), 2: (down, -right), 3: (-right, -down)}[facing]
    return ahead / 16, aside / 16


def offsets(game: str) -> dict[str, int]:
    """Where each part of the vector begins."""
    found, at = {}, 0
    for part in parts_of(game):
        found[part.name] = at
        at += int(np.prod(shape_of(part, PLAYERS)))
    return found


def check_seat(batch: BatchRace, g: int, r: int) -> None:
    """Piles, and the first numbers and cards of each row, in the vector of seat r."""
    game, kinds, at = batch.games[g], OF_CARDS[batch.game], offsets(batch.game)
    row = batch.observations["symbolic"][g, r]
    rank = batch.maps.courses["rank"][game.course]
    width = (len(row) - at["others"]) // (PLAYERS - 1)

    def piles(q: int) -> tuple[Any, Any, Any]:
        drawable, discarded, known = (int(game[name][q]) for name in ("drawable", "discarded", "known"))
        pile = game.pile[q]
        drawn = [*pile[:drawable], *pile[PILE - known :]]
        shown = int(game.register) + 1  # the face-down registers are those after it
        return (
            drawn,
            pile[drawable : drawable + discarded],
            [*drawn, *game.hand[q], *game.registers[q][shown:REGISTERS]],
        )

    drawn, discarded, _ = piles(r)
    assert np.array_equal(row[at["draw_pile"] :][:kinds], counted(drawn, kinds))
    assert np.array_equal(row[at["discard_pile"] :][:kinds], counted(discarded, kinds))
    before = 0
    for i in range(1, PLAYERS):
        q = (r + i) % PLAYERS
        its = row[at["others"] + (i - 1) * width :][:width]
        assert tuple(its[:2]) == turned(int(game.cell[r]), int(game.cell[q]), int(game.facing[r]))
        assert np.flatnonzero(its[2:6]).tolist() == [(int(game.facing[q]) - int(game.facing[r])) % 4]
        first = (rank[game.cell[q]], q) < (rank[game.cell[r]], r)
        assert its[9] == first
        before += first
        _, thrown, hidden = piles(q)
        damage = sum(SPAM <= card <= TROJAN_HORSE for card in [*thrown, *hidden])
        assert its[OF_ROBOT] == damage / 16
        assert np.array_equal(its[OF_ROBOT + 1 :][:kinds], counted(hidden, kinds))
    assert row[at["priority"]] == before / 8


@pytest.mark.parametrize("game", list(GAMES))
def test_a_vector_says_what_lies_on_the_table(game: str) -> None:
    batch = BatchRace(6, "dizzy_highway", players=PLAYERS, seed=3, max_rounds=20, **GAMES[game])
    for step in range(40):
        batch.sample(step)
        batch.step_prepared()
        if step % 4 == 0:
            for g in range(6):
                for r in range(PLAYERS):
                    check_seat(batch, g, r)
