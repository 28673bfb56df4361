"""What a player sees by community rules: levels, damage, locked registers, robots off the board."""

from tests.reference.board import cell_of, neighbour
from tests.reference.cards import words

from .e2016 import ADMIN_PRIVILEGE, DECISIONS, DeckView
from .view import ALL, cell_named, has_bit

UPGRADE_COUNT = 41  # with Heal Routine


class CommunityView(DeckView):
    """A player's view of the community edition."""

    parts = words(
        "hand locked locked_cards draw_pile discard_pile position facing energy damage power progress distance target"
        " antenna ways cell priority decision upgrades shop others"
    )
    more_parts = words("asked options register registers known_top marks revealed")
    kinds = 21
    upgrade_count = UPGRADE_COUNT
    decisions = (*DECISIONS, "power_down")

    # ---- Damage ---------------------------------------------------------------------------------------------------

    def is_off(self, robot):
        """Is a robot off the board: destroyed, or at the goal?"""
        return has_bit(self.game["rebooted"], robot)

    def locks(self, robot):
        """1 for each locked register: the fifth with five damage tokens, all five with nine."""
        return [int(self.game["damage"][robot] >= 10 - number) for number in range(1, 6)]

    def locked(self):
        return self.locks(self.seat)

    def cards_locked(self, robot):
        """The cards in locked registers, 0 in the others."""
        cards = self.game["registers"][robot]
        return [card if locked else 0 for card, locked in zip(cards, self.locks(robot), strict=True)]

    def locked_cards(self):
        return self.shown(self.cards_locked(self.seat))

    def is_face_down(self, robot, register):
        """Locked registers lie open."""
        return super().is_face_down(robot, register) and not self.locks(robot)[register]

    def damage(self):
        return [self.own("damage") / 10]

    def power(self):
        states = [has_bit(self.game[state], self.seat) for state in ("down", "announced", "virtual", "stomped")]
        return [*states, self.is_off(self.seat)]

    def goes_on_from(self, robot):
        """A robot that is off the board comes back at the reboot token of its board, or where it started (R16)."""
        number = self.game["cell"][robot]
        if number >= 0:
            return super().goes_on_from(robot)
        token = self.board.token_for(cell_named(-2 - number)) if number < -1 else None
        if token is None:
            return cell_named(self.game["start"][robot]), self.board.start_facing
        return cell_of(token), token["facing"]

    # ---- The board ------------------------------------------------------------------------------------------------

    def way(self, direction):
        """[stopped, falls, levels dropped / 2] of the steps that way onto three cells; zeros after a stop or a fall."""
        found, cell = [], self.here
        for _ in range(3 if cell is not None else 0):
            dropped, cell = self.board.drop(cell, direction), neighbour(cell, direction)
            falls = dropped is not None and self.board.is_deadly(cell)
            found += [int(dropped is None), int(falls), (dropped or 0) / 2]
            if dropped is None or falls:
                break
        return found + [0] * (9 - len(found))

    def cell(self):
        """What it is in 2016, then what this edition adds."""
        if self.here is None:
            return [0] * 19
        board, here = self.board, self.here
        ramp = board.ramps.get(here)
        rise = 1 if here in board.ramps_on else 0.5
        ramps = [rise if ramp is not None and ramp["up"] == direction else 0 for direction in self.directions()]
        lie = [board.puddles, board.buttons, board.radiation, board.trapdoors, board.stompers]
        return [
            *super().cell(),
            board.repairs.get(here, 0) / 2,
            board.level_of(here) / 3,
            *ramps,
            *(int(here in cells) for cells in lie),
        ]

    # ---- Questions ------------------------------------------------------------------------------------------------

    def is_asked_program(self):
        """Robots that are off the board or powered down get no program."""
        down = has_bit(self.game["down"], self.seat)
        return super().is_asked_program() and not self.is_off(self.seat) and not down

    def decision(self):
        announces = super().is_asked_program() and self.game["asking"] != ALL and not self.is_off(self.seat)
        return [*super().decision(), int(announces)]

    def marks(self):
        return [has_bit(self.own("used"), ADMIN_PRIVILEGE), has_bit(self.game["shielded"], self.seat)]

    # ---- The others -----------------------------------------------------------------------------------------------

    def row(self, robot):
        """The numbers of another robot, to the cards in its locked registers."""
        game, cell = self.game, self.cell_of_robot(robot)
        both = cell is not None and self.here is not None
        above = self.board.level_of(cell) - self.board.level_of(self.here) if both else 0
        return [
            *super().row(robot),
            self.cubes_of(robot),
            self.acts_before(robot),
            self.is_off(robot),
            game["damage"][robot] / 10,
            sum(self.locks(robot)) / 5,
            *(has_bit(game[state], robot) for state in ("virtual", "stomped", "down", "announced")),
            above / 3,
            game["place"][robot] / 8,
            *self.counted(self.hidden(robot)),
            *self.upgrades_of(robot),
            *self.shown(self.cards_locked(robot)),
        ]
