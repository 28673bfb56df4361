"""Scenarios of the 2005 edition: damage and life tokens, archive markers, option cards, one deck, special rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from roborally_env.base.documents import shown
from roborally_env.base.errors import ScenarioError
from roborally_env.cards.option_names import BY_HAND, is_placing_at_home, named_options, option_name
from roborally_env.core import cards, options, upgrades
from roborally_env.core.cards2005 import DECK_SIZE, FIRST_UNNUMBERED, NAMES, PACE
from roborally_env.core.choices import KINDS_2016, LAST_2005, OPTION_NAMES, REENTRY_CELL, REENTRY_ROW, USE
from roborally_env.core.choices import NAMES as DECISION_NAMES
from roborally_env.core.editions.e2005 import locks, programming, steps
from roborally_env.core.editions.e2005.locks import LOCKS
from roborally_env.core.editions.e2005.observation import shown_registers
from roborally_env.core.editions.e2005.table import take_option_card
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.programs import ALL
from roborally_env.core.state import NOWHERE, REGISTERS
from roborally_env.courses.special import CAPTURE_THE_FLAG, CLAIMS, RACERS_AND_BLOCKERS, SIT_OUT, SUPERBOT, TIMERS
from roborally_env.courses.tables import WIDTH
from roborally_env.editions.e2005.scenario_cards import action, is_called, is_numbered, read_card, read_register
from roborally_env.scenario import common
from roborally_env.scenario.common import ROBOT, cards_of, decisions_of, names_of, read_cards, read_locked, show_cell
from roborally_env.scenario.keys import (
    Check,
    EditionScenario,
    Key,
    Phases,
    Register,
    fixed,
    number,
    put_bit,
    put_field,
    read_flag,
    show_bit,
    show_locked,
)
from roborally_env.scenario.program import Program, Sheet, name_of
from roborally_env.scenario.reader import Robot, Scenario
from roborally_env.scenario.runner import Runner, is_programmed
from roborally_env.scenario.values import MISSING, a_list, boolean, integer, named, only

MAX_DAMAGE = 9  # with ten it is destroyed
MAX_LIVES = 8
START_DAMAGE = 2  # of the special rule
_CELL = re.compile(r"\d{1,2},\d{1,2}")
_TWO_TEAMS, _PAIRS = 2, 4  # numbers of teams
_DECK = range(1, DECK_SIZE + 1)


# -- reading


def read_archive(scenario: Scenario, given: Any, where: str) -> tuple[int | None, int | None]:
    """The cell of the archive marker, by default that of the robot; null for a robot that is out of the game, as
    outcomes have it."""
    archive = common.read_archive(scenario, MISSING if given is None else given, where)
    if archive is None:
        return scenario.value("x"), scenario.value("y")
    scenario.check_cell(*archive, where)
    return archive


def read_jammed(scenario: Scenario, given: Any, where: str) -> int:
    """Registers locked beyond those that the damage locks; by R91 each has a damage token."""
    locked, damage = read_locked(scenario, given, where), scenario.value("damage")
    if scenario.rules["fire_control_token"]:
        damage = scenario.given.get("damage", 0)
        more = (locked & ~int(LOCKS[damage])).bit_count()
        if more > damage:
            raise ScenarioError(
                f"{scenario.place()}.damage: expected at least {more}, a token for each register locked by Fire "
                f"Control, got {damage}"
            )
    return locked


def read_options(scenario: Scenario, given: Any, where: str) -> list[int]:
    """Option cards."""
    found = a_list([] if given is MISSING else given, where, "a list of option names")
    if found and not scenario.rules["options"]:
        raise ScenarioError(f"{where}: expected [] in the game without options, got {shown(given)}")
    return [named(name, f"{where}[{i}]", options.NUMBERS, "an option's") for i, name in enumerate(found)]


def read_team(scenario: Scenario, given: Any, where: str) -> int | None:
    """The team; None if it follows from the seat."""
    if given is MISSING:
        return None
    if scenario.has_special("two_teams"):
        return integer(given, where, 0, _TWO_TEAMS - 1)
    if scenario.has_special("shared_flags", "racers_and_blockers"):
        return integer(given, where, 0, _PAIRS - 1)
    only(given, where, 0, f"{scenario.edition} on a course without teams")
    return None


def read_checkpoint(scenario: Scenario, given: Any, where: str) -> int:
    """The last flag touched; in Toggle Boggle the number of flags that the team holds, see `_check_claims`."""
    if scenario.has_special("claims"):
        return integer(0 if given is MISSING else given, where, 0, int(scenario.tables["checkpoints"][0]))
    return common.read_checkpoint(scenario, given, where)


def read_carried(scenario: Scenario, given: Any, where: str) -> int | None:
    """The number of the flag that the robot carries (Capture the Flag); the team follows later."""
    if given in (MISSING, None):
        return None
    if not scenario.has_special("capture_the_flag"):
        only(given, where, None, f"{scenario.edition} on a course without capture_the_flag")
    return integer(given, where, 1, _TWO_TEAMS)


def read_held(scenario: Scenario, given: Any, where: str) -> list[int]:
    """The numbers of the flags that the robot's team holds (Toggle Boggle)."""
    found = a_list([] if given is MISSING else given, where, "a list of numbers of flags")
    if found and not scenario.has_special("claims"):
        only(given, where, [], f"{scenario.edition} on a course without claims")
    flags = [number for number, _, _ in scenario.course.checkpoints]
    for i, flag in enumerate(found):
        if type(flag) is not int or flag not in flags or flag in found[:i]:
            raise ScenarioError(
                f"{where}[{i}]: expected each flag once, one of {', '.join(map(str, flags)) or 'none'}, got "
                f"{shown(flag)}"
            )
    return found


