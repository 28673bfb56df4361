"""The numbers of a grade, on courses for which they can be counted by hand."""

import dataclasses
import re
from pathlib import Path

import pytest

from roborally_env.base.errors import CourseError, RoboRallyError
from roborally_env.courses import load_course
from roborally_env.evaluation.grades import estimate, grade, plain
from roborally_env.evaluation.grades.estimates import distances
from roborally_env.generated import Generator
from roborally_env.generated.difficulty import BANDS, band_of, rounds_of

HEAD = """\
title = "Drawn"
players = [2, 2]
antenna = {{ x = 0, y = 1, facing = "E" }}
reboots = [{{ x = 0, y = 0, facing = "E" }}]
checkpoints = [{{ number = 1, x = {x}, y = 1 }}]

[[boards]]
drawing = \"\"\"
{drawing}\"\"\"
"""
WALLED = """\
+----+----+----+----+----+----+----+----+
| d    .    .    .    .    .    .    .  |
+    +    +    +    +    +    +    +    +
| .    .    .    .    .    .    .    .  |
+    +    +    +    +    +    +    +    +
| d    .    .    .    .    .    .    .  |
+----+----+----+----+----+----+----+----+
"""
OPEN = """\
+    +    +    +    +    +    +    +    +
  d    .    .    .    .    .    .    .
+    +    +    +    +    +    +    +    +
  .    .    .    .    .    .    .    .
+    +    +    +    +    +    +    +    +
  d    .    .    .    .    .    .    .
+    +    +    +    +    +    +    +    +
"""
PITS = """\
+    +    +    +    +    +    +    +    +
  O    O    O    O    O    O    O    O
+    +    +    +    +    +    +    +    +
  .    d    d    .    .    .    .    .
+    +    +    +    +    +    +    +    +
  O    O    O    O    O    O    O    O
+    +    +    +    +    +    +    +    +
"""


@pytest.fixture
def drawn(tmp_path: Path):
    """Makes a course of a drawing, with a checkpoint in column x of the middle row."""

    def make(drawing: str, x: int = 7, **changes: str):
        text = HEAD.format(x=x, drawing=drawing)
        for old, new in changes.values():
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / "drawn.toml"
        path.write_text(text, encoding="utf-8")
        return load_course(path)

    return make


def test_a_straight_line_takes_as_many_rounds_as_its_cards(drawn) -> None:
    course = drawn(WALLED)
    # seven steps along the wall (3 + 2 + 2: 5 + 4 + 4 quarters), a turn of 4, and a last step of 4
    first, between = distances(course)
    assert first.tolist() == [21, 21]
    assert between == []
    found = grade(course)
    assert 1 <= found.rounds_alone <= 2.5  # 21 quarters are five registers and a quarter
    near = grade(drawn(WALLED, x=2))
    assert 1 <= near.rounds_alone < found.rounds_alone
    assert near.band == found.band == 1


def test_a_second_checkpoint_adds_its_leg(drawn) -> None:
    two = ("number = 1, x = 7, y = 1 }", "number = 1, x = 7, y = 1 }, { number = 2, x = 1, y = 1 }")
    first, between = distances(drawn(WALLED, marks=two))
    assert first.tolist() == [21, 21]
    assert between == [10]  # six steps: from the best facing, two cards of three steps


def test_starts_that_mirror_each_other_are_equal(drawn) -> None:
    assert grade(drawn(WALLED)).spread == 0.0


def test_a_start_that_lies_back_has_farther_to_go(drawn) -> None:
    ahead = drawn(
        WALLED.replace(
            "| d    .    .    .    .    .    .    .  |\n+----", "| .    .    .    d    .    .    .    .  |\n+----"
        )
    )
    first, _ = distances(ahead)
    assert estimate(ahead).spread == (first.max() - first.min()) / 20 > 0


def test_nobody_falls_between_walls(drawn) -> None:
    assert grade(drawn(WALLED)).falls == 0.0


def test_pits_all_around_and_open_edges_are_dangerous(drawn) -> None:
    line = ("reboots = [{ x = 0, y = 0", "reboots = [{ x = 3, y = 1")
    one = WALLED.replace("| .    .    .    .  ", "| .    .    .    O  ")
    pits, edges, one_pit = grade(drawn(PITS, token=line)), grade(drawn(OPEN)), grade(drawn(one))
    assert pits.falls > 0.5  # a step after a turn is the end
    assert edges.falls > 0.5  # and so it is beside the edge
    assert 0.0 < one_pit.falls < 0.3


