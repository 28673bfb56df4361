"""Generated courses: the same everywhere, as asked for, and one line for all that cannot be."""

import dataclasses
import inspect
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from roborally_env.base.errors import CourseError, RoboRallyError
from roborally_env.courses import list_courses
from roborally_env.courses.checks import course_issues
from roborally_env.courses.model import EDITIONS, STEP, Course, Placement
from roborally_env.courses.scene import Scene
from roborally_env.courses.tables import course_digest
from roborally_env.evaluation.grades import estimate
from roborally_env.generated import Generator, Specification, attempts, names, parse_specification, placement
from roborally_env.generated.attempt import STANDS, STANDS_ANYWHERE
from roborally_env.generated.placement import APART, LANE
from roborally_env.generated.printed import printed_boards
from roborally_env.generated.proof import chances_to_stand, maps_for
from roborally_env.generated.specification import VERSION, of_version
from roborally_env.generated.style import STYLES

HOMES = ("2016", "2005", "community")
COUNT = 10

DIGESTS = """
from roborally_env.generated import Generator
from roborally_env.courses.tables import course_digest
for edition in ("2016", "2005", "community"):
    for way in ("arranged", "made"):
        course = Generator(edition=edition, way=way, difficulty=2, seed=3).course(1)
        print(course.slug, course.title, course_digest(course))
"""


def arranged(edition: str) -> list[Course]:
    generators = [Generator(edition=edition, way="arranged", difficulty=band, seed=11) for band in (1, 3)]
    return [generator.course(number) for generator in generators for number in range(COUNT)]


# ---- The same everywhere -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_bytes_in_every_process():
    said = set()
    for seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", DIGESTS], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        said.add(ran.stdout)
    assert len(said) == 1
    assert len(said.pop().splitlines()) == 6


def test_equal_generators_give_equal_courses():
    spec = Specification(difficulty=2, seed=5)
    one, other = Generator(spec), Generator("generated:seed=5,difficulty=2")
    assert one == other
    assert hash(one) == hash(other)
    assert one.course(3) == other.course(3)
    assert Generator(difficulty=2, seed=5, levels=10).course(3) == one.course(3)
    assert one != Generator(difficulty=2, seed=6)
    digests = {course_digest(Generator(difficulty=2, seed=seed).course(n)) for seed in (5, 6) for n in range(5)}
    assert len(digests) == 10


def test_a_course_can_be_made_again_from_its_slug():
    course = Generator(difficulty=1, seed=5).course(4)
    assert Generator(parse_specification(course.slug)).course() == course


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((0, 0.0, -0.0, np.float32(0), np.int8(0)), "generated:pits=0"),
        ((1, 1.0, np.float64(1)), "generated:pits=1"),
        ((0.25, np.float32(0.25)), "generated:pits=0.25"),
    ],
)
def test_equal_numbers_are_one_specification_however_they_are_written(values, text):
    """Courses are drawn from its text."""
    specs = [Specification(pits=value) for value in values]
    assert {str(spec) for spec in specs} == {text}
    assert len({hash(spec) for spec in specs}) == len(set(specs)) == 1
    assert parse_specification(text) == specs[0]


def test_numbers_and_levels():
    generator = Generator(difficulty=1, seed=5, levels=3)
    assert {generator.number(word) for word in range(100)} == {0, 1, 2}
    assert Generator(difficulty=1, number=7).number(123) == 7
    assert Generator(difficulty=1).number(2**40 + 5) < 2**32
    for wrong in (3, -1, True, 1.0, "1"):
        with pytest.raises(CourseError, match=r"number.*0.*2"):
            generator.course(wrong)
    with pytest.raises(CourseError):
        Generator("generated", seed=1)


def test_numbers_of_numpy_are_numbers():
    plain = Generator(edition="2016", difficulty=3, belts=0.25, fair=True)
    fields = {"difficulty": np.int64(3), "belts": np.float32(0.25), "fair": np.bool_(True)}
    made = Generator(edition=2016, **fields)
    assert (made, str(made)) == (plain, str(plain))
    assert Generator(difficulty=1).course(np.int64(4)) == Generator(difficulty=1).course(4)