def read_superbot(scenario: Scenario, given: Any, where: str) -> bool | None:
    """Whether the robot is the SuperBot; None if it is not given."""
    if given is MISSING:
        return None
    if not scenario.has_special("superbot"):
        only(given, where, False, f"{scenario.edition} on a course without superbot")
    return boolean(given, where)


def read_option_deck(scenario: Scenario, given: Any, where: str) -> list[int]:
    """The cards known on top of the option deck, the top one first."""
    deck = read_options(scenario, given, where)
    for i, option in enumerate(deck):
        owner = next((r for r, robot in enumerate(scenario.robots) if option in robot["options"]), None)
        if owner is not None or option in deck[:i]:
            there = where if owner is None else f"robots[{owner}].options"
            raise ScenarioError(
                f"{where}[{i}]: expected each option once, got {options.NAMES[option]!r} of {there} again"
            )
    return deck


# -- what robots have together


def check_teams(scenario: Scenario) -> None:
    """Check teams, flags, and that there is one SuperBot; fill in what follows from the seat."""
    pairs, two = scenario.has_special("shared_flags", "racers_and_blockers"), scenario.has_special("two_teams")
    for r, robot in enumerate(scenario.robots):
        if robot["team"] is None:
            robot["team"] = r // 2 if pairs else r % 2 if two else r
    _check_carriers(scenario.robots)
    if scenario.has_special("claims"):
        _check_claims(scenario.robots, len(scenario.course.checkpoints))
    given = [robot["superbot"] for robot in scenario.robots]
    if any(is_one is not None for is_one in given) and given.count(True) != 1:
        raise ScenarioError(f"robots: expected one robot with superbot true, got {given.count(True) or 'none'}")


def _check_carriers(robots: list[Robot]) -> None:
    """Raise unless each carried flag is that of the other team, and carried by one robot on the board."""
    carriers: dict[int, int] = {}
    for r, robot in enumerate(robots):
        flag = robot["carries"]
        if flag is None:
            continue
        theirs = _TWO_TEAMS - robot["team"]
        if robot["x"] is None:
            expected = "null, as the robot is out of the game"
        elif flag != theirs:
            expected = f"{theirs}, the flag of the other team"
        elif flag in carriers:
            expected = f"null, as robots[{carriers[flag]}] carries that flag"
        else:
            carriers[flag] = r
            continue
        raise ScenarioError(f"robots[{r}].carries: expected {expected}, got {flag}")


