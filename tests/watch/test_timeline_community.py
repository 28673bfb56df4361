"""The timeline of the community edition: it reports what its boards do to robots, and leads to the real state."""

from collections import Counter

import pytest

from roborally_env.batch import BatchRace
from roborally_env.core.cards import MOVE_1, MOVE_3
from roborally_env.watch import Timeline
from roborally_env.watch.header import board_picture
from roborally_env.watch.text import Words
from tests.watch.test_timeline import batch_of, check_against, patched, play

BUTTON, RAMPS = (4, 5), ([8, 2], [9, 9])  # of Terraces: the first of the ramps is on at the start


PLACES = ((5, 5, 3), (8, 8, 1), (8, 8, 3), (6, 5, 1))  # x, y, facing


def staged(course="terraces", places=PLACES, seed=5, **fields):
    """A race in which robot 0 is about to press a button, and 2 is in virtual mode on the cell of 1."""
    options = {"observation": "none", "auto_reset": False, "frames": True, "max_rounds": 2, "seed": seed}
    batch = BatchRace(1, course, edition="community", players=4, **options)
    for game in (batch.games[0], *batch.frames_of(0)):
        for seat, (x, y, facing) in enumerate(places):
            game["cell"][seat], game["facing"][seat] = 32 * y + x, facing
        if places is PLACES:
            game["virtual"], game["damage"][1] = 0b100, 6
        for name, value in fields.items():
            game[name] = value
    return batch


def step_ahead(batch, step):
    """A step by chance, in which robot 0 begins its program with a move."""
    programs, choices = (each.copy() for each in batch.sample(step))
    hand = batch.games[0]["hand"][0].tolist()
    moves = [slot for slot, card in enumerate(hand) if MOVE_1 <= card <= MOVE_3]
    if batch.programming[0] and moves:
        program = programs[0, 0]
        program[program == moves[0]] = program[0]
        program[0] = moves[0]
    batch.step(programs, choices)


def moments_of(batch):
    """The timeline of a staged race, and its moments."""
    timeline = Timeline(batch, ["a"] * 4)
    check, steps = check_against(batch), 0
    while not batch.over[0]:
        step_ahead(batch, steps)
        timeline.step_done()
        steps += 1
        state = timeline.chunk()["state"]
        for moment in timeline.chunk()["moments"]:
            state = patched(state, moment)
        check(state)
    return timeline, [moment for chunk in timeline.chunks for moment in chunk["moments"]]


def test_a_button_switches_its_ramps_in_one_moment():
    timeline, moments = moments_of(staged())
    assert RAMPS[0] in timeline.chunks[0]["state"]["ramps"]
    pressed = next(moment for moment in moments if moment["kind"] == "button")
    assert pressed["text"] == [
        "{0} presses the button at 4,5.",
        "The ramp at 8,2 is switched off.",
        "The ramp at 9,9 is switched on.",
    ]
    assert RAMPS[1] in pressed["set"]["ramps"]
    assert RAMPS[0] not in pressed["set"]["ramps"]
    assert {tuple(fx["at"]) for fx in pressed["fx"]} == {BUTTON, *map(tuple, RAMPS)}


def test_virtual_mode_ends_in_the_moment_in_which_the_other_leaves():
    timeline, moments = moments_of(staged())
    assert [robot["virtual"] for robot in timeline.chunks[0]["state"]["robots"]] == [False, False, True, False]
    ended = next(moment for moment in moments if moment.get("robots", {}).get("2", {}).get("virtual") is False)
    assert ended["text"][-1] == "{2} is alone on its space and leaves virtual mode."


def test_cards_dealt_into_locked_registers_are_public():
    batch = staged()
    timeline = Timeline(batch, ["a"] * 4, seat=0)
    play(batch, timeline)
    texts = [text for chunk in timeline.chunks for moment in chunk["moments"] for text in moment["text"]]
    dealt = [text for text in texts if text.startswith("{1} is dealt ")]
    assert [text.rpartition(" ")[2] for text in dealt[:2]] == ["4.", "5."]
    assert "{1} programs its registers." in texts


