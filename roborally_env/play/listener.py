"""Serving a race: the listening socket, the links, the end."""

from __future__ import annotations

import errno
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Collection
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.signals import termination_interrupts
from roborally_env.base.terminal import print_lines
from roborally_env.base.text import counted
from roborally_env.base.types import Fields, OptionValue
from roborally_env.play.lobby import Lobby
from roborally_env.play.saved_race import resume_command
from roborally_env.play.table import FAILED, OVER, Table

if TYPE_CHECKING:
    import uvicorn

    from roborally_env.play.server import PlayServer

LOOPBACK = ("127.0.0.1", "localhost", "::1")
ALL_ADDRESSES = ("0.0.0.0", "::")
NEEDED = ("starlette", "uvicorn", "websockets")
BACKLOG = 64  # connections that wait to be accepted, and that are accepted before the limits are looked at again
LONGEST_MESSAGE = 16_384  # bytes; longer ones close the socket


def check_extra() -> None:
    """Raise a RoboRallyError if packages of the extra `play` are missing."""
    for name in NEEDED:
        if find_spec(name) is None:
            raise RoboRallyError(f'play: {name} is not installed; pip install "roborally_env[play]" gives it')


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        RoboRallyError: for a port that is taken, or a host that is not an address of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (socket.gaierror, UnicodeError) as error:
        raise RoboRallyError(f"--host {host}: unknown host: {getattr(error, 'strerror', None) or error}") from None
    found = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # on other systems it would let two servers share a port
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
        found.listen(BACKLOG)
    except OSError as error:
        found.close()
        raise RoboRallyError(_why_not(host, port, error)) from None
    return found


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"--port {port}: another program has it on {host}; expected a free one, as --port {port + 1}, or 0 for any"
        )
    if error.errno == errno.EACCES:
        return f"--port {port}: not allowed; expected one from 1024 on"
    return f"--host {host}: cannot be listened on: {error.strerror or error}; expected an address of this machine"


def base_of(host: str, port: int) -> str:
    """The begin of all links; those of a server on all addresses are for other machines."""
    name = own_address() if host in ALL_ADDRESSES else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def own_address() -> str:
    """The address by which other machines reach this one, as far as can be known without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation: no packet leaves
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def serve(
    table: Table | None,
    path: Path | None = None,
    *,
    keys: Fields | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    open_browser: bool = True,
    say: Callable[[str], None] = print_lines,
) -> int:
    """Serve races until Ctrl-C. Returns the exit code: 0 if the last race was played to its end or there was none, 130
    if it was stopped before, 1 if it failed.

    Args:
        table: the first race; None: a start page opens, on which people choose it.
        path: where the replay of a race that the start page begins is saved; None: a file named by course and time.
        keys: the links of a race that goes on, as its file has them.
        host: the address to listen on.
        port: the port; 0: any free one.
        open_browser: open the start page, or the first seat's page.
        say: called with each line for the terminal.

    Raises:
        RoboRallyError: if the extra is missing, or the server cannot listen on host and port.
    """
    check_extra()
    listening = listen(host, port)
    address, port = listening.getsockname()[:2]
    host = address if address in ALL_ADDRESSES else host  # "0" is one of its names
    from roborally_env.play.compiled_ahead import compile_ahead
    from roborally_env.play.server import PlayServer
    from roborally_env.play.setup import check_play

    def seated() -> None:
        _print_links(server, say)
        assert server.table is not None
        compile_ahead(server.table.setup)

    server = PlayServer(table, Lobby(path, say), base_of(host, port), seated)
    if keys is not None:
        server.take_keys(keys)
    if table is None:
        say(f"Choose a race: {server.start_link}")
        compile_ahead(check_play())
    else:
        seated()
    if host not in LOOPBACK and not host.startswith("127."):
        say(f"The page is served on {host}, unencrypted: others on this network can read the traffic.")
    say("Ctrl-C ends the race and saves the replay.")
    if open_browser and _has_browser():
        link = server.start_link if table is None else server.links[0]
        threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()
    if table is not None:
        table.start()
    try:
        _run(server, host, listening)
    finally:
        if server.table is not None:
            server.table.stop()
    return 0 if server.table is None else _print_end(server.table, say)


def web_config(
    server: PlayServer, names: Collection[str], addresses: bool = False, **options: OptionValue
) -> uvicorn.Config:
    """How uvicorn serves the pages: with limits for connections that show no token.

    Args:
        server: the pages.
        names, addresses: as KnownHosts.
        options: others of uvicorn.
    """
    import uvicorn

    from roborally_env.play.connections import Connections, counted_protocols
    from roborally_env.play.hosts import KnownHosts

    http, websocket = counted_protocols(Connections(server.opens))
    return uvicorn.Config(
        KnownHosts(server.app, names, addresses),
        log_level="error",
        http=http,
        ws=websocket,
        ws_max_size=LONGEST_MESSAGE,
        backlog=BACKLOG,
        server_header=False,
        lifespan="off",
        **options,
    )


def _run(server: PlayServer, host: str, listening: socket.socket) -> None:
    import uvicorn

    addresses = host in ALL_ADDRESSES
    address = listening.getsockname()[0]  # browsers write this instead of, for example, 127.2
    names = {*LOOPBACK, host.lower(), address, *([socket.gethostname().lower()] if addresses else [])}
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # it warns about writing to closed pages
    config = web_config(server, names, addresses, timeout_graceful_shutdown=2)
    # uvicorn has shut down when it passes the signal on
    with termination_interrupts(), suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def _print_links(server: PlayServer, say: Callable[[str], None]) -> None:
    assert server.table is not None
    setup = server.table.setup
    say(f"{setup.course.title} (edition {setup.course.edition}): {', '.join(setup.names)}")
    for name, link in zip(setup.people, server.links, strict=True):
        say(f"  {name}: {link}")
    say(f"  to watch: {server.watch_link}")
    if len(server.links) > 1:
        say("Each link opens one seat: give each player only their own.")


def _has_browser() -> bool:
    """Whether there is a screen to open a page on: text browsers would take the terminal."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _print_end(table: Table, say: Callable[[str], None]) -> int:
    rounds = 0 if table.race is None else len(table.race.replay().rounds)
    if table.phase == OVER:
        return 0  # the table has printed the result and the replay's path
    if table.saved is None:
        say("no round was finished, so there is no replay")
    else:
        say(f"replay of {counted(rounds, 'round')}: {table.saved}" if rounds else "no round was finished")
        say(f"to resume the race: {resume_command(str(table.saved), table.setup.opponents)}")
    return 1 if table.phase == FAILED else 130