@pytest.mark.parametrize("edition", HOMES)
@pytest.mark.parametrize("way", ["arranged", "made"])
def test_courses_have_the_symmetry_that_is_asked_for(edition, way):
    mirrored = 0
    for number in range(4):
        course = Generator(edition=edition, way=way, difficulty=1, symmetry="mirrored", seed=2).course(number)
        assert "symmetry=mirrored" in course.slug
        assert is_mirrored(course)
        other = Generator(edition=edition, way=way, difficulty=1, symmetry="none", seed=2).course(number)
        mirrored += is_mirrored(other)
    assert mirrored < 2


def is_mirrored(course: Course) -> bool:
    """Whether start spaces are mirrored at the middle line of their board, along its long side."""
    start = course.boards[-1]
    spots = {(x - start.x, y - start.y) for _, x, y in course.docks}
    if start.width > start.height:
        return spots == {(start.width - 1 - x, y) for x, y in spots}
    return spots == {(x, start.height - 1 - y) for x, y in spots}


# ---- As asked for --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", HOMES)
def test_courses_are_without_issues_and_as_asked_for(edition):
    for number in range(5):
        course = Generator(edition=edition, difficulty=2, checkpoints=3, players=4, seed=2).course(number)
        assert not list(course_issues(course))
        assert len(course.checkpoints) == 3
        assert course.players[1] == 4


@pytest.mark.parametrize("edition", HOMES)
def test_arranged_courses_keep_the_rules_of_thumb(edition):
    for course in arranged(edition):
        *boards, start = course.boards
        names = [board.name for board in boards]
        sheets = [name[:-1] if edition == "2016" else name for name in names]
        assert len(set(sheets)) == len(sheets), "two sides of one sheet"
        assert set(names) <= set(printed_boards(edition))
        with_checkpoint = {course.board_at[y][x] for _, x, y in course.checkpoints}
        assert len(with_checkpoint) >= min(len(boards), len(course.checkpoints))
        assert len(boards) not in with_checkpoint, "on the start board"
        cells = [(x, y) for _, x, y in course.checkpoints]
        assert all(abs(x - u) + abs(y - v) >= APART for x, y in cells for u, v in cells if (x, y) != (u, v))
        assert touches(start, boards)


def touches(start: Placement, boards: list[Placement]) -> bool:
    """Whether the whole side of the start board in front of which robots start lies along other boards."""
    taken = {(x, y) for b in boards for x in range(b.x, b.x + b.width) for y in range(b.y, b.y + b.height)}
    xs, ys = range(start.x, start.x + start.width), range(start.y, start.y + start.height)
    sides = ([(xs[0] - 1, y) for y in ys], [(xs[-1] + 1, y) for y in ys])
    sides += ([(x, ys[0] - 1) for x in xs], [(x, ys[-1] + 1) for x in xs])
    return any(set(side) <= taken for side in sides)


@pytest.mark.parametrize("edition", HOMES)
def test_nothing_clashes_where_boards_join(edition):
    """Players who put boards together turn one whose belts run against a wall or against belts of the other, or drop
    robots from a ledge."""
    seams = 0
    for band in (2, 4, 5):
        for number in range(COUNT):
            course = Generator(edition=edition, difficulty=band, seed=12).course(number)
            view, belts = Scene(course), {(e.x, e.y): e.out for e in course.elements if e.kind == "belt"}
            closed = {(e.x, e.y) for e in course.elements if e.kind in ("pit", "trapdoor")}
            closed |= {course.antenna[:2]} if course.antenna else set()
            for (x, y), out in belts.items():
                to = x + STEP[out][0], y + STEP[out][1]
                if not course.on_board(*to) or course.board_at[y][x] == course.board_at[to[1]][to[0]]:
                    continue
                seams += 1
                assert (x, y, out) not in view.walls, (course.slug, x, y)
                assert to not in closed, (course.slug, x, y)
                assert belts.get(to) != out ^ 2, (course.slug, x, y)
                assert view.heights.level(to) == view.heights.level((x, y)), (course.slug, x, y)
            assert not shut_in(course, view.walls), course.slug
    assert seams > 20


