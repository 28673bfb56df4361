"""Frenetic Factory: 2005 course manual p. 27. Flag 1 lies on Chess, flags 2 and 4 on Chop Shop, flag 3 on Island."""

from typing import Any

from roborally_env.courses import course_as_dict, load_course
from roborally_env.courses.rotation import turn_codes, turned_course
from roborally_env.scenario import load
from tests.rules.scene import Scene, race_on

from .scene import Result

FLAG_1, FLAG_2, FLAG_4 = "4 6 N", "16 10 N", "21 1 N"  # under flag 2 no belt comes to lie
CHESS, CHOP_SHOP, DOCKING_BAY = 0, 1, 4
SEEDS = range(24)


def factory(**robots: str) -> Scene:
    """Robots on the course."""
    return race_on("frenetic_factory", edition="2005", **robots)


def coins(result: Result) -> list[tuple[str, int, int]]:
    """Whose coin came up heads: the robot, the board that turned, and its quarter turns by then."""
    names = result.scene.names
    return [(names[e["robot"]], e["board"], e["quarters"]) for e in result.happened("board_turned")]


def races(scene: Scene, **play: Any) -> list[Result]:
    """The same situation with one seed after the other."""
    return [scene.play(seed=seed, **play) for seed in SEEDS]


def test_heads_turn_the_board_and_tails_do_not():
    """p. 27: its owner flips a coin; the board that the robot is on turns a quarter clockwise."""
    found = {tuple(coins(result)) for result in races(factory(A=FLAG_1))}
    assert found == {(), (("A", CHESS, 1),)}


def test_the_coin_is_fair():
    """p. 27: a robot that stays on a flag touches it in each phase (p. 8); every touch is a coin."""
    heads = [len(coins(result)) for result in races(factory(A=FLAG_2), to=5)]
    assert 0.3 < sum(heads) / (5 * len(heads)) < 0.7


def test_each_heads_is_another_quarter():
    """p. 27: after four of them the board lies as at the start."""
    turned = max((coins(result) for result in races(factory(A=FLAG_2), to=5)), key=len)
    assert len(turned) >= 4
    assert [quarters for _, _, quarters in turned] == [1, 2, 3, 0, 1][: len(turned)]


def test_any_touched_flag_counts():
    """p. 27: whenever a robot touches a flag, be it its next one or not. The archive marker goes there."""
    found = races(factory(A=FLAG_4))
    assert {tuple(coins(result)) for result in found} == {(), (("A", CHOP_SHOP, 1),)}
    for result in found:
        result.flags(A=0).archive(A="21 1")


def test_two_robots_on_one_board_flip_a_coin_each():
    """p. 27: whenever a robot touches a flag."""
    found = {tuple(coins(result)) for result in races(factory(A=FLAG_2, B=FLAG_4))}
    a, b = ("A", CHOP_SHOP, 1), ("B", CHOP_SHOP, 1)
    assert found == {(), (a,), (b,), (a, ("B", CHOP_SHOP, 2))}


def test_boards_turn_for_themselves():
    """p. 27: the board the robot is on."""
    found = {tuple(coins(result)) for result in races(factory(A=FLAG_1, B=FLAG_2))}
    a, b = ("A", CHESS, 1), ("B", CHOP_SHOP, 1)
    assert found == {(), (a,), (b,), (a, b)}


def test_without_a_flag_there_is_no_coin():
    """p. 27: touches a flag. B stands on a repair site of Chess."""
    repair = next(e for e in load_course("frenetic_factory").elements if e.kind == "repair" and e.x < 12 and e.y < 12)
    for result in races(factory(A=f"{repair.x} {repair.y} N"))[:8]:
        result.archive(A=f"{repair.x} {repair.y}")
        assert coins(result) == []


def test_the_docking_bay_does_not_turn():
    """p. 27 turns the board under a flag; the docking bay has none, and is no square."""
    codes = turn_codes(load_course("frenetic_factory"))
    assert codes[DOCKING_BAY] == 0
    assert all(codes[:DOCKING_BAY])


def turning(scene: Scene, heads: list[int], **play: Any) -> Result:
    """A race in which the coins of the first registers come up as wanted: 1 heads, 0 tails."""
    for seed in range(200):
        result = scene.play(seed=seed, **play)
        registers = [e for e in result.events if e["kind"] in ("register", "board_turned")]
        found, register = [0] * len(heads), -1
        for event in registers:
            register += event["kind"] == "register"
            if event["kind"] == "board_turned" and register < len(found):
                found[register] += 1
        if found == heads:
            return result
    raise AssertionError(f"no seed of 200 has the coins {heads}")


