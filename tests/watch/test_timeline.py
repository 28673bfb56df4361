"""The timeline: its moments lead to the real state, step by step, and nobody sees more than is due."""

import copy
import json
from collections import Counter

import numpy as np
import pytest

from roborally_env import RoboRallyError
from roborally_env.batch import BatchRace
from roborally_env.core.cards import ALL_NAMES as CARDS
from roborally_env.core.cards2005 import NAMES as CARDS_2005
from roborally_env.courses import turned_course
from roborally_env.courses.tables import EDGE, cell_of, tables_of
from roborally_env.watch import Timeline
from roborally_env.watch.header import board_picture
from roborally_env.watch.text import Words
from roborally_env.web import json_for_html
from tests.games import deal_upgrades
from tests.sizes import size

# name -> course, options
RACES = {
    "lighter": ("dizzy_highway", {"rules": {"upgrades": False}}),
    "complete": ("twister", {}),
    "every choice": ("burnout", {"decisions": "all"}),
    "kept hands": ("gear_stripper", {"rules": {"advanced": True}}),
    "2023": ("twister", {"edition": "2023"}),
    "2023, every choice": ("burnout", {"edition": "2023", "decisions": "all"}),
    "2005": ("risky_exchange", {"edition": "2005", "rounds": 10}),
    "2005, every choice": ("tricksy", {"edition": "2005", "decisions": "all", "rounds": 10}),
    "shared flags": ("tandem_carnage", {"edition": "2005"}),
    "capture the flag": ("capture_the_flag", {"edition": "2005"}),
    "claims": ("toggle_boggle", {"edition": "2005"}),
    "racers and blockers": ("interference", {"edition": "2005", "rounds": 8}),
    "moving flags": ("moving_targets", {"edition": "2005", "players": 5, "rounds": 8}),
    "superbot": ("day_of_the_superbot", {"edition": "2005", "players": 5, "rounds": 8}),
    "community": ("terraces", {"edition": "community"}),
    "community, every choice": ("summit_works", {"edition": "community", "decisions": "all"}),
}
SEEDS = range(size(1, 3))
FIELDS = {"2016": ("energy",), "2023": ("energy",), "2005": ("damage", "lives"), "community": ("energy", "damage")}


def batch_of(name, seed):
    course, options = RACES[name]
    options = {"players": 4, **options}
    rounds = options.pop("rounds", 6)
    logged = {"observation": "none", "auto_reset": False, "frames": True, "max_rounds": rounds, "seed": seed}
    return BatchRace(1, course, **options, **logged)


def patched(state, moment):
    """What the browser does: the state after a moment."""
    state = {**state, **moment.get("set", {})}
    robots = [{**robot, **moment.get("robots", {}).get(str(n), {})} for n, robot in enumerate(state["robots"])]
    return {**state, "robots": robots}


def play(batch, timeline, check=lambda state: None):
    """Play a race to its end with random programs, and follow it as a page would; the number of steps."""
    pieces = copy.deepcopy(timeline.chunks)
    state, steps = None, 0
    while True:
        for piece in json.loads(json.dumps(pieces)):
            if "state" in piece:
                assert state in (None, piece["state"])  # a round begins where the last one ended
                state = piece["state"]
            for moment in piece["moments"]:
                state = patched(state, moment)
        check(state)
        if batch.over[0]:
            return steps
        batch.sample(steps)
        batch.step_prepared()
        pieces = timeline.step_done()
        steps += 1


