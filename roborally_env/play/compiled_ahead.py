"""A process that compiles what a race shows later, while people look at their cards: hints, ghosts, the look back.

The processes share machine code through the cache: one that needs what the other one compiles waits for it. The
server's process begins with the race itself, this one with the searches of hints, which need no race; so they are
ready soon after the cards.
"""

from __future__ import annotations

import dataclasses
import os
import signal
from multiprocessing import get_context
from typing import NamedTuple, cast

import numpy as np

from roborally_env.agents import Info, make_agent
from roborally_env.base.children import Guard, starting
from roborally_env.base.threads import cores
from roborally_env.base.types import Array
from roborally_env.batch import BatchRace
from roborally_env.compiling import cache
from roborally_env.compiling.progress import Progress
from roborally_env.core.kernel import JIT
from roborally_env.core.rule_options import game_of
from roborally_env.core.searching.distances import Maps, maps_of
from roborally_env.core.state import REGISTERS, game_dtype, kind_of
from roborally_env.play.ghost import ghost_of
from roborally_env.play.hint import SEARCHES, hint_of, purchase_hint
from roborally_env.play.questions import PROGRAM
from roborally_env.play.race import PlayRace
from roborally_env.play.setup import PlaySetup
from roborally_env.precompile import look_back
from roborally_env.review.builder import buying_of

_LONGEST = 40  # steps until a program is asked
_started: set[str] = set()  # the kinds of games for which this process has started such a process


def compile_ahead(setup: PlaySetup) -> None:
    """Begin to compile for the kind of game of a race, if there is a second core for it; once for each kind."""
    kind = game_of(setup.course.edition, setup.rules)
    if kind not in _started and JIT and cores() > 1 and cache.folder() is not None:
        _started.add(kind)
        process = get_context("spawn").Process(target=_compile, args=(Guard(), setup), daemon=True)
        with starting():
            process.start()


def _compile(guard: Guard, setup: PlaySetup) -> None:
    guard(_begin)
    search_for_nobody(setup)
    ask_for_all(setup)
    if hasattr(os, "nice"):
        os.nice(10)  # nobody waits for the look back yet; before, the race may wait for what this process compiles
    look_back(setup.course.edition, setup.rules)


def _begin() -> None:
    """Say nothing, and end at once when the server does."""
    Progress.quiet = True
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


class _NoRace(NamedTuple):
    """What searches use of a batch. A batch would begin its race, and so wait for what the server compiles."""

    maps: Maps
    games: Array  # [1] a record of zeros, but for the number of players
    game: str
    players: int
    upgrades: bool


def search_for_nobody(setup: PlaySetup) -> None:
    """Call the searches of hints for no robot: that of purchases first, which are asked first."""
    game = game_of(setup.course.edition, setup.rules)
    games = np.zeros(1, game_dtype(game))
    games["players"] = robots = setup.players * setup.robots_each
    batch = cast(BatchRace, _NoRace(maps_of((setup.course,), game), games, game, robots, kind_of(game).has("owned")))
    nobody = np.zeros(0, np.int64)
    if (buying := buying_of(batch)) is not None:
        buying.scores(nobody, nobody)
    masks = np.zeros((0, REGISTERS, 0), np.int8)
    for spec in SEARCHES:
        make_agent(spec).act(None, masks, Info(batch, nobody, nobody))


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
