"""Looking back on a race that is over: its page, or its card, is made on a thread of its own while somebody waits."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import JsonObject
from roborally_env.replay import load

THREAD = "look back"
PATIENCE = 10.0  # seconds without a question after which nobody waits any more: pages ask twice a second


class _Nobody(Exception):
    """Nobody waits any more."""


class LookBack:
    """The page of one race. A page that waits for it calls `ask` again and again; without that the work is given up.

    Args:
        path: of the replay.
        card: make the card to send to a friend, with the worst program of the robot `seat`; None: of all robots.
    """

    def __init__(self, path: Path, card: bool = False, seat: int | None = None) -> None:
        self.path, self.card, self.seat = path, card, seat
        self.page = ""  # HTML, when it is made
        self._failure = ""
        self._done = self._rounds = 0
        self._asked = 0.0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def ask(self) -> JsonObject:
        """How far it is: `ready`, rounds `done` and `rounds` (0: not known yet), `failure` (a line, or empty). The
        work begins, if nobody has waited before."""
        with self._lock:
            self._asked = time.monotonic()
            if not (self.page or self._failure or self._thread):
                self._done = 0
                self._thread = threading.Thread(target=self._run, name=THREAD, daemon=True)
                self._thread.start()
            ready = bool(self.page)
            return {"ready": ready, "done": self._done, "rounds": self._rounds, "failure": self._failure}

    def _run(self) -> None:
        page = failure = ""
        try:
            page = self._made()
        except _Nobody:
            pass
        except RoboRallyError as error:
            failure = str(error)
        except Exception as error:  # whatever it is: the page says so
            failure = f"{type(error).__name__}: {error}"
        with self._lock:
            self.page, self._failure, self._thread = page, failure, None

    def _made(self) -> str:
        from roborally_env.review import review
        from roborally_env.review.pages import review_page

        replay = load(self.path)
        found = review(replay, progress=self._progress)
        if self.card:
            from roborally_env.review.card import card

            return card(replay, found, seat=self.seat)
        return review_page(replay, found)

    def _progress(self, done: int, rounds: int) -> None:
        with self._lock:
            self._done, self._rounds = done, rounds
            if time.monotonic() - self._asked > PATIENCE:
                raise _Nobody
