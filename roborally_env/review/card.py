"""A race as a card: one small HTML file without scripts, which opens anywhere, to send to a friend.

It shows the turning point as a moving picture, each robot's chances of winning round by round, and the worst program
beside what would have been better.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from typing import Any, NamedTuple

from roborally_env.base.errors import RoboRallyError
from roborally_env.base.terminal import printable
from roborally_env.cards.listing import list_cards
from roborally_env.film import Picture, gif_of, pictures_of
from roborally_env.render.frames import frame, layout_of
from roborally_env.render.png import needed
from roborally_env.render.svg import ROBOT_COLORS
from roborally_env.replay import Replay
from roborally_env.review.ghosts import Ghosts
from roborally_env.review.model import PROGRAM, Decision, Review
from roborally_env.web import filled

MOST_BYTES = 480_000  # of the file
WIDTHS = (480, 400, 340, 280, 220, 180)  # pixels of the moving picture, the first that fits is taken
MOST_FRAMES = 90
STILL = 480  # pixels of the picture of the worst program
WORTH_TELLING = 0.02  # of the chance to win: a program that lost less is not shown
PLAYED, BETTER = "#c62828", "#1b7f3b"  # the two paths
DASHES = (
    "",
    "7 3",
    "2 3",
    "9 3 2 3",
    "5 5",
    "12 4",
    "1 4",
    "9 3 2 3 2 3",
)  # robots differ in more than colour


class Turn(NamedTuple):
    """The round in which a race turned."""

    round: int  # from 1
    seat: int  # the robot whose chance changed most
    before: float
    after: float


def card(replay: Replay, found: Review, *, seat: int | None = None, title: str = "") -> str:
    """The card of a race as HTML, smaller than 500 KB.

    Args:
        replay: of a race.
        found: its review.
        seat: whose worst program is shown; None: the worst of all robots.
        title: of the card; None: who won where.

    Raises:
        RoboRallyError: for a race without rounds, a replay that goes differently from its recording, and where Pillow
            or resvg_py is missing.
    """
    turn = turning_point(found)
    names = _names(found.agents)
    worst = worst_program(found, seat)
    parts = {
        "title": html.escape(title or _title(replay, found, names)),
        "subtitle": html.escape(_subtitle(replay, found, names)),
        "turn": html.escape(_turn_words(turn, found, names)),
        "curve": _curve(found, names, turn),
        "worst": "" if worst is None else _worst(replay, worst, names),
    }
    pictures = _fewer(pictures_of(replay, (turn.round, turn.round)))
    for width in WIDTHS:
        page = filled("watch/card.html", **parts, film=_film(pictures, width, parts["turn"]))
        if len(page.encode()) <= MOST_BYTES:
            return page
    raise RoboRallyError(f"card: the moving picture of round {turn.round} is too large")


def turning_point(found: Review) -> Turn:
    """The round in which the winner's chance rose most; without a winner, in which any chance changed most.

    Raises:
        RoboRallyError: for a race without rounds.
    """
    rounds = len(found.chances) - 1
    if rounds < 1:
        raise RoboRallyError("card: expected a race with at least one round")
    seats = range(len(found.agents)) if found.winner is None else (found.winner,)
    turns = [
        Turn(k + 1, seat, found.chances[k][seat], found.chances[k + 1][seat]) for k in range(rounds) for seat in seats
    ]
    return max(turns, key=lambda turn: (abs(turn.after - turn.before), -turn.round))


def worst_program(found: Review, seat: int | None = None) -> Decision | None:
    """The program that lost most, of one robot or of all; None if none lost anything worth telling."""
    programs = [each for each in found.decisions if each.kind == PROGRAM and each.better and seat in (None, each.seat)]
    lost = [each for each in programs if each.loss - each.error >= WORTH_TELLING]
    return max(lost, key=lambda each: each.loss, default=None)


# -- words


def _names(agents: Sequence[str]) -> list[str]:
    """The name of each robot, with its number where two have one name."""
    names = [printable(each).strip() or f"robot {seat}" for seat, each in enumerate(agents)]
    return [f"{name} (robot {seat})" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def _title(replay: Replay, found: Review, names: Sequence[str]) -> str:
    course = replay.batch().courses[0].title
    return f"A race on {course}" if found.winner is None else f"{names[found.winner]} won on {course}"


def _subtitle(replay: Replay, found: Review, names: Sequence[str]) -> str:
    rounds = len(replay.rounds)
    return f"Robo Rally, {found.edition} edition · {rounds} round{'s' * (rounds != 1)} · {', '.join(names)}"


def _percent(chance: float) -> str:
    return f"{round(100 * chance)}%"


def _turn_words(turn: Turn, found: Review, names: Sequence[str]) -> str:
    verb = "rose" if turn.after >= turn.before else "fell"
    last = turn.round == len(found.chances) - 1
    when = f"Round {turn.round}{', the last' if last else ''}"
    return (
        f"{when}: {names[turn.seat]}'s chance of winning {verb} from {_percent(turn.before)} to {_percent(turn.after)}."
    )


# -- pictures


def _fewer(pictures: list[Picture]) -> list[Picture]:
    """At most MOST_FRAMES pictures that last as long; the last one stays."""
    every = -(-len(pictures) // MOST_FRAMES)
    groups = [pictures[max(0, end - every) : end] for end in range(len(pictures), 0, -every)][::-1]
    return [Picture(group[-1].shown, sum(each.time for each in group)) for group in groups]


def _image(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def _film(pictures: list[Picture], width: int, words: str) -> str:
    """The moving picture, which stands still where the reader's system asks for less motion."""
    still = _png(frame(pictures[-1].shown, size=width))
    return (
        f'<picture><source media="(prefers-reduced-motion: reduce)" srcset="{_image("png", still)}">'
        f'<img src="{_image("gif", gif_of(pictures, width))}" alt="{words}"></picture>'
    )


