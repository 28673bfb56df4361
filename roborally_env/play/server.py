"""The page of a race and its socket, served by Starlette and uvicorn.

/                       a notice that a join link is needed
/seat/TOKEN             a player's page
/seat/TOKEN/socket      its WebSocket: ?race=ID&have=N, where N is the number of items of that race that it has
/seat/TOKEN/replay.json the replay, only after the race, because it shows the hands of other players
/seat/TOKEN/watch       the same as a page to watch
/seat/TOKEN/review      the race looked back on; until that page is made, one that waits for it
/seat/TOKEN/review/state   how far it is
/assets/NAME            scripts and styles
"""

from __future__ import annotations

import asyncio
import html
import json
import secrets
from contextlib import suppress
from importlib import resources
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from roborally_env.errors import RoboRallyError
from roborally_env.play.looking_back import LookBack
from roborally_env.play.messages import parse
from roborally_env.play.questions import Refused
from roborally_env.play.table import OVER, Table
from roborally_env.replay import load
from roborally_env.watch import asset, replay_page

# codes with which the server closes a socket
TAKEN_OVER, UNKNOWN_LINK = 4001, 4403
SCRIPTS = (
    "play.js", "program.js", "choice.js", "wait.js", "socket.js", "drag.js", "dom.js", "controls.js",
    "looking_back.js",
)  # fmt: skip
OWN_ASSETS = {"play.css": "text/css", **dict.fromkeys(SCRIPTS, "text/javascript")}
SHARED_ASSETS = {"board.js": "text/javascript", "viewer.css": "text/css"}
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",  # the token is in the address
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self' ws: wss:; "  # some browsers do not count a socket of the same server as 'self'
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}


# a page of `watch` is one file with its styles and scripts in it; names in it cannot end its elements
WATCH_HEADERS = HEADERS | {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}
CLOSING = 5.0  # seconds that a page has for taking what is still to be sent when another takes its seat


