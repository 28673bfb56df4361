"""The proof that a course can be finished: traps that it must see, and the slow check beside it."""

import itertools

import pytest

from roborally_env.courses import Course
from roborally_env.generated import Generator, proof_of
from tests.generate.pictures import at_random, drawn, on_a_plateau
from tests.generate.slow import lost
from tests.sizes import size

# name -> edition, picture of the trap, what is changed for the twin without it: (old, new) and whether checkpoints move
TRAPS = {
    "a reboot token in a pocket": (
        "2016",
        """
        +----+----+----+----+
        | d1   .    c1 | T> |
        +    +    +    +----+
        | .    O    .    .  |
        +----+----+----+----+
        """,
        ("c1 | T>", "c1   T>"),
    ),
    "a start space walled in": (
        "2016",
        """
        +----+----+----+
        | d1   .    c1 |
        +    +----+    +
        | .  | d2 | .  |
        +----+----+----+
        """,
        ("| .  | d2", "| .    d2"),
    ),
    "a checkpoint on a belt that carries everybody off": (
        "2016",
        """
        +----+----+----+----+
        | d1   .    .    .  |
        +    +    +    +    +
        | .   c1+>  .    .  |
        +    +    +    +    +
        | .    .    .    .  |
        +----+----+----+----+
        """,
        ("c1+>  .", "c1+>| ."),
    ),
    "a door that lets nobody back": (
        "community",
        """
        +----+----+----+----+
        | d1   c1   .    .  |
        +    +    +----+----+
        | .    .    !>   .  |
        +----+----+----+----+
        """,
        ("+----+----+\n        | .    .    !>", "+----+    +\n        | .    .    !>"),
    ),
    "a ramp that goes off on the way to it": (
        "community",
        """
        +----+----+----+----+------+------+
        | d1   Ba   !>   .    R>0a   1    |
        +----+----+----+----+------+      +
        | .    .    .    .  | 1      1+c1 |
        +----+----+----+----+------+------+
        """,
        ("Ba   !>   .    R>0a", ".    !>   .    R>0 "),
    ),
    "a checkpoint that rides round behind walls": (
        "2016",
        """
        +    +------+----+
          d1 | c1+>>  vv |
        +    +      +    +
          .  | ^^     << |
        +    +------+----+
        """,
        ("  .  | ^^", "  .    ^^"),
    ),
    "a checkpoint that rides into a pit": (
        "2016",
        """
        +----+------+----+----+
        | d1   .      .    .  |
        +    +      +    +    +
        | .    c1+>>  >>   O  |
        +----+------+----+----+
        """,
        ("  O ", "  . "),
    ),
    "a pusher that throws into a pocket": (
        "2016",
        """
        +----+--------+----+
        | d1   Pv12345  c1 |
        +----+        +----+
        | .  | .      | .  |
        +----+--------+----+
        """,
        ("Pv12345", "Pv1    "),
    ),
    "an archive marker in a pocket": (
        "2005",
        """
        +----+---------+----+----+
        | d1   Pv12345   .    c1 |
        +----+         +----+----+
        | .  | r1        O    .  |
        +----+---------+----+----+
        """,
        ("r1", ". "),
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_the_proof_sees_the_trap_and_lets_its_twin_pass(name):
    edition, picture, (old, new) = TRAPS[name]
    moving = "rides" in name
    trap = drawn(picture, edition, moving=moving)
    assert picture.count(old) == 1
    twin = drawn(picture.replace(old, new), edition, moving=moving)
    assert lost(trap)
    assert not lost(twin)
    assert proof_of(trap).problem
    assert not proof_of(twin).problem


@pytest.mark.slow
def test_generated_courses_with_ramps_and_buttons_pass_the_slow_check():
    generator = Generator(edition="community", heights=0.25, boards=1, width=8, difficulty=1, players=2, checkpoints=1)
    courses = (generator.course(number) for number in range(100))
    found = list(itertools.islice((course for course in courses if 0 < count(course, "button") < 2), 3))
    assert all(count(course, "ramp") > 1 for course in found)
    assert [lost(course) for course in found] == ["", "", ""]


def count(course: Course, kind: str) -> int:
    return sum(element.kind == kind for element in course.elements)


BOARDS = {"2016": size(8, 60), "2005": size(8, 100), "community": size(8, 60), "ramps with buttons": size(12, 60)}


@pytest.mark.parametrize("edition", size(["2016", "2005", "ramps with buttons"], BOARDS))
def test_the_proof_never_passes_what_the_slow_check_calls_lost(edition):
    solvable = stricter = 0
    for seed in range(BOARDS[edition]):
        course = on_a_plateau(seed) if edition == "ramps with buttons" else at_random(edition, seed)
        problem, slow = proof_of(course).problem, lost(course)
        assert problem or not slow, (edition, seed, slow)
        solvable += not slow
        stricter += bool(problem and not slow)
    assert BOARDS[edition] / 10 < solvable < 0.95 * BOARDS[edition]
    # the proof asks for a way to every checkpoint at any time, and for one that touches no button
    assert stricter < 0.7 * solvable
