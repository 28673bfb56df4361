"""The page and its socket: links, tokens, foreign pages, lost connections, messages that are none."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from importlib import resources
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from roborally_env.play import table
from roborally_env.play.hint import hint_of
from roborally_env.replay import load, play
from tests.play.helpers import COMPLETE, LIGHTER, Served, served, wait_for

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
client = pytest.importorskip("websockets.sync.client")
ConnectionClosed = pytest.importorskip("websockets.exceptions").ConnectionClosed
InvalidStatus = pytest.importorskip("websockets.exceptions").InvalidStatus

TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
TWO_PEOPLE = {**LIGHTER, "opponents": ["random"] * 2, "humans": 2}


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Served]:
    """A race of two people and two bots."""
    with served(tmp_path / "race.json", **TWO_PEOPLE) as found:
        yield found


class Page:
    """What a page's script does, without a browser."""

    def __init__(
        self, table: Served, player: int = 0, race: str = "", have: int = 0, token: str = "", kind: str = "seat"
    ) -> None:
        token = token or table.server.tokens[player]
        url = f"ws://{table.host}/{kind}/{token}/socket?race={race}&have={have}"
        self.stack = ExitStack()
        self.socket = self.stack.enter_context(client.connect(url, max_size=2**24, proxy=None))
        self.race, self.items = race, [None] * have
        self.now: dict[str, Any] = {}
        self.refused: list[str] = []
        self.advice: list[dict[str, Any]] = []  # ghosts and hints

    def read(self) -> None:
        data = json.loads(self.socket.recv(timeout=300))
        if data["type"] == "now":
            self.now = data
        elif data["type"] == "refused":
            self.refused.append(data["text"])
        elif data["type"] in ("ghost", "hint"):
            self.advice.append(data)
        else:
            self.race = data.get("race", self.race)
            self.items.append(data)

    def read_until(self, done: Any, what: str) -> None:
        wait_for(lambda: done(self) or self.read(), what)

    def asked(self) -> dict[str, Any]:
        """The question that is open."""
        self.read_until(lambda page: page.now.get("questions"), "a question")
        question: dict[str, Any] = self.now["questions"][0]
        return question

    def answer(self, dice: random.Random) -> None:
        """Answer what is asked, by chance."""
        question = self.asked()
        message: dict[str, Any] = {"number": question["number"], "robot": question["robot"]}
        if question["kind"] == "program":
            slots: list[int | None] = []
            for register in question["registers"]:
                free = [slot for slot in register["slots"] if slot not in slots]
                slots.append(dice.choice(free) if register["slots"] else None)
            message |= {"type": "program", "slots": slots}
        else:
            message |= {"type": "choice", "option": dice.choice(question["answers"])["option"]}
        self.now = {}
        self.send(message)

    def send(self, message: Any) -> None:
        self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    def says_of(self, message: Any) -> str:
        """How a message is refused."""
        before = len(self.refused)
        self.send(message)
        self.read_until(lambda page: len(page.refused) > before, "a refusal")
        return self.refused[-1]


def go_on(table: Served, pages: dict[int, Page], until: Any, dice: random.Random) -> None:
    """These players answer by chance, each what it is asked, until something holds."""
    race = wait_for(lambda: table.table.race, "the race")
    wait_for(
        lambda: until(race) or (any(answer_one(race, *each, dice) for each in pages.items()) and False), "the race"
    )


def answer_one(race: Any, player: int, page: Page, dice: random.Random) -> None:
    """Answer what a player is asked, if anything, and wait until it is taken."""
    questions, number = race.questions(player), race.number
    if questions:
        page.read_until(lambda each: each.now.get("number") == number and each.now.get("questions"), "its question")
        page.answer(dice)
        wait_for(lambda: race.number > number or questions[0].robot not in race.waiting, "the answer to be taken")


