"""A player that reads only the text of `roborally_env.text`: a stand-in for a language model, without any.

    python scripts/bots/reader.py --course fractionation --opponents greedy random --races 10

It finds walls, pits, belts, its robot, the next checkpoint and its hand in the words, tries the programs of its hand on
the course as it has read it, and answers with the names of the cards. It buys nothing and takes the first option
elsewhere. Prints the places, and how long the texts and the answers are.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from pathlib import Path
from typing import NamedTuple

WAYS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
NAMES = list(WAYS)
TURNS = {"turn_left": 3, "turn_right": 1, "u_turn": 2}
STEPS = {"move_1": 1, "move_2": 2, "move_3": 3, "back_up": -1}
FAR = 1000.0

Cell = tuple[int, int]


class Board(NamedTuple):
    """What the text says of the course."""

    width: int
    height: int
    walls: set[tuple[Cell, str]]
    pits: set[Cell]
    belts: dict[Cell, tuple[str, int]]  # the way and the speed


def cells_of(text: str) -> list[Cell]:
    """The spaces in a part of a line."""
    return [(int(x), int(y)) for x, y in re.findall(r"(\d+),(\d+)", text)]


def read_board(text: str) -> Board:
    """The course in the text."""
    size = re.search(r"x grows to the east from 0 to (\d+), y to the south from 0 to (\d+)", text)
    assert size
    board = Board(int(size[1]) + 1, int(size[2]) + 1, set(), set(), {})
    for title, places in re.findall(r"^  ([^:\n]+): ([\d, ]+)$", text, re.MULTILINE):
        way = title.rpartition(", ")[2]
        if title.startswith("Wall") and way in WAYS:
            board.walls.update((cell, way) for cell in cells_of(places))
        elif title.startswith(("Pit", "Trapdoor")):
            board.pits.update(cells_of(places))
        elif "belt, " in title and way in WAYS:
            speed = 2 if title.startswith(("Blue", "Express")) else 1
            board.belts.update(dict.fromkeys(cells_of(places), (way, speed)))
    return board


def step(board: Board, cell: Cell, way: str) -> Cell | None:
    """Where a step leads; None off the board and into a pit."""
    x, y = WAYS[way]
    there = cell[0] + x, cell[1] + y
    if (cell, way) in board.walls or (there, NAMES[(NAMES.index(way) + 2) % 4]) in board.walls:
        return cell
    inside = 0 <= there[0] < board.width and 0 <= there[1] < board.height
    return there if inside and there not in board.pits else None


def play_card(board: Board, cell: Cell, way: str, card: str, before: str) -> tuple[Cell | None, str]:
    """Where a card, and then the belts, lead a robot that is alone."""
    if card == "again":
        card = before
    if card in TURNS:
        way = NAMES[(NAMES.index(way) + TURNS[card]) % 4]
    found: Cell | None = cell
    for _ in range(abs(STEPS.get(card, 0))):
        going = way if STEPS[card] > 0 else NAMES[(NAMES.index(way) + 2) % 4]
        found = step(board, found, going) if found else None
    for speed in (2, 1):
        if found in board.belts and board.belts[found][1] >= speed:
            before_belt = board.belts[found][0]
            found = step(board, found, before_belt)
            if found in board.belts and board.belts[found][0] != before_belt:  # a bend turns the robot
                turn = NAMES.index(board.belts[found][0]) - NAMES.index(before_belt)
                way = NAMES[(NAMES.index(way) + turn) % 4]
    return found, way


def best_program(board: Board, cell: Cell, way: str, goals: list[Cell], hand: list[str], count: int) -> list[str]:
    """The program of `count` cards after which the robot is nearest to its goals, or has reached more of them."""
    best, best_cost = hand[:count], 4 * FAR * len(goals)

    def search(cell: Cell, way: str, left: list[Cell], cards: list[str], program: list[str]) -> None:
        nonlocal best, best_cost
        if left and cell == left[0]:
            left = left[1:]
        if len(program) == count or not left:
            cost = len(left) * FAR + (abs(cell[0] - left[0][0]) + abs(cell[1] - left[0][1]) if left else len(program))
            if cost < best_cost:
                best, best_cost = [*program, *cards][:count], cost
            return
        for card in dict.fromkeys(cards):
            if card.partition(":")[0] == "again" and not program:
                continue
            before = program[-1].partition(":")[0] if program else ""
            there, facing = play_card(board, cell, way, card.partition(":")[0], before)
            if there is not None:
                rest = list(cards)
                rest.remove(card)
                search(there, facing, left, rest, [*program, card])

    search(cell, way, goals, hand, [])
    return best


def answer(text: str) -> str:
    """The answer to a text."""
    question = text.rpartition("\n\nYour last answer was not accepted")[0] or text
    example = re.search(r"For example: (.*)", question)
    if example is None:
        options = re.findall(r"^- ([^ :\n]+)", question.rpartition("Options:\n")[2], re.MULTILINE)
        return "no" if "no" in options else options[0]
    if question != text:  # the example is always legal
        return example[1]
    me = re.search(r"^- .*\(you\): at (\d+),(\d+) facing (\w+); next \w+ (\d+)", question, re.MULTILINE)
    places = re.search(r"^(?:Checkpoints|Flags): (.*)\.$", question, re.MULTILINE)
    if me is None or places is None:
        return example[1]
    goals = {int(number): (int(x), int(y)) for number, x, y in re.findall(r"(\d+) at (\d+),(\d+)", places[1])}
    hand: list[str] = []
    for line in question.rpartition("Your hand:\n")[2].splitlines():
        if card := re.match(r"- (\S+?)(?: \((\d+) of them\))?: ", line):
            hand += [card[1]] * int(card[2] or 1)
    where = re.search(r"for register ([\d, ]+)\.", question)
    count = len(re.findall(r"\d", where[1])) if where else 5
    left = [goals[number] for number in sorted(goals) if number >= int(me[4])]
    program = best_program(read_board(question), (int(me[1]), int(me[2])), me[3], left, hand, count)
    return f"I have tried the programs of my hand.\n{', '.join(program)}"


def tokens(text: str) -> int:
    """Roughly what a model counts: words, numbers, and each other character that is no space."""
    return len(re.findall(r"[A-Za-z]+|\d+|[^\w\s]|_", text))


def main() -> None:
    """Race, and print the results."""
    from roborally_env.text import TextRace

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--course", default=None, help="by name or file (one for beginners)")
    parser.add_argument("--edition", default=None, help="rules (those of the course)")
    parser.add_argument("--opponents", nargs="+", default=["greedy"], help="agents (greedy)")
    parser.add_argument("--races", type=int, default=1, help="with the seeds 1, 2, .. (1)")
    parser.add_argument("--out", type=Path, help="a file for the numbers")
    options = parser.parse_args()
    race = TextRace(options.course, edition=options.edition, opponents=options.opponents, decisions="program")
    asked, answered, reading, waiting, places, rounds = [], [], [], [], [], []
    for seed in range(1, options.races + 1):
        race.reset(seed=seed)
        while not race.done:
            began = time.process_time()
            _, text = race.get_observation()
            shown = time.process_time()
            reply = answer(text)
            read = time.process_time()
            race.step(reply)
            asked.append(tokens(text))
            answered.append(tokens(reply))
            reading.append(read - shown)
            waiting.append(shown - began + time.process_time() - read)
        _, info = race.close()
        places.append(info["places"][0])
        rounds.append(info["rounds"])
        print(
            f"race {seed}: place {places[-1]} of {len(info['places'])} after {rounds[-1]} rounds, wrong {info['wrong']}"
        )
    found = {
        "races": len(places), "won": sum(place == 1 for place in places), "rounds": statistics.mean(rounds),
        "decisions_a_race": len(asked) / len(places), "tokens_a_text": round(statistics.mean(asked)),
        "most_tokens": max(asked), "tokens_an_answer": round(statistics.mean(answered)),
        "milliseconds_a_text": round(1000 * statistics.mean(waiting), 1),
        "milliseconds_to_answer": round(1000 * statistics.mean(reading), 1),
    }  # fmt: skip
    print(json.dumps(found, indent=1))
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
