"""Robot lasers at levels (R32, R35, R50).

Conventions beyond the rulings:

- A Rail Gun goes through ledges and the sides of ramps as through walls; it hits robots of its own level only.
- A shooter that was destroyed by the shots of the same moment makes no shifts any more.
"""

from tests.reference.board import neighbour
from tests.reference.e2016.weapons import Shot
from tests.reference.e2016.weapons import Weapons as Weapons2016


class Weapons(Weapons2016):
    """How the robots of a race shoot."""

    def fire_robot_lasers(self):
        """Robots that are real and not powered down shoot."""
        shooters = [robot for robot in self.order if robot.plays and not robot.virtual]
        shots = [shot for shooter in shooters for shot in self.aim(shooter)]
        shots = [shot for shot in shots if not shot.target.shield_is_up]
        for shot in shots:
            self.load(shot, shots)
        for victim in self.order:
            for shot in shots:
                if shot.target is victim:
                    self.deal_shot(shot)
        self.settle_virtual()
        for shot in shots:
            self.shift_target(shot)

    def line_of_fire(self, shooter, direction, through=False):
        """The shots in one direction: the first robot of the same level; `through` walls and robots: all of them."""
        level = self.board.level_of(shooter.cell)
        shots = []
        cell = shooter.cell
        distance = 0
        while self.board.spans(cell) and cell != self.board.antenna:
            target = self.robot_at(cell)
            if distance > 0 and target is not None and self.board.level_of(cell) == level:
                shots.append(Shot(shooter, target, direction, distance, target.reboots))
            if not through and (shots or self.board.stops_beam(cell, direction, level)):
                break
            cell = neighbour(cell, direction)
            distance += 1
        return shots

    def deal_shot(self, shot):
        """The damage of one shot, then Scrambler, which leaves locked registers alone (R47)."""
        target = shot.target
        self.deal_tokens(target, len(shot.cards()))
        following = self.register + 1
        if not shot.has("scrambler") or following > 5 or target.rebooted or target.is_locked(following):
            return
        if target.registers[following] is not None:
            target.discard_register(following)
            target.registers[following] = target.draw_card()

    def shift_target(self, shot):
        """Only who is still on the board shifts and is shifted."""
        if shot.target.is_on_board and shot.shooter.is_on_board:
            super().shift_target(shot)