def check_against(batch):
    """A check that holds the state against the record; where a choice is open, that after what led to it."""
    names = CARDS_2005 if batch.edition == "2005" else CARDS

    def check(state):
        partial, done = batch.frames_of(0, partial=True), batch.frames_of(0)
        game = partial[-1] if len(partial) > len(done) else batch.games[0]
        for seat, robot in enumerate(state["robots"]):
            cell = int(game["cell"][seat])
            assert robot["at"] == ([cell % 32, cell // 32] if cell >= 0 else None)
            assert robot["facing"] == game["facing"][seat]
            assert robot["checkpoint"] == game["reached"][seat]
            assert robot["reboots"] == game["reboots"][seat]
            assert robot["registers"] == [names[card] if card else None for card in game["registers"][seat]]
            assert robot["hand"] == [names[card] for card in game["hand"][seat][: game["held"][seat]] if card]
            for field in FIELDS[batch.edition]:
                assert robot[field] == game[field][seat]
            if batch.edition != "2005":
                assert robot["discard"] == game["discarded"][seat]
                assert robot["deck"] == int(game["drawable"][seat]) + int(game["known"][seat])
        flags = [[c % 32, c // 32] if c >= 0 else None for c in game["checkpoint"].tolist()]
        assert state["checkpoints"] == flags[: len(state["checkpoints"])]
        assert state["round"] == game["round_number"]
        assert state["over"] == batch.over[0]
        assert state["winner"] == (game["winner"] if game["winner"] >= 0 else None)

    return check


@pytest.mark.parametrize("name", RACES)
def test_the_patched_state_is_the_real_one_after_every_step(name):
    for seed in SEEDS:
        batch = batch_of(name, seed)
        play(batch, Timeline(batch, ["a"] * batch.players), check_against(batch))


def test_registers_that_the_timer_caught_are_followed():
    batch = BatchRace(
        1, "twister", players=4, rules={"timer": True}, observation="none", auto_reset=False, frames=True, max_rounds=5
    )
    timeline = Timeline(batch, ["a"] * 4)
    dice = np.random.default_rng(1)
    check = check_against(batch)
    while not batch.over[0]:
        programs, choices = (each.copy() for each in batch.sample(1))
        batch.step(programs, choices, dice.integers(0, 32, (1, 4), np.uint8) if batch.programming[0] else None)
        timeline.step_done()
        state = timeline.chunk()["state"]
        for moment in timeline.chunk()["moments"]:
            state = patched(state, moment)
        check(state)


def race_with_turning_boards(seed):
    logged = {"observation": "none", "auto_reset": False, "frames": True, "max_rounds": 12}
    return BatchRace(1, "frenetic_factory", edition="2005", players=8, seed=seed, **logged)


def a_board_turns(seed):
    """Whether one does in the race that `play` plays."""
    batch, steps = race_with_turning_boards(seed), 0
    while not batch.over[0]:
        batch.sample(steps)
        batch.step_prepared()
        if any(event["kind"] == "board_turned" for event in batch.events_of(0)):
            return True
        steps += 1
    return False


def test_boards_that_turn_get_a_new_picture():
    batch = race_with_turning_boards(next(filter(a_board_turns, range(40))))
    timeline = Timeline(batch, ["a"] * 8)
    play(batch, timeline)
    pictures = {}
    for chunk in timeline.chunks:
        for moment in chunk["moments"]:
            assert (moment["kind"] == "board_turned") == ("board" in moment.get("set", {}))
            pictures |= moment.get("boards", {})
    assert pictures
    for key, picture in pictures.items():
        assert picture == board_picture(turned_course(batch.courses[0], tuple(map(int, key))))
        assert picture != timeline.header["boards"]["0"]


def test_upgrades_of_every_kind_are_followed():
    for seed in range(4):
        batch = batch_of("every choice", seed)
        deal_upgrades(batch, seed)
        timeline = Timeline(batch, ["a"] * batch.players)
        play(batch, timeline, check_against(batch))


def test_a_page_that_comes_late_is_where_the_others_are():
    batch = batch_of("complete", 1)
    timeline = Timeline(batch, ["a"] * 4)
    last = []
    play(batch, timeline, last.append)
    for chunk in timeline.chunks:
        state = chunk["state"]
        for moment in chunk["moments"]:
            state = patched(state, moment)
    assert state == last[-1]
    assert timeline.chunks[-1]["moments"][-1]["kind"] == "end"
    assert [chunk["round"] for chunk in timeline.chunks] == list(range(7))


@pytest.mark.parametrize(
    "name", ["complete", "every choice", "2023", "2005", "2005, every choice", "racers and blockers", "community"]
)
@pytest.mark.parametrize("seat", [0, -1])
def test_a_player_sees_no_hidden_card_of_others(name, seat):
    """Everything that is sent is the same whatever the others hold: hands are numbers, registers lie face down."""
    batch = batch_of(name, 2)
    timeline = Timeline(batch, ["a"] * batch.players, seat=seat)
    mine = set() if seat < 0 else {seat // batch.robots_each * batch.robots_each + i for i in range(batch.robots_each)}
    shown = []

    def check(state):
        for number, robot in enumerate(state["robots"]):
            if number in mine:
                assert isinstance(robot["hand"], list)
                continue
            assert isinstance(robot["hand"], int)
            assert set(robot.get("kept", {}).values()) <= {"?"}
            for k in range(state["register"], 5):
                assert robot["registers"][k] in (None, "?") or k + 1 in robot["locked"]
            shown.append(robot["registers"])

    play(batch, timeline, check)
    for chunk in timeline.chunks:
        for moment in chunk["moments"]:
            if moment["kind"] in ("hands", "program"):
                news = [text for text in moment["text"] if ":" in text or "programs" in text]
                assert all("programs its registers" in text or int(text[1]) in mine for text in news)
    assert shown


def test_sentences_name_what_happened():
    moments = []
    for seed in range(4):
        batch = batch_of("every choice", seed)
        timeline = Timeline(batch, ["a"] * 4)
        play(batch, timeline)
        moments += [moment for chunk in timeline.chunks for moment in chunk["moments"]]
    for kind in ("card", "move", "turn", "draw", "laser", "robot_laser"):
        texts = [text for moment in moments if moment["kind"] == kind for text in moment["text"]]
        assert texts, kind
        assert all(text.endswith(".") and "None" not in text and "_" not in text for text in texts)
    assert "Nobody wins" in moments[-1]["text"][0] or "in round" in moments[-1]["text"][0]


def test_pushed_robots_move_with_the_one_that_pushes():
    pushes = 0
    for seed in range(4):
        batch = batch_of("lighter", seed)
        timeline = Timeline(batch, ["a"] * 4)
        play(batch, timeline)
        for chunk in timeline.chunks:
            for moment in chunk["moments"]:
                pushed = [text for text in moment["text"] if "is pushed by" in text]
                pushes += len(pushed)
                if pushed:
                    assert moment["kind"] == "move"
                    assert len(moment["robots"]) >= len(pushed) + 1 or "fx" in moment
    assert pushes


def test_beams_go_from_who_shoots_to_who_is_hit():
    seen = Counter()
    for seed in range(3):
        batch = batch_of("complete", seed)
        timeline = Timeline(batch, ["a"] * 4)
        play(batch, timeline)
        for chunk in timeline.chunks:
            state = chunk["state"]
            for moment in chunk["moments"]:
                for effect in moment.get("fx", ()):
                    seen[effect["type"]] += 1
                    if effect["type"] == "beam":
                        assert effect["from"][0] == effect["to"][0] or effect["from"][1] == effect["to"][1]
                        assert effect["to"] in [robot["at"] for robot in state["robots"]]
                        if "robot" in effect:
                            assert effect["from"] == state["robots"][effect["robot"]]["at"]
                state = patched(state, moment)
    assert {"beam", "hit", "bump", "fall"} <= set(seen)


@pytest.mark.parametrize("name", ["complete", "2005", "claims"])
def test_who_falls_off_the_board_leaves_it_where_it_ends(name):
    """Backwards and on belts, too, where a robot does not go the way it faces."""
    backwards = falls = 0
    for seed in range(6):
        batch = batch_of(name, seed)
        edge = tables_of(batch.courses[0])[0].next == EDGE
        timeline = Timeline(batch, ["a"] * 4)
        play(batch, timeline)
        for chunk in timeline.chunks:
            state = chunk["state"]
            for moment in chunk["moments"]:
                for effect in moment.get("fx", ()):
                    if effect["type"] == "fall" and effect["to"] is None:
                        robot = state["robots"][effect["robot"]]
                        assert edge[cell_of(*robot["at"]), effect["direction"]]
                        falls += 1
                        backwards += effect["direction"] != robot["facing"]
                state = patched(state, moment)
    assert falls
    assert backwards


def test_what_damage_leads_to_is_told_after_it():
    words = Words("2005", "flag", 3, lambda seat: True)
    events = [
        {"kind": "robot_laser", "robot": 1, "shooter": 0},
        {"kind": "locked", "robot": 1, "register": 5},
        {"kind": "token", "robot": 1, "damage": 5},
    ]
    sentences = words.of(events, {"register": 2, "kind": "robot_laser"})
    assert sentences == ["{0} shoots {1}.", "{1} has 5 damage.", "Register 5 of {1} is locked."]


@pytest.mark.parametrize(
    ("edition", "kind", "sentence"),
    [("2016", "draw", "{0} and {1} draw 2 cards each; {2} draws 1 card."),
     ("2005", "deal", "{0} and {1} are dealt 2 cards each; {2} is dealt 1 card.")],
)  # fmt: skip
def test_hands_are_drawn_or_dealt(edition, kind, sentence):
    words = Words(edition, "checkpoint", 3, lambda seat: True)
    events = [{"kind": kind, "robot": seat, "card": "move_1"} for seat in (0, 0, 1, 1, 2)]
    assert words.of(events, {"register": 0, "kind": "hands"}) == [sentence]


def test_an_agent_without_a_name_is_called_by_its_number():
    header = Timeline(batch_of("lighter", 0), ["planner", "", "  ", "x"]).header
    assert [robot["agent"] for robot in header["robots"]] == ["planner", "robot_1", "robot_2", "x"]


def test_a_timeline_wants_a_logged_race_at_its_start():
    plain = BatchRace(1, "twister", players=4, auto_reset=False, observation="none")
    with pytest.raises(RoboRallyError, match="frames=True"):
        Timeline(plain, ["a"] * 4)
    batch = batch_of("complete", 0)
    with pytest.raises(RoboRallyError, match=r"4.*2"):
        Timeline(batch, ["a"] * 2)
    play(batch, Timeline(batch, ["a"] * 4))
    with pytest.raises(RoboRallyError, match="start"):
        Timeline(batch, ["a"] * 4)


def test_json_cannot_end_its_script():
    text = json_for_html({"agent": "</script><!--\u2028& 'x'"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"agent": "</script><!--\u2028& 'x'"}
