"""What axe-core finds on a page (WCAG 2 A and AA, and good practice): for a race in each size and colour scheme."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser import resize

SIZES = ((1400, 900), (800, 1000), (375, 812))
GRAVE = ("serious", "critical")


def serious(page: Any, rules: tuple[str, ...] = ()) -> list[str]:
    """Each serious finding: the rule, what it says, where. rules: these alone; all, if none are given."""
    module = pytest.importorskip("axe_playwright_python.sync_playwright")
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    found = module.Axe().run(page, options=options).response["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {', '.join(node['html'][:160] for node in rule['nodes'][:3])}"
        for rule in found
        if rule["impact"] in GRAVE
    ]


def serious_everywhere(page: Any) -> dict[str, list[str]]:
    """The serious findings in every size, and of dark colours; sizes without any are left out."""
    found = {}
    for scheme, rules in (("light", ()), ("dark", ("color-contrast",))):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for width, height in SIZES:
            resize(page, width, height)
            found[f"{width} {scheme}"] = serious(page, rules)
    return {where: violations for where, violations in found.items() if violations}