def _check_claims(robots: list[Robot], flags: int) -> None:
    """Raise unless each flag is held by one team and no team holds all; a team's robots get the same `holds` and
    `checkpoint`, the number of flags."""
    held: dict[int, tuple[int, str]] = {}  # flag -> its team, and where that was given
    for r, robot in enumerate(robots):
        for flag in robot["holds"]:
            team, where = held.setdefault(flag, (robot["team"], f"robots[{r}]"))
            if team != robot["team"]:
                raise ScenarioError(f"robots[{r}].holds: expected a flag that {where} does not hold, got {flag}")
    for r, robot in enumerate(robots):
        robot["holds"] = sorted(flag for flag, (team, _) in held.items() if team == robot["team"])
        count = len(robot["holds"])
        if count and count == flags:
            raise ScenarioError(
                f"robots[{r}].holds: expected at most {count - 1} flags, got all, with which the race is over"
            )
        if robot["checkpoint"] not in (0, count):
            raise ScenarioError(
                f"robots[{r}].checkpoint: expected {count}, the number of flags that the robot's team holds, got "
                f"{robot['checkpoint']}"
            )
        robot["checkpoint"] = count


def check_cards(scenario: Scenario) -> None:
    """Raise unless there is one deck, with one card of each number, and one card of each option."""
    _check_draw(scenario.robots)
    seen: dict[int, str] = {}
    for card, where in _numbered_cards(scenario.robots):
        if seen.setdefault(card, where) != where:
            raise ScenarioError(f"{where}: expected each numbered card once, got that of {seen[card]} again")
    seen = {}
    for option, where in _options(scenario.robots):
        if seen.setdefault(option, where) != where:
            name = options.NAMES[option]
            raise ScenarioError(f"{where}: expected each option once, got {name!r} of {seen[option]} again")


def _check_draw(robots: list[Robot]) -> None:
    """Check that all lists are equal, as there is one deck; robots without a list get the same."""
    given = [(i, robot["draw"]) for i, robot in enumerate(robots) if robot["draw"]]
    for i, draw in given:
        if len(draw) > DECK_SIZE:
            raise ScenarioError(f"robots[{i}].draw: expected at most {DECK_SIZE} cards, got {len(draw)}")
        if draw != given[0][1]:
            raise ScenarioError(
                f"robots[{i}].draw: expected the list of robots[{given[0][0]}] again, as there is one deck for all"
            )
    for robot in robots:
        robot["draw"] = given[0][1] if given else []


def _numbered_cards(robots: list[Robot]) -> Iterator[tuple[int, str]]:
    """Every card that is named by number, with its place; the top of the deck once."""
    for i, robot in enumerate(robots):
        for k, register in enumerate(robot["registers"]):
            for part, card in enumerate(register):
                if is_numbered(card):
                    yield card, f"robots[{i}].registers[{k}]" + " (the second card)" * part
        for key in ("hand", "discard", "draw") if i == 0 else ("hand", "discard"):
            for k, card in enumerate(robot[key]):
                if is_numbered(card):
                    yield card, f"robots[{i}].{key}[{k}]"


def _options(robots: list[Robot]) -> Iterator[tuple[int, str]]:
    for i, robot in enumerate(robots):
        yield from ((option, f"robots[{i}].options[{j}]") for j, option in enumerate(robot["options"]))


# -- decisions


def decisions(scenario: Scenario) -> dict[str, Check]:
    """The decisions of the game."""
    kinds = [1, 2, *(kind for kind in range(KINDS_2016, LAST_2005 + 1) if kind != REENTRY_ROW)]
    by_hand = {kind: check_card(yes=len(OPTION_NAMES[kind]) > USE) for kind in BY_HAND}
    return decisions_of(kinds, {1: common.check_program, REENTRY_CELL: check_cell, **by_hand})


def check_cell(scenario: Scenario, choice: Any, where: str) -> None:
    """Raise unless the choice is a cell."""
    if not isinstance(choice, str) or not _CELL.fullmatch(choice):
        raise ScenarioError(f'{where}: expected a cell as "x,y", got {shown(choice)}')


def check_card(*, yes: bool) -> Check:
    """A check that raises unless the choice is "no", a card or, in some decisions, "yes"."""

    def check(scenario: Scenario, choice: Any, where: str) -> None:
        if choice != "no" and not (yes and choice == "yes"):
            read_card(scenario, choice, where)

    return check


def answer_cell(runner: Runner, kind: int) -> int:
    """The answer to a re-entry; at home (Capture the Flag) its row follows when it is asked for."""
    robot = int(runner.game.ask_seat)
    given = runner.answers.get((robot, DECISION_NAMES[kind]))
    if given and is_placing_at_home(runner.game):
        i, cell = given.popleft()
        column, _, row = cell.partition(",")
        runner.rest, runner.rest_from = [row], f"answers[{i}].choice"
        given.appendleft((i, column))
    return runner.answer(kind)


