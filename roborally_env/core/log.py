"""The event log: rows (kind, seat, a, b, c, d) at the address in the game's record, which is 0 without a log.

A frame is a copy of the record for a row. Frames are kept where the record has an address for them too. An event is
logged after the change that it describes, so its frame shows the change.
"""

import ctypes
from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from roborally_env.compiling.whole_program import OPAQUE
from roborally_env.core.cards import ALL_NAMES as CARD_NAMES
from roborally_env.core.cards2005 import NAMES as PROGRAM_CARD_NAMES
from roborally_env.core.kernel import JIT, kernel
from roborally_env.core.options import NAMES as OPTION_NAMES
from roborally_env.core.state import LOG_ROWS
from roborally_env.core.upgrades import ALL_NAMES as UPGRADE_NAMES
from roborally_env.courses.tables import WIDTH

EVENT = 6  # numbers of a row


class EventKind(NamedTuple):
    """A kind of event, as docs and readers of a log need it."""

    number: int
    name: str
    seat: str  # the role of the robot in the event; "-": none
    values: tuple[str, ...]


TABLE: list[EventKind] = []  # by number, from 1


def _kind(number: int, name: str, seat: str, *values: str) -> int:
    """Add a row to the table and return its number, which compiled code uses."""
    assert number == len(TABLE) + 1, name
    TABLE.append(EventKind(number, name, seat, values))
    return number


