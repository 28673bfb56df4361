"""Specifications that no course can meet, recognised before any is drawn."""

from __future__ import annotations

from roborally_env.base.text import joined
from roborally_env.courses.model import MAX_HEIGHT, MAX_WIDTH
from roborally_env.generated.difficulty import BANDS, rounds_of
from roborally_env.generated.placement import SHORTEST
from roborally_env.generated.printed import SHAPES
from roborally_env.generated.procedural.starts import depth_of
from roborally_env.generated.specification import Specification
from roborally_env.generated.style import STYLES

# weights of one, two, three and four boards by band
BOARDS = {1: (1, 0, 0, 0), 2: (8, 2, 0, 0), 3: (5, 4, 1, 0), 4: (3, 4, 2, 1), 5: (0, 3, 4, 2)}


def why_impossible(spec: Specification) -> str:
    """Why no course, or hardly any, can meet a specification; "" if only trying shows it."""
    return _too_wide(spec) or _too_many(spec) or _too_easy(spec) or _too_rare(spec)


def _too_wide(spec: Specification) -> str:
    """A reason if its boards fit together in no way."""
    width, height = spec.width or spec.height, spec.height or spec.width
    if width is None or height is None or any(_fits(spec.home, width, height, boards) for boards in _counts(spec)):
        return ""
    return (
        f"boards: {min(_counts(spec))} of {width} x {height} cells and a start board do not fit into {MAX_WIDTH} "
        f"columns and {MAX_HEIGHT} rows; ask for fewer or smaller ones"
    )


def _fits(home: str, width: int, height: int, boards: int) -> bool:
    deep = depth_of(home)  # of the start board, which lies at one of the four sides
    for shape in SHAPES[boards]:
        columns, rows = (max(place[i] for place in shape) + 1 for i in (0, 1))
        wide, high = columns * width, rows * height
        if (wide + deep <= MAX_WIDTH and high <= MAX_HEIGHT) or (wide <= MAX_WIDTH and high + deep <= MAX_HEIGHT):
            return True
    return False


def _counts(spec: Specification) -> list[int]:
    """How many boards there can be."""
    weights = BOARDS[spec.difficulty or 3]
    return [spec.boards] if spec.boards else [number for number, weight in enumerate(weights, 1) if weight]


def _too_many(spec: Specification) -> str:
    """A reason if its boards have no room for the checkpoints.

    Checkpoints are four steps apart, so no block of two cells by three has two of them.
    """
    width, height = spec.width or spec.height, spec.height or spec.width
    if spec.checkpoints is None or width is None or height is None:
        return ""
    room = max(_counts(spec)) * min(-(-width // a) * -(-height // b) for a, b in ((2, 3), (3, 2)))
    if spec.checkpoints <= room:
        return ""
    return f"checkpoints: {spec.checkpoints} have no room on boards of {width} x {height} cells; ask for {room} at most"


def _too_easy(spec: Specification) -> str:
    """A reason if even the nearest checkpoints take more rounds than its difficulty has."""
    if spec.difficulty is None or spec.checkpoints is None:
        return ""
    most = BANDS[spec.difficulty][1]
    least = rounds_of(spec.home, float(spec.checkpoints * SHORTEST), spec.checkpoints)
    if least <= most:
        return ""
    return (
        f"checkpoints: {spec.checkpoints} take at least {least:.1f} rounds, difficulty {spec.difficulty} has {most:g} "
        "at most; ask for fewer or for a higher difficulty"
    )


def _too_rare(spec: Specification) -> str:
    """A reason if hardly any course of its difficulty has this number of checkpoints; unknown if boards are
    given."""
    if spec.difficulty is None or spec.checkpoints is None or spec.boards or spec.width or spec.height:
        return ""
    counts = STYLES[spec.home].checkpoints
    least, most = counts[spec.difficulty]
    if least <= spec.checkpoints <= most:
        return ""
    known = [str(band) for band, (low, high) in counts.items() if low <= spec.checkpoints <= high]
    return (
        f"checkpoints: courses of difficulty {spec.difficulty} have {least} to {most}; ask for one of them, or "
        f"for difficulty {joined(known, 'or')}, which has courses with {spec.checkpoints}"
    )
