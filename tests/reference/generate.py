"""Random scenarios, small and crowded, for the comparison of the reference with the core.

    scenario(seed)      the same scenario for the same seed, legal by the rules of scenario files

Every robot's twenty cards are all named, so that nothing is left to chance until a draw pile runs dry.
"""

import random

from .board import CLOCKWISE, left_of, neighbour, opposite, right_of
from .cards import DAMAGE_BOX, PROGRAMMING_DECK, BadScenario, NeedsChance
from .race2016 import play

DECK = [card for card, count in PROGRAMMING_DECK.items() for _ in range(count)]

# How likely a card is to be taken for a register before the others; moves and Again make the scenes.
WEIGHT = {"move_1": 4, "move_2": 6, "move_3": 8, "back_up": 5, "again": 5}


def scenario(seed):
    """One random scenario."""
    dice = random.Random(seed)
    world = World(dice)
    world.draw_map()
    robots = world.place_robots()
    world.map["elements"] = world.elements()
    span, wanted = choose_span(dice)
    deal_cards(dice, robots, wanted, by_hand="rounds" in span)
    if dice.random() < 0.2:
        span["order"] = dice.sample(range(len(robots)), len(robots))
    drawn = {
        "name": f"random {seed}",
        "edition": "2016",
        "rules": choose_rules(dice),
        "map": world.map,
        "robots": robots,
        "play": span,
    }
    if dice.random() < 0.4:
        drawn["answers"] = invent_answers(dice, drawn)
    return drawn


