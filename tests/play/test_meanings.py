"""What a page says about spaces and the turn order."""

from __future__ import annotations

import random
from typing import Any

import pytest

from roborally_env.courses import KINDS, course_from_map, list_courses
from roborally_env.courses.tile_words import cell_words, checkpoint_words, words_of
from roborally_env.play.meanings import meanings_of
from tests.play.helpers import COMPLETE, RACE_2005, RACE_COMMUNITY, answer_all, new_race


def test_every_kind_of_tile_has_its_own_words() -> None:
    for kind in KINDS.values():
        for edition in kind.editions:
            if kind.name == "wall":
                continue
            title, rule = words_of(kind.example, edition)
            assert title[0].isupper()
            assert rule[0].isupper()
            assert rule.endswith(".")


def test_every_tile_of_every_course_is_explained() -> None:
    for course in list_courses():
        found = cell_words(course)
        for e in course.elements:
            if course.on_board(e.x, e.y):
                assert found.get((e.x, e.y)), (course.slug, e)
        assert all(len(words) == len(set(words)) for words in found.values() if len(words) < 3)


def test_words_are_those_of_the_edition() -> None:
    course = course_from_map(
        {"width": 4, "height": 1, "elements": [
            {"kind": "laser", "x": 0, "y": 0, "fires": "E", "beams": 2},
            {"kind": "wall", "x": 2, "y": 0, "sides": ["E"]},
        ]}, "2016",
    )  # fmt: skip
    found = {cell: [words.title for words in all_words] for cell, all_words in cell_words(course).items()}
    assert found == {
        (0, 0): ["Laser, two beams to the east"],
        (1, 0): ["Laser beam to the east"],
        (2, 0): ["Wall, east", "Laser beam to the east"],
        (3, 0): ["Wall, west"],
    }
    assert "a SPAM card for each beam" in cell_words(course)[1, 0][0].rule
    pit = KINDS["pit"].example
    assert "reboots" in words_of(pit, "2016").rule
    assert "loses a life" in words_of(pit, "2005").rule
    assert checkpoint_words(2, 2, "2005").title == "Flag 2"
    assert "wins" in checkpoint_words(2, 2, "2016").rule
    assert "wins" not in checkpoint_words(1, 2, "2016").rule


def test_a_page_gets_each_text_once() -> None:
    for course in list_courses():
        meant = meanings_of(course)
        assert len(set(meant["texts"])) == len(meant["texts"])
        used = {number for numbers in meant["cells"].values() for number in numbers}
        assert used == set(range(len(meant["texts"])))
        assert len(meant["checkpoints"]) == len(course.checkpoints)


def orders_of(given: dict[str, Any], rounds: int) -> list[tuple[str, Any, Any]]:
    """(kind, order, the robots' states) of the moments that begin rounds and registers."""
    race, dice = new_race(**given), random.Random(1)
    pieces = [[{**chunk, "moments": list(chunk["moments"])} for chunk in race.timelines[0].chunks]]
    while race.round <= rounds and not race.over:
        answer_all(race, dice)
        pieces.append(race.step()[0])
    return [
        (moment["kind"], moment["set"]["order"], moment)
        for piece in pieces
        for chunk in piece
        for moment in chunk["moments"]
        if moment["kind"] in ("round", "register")
    ]


@pytest.mark.parametrize("given", [COMPLETE, RACE_COMMUNITY], ids=["2016", "community"])
def test_the_order_is_known_before_the_round_and_set_for_each_register(given: dict[str, Any]) -> None:
    found = orders_of(given, rounds=2)
    assert [kind for kind, _, _ in found[:7]] == ["round", *["register"] * 5, "round"]
    for _, order, _ in found:
        assert len(set(order)) == len(order) >= 1
    assert found[0][1] == found[1][1]  # nobody has moved before the first register


def test_in_2005_the_cards_decide() -> None:
    found = orders_of(RACE_2005, rounds=1)
    assert found[0][:2] == ("round", None)
    assert len({tuple(order) for kind, order, _ in found if kind == "register"}) > 1
