"""What the tests of learning share."""

from collections.abc import Iterator

import pytest


@pytest.fixture
def no_grad() -> Iterator[None]:
    """Without gradients; a decorator of torch would import it while tests are collected."""
    import torch

    with torch.no_grad():
        yield
