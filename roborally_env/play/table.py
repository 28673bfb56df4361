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

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.files import write_whole
from roborally_env.base.types import JsonObject
from roborally_env.courses import EDITIONS, turned_course
from roborally_env.play.clock import Clock
from roborally_env.play.countdown import compiling
from roborally_env.play.ghost import ghost_of
from roborally_env.play.guide import is_guided
from roborally_env.play.hint import hint_of, purchase_hint
from roborally_env.play.meanings import meanings_of
from roborally_env.play.messages import Advice, Choice, Draft, Message, Program, Rematch, Shown, Trial
from roborally_env.play.questions import PROGRAM, Refused
from roborally_env.play.race import PlayRace
from roborally_env.play.saved_race import save_race
from roborally_env.play.setup import PlaySetup
from roborally_env.replay.writer import as_text

WATCHING = -1  # the feed of all who only watch
_LOOK = 0.2  # seconds after which the timer is looked at again
STARTING, ASKING, PLAYING, OVER, STOPPED, FAILED = "starting", "asking", "playing", "over", "stopped", "failed"
_TEXTS = {
    STARTING: "Setting up the race …",
    STOPPED: "The race was stopped in the terminal.",
}


class Table:
    """Plays a race on a thread of its own, and keeps the data for each player.

    A player's feed is a growing list of JSON texts: the header, then the pieces of the race in order. So a page that
    reports how many it has can be sent the rest. Open questions are not in the feed, but in `now`. One more feed, that
    of WATCHING, is for all who only watch.

    While the race goes on its file is written whenever people are waited for, so that it can go on after a kill.

    Args:
        setup: what is raced.
        path: where the replay is saved.
        changed: called, from any thread, when there is something new.
        log: takes a line for the terminal.
        race: the race, if it goes on from a file.
        races: how many races were started before; the file of a further one has its number in its name.

    Attributes:
        keys: what the server wants to find in the file when the race goes on.
    """

    advising = 0  # threads of this process that look for advice, and may be compiling for it

    def __init__(
        self,
        setup: PlaySetup,
        path: Path,
        changed: Callable[[], None] = lambda: None,
        log: Callable[[str], None] = lambda line: None,
        race: PlayRace | None = None,
        races: int = 0,
    ) -> None:
        self.changed, self.log = changed, log
        self._first, self.races = path, races
        self._wake, self._saving = threading.Condition(), threading.Lock()
        self._stopped = False
        self.keys: JsonObject = {}
        self._set_up(setup, race)

    def _set_up(self, setup: PlaySetup, going: PlayRace | None = None) -> None:
        """Prepare a race, or one that goes on."""
        self.races += 1
        self.race: PlayRace | None
        self.setup = setup
        self.path = self._first if self.races == 1 else self._first.with_stem(f"{self._first.stem}_{self.races}")
        self.id = secrets.token_hex(4)  # shows a page whether its items belong to this race
        self.race, self._going = None, going
        self.phase, self.failure = STARTING, ""
        self.thinking: int | None = None
        self.saved: Path | None = None  # when the race is over or had to stop
        self._feeds: list[list[str]] = [[] for _ in (*setup.people, WATCHING)]
        self._clock: Clock | None = None  # while people program and a timer may run
        self._caught: list[int] = []  # the robots that the timer caught in this round
        self._kept = self._has_logged = False  # whether the file has been written, and that it could not be
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
        self._stop_race()

    def _stop_race(self) -> None:
        """Write the rounds of a stopped race; what was not said yet is left out, but the race can go on."""
        if self.race is None or self.phase != STOPPED:
            return
        if not self._thread.is_alive():
            kept = self.race.kept(self.keys)
            self.race.close_round()
            shown = self.race.replay()
            if shown.rounds or self._kept:
                self._kept = self._write(lambda: save_race(self.path, kept, shown)) or self._kept
        if self._kept:
            self.saved = self.path

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
        if isinstance(message, Draft):
            race.draft(player, message.number, message.robot, message.slots, power_down=message.power_down)
            return
        if isinstance(message, Program):
            race.answer(player, message.number, message.robot, message.slots, power_down=message.power_down)
        elif isinstance(message, Choice):
            race.answer(player, message.number, message.robot, message.option, rest=message.rest)
        self.changed()
        with self._wake:
            self._wake.notify_all()

    def _playing(self) -> PlayRace:
        if self.race is None or self.phase in (STOPPED, FAILED):
            raise Refused(self._text() or "the race has not started")
        return self.race

    def advise(self, player: int, message: Trial | Advice) -> JsonObject:
        """What a player wants to know before deciding; it changes nothing. May be called from any thread.

        Raises:
            Refused: if the message is not accepted.
        """
        race = self._playing()
        Table.advising += 1
        try:
            return self._advice(race, player, message)
        finally:
            Table.advising -= 1

    def _advice(self, race: PlayRace, player: int, message: Trial | Advice) -> JsonObject:
        batch, question = race.position(player, message.number, message.robot)
        head, word = {"number": message.number, "robot": message.robot}, EDITIONS[batch.edition].checkpoint
        if isinstance(message, Trial):
            question.check_program(message.slots, partly=True)
            ghost = ghost_of(batch, question, message.slots)
            return {"type": "ghost", **head, "slots": message.slots, "ghost": ghost.as_json(word)}
        if question.kind == PROGRAM:
            found = hint_of(batch, question).as_json(word)
        else:
            found = purchase_hint(batch, question).as_json()
        race.note_hint(question)
        self.log(f"{self.setup.people[player]} has had a hint in round {question.round}")
        return {"type": "hint", **head, **found}

    def _rematch(self, player: int) -> None:
        """Begin another race of the same players, with another seed. To be called where the feeds are read."""
        with self._wake:
            if self.phase != OVER or self._stopped:
                raise Refused("a rematch can begin when the race is over")
            self._thread.join()  # it has nothing left to do
            self._set_up(dataclasses.replace(self.setup, seed=secrets.randbelow(2**32)))
            self.log(f"{self.setup.people[player]} has started race {self.races}")
            self.start()
        self.changed()

    def feed(self, player: int, start: int = 0) -> list[str]:
        """A player's feed from item `start` on."""
        return self._feeds[player][start:]

    def now(self, player: int) -> JsonObject:
        """The present situation for one player: who decides, who thinks, how the race ended."""
        now: JsonObject = {
            "type": "now",
            "race": self.id,
            "phase": self.phase,
            "text": self._text(),
            "items": len(self._feeds[player]),
            "thinking": self.thinking,
        }
        if self.setup.timer is not None:
            now["timer"] = self._timer()
        if (found := compiling()) is not None:
            now["compiling"] = found
        race = self.race
        if race is None:
            return now
        now |= {"number": race.number, "round": race.round, "waiting": race.waiting, "answered": race.answered}
        if self.phase in (ASKING, PLAYING):
            now["asked"] = PROGRAM if race.programming else "choice"
            now["questions"] = []
        if self.phase == ASKING and player != WATCHING:  # during a step its questions may exist before its pieces
            now["questions"] = [question.as_json() for question in race.questions(player)]
        if self.phase == OVER:
            now["result"] = race.result()
        if self.saved is not None:
            now["saved"] = self.saved.name
        return now

    def _timer(self) -> JsonObject:
        """The timer for a page: whether it runs, the seconds that it has, and whom it caught in this round."""
        clock = self._clock
        runs = clock is not None and clock.running
        return {"runs": runs, "seconds": clock.length if clock is not None and runs else 0, "caught": self._caught}

    def seconds_left(self) -> float:
        """The seconds that are left of the timer, if it runs."""
        clock = self._clock
        return clock.left(time.monotonic()) if clock is not None and clock.running else 0.0

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
        race = self._going or PlayRace(self.setup)
        self.race = race
        meant = meanings_of(self.setup.course)
        for player, timeline in zip((*range(len(self.setup.people)), WATCHING), race.timelines, strict=True):
            own = {"type": "header", "race": self.id, **self._own(player), "meanings": meant}
            self._feeds[player].append(_as_text({**own, "header": timeline.header}))
            self._feeds[player] += self._as_items(timeline.chunks)
        while not race.over and not self._stopped:
            asks_people = any(race.player_of(robot) is not None for robot in race.open)
            if asks_people or race.programming:
                self._keep(race)
            self._set(ASKING if race.waiting else PLAYING)
            if race.programming and not asks_people:  # who answers at once was asked all the same
                self._let_them_watch()
            race.think(self._report_thinking)
            self.thinking = None
            self._set(ASKING if race.waiting else PLAYING)
            self._wait_for_answers(race)
            if self._stopped:
                return
            self._set(PLAYING)
            for feed, pieces in zip(self._feeds, race.step(), strict=True):
                feed += self._as_items(pieces)
        if race.over:
            self._save()
            self._set(OVER)
            self.log(self._ending(race))

    def _as_items(self, pieces: Sequence[JsonObject]) -> list[str]:
        return [_as_text({"type": "piece", **piece, **self._turned(piece)}) for piece in pieces]

    def _turned(self, piece: JsonObject) -> JsonObject:
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

    def _own(self, player: int) -> JsonObject:
        """The facts about its player that a page needs."""
        if player == WATCHING:
            return {"robots": [], "player": None, "name": "watching"}
        robots, name = list(self.setup.robots_of(player)), self.setup.people[player]
        return {"robots": robots, "player": player, "name": name, "guided": is_guided(self.setup)}

    def _report_thinking(self, robot: int) -> None:
        self.thinking = robot
        self._set(self.phase)

    def _wait_for_answers(self, race: PlayRace) -> None:
        if self.setup.timer is not None and race.programming:
            self._time(race)
        with self._wake:
            self._wake.wait_for(lambda: self._stopped or not race.waiting)

    def _time(self, race: PlayRace) -> None:
        """Wait for programs until the timer has run out."""
        timer, course = self.setup.timer, self.setup.course
        assert timer is not None
        unfinished = self._unfinished(race)
        if not unfinished:
            return
        asked = {race.player_of(robot) for robot in race.open}
        people = {player for player in asked if player is not None}
        clock = Clock(timer, course, people, None in asked, time.monotonic())
        self._clock, self._caught = clock, []
        while unfinished and not self._stopped:
            runs = clock.running
            due = clock.look(time.monotonic(), unfinished, all(self._has_seen(player) for player in people))
            if clock.running and not runs:
                self.changed()
            if clock.running and not due:
                self._caught = race.run_out()
                break
            with self._wake:
                self._wake.wait(min(due, _LOOK))
            unfinished = self._unfinished(race)
        self._clock = None
        self.changed()

    def _unfinished(self, race: PlayRace) -> dict[int, int]:
        """How many programs people have still to finish, by person."""
        players = [race.player_of(robot) for robot in race.waiting]
        return {player: players.count(player) for player in players if player is not None}

    def _has_seen(self, player: int) -> bool:
        return self._shown[player] >= len(self._feeds[player])

    def _let_them_watch(self) -> None:
        """Wait before a round without decisions of people, until somebody has seen all earlier items."""
        with self._wake:
            self._wake.wait_for(lambda: self._stopped or any(map(self._has_seen, range(len(self._shown)))))

    def _set(self, phase: str) -> None:
        self.phase = phase
        self.changed()

    def _fail(self, text: str) -> None:
        self.failure = text
        self._save()
        self.log(text)
        self._set(FAILED)

    def _keep(self, race: PlayRace) -> None:
        """Write the file of the race as it goes on."""
        kept = race.kept(self.keys)
        self._kept = self._write(lambda: save_race(self.path, kept)) or self._kept

    def _save(self) -> None:
        """Write the file of a race that is over, or of one that had to stop."""
        if self.race is None:
            return
        if not self.race.over:
            self._keep(self.race)
            self.saved = self.path if self._kept else None
            return
        text = as_text(self.race.replay())
        if self._write(lambda: write_whole(self.path, text)):
            self.saved = self.path

    def _write(self, write: Callable[[], None]) -> bool:
        """Whether a file could be written; the first time that it could not, the terminal says so."""
        with self._saving:
            try:
                write()
            except RoboRallyError as error:
                if not self._has_logged:
                    self.log(f"the replay was not saved: {error}")
                self._has_logged = True
                return False
            return True


def _as_text(item: JsonObject) -> str:
    return json.dumps(item, separators=(",", ":"))
