"""The guided race: a small course, an opponent that plays at random, and a page that explains each thing when it comes.

The words are in web/play/guide.json: steps with a title, a text, the moment at which they come, and what they point at.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources

from roborally_env.courses import Course
from roborally_env.generated.resolve import load_course
from roborally_env.play.setup import PlaySetup, check_play

OPPONENTS = ("random",)
SEED = 93  # with which who follows the hints meets belts, lasers and cubes, and wins in the second round


def guide_course() -> Course:
    """The course of the guided race."""
    with resources.as_file(resources.files("roborally_env.play") / "first_steps.toml") as path:
        return load_course(path)


def guided_setup(names: Sequence[str] = ()) -> PlaySetup:
    """The guided race for one person, the same each time.

    Raises:
        RoboRallyError: for a name that `check_play` does not accept.
    """
    return check_play(guide_course(), list(OPPONENTS), seed=SEED, names=names)


def is_guided(setup: PlaySetup) -> bool:
    """Whether the page explains this race."""
    return setup.course.slug == "first_steps" and len(setup.people) == 1
