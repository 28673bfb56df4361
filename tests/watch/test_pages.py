"""Pages of replays: whole files that say what their checks found, and one clear line where there is no page to make."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from roborally_env import ReplayError
from roborally_env.cli import main
from roborally_env.courses import load_course
from roborally_env.replay import Comparison, load, save
from roborally_env.selfplay import pages, selfplay
from roborally_env.selfplay.pages import chosen_episodes, write_pages
from roborally_env.watch import replay_page
from roborally_env.watch.index import chosen_title, each_once, joint_title, outcome
from roborally_env.web import filled
from tests.watch.conftest import record_race


def data_of(page):
    """What a page plays."""
    return json.loads(re.search(r'<script type="application/json" id="race">(.*?)</script>', page, re.DOTALL)[1])


def notes_of(page):
    return [(note["level"], note["text"]) for note in data_of(page)["checks"]["notes"]]


def changed(file, tmp_path, change):
    """A copy of a replay file in which something is another."""
    data = json.loads(file.read_text())
    change(data)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(data))
    return path


def page_of(path):
    doubts = []
    replay = load(path, doubts)
    return replay_page(replay, doubts=doubts)


def run(capsys, *words):
    """Exit code, stdout and stderr of the command."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, words)])
    return ended.value.code, *capsys.readouterr()


# -- the page


def test_a_page_needs_nothing_but_itself(replay):
    page = replay_page(replay)
    assert not re.search(r'(src|href)="(?!#)', page)
    assert not re.search(r"url\(|@import|fetch\(|XMLHttpRequest", page)
    assert notes_of(page) == [("good", "Checked: all 6 rounds are as recorded.")]


def test_names_of_agents_stay_text(replay):
    page = replay_page(replay)
    assert "<img src=x" not in page
    assert "</script><b>" not in page
    assert [robot["agent"] for robot in data_of(page)["header"]["robots"]] == list(replay.agents)


def test_what_is_filled_in_is_not_filled_again():
    assert filled("watch/index.html", title="{body}", subtitle="", style="", body="@@").count("@@") == 1


def test_a_long_race_of_six_stays_below_two_megabytes():
    replay = record_race("twister", players=6, max_rounds=40)
    page = replay_page(replay)
    assert sum(len(chunk["moments"]) for chunk in data_of(page)["rounds"]) > 3000
    assert len(page.encode()) < 2_000_000


@pytest.mark.parametrize("course", ["risky_exchange", "capture_the_flag"])
def test_races_of_2005_have_pages(course):
    page = replay_page(record_race(course, edition="2005", max_rounds=4))
    assert data_of(page)["header"]["game"] == "2005"
    assert notes_of(page)[0][0] == "good"


# -- checks


def test_a_changed_round_is_told_and_marked(replay_file, tmp_path):
    def change(data):
        data["rounds"][3]["programs"] = [[4, 3, 2, 1, 0]] * 4

    data = data_of(page := page_of(changed(replay_file, tmp_path, change)))
    level, text = notes_of(page)[0]
    assert level == "bad"
    assert text.startswith("From round 4 on this is not the race that was recorded.")
    assert "Rounds 1 to 3 are as recorded." in text
    assert data["checks"]["differs"] == 4
    assert len(data["rounds"]) >= 5  # the page is written all the same


def test_an_answer_that_does_not_fit_ends_the_story_there(replay_file, tmp_path):
    def change(data):
        data["rounds"][2]["choices"] = []

    page = page_of(changed(replay_file, tmp_path, change))
    level, text = notes_of(page)[0]
    assert level == "bad"
    assert "From round 3 on" in text
    assert "is missing. The rest could not be replayed." in text


def test_other_versions_and_a_changed_course_are_reported(replay_file, tmp_path):
    def other_rules(data):
        data["versions"]["rules"] = 1

    def other_course(data):
        data["config"]["courses"][0]["digest"] = "0" * 16

    for change, words in ((other_rules, "rules version 1"), (other_course, "course dizzy_highway has changed")):
        path = changed(replay_file, tmp_path, change)
        level, text = notes_of(page_of(path))[0]
        assert level == "warning"
        assert words in text
        assert "may not be the race that was played" in text
        with pytest.raises(ReplayError):
            load(path)


