"""How long a player waits for the first hint of `roborally play` where nothing is compiled yet.

    python scripts/experiments/first_hint.py --out results/speed/first_hint.json

For each edition a server begins with an empty cache of machine code, and a headless Chromium opens the race: seconds
from the command to the page, from the page to the first question, and from the cards to the hint, with the key H
pressed at once. Needs the extra `play`, Playwright and a Chromium (`ROBORALLY_CHROMIUM`, or one among the system's
commands).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from roborally_env.courses import EDITIONS
from roborally_env.speed.rows import machine

COMMAND = "from roborally_env.cli import main; main()"
PATIENCE = 600_000  # milliseconds
ANSWER = ".is-asked .answer:enabled"
NAMES = ("chromium", "chromium-browser", "google-chrome")


def waited(browser: Any, edition: str) -> dict[str, float]:
    """The seconds that a player of an edition waits for the page, the cards and the first hint."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["play", "--no-open", "--edition", edition, "--opponents", "greedy", "--port", "0"]
        environment = {**os.environ, "ROBORALLY_CACHE": str(Path(folder) / "cache")}
        began = time.monotonic()
        server = subprocess.Popen(
            [sys.executable, "-c", COMMAND, *words], cwd=folder, stderr=subprocess.PIPE, text=True, env=environment
        )
        try:
            assert server.stderr is not None
            link = next(found[0] for line in server.stderr if (found := re.search(r"http\S+", line)))
            page = browser.new_page()
            page.goto(link, timeout=PATIENCE)
            up = time.monotonic()
            page.wait_for_selector(f"{ANSWER}, .hand-card", timeout=PATIENCE)
            cards = time.monotonic()
            while not page.locator(".hand-card").count():  # upgrades are bought first
                if page.locator(ANSWER).count():
                    page.locator(ANSWER).first.click()
                page.wait_for_timeout(50)
            asked = time.monotonic()
            page.keyboard.press("h")
            page.wait_for_selector(".advice-cards", timeout=PATIENCE)
            hint = time.monotonic()
            page.close()
        finally:
            server.kill()
            server.wait()
    return {"page": round(up - began, 1), "cards": round(cards - up, 1), "hint": round(hint - asked, 1)}


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("first_hint.json"))
    parser.add_argument("--editions", nargs="+", choices=tuple(EDITIONS), default=list(EDITIONS))
    given = parser.parse_args(arguments)
    if not given.out.absolute().parent.is_dir():
        parser.error(f"--out: there is no folder {given.out.parent}")
    command = os.environ.get("ROBORALLY_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        parser.error("Playwright is needed: pip install playwright")
    if command is None:
        parser.error(f"a browser is needed: one of {', '.join(NAMES)}, or ROBORALLY_CHROMIUM")
    found: dict[str, Any] = {"machine": machine(), "load": round(os.getloadavg()[0], 1), "editions": {}}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=command, args=["--no-sandbox", "--disable-gpu"])
        for edition in given.editions:
            found["editions"][edition] = waited(browser, edition)
            print(edition, found["editions"][edition], flush=True)
        browser.close()
    given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
