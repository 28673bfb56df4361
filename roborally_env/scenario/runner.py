"""Playing a scenario: fills the record, plays steps, and answers questions from the file."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from roborally_env.base.errors import ScenarioError, cut, listed
from roborally_env.base.registry import cache_until_registered
from roborally_env.base.types import JsonObject
from roborally_env.cards.option_names import named_options, option_name
from roborally_env.core import log
from roborally_env.core.cards import NONE
from roborally_env.core.chance import key_of
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.choices import NO, can_decline
from roborally_env.core.editions import game_dtype
from roborally_env.core.mechanics.programs import ALL
from roborally_env.core.rule_options import rule_bits
from roborally_env.core.state import ASK_ALL, LOG_ROWS, NOBODY, NOWHERE, REGISTERS
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.scenario import entry_points
from roborally_env.scenario.keys import Key, Register
from roborally_env.scenario.program import Sheet, default_program, name_of, read_program
from roborally_env.scenario.rotation import turning_tables
from roborally_env.scenario.values import MISSING

if TYPE_CHECKING:
    from roborally_env.scenario.reader import Scenario


class Layout:
    """A record's dtype, and data for fast access to its fields."""

    def __init__(self, dtype: np.dtype) -> None:
        self.dtype = dtype
        self.plain = np.dtype((np.void, dtype))  # the same fields; access to those of a np.record is far slower
        self.arrays = tuple(name for name in dtype.names or () if dtype[name].shape)


@cache_until_registered()
def layout_of(kind: str) -> Layout:
    """The layout of a kind of record."""
    return Layout(game_dtype(kind))


class GameView:
    """The record of the only game of an array, with its fields and its dtype as attributes."""

    def __init__(self, games: np.ndarray, layout: Layout) -> None:
        arrays = {name: games[name][0] for name in layout.arrays}
        self.__dict__.update(arrays, _record=games.view(layout.plain)[0], dtype=games.dtype)

    def __getattr__(self, name: str) -> Any:
        return self.__dict__["_record"][name]

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__["_record"][name] = value


