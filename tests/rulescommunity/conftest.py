"""Each scene is played by the compiled core and by the slow reference."""

import pytest

from . import scene


@pytest.fixture(autouse=True, params=sorted(scene.ENGINES))
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Which of the two plays the scenes of this test."""
    monkeypatch.setattr(scene, "engine", scene.ENGINES[request.param])
    return request.param
