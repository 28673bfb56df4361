"""Scenarios of the 2016 edition: energy, upgrades, a pile for each robot, damage cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from roborally_env.base.documents import shown
from roborally_env.base.errors import ScenarioError
from roborally_env.base.types import JsonObject
from roborally_env.core import cards, upgrades
from roborally_env.core.choices import (
    BUY_UPGRADE,
    DONE,
    DRAW_FIRST,
    OPTION_NAMES,
    REPLACE_UPGRADE,
    UPGRADE,
    decision_of,
)
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.editions.e2016 import steps
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.energy import START_ENERGY
from roborally_env.core.mechanics.owned_upgrades import plays_upgrades
from roborally_env.core.mechanics.piles import draw_hand
from roborally_env.core.mechanics.programs import ALL, correct_program, program
from roborally_env.core.rule_options import RULE_ADVANCED
from roborally_env.core.state import PILE, REGISTERS, Kind
from roborally_env.core.steps import OVER, PROGRAM
from roborally_env.scenario import common
from roborally_env.scenario.common import cards_of, names_of, read_cards
from roborally_env.scenario.keys import Check, EditionScenario, Key, Phases, fixed, number
from roborally_env.scenario.reader import Scenario
from roborally_env.scenario.runner import Runner
from roborally_env.scenario.values import MISSING, a_list, all_different, named, one_of

MAX_ENERGY = 30_000
DECK_AND_SPECIALS = cards.MAX_OWNED - int(cards.DAMAGE_BOX.sum())  # there is room for all damage beside so many cards
CACHE_MEMORY, MEMORY_SWAP = UPGRADE + upgrades.CACHE_MEMORY, UPGRADE + upgrades.MEMORY_SWAP


# -- reading


def read_card(scenario: Scenario, given: Any, where: str, numbers: dict[str, int] = cards.NUMBERS) -> int:
    """A card by its name; `numbers` are the cards of the edition."""
    card = named(given, where, numbers, "a card's")
    if card >= cards.ENERGY_ROUTINE and not scenario.plays_upgrades:
        raise ScenarioError(f"{where}: expected a card of the game without upgrades, got {given!r}")
    return card


def read_upgrade(scenario: Scenario, given: Any, where: str) -> int:
    """An upgrade by its name."""
    deck = upgrades.numbers_of(scenario.kind.upgrade_numbers)
    if given in upgrades.ALL_NAMES[1:] and given not in deck:
        raise ScenarioError(f"{where}: expected an upgrade of edition {scenario.edition}, which has no {given}")
    return named(given, where, deck, "an upgrade's")


def read_upgrades(scenario: Scenario, given: Any, where: str) -> list[int]:
    """A list of upgrades, each once."""
    given = a_list([] if given is MISSING else given, where, "a list of upgrade names")
    found = [read_upgrade(scenario, name, f"{where}[{i}]") for i, name in enumerate(given)]
    all_different(given, where, "upgrade")
    return found


def read_installed(scenario: Scenario, given: Any, where: str) -> list[int]:
    """The upgrades on a mat, at most three of a type."""
    if not scenario.plays_upgrades:
        if given not in (MISSING, []):
            raise ScenarioError(f"{where}: expected [] in the game without upgrades, got {shown(given)}")
        return []
    owned = read_upgrades(scenario, given, where)
    for kind, count in Counter(row.type for row in map(upgrades.upgrade, owned) if not row.special).items():
        if count > upgrades.MOST_OF_A_TYPE:
            raise ScenarioError(f"{where}: expected at most three {kind} upgrades, got {count}")
    return owned


def read_shop(scenario: Scenario, given: Any, where: str) -> list[int]:
    """The upgrades for sale; checked against those that robots have."""
    if given in (MISSING, None):
        return []
    if not scenario.plays_upgrades:
        if given:
            raise ScenarioError("shop: expected nothing here: the game is played without upgrades")
        return []
    if not isinstance(given, list) or len(given) > len(scenario.robots):
        raise ScenarioError(f"shop: expected a list of at most a card a robot, got {shown(given)}")
    shop = read_upgrades(scenario, given, where)
    for i, card in enumerate(shop):
        for j, robot in enumerate(scenario.robots):
            if card in robot["upgrades"]:
                raise ScenarioError(f"shop[{i}]: robots[{j}] has {given[i]!r}; there is one of each card")
    return shop


def check_cards(scenario: Scenario) -> None:
    """Raise unless the box has all damage cards named, and no robot has more cards than its record has room for."""
    found: Counter[int] = Counter()
    for i, robot in enumerate(scenario.robots):
        counts = Counter(cards_of(robot))
        found.update(counts)
        unnamed = sum(max(0, int(cards.DECK_COUNTS[c]) - counts[c]) for c in range(cards.KINDS))
        check_room(i, counts.total() + unnamed + len(special_cards(robot["upgrades"])))
    for kind, name in enumerate(cards.DAMAGE_NAMES):
        if found[cards.SPAM + kind] > cards.DAMAGE_BOX[kind]:
            raise ScenarioError(
                f"robots: expected at most {cards.DAMAGE_BOX[kind]} {name} cards (all in the box), "
                f"got {found[cards.SPAM + kind]}"
            )


def check_room(r: int, owned: int) -> None:
    """Raise if a robot has more cards than its record has room for."""
    if owned > cards.MAX_OWNED:
        raise ScenarioError(f"robots[{r}]: expected at most {cards.MAX_OWNED} cards in all, got {owned}")


def special_cards(installed: Iterable[int]) -> list[int]:
    """The special cards that routines among some upgrades put into a discard pile."""
    return [special for u in installed if (special := upgrades.upgrade(u).special)]


# -- decisions


def decisions(scenario: Scenario) -> dict[str, Check]:
    """The decisions of the game; without upgrades nobody is asked about them."""
    kinds = [*range(1, BUY_UPGRADE)]
    if scenario.plays_upgrades:
        deck = [u for u in scenario.kind.upgrade_numbers if u != upgrades.HEAL_ROUTINE]
        kinds += [BUY_UPGRADE, REPLACE_UPGRADE, *map(decision_of, deck)]
    return common.decisions_of(kinds, CHECKS)


def check_program(scenario: Scenario, choice: Any, where: str) -> None:
    """Raise unless the answer is a program; the timer may leave registers open."""
    if not isinstance(choice, list) or len(choice) != REGISTERS:
        raise ScenarioError(f"{where}: expected a list of five card names, got {shown(choice)}")
    for k, card in enumerate(choice):
        if card is not None or not scenario.rules["timer"]:
            scenario.form.read_card(scenario, card, f"{where}[{k}]")


def check_upgrade(scenario: Scenario, choice: Any, where: str) -> None:
    """Raise unless the choice is "no" or an upgrade."""
    one_of(choice, where, ("no", *upgrades.numbers_of(scenario.kind.upgrade_numbers)))


def check_list(scenario: Scenario, choice: Any, where: str) -> None:
    """Raise unless the choice is "no" or a list of cards."""
    if isinstance(choice, list):
        read_cards(scenario, choice, where)
    elif choice != "no":
        raise ScenarioError(f'{where}: expected "no" or a list of card names, got {shown(choice)}')


CHECKS: dict[int, Check] = {
    DECISION_NAMES.index("program"): check_program,
    BUY_UPGRADE: check_upgrade,
    REPLACE_UPGRADE: check_upgrade,
    CACHE_MEMORY: check_list,
    MEMORY_SWAP: check_list,
}


def answer_list(runner: Runner, kind: int) -> int:
    """The answer to a question that is answered by a list of cards: the first card; the others follow as they are
    asked for, and then the option that ends the list."""
    game, legal = runner.game, int(runner.game.ask_options)
    if legal & 1:  # "no": the list begins
        runner.check_rest_used()
        decision, robot = DECISION_NAMES[kind], int(game.ask_seat)
        choice, where = runner.next_answer(robot, decision) or ("no", "")
        runner.decide(robot, decision, choice)
        if choice == "no":
            return 0
        runner.rest, runner.rest_from = list(choice), where
        if kind == MEMORY_SWAP:
            return runner.legal(OPTION_NAMES[kind][DRAW_FIRST], where)
        if not runner.rest:
            raise ScenarioError(f'{where}: expected "no" or at least one card')
    elif not runner.rest:
        if legal >> DONE & 1:
            return DONE
        raise ScenarioError(f"{runner.rest_from}: expected three cards (or the whole hand where it is smaller)")
    return runner.legal(runner.rest.pop(0), runner.rest_from)


# -- setting up


def put_piles(runner: Runner, r: int, known: list[int]) -> None:
    """Set the deck with its known top, the discard pile, and the damage cards that are left in the box."""
    game, robot = runner.game, runner.robots[r]
    names = Counter(cards_of(robot))
    bag = [c for c in range(1, cards.KINDS) for _ in range(int(cards.DECK_COUNTS[c]) - names[c])]
    game.pile[r, : len(bag)] = bag
    game.drawable[r] = len(bag)
    discard = [*robot["discard"], *special_cards(robot["upgrades"])]
    game.pile[r, len(bag) : len(bag) + len(discard)] = discard
    game.discarded[r] = len(discard)
    game.pile[r, PILE - len(known) :] = known
    game.known[r] = len(known)
    runner.owned[r] = names.total() + len(bag) + len(discard) - len(robot["discard"])
    for kind in range(cards.DAMAGE_KINDS):
        game.damage_pile[kind] -= names[cards.SPAM + kind]


def put_installed(runner: Runner, r: int, installed: list[int]) -> None:
    """Put upgrades on a mat."""
    if runner.kind.has("owned"):
        lasting = upgrades.bits(*(u for u in installed if not upgrades.upgrade(u).special))
        runner.game.had[r] = upgrades.bits(*installed)
        runner.game.owned[r] = lasting
        runner.game.on_mats |= lasting


def set_table(runner: Runner) -> None:
    """Set cubes, shop and deck; the deck is all upgrades except those that the file places elsewhere."""
    game = runner.game
    game.cubes = runner.tables["cubes"][0]
    if not runner.kind.has("owned"):
        return
    elsewhere = {u for name in ("upgrades", "collection") for robot in runner.robots for u in robot.get(name, ())}
    elsewhere |= {u for pile in runner.scenario.table.values() for u in pile}
    own = {card for robot in runner.robots for card in cards_of(robot)}
    deck = [u for u in runner.kind.upgrade_numbers if u not in elsewhere and upgrades.upgrade(u).special not in own]
    game.upgrade_deck[:] = upgrades.NONE
    game.upgrade_deck[: len(deck)] = deck
    game.upgrades_left = len(deck)


def carry_out(runner: Runner, registers: int) -> None:
    """Set what the first registers leave behind: the actions that later cards repeat, and damage cards."""
    game = runner.game
    for r in range(game.players):
        for k in range(registers):
            card = int(game.registers[r, k])
            if cards.SPAM <= card <= cards.TROJAN_HORSE:
                game.damaged[r] |= 1 << k
            elif card in (cards.AGAIN, cards.REPEAT_ROUTINE):
                game.done[r, k] = game.done[r, k - 1] if k else cards.NONE
            else:
                game.done[r, k] = card


def count_cards(runner: Runner, events: Iterable[JsonObject]) -> None:
    """Raise if a robot has come to own more cards than its record has room for: it may begin with more than the twenty,
    and take all the damage of the box."""
    owned = runner.owned
    if max(owned.values()) <= DECK_AND_SPECIALS:
        return
    for event in events:
        kind = event["kind"]
        if kind in ("damage", "returned"):
            owned[event["robot"]] += 1 if kind == "damage" else -1
        elif kind in ("buy", "installed"):
            owned[event["robot"]] += len(special_cards([upgrades.ALL_NAMES.index(event["upgrade"])]))
        else:
            continue
        check_room(event["robot"], owned[event["robot"]])


# -- programs


@kernel
def deal_hand(games, r):
    """Robot r draws up to nine cards."""
    draw_hand(games[0], r)


@kernel
def submit_program(games, r, wish, slots, opened):
    """Robot r programs hand slots `wish` [1, 5]; `slots` [1, 5] receives the program; `opened` the timer's bits.

    With upgrades the rest of the hand stays until the step that stores hands.
    """
    game = games[0]
    correct_program(game, r, wish, slots, 0, opened)
    program(game, r, slots, 0, opened, plays_upgrades(game) or game.rules & RULE_ADVANCED)


def face_down(runner: Runner, r: int) -> int:
    """The registers that are not revealed yet, as bits."""
    game = runner.game
    if game.step < steps.STORE_HANDS or game.step == OVER:
        return 0
    begins = game.step <= steps.BEGIN_REGISTER and not (game.step == steps.BEGIN_REGISTER and game.ask_seat >= 0)
    return ALL & ALL << int(game.register) + (not begins) & ~runner.locked(r)


def leave_hand(runner: Runner, r: int) -> None:
    """Discard the rest of the hand, without upgrades, unless the rules let players keep it."""
    game = runner.game
    if runner.kind.has("owned") or runner.scenario.rules["advanced"]:
        return
    held, at = int(game.held[r]), int(game.drawable[r]) + int(game.discarded[r])
    game.pile[r, at : at + held] = game.hand[r, :held]
    game.discarded[r] += held
    game.hand[r] = cards.NONE
    game.held[r] = 0


def phases(kind: Kind) -> Phases:
    """The steps of a round, with upgrades and without."""
    upgraded = kind.has("owned")
    return Phases(
        prepare=steps.PREPARE_HANDS if upgraded else PROGRAM,
        programmed=steps.STORE_HANDS if upgraded else steps.BEGIN_REGISTER,
        register=steps.BEGIN_REGISTER,
        clean_up=steps.END_ROUND,
        begins=(steps.DRAW_HANDS, steps.UPGRADE_PHASE),
        upgrades=steps.UPGRADE_PHASE,
        hands=steps.DRAW_HANDS,
    )


# -- the outcome


def show_draw(runner: Runner, r: int) -> list[str]:
    """The cards of the deck."""
    game = runner.game
    return names_of(runner, [*game.pile[r, : int(game.drawable[r])], *game.pile[r, PILE - int(game.known[r]) :]])


def show_discard(runner: Runner, r: int) -> list[str]:
    """The cards of the discard pile."""
    start = int(runner.game.drawable[r])
    return names_of(runner, runner.game.pile[r, start : start + int(runner.game.discarded[r])])


def upgrade_names(numbers: Iterable[int]) -> list[str]:
    """The names of upgrades, sorted."""
    return sorted(upgrades.ALL_NAMES[u] for u in numbers if u)


SCENARIO = EditionScenario(
    robot={
        **common.ROBOT,
        "energy": number("energy", 0, MAX_ENERGY, START_ENERGY),
        "taken": Key(show=lambda runner, r: dict(zip(cards.DAMAGE_NAMES, runner.game.taken[r].tolist(), strict=True))),
        "rebooted": Key(show=lambda runner, r: bool(runner.game.rebooted >> r & 1) or runner.happened("reboot", r)),
        "draw": Key(read_cards, put_piles, show_draw, after_rounds=True),
        "discard": Key(read_cards, None, show_discard, after_rounds=True),
        "upgrades": Key(
            read_installed,
            put_installed,
            lambda runner, r: upgrade_names(
                upgrades.numbers_in(int(runner.game.owned[r])) if runner.kind.has("owned") else ()
            ),
            after_rounds=True,
        ),
        "options": fixed([], after_rounds=True),
    },
    table={
        "shop": Key(
            read_shop,
            lambda runner, r, shop: runner.game.shop.__setitem__(slice(len(shop)), shop) if shop else None,
            lambda runner, r: upgrade_names(runner.game.shop if runner.kind.has("owned") else ()),
            after_rounds=True,
        )
    },
    checks=(common.check_places, check_cards),
    decisions=decisions,
    read_card=read_card,
    card_names=cards.ALL_NAMES,
    phases=phases,
    is_programmed=lambda runner, r: bool(runner.game.registers[r].any()),
    deal=deal_hand,
    submit=common.submit_by(submit_program),
    set_table=set_table,
    carry_out=carry_out,
    follow=count_cards,
    leave_hand=leave_hand,
    face_down=face_down,
    questions={CACHE_MEMORY: answer_list, MEMORY_SWAP: answer_list},
)