def test_a_recording_that_stops_early_says_so(replay_file, tmp_path):
    def change(data):
        del data["rounds"][2:]

    notes = notes_of(page_of(changed(replay_file, tmp_path, change)))
    assert ("warning", "The recording ends after round 2; the race was not over.") in notes


def test_a_log_does_not_change_the_hashes(replay):
    logged = Comparison(replay, replay.batch(events=True))
    assert len(list(logged.steps())) >= len(replay.rounds)
    assert logged.differs is None
    assert not logged.stopped


# -- the command


def test_the_command_writes_beside_the_replay_and_opens_it(replay_file, capsys, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    code, out, _ = run(capsys, "watch", replay_file)
    page = replay_file.with_suffix(".html")
    assert (code, out.strip()) == (0, str(page))
    assert opened == [page.resolve().as_uri()]
    other = replay_file.with_name("other.html")
    assert run(capsys, "watch", replay_file, "--out", other, "--title", "A <title>")[0] == 0
    assert opened[1:] == []
    assert "<title>A &lt;title&gt;: a race</title>" in other.read_text()


BAD = {
    "missing": (None, "cannot be read: No such file"),
    "empty": ("", "not a replay: not JSON"),
    "foreign": ('{"a": 1}', "not a replay of this version"),
    "binary": ("\x00\x01\udcff", "not a replay: not JSON"),
    "a list": ("[1, 2]", "not a replay: expected an object"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_no_replay_gets_one_line(name, tmp_path, capsys):
    content, words = BAD[name]
    path = tmp_path / "race.json"
    if content is not None:
        path.write_text(content, errors="surrogateescape")
    code, out, err = run(capsys, "watch", path, "--no-open")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert words in err


def test_a_truncated_replay_gets_one_line(replay_file, tmp_path, capsys):
    path = tmp_path / "half.json"
    path.write_text(replay_file.read_text()[: replay_file.stat().st_size // 2])
    code, _, err = run(capsys, "watch", path, "--no-open")
    assert code == 2
    assert "not JSON" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--episode", "1"], "expected a folder of self-play data"),
        (["--out", "."], "expected the name of a page, got a folder"),
        (["--out", "/dev/null/x.html"], "/dev/null: expected a folder, but a file has this name"),
        (["--out", "x" * 300], "cannot be written: File name too long"),
    ],
)
def test_wrong_options_get_one_line(words, message, replay_file, capsys):
    code, _, err = run(capsys, "watch", replay_file, *words)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


def test_a_name_that_is_too_long_gets_one_line(capsys):
    code, _, err = run(capsys, "watch", "x" * 300)
    assert code == 2
    assert "cannot be read: File name too long" in err


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("board_at", [[0], [0, 0]], "board_at: expected 10 rows of 13 numbers -1.."),
        ("board_at", [[10**30] * 13] * 10, "board_at: expected 10 rows of 13 numbers -1.."),
        ("special_rules", 7, "special_rules: expected a list of names, got 7"),
    ],
)
def test_a_damaged_course_in_a_replay_gets_one_line(key, value, words, tmp_path, capsys):
    course = replace(load_course("fractionation"), slug="mine")
    path = tmp_path / "race.json"
    save(record_race(course, max_rounds=1), path)
    broken = changed(path, tmp_path, lambda data: data["config"]["courses"][0]["course"].update({key: value}))
    code, _, err = run(capsys, "watch", broken, "--no-open")
    assert code == 2
    assert words in err
    assert err.count("\n") == 1


def test_the_page_does_not_overwrite_the_replay(replay_file, tmp_path, capsys):
    path = tmp_path / "race.html"
    path.write_text(replay_file.read_text())
    code, _, err = run(capsys, "watch", path, "--no-open")
    assert code == 2
    assert "would take the place of the replay" in err
    assert path.read_text() == replay_file.read_text()


# -- pages of many races


def test_races_are_named_by_their_agents_and_counted():
    assert chosen_title("win_planner_simulations_30", "planner:simulations=30") == "A win of planner:simulations=30"
    assert chosen_title("closest_finish", "greedy") == "Closest finish"
    assert outcome("greedy", 1, 1) == "won by greedy in 1 round, 1 reboot"
    assert outcome("", 2, 0) == "nobody won in 2 rounds, 0 reboots"


def test_a_race_that_was_chosen_for_several_reasons_is_listed_once():
    chosen = {"closest_finish": 3, "most_reboots": 7, "win_planner": 3}
    listed = each_once(chosen, lambda race: race)
    assert listed == [(["closest_finish", "win_planner"], 3), (["most_reboots"], 7)]
    assert joint_title(listed[0][0], "planner") == "Closest finish, a win of planner"


def test_evaluate_leaves_a_page_that_links_to_chosen_races(tmp_path, capsys):
    out = tmp_path / "out"
    words = ["evaluate", "--agents", "greedy", "random", "--players", "4", "--games", "4", "--workers", "1"]
    code, _, err = run(capsys, *words, "--seed", "1", "--out", out)
    assert code == 0
    assert "index.html" in err
    page = (out / "index.html").read_text()
    links = re.findall(r'href="([^"]+)"', page)
    assert {"watch/closest_finish.html", "watch/most_reboots.html", "watch/win_greedy.html"} <= set(links)
    assert all((out / link).exists() for link in links)
    assert "greedy" in page
    assert notes_of((out / "watch" / "closest_finish.html").read_text())[0][0] == "good"
    assert run(capsys, *words, "--out", tmp_path / "bare", "--no-pages")[0] == 0
    assert not (tmp_path / "bare" / "index.html").exists()


def test_evaluate_lists_the_only_race_once(tmp_path, capsys):
    words = ["evaluate", "--agents", "greedy", "random", "--games", "1", "--workers", "1", "--seed", "1"]
    assert run(capsys, *words, "--out", tmp_path)[0] == 0
    titles = re.findall(r"<h3>.*?>([^<]+)</a>", (tmp_path / "index.html").read_text())
    assert titles == ["Closest finish, most reboots, a win of greedy"]


def test_self_play_names_races_and_watch_makes_pages_of_them(tmp_path, capsys):
    pytest.importorskip("pyarrow")
    data = selfplay(["greedy", "random"], "dizzy_highway", out=tmp_path / "data", games=6, players=4, seed=3)
    chosen = chosen_episodes(data)
    assert {"closest_finish", "most_reboots", "win_greedy"} <= set(chosen)
    code, out, _ = run(capsys, "watch", tmp_path / "data", "--no-open")
    index = tmp_path / "data" / "watch" / "index.html"
    assert (code, out.strip()) == (0, str(index))
    for link in re.findall(r'href="([^"]+)"', index.read_text()):
        assert notes_of((index.parent / link).read_text())[0][0] == "good"
    assert run(capsys, "watch", tmp_path / "data", "--episode", "2", "--no-open")[0] == 0
    assert (index.parent / "episode_2.html").exists()
    assert write_pages(selfplay(["greedy", "random"], "dizzy_highway", out=data.folder, games=6, players=4, seed=3))
    code, _, err = run(capsys, "watch", tmp_path / "data", "--out", "x.html", "--no-open")
    assert code == 2
    assert "go with --episode" in err


def test_robots_without_lives_are_no_runners_up(monkeypatch):
    data = SimpleNamespace(manifest={"config": {"rules": {"lives": 3}}})
    given = {"course": "death_trap", "rounds": 9, "winner": 0, "agents": ["greedy"] * 3, "teams": [0, 1, 2]}
    alone = {**given, "episode": 0, "checkpoints": [3, 2, 2], "reboots": [0, 3, 3]}
    close = {**given, "episode": 1, "checkpoints": [3, 2, 1], "reboots": [0, 3, 0]}
    closer = {**given, "episode": 2, "checkpoints": [3, 0, 2], "reboots": [0, 3, 2]}
    monkeypatch.setattr(pages, "_outcomes", lambda _: [alone, close, closer])
    assert chosen_episodes(data)["closest_finish"]["episode"] == 2
    monkeypatch.setattr(pages, "_outcomes", lambda _: [alone, close])
    assert chosen_episodes(data)["closest_finish"]["episode"] == 1
