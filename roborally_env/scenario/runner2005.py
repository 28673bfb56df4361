"""Playing scenarios of the 2005 edition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from roborally_env.base.errors import ScenarioError
from roborally_env.cards.option_names import is_placing_at_home, named_options, option_name
from roborally_env.core import cards, options
from roborally_env.core.cards2005 import ACTION, DECK_SIZE, FIRST_UNNUMBERED, NAMES, PACE
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.choices import NO, REENTRY_CELL, REENTRY_ROW, can_decline
from roborally_env.core.editions.e2005.specials import CAPTURE_THE_FLAG, CLAIMS, RACERS_AND_BLOCKERS, SUPERBOT, TIMERS
from roborally_env.core.editions.e2005.steps import BEGIN_REGISTER, LEFTOVERS, PREPARE_HANDS, TOUCH
from roborally_env.core.mechanics.mats import locked
from roborally_env.core.mechanics.programs import ALL
from roborally_env.core.state import NOWHERE, REGISTERS
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.courses.tables import WIDTH
from roborally_env.scenario import stepping
from roborally_env.scenario.cards2005 import NONE, is_numbered, register_name
from roborally_env.scenario.program2005 import Sheet, default_program, read_program
from roborally_env.scenario.runner import Runner
from roborally_env.scenario.turning import turning_tables

if TYPE_CHECKING:
    from roborally_env.scenario.load import Scenario

_PACE, _ACTION = PACE.tolist(), ACTION.tolist()
_DECK = range(1, DECK_SIZE + 1)
_TAKEN = dict.fromkeys(cards.DAMAGE_NAMES, 0)


class Runner2005(Runner):
    """The 2005 edition."""

    def __init__(self, scenario: Scenario) -> None:
        self.turning = turning_tables(scenario.course)
        self.tables = self.turning.tables if self.turning else scenario.tables
        self.special = int(scenario.tables["special"][0])
        self.timed = bool(self.special & TIMERS)  # the course limits the time of every player
        self.caught: int | None = None  # the player whom the timer has caught in this turn
        self.caught_robot = 0
        self.row: tuple[str, str] | None = None  # of a re-entry in Capture the Flag: the row, and where it was given
        super().__init__(scenario)

    # -- setting up

    def set_robot(self, r: int, robot: dict[str, Any]) -> None:
        """Set a robot's place, program sheet, cards and options."""
        game = self.game
        out = robot["lives"] == 0
        game.cell[r] = game.start[r] = NOWHERE if out else robot["y"] * WIDTH + robot["x"]
        x, y = robot["archive"]
        game.archive[r] = NOWHERE if x is None else y * WIDTH + x
        game.facing[r] = robot["facing"]
        game.reached[r] = robot["checkpoint"]
        game.damage[r] = robot["damage"]
        game.jammed[r] = robot["locked"] & ~self._locked(r)
        game.lives[r] = robot["lives"]
        game.destroyed |= out << r
        game.down |= robot["powered_down"] << r
        game.team[r] = robot["team"]
        for option in robot["options"]:
            game.options[r] |= 1 << option
        game.on_table |= int(game.options[r])
        game.had[r] = game.options[r]
        if robot["registers"]:
            count = len(robot["registers"])
            first = [card for card, _ in robot["registers"]]
            game.registers[r, :count] = first
            game.laid_on[r, :count] = [second for _, second in robot["registers"]]
            game.pace[r, :count] = [_PACE[card] for card in first]
        game.hand[r, : len(robot["hand"])] = robot["hand"]
        game.held[r] = len(robot["hand"])

    def set_table(self) -> None:
        """Set the deck, its known top and the options: all cards except those that the file places elsewhere."""
        if self.game.fixed_order:
            self.game.given_order[:] = self.game.order
        game, robots = self.game, self.scenario.robots
        game.special = self.special
        self._set_flags()
        if self.special & SUPERBOT:
            game.superbot = next((r for r, robot in enumerate(robots) if robot["superbot"]), 0)
        top = robots[0]["draw"]
        named = [c for robot in robots for register in robot["registers"] for c in register]
        named += [c for robot in robots for key in ("hand", "discard") for c in robot[key]]
        taken = {c for c in [*named, *top] if is_numbered(c)}
        for card in [*named, *top]:
            if card > DECK_SIZE:  # one without its number stands for some card of its type
                taken.add(next((c for c in _DECK if c not in taken and _ACTION[c] == _ACTION[card]), NONE))
        left = [c for c in _DECK if c not in taken]
        game.deck[:] = left + [c for c in _DECK if c in taken]
        game.deck_left = len(left)
        game.top[: len(top)] = top[::-1]
        game.tops = len(top)
        if game.on_table:
            rest = [o for o in range(1, options.COUNT + 1) if not int(game.on_table) >> o & 1]
            game.option_deck[:] = rest + [options.NONE] * (options.COUNT - len(rest))
            game.options_left = len(rest)
        known = self.scenario.piles["option_deck"]
        if known:
            stepping.order_options_2005(self.games, np.array(known, np.int64))

    def _set_flags(self) -> None:
        """Set who carries which flag (Capture the Flag), and which team holds which (Toggle Boggle)."""
        game = self.game
        for r, robot in enumerate(self.scenario.robots):
            if robot["carries"] is not None:
                game.carrier[robot["carries"] - 1] = r
                game.checkpoint[robot["carries"] - 1] = NOWHERE
            for flag in robot["holds"]:
                game.claim[flag - 1] = robot["team"]

    # -- playing

    def play_registers(self, first: int, last: int) -> None:
        """Play registers `first` to `last`; earlier ones count as carried out."""
        game = self.game
        game.round_number = 1
        game.register = first - 1
        game.step = BEGIN_REGISTER
        self._play_until_stop(last - 1)

    def play_rounds(self, rounds: int) -> None:
        """Play whole rounds, the first one from programming on, the others from the start of the turn."""
        game = self.game
        for number in range(rounds):
            if game.step == OVER:
                return
            self.last_register = 1
            if number == 0:
                self._begin_first_round()
            self._play_until_stop(REGISTERS)
            if game.step == PROGRAM:
                self._program_robots()
                self._play_until_stop(REGISTERS)

    def _begin_first_round(self) -> None:
        """Deal hands, except to robots whose programs are laid and not wholly locked."""
        game = self.game
        game.round_number = 1
        self.events.append({"kind": "round", "round": 1})
        for r in range(game.players):
            if self._is_programmed(r) and ~self._locked(r) & ALL:
                continue
            stepping.deal_hand_2005(self.games, r)
        self.drain_log()
        game.turn = 0
        game.step = PREPARE_HANDS

    def _is_programmed(self, r: int) -> bool:
        """Whether a program is laid: the registers are full, or the file gives a part of a program and no answer."""
        game = self.game
        unlocked = ~self._locked(r) & ALL
        full = sum(1 << k for k in range(REGISTERS) if game.registers[r, k] != NONE)
        filled = full & unlocked
        bare = ALL & ~unlocked & ~full
        if bare and game.held[r]:  # locked by Recompile after the hand was dealt
            return False
        return filled == unlocked or (filled > 0 and not self.answers.get((r, "program")))

    def _locked(self, r: int) -> int:
        return int(locked(self.games[0], r))

    def _program_robots(self) -> None:
        game = self.game
        self.caught = None
        for r in range(game.players):
            if game.cell[r] >= 0 and not game.down >> r & 1 and not self._is_programmed(r):
                self._program(r)
        self.drain_log()
        game.register = game.turn = 0
        game.step = LEFTOVERS

    def _program(self, r: int) -> None:
        """Program robot r by the file's answer, else with the cards of its hand in order."""
        game = self.game
        registers = [(int(game.registers[r, k]), int(game.laid_on[r, k])) for k in range(REGISTERS)]
        full = sum(1 << k for k, (card, _) in enumerate(registers) if card != NONE)
        locked = self._locked(r)
        sheet = Sheet(
            hand=game.hand[r, : game.held[r]].tolist(),
            registers=registers,
            locked=locked & full,
            bare=locked & ~full,
            options=int(game.options[r]),
            timer=bool(self.scenario.rules["timer"]) or self.timed,
        )
        given = self.next_answer(r, "program")
        program = read_program(*given, r, sheet) if given else default_program(sheet)
        if given and program.caught:
            self._check_caught(r, given[1])
        for _, slot in program.seconds:
            stepping.drop_card_2005(self.games, r, slot)
        bare = [k for k in range(REGISTERS) if program.bare >> k & 1]
        game.registers[r, bare] = FIRST_UNNUMBERED + cards.MOVE_1  # any card, so that none is laid there
        stepping.lay_program_2005(self.games, r, program.wish, np.zeros((1, REGISTERS), np.int8), program.opened)
        game.registers[r, bare] = NONE
        for k, slot in program.seconds:
            game.laid_on[r, k] = sheet.hand[slot]
        left_open = sheet.locked | program.opened
        chosen = [None if left_open >> k & 1 else self._register(r, k) for k in range(REGISTERS)]
        self.decide(r, "program", chosen)

    def _check_caught(self, r: int, where: str) -> None:
        """Raise if the timer has caught another player in this turn, unless the course has program timers (R89)."""
        player = r // 2 if self.special & RACERS_AND_BLOCKERS else r
        if self.caught not in (None, player) and not self.timed:
            raise ScenarioError(
                f"{where}: expected a card for each open register: the timer catches one player, and robot "
                f"{self.caught_robot} has open registers already"
            )
        self.caught, self.caught_robot = player, r

    def _play_until_stop(self, last_register: int) -> None:
        game, games, kept = self.game, self.games, self.kept
        while True:
            register, step = int(game.register) + 1, game.step
            result = stepping.play_on_2005(self.tables, games, kept, last_register)
            if result == stepping.ASKS:
                self._answer_question()
                continue
            if BEGIN_REGISTER <= step <= TOUCH:
                self.last_register = register
            self.drain_log()
            if self.turning:
                self.turning.make(int(game.tables_at))
            if result == stepping.STOPS:
                return

    # -- questions

    def _answer_question(self) -> None:
        game = self.game
        robot, kind = int(game.ask_seat), int(game.ask_kind)
        named = named_options(game)
        option = NO if can_decline(kind, int(game.ask_options)) else int(game.ask_default)
        if kind == REENTRY_ROW:
            self._answer_row(robot, named, option)
            return
        given = self.next_answer(robot, DECISION_NAMES[kind])
        if given:
            choice, where = given
            if kind == REENTRY_CELL and is_placing_at_home(game):
                choice, _, row = choice.partition(",")
                self.row = row, where
            option = self._legal(choice, where, named)
        self.decide(robot, DECISION_NAMES[kind], option_name(game, option))
        stepping.give_answer(self.games, option)

    def _answer_row(self, robot: int, named: dict[str, int], option: int) -> None:
        """The second half of a re-entry in Capture the Flag: one answer, and one decision, for column and row."""
        column = self.decisions[-1]["choice"]
        if self.row:
            row, where = self.row
            if row not in named:
                legal = ", ".join(f"{column},{name}" for name in named)
                raise ScenarioError(
                    f"{where}: '{column},{row}' is not legal when reentry_cell is asked of robot {robot}; "
                    f"expected one of {legal}"
                )
            option = named[row]
            self.row = None
        self.decisions[-1]["choice"] = f"{column},{option_name(self.game, option)}"
        stepping.give_answer(self.games, option)

    def _legal(self, choice: str, where: str, named: dict[str, int]) -> int:
        """The option that a choice names; a card without its number is the first of its type."""
        if choice in named:
            return named[choice]
        for name, option in named.items():
            if choice == name.partition(":")[0]:
                return option
        kind, robot = DECISION_NAMES[int(self.game.ask_kind)], int(self.game.ask_seat)
        legal = ", ".join(named)
        raise ScenarioError(
            f"{where}: {choice!r} is not legal when {kind} is asked of robot {robot}; expected one of {legal}"
        )

    # -- the outcome

    def _register(self, r: int, k: int) -> str | None:
        return register_name((int(self.game.registers[r, k]), int(self.game.laid_on[r, k])))

    def robot_outcome(self, r: int) -> dict[str, Any]:
        """The robot's part of the outcome."""
        game = self.game
        cell, archive = int(game.cell[r]), int(game.archive[r])
        there = cell >= 0
        destroyed = bool(game.destroyed >> r & 1) or self._happened_this_turn("destroyed", r)
        robot = {
            "x": cell % WIDTH if there else None,
            "y": cell // WIDTH if there else None,
            "facing": "NESW"[game.facing[r]] if there else None,
            "checkpoint": int(game.reached[r]),
            "energy": 5,
            "taken": dict(_TAKEN),
            "damage": int(game.damage[r]),
            "lives": int(game.lives[r]),
            "rebooted": False,
            "destroyed": destroyed,
            "active": there and not destroyed and not self._was_down(r),
            "registers": [self._register(r, k) for k in range(REGISTERS)],
            "archive": {"x": archive % WIDTH, "y": archive // WIDTH} if archive >= 0 else None,
            "level": 0,
            "options": sorted(options.NAMES[o] for o in range(1, options.COUNT + 1) if int(game.options[r]) >> o & 1),
        }
        robot |= self._special_outcome(r)
        if "rounds" in self.scenario.play:
            draw, discard = self._deck()
            robot["hand"] = _names(game.hand[r, : game.held[r]].tolist())
            robot["draw"] = _names(draw)
            robot["discard"] = _names(discard)
            robot["upgrades"] = []
        return robot

    def _special_outcome(self, r: int) -> dict[str, Any]:
        """What special rules of the course add to a robot's outcome."""
        game = self.game
        found: dict[str, Any] = {}
        if self.special & CAPTURE_THE_FLAG:
            found["carries"] = next((flag + 1 for flag in range(2) if game.carrier[flag] == r), None)
        if self.special & CLAIMS:
            found["holds"] = [flag + 1 for flag, team in enumerate(game.claim.tolist()) if team == game.team[r]]
        if self.special & SUPERBOT:
            found["superbot"] = int(game.superbot) == r
        return found

    def _deck(self) -> tuple[list[int], list[int]]:
        """The cards that can be drawn, and those on the discard pile."""
        game = self.game
        draw = [*game.deck[: game.deck_left].tolist(), *game.top[: game.tops].tolist()]
        held = [*game.registers.flat, *game.laid_on.flat, *game.hand.flat, *game.conditional, *game.flywheel]
        elsewhere = {int(c) for c in held} | set(draw)
        discard = [c for c in _DECK if c not in elsewhere]
        for card in (int(c) for c in held):
            if card > DECK_SIZE:  # one without its number stands for some card of its type
                stands_for = next((c for c in discard if _ACTION[c] == _ACTION[card]), NONE)
                discard = [c for c in discard if c != stands_for]
        return draw, discard

    def _was_down(self, r: int) -> bool:
        """Whether robot r is powered down in the turn that is played."""
        if self.game.round_number == 1:
            return bool(self.scenario.robots[r]["powered_down"])
        return self._happened_this_turn("powered_down", r)

    def _happened_this_turn(self, kind: str, r: int) -> bool:
        for event in reversed(self.events):
            if event["kind"] == "round":
                return False
            if event["kind"] == kind and event["robot"] == r:
                return True
        return False


def _names(numbers: list[int]) -> list[str]:
    return sorted(NAMES[c] for c in numbers)
