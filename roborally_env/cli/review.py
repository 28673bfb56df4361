"""`roborally review`: looks back on a race."""

from __future__ import annotations

from collections.abc import Iterator

import click

from roborally_env.base.terminal import print_as_json, print_lines
from roborally_env.cli.options import some_path
from roborally_env.cli.replay import errors_named, load_race
from roborally_env.cli.tables import Column, print_table
from roborally_env.review import Decision, Review, review
from roborally_env.review.builder import SIMULATIONS

SIGNS = {"blunder": "??", "brilliant": "!!", "": ""}  # as chess players write them


@click.command("review")
@click.argument("file", metavar="REPLAY", callback=some_path)
@click.option("--episode", type=int, metavar="N", help="Race number, if REPLAY is a folder of self-play data.")
@click.option("--all", "everything", is_flag=True, help="List every program and purchase, not only the marked ones.")
@click.option("--simulations", default=SIMULATIONS, show_default=True, metavar="N", help="Simulations per program.")
@click.option("--seed", default=0, show_default=True, metavar="N", help="Random seed of the simulations.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def review_race(file: str, episode: int | None, everything: bool, simulations: int, seed: int, as_json: bool) -> None:
    """Review the race of REPLAY: each robot's win probability by round; blunders (??) and brilliant programs (!!) with
    what a search would have done; and what each robot lost to its cards, to other robots and to its own choices.
    """
    replay = load_race(file, episode)
    with errors_named(file, episode):
        found = review(replay, simulations=simulations, seed=seed)
    if as_json:
        print_as_json(found.to_dict())
        return
    _print_chances(found)
    _print_decisions(found, everything)
    _print_robots(found)


def _print_chances(found: Review) -> None:
    """A row for each round, a column for each robot."""
    columns = [Column("round", left=True), *(Column(str(seat)) for seat in range(len(found.agents)))]
    names = [*map(str, range(1, len(found.chances))), "end"]
    rows = [[name, *map(_percent, row)] for name, row in zip(names, found.chances, strict=True)]
    print_table(columns, rows, "Win probability before each round, by robot, in %")


def _print_decisions(found: Review, everything: bool) -> None:
    """A row for each decision that has a mark, or for each of all."""
    decision = [each for each in found.decisions if everything or each.mark]
    if not decision:
        print_lines("", "No blunders, and nothing brilliant (--all lists every decision).")
        return
    columns = (
        Column("round, robot", left=True), Column("done", left=True, wrap=True), Column("better", left=True, wrap=True),
        Column("lost"), Column("mark", left=True), Column("chance", 2), Column("what", 1, left=True),
    )  # fmt: skip
    rows = [list(_cells(each)) for each in decision]
    print_table(columns, rows, "\nDecisions: what they lost of the chance to win, in %")
    print_lines("?? a blunder; !! brilliant, far better than the obvious")


def _cells(decision: Decision) -> Iterator[str]:
    yield f"{decision.round}, {decision.seat}"
    yield _words(decision.made)
    yield _words(decision.better)
    yield _percent(decision.loss)
    yield SIGNS[decision.mark]
    yield _percent(decision.chance)
    yield decision.kind.replace("_", " ")


def _words(cards: tuple[str, ...]) -> str:
    """Names of cards for people."""
    return ", ".join(card.replace("_", " ") if card != "no" else "nothing" for card in cards)


def _print_robots(found: Review) -> None:
    """A row for each robot."""
    columns = (
        Column("robot"), Column("agent", left=True), Column("start", 2), Column("cards"), Column("others"),
        Column("own choices"), Column("end", 1), Column("??", 3), Column("!!", 3),
    )  # fmt: skip
    rows = [
        [
            str(each.seat), each.agent, _percent(each.first), _points(each.cards), _points(each.others),
            _points(each.own), _percent(each.last), str(each.blunders), str(each.brilliant),
        ]
        for each in found.robots
    ]  # fmt: skip
    print_table(columns, rows, "\nWhat changed the win probability, in %")


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f}"


def _points(gain: float) -> str:
    """A gain or loss with its sign; 0 without."""
    return f"{100 * gain:+.0f}" if round(100 * gain) else "0"