def answer_row(runner: Runner, kind: int) -> int:
    """The second half of a re-entry in Capture the Flag: one answer, and one decision, for column and row."""
    column, named_rows = runner.decisions[-1]["choice"], named_options(runner.game)
    option = runner.unasked(kind)
    if runner.rest:
        row = runner.rest.pop()
        if row not in named_rows:
            legal = ", ".join(f"{column},{name}" for name in named_rows)
            raise ScenarioError(
                f"{runner.rest_from}: '{column},{row}' is not legal for reentry_cell of robot "
                f"{int(runner.game.ask_seat)}; expected one of {legal}"
            )
        option = named_rows[row]
    runner.decisions[-1]["choice"] = f"{column},{option_name(runner.game, option)}"
    return option


# -- setting up


def put_archive(runner: Runner, r: int, archive: tuple[int | None, int | None]) -> None:
    """Put down the archive marker."""
    x, y = archive
    runner.game.archive[r] = NOWHERE if x is None or y is None else y * WIDTH + x


def put_options(runner: Runner, r: int, found: list[int]) -> None:
    """Put option cards in front of a player; they allowed the two cards that already share a register."""
    bits = sum(1 << option for option in found)
    runner.game.options[r] = runner.game.had[r] = bits
    runner.game.on_table |= bits
    for k, second in enumerate(runner.game.laid_on[r].tolist()):
        if second != cards.NONE:
            place_beside(runner.games, r, k, second)


def put_registers(runner: Runner, r: int, registers: list[Register]) -> None:
    """Set the registers of a robot, with the paces of its cards."""
    common.put_registers(runner, r, registers)
    runner.game.laid_on[r, : len(registers)] = [second for _, second in registers]
    runner.game.pace[r, : len(registers)] = [int(PACE[card]) for card, _ in registers]


def put_carried(runner: Runner, r: int, flag: int | None) -> None:
    """Give a robot the flag that it carries (Capture the Flag)."""
    if flag is not None:
        runner.game.carrier[flag - 1] = r
        runner.game.checkpoint[flag - 1] = NOWHERE


def put_held(runner: Runner, r: int, flags: list[int]) -> None:
    """Give a team the flags that it holds (Toggle Boggle)."""
    for flag in flags:
        runner.game.claim[flag - 1] = runner.robots[r]["team"]


def set_table(runner: Runner) -> None:
    """Set the deck, its known top and the options: all cards except those that the file places elsewhere."""
    game, robots = runner.game, runner.robots
    game.special = special = int(runner.scenario.tables["special"][0])
    game.destroyed = sum(1 << r for r, robot in enumerate(robots) if not robot["lives"])
    if special & SUPERBOT:
        game.superbot = next((r for r, robot in enumerate(robots) if robot["superbot"]), 0)
    top = robots[0]["draw"]
    named_cards = [card for robot in robots for card in cards_of({**robot, "draw": []})] + top
    taken = {card for card in named_cards if is_numbered(card)}
    for card in named_cards:
        if card > DECK_SIZE:  # one without its number stands for some card of its type
            taken.add(next((c for c in _DECK if c not in taken and action(c) == action(card)), cards.NONE))
    left = [c for c in _DECK if c not in taken]
    game.deck[:] = left + [c for c in _DECK if c in taken]
    game.deck_left = len(left)
    game.top[: len(top)] = top[::-1]
    game.tops = len(top)
    if game.on_table:
        rest = [o for o in range(1, options.COUNT + 1) if not int(game.on_table) >> o & 1]
        game.option_deck[:] = rest + [options.NONE] * (options.COUNT - len(rest))
        game.options_left = len(rest)


def put_option_deck(runner: Runner, r: int, known: list[int]) -> None:
    """Put known options on top of the option deck."""
    if known:
        order_options(runner.games, np.array(known, np.int64))


@kernel
def order_options(games, known):
    """Put the options `known` on top of the option deck, the first one uppermost, and shuffle the others below."""
    game = games[0]
    left = np.int64(game.options_left)
    place = options.COUNT - left
    named = 0
    for i in range(known.shape[0]):
        named |= 1 << known[i]
    shuffled = np.zeros(left, np.int64)
    for i in range(left):
        shuffled[i] = take_option_card(game)
    for i in range(known.shape[0]):
        game.option_deck[place + i] = known[i]
    place += known.shape[0]
    for i in range(left):
        if not named >> shuffled[i] & 1:
            game.option_deck[place] = shuffled[i]
            place += 1
    game.options_under = left  # cards under the deck are drawn in order