class Connection:
    """One open page of a player."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.wake = asyncio.Event()
        self.refusals: list[str] = []
        self.taken_over = asyncio.Event()


class PlayServer:
    """The web side of a table: `app` is the ASGI application, `tokens` the secret of each seat."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.tokens = [secrets.token_urlsafe(12) for _ in table.setup.people]
        self.pages: dict[int, Connection] = {}  # the newest of each player
        self._loop: asyncio.AbstractEventLoop | None = None  # that of the sockets
        self._look_back: LookBack | None = None  # of the last race that somebody wanted to look back on
        table.changed = self._changed
        self.app = Starlette(
            routes=[
                Route("/", self.home),
                Route("/seat/{token}", self.page),
                Route("/seat/{token}/replay.json", self.replay),
                Route("/seat/{token}/watch", self.watch),
                Route("/seat/{token}/review", self.review),
                Route("/seat/{token}/review/state", self.review_state),
                Route("/assets/{name}", self.asset),
                WebSocketRoute("/seat/{token}/socket", self.socket),
            ]
        )

    def _changed(self) -> None:
        """Announce news to all pages; called on the race's thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: the server has ended
                self._loop.call_soon_threadsafe(self._wake_all)

    def _wake_all(self) -> None:
        for page in self.pages.values():
            page.wake.set()

    def player_of(self, token: str) -> int | None:
        """The player with that token; every token is compared, so that the time reveals nothing."""
        fits = [secrets.compare_digest(token.encode(), each.encode()) for each in self.tokens]
        return fits.index(True) if any(fits) else None

    # -- pages

    async def home(self, request: Request) -> Response:
        """The notice for a request without a token."""
        return _notice("Your join link, please", "Each seat has its own link. It stands in the terminal.", 403)

    async def page(self, request: Request) -> Response:
        """A player's page."""
        if self.player_of(request.path_params["token"]) is None:
            return _notice(
                "This link opens no seat", "Links hold for one race. The terminal shows the current ones.", 403
            )
        return HTMLResponse(_own_asset("play.html"), headers=HEADERS)

    async def asset(self, request: Request) -> Response:
        """A script or a style sheet."""
        name = request.path_params["name"]
        if name in OWN_ASSETS:
            return Response(_own_asset(name), media_type=OWN_ASSETS[name], headers=HEADERS)
        if name in SHARED_ASSETS:
            return Response(asset(name), media_type=SHARED_ASSETS[name], headers=HEADERS)
        return PlainTextResponse("no such file", 404, headers=HEADERS)

    async def replay(self, request: Request) -> Response:
        """The replay of a race that is over."""
        if self.player_of(request.path_params["token"]) is None:
            return PlainTextResponse("this link opens no seat", 403, headers=HEADERS)
        table = self.table
        if table.phase != OVER or table.saved is None:
            return JSONResponse({"error": "the replay is ready when the race is over"}, 409, headers=HEADERS)
        if not table.saved.is_file():
            return JSONResponse({"error": f"{table.saved.name} is no longer there"}, 404, headers=HEADERS)
        return FileResponse(table.saved, filename=table.saved.name, media_type="application/json", headers=HEADERS)

    async def watch(self, request: Request) -> Response:
        """The page on which a race that is over can be watched."""
        if self.player_of(request.path_params["token"]) is None:
            return _notice("This link opens no seat", "Links hold for one race.", 403)
        if self.table.phase != OVER or self.table.saved is None:
            return _notice("There is nothing to watch yet", "The page is ready when the race is over.", 409)
        try:
            page = await run_in_threadpool(_watched, self.table.saved)
        except RoboRallyError as error:
            return _notice("The race cannot be shown", html.escape(str(error)), 404)
        return HTMLResponse(page, headers=WATCH_HEADERS)

    def look_back(self) -> LookBack | None:
        """The work on the race that is over; None if there is no such race."""
        path = self.table.saved
        if self.table.phase != OVER or path is None:
            return None
        if self._look_back is None or self._look_back.path != path:
            self._look_back = LookBack(path)
        return self._look_back

    async def review(self, request: Request) -> Response:
        """The page of a race that is looked back on, or one that waits for it."""
        if self.player_of(request.path_params["token"]) is None:
            return _notice("This link opens no seat", "Links hold for one race.", 403)
        found = self.look_back()
        if found is None:
            return _notice("There is nothing to look back on yet", "The page can be made when the race is over.", 409)
        if found.page:
            return HTMLResponse(found.page, headers=WATCH_HEADERS)
        return HTMLResponse(_own_asset("looking_back.html"), headers=HEADERS)

    async def review_state(self, request: Request) -> Response:
        """How far that page is. It is made while this is asked."""
        if self.player_of(request.path_params["token"]) is None:
            return JSONResponse({"error": "this link opens no seat"}, 403, headers=HEADERS)
        found = self.look_back()
        if found is None:
            return JSONResponse({"error": "another race has begun"}, 409, headers=HEADERS)
        return JSONResponse(found.ask(), headers=HEADERS)

    # -- the socket

    async def socket(self, socket: WebSocket) -> None:
        """Serve a page's connection. A player's newest page plays; the older one gets a message and is closed."""
        self._loop = asyncio.get_running_loop()
        await socket.accept()
        player = self.player_of(socket.path_params["token"])
        if player is None:
            await socket.close(UNKNOWN_LINK, "this link opens no seat")
            return
        page = Connection(socket)
        self._take_over(player, page)
        parts = (self._send(player, page), self._receive(player, page), page.taken_over.wait())
        tasks = [asyncio.ensure_future(part) for part in parts]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            if self.pages.get(player) is page:
                del self.pages[player]
        if page.taken_over.is_set():
            with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):  # a page that does not read is left alone
                await asyncio.wait_for(socket.close(TAKEN_OVER, "opened in another window"), CLOSING)

    def _take_over(self, player: int, page: Connection) -> None:
        before = self.pages.get(player)
        self.pages[player] = page
        if before is not None:
            before.taken_over.set()

    async def _receive(self, player: int, page: Connection) -> None:
        while True:
            message = await page.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            text = message.get("text")
            try:
                self.table.answer(player, parse(message.get("bytes", b"") if text is None else text))
            except Refused as error:
                page.refusals.append(json.dumps({"type": "refused", "text": str(error)}))
                page.wake.set()

    async def _send(self, player: int, page: Connection) -> None:
        """Send the page all items that it does not have, as they appear."""
        query = page.socket.query_params
        race, sent, last = query.get("race"), _number(query.get("have")), ""
        sent = min(sent, len(self.table.feed(player)))
        with suppress(RuntimeError, WebSocketDisconnect):
            while True:
                page.wake.clear()
                if race != self.table.id:
                    race, sent, last = self.table.id, 0, ""
                for text in _taken(page.refusals):
                    await page.socket.send_text(text)
                now = self.table.now(player)
                for item in self.table.feed(player, sent)[: now["items"] - sent]:
                    await page.socket.send_text(item)
                    sent += 1
                if race != self.table.id:
                    continue  # a rematch has begun meanwhile
                told = json.dumps(now, separators=(",", ":"))
                if told != last:
                    await page.socket.send_text(told)
                    last = told
                await page.wake.wait()


def _watched(path: Path) -> str:
    return replay_page(load(path))


def _taken(texts: list[str]) -> list[str]:
    found = texts[:]
    texts.clear()
    return found


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0


def _own_asset(name: str) -> str:
    return (resources.files("roborally_env.play") / "assets" / name).read_text("utf-8")


def _notice(title: str, text: str, status: int) -> Response:
    """A small page with one message."""
    page = _own_asset("notice.html").replace("{title}", title).replace("{text}", text)
    return HTMLResponse(page, status, headers=HEADERS)
