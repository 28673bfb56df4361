"""The pages of races and their sockets, served by Starlette and uvicorn.

/                         a notice that a link is needed
/start/TOKEN              the start page, on which a race is chosen
/start/TOKEN/choices.json what can be chosen
/start/TOKEN/course.svg   the picture of a course: ?edition=&theme= and &course=, or &difficulty=&seed=&players=
/start/TOKEN/compiling.json what is compiled, while the start page waits
/start/TOKEN/race         POST a choice: a race begins
/seat/TOKEN               a player's page
/seat/TOKEN/socket        its WebSocket: ?race=ID&have=N, where N is the number of items of that race that it has
/seat/TOKEN/replay.json   the replay, only after the race, because it shows the hands of other players
/seat/TOKEN/watch         the same as a page to watch
/seat/TOKEN/review        the race looked back on; until that page is made, one that waits for it
/seat/TOKEN/review/state  how far it is
/seat/TOKEN/card          the race as a card to send to a friend, made in the same way
/seat/TOKEN/card/state    how far it is
/seat/TOKEN/card/file     the card as a file to save
/watch/TOKEN              the page of those who only watch; it has the same parts as a seat
/assets/FOLDER/FILE       scripts and styles
"""

from __future__ import annotations

import asyncio
import html
import json
import secrets
import string
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import RoboRallyError
from roborally_env.base.types import Fields, Json, JsonObject
from roborally_env.compiling.progress import Progress
from roborally_env.core.rule_options import editions
from roborally_env.courses import EDITIONS
from roborally_env.courses.reader import slugify
from roborally_env.play.countdown import compiling
from roborally_env.play.guide import guided_setup
from roborally_env.play.lobby import Lobby
from roborally_env.play.messages import Advice, Message, Trial, parse
from roborally_env.play.questions import Refused
from roborally_env.play.race import going_on
from roborally_env.play.review_page import LookBack
from roborally_env.play.setup import PlaySetup
from roborally_env.play.table import FAILED, OVER, STOPPED, WATCHING, Table
from roborally_env.render.svg import board_svg
from roborally_env.replay import load
from roborally_env.watch import replay_page
from roborally_env.web import SERVED, asset, filled

# codes with which the server closes a socket
TAKEN_OVER, UNKNOWN_LINK, FULL = 4001, 4403, 4429
ENDED = (OVER, STOPPED, FAILED)
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
_SAVE_CARD = (
    '<p><a href="card/file" download style="color:inherit;font-weight:650">Save this card</a>: one file that opens '
    "anywhere, without a network.</p>"
)
# title and text of the pages that wait
REVIEW_WAITS = (
    "Looking back on the race",
    "A search looks for a better program for each one that was played. If you close this page, the search stops.",
)
CARD_WAITS = (
    "Making a card of the race",
    "A search looks for the turning point and the blunder. Then the pictures are drawn, which takes some seconds. "
    "If you close this page, the work stops.",
)
MOST_WATCHING = 50  # people who only watch
MOST_REPLIES = 20  # answers that wait for a page which does not read
_IN_TOKENS = frozenset(string.ascii_letters + string.digits + "-_")
LONGEST_CHOICE = 4000  # bytes of a choice of the start page
CLOSING = 5.0  # seconds that a page has for taking what is still to be sent when another takes its seat


