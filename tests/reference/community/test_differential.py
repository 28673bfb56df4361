"""The compiled core against the slow reference of the community edition, over random scenarios.

`python -m tests.reference.community.compare START COUNT` plays more of them.
"""

import pytest

from .compare import difference
from .generate import scenario

COUNT = 1500
BLOCKS = 3


@pytest.mark.parametrize("block", range(BLOCKS))
def test_core_and_reference_agree(block):
    size = COUNT // BLOCKS
    skipped = 0
    for seed in range(block * size, (block + 1) * size):
        found = difference(scenario(seed))
        assert not found, found
        skipped += found == ""
    assert skipped < size // 10
