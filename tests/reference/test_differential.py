"""The compiled core against the slow references, over random scenarios. `differential.py` plays millions."""

import pytest

from .comparison import difference_of_seed

SIZE = {"2016": 500, "2023": 300, "2005": 500, "community": 500}  # scenarios of a block
BLOCKS = {"2016": 6, "2023": 3, "2005": 3, "community": 3}
QUICK = {"2016": 1, "2023": 1, "2005": 1, "community": 1}  # blocks that are not marked as slow
SKIPPED = {"2016": 50, "2023": 75, "2005": 25, "community": 50}  # fewer of a block are left to chance


def blocks() -> list[object]:
    """Each block of each edition."""
    return [
        pytest.param(name, block, marks=() if block < QUICK[name] else pytest.mark.slow)
        for name in BLOCKS
        for block in range(BLOCKS[name])
    ]


@pytest.mark.parametrize(("edition", "block"), blocks())
def test_core_and_reference_agree(edition: str, block: int) -> None:
    skipped = 0
    for seed in range(block * SIZE[edition], (block + 1) * SIZE[edition]):
        found = difference_of_seed(edition, seed)
        assert not found, found
        skipped += found == ""
    assert skipped < SKIPPED[edition]
