"""A race of the community edition that counts what happens in it."""

from tests.reference.counters import Counting

from .race import Race


class CountingRace(Counting, Race):
    """A race that counts what happens in it."""

    def __init__(self, scenario):
        super().__init__(scenario)
        self.seen["whole round"] += "rounds" in self.span
        self.seen["begins virtual"] += any(robot.virtual for robot in self.robots)

    # ---- Moving ---------------------------------------------------------------------------------------------------

    def step(self, robot, direction):
        where = robot.cell
        ahead = self.board.is_shut(where, direction)
        made = super().step(robot, direction)
        self.seen["step blocked by heights or robots"] += not made and not ahead
        self.seen["step on a ramp"] += made and where in self.board.ramps_on
        return made

    def move(self, robot, direction, steps):
        where = robot.cell
        super().move(robot, direction, steps)
        self.seen["puddle"] += where in self.board.puddles
        self.seen["move 1 in a puddle"] += where in self.board.puddles and steps == 1

    def land(self, steps, may_hover=False):
        self.seen["fall down a ledge"] += any(levels > 0 for robot, levels in steps)
        self.seen["fall of two levels"] += any(levels > 1 for robot, levels in steps)
        self.seen["pushed down a ledge"] += len(steps) > 1 and any(levels > 0 for _, levels in steps[:-1])
        self.seen["virtual step"] += any(robot.virtual for robot, _ in steps)
        before = len([robot for robot in self.robots if robot.rebooted])
        super().land(steps, may_hover)
        self.seen["destroyed in a step"] += len([robot for robot in self.robots if robot.rebooted]) > before

    def press(self, cell):
        damage = self.each("damage")
        super().press(cell)
        self.seen["button"] += cell in self.board.buttons
        self.seen["rider of a ramp switched off"] += damage != self.each("damage")

    def settle_virtual(self):
        before = sum(robot.virtual for robot in self.robots)
        super().settle_virtual()
        self.seen["real again"] += sum(robot.virtual for robot in self.robots) < before

    # ---- Damage ---------------------------------------------------------------------------------------------------

    def destroy(self, robot):
        self.seen["destroyed by damage" if robot.damage == 10 else "destroyed otherwise"] += 1
        self.seen["destroyed with locked registers"] += 5 <= robot.damage < 10
        super().destroy(robot)

    # ---- Board elements -------------------------------------------------------------------------------------------

    def move_belts(self, speed):
        before = {robot: (robot.cell, robot.facing) for robot in self.robots if robot.is_on_board}
        super().move_belts(speed)
        for robot, (cell, facing) in before.items():
            self.seen["belt move"] += robot.cell != cell
            self.seen["belt turn"] += robot.is_on_board and robot.facing != facing
            down = robot.is_on_board and self.board.level_of(robot.cell) < self.board.level_of(cell)
            self.seen["belt down a ledge"] += down and cell not in self.board.ramps

    def carry(self, number, cell, direction):
        super().carry(number, cell, direction)
        moved = self.board.checkpoints[number] != cell
        self.seen["checkpoint carried" if moved else "checkpoint not carried"] += 1
        self.seen["checkpoint pushed"] += moved and cell in self.board.panels

    def slide_down_ramps(self):
        before = self.each("cell")
        on_ramps = sum(robot.cell in self.board.ramps_on for robot in self.robots)
        super().slide_down_ramps()
        slid = sum(robot.cell != cell for robot, cell in zip(self.robots, before, strict=True))
        self.seen["slide"] += slid > 0
        self.seen["slide blocked"] += slid < on_ramps

    def open_trapdoors(self):
        before = self.each("cell")
        super().open_trapdoors()
        self.seen["trapdoor"] += before != self.each("cell")

    def stomp(self):
        super().stomp()
        self.seen["stomped"] += any(robot.stomped for robot in self.robots)

    def settle_turn_order(self):
        order = super().settle_turn_order()
        standing = {robot: robot.cell for robot in self.robots if robot.is_on_board}
        plain = self.in_priority_order(standing)
        self.seen["stomped robot acts later"] += order[: len(plain)] != plain and any(robot.stomped for robot in order)
        return order

    # ---- Lasers ---------------------------------------------------------------------------------------------------

    def aim(self, shooter):
        shots = super().aim(shooter)
        level = self.board.level_of(shooter.cell)
        self.seen["shot above level 0"] += bool(shots) and level > 0
        return shots

    # ---- The end of a register and of the round -------------------------------------------------------------------

    def reach_checkpoints(self):
        before = self.each("checkpoint")
        super().reach_checkpoints()
        reached = [robot for robot, old in zip(self.robots, before, strict=True) if robot.checkpoint > old]
        self.seen["checkpoint reached"] += bool(reached)
        self.seen["checkpoint reached by a virtual robot"] += any(robot.virtual for robot in reached)

    def clean_up(self):
        self.seen["radiation"] += any(robot.cell in self.board.radiation for robot in self.robots)
        super().clean_up()
        self.seen["locked cards kept"] += any(any(robot.registers.values()) for robot in self.robots)

    def repair(self, robot):
        before = robot.damage
        super().repair(robot)
        self.seen["repaired"] += robot.damage < before

    def reenter(self, robot):
        super().reenter(robot)
        self.seen["re-entry"] += 1
        self.seen["re-entry, virtual"] += robot.virtual
        self.seen["re-entry without damage"] += robot.damage == 0

    def deal_hand(self, robot):
        empty = [register for register in range(1, 6) if robot.is_locked(register) and not robot.registers[register]]
        super().deal_hand(robot)
        self.seen["card dealt into a locked register"] += bool(empty)

    def begin_power_downs(self):
        self.seen["powered down"] += any(robot.powered_down for robot in self.robots)
        self.seen["power down in round two"] += self.round > 1 and any(robot.powered_down for robot in self.robots)
        super().begin_power_downs()