class World:
    """The map being drawn. Each cell has at most one element besides walls, now and then a laser on a belt."""

    def __init__(self, dice):
        self.dice = dice
        self.width = dice.randint(4, 9)
        self.height = dice.randint(4, 9)
        self.cells = [(x, y) for y in range(self.height) for x in range(self.width)]
        self.floor = {}  # cell -> element
        self.walls = {}  # cell -> sides
        self.extra_lasers = []
        self.antenna = None
        self.map = {}

    def draw_map(self):
        """Lays all elements, then the tokens."""
        dice = self.dice
        drawing = {"width": self.width, "height": self.height, "elements": []}
        if dice.random() < 0.85:
            self.antenna = dice.choice(self.cells)
            drawing["antenna"] = {**at(self.antenna), "facing": dice.choice(CLOCKWISE)}
        if dice.random() < 0.2:
            drawing["start_facing"] = dice.choice(CLOCKWISE)

        area = len(self.cells)
        for _ in range(dice.randint(1, 4)):
            dice.choice(
                [self.lay_path, self.lay_path, self.lay_ring, self.lay_face_off, self.lay_merge, self.lay_outlets]
            )()
        self.scatter(area * dice.choice([0, 0.05, 0.1]), self.pit)
        self.scatter(area * dice.choice([0, 0.05, 0.1]), self.gear)
        self.scatter(area * dice.choice([0, 0.1, 0.2]), self.panel)
        self.scatter(area * dice.choice([0, 0.05, 0.1]), self.energy)
        self.scatter(dice.randint(0, 3), self.laser)
        self.scatter(dice.choice([0, 0, 3]), self.loose_belt)
        for _ in range(int(area * dice.choice([0, 0.1, 0.25]))):
            self.add_wall(dice.choice(self.cells), dice.choice(CLOCKWISE))
        if dice.random() < 0.35:
            self.lay_two_ended_line()
        if dice.random() < 0.35:
            self.wall_in()
        if dice.random() < 0.3:
            belts = [cell for cell, element in self.floor.items() if element["kind"] == "belt"]
            if belts:
                self.extra_lasers.append(self.laser(dice.choice(belts)))

        self.map = drawing
        self.place_tokens()

    def elements(self):
        """The elements in the form of the fact sheets."""
        walls = [{"kind": "wall", **at(cell), "sides": sides} for cell, sides in self.walls.items()]
        return [*self.floor.values(), *self.extra_lasers, *walls]

    def is_free(self, cell):
        """May an element be laid here?"""
        return cell in self.cells and cell != self.antenna and cell not in self.floor

    def scatter(self, count, make):
        """So many elements of one kind on free cells."""
        for _ in range(int(count)):
            cell = self.dice.choice(self.cells)
            if self.is_free(cell):
                self.floor[cell] = make(cell)

    # ---- Single elements ------------------------------------------------------------------------------------------

    def pit(self, cell):
        return {"kind": "pit", **at(cell)}

    def gear(self, cell):
        return {"kind": "gear", **at(cell), "turn": self.dice.choice(["cw", "ccw"])}

    def energy(self, cell):
        return {"kind": "energy", **at(cell)}

    def laser(self, cell):
        return {
            "kind": "laser",
            **at(cell),
            "fires": self.dice.choice(CLOCKWISE),
            "beams": self.dice.choice([1, 1, 2, 3]),
        }

    def panel(self, cell):
        push = self.dice.choice(CLOCKWISE)
        if self.dice.random() < 0.8:
            self.add_wall(cell, opposite(push))
        registers = self.dice.choice([[1, 3, 5], [2, 4], [1, 2, 3, 4, 5], [self.dice.randint(1, 5)]])
        return {"kind": "panel", **at(cell), "push": push, "registers": registers}

    def loose_belt(self, cell):
        """A belt that does not care for its neighbours."""
        out = self.dice.choice(CLOCKWISE)
        sides = [side for side in CLOCKWISE if side != out]
        feeds = self.dice.sample(sides, self.dice.randint(1, 3))
        return belt(cell, self.dice.choice([1, 2]), out, feeds)

    def add_wall(self, cell, side):
        """A wall, unless its edge has one already."""
        beyond = neighbour(cell, side)
        if side not in self.walls.get(cell, []) and opposite(side) not in self.walls.get(beyond, []):
            self.walls.setdefault(cell, []).append(side)

    def wall_in(self):
        """Walls round the whole map, with gaps here and there."""
        for cell in self.cells:
            for side in CLOCKWISE:
                if neighbour(cell, side) not in self.cells and self.dice.random() < 0.9:
                    self.add_wall(cell, side)

    # ---- Belts and lines ------------------------------------------------------------------------------------------

    def lay_belts(self, cells, directions, speed, is_ring=False):
        """A run of belts; it stops at what is in its way, and joins a belt that it meets."""
        came = opposite(directions[-1] if is_ring else directions[0])
        for cell, out in zip(cells, directions, strict=True):
            if not self.is_free(cell):
                met = self.floor.get(cell, {})
                if met.get("kind") == "belt" and came != met["out"] and came not in met["in"]:
                    met["in"].append(came)
                return
            self.floor[cell] = belt(cell, speed, out, [came])
            came = opposite(out)

    def lay_path(self):
        """A line with curves."""
        dice = self.dice
        cell, direction = dice.choice(self.cells), dice.choice(CLOCKWISE)
        cells, directions = [], []
        for _ in range(dice.randint(2, 9)):
            cells.append(cell)
            directions.append(direction)
            cell = neighbour(cell, direction)
            direction = dice.choice([direction, direction, direction, left_of(direction), right_of(direction)])
        # A cell's `out` is where the next cell lies, so the turn shows in the cell after it.
        self.lay_belts(cells, directions, dice.choice([1, 2]))

    def lay_ring(self):
        """A closed ring."""
        dice = self.dice
        wide, high = dice.randint(1, 3), dice.randint(1, 3)
        cell = dice.choice(self.cells)
        turn = dice.choice([left_of, right_of])
        direction = dice.choice(CLOCKWISE)
        cells, directions = [], []
        for side in [wide, high, wide, high]:
            for _ in range(side):
                cells.append(cell)
                directions.append(direction)
                cell = neighbour(cell, direction)
            direction = turn(direction)
        self.lay_belts(cells, directions, dice.choice([1, 2]), is_ring=True)

    def lay_face_off(self):
        """Two belts that face each other, with nothing or one cell between."""
        dice = self.dice
        cell, direction = dice.choice(self.cells), dice.choice(CLOCKWISE)
        other = neighbour(cell, direction)
        if dice.random() < 0.4:
            other = neighbour(other, direction)
        speed = dice.choice([1, 2])
        self.lay_belts([cell], [direction], speed)
        self.lay_belts([other], [opposite(direction)], dice.choice([speed, speed, 3 - speed]))

    def lay_merge(self):
        """Up to three belts that lead onto one cell, which is a belt itself or not."""
        dice = self.dice
        middle, out = dice.choice(self.cells), dice.choice(CLOCKWISE)
        speed = dice.choice([1, 2])
        sides = [side for side in CLOCKWISE if side != out]
        feeds = dice.sample(sides, dice.randint(2, 3))
        if dice.random() < 0.6 and self.is_free(middle):
            self.floor[middle] = belt(middle, dice.choice([speed, speed, 3 - speed]), out, list(feeds))
        for side in feeds:
            self.lay_belts([neighbour(middle, side)], [opposite(side)], speed)

    def lay_outlets(self):
        """Belts side by side that all lead off the board or into whatever comes."""
        dice = self.dice
        cell, direction, speed = dice.choice(self.cells), dice.choice(CLOCKWISE), dice.choice([1, 2])
        while neighbour(cell, direction) in self.cells and dice.random() < 0.8:
            cell = neighbour(cell, direction)
        for _ in range(dice.randint(2, 4)):
            self.lay_belts([cell], [direction], speed)
            cell = neighbour(cell, right_of(direction))

    def lay_two_ended_line(self):
        """One laser with a pointer at each end, walls behind both ends."""
        dice = self.dice
        cell, direction = dice.choice(self.cells), dice.choice(["E", "S"])
        line = [cell]
        for _ in range(dice.choice([0, 1, 1, 2, 2, 3])):
            line.append(neighbour(line[-1], direction))
        if any(other not in self.cells or other == self.antenna for other in line):
            return
        if any(self.floor.get(end, {}).get("kind", "laser") != "laser" for end in (line[0], line[-1])):
            return
        beams = dice.choice([1, 1, 2, 3])
        for end, fires in ((line[0], direction), (line[-1], opposite(direction))):
            self.floor.pop(end, None)
            laser = {"kind": "laser", **at(end), "fires": fires, "beams": beams, "two_ended": True}
            self.extra_lasers.append(laser)
            if dice.random() < 0.8:
                self.add_wall(end, opposite(fires))

    # ---- Tokens and robots ----------------------------------------------------------------------------------------

    def spot(self, taken=(), kinds=None):
        """A cell that is neither pit nor antenna nor taken, of the kinds asked for if there is one."""
        cells = [cell for cell in self.cells if cell != self.antenna and cell not in taken]
        cells = [cell for cell in cells if self.floor.get(cell, {}).get("kind") != "pit"]
        liked = [cell for cell in cells if kinds and self.floor.get(cell, {}).get("kind") in kinds]
        return self.dice.choice(liked or cells)

    def place_tokens(self):
        """Reboot tokens, checkpoints, energy cubes."""
        dice = self.dice
        moving = dice.random() < 0.3
        taken = []
        for _ in range(dice.randint(1, 3)):
            taken.append(self.spot(taken, {"belt"} if moving else None))
        self.map["checkpoints"] = [{"number": number, **at(cell)} for number, cell in enumerate(taken, start=1)]
        if moving:
            self.map["moving_checkpoints"] = True
        if dice.random() < 0.75:
            count = dice.choice([1, 1, 1, 2])
            tokens = [self.spot(taken) for _ in range(count)]
            self.map["reboots"] = [{**at(cell), "facing": self.arrow(cell)} for cell in dict.fromkeys(tokens)]
            if dice.random() < 0.2:
                self.close_in(tokens[0])
        spaces = [cell for cell, element in self.floor.items() if element["kind"] == "energy"]
        self.map["energy"] = [at(cell) for cell in spaces if dice.random() < 0.6]

    def close_in(self, cell):
        """Walls round a cell, so that it is hard to push anybody off it."""
        for side in self.dice.sample(CLOCKWISE, self.dice.randint(2, 4)):
            self.add_wall(cell, side)

    def arrow(self, cell):
        """The arrow of a token, seldom one that leads to a fall."""
        if self.dice.random() < 0.3:
            return self.dice.choice(CLOCKWISE)
        beyond = {side: neighbour(cell, side) for side in CLOCKWISE}
        safe = [side for side in CLOCKWISE if beyond[side] in self.cells]
        return self.dice.choice(
            [side for side in safe if self.floor.get(beyond[side], {}).get("kind") != "pit"] or safe
        )

    def place_robots(self):
        """Two to six robots, most of them beside another, some on tokens."""
        dice = self.dice
        tokens = [(token["x"], token["y"]) for token in self.map.get("reboots", [])]
        checkpoints = [(spot["x"], spot["y"]) for spot in self.map["checkpoints"]]
        cells = []
        for _ in range(dice.choice([2, 3, 4, 4, 5, 6])):
            cells.append(self.robot_cell(cells, tokens, [] if self.map.get("moving_checkpoints") else checkpoints))
        for cell in cells:
            if dice.random() < 0.05:
                self.close_in(cell)
        last = len(self.map["checkpoints"])
        robots = []
        for cell in cells:
            robot = {**at(cell), "facing": dice.choice(CLOCKWISE)}
            beside = [side for side in CLOCKWISE if neighbour(cell, side) in cells]
            if beside and dice.random() < 0.6:
                robot["facing"] = dice.choice(beside)
            if dice.random() < 0.5:
                robot["checkpoint"] = dice.randrange(last)
            if dice.random() < 0.3:
                robot["energy"] = dice.randint(0, 9)
            robots.append(robot)
        return robots

    def robot_cell(self, cells, tokens, checkpoints):
        """A cell for the next robot."""
        dice = self.dice
        keep_off = list(cells)
        if self.map.get("moving_checkpoints"):  # whether one that falls with a checkpoint may be put down on it is open
            keep_off += [(spot["x"], spot["y"]) for spot in self.map["checkpoints"]]
        free = self.spot(keep_off, {"belt", "panel"} if dice.random() < 0.5 else None)
        wishes = [neighbour(cell, side) for cell in cells for side in CLOCKWISE]
        wishes += [neighbour(cell, side) for cell in checkpoints for side in CLOCKWISE]
        if dice.random() < 0.3:
            wishes = tokens
        dice.shuffle(wishes)
        for wish in wishes:
            is_plain = wish in self.cells and wish != self.antenna and wish not in keep_off
            if is_plain and self.floor.get(wish, {}).get("kind") != "pit" and dice.random() < 0.7:
                return wish
        return free


