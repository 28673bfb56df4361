"""One self-contained HTML page for a race."""

from __future__ import annotations

import html
from collections.abc import Sequence

from roborally_env import web
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Fields, JsonObject
from roborally_env.web import bundle, filled, json_for_html


def asset(name: str) -> str:
    """What pages of your own load, as text: `board.js`, an ES module that draws a race, and its styles `viewer.css`.

    Raises:
        RoboRallyError: for any other name.
    """
    if name == "board.js":
        return bundle("shared/board.js")
    if name == "viewer.css":
        return web.asset("shared/viewer.css")
    raise RoboRallyError(f"expected board.js or viewer.css, got {name!r}")


def race_page(
    header: JsonObject,
    rounds: Sequence[JsonObject],
    *,
    notes: Sequence[tuple[str, str]] = (),
    differs: int | None = None,
    review: Fields | None = None,
) -> str:
    """The page of a race, with everything in it.

    Args:
        header: of the timeline.
        rounds: its chunks.
        notes: what the checks of the replay say: pairs of "good", "warning" or "bad" and a sentence.
        differs: the round from which on the race is not as it was recorded.
        review: what is found of the race when it is looked back on, as `roborally_env.review.pages` gives it.
    """
    data = {
        "header": header,
        "rounds": list(rounds),
        "checks": {"notes": [{"level": level, "text": text} for level, text in notes], "differs": differs},
    }
    styles, script = ["shared/viewer.css"], "watch/replay.js"
    if review is not None:
        data["review"] = review
        styles.append("watch/review.css")
        script = "watch/reviewed.js"
    return filled(
        "watch/page.html",
        title=html.escape(f"{header['title']}: a race"),
        style="\n".join(map(web.asset, styles)),
        data=json_for_html(data),
        script=bundle(script),
    )
