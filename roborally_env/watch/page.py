"""One self-contained HTML page for a race, and the pieces that other pages are made of."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from functools import cache
from importlib import resources

from roborally_env.base.types import Fields, JsonObject
from roborally_env.render.svg import theme_css

# the sources of each file that pages load, in the required order
BUNDLES = {
    "board.js": (
        "robo.js", "cards.js", "sound.js", "camera.js", "belts.js", "stage.js", "effects.js", "panels.js", "log.js",
    ),
    "viewer.js": ("tools.js", "events.js", "viewer.js"),
    "review.js": ("curve.js", "ghosts.js", "decisions.js", "review.js"),
}  # fmt: skip


def asset(name: str) -> str:
    """A file that pages load, as text: `board.js` (draws a race), `viewer.js`, `viewer.css`, `page.html`."""
    text = "\n".join(_read(part) for part in BUNDLES.get(name, (name,)))
    return f"{theme_css()}\n{text}" if name == "viewer.css" else text


@cache
def _read(name: str) -> str:
    return resources.files("roborally_env.watch").joinpath("assets", name).read_text(encoding="utf-8")


def json_for_html(value: object) -> str:
    """A value as JSON that may stand inside a script element: nothing in it can end the element or begin another."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


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
    styles, scripts = ["viewer.css"], ["board.js", "viewer.js"]
    if review is not None:
        data["review"] = review
        styles.append("review.css")
        scripts.insert(1, "review.js")
    return filled(
        "page.html",
        title=html.escape(f"{header['title']}: a race"),
        style="\n".join(map(asset, styles)),
        data=json_for_html(data),
        script="\n".join(map(asset, scripts)),
    )


def filled(name: str, **parts: str) -> str:
    """A page with each `{part}` replaced once; the inserted text is not searched again."""
    head, *rest = asset(name).split("{")
    found = [head]
    for piece in rest:
        key, closed, after = piece.partition("}")
        found.append(parts[key] + after if closed and key in parts else "{" + piece)
    return "".join(found)
