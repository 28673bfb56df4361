"""Modules joined into one: what they do then, and what is not joined."""

from __future__ import annotations

import re
from importlib import resources
from typing import Any

import pytest

from roborally_env import RoboRallyError
from roborally_env.watch import asset
from roborally_env.web import bundle
from roborally_env.web.bundles import Bundle, BundleError

MODULES = {
    "a/entry.js": 'import { add as plus, Pair } from "../b/barrel.js";\nimport { count } from "../b/count.js";\n\n'
    "const start = 2;\nexport const found = new Pair(plus(start, 3), count());\n"
    "document.title = `${found.one} ${found.two}`;\n",
    "b/barrel.js": 'export { add } from "./sums.js";\nimport { count } from "./count.js";\n\n'
    "count();\nexport class Pair {\n  constructor(one, two) { Object.assign(this, { one, two }); }\n}\n",
    "b/sums.js": "const start = 100;\nexport function add(a, b) { return a + b + 0 * start; }\n",
    "b/count.js": "let calls = 0;\nexport const count = () => { calls += 1; return calls; };\n",
}


def test_joined_modules_run_once_each_and_keep_their_names_apart(page: Any) -> None:
    script = Bundle(MODULES.__getitem__).joined("a/entry.js")
    page.set_content(f'<script type="module">\n{script}</script>')
    page.wait_for_function("document.title !== ''")
    assert page.title() == "5 2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('import { none } from "../b/sums.js";\n', "b/sums.js does not export 'none'"),
        ('import { add and more } from "../b/sums.js";\n', "between the braces, got 'add and more'"),
        ('import * as sums from "../b/sums.js";\n', "cannot be joined: import *"),
        ('import sums from "../b/sums.js";\n', "cannot be joined: import sums"),
        ('import "../b/sums.js";\n', "cannot be joined: import"),
        ('const sums = await import("../b/sums.js");\n', "cannot be joined: import("),
        ("const here = () => import.meta.url;\n", "cannot be joined: import.meta"),
        ("export let changes = 1;\n", "cannot be joined: export let"),
        ("export default 1;\n", "cannot be joined: export default"),
        ("await something();\n", "cannot be joined: await"),
        ('import { found } from "./entry.js";\n', "a circle of imports: a/entry.js -> a/entry.js"),
    ],
)
def test_other_forms_of_imports_and_exports_are_refused(text: str, message: str) -> None:
    with pytest.raises(BundleError, match=re.escape(message)):
        Bundle((MODULES | {"a/entry.js": text}).__getitem__).joined("a/entry.js")


def test_every_module_of_the_pages_imports_what_there_is() -> None:
    """Biome checks each file alone."""
    for folder in ("shared", "watch", "play"):
        for file in resources.files("roborally_env.web").joinpath(folder).iterdir():
            if file.name.endswith(".js"):
                assert bundle(f"{folder}/{file.name}")


def test_what_pages_of_your_own_load() -> None:
    assert set(re.findall(r"\w+", asset("board.js").rpartition("export const {")[2].partition("}")[0])) == {
        "Log", "Panels", "Race", "RoboBoard", "shopNodes",
    }  # fmt: skip
    assert ".rr-stage" in asset("viewer.css")
    with pytest.raises(RoboRallyError, match=r"page\.html"):
        asset("page.html")
