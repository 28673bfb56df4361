"""A race of people and bots as a state machine: questions, answers, steps. It contains no web code."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from roborally_env.agents.decisions import decide
from roborally_env.base.errors import ReplayError, RoboRallyError
from roborally_env.base.text import counted
from roborally_env.base.types import Fields, Json, JsonObject
from roborally_env.batch import BatchRace
from roborally_env.core.choices import NAMES as DECISIONS
from roborally_env.core.choices import NO, POWER_DOWN, YES
from roborally_env.core.state import REGISTERS
from roborally_env.core.steps import PROGRAM as PROGRAM_STEP
from roborally_env.courses.special import TEAMS
from roborally_env.evaluation.races import registers_to_go
from roborally_env.play.order import report_orders
from roborally_env.play.questions import PROGRAM, Question, Refused, choice_question, program_question
from roborally_env.play.saved_race import SavedRace, resumable
from roborally_env.play.setup import PlaySetup
from roborally_env.replay import Recorder, Replay, state_hash
from roborally_env.watch import Timeline

WATCHING = -1  # the seat of a timeline that shows what everybody may see
Answer = tuple[int, ...] | int  # a program, as the batch takes it, or an option


class PlayRace:
    """One race. `open` has the questions to people and bots; `answer` and `think` answer them; then `step` plays on.

    The batch logs events. `answer` may be called from another thread at any time.

    Args:
        setup: what is raced.
        kept: a race of that setup to go on with, from where it stopped.

    Raises:
        RoboRallyError: for a kept race that goes otherwise than it was recorded, or is over.
    """

    def __init__(self, setup: PlaySetup, kept: SavedRace | None = None) -> None:
        self.setup, self.names = setup, setup.names
        self.agents = setup.make_agents()
        self.batch = setup.batch(self.agents)
        self.recorder = Recorder(self.batch, setup.seed, self.names)
        course = setup.course
        seats = [setup.robots_of(player)[0] for player in range(len(setup.people))]
        self.timelines = [  # of each person, and of those who only watch
            Timeline(self.batch, self.names, seat=seat, title=course.title) for seat in (*seats, WATCHING)
        ]
        report_orders(self.batch, [timeline.chunks for timeline in self.timelines])
        # values at the last decision point: the records change while another thread plays a step
        self.number, self.round = 0, 0  # numbers of the decision point and of the round, both from 1
        self.over, self.programming = False, False  # neither: a choice is open
        self.open: dict[int, Question] = {}  # by robot, bots' robots too
        self._given: dict[int, Answer] = {}
        self._announcing: dict[int, bool] = {}  # robots of people that have a program: whether they power down then
        self._resting: dict[tuple[int, str], int] = {}  # robot and kind of question -> the round without it
        self._drafts: dict[int, tuple[tuple[int | None, ...], bool]] = {}  # people's cards so far, and power downs
        self._opened: dict[int, int] = {}  # robots that the timer caught -> the registers, as bits
        self._past: list[tuple[int, str]] = [(0, "")]  # round and kind of each decision point, by number
        self._hinted: set[tuple[int, int]] = set()  # (number, robot) of the questions for which a hint was given
        self._lock = Lock()
        if kept is not None:
            self._play_again(kept)
        self._ask()

    # -- going on with a race that was stopped

    def _play_again(self, kept: SavedRace) -> None:
        rounds, partial = kept.replay.rounds, kept.partial
        opened = bool(rounds) or (partial is not None and bool(partial.programs))
        self._compare(kept.replay.start, "the start")
        if opened or partial is None:
            self._answer_again(kept.replay.opening, "before round 1")
        else:
            self._answer_again(partial.choices, "before round 1")
            self._compare(partial.hash, "before round 1")
        for number, played in enumerate((*rounds, *((partial,) if opened and partial is not None else ())), 1):
            where = f"round {number}"
            if not self.batch.programming[0]:
                raise ReplayError(f"{where}: nobody programs there: the file was changed")
            caught = np.array([played.opened], np.uint8) if played.opened else None
            self._step(np.array([played.programs], np.int8), None, caught)
            self._answer_again(played.choices, where)
            self._compare(played.hash, where)
        if self.batch.over[0]:
            raise ReplayError("this race is over: there is nothing to resume")
        if not self.batch.programming[0]:
            self._announcing.update((robot, powers_down) for robot, powers_down in kept.said["power_down"])
            round_ = int(self.batch.games[0]["round_number"])
            self._resting.update(((robot, kind), round_) for robot, kind in kept.said["rest"])

    def _answer_again(self, answers: Sequence[tuple[int, int]], where: str) -> None:
        nothing = np.zeros((1, len(self.names), REGISTERS), np.int8)
        for robot, option in answers:
            game, asks = self.batch.games[0], not (self.batch.programming[0] or self.batch.over[0])
            if not asks or int(game["ask_seat"]) != robot or not int(game["ask_options"]) >> option & 1:
                raise ReplayError(f"{where}: robot {robot} has an answer that does not fit: the file was changed")
            choices = np.zeros((1, len(self.names)), np.int8)
            choices[0, robot] = 1 + option
            self._step(nothing, choices)

    def _compare(self, recorded: str, where: str) -> None:
        found = state_hash(self.batch.games[0])
        if found != recorded:
            raise ReplayError(f"{where}: the state is {found}, the file has {recorded}: it was changed")

    # -- questions

    def player_of(self, robot: int) -> int | None:
        """The person that plays a robot; None for bots' robots."""
        player = robot // self.setup.robots_each
        return player if player < len(self.setup.people) else None

    @property
    def waiting(self) -> list[int]:
        """The robots whose people have not answered yet."""
        with self._lock:
            return [r for r in self.open if r not in self._given and self.player_of(r) is not None]

    @property
    def answered(self) -> list[int]:
        """The robots whose question has been answered, bots' robots too."""
        with self._lock:
            return sorted(self._given)

    def questions(self, player: int) -> list[Question]:
        """The questions that a person has not answered yet."""
        waiting = self.waiting
        return [q for r, q in self.open.items() if r in waiting and self.player_of(r) == player]

    def _ask(self) -> None:
        """Open the questions of the batch's present decision point."""
        number = self.number + 1
        over, programming = bool(self.batch.over[0]), bool(self.batch.programming[0])
        questions: list[Question] = []
        if programming:
            robots = np.flatnonzero(self.batch.programmed[0]).tolist()
            questions = [program_question(self.batch, robot, number) for robot in robots]
        elif not over:
            is_persons = self.player_of(int(self.batch.games[0]["ask_seat"])) is not None
            questions = [choice_question(self.batch, number, self.names, self._playing_registers(), is_persons)]
        with self._lock:
            self.number, self.round = number, int(self.batch.games[0]["round_number"])
            self.over, self.programming = over, programming
            if programming:
                self._announcing.clear()
            self.open = {question.robot: question for question in questions}
            self._given = {q.robot: said for q in questions if (said := self._said_before(q)) is not None}
            self._drafts, self._opened = {}, {}
            self._past.append((self.round, PROGRAM if programming else "choice"))

    def _said_before(self, question: Question) -> Answer | None:
        """The answer that a person gave before the question came, with the program or for the rest of the round, or the
        only one that is legal."""
        if question.kind == DECISIONS[POWER_DOWN]:
            announced = self._announcing.get(question.robot)
            return None if announced is None else YES if announced else NO
        if self._resting.get((question.robot, question.kind)) == question.round and question.may_rest:
            return NO
        if question.kind != PROGRAM and len(question.answers) == 1 and self.player_of(question.robot) is not None:
            return question.answers[0].option
        return None

    def _playing_registers(self) -> bool:
        kind = self.batch.kind
        return kind.step_names[int(self.batch.games[0]["step"])] in kind.register_steps

    # -- answers

    def answer(
        self,
        player: int,
        number: int,
        robot: int,
        value: Sequence[int | None] | int,
        *,
        power_down: bool = False,
        rest: bool = False,
    ) -> None:
        """Store a person's program (five hand slots, None for a register that takes no card) or choice (an option).

        Args:
            player: who answers.
            number: of the question.
            robot: for which the answer is.
            value: the program or the option.
            power_down: with a program: announce a power down after it.
            rest: with the option "no": do not ask this again in the round.

        Raises:
            Refused: for a message that is late, early, about another player's robot, or not legal; nothing changes
            then.
        """
        with self._lock:
            question = self._question_for(player, number, robot)
            if isinstance(value, int):
                option = question.check_option(value)
                if rest:
                    self._let_rest(question, option)
                self._given[robot] = option
            else:
                program = question.check_program(value)
                if power_down and not question.may_power_down:
                    raise Refused(f"robot {robot} cannot announce a power down now")
                self._announcing[robot] = power_down
                self._given[robot] = program

    def draft(
        self, player: int, number: int, robot: int, slots: Sequence[int | None], *, power_down: bool = False
    ) -> None:
        """Note the cards that a player has placed so far: when the timer runs out, they are its program.

        Raises:
            Refused: as `answer`.
        """
        with self._lock:
            question = self._question_for(player, number, robot)
            question.check_program(slots, partly=True)
            self._drafts[robot] = tuple(slots), power_down and question.may_power_down

    def run_out(self) -> list[int]:
        """End the programming: people who have not finished get the cards that lie, and empty registers are filled by
        the rules when the race is played on (R31). Returns the robots that the timer caught."""
        with self._lock:
            late = [r for r in self.open if r not in self._given and self.player_of(r) is not None]
            for robot in late:
                slots, powers_down = self._drafts.get(robot, ((None,) * REGISTERS, False))
                self._given[robot] = self.open[robot].check_program(slots, partly=True)
                self._announcing[robot] = powers_down
                self._opened[robot] = self.open[robot].open_registers(slots)
            return [robot for robot in late if self._opened[robot]]

    def position(self, player: int, number: int, robot: int) -> tuple[BatchRace, Question]:
        """A copy of the race with a person's open question, and the question: to try programs, and for hints.
        May be called from another thread at any time.

        Raises:
            Refused: as `answer` does.
        """
        with self._lock:  # no step begins while it is held, so that the copy is whole
            question = self._question_for(player, number, robot)
            return self.batch.copy(), question

    def note_hint(self, question: Question) -> None:
        """A hint was given: the result and the replay say for how many questions of each robot."""
        self._hinted.add((question.number, question.robot))

    @property
    def hints(self) -> list[int]:
        """For how many questions of each robot a hint was given."""
        return [sum(robot == r for _, robot in self._hinted) for r in range(len(self.names))]

    def _let_rest(self, question: Question, option: int) -> None:
        if not question.may_rest or option != NO:
            raise Refused(f"{question.kind} can only be left out for the rest of a round by declining it")
        self._resting[question.robot, question.kind] = question.round

    def _question_for(self, player: int, number: int, robot: int) -> Question:
        """The open question that a message answers."""
        if robot not in range(len(self.names)) or self.player_of(robot) != player:
            raise Refused(f"robot {robot} is not yours")
        if number != self.number:
            raise Refused(self._why_stale(number))
        if robot not in self.open:
            raise Refused(f"robot {robot} is not asked anything now")
        if robot in self._opened:
            raise Refused("the timer has run out: the empty registers were filled at random")
        if robot in self._given:
            raise Refused(f"robot {robot} has its answer already: nothing can be taken back")
        return self.open[robot]

    def _why_stale(self, number: int) -> str:
        """The error message for the number of a question that is not open."""
        if not 0 < number < len(self._past):
            return f"question {number} is unknown: question {self.number} is open"
        its_round, kind = self._past[number]
        what = "program" if kind == PROGRAM else "choice"
        if self.over:
            return f"the race is over: this {what} was for round {its_round}"
        if its_round < self.round:
            return f"round {its_round} is over: this {what} was for round {its_round}"
        return f"this {what} was for an earlier question of round {its_round}, which is answered"

    def think(self, report: Callable[[int], None] = lambda robot: None) -> None:
        """Let the bots answer their questions. `report(robot)` is called before each begins to think."""
        asked = [r for r in self.open if self.player_of(r) is None and r not in self._given]
        for robot in asked:
            report(robot)
            answer = self._decision_of(robot)
            with self._lock:
                self._given[robot] = answer

    def _decision_of(self, robot: int) -> Answer:
        """A bot's decision for its robot. It decides for this robot alone, which does not change the decision."""
        line_up = np.full((1, len(self.names)), -1, np.int64)
        line_up[0, robot] = 0
        agent = self.agents[robot // self.setup.robots_each - len(self.setup.people)]
        programs, choices = decide(self.batch, [agent], line_up)
        if self.programming:
            return tuple(programs[0, robot].tolist())
        assert choices is not None  # every choice is open
        return int(choices[0, robot]) - 1

    # -- playing

    def step(self) -> list[list[JsonObject]]:
        """Play on to the next decision point, or the end; for each timeline the new pieces.

        Raises:
            RoboRallyError: if an answer is missing.
        """
        with self._lock:
            missing = [robot for robot in self.open if robot not in self._given]
            given, opened = dict(self._given), dict(self._opened)
        if missing or self.over:
            raise RoboRallyError(f"no answer of robot {missing[0]}" if missing else "the race is over")
        programs = np.zeros((1, len(self.names), REGISTERS), np.int8)
        choices = np.zeros((1, len(self.names)), np.int8)
        for robot, answer in given.items():
            if isinstance(answer, int):
                choices[0, robot] = 1 + answer
            else:
                programs[0, robot] = answer
        pieces = self._step(programs, choices, self._caught(opened))
        self._ask()
        return pieces

    def _step(
        self, programs: NDArray[np.int8], choices: NDArray[np.int8] | None, opened: NDArray[np.uint8] | None = None
    ) -> list[list[JsonObject]]:
        self.recorder.step(programs, choices, opened)
        pieces = [timeline.step_done() for timeline in self.timelines]
        report_orders(self.batch, pieces)
        return pieces

    def kept(self, keys: Fields) -> SavedRace:
        """The race so far, so that it can go on; `keys`: what the server keeps with it."""
        with self._lock:
            rests: list[list[Json]] = [
                [robot, kind] for (robot, kind), its_round in self._resting.items() if its_round == self.round
            ]
            powers_down: list[list[Json]] = [[robot, value] for robot, value in self._announcing.items()]
            said = {"power_down": powers_down, "rest": rests}
        return SavedRace(self.setup, self.recorder.replay(), self.recorder.partial_round(), keys, said)

    def _caught(self, opened: dict[int, int]) -> NDArray[np.uint8] | None:
        """The open registers [1, P] as the batch takes them; None if there are none."""
        if not any(opened.values()):
            return None
        return np.array([[opened.get(robot, 0) for robot in range(len(self.names))]], np.uint8)

    def replay(self) -> Replay:
        """The rounds that are complete, as a replay. The name of a player who used hints says so."""
        replay = self.recorder.replay()
        played = zip(replay.agents, self.hints, strict=True)
        names = [f"{name} ({counted(hints, 'hint')})" if hints else name for name, hints in played]
        return dataclasses.replace(replay, agents=tuple(names))

    def close_round(self) -> None:
        """Between two rounds, take the defaults of all open questions, so that the last round is complete and in the
        replay. After this the race cannot be played on."""
        zeros = np.zeros((1, len(self.names), REGISTERS), np.int8)
        while self._is_between_rounds():
            self.recorder.step(zeros, zeros[:, :, 0])

    def _is_between_rounds(self) -> bool:
        step = int(self.batch.games[0]["step"])
        cleaning_up = self.batch.kind.step_names[step] in self.batch.kind.closing_steps
        return bool(self.round) and (step < PROGRAM_STEP or cleaning_up)

    def result(self) -> JsonObject:
        """The race's result: winners (all robots of a team), rounds, whether it was cut; by robot the place, the
        checkpoints reached, the registers that it had still to go (None if it was out of the race), and for how many of
        its questions a hint was given.

        The rules name only a winner. The others are ordered by the checkpoints reached, then by the distance left.
        """
        record, game = self.batch.results[0], self.batch.games[0]
        winner = int(record["winner"])
        winners = [] if winner < 0 else [r for r in range(len(self.names)) if self._one_team(r, winner)]
        left: list[float | None] = registers_to_go(self.batch)[0].tolist()
        if self.batch.kind.has("lives"):
            left = [None if lives == 0 else way for way, lives in zip(left, game["lives"].tolist(), strict=False)]
        return {
            "winners": winners,
            "places": self._places(record["place"].tolist(), left),
            "reached": game["reached"][: len(self.names)].tolist(),
            "to_go": left,
            "rounds": int(record["rounds"]),
            "cut": winner < 0,
            "hints": self.hints,
        }

    def _places(self, ruled: list[float], left: list[float | None]) -> list[int]:
        """Places from 1, equal where robots are level: by the rules, then by the way left; teams by the rules alone."""
        in_teams = self.batch.kind.has("team") and int(self.batch.games[0]["special"]) & TEAMS
        ways = [0.0 if in_teams else math.inf if way is None else way for way in left]
        standing = list(zip(ruled, ways, strict=True))
        return [1 + sum(other < own for other in standing) for own in standing]

    def sides(self) -> list[list[int]]:
        """The robots of each team; each robot alone where there are no teams."""
        found: list[list[int]] = []
        for robot in range(len(self.names)):
            side = next((side for side in found if self._one_team(side[0], robot)), None)
            if side is None:
                found.append([robot])
            else:
                side.append(robot)
        return found

    def _one_team(self, robot: int, other: int) -> bool:
        if not self.batch.kind.has("team"):
            return robot == other
        teams = self.batch.games[0]["team"]
        return bool(teams[robot] == teams[other])


def going_on(path: str | Path, opponents: Sequence[str] | None = None) -> tuple[PlayRace, Fields]:
    """The race of a file that was stopped, where it stopped, and the keys that the server kept with it.

    Args:
        path: of the file.
        opponents: as for `saved_race.resumable`.

    Raises:
        RoboRallyError: for a file whose race cannot go on, in one line that names it.
    """
    kept = resumable(path, opponents)
    try:
        return PlayRace(kept.setup, kept), kept.keys
    except RoboRallyError as error:
        raise ReplayError(f"{path}: {error}") from None
