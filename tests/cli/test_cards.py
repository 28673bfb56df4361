"""`roborally cards`, as a user calls it."""

import json
import re
from pathlib import Path

import pytest

from roborally_env.base.errors import RoboRallyError
from roborally_env.cards.listing import TYPES, find_cards, list_cards
from roborally_env.core import cards, choices, options, upgrades
from roborally_env.core.rule_options import editions

# title, type, count, cost of every card, as counted in the printed game
FACTS = json.loads((Path(__file__).parent / "cards_2016.json").read_text())["cards"]
NAMES = [(name, kind) for kind, names in [
    ("programming", cards.NAMES[1 : cards.SPAM]),
    ("special", cards.NAMES[cards.ENERGY_ROUTINE :]),
    ("damage", cards.DAMAGE_NAMES),
    ("permanent", upgrades.NAMES[1:25]),
    ("temporary", upgrades.NAMES[25:]),
] for name in names]  # fmt: skip


def letters(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def test_every_card_of_the_tables_is_listed_once_in_printed_order():
    assert [(card.name, card.type) for card in list_cards("2016")] == NAMES
    assert len(NAMES) == len(cards.TABLE) + upgrades.COUNT == 59


def test_costs_counts_and_types_are_those_of_the_printed_game():
    found = {(letters(card.title), card.type): (card.count, card.cost) for card in list_cards("2016")}
    assert found == {(letters(title), kind): (count, cost) for title, kind, count, cost in FACTS}


def test_every_edition_that_is_built_has_its_cards():
    for edition in editions():
        assert {card.type for card in list_cards(edition)} <= set(TYPES)
        assert {card.edition for card in list_cards(edition)} == {edition}
    assert {card.type for card in list_cards()} == set(TYPES)


def test_every_card_has_its_words_and_every_upgrade_a_ruling():
    for card in list_cards("2016"):
        assert card.rule.endswith("."), card.name
        assert all(ruling.endswith(".") for ruling in card.rulings), card.name
        assert card.rulings or card.cost is None, card.name


def test_every_ruling_that_is_named_is_on_the_page_of_rulings():
    page = (Path(__file__).parents[2] / "docs" / "rulings.md").read_text(encoding="utf-8")
    texts = [ruling for card in list_cards() for ruling in (*card.every, *card.rulings)]
    named = {number for text in texts for number in re.findall(r"\bR\d+[a-z]?\b", text)}
    assert {f"R{n}" for n in range(44, 54)} <= named
    assert [number for number in named if not re.search(rf"\*\*{number}\b", page)] == []


def test_decisions_are_those_of_the_core():
    for card in list_cards("2016"):
        if card.decision is not None:
            assert card.decision in choices.NAMES
            assert card.choices
            assert card.default
    asked = {card.name for card in list_cards("2016", "permanent") if card.decision}
    never = {"double_barrel_laser", "firewall", "hover_unit", "memory_stick", "ramming_gear", "scrambler",
             "trojan_needler", "virus_module"}  # fmt: skip
    assert asked == set(upgrades.NAMES[1:25]) - never


def test_the_list_shows_type_cost_rule_and_rulings(roborally):
    code, out, err = roborally("cards")
    assert (code, err) == (0, "")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.split("\n") if line.startswith("│")]
    shown = {(letters(cells[0]), *cells[1:4]) for cells in rows}
    for title, kind, count, cost in FACTS:
        assert (letters(title), kind, str(count), "" if cost is None else str(cost)) in shown
    words = " ".join(out.replace("│", " ").split())
    assert "Every upgrade:" in out
    for part in ("shot", "Rail Gun", "R50:", "R52:", "top card of"):
        assert part in words


def test_the_list_fits_a_narrow_terminal(roborally, monkeypatch):
    monkeypatch.setattr("roborally_env.cli.cards.WIDTH", 72)
    code, out, _ = roborally("cards", "--type", "temporary")
    assert code == 0
    assert max(map(len, out.split("\n"))) <= 72 + len("Every upgrade:")
    assert "temporary, cost 0" in out


def test_one_card_in_full(roborally):
    code, out, err = roborally("cards", "Crab Legs")
    assert (code, err) == (0, "")
    shown = " ".join(out.replace("│", " ").split())
    for part in (
        "Crab Legs (edition 2016)", "type permanent", "cost 5 energy cubes", "when a Move 1 begins",
        "rule", "R49:", "decision crab_legs", "choices no, left, right",
        'with decisions="program" used if all three steps are free', "R48:",
    ):  # fmt: skip
        assert part in shown


