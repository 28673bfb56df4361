"""D. Lasers fire: board lasers and robot lasers together, with the options that shoot (R32 to R35, R64 to R66).

Conventions beyond the rulings:

- All hits are found and all weapons chosen first: shooters in dock order, the main laser before the rear one, nearest
  target first. Then the hits are dealt: targets in dock order, for each the board lasers (in the order N, E, S, W of
  the directions in which they fire) before the shooters in dock order. Then Radio Control and Scrambler act. Then
  robots with ten damage tokens are destroyed, in dock order. Then shifts, in priority order of shooters.
- Fire Control is asked for each shot of the main laser at a target. If no shot is used so, the other weapons are
  asked. What it chooses is locked or destroyed when the hit is dealt, and is not offered again in this phase.
- Scrambler looks once more, after the damage, whether the register is locked by now.
- A shift happens even if the shooter was shot dead in the same phase.
- A Tractor Beam pulls by an ordinary step that pushes nobody.
- High-Power Laser is for the main laser only.
"""

from dataclasses import dataclass, field

from tests.reference.board import neighbour, opposite
from tests.reference.race import REGISTERS

from .robot import DESTRUCTION, Robot

WEAPONS = ["mini_howitzer", "pressor_beam", "radio_control", "scrambler", "tractor_beam"]  # in the order of asking
HOWITZER_USES = 5


@dataclass(eq=False)
class Hit:
    """One robot in the line of one laser."""

    shooter: Robot | None  # None: a board laser
    target: Robot
    direction: str  # in which the laser fires
    distance: int = 0
    shots: list = field(default_factory=lambda: ["damage"])  # each "damage", or what Fire Control has chosen
    weapon: str | None = None  # what was fired in place of the laser

    @property
    def side(self):
        """The side from which it hits the robot."""
        return opposite(self.direction)


