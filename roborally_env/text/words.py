"""A race in words: the course, the position as a player sees it, the question. No colours, no pictures but one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from roborally_env.agents.asking import Positions
from roborally_env.base.text import counted
from roborally_env.base.types import Fields, JsonObject
from roborally_env.batch import BatchRace
from roborally_env.batch.board import checkpoints_of, course_of, cubes_of, ramps_of
from roborally_env.cards.listing import list_cards
from roborally_env.courses import EDITIONS, SPECIAL_RULES, Course
from roborally_env.courses.tile_words import cell_words
from roborally_env.play.questions import PROGRAM, Question
from roborally_env.play.race import PlayRace
from roborally_env.play.text import card_title
from roborally_env.render.ansi import draw

FACINGS = {"N": "north", "E": "east", "S": "south", "W": "west"}
_PLACED = frozenset({"x", "y", "facing", "checkpoint", "registers", "hand", "discard", "collection"})
_CARDS = ("upgrades", "collection", "options")  # keys of a robot with upgrades or options
_UPGRADES = frozenset({"permanent", "temporary", "option"})  # types of cards
_START = "start space"
_AIMS = ("capture_the_flag", "claims", "last_team_standing")  # special rules in place of reaching the flags in order
_THAT_WAY = "that way"  # in rules that hold for several directions


def robot_names(race: PlayRace) -> tuple[str, ...]:
    """A name for each robot: that of its player, with the robot's number where the player has two."""
    several = Counter(race.names)
    return tuple(name if several[name] == 1 else f"{name}'s robot {r}" for r, name in enumerate(race.names))


def goal_text(course: Course) -> str:
    """What the race is about, in two sentences, and the special rules of the course."""
    word, many = EDITIONS[course.edition].checkpoint, len(course.checkpoints)
    wins = f"the first to reach {word} 1 wins" if many == 1 else f"the first to reach {word}s 1 to {many} in order wins"
    special = list(course.special_rules)
    aim = next((rule for rule in special if rule in _AIMS), None)
    if aim is not None:
        special.remove(aim)
        wins = SPECIAL_RULES[aim]
    text = (
        f"Robots race: {wins}. In a round each player puts cards from their hand into registers 1 "
        "to 5; then, register by register, all robots play their cards, the board moves robots, and lasers fire."
    )
    rules = [f"- {SPECIAL_RULES.get(rule, rule)}" for rule in special]
    return "\n".join([text, *(["Special rules:", *rules] if rules else [])])


def course_text(course: Course) -> str:
    """The course: its size, its spaces by what is on them, and what that does."""
    cells: dict[tuple[str, str], list[str]] = {}
    for (x, y), all_words in cell_words(course).items():
        for words in dict.fromkeys(all_words):
            way = words.title.rpartition(", ")[2]
            rule = re.sub(rf"\b{way}\b", _THAT_WAY, words.rule) if way in FACINGS.values() else words.rule
            cells.setdefault((words.title, rule), []).append(f"{x},{y}")
    lines = [
        f"Course {course.title}: a space is x,y; x grows to the east from 0 to {course.width - 1}, y to the south from "
        f"0 to {course.height - 1}. A robot that leaves the board falls."
    ]
    rules: dict[tuple[str, str], list[str]] = {}  # kind of space and rule
    for (title, rule), places in cells.items():
        if title.lower() != _START:
            kind = title.partition(", ")[0]
            rules.setdefault((kind, rule), []).append(f"{title}: {' '.join(sorted(places, key=_in_order))}")
    for (kind, rule), titles in rules.items():
        lines += [f"- {kind}: {rule}", *(f"  {title}" for title in titles)]
    return "\n".join(lines)


def _in_order(place: str) -> tuple[int, int]:
    x, _, y = place.partition(",")
    return int(y), int(x)


