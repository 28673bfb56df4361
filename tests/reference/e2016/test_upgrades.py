"""The reference itself, against the cards and the rulings: upgrades, energy and special programming cards."""

import pytest

from tests.reference.errors import BadScenario, NeedsChance
from tests.reference.scenes import asked, cells, facings, robot, says, wall

from .race import Race
from .scenes import game


def taken(outcome, index=0):
    """The damage cards that a robot took, kinds that it took none of left out."""
    return {kind: count for kind, count in outcome["robots"][index]["taken"].items() if count}


def bare(x, y, facing="E", *upgrades, **more):
    """A robot with upgrades and five empty registers."""
    return robot(x, y, facing, upgrades=list(upgrades), **more)


def mover(x, y, facing, card, *upgrades, **more):
    """A robot with upgrades and one card."""
    return robot(x, y, facing, card, upgrades=list(upgrades), **more)


DRAW_PILE = ["move_1", "turn_left", "turn_right", "u_turn", "power_up", "back_up", "move_2", "move_3", "again", "again"]

WHOLE_DECK = [
    *["turn_left"] * 3,
    *["turn_right"] * 3,
    *["u_turn", "power_up", "back_up"],
    *["move_1"] * 5,
    *["move_2"] * 3,
    *["move_3", "again", "again"],
]


def at_hand(*upgrades, draw=WHOLE_DECK, **more):
    """A robot that draws a hand."""
    return {"x": 4, "y": 3, "facing": "E", "draw": list(draw), "upgrades": list(upgrades), **more}


@pytest.mark.parametrize(
    "upgrades",
    [
        ["laser_of_doom"],
        ["brakes", "brakes"],
        ["brakes", "firewall", "rail_gun", "scrambler"],
        ["boink", "hack", "zoop", "refresh"],
    ],
)
def test_upgrades_that_cannot_be_are_refused(upgrades):
    with pytest.raises(BadScenario):
        game([bare(1, 1, "E", *upgrades)])


def test_a_game_without_upgrades_refuses_them():
    for more in ({"shop": []}, {"start": 1}, {}):
        entry = bare(1, 1) if not more else robot(1, 1)
        scene = {
            "map": {"width": 5, "height": 5},
            "robots": [entry],
            "play": {"rounds": 1, **({"start": "upgrade"} if "start" in more else {})},
            "rules": {"upgrades": False},
            **({"shop": []} if "shop" in more else {}),
        }
        with pytest.raises(BadScenario):
            Race(scene)
    with pytest.raises(BadScenario):
        game([robot(1, 1, "E", "energy_routine")], rules={"upgrades": False})


def test_an_illegal_answer_and_one_never_asked_for_are_errors():
    with pytest.raises(BadScenario, match="boink"):
        game([bare(1, 1, "E", "boink")], answers=says(0, "boink", "left"))
    with pytest.raises(BadScenario, match="zoop"):
        game([bare(1, 1, "E", "boink")], answers=says(0, "zoop", "N"))


def shopping(entries, shop, answers=(), **more):
    """A round on a large floor that begins with the upgrade phase."""
    return game(entries, span=None, shop=shop, answers=answers, **more)


def test_what_costs_too_much_is_not_offered():
    with pytest.raises(BadScenario, match="buy_upgrade"):
        shopping([at_hand(energy=2)], ["brakes"], says(0, "buy_upgrade", "brakes"))
    assert asked(shopping([at_hand(energy=2)], ["brakes"]))[0][1] == "program"


def test_the_shop_is_filled_from_a_deck_that_only_a_shuffle_can_tell():
    with pytest.raises(NeedsChance):
        shopping([at_hand()], [])
    with pytest.raises(BadScenario):
        shopping([at_hand()], ["brakes", "zoop"])


def test_two_rounds_are_played():
    play = {"rounds": 2}
    entry = {"x": 4, "y": 3, "facing": "E", "draw": WHOLE_DECK}
    scene = {"map": {"width": 10, "height": 6}, "robots": [entry], "play": play, "rules": {"upgrades": False}}
    race = Race(scene)
    race.run()
    assert race.outcome()["round"] == 2
    assert [entry[1] for entry in asked(race.outcome())].count("program") == 2
    with pytest.raises(NeedsChance):
        Race({**scene, "rules": {}}).run()  # the second shop


def test_cache_memory_lays_cards_on_the_deck_before_and_after_programming():
    answers = says(0, "cache_memory", ["u_turn", "turn_left"], "no", ["power_up"])
    outcome = game([at_hand("cache_memory")], span=None, answers=answers)
    said = [entry for entry in asked(outcome) if entry[1] == "cache_memory"]
    assert [choice for _, _, choice in said] == [["u_turn", "turn_left"], "no", ["power_up"]]
    assert len(outcome["robots"][0]["discard"]) == 6
    with pytest.raises(BadScenario, match="cache_memory"):
        game([at_hand("cache_memory")], span=None, answers=says(0, "cache_memory", WHOLE_DECK[:5]))


