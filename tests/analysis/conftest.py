"""One small tournament of six robots, whose machine code other tests use too, and its events."""

from collections.abc import Iterator
from typing import Any

import pytest

from roborally_env.evaluation import analysis
from roborally_env.evaluation.tournament import Result, evaluate


@pytest.fixture(scope="package")
def result() -> Result:
    """Six races on each of two courses, some cut off."""
    return evaluate(
        ["greedy", "random"], ["dizzy_highway", "twister"], games=6, players=6, seed=5, max_rounds=8, decisions="all"
    )


@pytest.fixture(scope="package")
def events(result: Result) -> Any:
    """All that happened in them."""
    return analysis.race_events(result)


@pytest.fixture(autouse=True)
def _figures_without_a_screen() -> Iterator[None]:
    import matplotlib

    matplotlib.use("Agg")  # not by the environment, which the kernels of notebooks would inherit
    yield
    import matplotlib.pyplot as plt

    plt.close("all")