@pytest.mark.parametrize("number", [5, 68, 112])
def test_no_belt_runs_into_a_trapdoor_or_over_a_ledge_of_another_board(number):
    """Seed 5 of made boards had such belts: no printed course has."""
    course = Generator(edition="community", way="made", seed=5).course(number)
    view, ends = Scene(course), {(e.x, e.y) for e in course.elements if e.kind == "trapdoor"}
    for e in course.elements:
        to = e.x + STEP[e.out][0], e.y + STEP[e.out][1]
        if e.kind == "belt" and course.on_board(*to):
            assert to not in ends
            assert view.heights.level(to) == view.heights.level((e.x, e.y))


def shut_in(course: Course, walls: set[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """The cells with walls on three sides or four, one of them from a cell of another board."""
    own = {(e.x, e.y, side) for e in course.elements if e.kind == "wall" for side in e.sides}
    found = []
    for x, y in {(x, y) for x, y, _ in walls if course.on_board(x, y)}:
        sides = [side for side in range(4) if (x, y, side) in walls]
        beside = [(x + STEP[side][0], y + STEP[side][1]) for side in sides if (x, y, side) not in own]
        foreign = [cell for cell in beside if course.board_at[cell[1]][cell[0]] != course.board_at[y][x]]
        if len(sides) > 2 and foreign:
            found.append((x, y))
    return found


@pytest.mark.parametrize(
    ("edition", "more"), [("2016", {"moving": True}), ("2016", {}), ("2005", {}), ("community", {})]
)
def test_courses_have_the_band_that_was_asked_for(edition, more):
    """Also where checkpoints ride on belts, which changes their distances."""
    for band in range(1, 6):
        for number in range(4):
            course = Generator(edition=edition, difficulty=band, seed=14, **more).course(number)
            assert estimate(course).band == band, course.slug


@pytest.mark.parametrize("edition", ["2016", "community"])
def test_the_arrow_of_a_reboot_token_points_to_a_free_cell(edition):
    for course in arranged(edition):
        busy = {(e.x, e.y) for e in course.elements if e.kind not in ("wall", "level")}
        assert course.reboots
        for x, y, facing in course.reboots:
            ahead = x + STEP[facing][0], y + STEP[facing][1]
            assert (x, y) not in busy
            assert course.on_board(*ahead)
            assert ahead not in busy


def test_nobody_falls_from_the_five_cells_ahead_of_a_reboot_token():
    """So it is on every printed course: robots that come back push each other along the arrow."""
    generated = [
        Generator(edition=edition, difficulty=difficulty, seed=11).course(number)
        for edition in ("2016", "community")
        for difficulty in (1, 3)
        for number in range(COUNT)
    ]
    for course in [*list_courses("2016"), *list_courses("community"), *generated]:
        pits = {(e.x, e.y) for e in course.elements if e.kind == "pit"}
        for x, y, facing in course.reboots:
            lane = [(x + k * STEP[facing][0], y + k * STEP[facing][1]) for k in range(1, LANE + 1)]
            assert all(course.on_board(*cell) and cell not in pits for cell in lane), course.slug


@pytest.mark.parametrize("edition", HOMES)
def test_robots_that_come_back_stand_now_and_then(edition):
    """Where they come back, on tokens or on flags; else a crowd would fall for ever."""
    for band in (1, 2, 4, 5):
        for number in range(COUNT // 2):
            course = Generator(edition=edition, difficulty=band, seed=15).course(number)
            stands = chances_to_stand(course, maps_for(course))
            assert len(stands) == len(course.reboots or course.checkpoints)
            assert min(stands) >= (STANDS_ANYWHERE if course.reboots else STANDS), course.slug
            assert np.mean(stands) >= STANDS, course.slug


def test_small_courses_of_2005_mostly_have_start_boards_of_their_own():
    """Printed ones on one board with two flags would come to be alike."""
    courses = [Generator(edition="2005", difficulty=2, boards=1, way="arranged").course(n) for n in range(40)]
    own = sum(course.boards[-1].name.startswith("made") for course in courses)
    assert 20 <= own < 40


def test_a_printed_board_that_is_nearly_all_pits_makes_no_course_alone():
    """The maelstrom has fourteen cells for checkpoints, so courses on it alone came to be alike."""
    alone = [course for course in arranged("2005") if len(course.boards) == 2]
    assert len({course.boards[0].name for course in alone}) >= 3
    assert not any(course.boards[0].name == "maelstrom" for course in alone)


# ---- What cannot be ------------------------------------------------------------------------------------------------

_ODD = some.one_of(
    some.none(), some.booleans(), some.integers(-3, 30), some.floats(-2, 3), some.just(10**30), some.just(float("nan"))
)
_FIELDS = [field.name for field in dataclasses.fields(Specification) if field.name not in ("edition", "way")]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    some.sampled_from([*EDITIONS, "1999"]),
    some.sampled_from(["any", "made", "arranged", "drawn"]),
    some.dictionaries(some.sampled_from(_FIELDS), some.one_of(_ODD, some.just("many"))),
)
def test_odd_specifications_give_a_course_or_one_line(edition, way, fields):
    found = course_or_error(edition=edition, way=way, **fields)
    if isinstance(found, Course):
        assert not list(course_issues(found, reachability=False))
    else:
        assert len(str(found).splitlines()) == 1


def course_or_error(**fields) -> Course | RoboRallyError:
    try:
        return Generator(**fields).course()
    except RoboRallyError as error:
        return error


IMPOSSIBLE = {
    "boards=4,width=20": "boards: 4.*20.*20.*32.*40",
    "boards=3,width=15,height=20": "boards: 3.*15.*20",
    "edition=2005,checkpoints=7,boards=1,height=6": "checkpoints: 7.*6.*6.*6",
    "difficulty=1,checkpoints=4": "checkpoints: 4.*3.4.*1.*3.2",
    "edition=community,difficulty=2,checkpoints=8": "2.*6",
    "difficulty=5,checkpoints=4": "checkpoints.*5.*5.*8.*2.*3.*4.*4",
    "edition=2005,difficulty=4,checkpoints=1": "checkpoints.*4.*3.*8.*1.*2",
    "edition=community,difficulty=3,checkpoints=7": "checkpoints.*3.*2.*6",
}


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_what_cannot_be_is_told_before_anything_is_drawn(text, monkeypatch):
    monkeypatch.setattr("roborally_env.generated.generator.attempted", None)
    with pytest.raises(CourseError, match=IMPOSSIBLE[text]):
        Generator(f"generated:{text}").course()


@pytest.mark.parametrize(
    "text",
    ["boards=2,width=20,height=20", "boards=3,width=20,height=10", "boards=1,width=6,checkpoints=6",
     "difficulty=1,checkpoints=3", "difficulty=2,checkpoints=5", "difficulty=5,checkpoints=5",
     "edition=community,difficulty=4,checkpoints=2"],
)  # fmt: skip
def test_next_to_what_cannot_be_there_are_courses(text):
    assert Generator(f"generated:{text}").course()


@pytest.mark.parametrize("home", HOMES)
def test_courses_have_as_many_checkpoints_as_their_difficulty_allows(home):
    for band, (least, most) in STYLES[home].checkpoints.items():
        assert len(set(placement._COUNTS[band][0]) & set(range(least, most + 1))) > 1, (home, band)
        course = Generator(edition=home, difficulty=band, checkpoints=most, seed=2).course()
        assert len(course.checkpoints) == most


WRONG = {
    "xyzzy": (3, "generated.*'xyzzy'"),
    "dificulty": (3, "generated.*'dificulty'.*difficulty"),
    "edition": ([], "generated"),
    "way": ([], "generated: way.*any, arranged, made"),
    "symmetry": ("half", "generated: symmetry.*any, mirrored, none.*'half'"),
    "seed": (10**80, "generated: seed.*0.*9223372036854775807.*10"),
}


@pytest.mark.parametrize("key", WRONG)
def test_wrong_fields_give_one_line(key):
    value, message = WRONG[key]
    for made in (Generator, Specification):
        with pytest.raises(CourseError, match=message):
            made(**{key: value})


def test_a_specification_takes_its_fields_by_name():
    message = "difficulty=3.*3"
    with pytest.raises(CourseError, match=message):
        Specification(3)
    with pytest.raises(CourseError, match=r"'generated:seed=3'.*parse_specification"):
        Specification("generated:seed=3")
    with pytest.raises(CourseError, match=r"'sed'.*seed"):
        dataclasses.replace(Specification(), sed=3)
    found = Specification(seed=3, difficulty=2)
    assert pickle.loads(pickle.dumps(found)) == found == dataclasses.replace(Specification(seed=3), difficulty=2)
    assert list(inspect.signature(Specification).parameters) == [field.name for field in dataclasses.fields(found)]


def test_workers_are_those_of_a_generator():
    message = "^generated: workers.*Generator.*courses: Generator.*workers=2"
    for wrong in (lambda: Generator("generated:workers=2"), lambda: Specification(workers=2)):
        with pytest.raises(CourseError, match=message):
            wrong()


def test_attempts_are_those_of_the_generator_s_course():
    for which in ("generated:edition=2005,difficulty=4,levels=5", Specification(difficulty=3), Generator(seed=3)):
        course, thrown = attempts(which, 2)
        generator = which if isinstance(which, Generator) else Generator(which)
        assert course == generator.course(2)
        assert all(count > 0 for count in thrown.values())
    for which, number, message in (
        ("generated:levels=5", 5, "number.*0.*4.*5"),
        ("twister", 0, "generated:key=value.*'twister'"),
        (3, 0, "Generator.*3"),
    ):
        with pytest.raises(CourseError, match=message):
            attempts(which, number)


@pytest.mark.parametrize("seed", ["9" * 5000, "1e999"])
def test_a_seed_that_is_too_large_is_shown_as_it_was_written(seed):
    with pytest.raises(CourseError, match=rf"seed.*0.*{2**63 - 1}.*{seed[:5]}"):
        parse_specification(f"generated:seed={seed}")


def test_a_generator_is_not_made_of_other_things():
    with pytest.raises(CourseError, match=r"Generator.*3"):
        Generator(3)


@pytest.mark.parametrize(
    "text",
    [
        *("generated:dificulty=3", "generated:seed", "generated:seed=1,seed=2", "generated:belts=0.7,gears=0.7"),
        *("generated:width=nan", "generated:difficulty=6", "generated:players=9", "generated:checkpoints=9", "made:"),
        *("generated:edition=2005,energy=0.1", "generated:way=arranged,width=9", "generated:levels=2,number=2"),
    ],
)
def test_wrong_texts_give_one_line(text):
    with pytest.raises(CourseError) as caught:
        parse_specification(text)
    assert "\n" not in str(caught.value)


# ---- Versions ------------------------------------------------------------------------------------------------------


def test_version_1_gives_the_courses_of_version_1():
    """Results, trainings and data of that version name them."""
    text = "generated:edition=community,way=made,seed=5,number=5"
    course = Generator(f"{text},version=1").course()
    assert (course_digest(course), course.title) == ("4d17665358ab6755", "Loose Crossing 5")
    assert course.slug == f"{text},version=1"
    assert course_digest(Generator(text).course()) != course_digest(course)
    assert of_version(text, 1) == course.slug == of_version(course.slug, 1)
    assert of_version("generated~3", 1) == "generated:version=1~3"
    assert of_version(text, VERSION) == text


@pytest.mark.parametrize("edition", ["2016", "2005"])
def test_courses_of_printed_boards_are_the_same_in_every_version(edition):
    courses = [Generator(edition=edition, way="arranged", seed=4, version=v).course(2) for v in (1, VERSION)]
    assert len({course_digest(course) for course in courses}) == 1


def test_titles_say_what_lies_on_a_course():
    belts = [Generator(way="made", belts=share, gears=0, pushers=0, lasers=0, pits=0, seed=1) for share in (0, 0.3)]
    bare, busy = (generator.course(0).title.split()[-1] for generator in belts)
    assert bare in names._BARE
    assert busy in names._RINGS + names._MEETINGS + names._STREAMS
    gears = Generator(way="made", gears=0.1, pushers=0, lasers=0, pits=0, belts=0.1, walls=0, seed=1).course()
    assert any(gears.title.startswith(word) for word in names._TILES["gear"][1])


@pytest.mark.parametrize(
    ("edition", "lacks"),
    [("2016", {"repairs", "heights", "hazards"}), ("2005", {"energy", "moving", "heights"}), ("community", {"moving"})],
)
def test_an_unknown_key_is_answered_with_those_of_the_edition(edition: str, lacks: set[str]) -> None:
    with pytest.raises(CourseError, match="'xyzzy'") as error:
        parse_specification(f"generated:edition={edition},xyzzy=1")
    known = set(str(error.value).partition("known: ")[2].split(", "))
    assert {"difficulty", "belts"} <= known
    assert not lacks & known
