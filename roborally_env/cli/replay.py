"""`roborally replay`: check a replay, or a race of self-play data, and draw it round by round."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

from roborally_env.base.checks import check_whole
from roborally_env.base.errors import ReplayError, RoboRallyError
from roborally_env.base.terminal import has_color, print_as_json, print_lines
from roborally_env.base.text import counted
from roborally_env.base.types import JsonObject
from roborally_env.cli.options import some_path
from roborally_env.cli.tables import note_width
from roborally_env.courses import EDITIONS
from roborally_env.render.ansi import draw
from roborally_env.replay import Played, Replay, load, play


@click.command()
@click.argument("file", metavar="FILE", callback=some_path)
@click.option("--episode", type=int, metavar="N", help="Race number, if FILE is a folder of self-play data.")
@click.option("--round", "only", type=int, metavar="N", help="Draw only this round; 0 is the start.")
@click.option("--color/--no-color", default=None, help="Use colours or not.  [default: if the terminal supports them]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def replay(file: str, episode: int | None, only: int | None, color: bool | None, as_json: bool) -> None:
    """Play back the replay FILE, check every round against its hash, and draw it.

    FILE may be a folder (or a URI) that `roborally selfplay` wrote; --episode then selects one of its races.
    """
    loaded = load_race(file, episode)
    if only is not None:
        check_whole(only, "--round", 0, len(loaded.rounds))
    with errors_named(file, episode):
        rounds = list(play(loaded))
    shown = rounds if only is None else [rounds[only]]
    if as_json:
        print_as_json(_as_json(loaded, rounds, shown))
        return
    if color is None:
        color = has_color()
    for each in shown:
        print_lines(*_story(loaded, each), "")
        click.echo(picture(each, color), color=True)
    print_lines(*standings(loaded, rounds[-1]), f"checked: {counted(len(loaded.rounds), 'round')}")
    note_width(picture(rounds[0], color=False), "`roborally watch` shows it in the browser")


def is_data(file: str) -> bool:
    """Whether self-play data is meant: a folder, or a URI."""
    return "://" in file or os.path.isdir(file)  # Path.is_dir raises if a name is too long


@contextmanager
def errors_named(file: str, episode: int | None) -> Iterator[None]:
    """Let errors name the race that they are about."""
    try:
        yield
    except RoboRallyError as error:
        where = file if episode is None else f"{file}: episode {episode}"
        raise ReplayError(f"{where}: {error}") from None


def load_race(file: str, episode: int | None) -> Replay:
    """The replay of a file, or of a race in a folder."""
    if not is_data(file):
        if episode is not None:
            raise click.UsageError(f"--episode: expected a folder of self-play data, got {file}")
        return load(file)
    from roborally_env.selfplay import load as load_data

    data = load_data(file)
    if episode is None:
        most = data.manifest["episodes"] - 1
        raise click.UsageError(f"{file}: self-play data: expected --episode N, from 0 to {most}, to say which race")
    return data.replay(episode)


def picture(played: Played, color: bool) -> str:
    """The course with the robots after a round."""
    robots = [
        {**robot, "rebooted": robot.get("powered_down", bool(times))}
        for robot, times in zip(played.robots, played.rebooted, strict=True)
        if robot["y"] is not None
    ]
    places, cubes, ramps = played.checkpoints, played.cubes, played.ramps
    return draw(played.course, robots, color=color, checkpoints=places, cubes=cubes, ramps=ramps)


def standings(replay: Replay, played: Played) -> list[str]:
    """One line a robot, and who won."""
    lines = [
        f"robot {robot['number']}, {agent}: {', '.join(_state(replay, played, robot))}"
        for robot, agent in zip(played.robots, replay.agents, strict=True)
    ]
    if played.winner is not None:
        team = played.robots[played.winner].get("team")
        winners = [r["number"] for r in played.robots if r["number"] == played.winner or r.get("team", -1) == team]
        names = " and ".join(f"robot {r} ({replay.agents[r]})" for r in winners)
        return [*lines, f"{names} win{'s' * (len(winners) == 1)} in round {played.number}"]
    if not played.over:
        return [*lines, f"not over after round {played.number}"]
    nobody = all(robot.get("lives") == 0 for robot in played.robots)
    return [*lines, f"nobody wins: {'nobody is left' if nobody else 'cut'} after round {played.number}"]


def _state(replay: Replay, played: Played, robot: JsonObject) -> list[str]:
    """The state of a robot in the race, in words."""
    many, words = len(played.course.checkpoints), EDITIONS[replay.edition]
    reached = [f"{words.checkpoint} {robot['checkpoint']} of {many}"] if many else []
    if "lives" in robot:
        return [*reached, f"damage {robot['damage']}", f"lives {robot['lives']}"]
    if "damage" in robot:
        place = [f"place {robot['place']}"] if robot["place"] else []
        return [*place, *reached, f"damage {robot['damage']}", f"destroyed {counted(robot['reboots'], 'time')}"]
    return [*reached, counted(robot["reboots"], "reboot")]


def _story(replay: Replay, played: Played) -> Iterator[str]:
    """The round in words: who programmed what, rebooted, reached which checkpoint."""
    yield f"Round {played.number}" if played.number else f"{played.course.title}: the start"
    for seat, cards in enumerate(played.programs):
        words = ", ".join(card.replace("_", " ") if card else "(from the deck)" for card in cards)
        robot, times = played.robots[seat], played.rebooted[seat]
        state = [f"{EDITIONS[replay.edition].checkpoint} {robot['checkpoint']}"]
        if "lives" in robot:
            words = words if set(cards) != {"none"} else "no program"
            state += [f"damage {robot['damage']}", *["destroyed"] * bool(times), *["out"] * (robot["lives"] == 0)]
        elif "damage" in robot:
            words = words if set(cards) != {"none"} else "no program"
            state += [f"damage {robot['damage']}", *["destroyed"] * bool(times), *["virtual"] * robot["virtual"]]
        elif times:
            state.append(counted(times, "reboot"))
        yield f"  robot {seat}, {replay.agents[seat]}: {words} ({'; '.join(state)})"
    for seat, decision, option in played.choices:
        yield f"  robot {seat} chooses {decision}: {option}"


def _as_json(replay: Replay, rounds: list[Played], shown: list[Played]) -> JsonObject:
    end = rounds[-1]
    return {
        "course": end.course.slug,
        "edition": replay.edition,
        "seed": replay.seed,
        "game": replay.game,
        "agents": list(replay.agents),
        "rounds": [_round_as_json(each) for each in shown],
        "winner": end.winner,
        "over": end.over,
        "checked": len(replay.rounds),
    }


def _round_as_json(played: Played) -> JsonObject:
    robots = [{**robot, "rebooted": times} for robot, times in zip(played.robots, played.rebooted, strict=True)]
    return {
        "round": played.number,
        "programs": played.programs,
        "choices": [{"robot": seat, "decision": asked, "choice": option} for seat, asked, option in played.choices],
        "robots": robots,
        "checkpoints": [{"number": number, "x": x, "y": y} for number, x, y in played.checkpoints],
    }
