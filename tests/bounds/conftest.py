"""The tests of this folder need kernels with bounds checks: `make bounds` compiles them so."""

import numba
import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip them where kernels have none: machine code then reads and writes beside its arrays without an error."""
    if numba.config.BOUNDSCHECK == 1:
        return
    for item in items:
        if item.path.parent.name == "bounds":
            item.add_marker(pytest.mark.skip(reason="NUMBA_BOUNDSCHECK is not 1 (make bounds)"))