def test_robots_and_flags_stay_in_place():
    """p. 27: all flags and robots on that board stay when it's turned, and how they face."""
    scene = factory(A=FLAG_2, B="13 1 N", C="22 9 W", D="18 6 S")
    still, turned = turning(scene, [0]), turning(scene, [1])
    assert still.robots == turned.robots
    assert turned.robots["A"] == (16, 10, "N")
    again = turning(scene, [1, 1], to=2)  # the flag is touched where it was, once more
    assert coins(again) == [("A", CHOP_SHOP, 1), ("A", CHOP_SHOP, 2)]
    again.archive(A="16 10")


def test_a_flag_on_a_board_that_has_turned_is_touched_where_it_was():
    """p. 27: flags stay in place. A leaves; B comes there in register two and gets credit."""
    scene = race_on(
        "frenetic_factory", edition="2005", A="16 10 E", B="16 9 S",
        mats={"A": {"checkpoint": 1}, "B": {"checkpoint": 1}},
    )  # fmt: skip
    turning(scene, [1], A=[None, "move_1:500"], B=[None, "move_1:490"], to=2).flags(A=2, B=2)


# robots on Chess: where belts are, where belts come to lie, and on the ring of express belts
RIDERS = {"B": "2 3 N", "C": "2 2 E", "D": "6 9 S", "F": "7 5 W", "G": "10 4 N", "H": "7 7 E"}
CARDS = {"B": [None, "turn_left"], "G": [None, "back_up"], "H": [None, "move_1"]}


def test_after_the_turn_the_race_goes_on_as_on_the_turned_board():
    """p. 27: rotate the board. Belts, walls and all else act as they lie now."""
    scene = factory(A=FLAG_1, **RIDERS)
    before, result = turning(scene, [1], to=1), turning(scene, [1, 0], to=2, **CARDS)
    course = load_course("frenetic_factory")
    found = {name: place(result, name) for name in scene.names}
    assert alone(turned_course(course, (1, 0, 0, 0, 0)), before, CARDS) == found
    assert alone(course, before, CARDS) != found


def test_a_robot_over_a_pit_that_has_come_there_stays_in_place():
    """p. 27: robots stay in place; p. 10: only a robot that moves or is moved into a pit is destroyed. It moves on."""
    result = turning(factory(A=FLAG_1, B="6 4 N"), [1], B=[None, "move_1"], to=2)
    result.destroyed("").at(B="6 3 N")


def test_who_would_come_back_over_a_pit_comes_back_beside_it():
    """p. 9: you can't start a turn with your robot in a pit; as where another robot stands (R63)."""
    scene = race_on("frenetic_factory", edition="2005", A=FLAG_2, B="13 0 N", mats={"B": {"archive": "21 2"}})
    turns = ["turn_left", "turn_right", "turn_left", "turn_right", "u_turn"]
    programs = {"A": turns, "B": ["move_3", None, None, None, None]}
    course, found = load_course("frenetic_factory"), set()
    for seed in range(40):
        result = scene.play_rounds(seed=seed, **programs)
        quarters = coins(result)[-1][2] if coins(result) else 0
        found.add(quarters)
        pit = ("pit", 21, 2) in {(e.kind, e.x, e.y) for e in turned_course(course, (0, quarters, 0, 0, 0)).elements}
        assert pit == (quarters == 1)
        x, y, _ = result.robots["B"]
        assert ((x, y) == (21, 2)) != pit
        assert max(abs(x - 21), abs(y - 2)) <= 1
        assert len(result.asked_about("reentry_cell")) == pit
    assert found == {0, 1, 2, 3}


def place(result: Result, name: str) -> tuple[Any, ...]:
    """Where a robot is, and in what state."""
    robot = result.robot(name)
    return tuple(robot[key] for key in ("x", "y", "facing", "damage", "lives"))


def alone(course: Any, start: Result, cards: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    """Register two on a map of this course, from the places of another result."""
    board = {**course_as_dict(course)["map"], "special_rules": []}
    robots = []
    for name in start.scene.names:
        robot = {key: start.robot(name)[key] for key in ("x", "y", "facing", "damage", "lives", "archive")}
        robots.append({**robot, "registers": cards.get(name, [])})
    outcome = load({"edition": "2005", "map": board, "robots": robots, "play": {"from": 2, "to": 2}}).run()
    keys = ("x", "y", "facing", "damage", "lives")
    return {name: tuple(r[key] for key in keys) for name, r in zip(start.scene.names, outcome["robots"], strict=True)}