def test_a_card_that_is_never_asked_says_so(roborally):
    shown = " ".join(roborally("cards", "firewall")[1].replace("│", " ").split())
    assert "decision none" in shown


@pytest.mark.parametrize("words", [("Rail Gun",), ("Rail", "Gun"), ("rail-gun",), ("rail_gun",), ("RAILGUN",)])
def test_names_as_people_type_them(words, roborally):
    code, out, err = roborally("cards", *words, "--json")
    assert (code, err) == (0, "")
    assert [card["name"] for card in json.loads(out)] == ["rail_gun"]


@pytest.mark.parametrize("name", ["U-Turn", "u turn", "uturn"])
def test_names_of_programming_cards(name):
    assert [card.name for card in find_cards(name, "2016")] == ["u_turn"]
    assert [(card.name, card.edition) for card in find_cards(name)] == [("u_turn", "2016"), ("u_turn", "2005")]


def test_a_routine_and_its_card_share_their_name(roborally):
    found = json.loads(roborally("cards", "sandbox routine", "--json")[1])
    assert [card["type"] for card in found] == ["special", "temporary"]
    assert {card["decision"] for card in found} == {"sandbox_routine"}
    assert found[0]["choices"] == "move_1, move_2, move_3, back_up, turn_left, turn_right, u_turn"
    found = json.loads(roborally("cards", "sandbox routine", "--type", "special", "--json")[1])
    assert [card["cost"] for card in found] == [None]


def test_json_alone_is_on_stdout(roborally):
    code, out, err = roborally("cards", "--json")
    found = json.loads(out)
    assert (code, err, len(found)) == (0, "", 59 + 7 + 26 + 2)
    (boink,) = (card for card in found if card["name"] == "boink")
    assert {**boink, "rule": None, "rulings": None} == {
        "edition": "2016",
        "name": "boink",
        "title": "Boink",
        "type": "temporary",
        "count": 1,
        "cost": 1,
        "when": "own turn",
        "rule": None,
        "rulings": None,
        "decision": "boink",
        "choices": "no, N, E, S, W",
        "default": "used after the card if it reaches the next checkpoint",
    }
    assert boink["rulings"][0].startswith("R49: ")


@pytest.mark.parametrize("kind", TYPES)
def test_one_type_alone(kind, roborally):
    code, out, _ = roborally("cards", "--edition", "2016", "--type", kind, "--json")
    assert code == 0
    assert [(card["name"], card["type"]) for card in json.loads(out)] == [row for row in NAMES if row[1] == kind]


def test_a_type_that_the_edition_lacks_is_told_with_those_that_it_has(roborally):
    code, out, _ = roborally("cards", "--edition", "2005", "--type", "permanent")
    assert code == 0
    assert "2005 has no cards of type permanent" in out
    assert out.rstrip().endswith("programming, option")