def picture_text(race: PlayRace) -> str:
    """The board drawn with characters, without colours, and which robot is whose."""
    batch = _as_shown(race.batch)
    position = Positions(batch, 0).position(0).seen_by(0)
    robots = [
        {"x": robot.get("x", -1), "y": robot.get("y", -1), "facing": robot.get("facing", "N"), "number": number}
        for number, robot in enumerate(position["robots"])
    ]
    drawing = draw(
        course_of(batch, 0), robots, color=False, checkpoints=checkpoints_of(batch, 0), cubes=cubes_of(batch, 0),
        ramps=ramps_of(batch, 0),
    )  # fmt: skip
    whose = ", ".join(f"@{number} {name}" for number, name in enumerate(robot_names(race)))
    return f"{drawing.rstrip()}\n   {whose}\n"


def _as_shown(batch: BatchRace) -> BatchRace:
    """The batch, or where a choice has stopped the race in the middle of a part of the round a copy that shows the
    position at this choice; the batch's own record is that of the beginning of the part."""
    led = batch.frames_of(0, partial=True)
    if len(led) == len(batch.frames_of(0)):
        return batch
    shown = batch.copy()
    shown.games[0] = led[-1]
    return shown


def position_text(race: PlayRace, robot: int) -> str:
    """The position as the player of a robot sees it: robots, what lies on the board and on the table."""
    batch, names = _as_shown(race.batch), robot_names(race)
    shown = Positions(batch, 0).position(0)
    position = shown.seen_by(robot)
    checkpoints = checkpoints_of(batch, 0)
    word, many = EDITIONS[batch.edition].checkpoint, len(course_of(batch, 0).checkpoints)
    places = ", ".join(f"{number} at {x},{y}" for number, x, y in checkpoints)
    left_out = _PLACED if batch.kind.has("archive") else _PLACED | {"archive"}
    lines = [f"{word.capitalize()}s: {places}.", "Robots:"]
    for number, its in enumerate(position["robots"]):
        lines.append(f"- {_robot_text(names[number], its, number == robot, word, many, left_out)}")
    lines += _upgrade_lines(batch.edition, position["robots"])
    cubes = [f"{x},{y}" for x, y in cubes_of(batch, 0)]
    if cubes:
        lines.append(f"Energy cubes are at {' '.join(cubes)}.")
    ramps = ramps_of(batch, 0)
    if ramps is not None and len(ramps):
        lines.append(f"Ramps that are on: {' '.join(f'{x},{y}' for x, y in ramps)}.")
    table = {key: value for key, value in position.items() if key not in ("edition", "rules", "course", "robots")}
    for key, value in table.items():
        text = value if isinstance(value, str) else ", ".join(map(str, value)) if isinstance(value, list) else value
        if text:
            lines.append(f"{key.replace('_', ' ').capitalize()}: {text}.")
    deck = shown.pile(robot)
    if deck:
        lines.append(f"Your draw pile has, in an unknown order: {counted_cards(deck)}.")
    return "\n".join(lines)


def _robot_text(name: str, robot: Fields, own: bool, word: str, many: int, left_out: frozenset[str]) -> str:
    """A robot in a line."""
    at = f"at {robot['x']},{robot['y']} facing {FACINGS[robot['facing']]}" if "x" in robot else "off the board"
    reached = int(robot["checkpoint"])
    facts = [at, f"next {word} {reached + 1}" if reached < many else f"{word}s done"]
    if any(robot["registers"]):
        facts.append(f"registers {' '.join(card or '?' for card in robot['registers'])}")
    facts += robot_facts(robot, left_out)
    if own and robot.get("collection"):
        facts.append(f"collection {', '.join(robot['collection'])}")
    return f"{name}{' (you)' if own else ''}: {'; '.join(facts)}"


def _upgrade_lines(edition: str, robots: Sequence[Fields]) -> list[str]:
    """The rules of the upgrades and options that robots have."""
    theirs = {name for robot in robots for key in _CARDS for name in robot.get(key) or ()}
    rules = {card.name: card.rule for card in list_cards(edition) if card.type in _UPGRADES}
    return ["Their upgrades:", *(f"- {name}: {rules[name]}" for name in sorted(theirs))] if theirs else []


