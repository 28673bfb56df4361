"""A new race: robots on start spaces, shuffled decks, full damage piles (2016 rulebook, Setup)."""

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from roborally_env.core.chance import below, key_of
from roborally_env.core.choices import note_about
from roborally_env.core.kernel import JIT, kernel
from roborally_env.core.rule import fact_of_kind, rule
from roborally_env.core.rule_options import RULE_FIXED_STARTS, RULE_GIVEN_COURSE
from roborally_env.core.state import KEPT, NOBODY, NOWHERE, start_of


@rule(required=True)
def begin_race(courses, game):
    """Set a game to the start of the race of its seed and episode, on one of the courses.

    The fields that the caller sets stay: seed, episode, players, rules, asking, max_rounds.
    """


@kernel
def draw_course(courses, game):
    """Set the race's key, and draw a course, unless the caller has chosen one. Those of which boards or ramps have been
    changed come last, and are not drawn."""
    game.key = key_of(game.seed, game.episode)
    game.draws = 0
    if not game.rules & RULE_GIVEN_COURSE:
        count = 1
        while count < courses.shape[0] and courses[count].unturned == count:
            count += 1
        game.course = below(game, count) if count > 1 else 0


@kernel
def place_robots(course, game, spaces):
    """Robots take the first `spaces` start spaces of the course, drawn at random unless the rules fix them."""
    seats = game.cell.shape[0]
    free = (1 << spaces) - 1
    left = spaces
    for r in range(seats):
        if r >= game.players:
            game.cell[r] = NOWHERE
            game.start[r] = NOWHERE
            continue
        pick = 0 if game.rules & RULE_FIXED_STARTS else below(game, left)
        dock = 0
        while True:  # the pick-th of the free docks
            if free >> dock & 1:
                if pick == 0:
                    break
                pick -= 1
            dock += 1
        free &= ~(1 << dock)
        left -= 1
        game.cell[r] = course.dock[dock]
        game.start[r] = course.dock[dock]
        game.facing[r] = course.start_facing


@fact_of_kind
def start_bytes(kind):
    """The bytes of a record before the first round."""
    return start_of(kind.name).view(np.uint8)


@kernel
def clear(game):
    """Every field to its value before the first round (`state.start_of`), but for those of `state.KEPT`."""
    _copy_start(game, start_bytes(game))


if JIT:

    @intrinsic
    def _copy_start(typing_context, game, start):
        """Copy the fields that are not kept, in as few pieces as they lie in."""

        def generate(context, builder, signature, arguments):
            record, start = arguments
            source = context.make_array(signature.args[1])(context, builder, start).data
            target = builder.bitcast(record, source.type)
            for first, length in _pieces(signature.args[0]):
                at, size = (context.get_constant(types.intp, number) for number in (first, length))
                cgutils.raw_memcpy(builder, builder.gep(target, [at]), builder.gep(source, [at]), size, 1)
            return context.get_dummy_value()

        return types.void(game, start), generate

    def _pieces(record):
        """(first byte, length) of each run of fields that are not kept."""
        pieces: list[tuple[int, int]] = []
        for name in sorted(record.fields, key=record.offset):
            if name not in KEPT:
                first = record.offset(name)
                length = int(np.prod(getattr(record.typeof(name), "shape", (1,)))) * _width(record.typeof(name))
                if pieces and sum(pieces[-1]) == first:
                    first, length = pieces[-1][0], pieces.pop()[1] + length
                pieces.append((first, length))
        return pieces

    def _width(field):
        return getattr(field, "dtype", field).bitwidth // 8

else:

    def _copy_start(game, start):
        record = start.view(game.dtype)[0]
        for name in game.dtype.names:
            if name not in KEPT:
                game[name] = record[name]


@kernel
def clear_question(game):
    """Remove the open choice and all answers."""
    game.ask_seat = NOBODY
    game.ask_kind = game.ask_default = 0
    game.ask_options = 0
    note_about(game, NOBODY)
    for i in range(game.answered):
        game.answers[i] = 0
    game.answered = game.answers_read = 0
