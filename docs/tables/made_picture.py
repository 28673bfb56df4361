"""Draw docs/pictures/made_boards.png: printed boards above made ones, for judging by eye whether they look designed.

python docs/tables/made_picture.py [--out FILE] [--version 1]
"""

import argparse
import io
from pathlib import Path

from made_boards import side_of
from PIL import Image, ImageDraw, ImageFont

from roborally_env.courses.model import Board
from roborally_env.generated.draws import Draws
from roborally_env.generated.layout import Layout, PlacedBoard
from roborally_env.generated.printed import large_boards
from roborally_env.generated.procedural import make_board, make_start_board
from roborally_env.generated.specification import VERSION, Specification
from roborally_env.render.png import to_png
from roborally_env.render.svg import board_svg

PICTURE = Path(__file__).parents[1] / "pictures" / "made_boards.png"
COLUMNS, SIZE, HEAD = 7, 190, 30  # boards in a row, pixels of each, pixels of a heading
HOMES = {"2016": 4, "2005": 2, "community": 1}  # edition -> its boards in a row
ROWS = {"printed": 2, "made": 4}
BANDS = (None, 1, 2, 3, 4, 5)


def picture(boards: dict[str, list[Board]]) -> Image.Image:
    """The boards under their headings."""
    rows = {title: -(-len(found) // COLUMNS) for title, found in boards.items()}
    image = Image.new("RGB", (COLUMNS * SIZE, sum(n * SIZE + HEAD for n in rows.values())), "white")
    pen, font, top = ImageDraw.Draw(image), ImageFont.load_default(18), 0
    for title, found in boards.items():
        pen.text((8, top + 5), title, "black", font)
        for place, board in enumerate(found):
            png = Image.open(io.BytesIO(to_png(_svg(board), SIZE - 6))).convert("RGB")
            image.paste(png, (place % COLUMNS * SIZE + 3, top + HEAD + place // COLUMNS * SIZE))
        top += HEAD + rows[title] * SIZE
    return image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def _svg(board: Board) -> str:
    """The board alone, without a start board."""
    start = make_start_board(board.edition, 2, Draws(0))._replace(antenna=None)
    placed = (PlacedBoard(board, 0, 0, 0),)
    course = Layout(board.edition, placed, start, board.width, board.height).course()
    return board_svg(course, theme="light")


def printed() -> list[Board]:
    """Printed boards, those of each edition in columns of their own."""
    by_home = {home: list(large_boards(home).values()) for home in HOMES}
    return [by_home[home].pop(0) for _ in range(ROWS["printed"]) for home, n in HOMES.items() for _ in range(n)]


def made(version: int) -> list[Board]:
    """Made ones of every band, likewise."""
    numbers = {home: iter(range(100)) for home in HOMES}
    return [
        _made(home, next(numbers[home]), version)
        for _ in range(ROWS["made"])
        for home, n in HOMES.items()
        for _ in range(n)
    ]


def _made(home: str, number: int, version: int) -> Board:
    specification = Specification(edition=home, version=version)
    side = side_of(home)
    return make_board(home, side, side, specification, Draws(1000 + number), BANDS[number % len(BANDS)])


def main() -> None:
    """Draw it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=PICTURE, help="the file")
    parser.add_argument("--version", type=int, choices=range(1, VERSION + 1), default=VERSION, help="of the generator")
    options = parser.parse_args()
    picture({"printed": printed(), "made": made(options.version)}).save(options.out, optimize=True)


if __name__ == "__main__":
    main()