# fmt: off
ROUND = _kind(1, "round", "-", "round")
REGISTER = _kind(2, "register", "-", "register")
DRAW = _kind(3, "draw", "who drew", "card")
SHUFFLE = _kind(4, "shuffle", "whose pile", "cards")
PROGRAM = _kind(5, "program", "who programmed", "register", "card")
CARD = _kind(6, "card", "who plays", "card", "action")
MOVE = _kind(7, "move", "who moved", "from_cell", "to_cell")
PUSH = _kind(8, "push", "who was pushed", "from_cell", "to_cell")
BLOCKED = _kind(9, "blocked", "who was stopped", "cell", "direction")
TURN = _kind(10, "turn", "who turned", "facing_from", "facing")
BELT = _kind(11, "belt", "who was carried", "from_cell", "to_cell", "facing", "speed")
PANEL = _kind(12, "panel", "who was pushed", "from_cell", "to_cell")
GEAR = _kind(13, "gear", "who was turned", "facing_from", "facing")
FALL = _kind(14, "fall", "who fell", "from_cell", "pit_cell")
REBOOT = _kind(15, "reboot", "who reboots", "cell")
PLACED = _kind(16, "placed", "who was put down", "cell", "facing")
BOARD_LASER = _kind(17, "board_laser", "who was hit", "laser_cell", "direction", "beams")
ROBOT_LASER = _kind(18, "robot_laser", "who was hit", "shooter")
DAMAGE = _kind(19, "damage", "who took it", "card")
ENERGY = _kind(20, "energy", "who gained it", "cubes")
CHECKPOINT = _kind(21, "checkpoint", "who reached it", "number")
CHECKPOINT_MOVED = _kind(22, "checkpoint_moved", "-", "number", "from_cell", "to_cell")
WIN = _kind(23, "win", "who won")
RETURNED = _kind(24, "returned", "whose card", "card")
DISCARD = _kind(25, "discard", "whose card", "card")
IDLE = _kind(26, "idle", "whose register does nothing", "register")
SHOP = _kind(27, "shop", "-", "upgrade")
GONE = _kind(28, "gone", "whose it was", "upgrade")
BUY = _kind(29, "buy", "who bought", "upgrade", "cubes")
USE = _kind(30, "use", "who used it", "upgrade")
HANDED = _kind(31, "handed", "who has it now", "upgrade", "giver")
REFRESHED = _kind(32, "refreshed", "whose register", "card", "action")
TELEPORT = _kind(33, "teleport", "who was moved", "from_cell", "to_cell")
TOP = _kind(34, "top", "whose deck", "card")
# of the 2005 edition
DEAL = _kind(35, "deal", "who got it", "program_card")
PLAY = _kind(36, "play", "who plays", "program_card", "second_card")
TOKEN = _kind(37, "token", "who took it", "damage")
REPAIRED = _kind(38, "repaired", "who was repaired", "damage")
LOCKED = _kind(39, "locked", "whose register", "register")
DESTROYED = _kind(40, "destroyed", "who was destroyed", "lives")
ARCHIVE = _kind(41, "archive", "whose marker", "cell")
ANNOUNCED = _kind(42, "announced", "who powers down next turn")
POWERED_DOWN = _kind(43, "powered_down", "who is powered down")
OPTION = _kind(44, "option", "who drew it", "option")
OPTION_GONE = _kind(45, "option_gone", "whose it was", "option")
OPTION_USED = _kind(46, "option_used", "who used it", "option")
REPLACED = _kind(47, "replaced", "whose register", "register", "program_card")
CONTROLLED = _kind(48, "controlled", "who is controlled", "controller")
SHIFT = _kind(49, "shift", "who was moved", "from_cell", "to_cell")
SUPERBOT = _kind(50, "superbot", "who is the SuperBot now")
FLAG_TAKEN = _kind(51, "flag_taken", "who carries it", "number")
FLAG_DROPPED = _kind(52, "flag_dropped", "-", "number", "cell")
CLAIMED = _kind(53, "claimed", "who claimed it", "number")
SENT_HOME = _kind(54, "sent_home", "who was sent home", "sender")
BOARD_TURNED = _kind(55, "board_turned", "whose coin", "board", "quarters")
REAR_LASER = _kind(56, "rear_laser", "who was hit", "shooter")
PROTECTED = _kind(57, "protected", "who was protected", "option")
# of the community edition
HURT = _kind(58, "hurt", "who was hurt", "damage")
LEDGE = _kind(59, "ledge", "who fell", "cell", "levels")
BUTTON = _kind(60, "button", "who pressed it", "cell")
RAMP = _kind(61, "ramp", "-", "cell", "on")
SLIDE = _kind(62, "slide", "who slid", "from_cell", "to_cell")
TRAPDOOR = _kind(63, "trapdoor", "who fell", "cell")
STOMPED = _kind(64, "stomped", "who was stomped", "cell")
RADIATION = _kind(65, "radiation", "who was hurt", "cell")
LOST = _kind(66, "lost", "who was destroyed", "cell")
VIRTUAL = _kind(67, "virtual", "who is virtual now")
REAL = _kind(68, "real", "who is real again")
FINISHED = _kind(69, "finished", "who is at the goal", "place")
# of the 2023 edition
UPGRADE_DRAWN = _kind(70, "upgrade_drawn", "who drew it", "upgrade")
INSTALLED = _kind(71, "installed", "who installed it", "upgrade", "cubes")
UNINSTALLED = _kind(72, "uninstalled", "whose it was", "upgrade")
UPGRADES_SHUFFLED = _kind(73, "upgrades_shuffled", "-", "cards")
# fmt: on


_NUMBERS = (
    "round", "register", "cards", "speed", "beams", "cubes", "number", "shooter", "giver", "damage", "lives",
    "controller", "sender", "board", "quarters", "levels", "place",
)  # fmt: skip


