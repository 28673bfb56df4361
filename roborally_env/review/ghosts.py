"""Ghosts: the way of a robot in a round of a race with another program, when the others play what they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roborally_env.base.types import Array, JsonObject, Record
from roborally_env.batch import BatchRace
from roborally_env.core.searching.best_list import FIVE
from roborally_env.courses.tables import WIDTH
from roborally_env.replay import Replay
from roborally_env.replay.playback import announcements
from roborally_env.review.builder import Position, positions_of


@dataclass(frozen=True)
class Ghost:
    """What a program leads to in a round. A place is (register, x, y, facing 0 to 3), or (register,) off the board."""

    path: tuple[tuple[int, ...], ...]  # the start (register 0), then every place that is reached, in order
    reached: int  # checkpoints, after the round
    won: bool  # whether the robot or its team wins by it

    def to_dict(self) -> JsonObject:
        """The ghost as JSON values."""
        return {"path": [list(place) for place in self.path], "reached": self.reached, "won": self.won}


class Ghosts:
    """Plays rounds of a race again with other programs, by the rules. The others play and choose what they did as long
    if they have the same choices; other questions get their defaults. Cards that are drawn are those of the race, too.

    Args:
        replay: the race.

    Raises:
        RoboRallyError: for a replay that goes differently from its recording.
    """

    def __init__(self, replay: Replay) -> None:
        self.replay, self.batch = replay, replay.batch(frames=True)
        self.rounds: list[
            tuple[Position, list[Position]]
        ] = []  # where programs are submitted, and the answers after it
        for each in positions_of(replay, self.batch)[:-1]:
            if each.programs:
                self.rounds.append((each, []))
            elif self.rounds:
                self.rounds[-1][1].append(each)

    def of(self, number: int, seat: int, cards: Sequence[str]) -> Ghost:
        """The ghost of a program in a round.

        Args:
            number: of the round, from 1.
            seat: the robot.
            cards: five names of cards that its hand has; in locked registers the cards that lie there.
        """
        position, answers = self.rounds[number - 1]
        batch, recorded = self.batch, self.replay.rounds[number - 1]
        batch.games[0] = position.game
        programs = np.array([position.programs], np.int8)
        programs[0, seat] = self._slots(position.game, seat, cards)
        opened = np.array([recorded.opened], np.uint8) if recorded.opened else None
        way = _Way(seat, position.game)
        batch.step(programs, announcements(batch, recorded, f"round {number}"), opened)
        left = list(answers)
        while not (way.follow(batch, number) or batch.programming[0] or batch.over[0]):
            batch.step(np.zeros_like(programs), self._answer(left))
        last = batch.games[0]
        return Ghost(tuple(way.places), int(way.last["reached"][seat]), self._has_won(int(last["winner"]), seat))

    def _has_won(self, winner: int, seat: int) -> bool:
        if winner < 0 or not self.batch.kind.has("team"):
            return winner == seat
        teams = self.batch.games[0]["team"]
        return bool(teams[winner] == teams[seat])

    def _slots(self, game: Record, seat: int, cards: Sequence[str]) -> list[int]:
        """The slots of the hand that hold these cards; 0 for registers that take none."""
        closed, names = int(self.batch.closed_registers[0, seat]), self.batch.kind.card_names
        hand: list[str] = [names[card] for card in game["hand"][seat, : game["held"][seat]].tolist()]
        slots = [0] * FIVE
        for k, card in enumerate(cards):
            if not closed >> k & 1 and card in hand:
                slots[k] = hand.index(card)
                hand[slots[k]] = ""  # used
        return slots

    def _answer(self, left: list[Position]) -> Array:
        """The choices of a step: what was answered to this question in the race, if it was asked there."""
        game = self.batch.games[0]
        choices = np.zeros((1, self.batch.players), np.int8)
        for each in left:
            assert each.answer is not None
            seat, option = each.answer
            asked = seat == int(game["ask_seat"]) and int(each.game["ask_kind"]) == int(game["ask_kind"])
            if asked and int(game["ask_options"]) >> option & 1:
                choices[0, seat] = 1 + option
                left.remove(each)
                break
        return choices


class _Way:
    """The places of a robot in a round, read from the log of events."""

    def __init__(self, seat: int, start: Record) -> None:
        self.seat, self.register, self.last = seat, 0, start.copy()
        self.places = [self._place(start)]

    def follow(self, batch: BatchRace, number: int) -> bool:
        """Take up the events of the last step; True when the next round begins."""
        for event, frame in zip(batch.events_of(0), batch.frames_of(0), strict=True):
            if event["kind"] == "round" and event["round"] > number:
                return True
            if event["kind"] == "register":
                self.register = event["register"]
            self.last = frame.copy()
            place = self._place(frame)
            if place[1:] != self.places[-1][1:]:
                self.places.append(place)
        return False

    def _place(self, record: Record) -> tuple[int, ...]:
        cell, facing = int(record["cell"][self.seat]), int(record["facing"][self.seat])
        return (self.register, cell % WIDTH, cell // WIDTH, facing) if cell >= 0 else (self.register,)
