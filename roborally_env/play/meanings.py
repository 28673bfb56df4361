"""What a page says about everything that it shows: the spaces of the board, and what lies on them.

The words are those of `roborally cards` and of the gallery's table.
"""

from __future__ import annotations

from roborally_env.base.types import JsonObject
from roborally_env.courses import Course
from roborally_env.courses.tile_words import Words, cell_words, checkpoint_words

CUBE = Words("Energy cube", "The first robot that ends a register here takes it. Cubes buy upgrades.")
ARCHIVE = Words("Archive marker", "The robot returns here after it is destroyed.")


def meanings_of(course: Course) -> JsonObject:
    """Words as JSON values.

    `texts`: pairs of a title and a rule; `cells`: by "x,y" the numbers of those that hold there; `checkpoints`: a pair
    each, in their order; `cube` and `archive`: a pair.
    """
    texts: dict[Words, int] = {}
    cells = {
        f"{x},{y}": [texts.setdefault(words, len(texts)) for words in dict.fromkeys(all_words)]
        for (x, y), all_words in cell_words(course).items()
    }
    many = len(course.checkpoints)
    return {
        "texts": list(texts),
        "cells": cells,
        "checkpoints": [checkpoint_words(number, many, course.edition) for number in range(1, many + 1)],
        "cube": CUBE,
        "archive": ARCHIVE,
    }
