"""How strong the opponents are, in a word: on the start page, and in `roborally play --opponents`.

docs/play.md says how often a player beats each level.
"""

from __future__ import annotations

from roborally_env.base.errors import RoboRallyError, nearest
from roborally_env.editions import edition_of

LEVELS = {"easy": "easy", "normal": "greedy", "hard": "planner", "expert": "learned-search"}  # the agent of each
DEFAULT_LEVEL = "easy"


def level_of(edition: str, level: str, opponents: int) -> tuple[str, ...]:
    """The agents of a level for a number of opponents.

    Raises:
        RoboRallyError: for an unknown level.
    """
    if level not in LEVELS:
        raise RoboRallyError(
            f"level: expected one of {', '.join(LEVELS)}, got {str(level)[:40]!r}{nearest(str(level), LEVELS)}"
        )
    strongest = edition_of(edition).start_page.hard
    agents = strongest if level == "expert" and strongest else (LEVELS[level],)
    return tuple(agents[i % len(agents)] for i in range(opponents))
