"""Playing scenarios of the 2016 edition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from roborally_env.base.errors import ScenarioError
from roborally_env.core import cards, upgrades
from roborally_env.core.choices import DONE, DRAW_FIRST, NO, OPTION_NAMES, UPGRADE, can_decline
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.editions.e2016.steps import BEGIN_REGISTER, PREPARE_HANDS, STORE_HANDS, UPGRADE_PHASE
from roborally_env.core.rule_options import game_of
from roborally_env.core.state import NOBODY, PILE, REGISTERS, kind_of
from roborally_env.courses.tables import WIDTH
from roborally_env.scenario import stepping
from roborally_env.scenario.runner import Runner

if TYPE_CHECKING:
    from roborally_env.scenario.load import Scenario

CARD_NUMBERS = {**cards.NUMBERS, cards.ALL_NAMES[cards.HEAL_ROUTINE]: cards.HEAL_ROUTINE}
_LISTS = (UPGRADE + upgrades.CACHE_MEMORY, UPGRADE + upgrades.MEMORY_SWAP)  # answered by a list of cards, one by one


class Runner2016(Runner):
    """The 2016 edition, with upgrades and without."""

    def __init__(self, scenario: Scenario) -> None:
        kind = kind_of(game_of(scenario.edition, scenario.rules))
        self.full = kind.has("owned")
        self.deck = kind.upgrade_numbers
        self.listed: list[int] = []  # cards of a list that is being answered, still to come
        self.listed_from = ""  # where that list was given
        super().__init__(scenario)

    # -- setting up

    def set_table(self) -> None:
        """Set cubes, mats, shop and deck; the deck is all upgrades except those that the file places elsewhere."""
        self.game.cubes = self.scenario.tables["cubes"][0]
        if self.full:
            self._set_upgrades()

    def cards_elsewhere(self) -> set[int]:
        """Upgrades that lie neither on mats nor in the deck."""
        return set(self.scenario.shop)

    def _set_upgrades(self) -> None:
        game, scenario = self.game, self.scenario
        if game.fixed_order:
            game.given_order[:] = game.order
        named = self.cards_elsewhere()
        for r, robot in enumerate(scenario.robots):
            for upgrade in robot["upgrades"]:
                named.add(upgrade)
                game.had[r] |= 1 << upgrade
                if not upgrades.upgrade(upgrade).special:
                    game.owned[r] |= 1 << upgrade
                    game.on_mats |= 1 << upgrade
            own = {c for key in ("registers", "hand", "draw", "discard") for c in robot[key]}
            named |= {u for u in self.deck if upgrades.upgrade(u).special in own}
        deck = [u for u in self.deck if u not in named]
        game.upgrade_deck[:] = upgrades.NONE
        game.upgrade_deck[: len(deck)] = deck
        game.upgrades_left = len(deck)
        game.shop[: len(scenario.shop)] = scenario.shop

    def set_robot(self, r: int, robot: dict[str, Any]) -> None:
        """Set a robot's place, piles and program."""
        game = self.game
        game.cell[r] = game.start[r] = robot["y"] * WIDTH + robot["x"]
        game.facing[r] = robot["facing"]
        game.energy[r] = robot["energy"]
        game.reached[r] = robot["checkpoint"]
        game.registers[r, : len(robot["registers"])] = robot["registers"]
        game.hand[r, : len(robot["hand"])] = robot["hand"]
        game.held[r] = len(robot["hand"])
        named = Counter(c for key in ("registers", "hand", "draw", "discard") for c in robot[key])
        bag = [c for c in range(1, cards.KINDS) for _ in range(int(cards.DECK_COUNTS[c]) - named[c])]
        game.pile[r, : len(bag)] = bag
        game.drawable[r] = len(bag)
        discard = [*robot["discard"], *(s for u in robot["upgrades"] if (s := upgrades.upgrade(u).special))]
        game.pile[r, len(bag) : len(bag) + len(discard)] = discard
        game.discarded[r] = len(discard)
        game.pile[r, PILE - len(robot["draw"]) :] = robot["draw"]
        game.known[r] = len(robot["draw"])
        for kind in range(cards.DAMAGE_KINDS):
            game.damage_pile[kind] -= named[cards.SPAM + kind]

    # -- playing

    def play_registers(self, first: int, last: int) -> None:
        """Play registers `first` to `last`; earlier ones count as carried out."""
        game = self.game
        game.round_number = 1
        for r in range(game.players):
            self._carry_out_before(r, first - 1)
        game.register = first - 1
        game.step = BEGIN_REGISTER
        self._play_until_stop(last - 1)

    def _carry_out_before(self, r: int, registers: int) -> None:
        game = self.game
        for k in range(registers):
            card = int(game.registers[r, k])
            if cards.SPAM <= card <= cards.TROJAN_HORSE:
                game.damaged[r] |= 1 << k
            elif card in (cards.AGAIN, cards.REPEAT_ROUTINE):
                game.done[r, k] = game.done[r, k - 1] if k else cards.NONE
            else:
                game.done[r, k] = card

    def play_rounds(self, rounds: int) -> None:
        """Play whole rounds from programming on."""
        for number in range(rounds):
            if self.game.winner != NOBODY:
                return
            if self.full and (number > 0 or self.scenario.play["start"]):
                self.game.step = UPGRADE_PHASE
                self._play_until_stop(REGISTERS)
            else:
                self._begin_round()
            self._programming_phase()
            self._play_until_stop(REGISTERS)

    def _begin_round(self) -> None:
        """Begin a round that starts with the programming phase."""
        self.game.round_number += 1
        self.events.append({"kind": "round", "round": int(self.game.round_number)})
        if self.full:
            stepping.measure_order(self.scenario.tables, self.games)

    def _programming_phase(self) -> None:
        game = self.game
        ready = [bool(game.registers[r].any()) for r in range(game.players)]
        for r in range(game.players):
            if not ready[r]:
                stepping.deal_hand(self.games, r)
        self.drain_log()
        if self.full:
            game.turn = 0
            game.step = PREPARE_HANDS
            self._play_until_stop(REGISTERS)
        for r in range(game.players):
            if not ready[r]:
                self._program(r)
            elif not self.full and not self.scenario.rules["advanced"]:
                self._discard_leftover(r)
        self.drain_log()
        game.register = game.turn = 0
        game.step = STORE_HANDS if self.full else BEGIN_REGISTER

    def _discard_leftover(self, r: int) -> None:
        """Discard the rest of the hand of a robot whose program is laid from the start."""
        game = self.game
        held, at = int(game.held[r]), int(game.drawable[r]) + int(game.discarded[r])
        game.pile[r, at : at + held] = game.hand[r, :held]
        game.discarded[r] += held
        game.hand[r] = cards.NONE
        game.held[r] = 0

    def _program(self, r: int) -> None:
        game = self.game
        wish = np.arange(REGISTERS, dtype=np.int8).reshape(1, REGISTERS)
        slots = np.zeros((1, REGISTERS), np.int8)
        opened = 0
        given = self.next_answer(r, "program")
        if given:
            opened = self._read_program(r, *given, wish[0])
        hand = [int(c) for c in game.hand[r]]
        stepping.lay_program(self.games, r, wish, slots, opened)
        chosen = [None if opened >> k & 1 else cards.ALL_NAMES[hand[slots[0, k]]] for k in range(REGISTERS)]
        self.decide(r, "program", chosen)

    def _read_program(self, r: int, choice: list[Any], where: str, wish: np.ndarray) -> int:
        """Turn card names into hand slots in `wish`; returns the registers left open, as bits."""
        hand = [int(c) for c in self.game.hand[r]]
        opened = 0
        for k, name in enumerate(choice):
            if name is None:
                opened |= 1 << k
                continue
            card = CARD_NUMBERS[name]
            if card not in hand:
                held = ", ".join(cards.ALL_NAMES[c] for c in self.game.hand[r] if c)
                raise ScenarioError(f"{where}[{k}]: {name!r} is not (or no longer) in the hand of robot {r}: {held}")
            if k == 0 and card in (cards.AGAIN, cards.REPEAT_ROUTINE):
                raise ScenarioError(f"{where}[0]: {name!r} cannot be programmed in register one")
            wish[k] = hand.index(card)
            hand[wish[k]] = cards.NONE
        return opened

    def _play_until_stop(self, last_register: int) -> None:
        courses, games, kept = self.scenario.tables, self.games, self.kept
        while True:
            register = int(self.game.register) + 1
            result = stepping.play_on(courses, games, kept, last_register)
            if result == stepping.ASKS:
                self._answer_question()
                continue
            self.last_register = register
            self.drain_log()
            if result == stepping.STOPS:
                return

    def _answer_question(self) -> None:
        game = self.game
        robot, kind, legal = int(game.ask_seat), int(game.ask_kind), int(game.ask_options)
        if kind in _LISTS and not legal & 1:
            stepping.give_answer(self.games, self._next_of_list(kind, legal))
            return
        self._check_list_done()
        decision, names = DECISION_NAMES[kind], OPTION_NAMES[kind]
        option = NO if can_decline(kind, legal) else int(game.ask_default)
        choice: Any = names[option]
        given = self.next_answer(robot, decision)
        if given:
            choice, where = given
            if isinstance(choice, list):
                option = self._begin_list(kind, choice, where)
            else:
                option = names.index(choice)
            self._check_legal(option, names, legal, where)
        self.decide(robot, decision, choice)
        stepping.give_answer(self.games, option)

    def _check_legal(self, option: int, names: Sequence[str], legal: int, where: str) -> None:
        if not legal >> option & 1:
            allowed = ", ".join(n for o, n in enumerate(names) if legal >> o & 1)
            game = self.game
            raise ScenarioError(
                f"{where}: {names[option]!r} is not legal when {DECISION_NAMES[int(game.ask_kind)]} is asked of robot "
                f"{int(game.ask_seat)}; expected one of {allowed}"
            )

    def _begin_list(self, kind: int, choice: list[str], where: str) -> int:
        """The first answer of a list of cards; the others follow as they are asked for."""
        self.listed = [CARD_NUMBERS[name] for name in choice]
        self.listed_from = where
        if kind == UPGRADE + upgrades.MEMORY_SWAP:
            return DRAW_FIRST
        if not self.listed:
            raise ScenarioError(f'{where}: expected "no" or at least one card')
        return self.listed.pop(0)

    def _next_of_list(self, kind: int, legal: int) -> int:
        """The next card of the list that is being answered; after the last card the option that ends it."""
        names = OPTION_NAMES[kind]
        if not self.listed:
            if legal >> DONE & 1:
                return DONE
            raise ScenarioError(f"{self.listed_from}: expected three cards (or the whole hand where it is smaller)")
        card = self.listed.pop(0)
        self._check_legal(card, names, legal, self.listed_from)
        return card

    def _check_list_done(self) -> None:
        if self.listed:
            left = ", ".join(cards.ALL_NAMES[card] for card in self.listed)
            raise ScenarioError(f"{self.listed_from}: more cards than are asked for; left over: {left}")

    def check_answers_used(self) -> None:
        """Raise for answers that were never asked for."""
        self._check_list_done()
        super().check_answers_used()

    # -- the outcome

    def shop_outcome(self) -> list[str]:
        """The upgrades for sale."""
        return _upgrade_names(self.game.shop) if self.full else []

    def robot_outcome(self, r: int) -> dict[str, Any]:
        """The robot's part of the outcome."""
        game = self.game
        x, y = int(game.cell[r]) % WIDTH, int(game.cell[r]) // WIDTH
        start = int(game.start[r])
        robot = {
            "x": x,
            "y": y,
            "facing": "NESW"[game.facing[r]],
            "checkpoint": int(game.reached[r]),
            "energy": int(game.energy[r]),
            "taken": dict(zip(cards.DAMAGE_NAMES, game.taken[r].tolist(), strict=True)),
            "damage": 0,
            "lives": 3,
            "rebooted": bool(game.rebooted >> r & 1) or self._rebooted_this_round(r),
            "destroyed": False,
            "active": True,
            "registers": [cards.ALL_NAMES[c] if c else None for c in game.registers[r]],
            "archive": {"x": start % WIDTH, "y": start // WIDTH},
            "level": 0,
        }
        if "rounds" in self.scenario.play:
            pile, drawable, discarded = game.pile[r], int(game.drawable[r]), int(game.discarded[r])
            robot["hand"] = _names(game.hand[r, : game.held[r]])
            robot["draw"] = _names([*pile[:drawable], *pile[PILE - game.known[r] :]])
            robot["discard"] = _names(pile[drawable : drawable + discarded])
            owned = int(game.owned[r]) if self.full else 0
            robot["upgrades"] = _upgrade_names(u for u in self.deck if owned >> u & 1)
            robot["options"] = []
        return robot

    def _rebooted_this_round(self, r: int) -> bool:
        """Whether the robot rebooted in the last round played, also if that round is over."""
        for event in reversed(self.events):
            if event["kind"] == "round":
                return False
            if event["kind"] == "reboot" and event["robot"] == r:
                return True
        return False


def names_of_bits(bits: int) -> list[str]:
    """The upgrades of a bit set, by name."""
    return _upgrade_names(upgrades.numbers_in(bits))


def _upgrade_names(numbers: Any) -> list[str]:
    return sorted(upgrades.ALL_NAMES[u] for u in numbers if u)


def _names(numbers: Any) -> list[str]:
    return sorted(cards.ALL_NAMES[c] for c in numbers if c)
