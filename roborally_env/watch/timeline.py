"""The timeline of a race, which the viewer plays: the events of the race, and the game's record after each."""

from __future__ import annotations

from collections.abc import Sequence

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import JsonObject, Record
from roborally_env.batch import BatchRace
from roborally_env.courses import Course, turned_course
from roborally_env.courses.tables import tables_of
from roborally_env.watch.header import board_picture, header_of
from roborally_env.watch.moments import Group, Grouper, effects
from roborally_env.watch.state import State, course_of, state_of
from roborally_env.watch.text import Words

# kinds of moments that end the turn of the robot that played its card
OF_THE_BOARD = frozenset({
    "belt", "panel", "gear", "laser", "robot_laser", "checkpoint", "flag", "archive",
    "slide", "trapdoor", "stomped", "radiation",
})  # fmt: skip


class Timeline:
    """Makes the header and the rounds that the viewer plays, step by step.

    Args:
        batch: a batch made with `frames=True` and `auto_reset=False`, just started.
        agents: a name a robot.
        index: which game of the batch.
        seat: for whom: None sees everything, a robot's number what its player sees, -1 what everybody sees.
        title: of the page; the course's, if not given.

    Attributes:
        header: what does not change in a race (docs/watch.md lists all keys).
        chunks: the rounds so far: `round`, `state` (before its first moment) and `moments`.

    Raises:
        RoboRallyError: for a batch without frames, one that has been played, or a wrong number of names.
    """

    def __init__(
        self,
        batch: BatchRace,
        agents: Sequence[str],
        *,
        index: int = 0,
        seat: int | None = None,
        title: str = "",
    ) -> None:
        _check(batch, agents, index)
        self.batch, self.index, self.seat = batch, index, seat
        self.header = header_of(batch, agents, index=index, title=title)
        words = self.header["checkpoint_word"], self.header["checkpoints"]
        self._words = Words(batch.edition, *words, self.sees)
        self._grouper = Grouper(together="lasers" in batch.kind.step_names)
        self._boards = set(self.header["boards"])
        self._last = ""  # kind of the last moment
        self._noted = 0  # events that led to the open choice: noted already, and the next step's first ones
        self._state = _start(batch, index)
        self._shown = self._view()
        self.chunks: list[JsonObject] = [{"round": 0, "state": self._shown, "moments": []}]
        self._add_events()

    def chunk(self) -> JsonObject:
        """The current round so far."""
        return self.chunks[-1]

    def step_done(self) -> list[JsonObject]:
        """Add the events of the batch's last step. Must be called after each step.

        Returns the new parts by round: `round`, `moments`, and the `state` if a round has started.
        """
        round_, shown = len(self.chunks) - 1, len(self.chunk()["moments"])
        self._add_events()
        current, *later = self.chunks[round_:]
        new = {"round": current["round"], "moments": current["moments"][shown:]}
        return [each for each in (new, *later) if each["moments"]]

    def sees(self, seat: int) -> bool:
        """Whether the hidden cards of a robot are shown."""
        each = self.batch.robots_each
        return self.seat is None or (self.seat >= 0 and self.seat // each == seat // each)

    # -- inside

    def _add_events(self) -> None:
        """Make moments from a step's events. What changed after the last event belongs to its moment."""
        if self._state["over"]:
            return
        events = self.batch.events_of(self.index, partial=True)
        frames = self.batch.frames_of(self.index, partial=True)
        shown = first = self._noted
        self._noted = len(events) - len(self.batch.frames_of(self.index))
        for group in self._grouper.groups(events[first:]):
            if group.kind == "round":
                self.chunks.append({"round": group.events[0]["round"], "state": self._shown, "moments": []})
            shown += len(group.events)
            self._add(group, frames[shown - 1])
        if not self._noted:  # else the record is back at what was before these events
            self._settle(silent=len(events) == first)

    def _add(self, group: Group, frame: Record) -> None:
        """One moment, from its events and the record after the last of them."""
        before = self._state
        time = {"register": self._grouper.register, "turn": self._turn(group)}
        self._state = state_of(self.batch, frame) | time
        self._last = group.kind
        context: JsonObject = {"register": time["register"], "kind": group.kind, "dealt": self._dealt()}
        context |= {"robots": before["robots"], "ground": self._ground}
        moment: JsonObject = {"kind": group.kind, "text": self._words.of(group.events, context)}
        moment |= self._changes()
        shown = effects(group, before, self._ground)
        if shown:
            moment["fx"] = shown
        self.chunk()["moments"].append(moment)

    def _turn(self, group: Group) -> int | None:
        """The robot whose card is played in a moment."""
        if group.kind == "card":
            return int(group.events[0]["robot"])
        ends = group.kind in OF_THE_BOARD or group.kind in ("round", "register")
        if ends or (group.kind == "energy" and self._last not in ("card", "upgrade")):
            return None
        turn: int | None = self._state["turn"]
        return turn

    def _dealt(self) -> dict[int, list[int]]:
        """The registers of each robot into which cards are dealt: the locked ones in the community edition."""
        dealt = self.batch.kind.has("ramps")
        return {seat: robot["locked"] for seat, robot in enumerate(self._state["robots"]) if dealt}

    def _settle(self, silent: bool) -> None:
        """Show the state at the end of a step."""
        state = self._state
        self._state = state_of(self.batch, self.batch.games[self.index])
        self._state |= {"register": state["register"], "turn": state["turn"]}
        moments = self.chunk()["moments"]
        if self._state["over"]:
            moments.append({"kind": "end", "text": [self._ending()]} | self._changes())
            return
        changes = self._changes()
        if not changes:
            return
        if silent or not moments:
            moments.append({"kind": "settle", "text": []} | changes)
        else:
            _merge(moments[-1], changes)

    def _ending(self) -> str:
        """How the race ended, in a sentence."""
        state = self._state
        robots = state["robots"]
        if state["winner"] is None:
            nobody = all(robot.get("lives") == 0 for robot in robots)
            return f"Nobody wins: {'nobody is left' if nobody else 'the race is stopped'} after round {state['round']}."
        teams = [robot.get("team") for robot in self.header["robots"]]
        won = teams[state["winner"]]
        winners = [r for r in range(len(robots)) if r == state["winner"] or (won is not None and teams[r] == won)]
        verb = "wins" if len(winners) == 1 else "win"
        return f"{' and '.join(f'{{{r}}}' for r in winners)} {verb} in round {state['round']}."

    def _changes(self) -> JsonObject:
        """The changes for the viewer since the last moment: `set`, `robots`, and new `boards`."""
        now, shown = self._view(), self._shown
        self._shown = now
        found: JsonObject = {}
        changed = {key: value for key, value in now.items() if key != "robots" and value != shown[key]}
        if changed:
            found["set"] = changed
        robots = {
            str(seat): {key: value for key, value in robot.items() if value != shown["robots"][seat][key]}
            for seat, robot in enumerate(now["robots"])
            if robot != shown["robots"][seat]
        }
        if robots:
            found["robots"] = robots
        if now["board"] not in self._boards:
            self._boards.add(now["board"])
            found["boards"] = {now["board"]: board_picture(self._course(now["board"]))}
        return found

    def _course(self, key: str) -> Course:
        """The course with its boards turned, by their name in `state_of`."""
        course = course_of(self.batch, self.batch.games[self.index])
        return course if key == "0" else turned_course(course, tuple(int(quarters) for quarters in key))

    def _ground(self) -> Record:
        ground: Record = tables_of(self._course(self._shown["board"]))[0]
        return ground

    def _view(self) -> State:
        """The state as the reader sees it."""
        robots = [robot if self.sees(seat) else self._hidden(robot) for seat, robot in enumerate(self._state["robots"])]
        return self._state | {"robots": robots}

    def _hidden(self, robot: JsonObject) -> JsonObject:
        """A robot as others see it: the hand as a number, face-down registers as "?"."""
        shown = set(range(self._state["register"])) | {k - 1 for k in robot.get("locked", ())}
        registers = [card and (card if k in shown else "?") for k, card in enumerate(robot["registers"])]
        laid_on = {k: card for k, card in robot["laid_on"].items() if int(k) in shown}
        found = robot | {"hand": len(robot["hand"]), "registers": registers, "laid_on": laid_on}
        if "collection" in robot:
            found["collection"] = len(robot["collection"])
        if "kept" in robot:
            found["kept"] = dict.fromkeys(robot["kept"], "?")
        return found


def _check(batch: BatchRace, agents: Sequence[str], index: int) -> None:
    if not batch.framing or batch.auto_reset:
        raise RoboRallyError("timeline: expected a batch made with frames=True and auto_reset=False")
    if len(agents) != batch.players:
        raise RoboRallyError(f"timeline: expected {batch.players} names of agents, got {len(agents)}")
    if int(batch.games[index]["round_number"]) > 1:
        raise RoboRallyError("timeline: expected a race at its start")


def _start(batch: BatchRace, index: int) -> State:
    """The state before the first event: a round begins, or a robot is put on the board."""
    events, frames = batch.events_of(index, partial=True), batch.frames_of(index, partial=True)
    state = state_of(batch, frames[0] if events else batch.games[index])
    if events and events[0]["kind"] == "placed":
        state["robots"][events[0]["robot"]]["at"] = None
    return state | {"round": 0, "register": 0, "turn": None}


def _merge(moment: JsonObject, changes: JsonObject) -> None:
    """Add changes to those of a moment."""
    if "set" in changes:
        moment["set"] = {**moment.get("set", {}), **changes["set"]}
    for seat, changed in changes.get("robots", {}).items():
        robots = moment.setdefault("robots", {})
        robots[seat] = {**robots.get(seat, {}), **changed}
    if "boards" in changes:
        moment["boards"] = {**moment.get("boards", {}), **changes["boards"]}
