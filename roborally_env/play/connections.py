"""Limits for connections that have not shown the token of a link, so that they take the room of nobody else."""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Callable

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

HEAD_SECONDS = 10.0  # from the begin of a connection, or of a later request, to the end of the request's head
MOST = 96  # connections without a token
MOST_OF_ADDRESS = 48  # of them from one address; a browser has about six


class Connections:
    """The open connections that have shown no token.

    If there are too many, the one that has been silent for longest is closed. A new one is never refused: among silent
    connections from one address there may be the browser of a player.

    Args:
        opens: whether the path of a request has a token in it.
    """

    def __init__(self, opens: Callable[[str], bool]) -> None:
        self._opens = opens
        self._strangers: OrderedDict[asyncio.BaseTransport, str] = (
            OrderedDict()
        )  # their networks; the silent ones first

    def come(self, transport: asyncio.BaseTransport) -> None:
        """Count a new connection, and close another one if there are too many."""
        network = network_of(transport.get_extra_info("peername"))
        self._strangers[transport] = network
        counts = Counter(self._strangers.values())
        if counts[network] > MOST_OF_ADDRESS:
            self._close_one(network)
        elif len(self._strangers) > MOST:
            self._close_one(max(counts, key=lambda each: counts[each]))

    def ask(self, transport: asyncio.BaseTransport, path: str) -> None:
        """Note a request: with a token the connection is counted no longer."""
        if transport not in self._strangers:
            return
        if self._opens(path):
            self.leave(transport)
        else:
            self._strangers.move_to_end(transport)

    def leave(self, transport: asyncio.BaseTransport) -> None:
        """Forget a connection."""
        self._strangers.pop(transport, None)

    def _close_one(self, network: str) -> None:
        """Close the connection of a network that has been silent for longest."""
        oldest = next(transport for transport, own in self._strangers.items() if own == network)
        self.leave(oldest)
        assert isinstance(oldest, asyncio.WriteTransport)
        oldest.abort()


def network_of(peer: object) -> str:
    """The address of a peer, or the first half of one of IPv6, of which a machine has as many as it likes."""
    text = str(peer[0]) if isinstance(peer, tuple) and peer else ""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return text
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or address.packed[:8].hex())


def counted_protocols(connections: Connections) -> tuple[type[H11Protocol], type[WebSocketsSansIOProtocol]]:
    """The protocols of uvicorn for pages and sockets, whose connections are counted."""

    class Http(H11Protocol):
        """HTTP with a time limit for the head of each request."""

        head_timer: asyncio.TimerHandle | None = None
        read_scope: object = None  # of the last request whose head has been read

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            connections.come(transport)
            self.await_head()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
                self.await_head()  # the head of a later request has started

        def handle_events(self) -> None:
            super().handle_events()
            if self.scope is not self.read_scope:
                self.read_scope = self.scope
                self.stop_awaiting()
                connections.ask(self.transport, self.scope["path"])

        def connection_lost(self, exc: Exception | None) -> None:
            self.stop_awaiting()
            connections.leave(self.transport)
            super().connection_lost(exc)

        def await_head(self) -> None:
            if self.head_timer is None:
                self.head_timer = self.loop.call_later(HEAD_SECONDS, self.transport.close)

        def stop_awaiting(self) -> None:
            if self.head_timer is not None:
                self.head_timer.cancel()
                self.head_timer = None

    class Socket(WebSocketsSansIOProtocol):
        """A socket; before it became one, its connection was counted by Http."""

        def connection_lost(self, exc: Exception | None) -> None:
            connections.leave(self.transport)
            super().connection_lost(exc)

    return Http, Socket
