"""Files of the web folder as text, and templates of pages filled in."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from pathlib import PurePath

from roborally_env.render.svg import theme_css

ROOT = resources.files("roborally_env.web")
TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}


def _served() -> dict[str, str]:
    files = (f"{folder}/{file.name}" for folder in ("shared", "play") for file in ROOT.joinpath(folder).iterdir())
    return {name: TYPES[suffix] for name in files if (suffix := PurePath(name).suffix) in TYPES}


# the files that the pages of `roborally play` load, and their types
SERVED = _served()


@cache
def asset(name: str) -> str:
    """A file of the web folder as text, by its path there: `shared/viewer.css`, with the colours of pictures, or
    `watch/page.html`."""
    text = ROOT.joinpath(name).read_text(encoding="utf-8")
    return f"{theme_css()}\n{text}" if name == "shared/viewer.css" else text


def json_for_html(value: object) -> str:
    """A value as JSON that may stand inside a script element: nothing in it can end the element or begin another."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def filled(name: str, **parts: str) -> str:
    """A page with each `{part}` replaced once; the inserted text is not searched again."""
    head, *rest = asset(name).split("{")
    found = [head]
    for piece in rest:
        key, closed, after = piece.partition("}")
        found.append(parts[key] + after if closed and key in parts else "{" + piece)
    return "".join(found)
