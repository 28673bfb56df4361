"""The timeline of races of the 2023 edition: collections, and who sees which."""

from collections import Counter

import pytest

from roborally_env.watch import Timeline

from .test_timeline import batch_of, patched, play

RACES = ["2023", "2023, every choice"]


def followed(name, seed, seat=None):
    """(batch, every state that was shown, every sentence)."""
    batch, states = batch_of(name, seed), []
    timeline = Timeline(batch, ["a"] * 4, seat=seat)
    play(batch, timeline, states.append)
    texts = [text for chunk in timeline.chunks for moment in chunk["moments"] for text in moment["text"]]
    return batch, timeline, states, texts


@pytest.mark.parametrize("name", RACES)
def test_an_upgrade_lies_in_one_place(name):
    seen = Counter()
    for seed in range(3):
        _, _, states, _ = followed(name, seed)
        for state in states:
            seen["collected"] += sum(len(robot["collection"]) for robot in state["robots"])
            seen["discarded"] += len(state["upgrade_discard"])
            lies = [
                *state["upgrade_discard"],
                *(n for r in state["robots"] for n in (*r["collection"], *r["upgrades"])),
            ]
            assert len(set(lies)) == len(lies)
            assert state["upgrade_deck"] + len(lies) <= 40
    assert seen["collected"] > 20
    assert seen["discarded"] > 5 or name == "2023"


def test_it_begins_before_the_first_upgrade_phase():
    """Also where nobody is asked and the phase is over when programs are wanted."""
    batch = batch_of("2023", 1)
    chunks = Timeline(batch, ["a"] * 4).chunks
    first = chunks[0]["state"]
    assert [(r["energy"], r["collection"], r["upgrades"]) for r in first["robots"]] == [(3, [], [])] * 4
    assert (first["upgrade_deck"], first["upgrade_discard"]) == (40, [])
    state = chunks[-1]["state"]
    for moment in chunks[-1]["moments"]:
        state = patched(state, moment)
    assert [robot["energy"] for robot in state["robots"]] == batch.games[0].energy[:4].tolist()
    assert state["upgrade_deck"] == batch.games[0].upgrades_left < 40


@pytest.mark.parametrize("name", RACES)
@pytest.mark.parametrize("seat", [1, -1])
def test_what_others_collect_is_a_number(name, seat):
    found = 0
    _, timeline, states, texts = followed(name, 2, seat)
    for state in states:
        for number, robot in enumerate(state["robots"]):
            assert isinstance(robot["collection"], list if number == seat else int)
            found += number != seat and robot["collection"] > 0
    assert found
    assert timeline.chunks[0]["state"]["robots"][0]["collection"] == 0
    drawn = [text for text in texts if " draws " in text and "energy" in text]
    assert drawn
    assert all(("an upgrade" in text) == (text[1] != str(seat)) for text in drawn)


def test_every_act_has_its_sentence():
    texts = [text for seed in range(3) for text in followed("2023, every choice", seed)[3]]
    for words in ("draws", "installs", "discards its"):
        found = [text for text in texts if f" {words} " in text]
        assert found, words
        assert all("_" not in text and text.endswith(".") for text in found)
