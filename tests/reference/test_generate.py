"""Are the random scenarios of all editions legal, and the same for the same seed?"""

import pytest

from tests.sizes import size

from .board import cell_of, neighbour
from .comparison import REFERENCES
from .errors import NeedsChance

SIZE = {"2016": 100, "2023": 75, "2005": 250, "community": 250}  # scenarios of a block
BLOCKS = size({"2016": 4, "2023": 2, "2005": 1, "community": 1}, {"2016": 10, "2023": 4, "2005": 4, "community": 4})


@pytest.mark.parametrize("edition", REFERENCES)
def test_the_same_seed_gives_the_same_scenario_and_outcome(edition):
    reference = REFERENCES[edition]
    for seed in range(size(20, 50)):
        assert reference.scenario(seed) == reference.scenario(seed)
        assert result(reference, seed) == result(reference, seed)


def result(reference, seed):
    """The outcome, or why there is none."""
    try:
        return reference.play(reference.scenario(seed))
    except NeedsChance as error:
        return str(error)


@pytest.mark.parametrize(("edition", "block"), [(name, block) for name in BLOCKS for block in range(BLOCKS[name])])
def test_random_scenarios_are_legal(edition, block):
    for seed in range(block * SIZE[edition], (block + 1) * SIZE[edition]):
        drawn = REFERENCES[edition].scenario(seed)
        race = REFERENCES[edition].race(drawn)  # refuses cards, upgrades, options and places that cannot be
        board, elements = race.board, drawn["map"]["elements"]
        kinds = [(cell_of(element), element["kind"]) for element in elements if element["kind"] != "laser"]
        assert len(kinds) == len(set(kinds))  # lasers: both ends of one line in a cell
        walls = [element for element in elements if element["kind"] == "wall"]
        edges = [frozenset([cell_of(wall), neighbour(cell_of(wall), side)]) for wall in walls for side in wall["sides"]]
        assert len(edges) == len(set(edges))
        assert all(board.has(cell_of(element)) for element in elements)
        used = [cell_of(element) for element in elements if element["kind"] not in ("wall", "level")]
        assert board.antenna not in used
        belts = board.belts.values()
        assert not any(belt["out"] in belt["in"] or len(belt["in"]) != len(set(belt["in"])) for belt in belts)
        assert (2 if edition in ("2016", "2023") else 1) <= len(race.robots) <= 6
        starts = [robot.cell for robot in race.robots if not getattr(robot, "virtual", False)]
        assert len(starts) == len(set(starts))
        spaces = {*(robot.cell for robot in race.robots), *board.checkpoints.values(), *getattr(board, "cubes", ())}
        spaces |= {robot.archive for robot in race.robots} if edition == "2005" else set(map(cell_of, board.tokens))
        assert not any(board.is_deadly(cell) or cell == board.antenna for cell in spaces)
        if edition != "2005":
            assert all(not robot.unknown for robot in race.robots)