def get(table: Served, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """Status, headers and text of a request."""
    connection = HTTPConnection("127.0.0.1", table.port, timeout=30)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, {k.lower(): v for k, v in response.getheaders()}, response.read().decode()
    finally:
        connection.close()


def test_each_seat_has_a_page_and_everything_that_it_loads_comes_from_the_server(two: Served) -> None:
    tokens = two.server.tokens
    web = resources.files("roborally_env.web")
    files = [f"{folder}/{path.name}" for folder in ("play", "shared") for path in web.joinpath(folder).iterdir()]
    assert len(set(tokens)) == 2
    for token in tokens:
        status, headers, text = get(two, f"/seat/{token}")
        assert status == 200
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["referrer-policy"] == "no-referrer"
        assert token not in text
        assert "http://" not in text.replace("http://www.w3.org", "")
        for name in (file for file in files if Path(file).suffix in TYPES):
            status, headers, _ = get(two, f"/assets/{name}")
            assert status == 200, name
            assert headers["content-type"].startswith(TYPES[Path(name).suffix])


@pytest.mark.parametrize("path", ["/", "/seat/wrong", "/seat/", "/seat/%00", "/seat/wrong/replay.json"])
def test_without_a_token_of_the_race_there_is_nothing_to_see(two: Served, path: str) -> None:
    status, _, text = get(two, path)
    assert status in (403, 404)
    assert not any(token in text for token in two.server.tokens)


def test_an_address_without_a_page_has_a_notice(two: Served) -> None:
    status, _, text = get(two, "/nope")
    assert status == 404
    assert "<html" in text
    assert "no page at this address" in text


@pytest.mark.parametrize(
    "name", ["play/play.html", "watch/viewer.js", "../server.py", "..%2fserver.py", "play/../files.py", "none.js", ""]
)
def test_no_other_file_is_served(two: Served, name: str) -> None:
    assert get(two, f"/assets/{name}")[0] == 404


def test_a_socket_with_a_wrong_token_is_closed_with_the_reason(two: Served) -> None:
    page = Page(two, token="wrong")
    with pytest.raises(ConnectionClosed) as caught:
        page.read()
    assert caught.value.rcvd.code == 4403
    assert caught.value.rcvd.reason == "this link opens no seat"


def test_names_that_only_point_to_this_machine_are_refused(two: Served) -> None:
    """DNS rebinding: the browser of a person sends a foreign name to the server on its own machine."""
    path = f"/seat/{two.server.tokens[0]}"
    for host in ("evil.example", f"evil.example:{two.port}", "127.0.0.1.evil.example", "10.0.0.1", ""):
        status, _, text = get(two, path, Host=host)
        assert status in (400, 403), host
        assert "<script" not in text
    for host in (f"localhost:{two.port}", f"[::1]:{two.port}", f"127.0.0.1:{two.port}"):
        assert get(two, path, Host=host)[0] == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://"])
def test_a_socket_that_a_foreign_page_opens_is_refused(two: Served, origin: str) -> None:
    url = f"ws://{two.host}/seat/{two.server.tokens[0]}/socket"
    with pytest.raises(InvalidStatus) as caught, client.connect(url, origin=origin, proxy=None):
        pass
    assert caught.value.response.status_code == 403
    with client.connect(url, origin=f"http://{two.host}", proxy=None) as socket:
        assert socket.recv(timeout=300)


def test_messages_that_are_none_are_named_and_the_race_goes_on(two: Served) -> None:
    page = Page(two)
    question = page.asked()
    number, robot = question["number"], question["robot"]
    assert page.says_of("not JSON at all") == "message: not JSON: 'not JSON at all'"
    assert page.says_of(b"\x00\xff") == "message: expected text, got bytes"
    assert "expected program, choice, shown" in page.says_of({"type": "cheat"})
    assert "expected at most 2000 characters" in page.says_of({"type": "shown", "items": 1, "x": "y" * 3000})
    program = {"type": "program", "number": number, "robot": robot, "slots": [0, 0, 1, 2, 3]}
    assert page.says_of(program) == "program: the card in slot 0 is already in register 1"
    assert page.says_of({**program, "robot": 1}) == "robot 1 is not yours"
    assert "is unknown" in page.says_of({**program, "number": 999})
    assert page.says_of({"type": "choice", "number": number, "robot": robot, "option": 0}).startswith(
        "robot 0 programs now"
    )
    page.answer(random.Random(1))
    page.read_until(lambda each: each.now.get("waiting") == [1], "the other player's turn")


def test_ghosts_and_hints_are_for_who_asks_and_change_nothing(two: Served) -> None:
    ann, bob = Page(two, 0), Page(two, 1)
    number = ann.asked()["number"]
    bob.asked()
    race = two.table.race
    assert race is not None
    before = race.batch.snapshot()
    slots = [ann.now["questions"][0]["registers"][0]["slots"][0], None, None, None, None]
    ann.send({"type": "ghost", "number": number, "robot": 0, "slots": slots})
    ann.send({"type": "hint", "number": number, "robot": 0})
    ann.read_until(lambda page: len(page.advice) == 2, "both answers")
    ghost, hint = sorted(ann.advice, key=lambda data: data["type"])
    assert ghost["slots"] == slots
    assert ghost["ghost"]["registers"] == 1
    assert ghost["ghost"]["text"].startswith("Alone, your robot ")
    race.open[0].check_program(hint["slots"])
    assert hint["why"]
    assert hint["ghost"]["registers"] == 5
    assert race.batch.snapshot() == before
    assert race.hints == [1, 0, 0, 0]
    for message, expected in (
        ({"type": "ghost", "number": number, "robot": 1, "slots": slots}, "robot 1 is not yours"),
        ({"type": "ghost", "number": number + 1, "robot": 0, "slots": slots}, "is unknown"),
        (
            {"type": "ghost", "number": number, "robot": 0, "slots": [99, None, None, None, None]},
            "slot 99 is not legal",
        ),
        ({"type": "hint", "number": number, "robot": 1}, "robot 1 is not yours"),
    ):
        assert expected in ann.says_of(message)
    bob.send({"type": "shown", "items": 1})
    assert bob.advice == []


def test_a_hint_is_looked_for_once_and_answers_do_not_wait_for_it(two: Served, monkeypatch: Any) -> None:
    started, go_on = Event(), Event()

    def slow(*given: Any) -> Any:
        started.set()
        go_on.wait(60)
        return hint_of(*given)

    monkeypatch.setattr(table, "hint_of", slow)
    page = Page(two)
    question = page.asked()
    page.send({"type": "hint", "number": question["number"], "robot": 0})
    assert started.wait(60)
    again = {"type": "hint", "number": question["number"], "robot": 0}
    assert page.says_of(again) == "the search for a hint is already running"
    page.answer(random.Random(1))
    page.read_until(lambda page: 0 in page.now.get("answered", ()), "the program's acceptance")
    go_on.set()
    page.read_until(lambda page: page.advice, "the hint")


def test_a_message_that_is_far_too_long_closes_the_socket_and_nothing_else(two: Served) -> None:
    page = Page(two)
    page.asked()
    page.send("x" * 100_000)
    with pytest.raises(ConnectionClosed) as caught:
        page.read_until(lambda _: False, "the end")
    assert caught.value.rcvd.code == 1009
    assert Page(two).asked()["kind"] == "program"


def test_a_late_program_is_named_by_its_round(two: Served) -> None:
    dice = random.Random(4)
    first, second = Page(two, 0), Page(two, 1)
    question = first.asked()
    slots = [register["slots"][-1 - k] for k, register in enumerate(question["registers"])]
    go_on(two, {0: first, 1: second}, lambda race: race.round == 2, dice)
    late = {"type": "program", "number": question["number"], "robot": 0, "slots": slots}
    assert first.says_of(late) == "round 1 is over: this program was for round 1"


def test_a_connection_that_comes_back_is_sent_what_it_has_not(two: Served) -> None:
    dice = random.Random(2)
    first, second = Page(two, 0), Page(two, 1)
    first.answer(dice)
    first.read_until(lambda page: page.now.get("waiting") == [1], "the other player's turn")
    had = len(first.items)
    first.stack.close()
    go_on(two, {1: second}, lambda race: race.waiting == [0] or race.round == 2, dice)
    again = Page(two, 0, race=first.race, have=had)
    again.asked()
    assert again.items[:had] == [None] * had
    assert all(item["type"] == "piece" for item in again.items[had:])
    whole = Page(two, 0)
    whole.asked()
    assert whole.items[0]["type"] == "header"
    assert whole.items[had:] == again.items[had:]
    other = Page(two, 0, race="another", have=7)
    other.read()
    assert other.items[7]["type"] == "header"  # of another race everything is sent


@pytest.mark.parametrize("have", ["-1", "x", "99999999999999999999", "1e3"])
def test_a_wrong_count_of_items_does_no_harm(two: Served, have: str) -> None:
    race = two.table.id
    url = f"ws://{two.host}/seat/{two.server.tokens[0]}/socket?race={race}&have={have}"
    with client.connect(url, max_size=2**24, proxy=None) as socket:
        assert json.loads(socket.recv(timeout=300))["type"] in ("header", "now")


def test_the_newest_window_of_a_seat_takes_over_and_the_older_one_is_notified(two: Served) -> None:
    older = Page(two)
    older.asked()
    newer = Page(two)
    question = newer.asked()
    with pytest.raises(ConnectionClosed) as caught:
        older.read_until(lambda _: False, "the end")
    assert caught.value.rcvd.code == 4001
    assert caught.value.rcvd.reason == "opened in another window"
    assert question["robot"] == 0
    newer.answer(random.Random(1))
    newer.read_until(lambda page: page.now.get("answered") and 0 in page.now.get("answered", ()), "its program")


def test_a_page_that_leaves_does_not_close_the_newer_one(two: Served) -> None:
    older = Page(two)
    older.asked()
    newer = Page(two)
    newer.asked()
    older.stack.close()
    newer.answer(random.Random(1))
    newer.read_until(lambda page: page.now.get("waiting") == [1], "the other player's turn")


def test_a_whole_race_of_the_complete_game_and_its_replay(tmp_path: Path) -> None:
    dice = random.Random(9)
    with served(tmp_path / "race.json", **COMPLETE, max_rounds=2) as table:
        page = Page(table)
        path = f"/seat/{table.server.tokens[0]}/replay.json"
        page.asked()
        assert get(table, path)[0] == 409  # it would show what the others hold
        while page.now.get("phase") != "over":
            page.answer(dice)
            page.read_until(lambda each: each.now.get("questions") or each.now.get("phase") == "over", "what comes")
        status, headers, text = get(table, path)
        assert status == 200
        assert headers["content-disposition"] == 'attachment; filename="race.json"'
        (tmp_path / "downloaded.json").write_text(text)
        *_, end = play(load(tmp_path / "downloaded.json"))
        assert end.over
        assert page.now["result"]["rounds"] == end.number


def test_a_replay_of_any_name_is_downloaded_and_one_that_is_gone_is_named(tmp_path: Path) -> None:
    dice = random.Random(9)
    with served(tmp_path / 'гонка "1".json', **LIGHTER, max_rounds=1) as table:
        page = Page(table)
        while page.now.get("phase") != "over":
            page.answer(dice)
            page.read_until(lambda each: each.now.get("questions") or each.now.get("phase") == "over", "what comes")
        path = f"/seat/{table.server.tokens[0]}/replay.json"
        status, headers, text = get(table, path)
        assert status == 200
        assert headers["content-disposition"].startswith("attachment; filename*=utf-8''")
        assert json.loads(text)["format"]
        table.table.path.unlink()
        status, _, text = get(table, path)
        assert status == 404
        assert "is no longer there" in json.loads(text)["error"]


def test_the_end_of_the_server_stops_and_saves_the_race(tmp_path: Path) -> None:
    dice = random.Random(9)
    with served(tmp_path / "race.json", **{**LIGHTER, "opponents": ["random"] * 3}) as table:
        page = Page(table)
        go_on(table, {0: page}, lambda race: race.round == 3 and race.programming, dice)
    assert [played.number for played in play(load(tmp_path / "race.json"))] == [0, 1, 2]


def test_of_many_connections_to_one_seat_only_the_newest_stays_open(two: Served) -> None:
    pages = [Page(two) for _ in range(40)]
    pages[-1].read_until(lambda page: page.now, "the newest page's news")
    for page in pages[:-1]:
        with pytest.raises(ConnectionClosed, match="4001"):
            page.read_until(lambda page: False, "the end")
    wait_for(lambda: len(two.connections) == 1, "the others' end")
    pages[-1].asked()
    for page in pages:
        page.stack.close()


def test_a_page_that_does_not_read_is_given_up_when_another_takes_its_seat(two: Served, monkeypatch: Any) -> None:
    monkeypatch.setattr("roborally_env.play.server.CLOSING", 0.2)

    async def never(*_: Any) -> None:
        await asyncio.sleep(60)

    lazy = Page(two)
    lazy.read_until(lambda page: page.now, "news")
    monkeypatch.setattr(two.server.pages[0].socket, "close", never)
    newer = Page(two)
    newer.read_until(lambda page: page.now, "news")
    wait_for(lambda: len(two.connections) == 1, "the end of the older one")
    lazy.stack.close()
    newer.stack.close()


# -- those who only watch


def watcher(table: Served) -> Page:
    return Page(table, token=table.server.watch_token, kind="watch")


def test_who_watches_sees_the_race_and_no_hidden_card(two: Served) -> None:
    dice = random.Random(3)
    pages = {0: Page(two, 0), 1: Page(two, 1)}
    looks = watcher(two)
    go_on(two, pages, lambda race: race.round == 3, dice)
    looks.read_until(lambda page: page.now.get("round") == 3, "round 3")
    header, *pieces = looks.items
    assert header["robots"] == []
    assert header["player"] is None
    cards = 0
    state: dict[str, Any] = {}
    for piece in pieces:
        state = piece.get("state", state)
        for moment in piece["moments"]:
            for robot, changes in moment.get("robots", {}).items():
                state["robots"][int(robot)] |= changes
            state |= moment.get("set", {})
            for its in state["robots"]:
                assert isinstance(its["hand"], int)
                assert all(card in (None, "?") for card in its["registers"][state["register"] :])
            cards += moment["kind"] == "card"
    assert cards > 10
    assert looks.now["questions"] == []
    assert not any(token in json.dumps([looks.now, looks.items]) for token in two.server.tokens)


def test_players_are_told_how_many_watch(two: Served) -> None:
    page = Page(two)
    page.read_until(lambda each: each.now.get("watching") == 0, "nobody")
    looks = [watcher(two), watcher(two)]
    page.read_until(lambda each: each.now.get("watching") == 2, "two")
    looks[0].stack.close()
    page.read_until(lambda each: each.now.get("watching") == 1, "one")
    assert page.now["watch"] == f"/watch/{two.server.watch_token}"
    looks[1].stack.close()


def test_who_watches_cannot_play(two: Served) -> None:
    page, looks = Page(two), watcher(two)
    question = page.asked()
    slots = [0, 1, 2, 3, 4]
    for message in (
        {"type": "program", "number": question["number"], "robot": 0, "slots": slots},
        {"type": "draft", "number": question["number"], "robot": 0, "slots": slots},
        {"type": "rematch"},
        {"type": "shown", "items": 99},
        "nonsense",
        b"\x00",
    ):
        assert looks.says_of(message) == "spectators cannot play"
    assert two.table.race.waiting == [0, 1]
    for token, kind in ((two.server.watch_token, "seat"), (two.server.tokens[0], "watch")):
        wrong = Page(two, token=token, kind=kind)
        with pytest.raises(ConnectionClosed) as caught:
            wrong.read()
        assert caught.value.rcvd.code == 4403
        assert get(two, f"/{kind}/{token}")[0] == 403


def test_no_more_watch_than_may(two: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roborally_env.play.server.MOST_WATCHING", 3)
    looks = [watcher(two) for _ in range(3)]
    for page in looks:
        page.read_until(lambda each: each.now, "news")
    last = watcher(two)
    with pytest.raises(ConnectionClosed) as caught:
        last.read()
    assert (caught.value.rcvd.code, caught.value.rcvd.reason) == (4429, "3 people watch already")
    looks[0].stack.close()
    wait_for(lambda: len(two.server.watching) == 2, "a free place")
    again = watcher(two)
    again.read_until(lambda each: each.now, "news")
    assert Page(two).asked()


@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
def test_a_foreign_page_cannot_watch(two: Served, origin: str) -> None:
    url = f"ws://{two.host}/watch/{two.server.watch_token}/socket"
    with pytest.raises(InvalidStatus) as caught, client.connect(url, origin=origin, proxy=None):
        pass
    assert caught.value.response.status_code == 403


def test_who_watches_gets_the_replay_when_the_race_is_over(tmp_path: Path) -> None:
    with served(tmp_path / "race.json", **LIGHTER, max_rounds=1) as table:
        page, path = Page(table), f"/watch/{table.server.watch_token}"
        looks = watcher(table)
        page.asked()
        assert get(table, f"{path}/replay.json")[0] == get(table, f"{path}/watch")[0] == 409
        page.answer(random.Random(1))
        looks.read_until(lambda each: each.now.get("phase") == "over", "the end")
        assert looks.now["result"]["rounds"] == 1
        assert "start" not in looks.now
        assert get(table, f"{path}/replay.json")[0] == 200
        assert get(table, f"{path}/watch")[0] == 200


def test_cards_that_lie_are_noted_where_a_timer_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roborally_env.play.table._LOOK", 0.05)
    with served(tmp_path / "race.json", **LIGHTER, timer=2, bot_time=0, max_rounds=1) as table:
        page = Page(table)
        question = page.asked()
        assert page.now["timer"] == {"runs": False, "seconds": 0, "caught": []}
        first = question["registers"][0]["slots"][0]
        draft = {"type": "draft", "number": question["number"], "robot": 0, "slots": [first, None, None, None, None]}
        assert (
            page.says_of({**draft, "slots": [99, None, None, None, None]})
            == "program: slot 99 is not legal in register 1"
        )
        page.send(draft)
        page.send({"type": "shown", "items": len(page.items)})
        page.read_until(lambda each: each.now["timer"]["runs"], "the timer")
        assert page.now["timer"]["seconds"] == 2
        assert 1 < page.now["left"] <= 2
        page.read_until(lambda each: each.now["phase"] == "over", "the end")
        assert page.now["timer"]["caught"] == [0]
        assert table.table.race.replay().rounds[0].opened[0] == 0b11110