class Runner:
    """One scenario while it is played."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.form, self.robots = scenario, scenario.form, scenario.robots
        self.kind = scenario.kind
        self.phases = self.form.phases(self.kind)
        self.begins = sum(1 << step for step in self.phases.begins)
        self.register_steps = {self.kind.step_names.index(name) for name in self.kind.register_steps}
        layout = layout_of(self.kind.name)
        self.games = np.zeros(1, layout.dtype)
        self.kept = np.zeros(1, layout.dtype)
        self.game = GameView(self.games, layout)
        self.log_rows = np.zeros((LOG_ROWS, log.EVENT), np.int16)
        self.turning = turning_tables(scenario.course)
        self.tables = self.turning.tables if self.turning else scenario.tables
        self.events: list[JsonObject] = []
        self.decisions: list[JsonObject] = []
        self.answers: dict[tuple[int, str], deque[tuple[int, Any]]] = {}
        for i, entry in enumerate(scenario.answers):
            self.answers.setdefault((entry["robot"], entry["decision"]), deque()).append((i, entry["choice"]))
        self.owned: dict[int, int] = {}  # how many cards each robot has, where each has a deck of its own
        self.rest: list[Any] = []  # of an answer to several questions: the parts that are still to come
        self.rest_from = ""  # where that answer stands
        self.caught: int | None = None  # the robot whose registers the timer fills in this round
        self.last_register = 1
        self._set_up()

    def run(self) -> JsonObject:
        """Play the scenario and return its outcome object."""
        play = self.scenario.play
        if "rounds" in play:
            self._play_rounds(play["rounds"])
        else:
            self._play_registers(play["from"], play["to"])
        self._check_answers_used()
        return self._outcome()

    # -- setting up

    def _set_up(self) -> None:
        game, scenario = self.game, self.scenario
        game.players = len(self.robots)
        game.rules = rule_bits(scenario.edition, scenario.rules)
        game.seed = np.uint64(scenario.seed)
        entry_points.clear_game(self.games)
        game.log_at = self.log_rows.ctypes.data  # the record stays in this object, as long as the rows do
        game.asking = ASK_ALL
        game.key = key_of(np.uint64(scenario.seed), np.uint64(0))
        game.draws = 0
        game.checkpoint[:] = scenario.tables["checkpoint"][0]
        game.cell[:] = game.start[:] = NOWHERE
        for r, robot in enumerate(self.robots):
            for name, key in self.form.robot.items():
                if key.put is not None:
                    key.put(self, r, robot[name])
        if scenario.play["order"] is not None:
            self.fix_order(scenario.play["order"])
        self.form.set_table(self)
        for name, key in self.form.table.items():
            if key.put is not None:
                key.put(self, NOBODY, scenario.table[name])

    def fix_order(self, order: Sequence[int]) -> None:
        """Set the turn order in place of the edition's priority."""
        self.game.order[: len(order)] = order
        self.game.fixed_order = 1
        if "given_order" in self.games.dtype.names:
            self.game.given_order[:] = self.game.order

    # -- playing

    def _play_registers(self, first: int, last: int) -> None:
        """Play registers `first` to `last`; earlier ones count as carried out."""
        self.game.round_number = 1
        self.form.carry_out(self, first - 1)
        self.game.register = first - 1
        self.game.step = self.phases.register
        self.play_on(last - 1)

    def _play_rounds(self, rounds: int) -> None:
        """Play whole rounds, the first one from programming or from the upgrade phase on."""
        game = self.game
        for number in range(rounds):
            if game.step == OVER:
                return
            self.last_register = 1
            self.play_to_programs(begin=number == 0)
            if game.step == PROGRAM:
                self._program_robots()
                self.play_on()

    def play_to_programs(self, begin: bool = True) -> None:
        """Play up to the programs of the next round; `begin`: of the first one."""
        if begin:
            self._begin_first_round()
        self.play_on()
        if self.game.step == self.phases.hands:
            self.play_on()

    def play_to_question(self, robot: int, kind: int) -> bool:
        """Play from the upgrade phase on, as without answers, until a robot is asked this; returns whether it is."""
        game, phases = self.game, self.phases
        game.step = phases.upgrades
        while True:
            result = entry_points.play_on(self.tables, self.games, self.kept, 0, phases.clean_up, self.begins)
            self.drain_log()
            if result == entry_points.STOPS or (result == entry_points.PLAYED and game.step == PROGRAM):
                return False
            if result == entry_points.ASKS:
                if (int(game.ask_seat), int(game.ask_kind)) == (robot, kind):
                    return True
                self._answer_question()

    def _begin_first_round(self) -> None:
        """Deal hands, except to robots that are programmed and not wholly locked."""
        game = self.game
        if self.scenario.play["start"]:
            game.step = self.phases.upgrades
            self.play_on()
        else:
            game.round_number = 1
            self.events.append({"kind": "round", "round": 1})
            if self.kind.has("owned"):
                entry_points.measure_order(self.tables, self.games)
        for r in range(game.players):
            if entry_points.programs_now(self.games, r) and not (
                self.form.is_programmed(self, r) and ~self.locked(r) & ALL
            ):
                self.form.deal(self.games, r)
        self.drain_log()
        game.turn = 0
        game.step = self.phases.prepare

    def _program_robots(self) -> None:
        game = self.game
        self.caught = None
        for r in range(game.players):
            if not entry_points.programs_now(self.games, r):
                continue
            if self.form.is_programmed(self, r):
                self.form.leave_hand(self, r)
            else:
                self._program(r)
        self.drain_log()
        game.register = game.turn = 0
        game.step = self.phases.programmed

    def _program(self, r: int) -> None:
        """Program robot r by the file's answer, else with the cards of its hand in order."""
        sheet = Sheet(
            runner=self,
            robot=r,
            hand=self.game.hand[r].tolist(),
            registers=[self.register(r, k) for k in range(REGISTERS)],
            closed=int(entry_points.closed_now(self.games, r)),
            locked=self.locked(r),
        )
        given = self.next_answer(r, "program")
        program = read_program(*given, sheet) if given else default_program(sheet)
        self.form.submit(self, r, program)
        left_open = sheet.closed | program.opened
        self.decide(r, "program", [None if left_open >> k & 1 else self.register_name(r, k) for k in range(REGISTERS)])

    def play_on(self, last_register: int = REGISTERS) -> None:
        """Play up to programs, the next round, the end of the race, or of a register from 0; 5: with the clean-up."""
        game, phases = self.game, self.phases
        while True:
            register, step = int(game.register) + 1, int(game.step)
            result = entry_points.play_on(
                self.tables, self.games, self.kept, last_register, phases.clean_up, self.begins
            )
            if result == entry_points.ASKS:
                self._answer_question()
                continue
            if register > 1 or step in self.register_steps:  # some rounds count the registers from 1 before they end
                self.last_register = register
            self.drain_log()
            if self.turning:
                self.turning.make(int(game.tables_at))
            if result == entry_points.STOPS:
                return

    def drain_log(self) -> None:
        """Take the events out of the record."""
        events = [log.event_dict(row) for row in self.log_rows[: self.game.logged].tolist()]
        self.game.logged = 0
        self.events += events
        self.form.follow(self, events)

    # -- answers

    def next_answer(self, robot: int, decision: str) -> tuple[Any, str] | None:
        """The file's next choice for a robot, and its place; None if there is none left."""
        given = self.answers.get((robot, decision))
        if not given or not self.form.may_answer(self, robot, decision):
            return None
        i, choice = given.popleft()
        return choice, f"answers[{i}].choice"

    def decide(self, robot: int, decision: str, choice: Any) -> None:
        """Record a decision for the outcome."""
        self.decisions.append({"robot": robot, "decision": decision, "choice": choice})

    def _answer_question(self) -> None:
        kind = int(self.game.ask_kind)
        if self.rest and kind not in self.form.questions:
            self.check_rest_used()
        option = self.form.questions.get(kind, Runner.answer)(self, kind)
        entry_points.give_answer(self.games, option)

    def answer(self, kind: int) -> int:
        """The option that the file's next answer names, else "no", or the default where nobody can decline."""
        robot = int(self.game.ask_seat)
        given = self.next_answer(robot, DECISION_NAMES[kind])
        option = self.legal(*given) if given else self.unasked(kind)
        self.decide(robot, DECISION_NAMES[kind], option_name(self.game, option))
        return option

    def unasked(self, kind: int) -> int:
        """The option without an answer."""
        return NO if can_decline(kind, int(self.game.ask_options)) else int(self.game.ask_default)

    def legal(self, choice: str, where: str) -> int:
        """The option of the open question that a choice names; a card without its number is the first of its type."""
        named = named_options(self.game)
        if choice in named:
            return named[choice]
        for name, option in named.items():
            if choice == name.partition(":")[0]:
                return option
        kind, robot = DECISION_NAMES[int(self.game.ask_kind)], int(self.game.ask_seat)
        raise ScenarioError(
            f"{where}: {choice!r} is not legal for {kind} of robot {robot}; expected one of {', '.join(named)}"
        )

    def check_rest_used(self) -> None:
        """Raise for unused parts of an answer."""
        if self.rest:
            left = ", ".join(map(str, self.rest))
            raise ScenarioError(f"{self.rest_from}: no more cards can be chosen here; left over: {left}")

    def _check_answers_used(self) -> None:
        self.check_rest_used()
        for (robot, decision), left in self.answers.items():
            if left:
                i, choice = left[0]
                asked = [each for each in self.decisions if each["robot"] == robot]
                said = f"answers[{i}]: {decision} {cut(repr(choice))}"
                chosen = [str(each["choice"]) for each in asked if each["decision"] == decision]
                if chosen:
                    raise ScenarioError(
                        f"{said} is left over; robot {robot} was asked this before and chose {listed(chosen, 100)}"
                    )
                names = dict.fromkeys(each["decision"] for each in asked)
                raise ScenarioError(
                    f"{said} was never asked of robot {robot}; it was asked {listed(names, 100) or 'nothing'}"
                )

    # -- what the record says

    def on_board(self, r: int) -> bool:
        """Whether robot r is on the board."""
        return bool(self.game.cell[r] >= 0)

    def locked(self, r: int) -> int:
        """The locked registers of robot r, as bits."""
        return int(entry_points.locked_now(self.games, r))

    def filled(self, r: int) -> int:
        """The registers of robot r with a card, as bits."""
        return sum(1 << k for k, card in enumerate(self.game.registers[r].tolist()) if card != NONE)

    def register(self, r: int, k: int) -> Register:
        """The contents of a register."""
        second = int(getattr(self.game, self.form.seconds)[r, k]) if self.form.seconds else NONE
        return int(self.game.registers[r, k]), second

    def register_name(self, r: int, k: int) -> str | None:
        """The name of the contents of a register, or None."""
        return name_of(self.form.card_names, self.register(r, k))

    def happened(self, kind: str, r: int) -> bool:
        """Whether robot r has an event of a kind in the last round that was played, also if that round is over."""
        for event in reversed(self.events):
            if event["kind"] == "round":
                return False
            if event["kind"] == kind and event["robot"] == r:
                return True
        return False

    def is_down(self, r: int) -> bool:
        """Whether robot r is powered down in the last round that was played."""
        if self.game.round_number == 1 and not self.scenario.play["start"]:
            return bool(self.robots[r]["powered_down"])
        return self.happened("powered_down", r)

    # -- the outcome

    def _outcome(self) -> JsonObject:
        game, rounds = self.game, "rounds" in self.scenario.play
        result: JsonObject = {
            "round": int(game.round_number),
            "register": self.last_register,
            "winner": int(game.winner) if game.winner != NOBODY else None,
            "robots": [self._shown(self.form.robot, r) for r in range(game.players)],
            "decisions": self.decisions,
            "events": self.events,
        }
        return result | ({"shop": []} if rounds else {}) | self._shown(self.form.table, NOBODY)

    def _shown(self, keys: Mapping[str, Key], r: int) -> JsonObject:
        rounds = "rounds" in self.scenario.play
        found = {name: key.show(self, r) for name, key in keys.items() if key.show and (rounds or not key.after_rounds)}
        return {name: value for name, value in found.items() if value is not MISSING}


def is_programmed(runner: Runner, r: int) -> bool:
    """Whether robot r has a card in a register that is not locked, or no such register."""
    unlocked = ~runner.locked(r) & ALL
    return not unlocked or runner.filled(r) & unlocked > 0
