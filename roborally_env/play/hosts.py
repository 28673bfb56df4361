"""A filter for requests: a server answers only those that name it and come from its own pages."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from roborally_env.base.types import JsonObject


class KnownHosts:
    """ASGI middleware that refuses requests whose Host is none of the server's names, and sockets that a foreign page
    opened. So a foreign page whose name points at this machine (DNS rebinding) reaches nothing.

    Args:
        app: the application behind it.
        names: host names and addresses, lower case.
        addresses: also accept every numeric address, for a server that listens on all addresses of a machine.
    """

    def __init__(self, app: ASGIApp, names: Collection[str], addresses: bool = False) -> None:
        self.app, self.names, self.addresses = app, frozenset(names), addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it with 403 (a socket before it is accepted)."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        why = self._why_refused(headers)
        if why is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": why})
        else:
            await PlainTextResponse(why, 403)(scope, receive, send)

    def _why_refused(self, headers: JsonObject) -> str | None:
        host = headers.get("host", "").lower()
        if not self._is_known(host_name(host)):
            return "this is not one of the server's addresses: open the link from the terminal"
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            return "opened by another page"
        return None

    def _is_known(self, name: str) -> bool:
        return name in self.names or (self.addresses and is_address(name))


def host_name(host: str) -> str:
    """The name in a Host header, without its port: `[::1]:8000` is `::1`."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def is_address(name: str) -> bool:
    """Whether a host is a numeric IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
