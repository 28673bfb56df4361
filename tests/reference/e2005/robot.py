"""A robot with its Program Sheet."""

from tests.reference.board import cell_of
from tests.reference.errors import BadScenario
from tests.reference.race import Robot as AnyRobot

from .cards import OPTIONS, cards_in, check_card, in_order, may_share_register, number_of

DESTRUCTION = 10  # with so many damage tokens a robot is destroyed


class Robot(AnyRobot):
    """A robot, the cards and tokens on its Program Sheet, and its Option cards."""

    def __init__(self, index, entry, damage_at_start, lives_at_start, team):
        super().__init__(index, entry)
        self.archive = cell_of(entry.get("archive", entry))
        self.lives = entry.get("lives", lives_at_start)
        self.is_destroyed = self.lives == 0  # out of the game
        if self.is_destroyed:
            self.cell = self.facing = self.archive = None
        self.damage = entry.get("damage", damage_at_start)
        self.team = entry.get("team", team)
        self.powered_down = entry.get("powered_down", False)
        self.options = list(entry.get("options", []))
        if any(name not in OPTIONS for name in self.options):
            raise BadScenario(f"robot {index}: no such option among {self.options}")

        self.registers = {register: entry and in_order(entry) for register, entry in self.registers.items()}
        for card in self.all_cards():
            check_card(card)
        if not all(may_share_register(cards_in(entry), self.options) for entry in self.registers.values() if entry):
            raise BadScenario(f"robot {index}: two cards in a register without an option for it")
        self.numbers = {register: number_of(card) for register, card in self.registers.items()}  # for the priority
        # by which two cards share a register: the options that it had when they were placed
        self.pair_options = {register: self.options_for_pairs() for register in self.registers}
        # registers locked beyond the table, as by Fire Control
        self.extra_locks = {number for number in entry.get("locked", []) if number < DESTRUCTION - self.damage}
        self.locks_are_tokens = False  # whether each of them has one of the damage tokens (R91)
        self.carries = entry.get("carries")  # the flag that it carries in the beginning
        self.holds = entry.get("holds", [])  # the flags that its team holds in the beginning

        self.begin_turn()
        self.shielded = set()  # Power-Down Shield: the sides that have stopped a damage token in this phase
        self.coat_tokens = 0  # Ablative Coat: damage tokens on it
        self.howitzer_tokens = 0  # Mini Howitzer: its uses
        self.conditional_card = None  # Conditional Program: the card on it
        self.flywheel_card = None
        self.last_attacker = None  # the robot that last shot it with a laser or directly pushed it (SuperBot)

    def begin_turn(self):
        """What begins anew with each turn."""
        self.was_down = self.powered_down  # in the turn that is played
        self.pair_means = None  # "crab_legs" or "dual_processor", how it played the two cards of the present register
        self.gyroscope_is_on = False
        self.aborted = False  # Abort Switch: the later registers are replaced too
        self.controller = None  # Radio Control: the robot whose program it executes
        self.will_power_down = False
        self.touched = None  # the flag or repair site that it touched last in this turn

    def all_cards(self):
        """The Program cards in its registers and hand."""
        return [card for register in self.registers.values() for card in cards_in(register)] + self.hand

    def has(self, option):
        """Is this Option card in front of the player?"""
        return option in self.options

    def options_for_pairs(self):
        """Its options that let two cards share a register."""
        return [name for name in ("crab_legs", "dual_processor") if self.has(name)]

    @property
    def is_on_board(self):
        """Neither destroyed nor sent home?"""
        return self.cell is not None

    @property
    def is_running(self):
        """Is it on the board, and not powered down?"""
        return self.is_on_board and not self.powered_down

    def is_locked(self, register):
        """By the table of damage tokens (5 tokens lock register 5, 9 lock all), or by Fire Control."""
        return register in self.locked_registers()

    def locked_registers(self):
        """All of them. Where Fire Control's locks have tokens of their own, the others lock the highest ones left."""
        if not self.locks_are_tokens:
            return {number for number in range(1, 6) if number >= DESTRUCTION - self.damage} | self.extra_locks
        others = self.damage - len(self.extra_locks)
        left = [number for number in (5, 4, 3, 2, 1) if number not in self.extra_locks]
        return self.extra_locks | set(left[: max(0, others - 4)])

    def set_register(self, register, card):
        """Puts a card into a register, with its own number for the priority."""
        self.registers[register] = card
        self.numbers[register] = number_of(card)
        self.pair_options[register] = self.options_for_pairs()

    def repair(self, tokens):
        """Discards damage tokens; a register that Fire Control locked is free with the next one."""
        if self.damage > 0 and tokens > 0:
            tokens = min(self.damage, tokens)
            self.damage -= tokens
            self.extra_locks = set(sorted(self.extra_locks)[tokens:]) if self.locks_are_tokens else set()