def _png(pixels: Any) -> bytes:
    """Pixels, or a picture of Pillow, as PNG."""
    with needed("PIL.Image", "PNG"):
        from PIL import Image
    out = io.BytesIO()
    image = pixels if isinstance(pixels, Image.Image) else Image.fromarray(pixels)
    image.quantize(96, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _curve(found: Review, names: Sequence[str], turn: Turn) -> str:
    """The chances as an SVG drawing with its legend."""
    last = len(found.chances) - 1
    across = [48 + 620 * k / last for k in range(last + 1)]
    lines = [
        f'<rect x="{across[turn.round - 1]:.1f}" y="10" width="{620 / last:.1f}" height="200" class="turn"/>',
        *(f'<path d="M48 {210 - 2 * share}H668" class="grid"/>' for share in (0, 25, 50, 75, 100)),
        *(f'<text x="42" y="{214 - 2 * share}" text-anchor="end">{share}%</text>' for share in (0, 50, 100)),
    ]
    every = -(-last // 16)
    lines += [
        f'<text x="{(across[k] + across[k + 1]) / 2:.1f}" y="228" text-anchor="middle">{k + 1}</text>'
        for k in range(0, last, every)
    ]
    legend = []
    for seat, name in enumerate(names):
        points = " ".join(f"{x:.1f},{210 - 200 * row[seat]:.1f}" for x, row in zip(across, found.chances, strict=True))
        style = f'stroke="{ROBOT_COLORS[seat]}" stroke-dasharray="{DASHES[seat]}"'
        lines.append(f'<polyline points="{points}" {style}/>')
        key = f'<svg viewBox="0 0 34 8" width="34" height="8" aria-hidden="true"><path d="M1 4H33" {style}/></svg>'
        legend.append(f"<li>{key}{html.escape(name)} <b>{_percent(found.chances[-1][seat])}</b></li>")
    words = ", ".join(f"{name} from {_percent(a)} to {_percent(b)}" for name, a, b in zip(
        names, found.chances[0], found.chances[-1], strict=True))  # fmt: skip
    label = html.escape(f"Win probabilities before round 1 and at the end: {words}")
    return (
        f'<svg viewBox="0 0 680 232" class="curve" role="img" aria-label="{label}">{"".join(lines)}</svg>'
        f'<ul class="legend">{"".join(legend)}</ul>'
    )


def _worst(replay: Replay, worst: Decision, names: Sequence[str]) -> str:
    """The worst program beside the better one, and both ways on the board."""
    titles = {each.name: each.title for each in list_cards(replay.batch().edition)}
    ghosts = Ghosts(replay)
    ways = [ghosts.of(worst.round, worst.seat, cards).path for cards in (worst.made, worst.better)]
    rows = [_row(titles, word, cards) for word, cards in (("played", worst.made), ("better", worst.better))]
    heading = f"Round {worst.round}: {names[worst.seat]}'s program cost {_percent(worst.loss)}"
    alt = html.escape(
        f"The board in round {worst.round} with the path of the program that was played and of the better one"
    )
    picture = _image("png", _ways_picture(pictures_of(replay, (worst.round, worst.round))[0], ways))
    cost = html.escape(
        f"With it, {names[worst.seat]} would win {round(100 * worst.chance)} of 100 races from here, "
        f"with the better one {round(100 * worst.best)}."
    )
    return (
        f"<section><h2>{'The blunder' if worst.mark == 'blunder' else 'The costliest program'}</h2>"
        f'<p>{html.escape(heading)}. {cost}</p><dl class="programs">{"".join(rows)}</dl>'
        f'<img src="{picture}" alt="{alt}"></section>'
    )


def _row(titles: dict[str, str], word: str, cards: Sequence[str]) -> str:
    """A program as a row of cards."""
    chips = "".join(f"<span>{html.escape(_card(titles, each))}</span>" for each in cards)
    return f'<dt class="{word}">{word}</dt><dd>{chips}</dd>'


def _card(titles: dict[str, str], name: str) -> str:
    """The printed name of a card, in 2005 with its priority number."""
    plain, _, number = name.partition(":")
    title = titles.get(plain, plain.replace("_", " "))
    return f"{title} {number}" if number else title


def _ways_picture(picture: Picture, ways: Sequence[Sequence[tuple[int, ...]]]) -> bytes:
    """The board with two ways on it: of the program that was played, and of the better one beside it."""
    with needed("PIL.ImageDraw", "PNG"):
        from PIL import Image, ImageDraw
    course = picture.shown.course
    layout = layout_of(course, len(picture.shown.robots), STILL)
    board = Image.fromarray(frame(picture.shown, size=STILL))
    draw = ImageDraw.Draw(board)
    cell, aside = layout.cell, max(1, layout.cell // 12)
    for way, color, shift in zip(ways, (PLAYED, BETTER), (aside, -aside), strict=True):
        pieces = [[(layout.x + cell * x + cell // 2 + shift, layout.y + cell * y + cell // 2 + shift)
                   for _, x, y, _ in piece] for piece in _pieces(way)]  # fmt: skip
        for width, ink in ((cell // 6 + 4, "#ffffff"), (cell // 6, color)):
            for points in pieces:
                draw.line(points, ink, max(2, width), joint="curve")
        reach = max(4, cell // 5)
        for x, y in (points[-1] for points in pieces[:-1]):  # it fell
            draw.line((x - reach, y - reach, x + reach, y + reach), color, max(2, cell // 8))
            draw.line((x - reach, y + reach, x + reach, y - reach), color, max(2, cell // 8))
        x, y = pieces[-1][-1]
        draw.ellipse((x - reach, y - reach, x + reach, y + reach), color, "#ffffff", 2)
    return _png(board)


def _pieces(way: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """The parts of a way on the board, between falls; the first has its start."""
    pieces: list[list[tuple[int, ...]]] = [[]]
    for place in way:
        if len(place) > 1:
            pieces[-1].append(place)
        elif pieces[-1]:
            pieces.append([])
    return [piece for piece in pieces if piece]
