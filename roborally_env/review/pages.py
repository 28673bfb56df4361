"""The page of a race that was looked back on."""

from __future__ import annotations

from roborally_env.base.types import Json, JsonObject
from roborally_env.replay import Replay
from roborally_env.review.ghosts import Ghosts
from roborally_env.review.model import PROGRAM, Decision, Review
from roborally_env.watch import replay_page

DIGITS = 4  # of chances on the page


def review_page(replay: Replay, found: Review, *, title: str = "") -> str:
    """The page of a replay as HTML, with what a review has found beside the race.

    Args:
        replay: the race.
        found: what `review` makes of it.
        title: of the page; the course's, if not given.

    Raises:
        RoboRallyError: for a replay that goes differently from its recording.
    """
    return replay_page(replay, title=title, review=page_data(found, Ghosts(replay)))


def page_data(found: Review, ghosts: Ghosts) -> JsonObject:
    """What the page shows, as JSON values: a review as `Review.to_dict` has it, and for each program the ghosts of
    the one that was played and of the better one; for a brilliant one that of the obvious program."""
    data = found.to_dict()
    for entry, decision in zip(data["decisions"], found.decisions, strict=True):
        entry["ghosts"] = _ghosts(decision, ghosts)
    rounded: JsonObject = _rounded(data)
    return rounded


def _ghosts(decision: Decision, ghosts: Ghosts) -> JsonObject:
    if decision.kind != PROGRAM:
        return {}
    plain = decision.plain if decision.mark == "brilliant" else ()
    programs = {"made": decision.made, "better": decision.better, "obvious": plain}
    return {
        name: ghosts.of(decision.round, decision.seat, cards).to_dict() for name, cards in programs.items() if cards
    }


def _rounded(value: Json) -> Json:
    """JSON values with short numbers."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list | tuple) else value
