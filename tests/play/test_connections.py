"""Connections that show no token do not take the room of those that do."""

from __future__ import annotations

import http.client
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

client = pytest.importorskip("websockets.sync.client")
connections = pytest.importorskip("roborally_env.play.connections")

from tests.play.helpers import LIGHTER, Served, served, wait_for  # noqa: E402


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "race.json", **LIGHTER) as found:
        yield found


def silent(port: int, text: bytes = b"") -> socket.socket:
    """A connection that says only this."""
    found = socket.create_connection(("127.0.0.1", port), timeout=10)
    found.sendall(text)
    return found


def is_closed(connection: socket.socket, seconds: float) -> bool:
    """Whether the server ends a connection within this time; what it says before is not looked at."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        connection.settimeout(left)
        try:
            if not connection.recv(4096):
                return True
        except TimeoutError:
            return False
        except OSError:
            return True
    return False


def status_of(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    try:
        return connection.getresponse().status
    finally:
        connection.close()


# -- how many


def test_silent_connections_are_closed_and_players_stay(table: Served) -> None:
    seat = f"/seat/{table.server.tokens[0]}"
    with ExitStack() as stack:
        socket_ = stack.enter_context(client.connect(f"ws://{table.host}{seat}/socket"))
        assert socket_.recv(timeout=60)
        known = http.client.HTTPConnection("127.0.0.1", table.port, timeout=20)
        known.request("GET", seat)
        known.getresponse().read()
        held = [stack.enter_context(silent(table.port)) for _ in range(connections.MOST_OF_ADDRESS + 60)]
        wait_for(lambda: len(table.connections) <= connections.MOST_OF_ADDRESS + 2, "connections to be closed")
        assert is_closed(held[0], 5)
        assert not is_closed(held[-1], 0.2)
        known.request("GET", seat)  # on the same connection
        assert known.getresponse().status == 200
        known.close()
        assert status_of(table.port, seat) == 200
        socket_.ping().wait(10)


def test_a_socket_with_a_wrong_token_counts_too(table: Served) -> None:
    head = (
        f"GET /seat/wrong/socket HTTP/1.1\r\nHost: {table.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()
    with ExitStack() as stack:
        held = [stack.enter_context(silent(table.port, head)) for _ in range(connections.MOST_OF_ADDRESS + 20)]
        wait_for(lambda: len(table.connections) <= connections.MOST_OF_ADDRESS, "sockets to be closed")
        assert is_closed(held[0], 5)


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of files")
def test_with_few_files_300_silent_connections_shut_nobody_out(tmp_path: Path) -> None:
    import resource

    words = ["-m", "roborally_env", "play", "--port", "0", "--no-open", "--save", str(tmp_path / "race.json")]
    process = subprocess.Popen(
        [sys.executable, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)),
    )
    try:
        assert process.stdout is not None
        link = next(found for line in process.stdout if (found := re.search(r":(\d+)(/start/\S+)", line)))
        with ExitStack() as stack:
            for _ in range(300):
                stack.enter_context(silent(int(link[1])))
            assert status_of(int(link[1]), link[2]) == 200
    finally:
        process.terminate()
        rest, _ = process.communicate(timeout=60)
    assert "Traceback" not in rest


class Transport(connections.asyncio.WriteTransport):  # type: ignore[misc]
    """A connection from an address."""

    def __init__(self, address: str, closed: list[Any]) -> None:
        super().__init__({"peername": (address, 1)})
        self.closed = closed

    def abort(self) -> None:
        self.closed.append(self)


def test_an_address_with_many_connections_closes_its_own() -> None:
    closed: list[Any] = []
    room = connections.Connections(lambda path: path == "/seat/right")
    friend, others = Transport("10.0.0.1", closed), []
    room.come(friend)
    for _ in range(connections.MOST_OF_ADDRESS + 5):
        others.append(Transport("10.0.0.2", closed))
        room.come(others[-1])
    assert closed == others[:5]
    closed.clear()
    for address in range(connections.MOST // 2 - 2):  # many addresses: the one with most connections gives room
        room.come(Transport(f"10.1.0.{address}", closed))
    assert friend not in closed
    assert set(closed) <= set(others)


def test_the_longest_silent_one_is_closed_first_and_none_with_a_token() -> None:
    closed: list[Any] = []
    room = connections.Connections(lambda path: path == "/seat/right")
    own = [Transport("10.0.0.1", closed) for _ in range(connections.MOST_OF_ADDRESS + 2)]
    for each in own[:-2]:
        room.come(each)
    room.ask(own[0], "/seat/right")
    room.ask(own[1], "/assets/play/play.js")
    for each in own[-2:]:
        room.come(each)
    assert closed == [own[2]]
    room.leave(own[2])  # as when it is lost


def test_addresses_of_ipv6_count_by_their_network() -> None:
    network_of = connections.network_of
    assert network_of(("2001:db8:1:2::1", 1, 0, 0)) == network_of(("2001:db8:1:2:3:4:5:6", 1, 0, 0))
    assert network_of(("2001:db8:1:2::1", 1, 0, 0)) != network_of(("2001:db8:1:3::1", 1, 0, 0))
    assert network_of(("fe80::1%eth0", 1, 0, 2)) == network_of(("fe80::2%eth0", 1, 0, 2))
    assert network_of(("::ffff:10.0.0.1", 1, 0, 0)) == network_of(("10.0.0.1", 1)) == "10.0.0.1"
    assert network_of(None) == network_of("") == ""


# -- how long


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch, table: Served) -> Served:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    return table


def test_a_silent_connection_is_closed_in_time(short: Served) -> None:
    with silent(short.port) as nothing, silent(short.port, b"GET / HTTP/1.1\r\nHo") as half:
        assert is_closed(nothing, 5)
        assert is_closed(half, 5)


def test_a_head_that_trickles_is_closed_in_time(short: Served) -> None:
    begin = time.monotonic()
    with silent(short.port, b"GET / HTTP/1.1\r\n") as slow:
        while not is_closed(slow, 0.1):
            assert time.monotonic() < begin + 10
            try:
                slow.sendall(b"a: b\r\n")
            except OSError:
                break


def test_the_head_of_a_later_request_has_a_limit_too(short: Served) -> None:
    with silent(short.port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as later:
        later.settimeout(10)
        assert later.recv(65536).startswith(b"HTTP/1.1 403")
        later.sendall(b"GET / HT")
        assert is_closed(later, 3)


def test_a_page_and_its_socket_outlive_the_limit(short: Served) -> None:
    with client.connect(f"ws://{short.host}/seat/{short.server.tokens[0]}/socket") as page:
        assert page.recv(timeout=60)
        time.sleep(1)
        page.ping().wait(10)
    assert status_of(short.port, f"/seat/{short.server.tokens[0]}") == 200
