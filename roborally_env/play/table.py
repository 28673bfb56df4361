"""The table at which a race is played: its thread, the data for each player, and saving."""

from __future__ import annotations

import dataclasses
import json
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from roborally_env.courses import EDITIONS, turned_course
from roborally_env.errors import RoboRallyError
from roborally_env.play.ghost import ghost_of
from roborally_env.play.guide import is_guided
from roborally_env.play.hint import hint_of
from roborally_env.play.meanings import meanings_of
from roborally_env.play.messages import Advice, Choice, Message, Program, Rematch, Shown, Trial
from roborally_env.play.questions import PROGRAM, Refused
from roborally_env.play.race import PlayRace
from roborally_env.play.setup import PlaySetup
from roborally_env.replay import save

STARTING, ASKING, PLAYING, OVER, STOPPED, FAILED = "starting", "asking", "playing", "over", "stopped", "failed"
_TEXTS = {
    STARTING: "The race is being set up. The first time on a machine the simulator is compiled: a minute or two.",
    STOPPED: "The race was stopped at the table.",
}


class Table:
    """Plays a race on a thread of its own, and keeps the data for each player.

    A player's feed is a growing list of JSON texts: the header, then the pieces of the race in order. So a page that
    reports how many it has can be sent the rest. Open questions are not in the feed, but in `now`.

    Args:
        setup: what is raced.
        path: where the replay is saved.
        changed: called, from any thread, when there is something new.
        log: takes a line for the terminal.
    """

    def __init__(
        self,
        setup: PlaySetup,
        path: Path,
        changed: Callable[[], None] = lambda: None,
        log: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.changed, self.log = changed, log
        self._first, self.races = path, 0
        self._wake, self._saving = threading.Condition(), threading.Lock()
        self._stopped = False
        self._lay_out(setup)

    def _lay_out(self, setup: PlaySetup) -> None:
        """Prepare a race."""
        self.races += 1
        self.setup = setup
        self.path = self._first if self.races == 1 else self._first.with_stem(f"{self._first.stem}_{self.races}")
        self.id = secrets.token_hex(4)  # shows a page whether its items belong to this race
        self.race: PlayRace | None = None
        self.phase, self.failure = STARTING, ""
        self.thinking: int | None = None
        self.saved: Path | None = None
        self._feeds: list[list[str]] = [[] for _ in setup.people]
        self._shown = [0] * len(setup.people)
        self._thread = threading.Thread(target=self._run, name="race", daemon=True)

    # -- from outside

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def stop(self, wait: float = 2.0) -> None:
        """Stop playing, and save the rounds played. Waits at most `wait` seconds for a bot that thinks."""
        with self._wake:
            self._stopped = True
            self._wake.notify_all()
        if self._thread.is_alive():
            with suppress(KeyboardInterrupt):  # a second Ctrl-C ends the waiting
                self._thread.join(wait)
        if self.phase not in (OVER, FAILED):
            self._set(STOPPED)
        if self.race is not None and self.phase == STOPPED and not self._thread.is_alive():
            self.race.close_round()
        self._save()

    def answer(self, player: int, message: Message) -> None:
        """Handle a player's message.

        Raises:
            Refused: if the message is not accepted.
        """
        if isinstance(message, Rematch):
            self._rematch(player)
            return
        if isinstance(message, Shown):
            with self._wake:
                self._shown[player] = min(message.items, len(self._feeds[player]))
                self._wake.notify_all()
            return
        race = self._playing()
        if isinstance(message, Program):
            race.answer(player, message.number, message.robot, message.slots, power_down=message.power_down)
        elif isinstance(message, Choice):
            race.answer(player, message.number, message.robot, message.option, rest=message.rest)
        self.changed()
        with self._wake:
            self._wake.notify_all()

    def _playing(self) -> PlayRace:
        if self.race is None or self.phase in (STOPPED, FAILED):
            raise Refused(self._text() or "the race has not begun")
        return self.race

    def advise(self, player: int, message: Trial | Advice) -> dict[str, Any]:
        """What a player who lays a program wants to know beforehand; it changes nothing. May be called from any thread.

        Raises:
            Refused: if the message is not accepted.
        """
        race = self._playing()
        batch, question = race.position(player, message.number, message.robot)
        told, word = {"number": message.number, "robot": message.robot}, EDITIONS[batch.edition].checkpoint
        if isinstance(message, Trial):
            question.check_beginning(message.slots)
            ghost = ghost_of(batch, question, message.slots)
            return {"type": "ghost", **told, "slots": message.slots, "ghost": ghost.as_json(word)}
        hint = hint_of(batch, question)
        race.note_hint(question)
        self.log(f"{self.setup.people[player]} has had a hint in round {question.round}")
        return {"type": "hint", **told, **hint.as_json(word)}

    def _rematch(self, player: int) -> None:
        """Begin another race of the same players, with another seed. To be called where the feeds are read."""
        with self._wake:
            if self.phase != OVER or self._stopped:
                raise Refused("a rematch begins when the race is over")
            self._thread.join()  # it has nothing left to do
            self._lay_out(dataclasses.replace(self.setup, seed=secrets.randbelow(2**32)))
            self.log(f"{self.setup.people[player]} has begun race {self.races}")
            self.start()
        self.changed()

    def feed(self, player: int, start: int = 0) -> list[str]:
        """A player's feed from item `start` on."""
        return self._feeds[player][start:]

    def now(self, player: int) -> dict[str, Any]:
        """The present situation for one player: who is asked, who thinks, how the race ended."""
        now: dict[str, Any] = {
            "type": "now",
            "race": self.id,
            "phase": self.phase,
            "text": self._text(),
            "items": len(self._feeds[player]),
            "thinking": self.thinking,
        }
        race = self.race
        if race is None:
            return now
        now |= {"number": race.number, "round": race.round, "waiting": race.waiting, "answered": race.answered}
        if self.phase in (ASKING, PLAYING):
            now["asked"] = PROGRAM if race.programming else "choice"
            now["questions"] = []
        if self.phase == ASKING:  # during a step its questions may exist before its pieces
            now["questions"] = [question.as_json() for question in race.questions(player)]
        if self.phase == OVER:
            now["result"] = race.result()
        if self.saved is not None:
            now["saved"] = self.saved.name
        return now

    def _text(self) -> str:
        return self.failure or _TEXTS.get(self.phase, "")

    # -- on the race's thread

    def _run(self) -> None:
        try:
            self._play()
        except RoboRallyError as error:
            self._fail(f"The race had to stop: {error}")
        except Exception as error:  # a user's agent may raise anything; page and terminal show it
            self._fail(f"The race had to stop: {type(error).__name__}: {error}")

    def _play(self) -> None:
        race = PlayRace(self.setup)
        self.race = race
        for player, timeline in enumerate(race.timelines):
            meant = meanings_of(self.setup.course)
            own = {"type": "header", "race": self.id, **self._own(player), "meanings": meant}
            self._send(player, [{**own, "header": timeline.header}])
            self._send(player, [{"type": "piece", **each, **self._turned(each)} for each in timeline.chunks])
        while not race.over and not self._stopped:
            self._set(ASKING if race.waiting else PLAYING)
            if race.programming and not race.waiting:
                self._let_them_watch()
            race.think(self._tell_thinking)
            self.thinking = None
            self._set(ASKING if race.waiting else PLAYING)
            self._wait_for_answers(race)
            if self._stopped:
                return
            self._set(PLAYING)
            for player, pieces in enumerate(race.step()):
                self._send(player, [{"type": "piece", **piece, **self._turned(piece)} for piece in pieces])
        if race.over:
            self._save()
            self._set(OVER)
            self.log(self._ending(race))

    def _turned(self, piece: dict[str, Any]) -> dict[str, Any]:
        """The meanings of the spaces where a piece of the race turns boards, by the board's name (Frenetic Factory)."""
        boards = [name for moment in piece["moments"] for name in moment.get("boards", ())]
        course = self.setup.course
        found = {name: meanings_of(turned_course(course, tuple(map(int, name)))) for name in boards}
        return {"meanings": found} if found else {}

    def _ending(self, race: PlayRace) -> str:
        """A line about the race's end for the terminal."""
        result = race.result()
        winners = " and ".join(f"robot {r} ({race.names[r]})" for r in result["winners"])
        won = f"{winners} win{'s' * (len(result['winners']) == 1)}" if winners else "nobody wins"
        saved = f"; the replay is in {self.saved}" if self.saved is not None else ""
        return f"{won} in round {result['rounds']}{saved}"

    def _own(self, player: int) -> dict[str, Any]:
        """The facts about its player that a page needs."""
        robots, name = list(self.setup.robots_of(player)), self.setup.people[player]
        return {"robots": robots, "player": player, "name": name, "guided": is_guided(self.setup)}

    def _tell_thinking(self, robot: int) -> None:
        self.thinking = robot
        self._set(self.phase)

    def _wait_for_answers(self, race: PlayRace) -> None:
        with self._wake:
            self._wake.wait_for(lambda: self._stopped or not race.waiting)

    def _let_them_watch(self) -> None:
        """Wait before a round in which no person is asked, until somebody has seen all earlier items."""
        with self._wake:
            self._wake.wait_for(
                lambda: self._stopped or any(s >= len(f) for s, f in zip(self._shown, self._feeds, strict=True))
            )

    def _send(self, player: int, items: Sequence[dict[str, Any]]) -> None:
        self._feeds[player] += [json.dumps(item, separators=(",", ":")) for item in items]

    def _set(self, phase: str) -> None:
        self.phase = phase
        self.changed()

    def _fail(self, text: str) -> None:
        self.failure = text
        self._save()
        self.log(text)
        self._set(FAILED)

    def _save(self) -> None:
        """Write the complete rounds, once; a round that was interrupted is left out."""
        with self._saving:
            replay = self.race.replay() if self.race is not None and self.saved is None else None
            if replay is None or not replay.rounds:
                return
            try:
                save(replay, self.path)
            except RoboRallyError as error:
                self.log(f"the replay was not saved: {error}")
                return
            self.saved = self.path


def usual_path(setup: PlaySetup, now: float | None = None) -> Path:
    """The default path of a replay: a name from the course and the time, in the current folder."""
    moment = time.strftime("%Y-%m-%d_%H%M%S", time.localtime(now))
    return Path(f"{setup.course.slug}_{moment}.json")