def at(cell):
    """A cell in the form of the scenario files."""
    return {"x": cell[0], "y": cell[1]}


def belt(cell, speed, out, feeds):
    """A belt element; a feed on the side of its own end is left out."""
    feeds = [side for side in feeds if side != out]
    return {"kind": "belt", **at(cell), "speed": speed, "out": out, "in": feeds or [opposite(out)]}


def choose_span(dice):
    """What is played, and how many registers are to be filled (None: programmed in the round)."""
    if dice.random() < 0.2:
        return {"rounds": 1}, None
    first = dice.choice([1, 1, 1, 2, 3, 4, 5])
    last = dice.randint(first, 5)
    return {"from": first, "to": last}, dice.choice([last, 5])


def choose_rules(dice):
    """The rule options, mostly left out."""
    rules = {"upgrades": False}
    if dice.random() < 0.2:
        rules["again_after_damage"] = dice.choice(["draw", "repeat"])
    if dice.random() < 0.2:
        rules["two_ended_lasers"] = dice.choice(["once", "both"])
    if dice.random() < 0.2:
        rules["advanced"] = dice.choice([True, False])
    return rules


def deal_cards(dice, robots, wanted, by_hand):
    """Names all twenty cards of every robot and the damage cards among them."""
    box = dict(DAMAGE_BOX)
    for robot in robots:
        if wanted == 5 and box["spam"] >= 3 and dice.random() < 0.1:
            deal_a_pile_nearly_dry(dice, robot, box)
            continue
        filled = dice.choice([0, 0, 0, 5]) if by_hand else wanted
        deck = shuffled_deck(dice)
        damage = take_damage(dice, box)
        registers = [deck.pop(0) for _ in range(filled)]
        for place in range(filled):
            if damage and dice.random() < 0.3:
                deck.append(registers[place])
                registers[place] = damage.pop()
        if filled or not by_hand:
            robot["registers"] = registers
        dice.shuffle(deck)

        hand_size = dice.choice([0, 0, 2, 4]) if by_hand != bool(filled) else 0
        robot["hand"] = [deck.pop() for _ in range(hand_size)]
        robot["discard"] = [deck.pop() for _ in range(dice.choice([0, 0, 1, 4]))]
        for card in damage:
            pile = dice.choice([deck, deck, robot["discard"], robot["hand"] if hand_size else deck])
            pile.insert(dice.randrange(min(len(pile), 4) + 1), card)
        robot["draw"] = deck
    if dice.random() < 0.2:
        empty_the_box(dice, robots, box)


