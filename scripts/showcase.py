"""Write chosen races as pages that run without a server: `out/showcase/index.html`, to open or to publish anywhere.

    python scripts/showcase.py
    python scripts/showcase.py my_race.json friends/*.json --out out/mine

Without replays it plays one race of each edition, and the guided race as somebody plays it who follows the hints. Each
race gets a page to watch, with win probabilities, blunders and better programs beside it, and a card to send.
Programming a robot, ghosts and hints need the simulator, and so `roborally play`: these pages only show.
"""

from __future__ import annotations

import argparse
import html
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from roborally_env import RoboRallyError
from roborally_env.evaluation.tournament import evaluate
from roborally_env.play.guide import guide_course
from roborally_env.render.svg import board_svg
from roborally_env.replay import Replay, load, save
from roborally_env.review import review
from roborally_env.review.card import card
from roborally_env.review.pages import review_page
from roborally_env.web import asset

CHOSEN = (  # (title, edition, course, agents, seed)
    ("A beginner's course", "2016", "fractionation", ("planner", "greedy", "easy", "random"), 3),
    ("Checkpoints that ride on belts", "2016", "twister", ("learned-search", "planner", "learned", "greedy"), 5),
    ("The game of 2005", "2005", "risky_exchange", ("planner", "learned", "greedy", "easy"), 2),
    ("Ramps and heights", "community", "terraces", ("planner", "greedy", "planner", "greedy"), 4),
)
SIMULATIONS = 8_000  # of a review
CANNOT = (
    "These pages need no server and no network. They show races move by move, and what a search says of them. "
    "To program a robot yourself, with the ghost and hints, run: roborally play --guide. That needs the simulator, "
    "which no page here has."
)


def chosen() -> Iterator[tuple[str, str, Replay]]:
    """The races without any given: a name for the files, a title, and the replay."""
    guided = evaluate(["planner", "random"], guide_course(), games=1, players=2, seed=1)
    yield "first_steps", "The guided race, played by a search", guided.replay(guided.races[0])
    for title, edition, course, agents, seed in CHOSEN:
        result = evaluate(list(agents), course, edition=edition, games=1, players=len(agents), seed=seed)
        yield f"{edition}_{course}", title, result.replay(result.races[0])


def given(paths: list[Path]) -> Iterator[tuple[str, str, Replay]]:
    """The races of replay files."""
    for number, path in enumerate(paths, 1):
        yield f"{number:02}_{path.stem}", path.stem.replace("_", " "), load(path)


def write(name: str, title: str, replay: Replay, out: Path) -> str:
    """Write the page, the card, the picture and the replay of a race; its place in the list, as HTML."""
    found = review(replay, simulations=SIMULATIONS)
    course = replay.batch().courses[0]
    (out / f"{name}.html").write_text(review_page(replay, found, title=title), encoding="utf-8")
    (out / f"{name}_card.html").write_text(card(replay, found, title=title), encoding="utf-8")
    (out / f"{name}.svg").write_text(board_svg(course, theme="light"), encoding="utf-8")
    save(replay, out / f"{name}.json")
    agents = [agent.partition(":")[0] for agent in found.agents]
    won = "nobody won" if found.winner is None else f"{agents[found.winner]} won"
    text = f"{course.title}, {found.edition} edition: {', '.join(agents)}; {won} in {len(replay.rounds)} rounds."
    return (
        f'<li class="rr-listed"><a href="{name}.html"><img src="{name}.svg" alt="" height="170"></a>'
        f"<h3>{html.escape(title)}</h3><p>{html.escape(text)}</p>"
        f'<p><a href="{name}.html">Watch and look back</a> · <a href="{name}_card.html">The card</a>'
        f' · <a href="{name}.json">Replay file</a></p></li>'
    )


def rules() -> str:
    """The words of the guide that explain what happens on the board, as HTML."""
    steps = json.loads(asset("play/guide.json"))
    shown = [step for step in steps if "moment" in step or step["title"] in ("The goal", "Your hand", "Belts")]
    return "".join(
        f"<dt><b>{html.escape(step['title'])}</b></dt><dd>{html.escape(step['text'])}</dd>" for step in shown
    )


def index(listed: list[str]) -> str:
    """The page that lists the races."""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Robo Rally: races to watch</title>
<style>{asset("shared/viewer.css")}{asset("watch/index.css")}
.rr-listed img {{ display: block; max-width: 100%; margin: 0 auto 8px; }}
dl {{ max-width: 60rem; }} dd {{ margin: 0 0 10px; }}</style>
</head>
<body class="rr-page rr-index">
<header><h1>Robo Rally: races to watch</h1><p class="rr-subtitle">{html.escape(CANNOT)}</p></header>
<ul class="rr-list">{"".join(listed)}</ul>
<h2>How the game goes</h2>
<p>In the guided race of roborally play these explanations come one by one, when the thing itself happens:</p>
<dl>{rules()}</dl>
</body>
</html>
"""


def main(arguments: list[str] | None = None) -> int:
    """Write all pages; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replays", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, default=Path("out/showcase"))
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    listed = []
    for name, title, replay in given(options.replays) if options.replays else chosen():
        listed.append(write(name, title, replay, options.out))
        print(options.out / f"{name}.html", flush=True)
    (options.out / "index.html").write_text(index(listed), encoding="utf-8")
    print(options.out / "index.html")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except (RoboRallyError, OSError) as error:
        sys.exit(f"showcase: {error}")
