"""What the tests of drawings share."""

import io
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from roborally_env import BatchRace
from roborally_env.courses import list_courses
from roborally_env.render.png import rasterized

every_course = pytest.mark.parametrize("course", list_courses(), ids=lambda c: f"{c.edition}-{c.slug}")
SVG = "{http://www.w3.org/2000/svg}"


def tags(svg: str) -> list[tuple[str, int, int]]:
    """(kind, x, y) of everything in a drawing that says so. It is read as XML, so what is no XML fails."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return [
        (each.attrib["data-kind"], int(each.attrib["data-x"]), int(each.attrib["data-y"]))
        for each in root.iter()
        if "data-x" in each.attrib
    ]


def pixels_of(svg: str, width: int) -> np.ndarray:
    """uint8 [h, w, 4]."""
    return np.array(Image.open(io.BytesIO(rasterized(svg, width))).convert("RGBA"))


def random_states(course: str, edition: str, players: int, steps: int, **options: Any) -> Iterator[BatchRace]:
    """A batch of one race after each step of random play, over as many races as it takes."""
    batch = BatchRace(1, course, edition=edition, players=players, seed=players, auto_reset=True, **options)
    yield batch
    for _ in range(steps):
        batch.step(*batch.sample())
        yield batch
