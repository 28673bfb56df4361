"""Special rules of courses, by the tags of the map's `special_rules`.

Conventions: with shared_flags all robots of a team have the same `checkpoint`. With claims it is the number of flags
that the team holds. The winner of claims is the first in priority order that touched a flag in this phase, of the team
that holds all; the winner of last_team_standing the first in the list that has Life tokens left, judged when a phase
ends. The same holds for the last racer. Boards turn when all robots have touched. A coin is chance: `heads` of the
scenario are the touches, as [round, register, robot], on which it came up.
"""

from .capturing import CapturingTheFlag

TAGS = {
    "moving_flags": "belts carry the flags (elements.py)",
    "double_lasers": "all robot laser fire is doubled",
    "start_damage": "robots begin with two damage tokens",
    "no_power_down": "nobody can power down",
    "options_for_repairs": "one option for a repair, two for a repair and an option (cleanup.py)",
    "superbot": "robot 0, or the one that is named, begins as the SuperBot: doubled fire, flags, repaired each turn",
    "shared_flags": "each flag has to be touched by one robot of the team only",
    "two_teams": "the team of the first robot with all flags wins: nothing but a name for it",
    "claims": "a team claims each flag that it touches, in any order, and wins with all of them",
    "sit_out": "a destroyed robot sits out for a full turn (cleanup.py)",
    "start_option": "robots begin with an option: the scenario says which",
    "option_draft": "the same",
    "last_team_standing": "a team without Life tokens has lost",
    "racers_and_blockers": "every other robot is a blocker, which cannot touch flags; the last racer wins too",
    "turning_boards": "who touches a flag flips a coin: on heads the board turns (board.py)",
    "capture_the_flag": "flags are carried home, robots are sent home (capturing.py)",
    "program_time_30": "the timer of the rule option",
    "program_time_60": "the same",
}


class SpecialRules(CapturingTheFlag):
    """What courses change."""

    # ---- Flags ----------------------------------------------------------------------------------------------------

    def flags_for(self, robot, cell):
        """The flags on this cell that the robot can touch: a blocker none."""
        is_blocker = "racers_and_blockers" in self.special_rules and robot.index % 2
        return [] if is_blocker else self.board.flags_on(cell)

    def touch_flag(self, robot, number, counts):
        """A robot touches a flag, be it one that counts or not."""
        touch = [self.round, self.register, robot.index]
        if "turning_boards" in self.special_rules and touch in self.heads:
            self.heads.remove(touch)
            self.turning.append(robot.cell)
        if "capture_the_flag" in self.special_rules:
            self.take_or_return(robot, number)
        elif counts or "claims" in self.special_rules:
            self.count_flag(robot, number)

    def turn_boards(self):
        """Frenetic Factory: robots and flags stay in place."""
        for cell in self.turning:
            self.board = self.board.turned(cell)
        self.turning = []

    def flags_to_claim(self, robot):
        """The numbers of the flags that its team does not hold."""
        return [number for number in self.board.flags if self.claims.get(number) != robot.team]

    def flags_due(self, robot):
        """The number of the flag that would count for this robot now, if there is one."""
        if "capture_the_flag" in self.special_rules:
            return self.enemy_flags(robot)
        if self.superbot is not None and robot is not self.superbot:
            return []
        following = max(other.checkpoint for other in self.who_share_flags(robot)) + 1
        return [following] if following in self.board.flags else []

    def who_share_flags(self, robot):
        """The robots whose flags count for this one too."""
        if "shared_flags" not in self.special_rules:
            return [robot]
        return [other for other in self.robots if other is robot or self.are_one_team(robot, other)]

    def first_team(self, index):
        """The team of a robot of which the scenario says nothing: two seats side by side, or every other seat."""
        if self.special_rules & {"shared_flags", "racers_and_blockers"}:
            return index // 2
        return index % 2 if "two_teams" in self.special_rules else None

    def are_one_team(self, robot, other):
        """Do they belong to the same team?"""
        return robot.team is not None and robot.team == other.team

    def count_flag(self, robot, number):
        """A robot touches a flag that counts, or one that its team claims already."""
        self.touched_a_flag.append(robot)
        if "claims" in self.special_rules:
            self.claims[number] = robot.team
            return
        for other in self.who_share_flags(robot):
            other.checkpoint = number

    def flags_of(self, robot):
        """The `checkpoint` of the outcome: the last flag in order, or how many the team holds."""
        if "claims" in self.special_rules:
            return sum(self.claims.get(number) == robot.team for number in self.board.flags)
        return robot.checkpoint

    def name_winner(self):
        """The first in priority order that touched its last flag, or the flag with which its team holds all."""
        for robot in self.touched_a_flag:
            if "claims" in self.special_rules:
                has_won = all(self.claims.get(number) == robot.team for number in self.board.flags)
            else:
                has_won = robot.checkpoint == max(self.board.flags)
            if has_won and self.winner is None:
                self.winner = robot.index
        self.touched_a_flag = []

    def who_stay_in(self):
        """The robots whose Life tokens keep a player or a team in the race: of racers and blockers the racers."""
        return self.robots[::2] if "racers_and_blockers" in self.special_rules else self.robots

    def look_for_last_team(self):
        """War Zone, Interference: one team, or one racer, is left with Life tokens."""
        if not self.special_rules & {"last_team_standing", "racers_and_blockers"} or self.winner is not None:
            return
        left = [robot for robot in self.who_stay_in() if robot.lives > 0]
        if len({robot.team for robot in self.who_stay_in()}) > 1 and len({robot.team for robot in left}) == 1:
            self.winner = left[0].index

    def special_outcome_of(self, robot):
        """What a course adds to the outcome of a robot."""
        flags = self.board.first_cells if "capture_the_flag" in self.special_rules else self.board.flags
        added = {}
        if "capture_the_flag" in self.special_rules:
            added["carries"] = next((number for number in flags if self.carriers.get(number) is robot), None)
        if "claims" in self.special_rules:
            added["holds"] = sorted(number for number in flags if self.claims.get(number) == robot.team)
        if "superbot" in self.special_rules:
            added["superbot"] = robot is self.superbot
        return added

    # ---- The SuperBot ---------------------------------------------------------------------------------------------

    def fires_double(self, shooter):
        """Is its laser fire doubled?"""
        return "double_lasers" in self.special_rules or shooter is self.superbot

    def note_who_shot(self, hits):
        """Of several that shot a robot in one phase, the one with the lowest priority shot last."""
        for shooter in self.order:
            for hit in hits:
                if hit.shooter is shooter and hit.weapon is None:
                    hit.target.last_attacker = shooter

    def first_superbot(self, scenario):
        """The one that the scenario names, else the robot of dock 1."""
        named = [self.robots[i] for i, entry in enumerate(scenario["robots"]) if entry.get("superbot", False)]
        return named[0] if named else self.robots[0]

    def pass_superbot_on(self, robot):
        """The robot that last shot it or directly pushed it becomes the SuperBot, if there is one in the game.

        Who has become the SuperBot in this phase stays it (R93).
        """
        heir = robot.last_attacker
        if robot is self.superbot and robot not in self.new_superbots and heir is not None and heir.lives > 0:
            self.superbot = heir
            self.new_superbots.append(heir)
