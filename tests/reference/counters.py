"""Races that count what happens in them, so that random scenarios can be known to hold what is worth comparing."""

from collections import Counter

from .errors import NeedsChance


class Counting:
    """What is counted in the races of all editions; goes before an edition's race."""

    def __init__(self, scenario):
        self.seen = Counter()
        super().__init__(scenario)

    def run(self):
        try:
            super().run()
        finally:
            self.seen["winner"] += self.winner is not None
            for entry in self.answers.record:
                self.seen[f"{entry['decision']} asked"] += 1
                self.seen[f"{entry['decision']} used"] += entry["choice"] != "no"

    def each(self, key):
        """One attribute of all robots, to be compared before and after."""
        return [getattr(robot, key) for robot in self.robots]

    def step(self, robot, direction):
        made = super().step(robot, direction)
        self.seen["step blocked"] += not made
        return made

    def shift(self, line, *more, **named):
        self.seen["push"] += len(line) > 1
        self.seen["chain of pushes"] += len(line) > 2
        return super().shift(line, *more, **named)

    def settle_conflicts(self, here, wanted):
        settled = super().settle_conflicts(here, wanted)
        self.seen["belt conflict"] += settled != wanted
        return settled

    def push_panels(self):
        before = self.each("cell")
        super().push_panels()
        self.seen["panel push"] += before != self.each("cell")

    def turn_gears(self):
        before = self.each("facing")
        super().turn_gears()
        self.seen["gear"] += before != self.each("facing")

    def board_laser_hits(self):
        hits = super().board_laser_hits()
        self.seen["board laser hit"] += bool(hits)
        return hits

    def aim(self, shooter):
        shots = super().aim(shooter)
        self.seen["robot laser hit"] += len(shots)
        return shots

    def shift_target(self, shot):
        before = shot.target.cell
        super().shift_target(shot)
        self.seen["weapon moves a robot"] += shot.target.cell != before


def count_events(counting_race, scenarios, check):
    """What happens in these scenarios. Each race is checked; it counts for nothing where only a shuffle can tell."""
    seen = Counter()
    for drawn in scenarios:
        race = counting_race(drawn)
        try:
            race.run()
            seen += race.seen
        except NeedsChance:
            race.seen["needs chance"] += 1
            seen["needs chance"] += 1
        check(race)
    return seen