def robot_facts(robot: Fields, left_out: frozenset[str]) -> list[str]:
    """The keys of a robot in a position as words: `energy 5`, `upgrades brakes, rear_laser`."""
    found = []
    for key, value in robot.items():
        if key in left_out or value is None or value is False or value in ([], {}, ""):
            continue
        word = key.replace("_", " ")
        if value is True:
            found.append(word)
        elif isinstance(value, list):
            found.append(f"{word} {', '.join(map(str, value))}")
        elif isinstance(value, dict) and set(value) == {"x", "y"}:
            found.append(f"{word} at {value['x']},{value['y']}")
        else:
            found.append(f"{word} {value}")
    return found


def counted_cards(cards: Sequence[str]) -> str:
    """Cards by name with their numbers: `2 move_1, 1 again`."""
    return ", ".join(f"{count} {card}" for card, count in Counter(cards).items())


def question_text(race: PlayRace, question: Question) -> str:
    """What is asked, the hand or the options, and how to answer."""
    lines, names = [question.text], robot_names(race)
    if question.kind == PROGRAM:
        lines += _program_lines(race, question)
    else:
        lines.append("Options:")
        for answer in question.answers:
            facts = [answer.title] if answer.title.lower() != answer.name else []
            if answer.cost is not None:
                facts += [f"{answer.cost} energy", answer.lasts]
            more = f" ({', '.join(facts)})" if facts else ""
            then = re.sub(r"\brobot (\d+)\b", lambda found: names[int(found[1])], answer.then)
            effect = " ".join(filter(None, (answer.hint, then)))
            lines.append(f"- {answer.name}{more}{f': {effect}' if effect else ''}")
        lines.append("Answer with the name of one option, on the last line.")
    return "\n".join(lines)


def _program_lines(race: PlayRace, question: Question) -> list[str]:
    kind = race.batch.kind
    rules = {card.name: card.rule for card in list_cards(race.batch.edition)}
    lines = ["Your hand:"] if question.hand else ["Your hand is empty."]
    for card, count in Counter(question.hand).items():
        copies = f" ({count} of them)" if count > 1 else ""
        rule = rules.get(card.partition(":")[0], "")
        lines.append(f"- {card}{copies}: {card_title(card, kind).partition(' (')[0]}. {rule}")
    for k, register in enumerate(question.registers):
        if not register.slots:
            lines.append(f"Register {k + 1} takes no card{f': {register.card} stays' if register.card else ''}.")
            continue
        barred = dict.fromkeys(c for c in question.hand if not _is_legal(c, question, register.slots))
        if barred:
            lines.append(f"Register {k + 1} does not take: {', '.join(barred)}.")
    wanted = [k for k, register in enumerate(question.registers) if register.slots]
    if not wanted:
        lines.append('Answer "power down" to announce a power down, else "no", on the last line.')
        return lines
    example = ", ".join(_example(question, wanted))
    where = ", ".join(str(k + 1) for k in wanted)
    lines.append(
        f"Answer with the names of {len(wanted)} cards from your hand, separated by commas, on the last line, for "
        f"register {where}. For example: {example}"
    )
    if question.may_power_down:
        lines.append('Add ", power down" to announce a power down.')
    return lines


def _is_legal(card: str, question: Question, slots: Sequence[int]) -> bool:
    return any(question.hand[slot] == card for slot in slots)


def _example(question: Question, wanted: Sequence[int]) -> list[str]:
    """The first legal cards."""
    used: list[int] = []
    for k in wanted:
        used.append(next((slot for slot in question.registers[k].slots if slot not in used), 0))
    return [question.hand[slot] for slot in used]


def ending_text(race: PlayRace, player: int) -> str:
    """The result in a few lines, for one of the players."""
    result = race.result()
    places: list[int] = result["places"]
    order = sorted(range(len(places)), key=lambda robot: places[robot])
    how = "stopped" if result["cut"] else "over"
    lines = [f"The race is {how} after {counted(result['rounds'], 'round')}."]
    return "\n".join([*lines, *(_place_line(race, result, robot, player) for robot in order)])


def _place_line(race: PlayRace, result: JsonObject, robot: int, player: int) -> str:
    course = race.setup.course
    many = counted(len(course.checkpoints), EDITIONS[course.edition].checkpoint)
    own = " (you)" if race.player_of(robot) == player else ""
    return f"{result['places'][robot]}. {robot_names(race)[robot]}{own}: {result['reached'][robot]} of {many}"
