"""The position of a race as one seat sees it, with the keys of a scenario file."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from roborally_env.base.types import JsonObject
from roborally_env.core.cards import NONE
from roborally_env.core.state import NOBODY, REGISTERS, Kind
from roborally_env.courses import Course
from roborally_env.scenario.keys import Key, form_of
from roborally_env.scenario.runner import GameView, Runner, layout_of
from roborally_env.scenario.values import MISSING

_OWN = ("collection",)  # what only the seat itself sees
_OTHERWISE = ("hand", "draw")  # the own hand is in the order of its slots; no card on top of the deck is known


class Position(Runner):
    """A record as the tables of scenario keys look at it; nothing is played.

    Args:
        kind: of the record.
        edition, rules: of the race.
        course: on which it is.
        tables: of that course, [1].
        games: the record, [1]; it is not changed.
    """

    def __init__(
        self,
        kind: Kind,
        edition: str,
        rules: Mapping[str, Any],
        course: Course,
        tables: np.ndarray,
        games: np.ndarray,
    ) -> None:
        form = form_of(edition)
        assert form is not None
        self.form, self.kind, self.tables, self.games = form, kind, tables, games
        self.game = GameView(games, layout_of(kind.name))
        self.events = []
        self.edition, self.rules, self.course = edition, rules, course
        play = {"rounds": 1, "order": None, "start": None}
        self.scenario: Any = SimpleNamespace(play=play, rules=rules, course=course, edition=edition, tables=tables)

    def is_down(self, r: int) -> bool:
        """Whether robot r is powered down."""
        return self.kind.has("down") and bool(int(self.game.down) >> r & 1)

    def seen_by(self, seat: int) -> JsonObject:
        """What the seat sees: `edition`, `rules`, `course`, `robots` and what else lies on the table, as JSON values.

        A robot off the board has neither `x` nor `y`. Cards of others that lie face down are null, and `hand` is that
        of the seat alone.
        """
        robots = [self._robot(r, r == seat) for r in range(int(self.game.players))]
        table = self._values(self.form.table, NOBODY)
        head = {"edition": self.edition, "rules": dict(self.rules), "course": self.course.slug}
        return {**head, "robots": robots, **table}

    def hand(self, r: int) -> list[str | None]:
        """The names of the cards of a hand by slot; null for an empty one."""
        names = self.form.card_names
        return [names[card] if card != NONE else None for card in self.game.hand[r].tolist()]

    def pile(self, r: int) -> list[str]:
        """The names of the cards of a robot's own draw pile, sorted, where robots have one."""
        shown = self.form.robot["draw"].show
        return shown(self, r) if shown and self.kind.has("pile") else []

    def _robot(self, r: int, own: bool) -> JsonObject:
        found = self._values(self.form.robot, r)
        if own:
            found["hand"] = [card for card in self.hand(r) if card]
        else:
            found = {name: value for name, value in found.items() if name not in _OWN}
            hidden = self.form.face_down(self, r)
            found["registers"] = [None if hidden >> k & 1 else found["registers"][k] for k in range(REGISTERS)]
        return found

    def _values(self, keys: Mapping[str, Key], r: int) -> JsonObject:
        shows = {name: key.seen or key.show for name, key in keys.items() if key.read and name not in _OTHERWISE}
        found = {name: show(self, r) for name, show in shows.items() if show}
        return {name: value for name, value in found.items() if value is not MISSING and value is not None}
