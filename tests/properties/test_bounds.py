"""The numbers of observations stay within the bounds that their spaces say, and come near them."""

from typing import Any

import numpy as np
import pytest

from roborally_env import BatchRace
from roborally_env.core.seeing.observe import most_on_planes, planes_of
from roborally_env.envs.spaces import part_boxes, part_slices, shapes_of
from tests.games import FULL, LIGHTER, deal_upgrades

GAMES: dict[str, dict[str, Any]] = {
    "lighter": {"course": ["dizzy_highway", "death_trap", "pilgrimage", "gear_stripper"], "rules": LIGHTER},
    "complete": {"course": ["dizzy_highway", "death_trap", "pilgrimage", "gear_stripper"], "rules": FULL},
    "2023": {"edition": "2023", "course": ["dizzy_highway", "death_trap", "pilgrimage", "gear_stripper"]},
    "2005": {"edition": "2005", "course": ["risky_exchange", "death_trap", "capture_the_flag", "toggle_boggle"]},
    "community": {"edition": "community", "course": ["hot_floor", "terraces", "rain_yard", "summit_works"]},
}
# parts that may grow without end, or to what random play does not come near
FAR_OFF = {"energy", "distance", "others", "cell", "known_top", "role"}


def extremes(batch: BatchRace, steps: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The least and the greatest number in each place of the vectors of random legal play, and on each plane."""
    lows, highs, most = [], [], []
    for step in range(steps):
        batch.sample(step)
        seen = batch.step_prepared().observations
        lows.append(seen["symbolic"].min(axis=(0, 1)))
        highs.append(seen["symbolic"].max(axis=(0, 1)))
        most.append(seen["planes"].max(axis=(0, 1, 2, 3)))
    return np.min(lows, axis=0), np.max(highs, axis=0), np.max(most, axis=0)


@pytest.mark.parametrize("name", GAMES)
def test_no_number_is_outside_its_bounds_and_most_come_near_them(name: str) -> None:
    batch = BatchRace(40, players=4, decisions="all", observation="planes", max_rounds=40, seed=3, **GAMES[name])
    if name == "complete":
        deal_upgrades(batch, 1)
    low, high, most = extremes(batch, 400 if name == "lighter" else 1500)
    boxes = part_boxes(batch)
    for part, (start, end, _) in zip(boxes, part_slices(shapes_of(boxes)), strict=True):
        least, greatest = boxes[part].low.ravel(), boxes[part].high.ravel()
        assert (low[start:end] >= least).all(), (part, low[start:end].min())
        assert (high[start:end] <= greatest).all(), (part, high[start:end].max())
        if part not in FAR_OFF:
            assert high[start:end].max() >= 0.4 * min(1.0, greatest.max()), (part, high[start:end].max())
        if least.min() < 0:
            assert low[start:end].min() <= 0.2 * least.min(), (part, low[start:end].min())
    bounds = most_on_planes(batch.game)
    assert (most <= bounds).all(), [planes_of(batch.game)[i] for i in np.flatnonzero(most > bounds)]


def test_what_has_no_end_is_cut() -> None:
    """Energy, rounds and the distance of a robot that no way leads from, far beyond what is shown of them."""
    batch = BatchRace(1, rules=LIGHTER, players=2)
    batch.games["energy"] = 500
    batch.games["round_number"] = 3000
    batch.maps.distance.setflags(write=True)
    kept = batch.maps.distance.copy()
    batch.maps.distance[:] = 60_000
    seen = batch.observe()["symbolic"][0, 0].copy()
    batch.maps.distance[:] = kept
    boxes = part_boxes(batch)
    places = dict(zip(boxes, part_slices(shapes_of(boxes)), strict=True))
    for part, box in boxes.items():
        start, end, shape = places[part]
        assert box.contains(seen[start:end].reshape(shape)), part
    assert [seen[places[part][1] - 1] for part in ("energy", "progress", "distance")] == [8, 8, 8]
