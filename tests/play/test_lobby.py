"""The start page without a browser: what can be chosen, what begins, and what may not be asked for."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.play.clock import Timer
from roborally_env.play.levels import LEVELS, level_of
from roborally_env.play.lobby import Lobby, first_course, usual_path
from roborally_env.play.race import PlayRace
from roborally_env.play.saved_race import save_race
from roborally_env.play.setup import check_play
from tests.play.helpers import Served, answer_all, served, wait_for
from tests.play.test_server import Page, get

client = pytest.importorskip("websockets.sync.client")
ConnectionClosed = pytest.importorskip("websockets.exceptions").ConnectionClosed

ALONE = {"people": ["Ann"], "course": "dizzy_highway", "opponents": ["random"] * 3, "lighter": True}


# -- what is chosen


@pytest.mark.parametrize("edition", ["2016", "2005", "2023", "community"])
def test_what_is_chosen_at_first_can_be_raced_and_goes_over_three_checkpoints(edition: str) -> None:
    choices = Lobby().choices()
    found = next(each for each in choices["editions"] if each["name"] == edition)
    course = next(each for each in found["courses"] if each["name"] == found["course"])
    assert course["checkpoints"] >= 3
    for level in LEVELS:
        setup = Lobby().setup_of({"edition": edition, "people": [""], "level": level})
        assert setup.course.slug == found["course"] == first_course(edition)
        assert setup.people == ("player 1",)
        assert set(setup.opponents) == {found["levels"][level]}
        assert setup.timer is None


@pytest.mark.parametrize("edition", ["2016", "2005", "2023", "community"])
def test_the_words_of_levels_stand_for_agents(edition: str) -> None:
    expected = {"easy": "easy", "normal": "greedy", "hard": "planner", "expert": "learned-search"}
    assert {level: level_of(edition, level, 1)[0] for level in LEVELS} == expected
    assert level_of(edition, "hard", 3) == ("planner",) * 3


def test_a_level_alone_is_for_all_opponents_and_more_words_are_one_each() -> None:
    assert check_play("dizzy_highway", ["normal"]).opponents == ("greedy",) * 3
    assert check_play("2005/checkmate", ["easy"], humans=2).opponents == ("easy",) * 3  # five play there at least
    assert check_play("dizzy_highway", ["easy", "hard", "random"]).opponents == ("easy", "planner", "random")


def test_every_course_says_how_long_a_race_takes() -> None:
    for edition in Lobby().choices()["editions"]:
        assert {course["name"] for course in edition["courses"] if not course["rounds"]} == set()


def test_everything_can_be_chosen() -> None:
    setup = Lobby().setup_of(
        {
            "edition": "2005",
            "course": "twister",
            "players": 6,
            "people": ["Ann", "", "Bob"],
            "opponents": ["planner", "greedy", "random"],
            "lighter": True,
            "timer": 60,
            "bot_time": 0,
            "seed": 5,
        }
    )
    assert setup.course.edition == "2005"
    assert setup.people == ("Ann", "player 2", "Bob")
    assert setup.opponents == ("planner", "greedy", "random")
    assert setup.rules["options"] is False
    assert setup.timer == Timer(60, 0)
    assert setup.seed == 5


def test_a_race_of_people_only() -> None:
    assert Lobby().setup_of({"players": 2, "people": ["", ""]}).opponents == ()


def test_a_generated_course_is_that_of_its_seed() -> None:
    asked = {"people": [""], "players": 3, "generated": {"difficulty": 1, "seed": 8}}
    first, again = Lobby().setup_of(asked), Lobby().setup_of(asked)
    assert first.course == again.course
    assert 3 in first.course.counts
    assert ":" not in usual_path(first).name
    changed = check_play("2005/twister~1")
    assert str(usual_path(changed, 0.0)).startswith("twister_1_19")  # a file here, in no folder 2005
    assert Lobby().setup_of({"people": [""], "generated": {}}).course.counts


WRONG: dict[str, tuple[Any, str]] = {
    "nothing": (None, "choice"),
    "a list": ([], "choice"),
    "an unknown key": ({"peple": []}, "'peple'.*people"),
    "an unknown edition": ({"edition": "2017"}, "edition.*2016"),
    "no people": ({"people": []}, "people.*1.*8.*0"),
    "people that are none": ({"people": [1]}, "people"),
    "more people than players": ({"people": ["", "", ""], "players": 2}, "people.*2"),
    "too many players": ({"people": [""], "players": 7}, "players.*2.*6"),
    "players that are none": ({"people": [""], "players": "4"}, "players"),
    "a long name": ({"people": ["x" * 25]}, "names.*1.*24"),
    "the same name twice": ({"people": ["x", "x"]}, "names"),
    "an unknown course": ({"people": [""], "course": "twistr"}, "'twistr'.*twister"),
    "a file": ({"people": [""], "course": "courses/2016/twister.toml"}, "course"),
    "a path": ({"people": [""], "course": "/etc/passwd"}, "course"),
    "a changed course": ({"people": [""], "course": "twister~7"}, "course"),
    "a specification": ({"people": [""], "course": "generated:difficulty=1"}, "course"),
    "another edition's course": ({"people": [""], "edition": "2005", "course": "dodge_this"}, "course"),
    "too few players for it": ({"edition": "2005", "people": [""], "players": 4, "course": "checkmate"}, "players"),
    "an unknown agent": ({"people": [""], "opponents": ["gredy"] * 3}, "'gredy'.*greedy"),
    "an agent's file": ({"people": [""], "opponents": ["bot.py:Bot"] * 3}, r"'bot\.py:Bot'"),
    "an agent with options": ({"people": [""], "opponents": ["planner:simulations=99999999"] * 3}, "agent"),
    "too few agents": ({"people": [""], "opponents": ["greedy"]}, "opponents.*3"),
    "an unknown level": ({"people": [""], "level": "mad"}, "level.*easy, normal, hard.*'mad'"),
    "a level that is none": ({"people": [""], "level": []}, r"level.*'\[\]'"),
    "a time that is none": ({"people": [""], "bot_time": None}, "bot_time.*'None'"),
    "the bots' time without a timer": ({"people": [""], "bot_time": 60}, "bot_time.*timer"),
    "a wrong timer": ({"people": [""], "timer": 0}, "timer.*1.*3600"),
    "a wrong seed": ({"people": [""], "seed": -1}, "seed"),
    "a wrong switch": ({"people": [""], "lighter": 1}, "lighter"),
    "a difficulty that is none": ({"people": [""], "generated": {"difficulty": 6}}, "difficulty"),
    "a wrong seed of a course": ({"people": [""], "generated": {"seed": 2**32}}, "course"),
    "more of a course": ({"people": [""], "generated": {"way": "made"}}, "generated"),
}


KEYS = (
    "edition", "course", "generated", "players", "people", "level", "opponents", "lighter", "timer", "bot_time", "seed",
)  # fmt: skip
VALUES = (
    None, True, 0, -1, 2**70, 0.5, float("nan"), float("inf"), "", "\ud800", "\x1b[2J", [], ["x"], [[]], [None], {},
    {"x": []}, {"seed": []}, {"difficulty": {}},
)  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_a_value_of_any_type_is_raced_or_refused_in_one_line(key: str) -> None:
    for value in VALUES:
        if (key, value) in (("generated", {}), ("people", [])):
            continue
        try:
            Lobby().setup_of({"people": ["Ann"], key: value})
        except RoboRallyError as error:
            assert str(error).isprintable(), value  # noqa: PT017


@pytest.mark.parametrize(("data", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_choice_is_one_line(data: Any, message: str) -> None:
    with pytest.raises(RoboRallyError) as caught:
        Lobby().setup_of(data)
    assert re.search(message, str(caught.value))
    assert "\n" not in str(caught.value)


# -- the server


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Served]:
    """A start page; nothing is raced yet."""
    with served(tmp_path / "race.json") as found:
        yield found


def post(table: Served, data: Any, token: str = "", ends: str | None = None, **headers: str) -> tuple[int, Any]:
    """The status, and what is said. A race in progress ends, unless `ends` names another one."""
    if ends is None:
        ends = table.table.id if table.table is not None else ""
    connection = HTTPConnection("127.0.0.1", table.port, timeout=120)
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    sent = {"Content-Type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    try:
        path = f"/start/{token or table.server.start_token}/race"
        connection.request("POST", f"{path}?ends={ends}" if ends else path, body, sent)
        response = connection.getresponse()
        text = response.read().decode()
        return response.status, json.loads(text) if text.startswith("{") else text
    finally:
        connection.close()


def started(lobby: Served, **data: Any) -> dict[str, Any]:
    status, links = post(lobby, {**ALONE, **data})
    assert status == 200, links
    found: dict[str, Any] = links
    return found


def test_a_race_begins_and_is_played_from_its_first_seat(lobby: Served) -> None:
    assert lobby.table is None
    links = started(lobby)
    assert [each["name"] for each in links["seats"]] == ["Ann"]
    assert links["seats"][0]["link"] == lobby.link()
    assert links["seat"] == f"/seat/{lobby.server.tokens[0]}"
    page = Page(lobby)
    assert page.asked()["kind"] == "program"
    assert page.now["start"] == f"/start/{lobby.server.start_token}"
    text = get(lobby, f"/start/{lobby.server.start_token}/choices.json")[2]
    race = json.loads(text)["race"]
    assert race["title"] == "Dizzy Highway"
    assert race["goes_on"] is True


@pytest.mark.parametrize("key", KEYS)
def test_a_value_of_another_type_is_answered_with_400(lobby: Served, key: str) -> None:
    for value in ([[]], {"x": {}}, "\ud800", 0.5):
        status, said = post(lobby, {"people": ["Ann"], "course": "twister", key: value})
        assert (status, list(said)) == (400, ["error"])
    for data in ({"resume": []}, {"resume": {}}, {"resume": None}, [], 1, None, "x", {"guide": []}):
        assert post(lobby, data)[0] == 400
    assert lobby.table is None


def test_a_race_with_an_agent_of_one_s_own_goes_on_from_the_command_alone(lobby: Served) -> None:
    folder = lobby.server.lobby.folder
    race = PlayRace(check_play("dizzy_highway", ["random"] * 3))
    race.think()
    save_race(folder / "own.json", race.kept({}))
    text = (folder / "own.json").read_text()
    others = '["random", "random", "random"]'
    (folder / "own.json").write_text(text.replace(others, '["bot.py:Bot", "random", "greedy"]'))
    status, said = post(lobby, {"resume": "own.json"})
    assert status == 400
    assert said["error"].startswith(f"{folder / 'own.json'}: play: opponents: agent 'bot.py:Bot': a file may name ")
    assert said["error"].endswith(f"roborally play --resume {folder / 'own.json'} --opponents bot.py:Bot random greedy")


def test_the_guided_race_begins_from_the_start_page(lobby: Served) -> None:
    status, links = post(lobby, {"guide": True})
    assert status == 200
    assert len(links["seats"]) == 1
    page = Page(lobby)
    page.read_until(lambda page: page.items, "the header")
    assert page.items[0]["guided"] is True
    assert lobby.table is not None
    assert lobby.table.setup.course.slug == "first_steps"
    assert post(lobby, {"guide": 1, "course": "twister"})[0] == 400


def test_every_part_of_the_start_page_needs_its_token(lobby: Served) -> None:
    started(lobby)
    paths = ("", "/choices.json", "/course.svg?edition=2016&course=twister")
    for token in ("wrong", lobby.server.tokens[0], lobby.server.watch_token, "%00"):
        for path in paths:
            status, _, text = get(lobby, f"/start/{token}{path}")
            assert status == 403
            assert lobby.server.start_token not in text
        before = lobby.table
        assert post(lobby, ALONE, token=token)[0] == 403
        assert lobby.table is before
    for path in paths:
        status, headers, _ = get(lobby, f"/start/{lobby.server.start_token}{path}")
        assert status == 200
        assert "default-src 'self'" in headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/", "/start/", "/seat/", "/watch/", "/watch/wrong", "/watch/wrong/replay.json"])
def test_without_a_token_there_is_nothing_to_see(lobby: Served, path: str) -> None:
    started(lobby)
    status, _, text = get(lobby, path)
    assert status in (403, 404)
    secrets = (*lobby.server.tokens, lobby.server.start_token, lobby.server.watch_token)
    assert not any(token in text for token in secrets)


def test_foreign_pages_begin_no_race(lobby: Served) -> None:
    assert post(lobby, ALONE, Origin="http://evil.example")[0] == 403
    assert post(lobby, ALONE, Host="evil.example")[0] == 403
    assert post(lobby, ALONE, Content_Type="text/plain")[0] == 415  # what a form of a foreign page may send
    assert get(lobby, f"/start/{lobby.server.start_token}/race")[0] == 405
    assert lobby.table is None


def test_wrong_choices_are_one_line_and_the_race_goes_on(lobby: Served) -> None:
    started(lobby)
    before = lobby.table
    assert post(lobby, {**ALONE, "course": "twistr"}) == (
        400, {"error": "unknown course 'twistr' (did you mean twister?)"},
    )  # fmt: skip
    assert post(lobby, b"{")[1] == {"error": "the choice: not JSON"}
    assert post(lobby, b"[" * 3000)[1] == {"error": "the choice: not JSON"}
    assert post(lobby, b"x" * 100_000)[0] == 413
    assert post(lobby, {"resume": "/etc/passwd"})[1]["error"].startswith("there is no race to go on with")
    assert lobby.table is before
    assert Page(lobby).asked()


def test_a_race_begins_once_the_picture_that_is_being_made_is_there(
    lobby: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    making, made = Event(), Event()
    picture = lobby.server._picture

    def slow(query: Any) -> Any:
        making.set()
        assert made.wait(30)
        return picture(query)

    monkeypatch.setattr(lobby.server, "_picture", slow)
    path = f"/start/{lobby.server.start_token}/course.svg?edition=2016&difficulty=1&seed=3&players=4"
    with ThreadPoolExecutor(3) as pool:
        drawn = pool.submit(get, lobby, path)
        assert making.wait(30)
        begun = pool.submit(post, lobby, ALONE)
        wait_for(lambda: lobby.server._beginning, "the race to be set up")
        assert post(lobby, ALONE)[0] == 409  # a second one at the same time
        made.set()
        assert drawn.result()[0] == 200
        assert begun.result()[0] == 200
    assert lobby.table.setup.people == ("Ann",)


def test_a_race_in_progress_ends_only_if_the_page_names_it(lobby: Served) -> None:
    started(lobby)
    before = lobby.table
    for data in (ALONE, {"guide": True}, {"resume": "x.json"}):
        status, said = post(lobby, data, ends="0123abcd")
        assert status == 409
        assert "in progress" in said["error"]
        assert said["race"]["id"] == before.id
    assert lobby.table is before
    assert post(lobby, ALONE, ends=before.id)[0] == 200
    assert lobby.table is not before


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("people", "players"), [(1, 2), (2, 3), (1, 4), (4, 5)])
def test_a_level_takes_the_seats_without_people(level: str, people: int, players: int) -> None:
    names = [f"player {i + 1}" for i in range(people)]
    setup = Lobby().setup_of({"people": names, "players": players, "level": level})
    assert setup.players == players
    named = Lobby().setup_of({"people": names, "players": players, "opponents": ["easy"] * (players - people)})
    assert named.players == players


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_courses_have_pictures(lobby: Served, theme: str) -> None:
    base = f"/start/{lobby.server.start_token}/course.svg?theme={theme}"
    seen = set()
    for query in (
        "edition=2016&course=twister",
        "edition=2005&course=twister",
        "edition=2016&difficulty=1&seed=3&players=4",
    ):
        status, headers, text = get(lobby, f"{base}&{query}")
        assert status == 200
        assert headers["content-type"].startswith("image/svg+xml")
        assert text.startswith("<svg")
        seen.add(text)
    assert len(seen) == 3
    for query in (
        "edition=2016&course=../x",
        "edition=x&course=twister",
        "course=twister",
        "edition=2016&difficulty=9&seed=1",
        "edition=2016&difficulty=1&seed=4294967296",
        "edition=2016&difficulty=1&seed=-7",
        "edition=2016&difficulty=1&seed=x",
        "edition=2016&difficulty=1&seed=1&players=x",
    ):
        status, _, text = get(lobby, f"{base}&{query}")
        assert status == 400
        assert json.loads(text)["error"]


def test_the_next_race_keeps_the_links_of_who_stays(lobby: Served) -> None:
    first = started(lobby, people=["Ann", "Bob", "Cyd"], opponents=["random"])
    pages = [Page(lobby, player) for player in range(3)]
    for page in pages:
        page.asked()
    watching = Page(lobby, kind="watch", token=lobby.server.watch_token)
    before = lobby.table
    again = started(lobby, people=["Ann", "Eve"], opponents=["random", "random"])
    assert before.phase == "stopped"
    assert again["seats"][0] == first["seats"][0]
    assert again["seats"][1]["link"] != first["seats"][1]["link"]
    assert again["watch"] == first["watch"]
    for page in pages[1:]:
        with pytest.raises(ConnectionClosed) as caught:
            page.read_until(lambda _: False, "the end")
        assert caught.value.rcvd.code == 4403
    pages[0].read_until(lambda page: page.now.get("race") == lobby.table.id, "the new race")
    assert pages[0].asked()["kind"] == "program"
    watching.read_until(lambda page: page.now.get("race") == lobby.table.id, "the new race")
    for link in (first["seats"][1]["link"], first["seats"][2]["link"]):
        assert get(lobby, link.removeprefix(f"http://{lobby.host}"))[0] == 403


def test_the_races_of_one_server_have_files_of_their_own(lobby: Served, tmp_path: Path) -> None:
    for seed in range(2):
        started(lobby, seed=seed)
        page, dice = Page(lobby), random.Random(1)
        while page.asked() and page.now["round"] < 2:
            page.answer(dice)
    lobby.table.stop()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["race.json", "race_2.json"]


def test_a_race_of_the_list_goes_on_with_its_links(lobby: Served, tmp_path: Path) -> None:
    started(lobby, people=["Ann", "Bob"], opponents=["random"] * 2, seed=4)
    dice = random.Random(5)
    pages = [Page(lobby, player) for player in range(2)]
    for page in pages:
        page.answer(dice)
    pages[0].read_until(lambda page: page.now.get("round") == 2 and page.now.get("questions"), "round 2")
    listed = json.loads(get(lobby, f"/start/{lobby.server.start_token}/choices.json")[2])["unfinished"]
    assert listed == []  # it is being played
    assert post(lobby, {"resume": "race.json"})[1] == {"error": "the race of 'race.json' is being played"}
    tokens, watch = lobby.server.tokens, lobby.server.watch_token
    lobby.table.stop()
    with served(tmp_path / "race.json") as later:
        listed = json.loads(get(later, f"/start/{later.server.start_token}/choices.json")[2])["unfinished"]
        assert [(each["file"], each["about"]) for each in listed] == [
            ("race.json", "Dizzy Highway (2016), 4 robots, round 2")
        ]
        page_that_is_open = f"/start/{later.server.start_token}"
        status, links = post(later, {"resume": "race.json"})
        assert status == 200, links
        assert get(later, page_that_is_open)[0] == 200  # the button Back leads there
        assert later.server.tokens == tokens
        assert later.server.watch_token == watch
        page = Page(later, 1)
        assert page.asked()["round"] == 2
        state = wait_for(lambda: later.table.race, "the race")
        assert state.names == ("Ann", "Bob", "random 2", "random 3")


# -- the command's words lead here, too


def test_a_race_of_the_page_is_that_of_the_command() -> None:
    chosen = Lobby().setup_of({**ALONE, "seed": 3})
    given = check_play("dizzy_highway", ["random"] * 3, names=["Ann"], rules={"upgrades": False}, seed=3)
    assert chosen == given
    races = [PlayRace(chosen), PlayRace(given)]
    for race in races:
        answer_all(race, random.Random(1))
        race.step()
    assert races[0].batch.games.tobytes() == races[1].batch.games.tobytes()