def event_dict(row):
    """One row of a log as a dict for people: kind, robot, cells as [x, y], directions and cards by name."""
    number, seat, *values = row
    _, kind, _, names = TABLE[number - 1]
    event: dict[str, object] = {"kind": kind}
    if seat >= 0:
        event["robot"] = seat
    for name, value in zip(names, values, strict=False):
        if name in _NUMBERS:
            event[name] = value
        elif name == "on":
            event[name] = bool(value)
        elif name in ("card", "action"):
            event[name] = CARD_NAMES[value]
        elif name in ("program_card", "second_card"):
            if value:
                event[name.replace("program_", "")] = PROGRAM_CARD_NAMES[value]
        elif name == "option":
            event[name] = OPTION_NAMES[value]
        elif name == "upgrade":
            event[name] = UPGRADE_NAMES[value]
        elif name.startswith("facing") or name == "direction":
            event[name] = "NESW"[value]
        else:
            event[name.removesuffix("_cell")] = [value % WIDTH, value // WIDTH] if value >= 0 else None
    return event


if JIT:
    # Code for a race without a log must be optimised as if logging did not exist. So LLVM sees no test whether the game
    # is logged, only a call of an opaque function that reads the record and writes where no kernel reads. At the end
    # `compiling` inlines the test. The two functions have names of C's library because LLVM, when it decides what
    # to inline, counts a call of such a function as one instruction (TargetTransformInfo::isLoweredToCall), and a call
    # of any other function as 25 and 5 for each argument.
    _LOGGERS = {4: "ffsl", 6: "ffs"}
    _COLD = ("inaccessiblemem_or_argmemonly", "nounwind", "cold", "noinline")
    _KEEPS_REGISTERS = "preserve_mostcc"  # rarely called, so its callers need not save registers
    _BYTE, _I16, _I64 = ir.IntType(8), ir.IntType(16), ir.IntType(64)
    _LOG_AT, _LOGGED, _FRAMES_AT, _SIZE = range(4)  # the layout of a record: offsets and the size, 16 bits each

    @intrinsic
    def _write(typing_context, game, row):
        """Write a tuple of 4 or 6 int64 (kind, seat, values) to the log of `game`, if it has one."""

        def generate(context, builder, signature, arguments):
            game, row = arguments
            numbers = cgutils.unpack_tuple(builder, row)
            record = signature.args[0]
            start = cgutils.get_record_member(builder, game, 0, _BYTE)
            parts = (record.offset("log_at"), record.offset("logged"), record.offset("frames_at"), record.size)
            layout = ir.Constant(_I64, sum(part << 16 * i for i, part in enumerate(parts)))
            builder.call(_logger(builder.module, len(numbers)), [start, layout, *numbers])
            return context.get_dummy_value()

        return types.void(game, row), generate

    def _logger(module, count):
        """The module's function (record, its layout, numbers) that tests for a log and writes a row."""
        name = _LOGGERS[count]
        if name in module.globals:
            return module.globals[name]
        function = _function(module, name, 1 + count, ("inaccessiblemem_or_argmemonly", "nounwind"))
        for attribute in ("willreturn", "nofree", "nosync", "nocallback"):
            set.add(function.attributes, attribute)  # llvmlite does not list them
        for attribute in ("nocapture", "readonly"):
            set.add(function.args[0].attributes, attribute)
        builder = ir.IRBuilder(function.append_basic_block())
        start, layout, *_ = function.args
        address = builder.load(_field(builder, start, layout, _LOG_AT, _I64))
        with builder.if_then(builder.icmp_unsigned("!=", address, ir.Constant(_I64, 0)), likely=False):
            builder.call(_writer(module, count), function.args, cconv=_KEEPS_REGISTERS)
        builder.ret_void()
        return function

    def _writer(module, count):
        """The module's function (record, its layout, numbers) that writes a row, and its frame, if there is room."""
        name = f"roborally_log_{count}"
        function = _function(module, name, 1 + count, _COLD)
        function.calling_convention = _KEEPS_REGISTERS
        builder = ir.IRBuilder(function.append_basic_block())
        start, layout, *numbers = function.args
        logged = _field(builder, start, layout, _LOGGED, _I16)
        row = builder.load(logged)
        with builder.if_then(builder.icmp_signed("<", row, ir.Constant(_I16, LOG_ROWS))):
            address = builder.load(_field(builder, start, layout, _LOG_AT, _I64))
            rows = builder.inttoptr(address, _I16.as_pointer())
            first = builder.mul(builder.sext(row, _I64), ir.Constant(_I64, EVENT))
            for i in range(EVENT):
                number = builder.trunc(numbers[i], _I16) if i < count else ir.Constant(_I16, 0)
                builder.store(number, builder.gep(rows, [builder.add(first, ir.Constant(_I64, i))]))
            builder.store(builder.add(row, ir.Constant(_I16, 1)), logged)
            frames = builder.load(_field(builder, start, layout, _FRAMES_AT, _I64))
            with builder.if_then(builder.icmp_unsigned("!=", frames, ir.Constant(_I64, 0)), likely=False):
                size = _part(builder, layout, _SIZE)
                frame = builder.add(frames, builder.mul(builder.sext(row, _I64), size))
                builder.call(_copier(module), [start, frame, size], cconv=_KEEPS_REGISTERS)
        builder.ret_void()
        return function

    def _copier(module):
        """The module's function (record, address, size) that copies a record to an address.

        If it were a part of `_writer`, every event would save the registers that a call of `memcpy` does not keep.
        """
        name = "roborally_frame"
        if name in module.globals:
            return module.globals[name]
        function = _function(module, name, 2, _COLD)
        function.calling_convention = _KEEPS_REGISTERS
        builder = ir.IRBuilder(function.append_basic_block())
        start, address, size = function.args
        cgutils.raw_memcpy(builder, builder.inttoptr(address, _BYTE.as_pointer()), start, size, 1)
        builder.ret_void()
        return function

    def _part(builder, layout, i):
        """One of the four numbers of a layout."""
        return builder.and_(builder.lshr(layout, ir.Constant(_I64, 16 * i)), ir.Constant(_I64, 0xFFFF))

    def _field(builder, start, layout, i, kind):
        """A pointer to a field of the record."""
        return builder.bitcast(builder.gep(start, [_part(builder, layout, i)]), kind.as_pointer())

    def _function(module, name, count, attributes):
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), *[_I64] * count]), name)
        function.linkage = OPAQUE
        for attribute in attributes:
            function.attributes.add(attribute)
        return function

