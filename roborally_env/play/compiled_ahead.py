"""A process that compiles what a race shows later, while people look at their cards: hints, ghosts, the look back.

It shares the machine code through the cache. The race itself compiles first, in the server's process: whoever needs
what the other one compiles waits for it.
"""

from __future__ import annotations

import dataclasses
import os
import signal
from multiprocessing import get_context

from roborally_env.base.children import Guard, starting
from roborally_env.compiling import cache
from roborally_env.compiling.progress import Progress
from roborally_env.core.kernel import JIT
from roborally_env.core.rule_options import game_of
from roborally_env.play.ghost import ghost_of
from roborally_env.play.hint import hint_of, purchase_hint
from roborally_env.play.questions import PROGRAM
from roborally_env.play.race import PlayRace
from roborally_env.play.setup import PlaySetup
from roborally_env.precompile import look_back

_LONGEST = 40  # steps until a program is asked
_begun: set[str] = set()  # the kinds of games of which such a process of this one has begun


def compile_ahead(setup: PlaySetup) -> None:
    """Begin to compile for the kind of game of a race, if there is a second core for it; once for each kind."""
    kind = game_of(setup.course.edition, setup.rules)
    if kind not in _begun and JIT and _cores() > 1 and cache.folder() is not None:
        _begun.add(kind)
        process = get_context("spawn").Process(target=_compile, args=(Guard(), setup), daemon=True)
        with starting():
            process.start()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _compile(guard: Guard, setup: PlaySetup) -> None:
    guard(_step_back)
    ask_for_all(setup)
    look_back(setup.course.edition, setup.rules)


def _step_back() -> None:
    """Leave the core to whoever else needs it, and end at once when the server does."""
    Progress.quiet = True
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(os, "nice"):
        os.nice(10)


def ask_for_all(setup: PlaySetup) -> None:
    """Use all that a player can ask for before a program: the ghost, hints for the program and for a purchase."""
    bots = ("random",) * len(setup.opponents)  # those of the race compile in its own process
    race = PlayRace(dataclasses.replace(setup, opponents=bots, timer=None))
    valued = False  # whether a hint for a purchase was given
    for _ in range(_LONGEST):
        race.think()
        for robot in race.waiting:
            batch, question = race.position(_player(race, robot), race.number, robot)
            if question.kind == PROGRAM:
                found = hint_of(batch, question)
                ghost_of(batch.copy(), question, found.slots)
                return
            if question.may_hint and not valued:
                valued = bool(purchase_hint(batch, question))
            race.answer(_player(race, robot), race.number, robot, question.answers[0].option)
        race.step()


def _player(race: PlayRace, robot: int) -> int:
    player = race.player_of(robot)
    assert player is not None
    return player
