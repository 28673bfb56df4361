"""Robot lasers, with the upgrades that shoot (R32, R35, R46 to R50)."""

from dataclasses import dataclass

from tests.reference.board import neighbour, opposite

from .cards import Robot


@dataclass
class Shot:
    """One robot hit by one shot of another."""

    shooter: Robot
    target: Robot
    direction: str
    distance: int
    reboots: int  # of the target, when it was hit
    worm: bool = False  # Blue Screen of Death
    howitzer: bool = False
    wave: bool = False  # Corruption Wave

    def has(self, upgrade):
        """Does the shooter have the use of it? Asked of what works by itself when the shot is dealt."""
        return upgrade in self.shooter.upgrades

    def cards(self):
        """The damage cards that it deals, in order (R46)."""
        first = "worm" if self.worm else "trojan_horse" if self.has("trojan_needler") else "spam"
        more = self.has("double_barrel_laser") + 2 * self.howitzer
        return [first] + ["spam"] * more


class Weapons:
    """How the robots of a race shoot."""

    def fire_robot_lasers(self):
        """All shots are found, then questions, then damage, then shifts, each for all (R32)."""
        shooters = [robot for robot in self.order if not robot.rebooted]
        shots = [shot for shooter in shooters for shot in self.aim(shooter)]
        shots = [shot for shot in shots if not shot.target.shield_is_up or shot.target.rebooted]
        for shot in shots:
            self.load(shot, shots)
        for victim in self.order:
            for shot in shots:
                if shot.target is victim:
                    self.deal_shot(shot)
        for shot in shots:
            self.shift_target(shot)

    def aim(self, shooter):
        """The shots of one robot: ahead, then behind, each nearest first. Asks for Rail Gun and Rear Laser."""
        ahead, behind = shooter.facing, opposite(shooter.facing)
        directions = [ahead, behind] if shooter.can_use("rear_laser") else [ahead]
        plain = {direction: self.line_of_fire(shooter, direction) for direction in directions}
        lines = plain
        if shooter.can_use("rail_gun"):
            through = {direction: self.line_of_fire(shooter, direction, through=True) for direction in directions}
            if through != plain and self.agrees(shooter, "rail_gun"):
                lines = through
        shots = lines[ahead]
        if lines.get(behind) and self.agrees(shooter, "rear_laser"):
            shots = shots + lines[behind]
        return shots

    def line_of_fire(self, shooter, direction, through=False):
        """The shots in one direction: the first robot before a wall; `through` walls and robots: all of them."""
        shots = []
        cell = shooter.cell
        distance = 0
        while self.board.spans(cell) and cell != self.board.antenna:
            target = self.robot_at(cell)
            if distance > 0 and target is not None:
                shots.append(Shot(shooter, target, direction, distance, target.reboots))
            if not through and (shots or self.board.is_shut(cell, direction)):
                break
            cell = neighbour(cell, direction)
            distance += 1
        return shots

    def load(self, shot, shots):
        """The questions of one shot, before anything is dealt."""
        shooter = shot.shooter
        if shooter.can_use("blue_screen_of_death") and shot.distance == 1:
            shot.worm = self.agrees(shooter, "blue_screen_of_death")
        fired = any(other.howitzer for other in shots if other.shooter is shooter)
        if shooter.can_use("mini_howitzer") and shooter.energy >= 1 and not fired:
            shot.howitzer = self.agrees(shooter, "mini_howitzer")
            shooter.energy -= shot.howitzer
        if shooter.can_use("corruption_wave") and "spam" in shot.cards() and self.box["spam"] > 0:
            shot.wave = self.agrees(shooter, "corruption_wave")

    def deal_shot(self, shot):
        """The damage of one shot, then Scrambler: the target's next card is replaced (R47)."""
        target = shot.target
        for kind in shot.cards():
            self.deal(target, kind, on_top=shot.wave)
        following = self.register + 1
        if shot.has("scrambler") and following <= 5 and target.registers[following] is not None:
            target.discard_register(following)
            target.registers[following] = target.draw_card()

    def shift_target(self, shot):
        """Mini Howitzer or Pressor Beam push the target, Tractor Beam pulls it; one shift a hit (R50)."""
        shooter, target, direction = shot.shooter, shot.target, shot.direction
        if shooter.rebooted or target.reboots > shot.reboots:
            return
        can_push = self.line_of_push(target, direction) is not None
        if shot.howitzer or (can_push and shooter.can_use("pressor_beam") and self.agrees(shooter, "pressor_beam")):
            self.push(target, direction)
        elif shot.distance >= 2 and shooter.can_use("tractor_beam") and self.can_be_pulled(shot):
            if self.agrees(shooter, "tractor_beam"):
                self.push(target, opposite(direction))

    def can_be_pulled(self, shot):
        """Is the next cell towards the shot's origin open, and nobody there?"""
        line = self.line_of_push(shot.target, opposite(shot.direction))
        return line == [shot.target]