# -- programs


@kernel
def deal_hand(games, r):
    """Deal robot r the cards that its hand lacks."""
    programming.deal_hand(games[0], r)


@kernel
def submit_program(games, r, wish, slots, opened):
    """Robot r programs hand slots `wish` [1, 5]; `slots` [1, 5] receives the program; `opened` the timer's bits."""
    programming.submit_program(games[0], r, wish, 0, opened, slots)


@kernel
def drop_card(games, r, slot):
    """Take a card out of the hand of robot r."""
    programming.drop_card(games[0], r, slot)


@kernel
def place_beside(games, r, k, card):
    """Place a rotation card beside the move card in register k."""
    locks.place_beside(games[0], r, k, card)


def submit(runner: Runner, r: int, program: Program) -> None:
    """Submit a program, with rotations that share a register."""
    game, hand = runner.game, runner.game.hand[r].tolist()
    for _, slot in program.seconds:
        drop_card(runner.games, r, slot)
    bare = [k for k in range(REGISTERS) if program.bare >> k & 1]
    game.registers[r, bare] = FIRST_UNNUMBERED + cards.MOVE_1  # any card, so that none is placed there
    submit_program(runner.games, r, program.wish, np.zeros((1, REGISTERS), np.int8), program.opened)
    game.registers[r, bare] = cards.NONE
    for k, slot in program.seconds:
        place_beside(runner.games, r, k, hand[slot])


def check_submitted(sheet: Sheet, program: Program) -> None:
    """Raise unless an option lets two cards share a register, and the timer has caught no other player."""
    runner, r = sheet.runner, sheet.robot
    held = int(runner.game.options[r])
    for k, register in program.named.items():
        if register[1] == cards.NONE:
            continue
        move, turn = map(action, register)
        crab = held >> options.CRAB_LEGS & 1 and move == cards.MOVE_1 and turn != cards.U_TURN
        if not crab and not held >> options.DUAL_PROCESSOR & 1:
            raise ScenarioError(
                f"{program.places[k]}: expected one card, got {shown(name_of(NAMES, register))}; two in one register "
                "need dual_processor, or crab_legs for a move_1 with turn_left or turn_right"
            )
    if program.caught:
        _check_caught(runner, r, program.where)


def _check_caught(runner: Runner, r: int, where: str) -> None:
    """Raise if the timer has caught another player in this turn, unless the course has program timers (R89)."""
    special = int(runner.game.special)
    players = 2 if special & RACERS_AND_BLOCKERS else 1  # robots of a player
    if runner.caught is not None and runner.caught // players != r // players and not special & TIMERS:
        raise ScenarioError(
            f"{where}: expected a card for each open register: the timer catches one player, and robot {runner.caught} "
            "has open registers already"
        )
    runner.caught = r


def is_ready(runner: Runner, r: int) -> bool:
    """Whether a robot is programmed: not while a register that Recompile locked after the deal is empty, nor if an
    answer replaces a program that is only started."""
    locked = runner.locked(r)
    if ALL & locked & ~runner.filled(r) and runner.game.held[r]:
        return False
    is_whole = ALL & ~locked & ~runner.filled(r) == 0
    return is_programmed(runner, r) and (is_whole or not runner.answers.get((r, "program")))


PHASES = Phases(
    prepare=steps.PREPARE_HANDS,
    programmed=steps.LEFTOVERS,
    register=steps.BEGIN_REGISTER,
    clean_up=steps.REPAIRS,
    begins=(steps.BEGIN_TURN,),
)


# -- the outcome


def is_destroyed(runner: Runner, r: int) -> bool:
    """Whether the robot was destroyed in the turn that was played last."""
    return bool(runner.game.destroyed >> r & 1) or runner.happened("destroyed", r)


def is_active(runner: Runner, r: int) -> bool:
    """Whether the robot takes part in the turn that was played last."""
    sat_out = bool(runner.game.special & SIT_OUT) and runner.happened("placed", r)  # it comes back after that turn
    return runner.on_board(r) and not is_destroyed(runner, r) and not sat_out and not runner.is_down(r)