class Connection:
    """One open page of a player, or of somebody who only watches."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self.wake = asyncio.Event()
        self.replies: list[str] = []  # refusals, ghosts, hints
        self.search: asyncio.Future[None] | None = None  # for a hint
        self.counting = False  # the page shows what is compiled
        self.ended = asyncio.Event()
        self.ending = (TAKEN_OVER, "opened in another window")

    def end(self, code: int, reason: str) -> None:
        """Close it, as soon as it can be."""
        self.ending = (code, reason)
        self.ended.set()

    def reply(self, message: JsonObject) -> None:
        """Send something to this page alone, unless it does not read."""
        if len(self.replies) >= MOST_REPLIES:
            return
        self.replies.append(json.dumps(message, separators=(",", ":")))
        self.wake.set()


class PlayServer:
    """The web side of a table: `app` is the ASGI application, `tokens` the secret of each seat.

    Args:
        table: the first race; None: the start page begins it.
        lobby: what the start page offers.
        base: the begin of links that people get: `http://HOST:PORT`.
        seated: called when a race has started here: its links can be printed.
    """

    def __init__(
        self,
        table: Table | None,
        lobby: Lobby | None = None,
        base: str = "",
        seated: Callable[[], None] = lambda: None,
    ) -> None:
        self.lobby, self.base, self.seated = lobby or Lobby(), base, seated
        self.table: Table | None = None
        self.tokens: list[str] = []
        self.watch_token, self.start_token = new_token(), new_token()
        self._former_starts: list[str] = []  # before a race went on with its own; their pages are still open
        self.pages: dict[int, Connection] = {}  # the newest of each player
        self.watching: set[Connection] = set()
        self._loop: asyncio.AbstractEventLoop | None = None  # that of the sockets
        self._choosing = asyncio.Lock()  # one choice, or one picture of a generated course, at a time
        self._beginning = False  # a race is being set up
        # of the last race that somebody wanted to look back on: its page (None), and the card of each player
        self._looks: dict[int | None, LookBack] = {}
        if table is not None:
            self._seat(table)
        self.app = Starlette(
            routes=[
                Route("/", self.home),
                Route("/start/{token}", self.start),
                Route("/start/{token}/choices.json", self.choices),
                Route("/start/{token}/course.svg", self.picture),
                Route("/start/{token}/compiling.json", self.compiling),
                Route("/start/{token}/race", self.begin, methods=["POST"]),
                *self._routes("seat"),
                *self._routes("watch"),
                Route("/assets/{name:path}", self.asset),
            ],
            exception_handlers={404: _nowhere},
        )

    def _routes(self, kind: str) -> list[BaseRoute]:
        """What a player's page and the page of those who only watch consist of."""
        return [
            Route(f"/{kind}/{{token}}", self.page),
            Route(f"/{kind}/{{token}}/replay.json", self.replay),
            Route(f"/{kind}/{{token}}/watch", self.watch),
            Route(f"/{kind}/{{token}}/review", self.looked),
            Route(f"/{kind}/{{token}}/review/state", self.looked_state),
            Route(f"/{kind}/{{token}}/card", self.looked),
            Route(f"/{kind}/{{token}}/card/state", self.looked_state),
            Route(f"/{kind}/{{token}}/card/file", self.card_file),
            WebSocketRoute(f"/{kind}/{{token}}/socket", self.socket),
        ]

    @property
    def links(self) -> list[str]:
        """The link of each seat."""
        return [f"{self.base}/seat/{token}" for token in self.tokens]

    @property
    def watch_link(self) -> str:
        """The link of those who only watch."""
        return f"{self.base}/watch/{self.watch_token}"

    @property
    def start_link(self) -> str:
        """The link of the start page."""
        return f"{self.base}/start/{self.start_token}"

    # -- races

    def _seat(self, table: Table) -> None:
        """Serve another race. A seat whose person has the same name keeps its link; other links open no seat."""
        before = [] if self.table is None else list(self.table.setup.people)
        people = table.setup.people
        tokens = [
            self.tokens[i] if i < len(before) and before[i] == name else new_token() for i, name in enumerate(people)
        ]
        for player, page in self.pages.items():
            if player >= len(tokens) or tokens[player] != self.tokens[player]:
                page.end(UNKNOWN_LINK, "this link opens no seat")
        self.table, self.tokens = table, tokens
        self._give_keys()
        table.changed = self._changed
        self._wake_all()

    def _give_keys(self) -> None:
        """What a file keeps of the links, so that they hold when the race goes on."""
        assert self.table is not None
        self.table.keys = {"seats": self.tokens, "watch": self.watch_token, "start": self.start_token}

    def take_keys(self, keys: Json) -> None:
        """Use the links of a race that goes on; keys that are none are left out."""
        seats = keys.get("seats")
        if isinstance(seats, list) and len(seats) == len(self.tokens) and all(map(_is_token, seats)):
            self.tokens = seats
        if _is_token(keys.get("watch")):
            self.watch_token = keys["watch"]
        if _is_token(keys.get("start")):
            self._former_starts.append(self.start_token)
            self.start_token = keys["start"]
        self._give_keys()

    async def _begin(self, data: Json) -> None:
        """Begin the race of a choice; the one that is played is stopped."""
        if isinstance(data, dict) and set(data) == {"resume"}:
            path = await run_in_threadpool(self.lobby.file_of, data["resume"])
            if path.name == self._played:
                raise RoboRallyError(f"the race of {path.name!r} is being played")
            race, keys = await run_in_threadpool(going_on, path)
            setup = race.setup
        else:
            guided = isinstance(data, dict) and set(data) == {"guide"} and data["guide"] is True
            setup_of = _guided if guided else self.lobby.setup_of
            setup, race, keys = await run_in_threadpool(setup_of, data), None, {}
            path = self.lobby.place(setup)
        before = 0
        if self.table is not None:
            await run_in_threadpool(self.table.stop)
            before = self.table.races if self.lobby.path is not None and race is None else 0
        self._loop = asyncio.get_running_loop()
        table = Table(setup, path, log=self.lobby.say, race=race, races=before)
        self._seat(table)
        self.take_keys(keys)
        self.seated()
        table.start()

    def _changed(self) -> None:
        """Announce news to all pages; called on the race's thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: the server has ended
                self._loop.call_soon_threadsafe(self._wake_all)

    def _wake_all(self) -> None:
        for page in (*self.pages.values(), *self.watching):
            page.wake.set()

    def player_of(self, token: str, kind: str = "seat") -> int | None:
        """The player with that token, WATCHING for the token of those who watch; every token is compared, so that the
        time reveals nothing."""
        tokens = self.tokens if kind == "seat" else [self.watch_token]
        fits = [_is_same(token, each) for each in tokens]
        if not any(fits) or self.table is None:
            return None
        return fits.index(True) if kind == "seat" else WATCHING

    def opens(self, path: str) -> bool:
        """Whether a path has the token of a page in it."""
        _, kind, token, *_ = (*path.split("/"), "", "", "")
        if kind == "start":
            return self._is_start(token)
        return kind in ("seat", "watch") and self.player_of(token, kind) is not None

    def _who(self, request: Request | WebSocket) -> int | None:
        return self.player_of(request.path_params["token"], request.scope["path"].split("/")[1])

    # -- the start page

    async def home(self, request: Request) -> Response:
        """The notice for a request without a token."""
        return _notice(
            "Please use your own link",
            "The start page and each seat have their own links. The terminal shows them.",
            403,
        )

    def _may_start(self, request: Request) -> bool:
        return self._is_start(request.path_params["token"])

    def _is_start(self, token: str) -> bool:
        return any(_is_same(token, each) for each in (self.start_token, *self._former_starts))

    async def start(self, request: Request) -> Response:
        """The start page."""
        if not self._may_start(request):
            return _notice("This link to the start page is out of date", "The terminal shows the current one.", 403)
        return HTMLResponse(asset("play/lobby.html"), headers=HEADERS)

    async def choices(self, request: Request) -> Response:
        """What the start page offers, and the race that is played."""
        if not self._may_start(request):
            return _no_start()
        found = await run_in_threadpool(self.lobby.choices)
        found["unfinished"] = [each for each in found["unfinished"] if each["file"] != self._played]
        return JSONResponse({**found, "race": self._running()}, headers=HEADERS)

    async def compiling(self, request: Request) -> Response:
        """What is compiled for the race that is being chosen, for a page that waits."""
        if not self._may_start(request):
            return _no_start()
        return JSONResponse({"compiling": compiling()}, headers=HEADERS)

    @property
    def _played(self) -> str:
        """The file of the race that is played."""
        table = self.table
        return table.path.name if table is not None and table.phase not in ENDED else ""

    def _running(self) -> JsonObject | None:
        """The race at the table, for the start page."""
        table = self.table
        if table is None:
            return None
        round_ = table.race.round if table.race is not None else 0
        about = {"id": table.id, "title": table.setup.course.title, "goes_on": bool(self._played), "round": round_}
        return {**about, **self._links()}

    def _links(self) -> JsonObject:
        """The links of the race at the table: the own one as a path, those of the others as they are sent to them."""
        assert self.table is not None
        seats = [{"name": name, "link": link} for name, link in zip(self.table.setup.people, self.links, strict=True)]
        return {"seat": f"/seat/{self.tokens[0]}", "seats": seats, "watch": self.watch_link}

    async def picture(self, request: Request) -> Response:
        """The picture of a course of the package, or of a generated one."""
        if not self._may_start(request):
            return _no_start()
        query = request.query_params
        try:
            if "course" in query:
                svg = await run_in_threadpool(self._picture, query)
            else:  # it is made first
                async with self._choosing:
                    svg = await run_in_threadpool(self._picture, query)
        except RoboRallyError as error:
            return JSONResponse({"error": str(error)}, 400, headers=HEADERS)
        return Response(svg, media_type="image/svg+xml", headers={**HEADERS, "Cache-Control": "private, max-age=3600"})

    def _picture(self, query: Fields) -> str:
        edition = query.get("edition", "")
        if edition not in editions():
            raise RoboRallyError(f"edition: expected one of {', '.join(editions())}")
        asked: JsonObject = {"course": query.get("course")}
        if "course" not in query:
            asked = {"generated": {key: _whole(query.get(key)) for key in ("difficulty", "seed") if key in query}}
        players = check_whole(_whole(query.get("players", "2")), "players", 2, EDITIONS[edition].players[1])
        course = self.lobby.course_of(asked, edition, players)
        return board_svg(course, theme="dark" if query.get("theme") == "dark" else "light")

    async def begin(self, request: Request) -> Response:
        """Begin a race: a choice as JSON. Answers with the links, or with one line that says what is wrong.

        A race in progress ends only if the query's `ends` names it, so no page ends a race that it does not know.
        """
        if not self._may_start(request):
            return _no_start()
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return JSONResponse({"error": "the choice: expected JSON"}, 415, headers=HEADERS)
        text = b""
        with suppress(ClientDisconnect):
            async for part in request.stream():
                text += part
                if len(text) > LONGEST_CHOICE:
                    break
        if len(text) > LONGEST_CHOICE:
            return JSONResponse({"error": f"the choice: expected at most {LONGEST_CHOICE} bytes"}, 413, headers=HEADERS)
        if self._beginning:
            return JSONResponse({"error": "a race is already being set up: wait a moment"}, 409, headers=HEADERS)
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            return JSONResponse({"error": "the choice: not JSON"}, 400, headers=HEADERS)
        self._beginning = True
        try:
            return await self._begin_once(request, data)
        finally:
            self._beginning = False

    async def _begin_once(self, request: Request, data: Json) -> Response:
        """Begin a race, once no picture of a generated course is being made."""
        async with self._choosing:
            if self._played and request.query_params.get("ends") != self.table.id:  # type: ignore[union-attr]
                said = "A race is in progress. Press the button again to end it."
                return JSONResponse({"error": said, "race": self._running()}, 409, headers=HEADERS)
            try:
                await self._begin(data)
            except RoboRallyError as error:
                return JSONResponse({"error": str(error)}, 400, headers=HEADERS)
        return JSONResponse(self._links(), headers=HEADERS)

    # -- the pages of a race

    async def page(self, request: Request) -> Response:
        """A player's page."""
        if self._who(request) is None:
            return _no_seat()
        return HTMLResponse(asset("play/play.html"), headers=HEADERS)

    async def asset(self, request: Request) -> Response:
        """A script or a style sheet."""
        name = request.path_params["name"]
        if name not in SERVED:
            return PlainTextResponse("no such file", 404, headers=HEADERS)
        return Response(asset(name), media_type=SERVED[name], headers=HEADERS)

    async def replay(self, request: Request) -> Response:
        """The replay of a race that is over."""
        table = self.table
        if self._who(request) is None or table is None:
            return PlainTextResponse("this link opens no seat", 403, headers=HEADERS)
        if table.phase != OVER or table.saved is None:
            return JSONResponse({"error": "the replay is ready when the race is over"}, 409, headers=HEADERS)
        if not table.saved.is_file():
            return JSONResponse({"error": f"{table.saved.name} is no longer there"}, 404, headers=HEADERS)
        return FileResponse(table.saved, filename=table.saved.name, media_type="application/json", headers=HEADERS)

    async def watch(self, request: Request) -> Response:
        """The page on which a race that is over can be watched."""
        table = self.table
        if self._who(request) is None or table is None:
            return _no_seat()
        if table.phase != OVER or table.saved is None:
            return _notice("There is nothing to watch yet", "The page is ready when the race is over.", 409)
        try:
            page = await run_in_threadpool(_watched, table.saved)
        except RoboRallyError as error:
            return _notice("The race cannot be shown", html.escape(str(error)), 404)
        return HTMLResponse(page, headers=WATCH_HEADERS)

    def look_back(self, card_for: int | None = None) -> LookBack | None:
        """The work on the race that is over, on its page or on a player's card; None if there is no such race."""
        path = None if self.table is None or self.table.phase != OVER else self.table.saved
        if path is None:
            return None
        found = self._looks.get(card_for)
        if found is None or found.path != path:
            robots = [] if card_for in (None, WATCHING) else self.table.setup.robots_of(card_for)  # type: ignore[union-attr]
            found = LookBack(path, card_for is not None, next(iter(robots), None))
            self._looks[card_for] = found
        return found

    async def looked(self, request: Request) -> Response:
        """The page of a race that is looked back on, or its card with a link that saves it; or one that waits for
        it."""
        player, is_card = self._who(request), _is_of_card(request)
        if player is None:
            return _no_seat()
        found = self.look_back(player if is_card else None)
        if found is None:
            return _notice("There is nothing to look back on yet", "The page can be made when the race is over.", 409)
        if found.page:
            page = found.page.replace("<main>", f"<main>{_SAVE_CARD}", 1) if is_card else found.page
            return HTMLResponse(page, headers=WATCH_HEADERS)
        title, text = CARD_WAITS if is_card else REVIEW_WAITS
        return HTMLResponse(filled("play/progress.html", title=title, text=text), headers=HEADERS)

    async def card_file(self, request: Request) -> Response:
        """The card as a file."""
        player = self._who(request)
        if player is None:
            return _no_seat()
        found = self.look_back(player)
        if found is None or not found.page:
            return _notice("The card is not ready", "Open the card first.", 409)
        saved = {"Content-Disposition": f'attachment; filename="{slugify(found.path.stem)}_card.html"'}
        return HTMLResponse(found.page, headers=WATCH_HEADERS | saved)

    async def looked_state(self, request: Request) -> Response:
        """How far that page or card is. It is made while this is polled."""
        player = self._who(request)
        if player is None:
            return JSONResponse({"error": "this link opens no seat"}, 403, headers=HEADERS)
        found = self.look_back(player if _is_of_card(request) else None)
        if found is None:
            return JSONResponse({"error": "another race has started"}, 409, headers=HEADERS)
        return JSONResponse({**found.ask(), "compiling": compiling()}, headers=HEADERS)

    # -- the socket

    async def socket(self, socket: WebSocket) -> None:
        """Serve a page's connection. A player's newest page plays; the older one gets a message and is closed."""
        self._loop = asyncio.get_running_loop()
        await socket.accept()
        player = self._who(socket)
        if player is None:
            await socket.close(UNKNOWN_LINK, "this link opens no seat")
            return
        if player == WATCHING and len(self.watching) >= MOST_WATCHING:
            await socket.close(FULL, f"{MOST_WATCHING} people watch already")
            return
        page = Connection(socket)
        self._come(player, page)
        parts = (self._send(player, page), self._receive(player, page), page.ended.wait(), _count_down(page))
        tasks = [asyncio.ensure_future(part) for part in parts]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            self._leave(player, page)
        if page.ended.is_set():
            with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):  # a page that does not read is left alone
                await asyncio.wait_for(socket.close(*page.ending), CLOSING)

    def _come(self, player: int, page: Connection) -> None:
        if player == WATCHING:
            self.watching.add(page)
            self._wake_all()
            return
        before = self.pages.get(player)
        self.pages[player] = page
        if before is not None:
            before.ended.set()

    def _leave(self, player: int, page: Connection) -> None:
        if player == WATCHING:
            self.watching.discard(page)
            self._wake_all()
        elif self.pages.get(player) is page:
            del self.pages[player]

    async def _receive(self, player: int, page: Connection) -> None:
        while True:
            message = await page.socket.receive()
            if message["type"] == "websocket.disconnect" or page.ended.is_set():
                return
            text = message.get("text")
            said: Message | None = None
            try:
                if player == WATCHING:
                    raise Refused("spectators cannot play")
                assert self.table is not None
                said = parse(message.get("bytes", b"") if text is None else text)
                if isinstance(said, Trial):  # a page that asks much waits for its own answers
                    page.reply(await run_in_threadpool(self.table.advise, player, said))
                elif isinstance(said, Advice):
                    self._look_for_hint(player, page, said)
                else:
                    self.table.answer(player, said)
            except Refused as error:
                page.reply(_refusal(said, error))

    def _look_for_hint(self, player: int, page: Connection, said: Advice) -> None:
        """Begin the search for a hint. It may take long where code is compiled first: other messages do not wait."""
        if page.search is not None and not page.search.done():
            raise Refused("the search for a hint is already running")
        page.search = asyncio.ensure_future(self._hint(player, page, said))

    async def _hint(self, player: int, page: Connection, said: Advice) -> None:
        assert self.table is not None
        try:
            page.reply(await run_in_threadpool(self.table.advise, player, said))
        except Refused as error:
            page.reply(_refusal(said, error))

    async def _send(self, player: int, page: Connection) -> None:
        """Send the page all items that it does not have, as they appear."""
        query = page.socket.query_params
        assert self.table is not None
        race, sent, last = query.get("race"), _number(query.get("have")), ""
        sent = min(sent, len(self.table.feed(player)))
        with suppress(RuntimeError, WebSocketDisconnect):
            while not page.ended.is_set():
                table = self.table
                page.wake.clear()
                if race != table.id:
                    race, sent, last = table.id, 0, ""
                for text in _taken(page.replies):
                    await page.socket.send_text(text)
                now = {**table.now(player), **self._round_the_table(player)}
                for item in table.feed(player, sent)[: now["items"] - sent]:
                    await page.socket.send_text(item)
                    sent += 1
                if race != table.id or table is not self.table:
                    continue  # another race has started meanwhile
                page.counting = "compiling" in now
                replies = _as_text(now)
                if replies != last:
                    left = {"left": round(table.seconds_left(), 1)} if "timer" in now else {}
                    await page.socket.send_text(_as_text({**now, **left}) if left else replies)
                    last = replies
                await page.wake.wait()

    def _round_the_table(self, player: int) -> JsonObject:
        """What a page receives beside the race: who watches, and its links."""
        found: JsonObject = {
            "watching": len(self.watching),
            "watch": f"/watch/{self.watch_token}",
            "base": self.base,
        }
        return {**found, "start": f"/start/{self.start_token}"} if player == 0 else found