def deal_a_pile_nearly_dry(dice, robot, box):
    """Five cards are drawn in the five registers, four are there, and the discards are all equal: no chance in it."""
    deck = [card for card in shuffled_deck(dice) if card not in ("move_1", "again")]
    box["spam"] -= 3
    robot["registers"] = ["spam", "again", "spam", "again", "spam"]
    robot["hand"] = [deck.pop(0) for _ in range(9)]
    robot["draw"] = deck
    robot["discard"] = ["move_1"] * 5


def shuffled_deck(dice):
    """The twenty cards, those that make scenes more often in front."""
    return sorted(DECK, key=lambda card: -(dice.random() ** (1 / WEIGHT.get(card, 2))))


def take_damage(dice, box):
    """Some damage cards out of the box."""
    cards = []
    for _ in range(dice.choice([0, 0, 1, 2, 3, 5])):
        kind = dice.choice(["spam", "spam", "worm", "virus", "trojan_horse"])
        if box[kind]:
            box[kind] -= 1
            cards.append(kind)
    return cards


def empty_the_box(dice, robots, box):
    """Puts nearly all of some damage piles into the discard piles, SPAM always among them."""
    kinds = {"spam", *dice.sample(sorted(DAMAGE_BOX), dice.randint(0, 3))}
    for kind in sorted(kinds):
        left = min(box[kind], dice.choice([0, 0, 1, 2, 4]))
        for _ in range(box[kind] - left):
            dice.choice(robots)["discard"].append(kind)
        box[kind] = left


def invent_answers(dice, drawn):
    """Answers other than the defaults, found by playing: each is asked for when what went before it is answered so."""
    answers = []
    for number in range(dice.randint(1, 6)):
        try:
            decisions = play({**drawn, "answers": answers})["decisions"]
        except NeedsChance:
            return answers
        if len(decisions) <= number:
            return answers
        another = {**decisions[number], "choice": another_choice(dice, decisions[number], drawn)}
        try:
            play({**drawn, "answers": [*answers, another]})
        except NeedsChance:
            pass  # the answer is good, the play just leads to a shuffle
        except BadScenario:
            another = decisions[number]  # not legal at this moment
        answers = [*answers, another]
    return answers


def another_choice(dice, decision, drawn):
    """Some choice for a decision, perhaps not a legal one."""
    if decision["decision"] == "reboot_facing":
        return dice.choice(CLOCKWISE)
    if decision["decision"] == "damage_kind":
        return dice.choice(sorted(DAMAGE_BOX))
    robot = drawn["robots"][decision["robot"]]
    hand = robot["hand"] + robot["draw"][: 9 - len(robot["hand"])]
    return dice.sample(hand, 5)
