"""A robot of the community edition: health, locked registers, power down, virtual mode."""

from tests.reference.e2016.cards import Robot as Robot2016
from tests.reference.errors import BadScenario
from tests.reference.race import REGISTERS

from .upgrades import ROUTINES

DESTRUCTION = 10  # damage tokens: no health point is left
DAMAGE_AT_REENTRY = 2


class Robot(Robot2016):
    """A robot with its damage tokens; `rebooted` says that it was destroyed in this round and is off the board."""

    def __init__(self, index, entry, may_have_specials):
        self.damage = entry.get("damage", 0)
        super().__init__(index, entry, may_have_specials)
        if not 0 <= self.damage < DESTRUCTION:
            raise BadScenario(f"robot {index}: damage is 0 to 9")
        self.virtual = entry.get("virtual", False)
        self.powered_down = entry.get("powered_down", False)
        self.was_down = self.powered_down  # in the round that is played
        self.announced = False  # a power down for the next round
        self.stomped = 0  # the register in which a stomper hit it
        self.damage_at_reentry = DAMAGE_AT_REENTRY
        self.has_finished = False
        # A robot with a card in an open register is programmed already: no hand is dealt to it.
        self.is_programmed = any(self.registers[register] for register in self.open_registers())

    def is_beside_the_deck(self, card):
        """Is it none of the twenty, but one that an upgrade brings?"""
        return self.may_have_specials and card in ROUTINES.values()

    @property
    def is_on_board(self):
        """Is it neither destroyed nor past the last checkpoint?"""
        return self.cell is not None

    @property
    def plays(self):
        """Has it a turn, and does it shoot?"""
        return self.is_on_board and not self.powered_down

    def is_locked(self, register):
        """By the table: with five damage tokens register 5 is locked, with nine all are."""
        return register >= DESTRUCTION - self.damage

    def open_registers(self):
        """The registers that are not locked."""
        return [register for register in REGISTERS if not self.is_locked(register)]

    def can_use(self, upgrade):
        """Is it owned, and the robot neither destroyed nor past the last checkpoint? Those of its turn need a turn."""
        if upgrade in ("admin_privilege", "manual_sort") and self.powered_down:
            return False
        return super().can_use(upgrade) and not self.has_finished

    def repair(self, points):
        """Discards damage tokens."""
        self.damage = max(0, self.damage - points)

    def hand_size(self):
        """Nine cards, one fewer for each damage token; one more with Memory Stick."""
        return max(0, 9 - self.damage) + self.can_use("memory_stick")

    def cancel_programming(self):
        """All registers, locked ones too, and the hand go to the discard pile."""
        for register in REGISTERS:
            self.discard_register(register)
        self.discard_hand()

    def begin_round(self):
        """Nothing of the last round is left but cards in locked registers."""
        super().begin_round()
        self.was_down = self.powered_down
        self.damage_at_reentry = DAMAGE_AT_REENTRY