WRONG = {
    "name": (("Rail Gnu",), "unknown card 'Rail Gnu' (did you mean rail_gun"),
    "names": (("rail", "gnu"), "unknown card 'rail gnu' (did you mean rail_gun"),
    "no name": (("",), "unknown card ''"),
    "type": (("--type", "permanant"), "unknown type 'permanant' (did you mean permanent?); expected one of programm"),
    "type of an edition": (
        ("--edition", "2005", "--type", "options"),
        "'options' (did you mean option?); expected one of programming, option\n",
    ),
    "name of an edition": (("xyzzy", "--edition", "2005"), "'xyzzy' of edition 2005; `roborally cards --edition 2005`"),
    "type of a card": (("rail_gun", "--type", "damage"), "card 'rail_gun' is of type permanent, not damage"),
    "edition": (
        ("--edition", "2061"),
        "unknown edition '2061' (did you mean 2016, 2023, 2005?); expected one of 2016, 2005, community, 2023",
    ),
    "card of another edition": (("spam", "--edition", "community"), "card 'spam' is of edition 2016, not community"),
    "option": (("--jsn",), "No such option"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_one_line_and_exit_code_2(roborally, words, message):
    code, out, err = roborally("cards", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("arguments", "word"), [(("rai",), "rai"), (("spam", "19"), "19"), (("spam", None, "x"), "x")])
def test_wrong_arguments_in_python(arguments, word):
    with pytest.raises(RoboRallyError, match=word):
        find_cards(*arguments)


# -- edition 2005

# counts and priority numbers of the printed deck
PROGRAM_CARDS = {
    "u_turn": (6, "10 to 60"),
    "turn_left": (18, "70, 90 .. 410"),
    "turn_right": (18, "80, 100 .. 420"),
    "back_up": (6, "430 to 480"),
    "move_1": (18, "490 to 660"),
    "move_2": (12, "670 to 780"),
    "move_3": (6, "790 to 840"),
}
NEVER_ASKED = {
    "ablative_coat", "circuit_breaker", "double_barreled_laser", "extra_memory", "high_power_laser", "mechanical_arm",
    "power_down_shield", "ramming_gear", "rear_firing_laser", "superior_archive",
}  # fmt: skip


def test_the_2005_edition_has_84_program_cards_and_26_options():
    found = list_cards("2005", "programming")
    assert {card.name: (card.count, card.numbers) for card in found} == PROGRAM_CARDS
    assert sum(card.count for card in found) == 84
    drawn = list_cards("2005", "option")
    assert [card.name for card in drawn] == list(options.NAMES[1:])
    assert {card.name for card in drawn if card.decision is None} == NEVER_ASKED
    for card in (*found, *drawn):
        assert card.rule.endswith("."), card.name
        assert card.rulings, card.name
        assert all(ruling.endswith(".") for ruling in card.rulings), card.name
        assert card.type == "programming" or (card.when and card.default), card.name
        assert card.decision is None or choices.kind_of(card.decision, True) >= choices.KINDS_2016, card.name


def test_the_list_of_the_2005_edition(roborally):
    code, out, err = roborally("cards", "--edition", "2005")
    assert (code, err) == (0, "")
    assert "Edition 2005" in out
    assert "Edition 2016" not in out
    assert "Every option:" in out
    assert "Every upgrade:" not in out
    words = " ".join(out.replace("│", " ").split())
    for part in ("Rotate Left", "70, 90 .. 410", "Ablative Coat", "R64:"):
        assert part in words


def test_one_option_in_full(roborally):
    shown = " ".join(roborally("cards", "Fire Control")[1].replace("│", " ").split())
    for part in (
        "Fire Control (edition 2005)", "type option", "count 1 in the deck", "when the main laser hits a robot",
        "decision fire_control", "choices no, register_1 .. register_5, or an option", "every option",
    ):  # fmt: skip
        assert part in shown


def test_cards_of_one_name_are_told_apart_by_edition(roborally):
    found = json.loads(roborally("cards", "crab legs", "--json")[1])
    assert [(card["edition"], card["type"]) for card in found] == [("2016", "permanent"), ("2005", "option")]
    assert "numbers" not in found[0]
    (alone,) = json.loads(roborally("cards", "crab legs", "--edition", "2005", "--json")[1])
    assert alone == found[1]
    assert json.loads(roborally("cards", "move 3", "--edition", "2005", "--json")[1])[0]["numbers"] == "790 to 840"


# -- the community edition


def test_the_community_edition_has_the_cards_of_2016_without_damage_cards_and_heal_routine():
    found = list_cards("community")
    assert [(card.name, card.count, card.cost) for card in found if card.type != "special"] == [
        (card.name, card.count, card.cost)
        for card in list_cards("2016")
        if card.type == "programming" or (card.cost is not None and card.name not in LEFT_OUT)
    ] + [("heal_routine", 1, 3)]
    special = ("energy_routine", "weasel_routine", "sandbox_routine", "speed_routine", "repeat_routine", "heal_routine")
    assert tuple(card.name for card in found if card.type == "special") == special
    assert [card.title for card in find_cards("heal routine")] == ["Heal Routine"] * 2


LEFT_OUT = {
    "corruption_wave", "blue_screen_of_death", "trojan_needler", "virus_module", "defrag_gizmo", "spam_blocker",
    "spam_folder_routine",
}  # fmt: skip


def test_its_words_speak_neither_of_damage_cards_nor_of_reboots():
    for card in list_cards("community"):
        sentences = " ".join((card.rule, card.when, card.default, *card.rulings))
        assert not re.search(r"SPAM|Worm|Virus|Trojan|damage cards?\b|\breboots?\b", sentences), (card.name, sentences)
        assert card.rule.endswith(".")
        assert all(ruling.endswith(".") for ruling in card.rulings), card.name


def test_the_list_of_the_community_edition(roborally):
    code, out, err = roborally("cards", "--edition", "community")
    assert (code, err) == (0, "")
    assert "Double Barrel Laser" in out
    assert "R48" not in out