else:

    def _write(game, numbers):
        row = int(game.logged)
        if game.log_at and row < LOG_ROWS:
            for i in range(EVENT):
                place = ctypes.c_int16.from_address(int(game.log_at) + 2 * (row * EVENT + i))
                place.value = int(numbers[i]) if i < len(numbers) else 0
            game.logged = row + 1
            if game.frames_at:
                ctypes.memmove(int(game.frames_at) + row * game.nbytes, game.tobytes(), game.nbytes)


@kernel
def log(game, kind, seat, a=0, b=0):
    """Write one event if the game is logged."""
    _write(game, (np.int64(kind), np.int64(seat), np.int64(a), np.int64(b)))


@kernel
def log_long(game, kind, seat, a, b, c, d=0):
    """Write one event with more numbers if the game is logged."""
    _write(game, (np.int64(kind), np.int64(seat), np.int64(a), np.int64(b), np.int64(c), np.int64(d)))


@kernel(seldom=True)
def _write_cards(game, kind, r, held, first, last):
    for i in range(first, last):
        log(game, kind, r, held[r, i])


@kernel
def log_cards(game, kind, r, held, first, last):
    """If the game is logged, write one event for each of the cards that robot r got, `held[r, first:last]`.

    The cards of a hand are logged together: one test for each card would be most of the cost of the log for races
    without a log.
    """
    if game.log_at:
        _write_cards(game, kind, r, held, first, last)


@kernel
def begin_log(game, events, frames, i):
    """Send the game's events to `events[i]` [LOG_ROWS, 6], and the frames to `frames[i]` [LOG_ROWS] if there are any
    rows. Both must stay alive until the next `end_log`."""
    game.log_at = np.uint64(events.ctypes.data) + np.uint64(i * LOG_ROWS * EVENT * 2)
    if frames.shape[0]:
        game.frames_at = np.uint64(frames.ctypes.data) + np.uint64(i * LOG_ROWS * frames.itemsize)
    game.logged = 0


@kernel
def end_log(game):
    """Stop logging: a copy of the record must not write into this record's log."""
    game.log_at = 0
    game.frames_at = 0
    game.logged = 0