def show_carried(runner: Runner, r: int) -> Any:
    """The flag that the robot carries (Capture the Flag)."""
    if not runner.game.special & CAPTURE_THE_FLAG:
        return MISSING
    return next((flag + 1 for flag in range(2) if runner.game.carrier[flag] == r), None)


def show_held(runner: Runner, r: int) -> Any:
    """The flags that the robot's team holds (Toggle Boggle)."""
    game = runner.game
    if not game.special & CLAIMS:
        return MISSING
    return [flag + 1 for flag, team in enumerate(game.claim.tolist()) if team == game.team[r]]


def cards_to_draw(runner: Runner) -> list[int]:
    """The cards that can be drawn."""
    game = runner.game
    return [*game.deck[: game.deck_left].tolist(), *game.top[: game.tops].tolist()]


def show_discard(runner: Runner, r: int) -> list[str]:
    """The cards of the discard pile: those that lie nowhere else."""
    game = runner.game
    held = [*game.registers.flat, *game.laid_on.flat, *game.hand.flat, *game.conditional, *game.flywheel]
    elsewhere = {int(c) for c in held} | set(cards_to_draw(runner))
    discard = [c for c in _DECK if c not in elsewhere]
    for card in (int(c) for c in held):
        if card > DECK_SIZE:  # one without its number stands for some card of its type
            stands_for = next((c for c in discard if action(c) == action(card)), cards.NONE)
            discard = [c for c in discard if c != stands_for]
    return names_of(runner, discard)


def seen_team(runner: Runner, r: int) -> Any:
    """The team on a course with teams."""
    teams = runner.game.team[: int(runner.game.players)].tolist()
    return teams[r] if len(set(teams)) < len(teams) else MISSING


def face_down(runner: Runner, r: int) -> int:
    """The registers that are not revealed yet, as bits."""
    return ALL & ~int(shown_registers(runner.games[0])) & ~runner.locked(r)


SCENARIO = EditionScenario(
    robot={
        **{name: key for name, key in ROBOT.items() if name != "hand"},
        "checkpoint": Key(read_checkpoint, *ROBOT["checkpoint"][1:]),
        "damage": number(
            "damage", 0, MAX_DAMAGE, lambda scenario: START_DAMAGE if scenario.has_special("start_damage") else 0
        ),
        "lives": number("lives", 0, MAX_LIVES, lambda scenario: int(scenario.rules["lives"])),
        "destroyed": Key(show=is_destroyed),
        "active": Key(show=is_active),
        "registers": Key(*ROBOT["registers"][:1], put_registers, ROBOT["registers"].show),
        "archive": Key(
            read_archive,
            put_archive,
            show_cell("archive"),
        ),
        "locked": Key(
            read_jammed,
            lambda runner, r, bits: put_field("jammed")(runner, r, bits & ~runner.locked(r)),
            seen=show_locked,
        ),
        "powered_down": Key(read_flag, put_bit("down"), seen=show_bit("down")),
        "options": Key(
            read_options,
            put_options,
            lambda runner, r: sorted(options.NAMES[o] for o in upgrades.numbers_in(int(runner.game.options[r]))),
        ),
        "team": Key(read_team, put_field("team"), seen=seen_team),
        "carries": Key(read_carried, put_carried, show_carried),
        "holds": Key(read_held, put_held, show_held),
        "superbot": Key(
            read_superbot,
            None,
            lambda runner, r: int(runner.game.superbot) == r if runner.game.special & SUPERBOT else MISSING,
        ),
        "hand": ROBOT["hand"],
        "draw": Key(read_cards, None, lambda runner, r: names_of(runner, cards_to_draw(runner)), after_rounds=True),
        "discard": Key(read_cards, None, show_discard, after_rounds=True),
        "upgrades": fixed([], after_rounds=True),
    },
    table={"option_deck": Key(read_option_deck, put_option_deck)},
    checks=(common.check_places, check_teams, check_cards),
    decisions=decisions,
    read_card=read_card,
    read_register=read_register,
    card_names=NAMES,
    unnumbered=DECK_SIZE + 1,
    seconds="laid_on",
    is_called=is_called,
    phases=lambda kind: PHASES,
    is_programmed=is_ready,
    deal=deal_hand,
    submit=submit,
    check_program=check_submitted,
    set_table=set_table,
    questions={REENTRY_CELL: answer_cell, REENTRY_ROW: answer_row},
    face_down=face_down,
)