def test_robots_in_one_lane_meet_and_those_behind_walls_hardly_do(drawn) -> None:
    lane = WALLED.replace("| .    .    .    .    .    .    .    .  |", "| .    d    d    .    .    .    .    .  |", 1)
    lane = lane.replace("| d    .", "| .    .")
    between = "+    +    +    +    +    +    +    +    +\n"
    behind = WALLED.replace(between, "+----+----+----+----+----+----+----+    +\n")
    apart, together = grade(drawn(behind)), grade(drawn(lane))
    assert apart.pushes < 0.2 < 0.5 < together.pushes
    assert 0.4 < together.met <= 1  # who is in front is shot at the end of each register


def test_equal_arguments_give_equal_numbers_and_other_seeds_others() -> None:
    course = load_course("risky_crossing")
    assert grade(course, seed=3) == grade(course, seed=3)
    assert grade(course, seed=3).rounds != grade(course, seed=4).rounds


def test_the_estimated_rounds_are_near_those_raced() -> None:
    for edition in ("2016", "2005", "community"):
        found = grade(Generator(edition=edition, difficulty=3, seed=2).course(0))
        assert found.band == 3
        assert found.rounds_estimated == pytest.approx(found.rounds, rel=0.5)
        assert (found.finished, found.proved, found.problem) == (1.0, True, "")
        assert found.rounds_alone < found.rounds * 1.3


def test_2023_is_graded_as_it_races_on_courses_of_2016() -> None:
    ours, its = estimate(load_course("twister", "2023")), estimate(load_course("twister", "2016"))
    assert ours == its


def test_bands_are_in_order_and_leave_gaps() -> None:
    edges = [edge for band in BANDS.values() for edge in band]
    assert edges == sorted(edges)
    assert [band_of((low * high) ** 0.5) for low, high in BANDS.values()] == [1, 2, 3, 4, 5]
    assert (band_of(0.5), band_of(500.0)) == (1, 5)
    for home in ("2016", "2005", "community"):
        assert rounds_of(home, 100.0, 2) < rounds_of(home, 120.0, 2) < rounds_of(home, 120.0, 3)


def test_rules_of_teams_and_of_second_robots_are_left_out() -> None:
    teams = plain(load_course("2005/tandem_carnage"))
    assert (teams.special_rules, teams.player_counts, teams.players) == ((), (), (1, 8))
    assert plain(load_course("2005/moving_targets")).special_rules == ("moving_flags",)
    assert grade(load_course("2005/interference"), races=4).finished == 1.0


def test_a_grade_in_one_line(drawn) -> None:
    found = grade(drawn(WALLED), races=2)
    line = str(found)
    assert line.startswith("difficulty 1 of 5; ")
    assert line.endswith("; proved solvable")
    assert "0% of programs end in a fall; start spaces 0.00 rounds apart" in line
    assert str(dataclasses.replace(found, proved=False, problem="no way")).endswith("; not proved solvable: no way")


@pytest.mark.parametrize(
    ("given", "races", "seed", "message"),
    [
        ("dizzy_highway", 0, 0, "races.*1.*100000.*0"),
        ("dizzy_highway", 1, -1, "seed.*0"),
    ],
)
def test_what_cannot_be_graded(given: str, races: int, seed: int, message: str) -> None:
    with pytest.raises(RoboRallyError) as error:
        grade(given, races=races, seed=seed)
    assert re.search(message, str(error.value))
    assert "\n" not in str(error.value)


def test_a_checkpoint_that_cannot_be_reached_is_reported(drawn) -> None:
    course = dataclasses.replace(drawn(WALLED), slug="shut", checkpoints=((1, 7, 1),))
    pits = tuple(e for e in drawn(PITS, token=("x = 0, y = 0", "x = 3, y = 1")).elements if e.kind == "pit")
    # a wall of pits would only be a detour with falls: the checkpoint itself lies on a pit
    course = dataclasses.replace(course, checkpoints=((1, pits[0].x, pits[0].y),), elements=(*course.elements, pits[0]))
    with pytest.raises(CourseError, match="shut"):
        estimate(course)