def test_memory_swap_draws_three_and_puts_three_on_top():
    entry = robot(1, 1, "E", "spam", upgrades=["memory_swap"], draw=["move_1", "move_2", "move_3"])
    outcome = game([entry], span=None, answers=says(0, "memory_swap", ["move_3", "move_1", "move_2"]))
    assert (cells(outcome), outcome["robots"][0]["upgrades"]) == ([(4, 1)], [])
    with pytest.raises(BadScenario, match="memory_swap"):
        game([entry], span=None, answers=says(0, "memory_swap", ["move_3", "move_1"]))


def test_boink_steps_in_any_direction_and_pushes():
    robots = [bare(1, 1, "E", "boink"), bare(1, 2, "E")]
    outcome = game(robots, answers=says(0, "boink", "S"))
    assert (cells(outcome), facings(outcome)) == ([(1, 2), (1, 3)], "EE")
    with pytest.raises(BadScenario, match="boink"):
        game(robots, [wall(1, 2, "S")], answers=says(0, "boink", "S"))


def test_refresh_changes_what_the_card_does():
    outcome = game([mover(1, 1, "E", "turn_left", "refresh")], answers=says(0, "refresh", "move_3"))
    assert (cells(outcome), outcome["robots"][0]["registers"][0]) == ([(4, 1)], "turn_left")
    with pytest.raises(BadScenario, match="refresh"):
        game([mover(1, 1, "E", "turn_left", "refresh")], answers=says(0, "refresh", "again"))
    assert asked(game([bare(1, 1, "E", "refresh")])) == []


def test_repeat_routine_is_an_again():
    outcome = game([robot(1, 1, "E", "move_2", "repeat_routine", "again")], span=(1, 3))
    assert cells(outcome) == [(7, 1)]
    outcome = game([robot(1, 1, "E", "repeat_routine", draw=["repeat_routine", "move_2"])])
    assert (cells(outcome), outcome["robots"][0]["registers"][0]) == ([(3, 1)], "move_2")
    hand = ["repeat_routine", *["move_1"] * 4]
    with pytest.raises(BadScenario, match="program"):
        game([at_hand(hand=hand, draw=DRAW_PILE[1:])], span=None, answers=says(0, "program", hand))


def test_weasel_and_sandbox_routine_ask_anew_when_repeated():
    answers = says(0, "weasel_routine", "turn_left", "u_turn")
    outcome = game([robot(1, 1, "E", "weasel_routine", "again")], span=(1, 2), answers=answers)
    assert facings(outcome) == "S"
    answers = says(0, "sandbox_routine", "move_3", "turn_left")
    outcome = game([robot(1, 1, "E", "sandbox_routine", "again")], span=(1, 2), answers=answers)
    assert (cells(outcome), facings(outcome)) == ([(4, 1)], "N")
    with pytest.raises(NeedsChance):
        game([robot(1, 1, "E", "sandbox_routine")])
    with pytest.raises(BadScenario, match="weasel"):
        game([robot(1, 1, "E", "weasel_routine")], answers=says(0, "weasel_routine", "move_1"))


def pushing(*upgrades, card="move_2", others=(), pushed=(), answers=(), elements=(), **more):
    """A robot that pushes another; lasers hit nobody."""
    first = mover(1, 1, "E", card, *upgrades)
    return game([first, bare(2, 1, "N", *pushed, **more), *others], [wall(9, 1, "W"), *elements], answers=answers)


def test_side_arms_push_aside():
    answers = says(0, "side_arms", "left")
    outcome = pushing("side_arms", answers=answers)
    assert cells(outcome) == [(3, 1), (2, 0)]
    outcome = pushing("side_arms", "virus_module", answers=answers, elements=[wall(2, 1, "E")], card="move_1")
    assert (cells(outcome), taken(outcome, 1)) == ([(2, 1), (2, 0)], {"virus": 1})
    with pytest.raises(BadScenario, match="side_arms"):
        pushing("side_arms", answers=answers, elements=[wall(2, 1, "N")])
    assert asked(pushing("side_arms")) == [(0, "side_arms", "no")]
    answers = says(0, "side_arms", "right")
    behind = pushing("side_arms", card="back_up", others=[bare(0, 1, "N")], answers=answers)
    assert cells(behind) == [(0, 1), (2, 1), (0, 2)]


def test_modular_chassis_respects_the_limits_and_takes_the_mark_along():
    full = ["brakes", "firewall", "admin_privilege", "zoop"]
    with pytest.raises(BadScenario, match="modular_chassis"):
        pushing("modular_chassis", pushed=full, answers=says(0, "modular_chassis", "zoop"))
    robots = [mover(1, 1, "E", "move_1", "modular_chassis"), bare(2, 1, "N", *full[2:])]
    answers = says(1, "admin_privilege", "yes") + says(0, "modular_chassis", "admin_privilege")
    outcome = game(robots, answers=answers, span=(1, 2), order=[0, 1])
    assert [entry[1] for entry in asked(outcome)].count("admin_privilege") == 1
