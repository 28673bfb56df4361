"""Races in which people answer by chance, and a table that is served on a free port."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from roborally_env.play.questions import PROGRAM, Question
from roborally_env.play.race import PlayRace
from roborally_env.play.setup import check_play

COMPLETE = {"course": "dizzy_highway", "opponents": ["greedy", "random", "random"], "seed": 3}
LIGHTER = {**COMPLETE, "rules": {"upgrades": False}}
RACE_COMMUNITY = {"course": "terraces", "edition": "community", "opponents": ["random"] * 3, "seed": 3}
RACE_2005 = {"course": "2005/risky_exchange", "opponents": ["greedy", "random", "random"], "seed": 3}


def new_race(**given: Any) -> PlayRace:
    """A race as `check_play` makes it."""
    return PlayRace(check_play(**given))


def program_of(question: Question, dice: random.Random | None = None) -> list[int | None]:
    """A legal program: by chance, else the first cards that fit."""
    slots: list[int | None] = []
    for register in question.registers:
        free = [slot for slot in register.slots if slot not in slots]
        slots.append((dice.choice(free) if dice else free[0]) if register.slots else None)
    return slots


def answer_all(race: PlayRace, dice: random.Random) -> list[Question]:
    """People answer what they are asked, by chance; bots think. Returns what people were asked."""
    race.think()
    asked = [race.open[robot] for robot in race.waiting]
    for question in asked:
        player = race.player_of(question.robot)
        assert player is not None
        if question.kind == PROGRAM:
            race.answer(player, race.number, question.robot, program_of(question, dice))
        else:
            race.answer(player, race.number, question.robot, dice.choice(question.answers).option)
    return asked


def wait_for(done: Callable[[], Any], what: str, seconds: float = 60) -> Any:
    """What `done()` gives as soon as it is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = done()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError(f"waited in vain for: {what}")


class Served:
    """A race behind a web server on this machine."""

    def __init__(self, server: Any, port: int, web: Any) -> None:
        self.server, self.port, self.web = server, port, web

    @property
    def table(self) -> Any:
        """The table that is served now."""
        return self.server.table

    @property
    def connections(self) -> set[Any]:
        """The open connections of the web server."""
        return self.web.server_state.connections  # type: ignore[no-any-return]

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def link(self, player: int = 0) -> str:
        return f"http://{self.host}/seat/{self.server.tokens[player]}"


@contextmanager
def served(path: Path, **given: Any) -> Iterator[Served]:
    """The race of `check_play`'s arguments on a free port, without any the start page; the replay goes to `path`.
    Or a `race` that goes on, with its `keys`."""
    import uvicorn

    from roborally_env.play.listener import LOOPBACK, listen, web_config
    from roborally_env.play.lobby import Lobby
    from roborally_env.play.server import PlayServer
    from roborally_env.play.table import Table

    race, keys = given.pop("race", None), given.pop("keys", None)
    table = Table(race.setup if race else check_play(**given), path, race=race) if race or given else None
    listening = listen("127.0.0.1", 0)
    play = PlayServer(table, Lobby(path), f"http://127.0.0.1:{listening.getsockname()[1]}")
    if keys is not None:
        play.take_keys(keys)
    config = web_config(play, LOOPBACK, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    if table is not None:
        table.start()
    try:
        yield Served(play, listening.getsockname()[1], server)
    finally:
        server.should_exit = True
        thread.join(20)
        if play.table is not None:
            play.table.stop()
        listening.close()
