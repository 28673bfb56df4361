"""Playing scenarios of the community edition."""

from __future__ import annotations

from typing import Any

import numpy as np

from roborally_env.base.errors import ScenarioError
from roborally_env.core.cards import ALL_NAMES
from roborally_env.core.editions.e2016.steps import DRAW_HANDS, PREPARE_HANDS, STORE_HANDS, UPGRADE_PHASE
from roborally_env.core.rule_options import RULE_RACE_ON
from roborally_env.core.state import REGISTERS
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.scenario import stepping
from roborally_env.scenario.reader_community import locked_by
from roborally_env.scenario.runner2016 import CARD_NUMBERS, Runner2016
from roborally_env.scenario.values import shown

_ALL = (1 << REGISTERS) - 1


class RunnerCommunity(Runner2016):
    """The community edition, with the upgrade phase and without."""

    were_down = 0  # bit r: robot r is powered down in the round that was played last

    # -- setting up

    def set_robot(self, r: int, robot: dict[str, Any]) -> None:
        """Set a robot's place, piles, program and health."""
        super().set_robot(r, robot)
        game = self.game
        game.damage[r] = robot["damage"]
        if self.scenario.play.get("start"):  # it goes down when the round begins
            game.announced |= robot["powered_down"] << r
        else:
            game.down |= robot["powered_down"] << r
        game.virtual |= robot["virtual"] << r

    def set_table(self) -> None:
        """Also set the ramps. Without an antenna the list of robots stands for priority, of destroyed robots too."""
        if not self.game.fixed_order and self.scenario.tables["antenna"][0] < 0:
            self.game.order[: self.game.players] = range(self.game.players)
            self.game.fixed_order = 1
        super().set_table()
        self.game.ramps = self.scenario.tables["ramps_on"][0]

    # -- playing

    def play_registers(self, first: int, last: int) -> None:
        """Play registers `first` to `last`; earlier ones count as carried out."""
        self.were_down = int(self.game.down)
        super().play_registers(first, last)

    def play_rounds(self, rounds: int) -> None:
        """Play whole rounds, the first one from programming or from the upgrade phase on."""
        game = self.game
        for number in range(rounds):
            if game.step == OVER:
                return
            self.last_register = 1
            if number == 0:
                self._begin_first_round()
            self._play_until_stop(REGISTERS)  # up to the programs; where there is an upgrade phase, it comes first
            if game.step == DRAW_HANDS:
                self._play_until_stop(REGISTERS)
            self.were_down = int(game.down)
            if game.step == PROGRAM:
                self._program_robots()
                self._play_until_stop(REGISTERS)

    def _begin_first_round(self) -> None:
        """Deal hands, except to robots whose programs are laid."""
        game = self.game
        if self.scenario.play["start"]:
            game.step = UPGRADE_PHASE
            self._play_until_stop(REGISTERS)
        else:
            self._begin_round()
        for r in range(game.players):
            if self._programs(r) and not (self._is_programmed(r) and ~self._locked(r) & _ALL):
                stepping.deal_hand_community(self.games, r)
        self.drain_log()
        game.turn = 0
        game.step = PREPARE_HANDS

    def _programs(self, r: int) -> bool:
        return bool(stepping.programs_now(self.games, r))

    def _locked(self, r: int) -> int:
        return locked_by(int(self.game.damage[r]))

    def _is_programmed(self, r: int) -> bool:
        """Whether a program is laid: the registers are full, or the file gives a part of a program and no answer."""
        unlocked = ~self._locked(r) & _ALL
        filled = sum(1 << k for k in range(REGISTERS) if self.game.registers[r, k]) & unlocked
        return filled == unlocked or (filled > 0 and not self.answers.get((r, "program")))

    def _program_robots(self) -> None:
        game = self.game
        for r in range(game.players):
            if self._programs(r) and not self._is_programmed(r):
                self._program(r)
        self.drain_log()
        game.register = game.turn = 0
        game.step = STORE_HANDS

    def _program(self, r: int) -> None:
        """Program robot r by the file's answer, else with the cards of its hand in order."""
        game = self.game
        free = [k for k in range(REGISTERS) if not self._locked(r) >> k & 1]
        wish = np.zeros((1, REGISTERS), np.int8)
        wish[0, free] = range(len(free))
        slots = np.zeros((1, REGISTERS), np.int8)
        given = self.next_answer(r, "program")
        opened = self._read_answer(r, free, *given, wish[0]) if given else 0
        hand = game.hand[r].tolist()
        stepping.lay_program_community(self.games, r, wish, slots, opened)
        left_open = self._locked(r) | opened
        chosen = [None if left_open >> k & 1 else ALL_NAMES[hand[slots[0, k]]] for k in range(REGISTERS)]
        self.decide(r, "program", chosen)

    def _read_answer(self, r: int, free: list[int], choice: list[Any], where: str, wish: np.ndarray) -> int:
        """Turn card names into hand slots in `wish`; returns the registers left open, as bits."""
        hand = self.game.hand[r].tolist()
        opened = 0
        for k, (i, name) in self._by_register(r, free, choice, where).items():
            if name is None:
                if not self.scenario.rules["timer"] and any(hand):
                    raise ScenarioError(f"{where}[{i}]: expected a card of the hand, as register {k + 1} is open")
                opened |= 1 << k
                continue
            card = CARD_NUMBERS[name]
            if card not in hand:
                held = ", ".join(ALL_NAMES[c] for c in self.game.hand[r] if c)
                raise ScenarioError(f"{where}[{i}]: {name!r} is not (or no longer) in the hand of robot {r}: {held}")
            wish[k] = hand.index(card)
            if not stepping.is_legal(self.games, r, int(wish[k]), k):
                raise ScenarioError(f"{where}[{i}]: {name!r} cannot be programmed in register one")
            hand[wish[k]] = 0
        return opened

    def _by_register(self, r: int, free: list[int], choice: list[Any], where: str) -> dict[int, tuple[int, Any]]:
        """Open register -> its place in the answer, and the entry there."""
        if len(choice) == REGISTERS:
            for k in set(range(REGISTERS)) - set(free):
                there = int(self.game.registers[r, k])
                if choice[k] is not None and CARD_NUMBERS[choice[k]] != there:
                    raise ScenarioError(
                        f"{where}[{k}]: expected null or {shown(ALL_NAMES[there])}, as the register is locked, "
                        f"got {shown(choice[k])}"
                    )
            return {k: (k, choice[k]) for k in free}
        if len(choice) != len(free):
            raise ScenarioError(
                f"{where}: expected five entries, or {len(free)} cards for the open registers, got {shown(choice)}"
            )
        return {k: (i, choice[i]) for i, k in enumerate(free)}

    # -- the outcome

    def robot_outcome(self, r: int) -> dict[str, Any]:
        """The robot's part of the outcome."""
        game = self.game
        robot = super().robot_outcome(r)
        cell = int(game.cell[r])
        place = int(game.place[r])
        off_board = cell < 0 and place == 0
        destroyed = off_board or self._happened_this_round("lost", r)
        if cell < 0:
            robot.update(x=None, y=None, facing=None)
        robot.update(
            damage=int(game.damage[r]),
            rebooted=destroyed,
            destroyed=destroyed,
            active=cell >= 0 and not destroyed and not self.were_down >> r & 1,
            level=int(self.scenario.tables["level"][0, cell]) if cell >= 0 else None,
            virtual=bool(game.virtual >> r & 1),
            powered_down=bool((game.announced if self._has_ended() else game.down) >> r & 1),
        )
        if game.rules & RULE_RACE_ON:
            robot["place"] = place or None
        return robot

    def _has_ended(self) -> bool:
        """Whether the clean-up of the last round is over; `down` then has the robots powered down in the next round."""
        return "rounds" in self.scenario.play and self.game.step != OVER

    def _happened_this_round(self, kind: str, r: int) -> bool:
        for event in reversed(self.events):
            if event["kind"] == "round":
                return False
            if event["kind"] == kind and event["robot"] == r:
                return True
        return False