async def _count_down(page: Connection) -> None:
    """Every second, while something is compiled, send the page how long it still takes; and once more at the end."""
    while True:
        await asyncio.sleep(1)
        if page.counting or Progress.now() is not None:
            page.wake.set()


def new_token() -> str:
    """The secret of a link."""
    return secrets.token_urlsafe(12)


def _guided(data: Json) -> PlaySetup:
    return guided_setup()


def _is_token(value: object) -> bool:
    return isinstance(value, str) and 16 <= len(value) <= 64 and set(value) <= _IN_TOKENS


def _is_of_card(request: Request) -> bool:
    """Whether a request to look back on a race is for its card."""
    return str(request.scope["path"]).split("/")[3] == "card"


def _is_same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())


def _as_text(data: Json) -> str:
    return json.dumps(data, separators=(",", ":"))


def _no_start() -> Response:
    return PlainTextResponse("this link opens no start page", 403, headers=HEADERS)


async def _nowhere(request: Request, error: Exception) -> Response:
    """The notice for an address without a page."""
    return _notice("There is no page at this address", "Use the link that you were given.", 404)


def _no_seat() -> Response:
    text = "The race has ended, or the link has changed. Ask whoever runs the game for a new one."
    return _notice("This link is out of date", text, 403)


def _refusal(said: Message | None, error: Refused) -> JsonObject:
    """The answer to a page whose request was refused."""
    about = {"about": "ghost"} if isinstance(said, Trial) else {"about": "hint"} if isinstance(said, Advice) else {}
    return {"type": "refused", "text": str(error), **about}


def _watched(path: Path) -> str:
    return replay_page(load(path))


def _taken(texts: list[str]) -> list[str]:
    found = texts[:]
    texts.clear()
    return found


def _whole(text: str | None) -> int | str | None:
    """A whole number of a query; other texts as they are, for the check that refuses them."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 19 else text


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0


def _notice(title: str, text: str, status: int) -> Response:
    """A small page with one message."""
    return HTMLResponse(filled("play/notice.html", title=title, text=text), status, headers=HEADERS)