def test_a_power_down_is_told_from_its_announcement_on():
    _, moments = moments_of(staged())
    announced = {text[1] for moment in moments for text in moment["text"] if text.endswith(" announces a power down.")}
    down = [moment for moment in moments if moment["kind"] == "powered_down"]
    sentence = {text[1] for moment in down for text in moment["text"] if text.endswith(" is powered down.")}
    assert sentence
    assert sentence <= announced
    assert all(moment["robots"][seat]["down"] for moment in down for seat in moment["robots"] if seat in sentence)


def test_the_effects_of_the_boards_are_reported():
    """Robots that are powered down stay where radiation, a stomper and a trapdoor are; others go over ledges."""
    seen = Counter()
    still = staged("hot_floor", [(6, 0, 0), (6, 4, 0), (7, 2, 0), (0, 3, 1)], down=0b0111)
    rims = [staged("terraces", [(12, 8, 1), (7, 8, 3), (9, 8, 2), (6, 5, 1)], seed) for seed in range(4)]
    for batch in (still, *rims):
        _, moments = moments_of(batch)
        texts = [text for moment in moments for text in moment["text"]]
        seen.update(moment["kind"] for moment in moments)
        seen.update(word for word in ("falls down", "is destroyed") for text in texts if word in text)
        assert all("None" not in text and "_" not in text for text in texts)
    assert {"radiation", "stomped", "trapdoor", "slide", "falls down", "is destroyed"} <= set(seen)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        ({"kind": "ledge", "robot": 1, "cell": [3, 4], "levels": 2}, "{1} falls down 2 levels to 3,4."),
        ({"kind": "slide", "robot": 1, "from": [3, 4], "to": [3, 5]}, "{1} slides down the ramp from 3,4 to 3,5."),
        ({"kind": "trapdoor", "robot": 1, "cell": [3, 4]}, "The trapdoor at 3,4 opens under {1}."),
        ({"kind": "stomped", "robot": 1, "cell": [3, 4]}, "The stomper at 3,4 hits {1}."),
        ({"kind": "finished", "robot": 1, "place": 2}, "{1} reaches the goal second and leaves the board."),
        ({"kind": "finished", "robot": 1, "place": 4}, "{1} reaches the goal 4th and leaves the board."),
        ({"kind": "hurt", "robot": 1, "damage": 3}, "{1} has 3 damage."),
    ],
)
def test_sentences(event, sentence):
    assert Words("community", "checkpoint", 3, lambda seat: True).of([event], {"register": 1, "kind": "x"}) == [
        sentence
    ]


def test_robots_that_race_on_have_their_places():
    batch = staged(rules=batch_rules(), down=0b0001)
    number, x, y = batch.courses[0].checkpoints[-1]
    batch.games[0]["reached"][0], batch.games[0]["cell"][0] = number - 1, 32 * y + x
    timeline, moments = moments_of(batch)
    assert "{0} reaches the goal first and leaves the board." in [text for m in moments for text in m["text"]]
    state = timeline.chunks[-1]["state"]
    for moment in timeline.chunks[-1]["moments"]:
        state = patched(state, moment)
    assert (state["robots"][0]["place"], state["robots"][0]["at"], state["over"]) == (1, None, True)


def batch_rules():
    from roborally_env.core.rule_options import rule_bits, rule_values

    return rule_bits("community", rule_values("community", {"race_on": True}))


def test_a_picture_for_pages_has_each_ramp_on_and_off():
    batch = batch_of("community", 0)
    picture = board_picture(batch.courses[0])
    ramps = sum(e.kind == "ramp" for e in batch.courses[0].elements)
    assert picture.count('class="rr-on"') == picture.count('class="rr-off"') == picture.count('display="none"') == ramps