class Lasers:
    """How the lasers of a race fire."""

    def fire_lasers(self):
        """All hits, then their effects, then destruction, then pushes and pulls."""
        self.fire_controlled = set()
        hits = self.find_board_hits()
        for shooter in self.robots:
            if shooter.is_running:
                hits += self.aim(shooter)

        for target in self.robots:
            for hit in hits:
                if hit.target is target:
                    self.deal_hit(hit)
        for hit in hits:
            self.use_weapon(hit)
        self.note_who_shot(hits)
        for robot in self.robots:
            if not robot.is_destroyed and robot.damage >= DESTRUCTION:
                self.destroy(robot)

        for shooter in self.order:
            for hit in hits:
                if hit.shooter is shooter:
                    self.shift_target(hit)

    # ---- Finding the hits -----------------------------------------------------------------------------------------

    def find_board_hits(self):
        """What the board lasers hit (R33)."""
        hits = self.board_laser_hits()
        hits.sort(key=lambda hit: "NESW".index(hit[0]["fires"]))
        return [Hit(None, target, laser["fires"], shots=["damage"] * laser["beams"]) for laser, target in hits]

    def aim(self, shooter):
        """The hits of one robot, with the weapons that it chooses."""
        factor = 2 if self.fires_double(shooter) else 1
        barrels = 2 if shooter.has("double_barreled_laser") else 1
        hits = self.line_of_fire(shooter, shooter.facing, barrels * factor, shooter.has("high_power_laser"))
        for hit in hits:
            self.choose_weapon(hit)
        if shooter.has("rear_firing_laser"):
            hits += self.line_of_fire(shooter, opposite(shooter.facing), factor)
        return hits

    def line_of_fire(self, shooter, direction, shots, has_high_power=False):
        """The hits in one direction: the first robot before a wall; High-Power Laser passes one wall or one robot."""
        may_pass = 1 if has_high_power else 0
        hits = []
        cell = shooter.cell
        distance = 0
        while True:
            if self.board.is_shut(cell, direction):
                if may_pass == 0:
                    return hits
                may_pass -= 1
            cell = neighbour(cell, direction)
            distance += 1
            if not self.board.spans(cell):
                return hits
            target = self.robot_at(cell)
            if target is not None:
                hits.append(Hit(shooter, target, direction, distance, ["damage"] * shots))
                if may_pass == 0:
                    return hits
                may_pass -= 1

    # ---- Choosing weapons -----------------------------------------------------------------------------------------

    def choose_weapon(self, hit):
        """Fire Control for each shot; else one of the weapons in place of the whole main laser at that target."""
        shooter = hit.shooter
        if shooter.has("fire_control"):
            hit.shots = [self.choose_fire_control(hit) for _ in hit.shots]
            if any(shot != "damage" for shot in hit.shots):
                return
        for weapon in WEAPONS:
            if shooter.has(weapon) and self.can_fire(weapon, hit) and self.agrees(shooter, weapon):
                hit.weapon = weapon
                if weapon == "mini_howitzer":
                    self.count_howitzer(shooter)
                return

    def choose_fire_control(self, hit):
        """A register to lock, an option to destroy, or plain damage."""
        registers = [f"register_{number}" for number in REGISTERS if not hit.target.is_locked(number)]
        left = [
            aim for aim in [*registers, *sorted(hit.target.options)] if (hit.target, aim) not in self.fire_controlled
        ]
        choice = self.answers.ask(hit.shooter, "fire_control", ["no", *left]) if left else "no"
        if choice == "no":
            return "damage"
        self.fire_controlled.add((hit.target, choice))
        return choice

    def can_fire(self, weapon, hit):
        """Does the weapon's text allow it here?"""
        if weapon == "tractor_beam":
            return hit.distance > 1
        if weapon == "scrambler":
            return self.can_scramble(hit.target)
        return True

    def can_scramble(self, target):
        """A card in the next register, not locked; not in the fifth phase."""
        following = self.register + 1
        return following <= 5 and target.registers[following] is not None and not target.is_locked(following)

    def count_howitzer(self, shooter):
        """A token for each use; with the fifth the card is discarded."""
        shooter.howitzer_tokens += 1
        if shooter.howitzer_tokens == HOWITZER_USES:
            self.discard_option(shooter, "mini_howitzer")

    # ---- Effects --------------------------------------------------------------------------------------------------

    def deal_hit(self, hit):
        """The damage of a hit, or what Fire Control does instead."""
        if hit.weapon is None:
            for shot in hit.shots:
                self.deal_shot(hit.target, shot, hit.side)
        elif hit.weapon == "mini_howitzer":
            self.deal_damage(hit.target, hit.side)

    def use_weapon(self, hit):
        """Radio Control and Scrambler."""
        if hit.weapon == "radio_control":
            hit.target.controller = hit.shooter
        elif hit.weapon == "scrambler" and self.can_scramble(hit.target):
            self.replace_card(hit.target, self.register + 1)

    def deal_shot(self, target, shot, side):
        """A damage token, or what Fire Control does instead."""
        if shot == "damage":
            self.deal_damage(target, side)
        elif shot.startswith("register_"):
            self.lock(target, int(shot[-1]))
        elif target.has(shot):
            self.discard_option(target, shot)

    def lock(self, target, register):
        """Fire Control locks a register, by the rule option with a damage token (R91)."""
        if target.locks_are_tokens:
            if target.damage >= DESTRUCTION:
                return
            if target.is_locked(register):
                self.put_token(target)
                return
            target.damage += 1
        target.extra_locks.add(register)
        self.program_at_random(target, register)

    def shift_target(self, hit):
        """Mini Howitzer and Pressor Beam push as a card's step does, Tractor Beam pulls."""
        target = hit.target
        if target.is_destroyed:
            return
        if hit.weapon in ("mini_howitzer", "pressor_beam"):
            self.push(target, hit.direction, hit.shooter)
        elif hit.weapon == "tractor_beam" and self.line_of_push(target, hit.side) == [target]:
            self.shift([target], hit.side)
