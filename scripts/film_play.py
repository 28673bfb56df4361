"""Film the page of `roborally play` as a moving picture, for the README (docs/pictures/play.gif), or take one picture
of it (docs/pictures/play.png):

    python scripts/film_play.py play.gif --course extra_crispy --seed 7 --skip 2 --width 720
    python scripts/film_play.py play.png --course twister --seed 3

A race is served on this machine, and headless Chromium (with Playwright) plays its first rounds: the cards of the best
program for a robot alone are put into the registers one by one, with the ghost, and the round is watched. What the
picture shows follows from the seed, but not its bytes, which depend on when frames are taken. A file that ends in .png
gets a picture of the complete game, with all cards but the last in their registers.
"""

import argparse
import io
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import uvicorn
from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright
from roborally_env.agents import Info, make_agent

from roborally_env import RoboRallyError
from roborally_env.play.listener import LOOPBACK, listen, web_config
from roborally_env.play.lobby import Lobby
from roborally_env.play.server import PlayServer
from roborally_env.play.setup import check_play
from roborally_env.play.table import Table

VIEW: ViewportSize = {"width": 1200, "height": 900}  # pixels of the window
STILL: ViewportSize = {"width": 1400, "height": 900}  # the same for one picture
BOTS = ("planner", "greedy", "learned")  # in it
WAIT = 300  # seconds, at most: machine code may have to be made first
COLORS = 128
FRAME = 260  # ms that a picture of a moving robot is shown
BETWEEN = 110  # ms between two of them, besides the time that taking one needs
READY = ".is-asked .confirm:has-text('Confirm'), .is-asked .confirm:disabled"


class Film:
    """Frames of a page, each with how long it is shown; equal ones are one."""

    def __init__(self, page: Page, width: int) -> None:
        self.page, self.size = page, (width, round(width * VIEW["height"] / VIEW["width"]))
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def shoot(self, milliseconds: int) -> None:
        """Take a frame that is shown this long."""
        shot = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB").resize(self.size, Image.Resampling.LANCZOS)
        if self.frames and shot.tobytes() == self.frames[-1].tobytes():
            self.times[-1] += milliseconds
            return
        self.frames.append(shot)
        self.times.append(milliseconds)

    def save(self, path: Path) -> None:
        """Write the frames with one palette."""
        sheet = Image.new("RGB", (self.size[0], self.size[1] * 3))
        for k, at in enumerate((0, len(self.frames) // 2, len(self.frames) - 1)):
            sheet.paste(self.frames[at], (0, k * self.size[1]))
        palette = sheet.quantize(COLORS, Image.Quantize.FASTOCTREE)
        still = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self.frames]
        still[0].save(path, save_all=True, append_images=still[1:], duration=self.times, loop=0, optimize=True)


def best_program(table: Table) -> list[int]:
    """The slots of the best program for the player's robot alone."""
    race = table.race
    assert race is not None
    info = Info(race.batch, np.array([0]), np.array([0]))
    masks = np.ones((1, 5, len(race.open[0].hand)), np.int8)
    return [int(slot) for slot in make_agent("greedy").act(None, masks, info)[0]]


def play_round(film: Film, table: Table, program: list[int], watched: bool) -> None:
    """Place a program (without one the best for the robot alone), confirm it and watch the round."""
    page = film.page
    wait_until_asked(film)
    film.shoot(900)
    for slot in program or best_program(table):
        page.keyboard.press(str(slot + 1))
        settle(film)
        film.shoot(450)
    settle(film)
    film.shoot(1800)
    number = table.race.number if table.race else 0
    page.locator(".confirm").click()
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        if watched:
            film.shoot(FRAME)
            page.wait_for_timeout(BETWEEN)
        else:
            page.keyboard.press("s")  # skip to now
            page.wait_for_timeout(200)
        answer_first(page)
        done = page.locator(READY).count() > 0
        if done and table.race is not None and table.race.number > number:
            break
    film.shoot(1500)


def take_picture(film: Film, table: Table, path: Path) -> None:
    """Place all cards of the best program but the last, and take a picture of the whole page."""
    wait_until_asked(film)
    for slot in best_program(table)[:-1]:
        film.page.keyboard.press(str(slot + 1))
        settle(film)
    settle(film)
    film.page.screenshot(path=path)


def slow_down(page: Page, speed: str) -> None:
    """Show races slowly, so that enough pictures can be taken."""
    page.get_by_label("Playback speed").select_option(speed)


def settle(film: Film) -> None:
    """Let what the page has asked its server for arrive, and be shown."""
    film.page.wait_for_timeout(500)


def answer_first(page: Page) -> None:
    """Give the first answer to a question that is open: where a robot looks after a reboot, what a card does."""
    answers = page.locator(".is-asked .answer:enabled")
    if answers.count():
        answers.first.click()


def wait_until_asked(film: Film) -> None:
    """Wait for the hand."""
    end = time.monotonic() + WAIT
    while not film.page.locator(READY).count():
        answer_first(film.page)
        film.page.wait_for_timeout(100)
        if time.monotonic() > end:
            raise TimeoutError("no hand was shown")


def served(course: str, seed: int, folder: Path, complete: bool) -> tuple[uvicorn.Server, Table, str, Thread]:
    """A race of Ann against three bots on a free port, and the link to its first seat."""
    opponents = list(BOTS) if complete else ["greedy"] * 3
    setup = check_play(course=course, opponents=opponents, seed=seed, rules={"upgrades": complete}, names=["Ann"])
    table = Table(setup, folder / "race.json")
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    play = PlayServer(table, Lobby(folder / "race.json"), f"http://127.0.0.1:{port}")
    server = uvicorn.Server(web_config(play, LOOPBACK, timeout_graceful_shutdown=1))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    table.start()
    return server, table, f"http://127.0.0.1:{port}/seat/{play.tokens[0]}", thread


def pages(chromium: str, dark: bool, view: ViewportSize) -> Iterator[Any]:
    """A page of headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(viewport=view, color_scheme="dark" if dark else "light")
        yield context.new_page()
        browser.close()


def main() -> None:
    """Read the arguments and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the GIF or PNG to write")
    parser.add_argument("--course", default="burnout")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skip", type=int, default=0, help="rounds that are played before the film (default: 0)")
    parser.add_argument("--rounds", type=int, default=1, help="rounds in the film (default: 1)")
    parser.add_argument(
        "--programs", nargs="*", default=[], help="hand slots of each round, from 1, as 63514 (default: the best)"
    )
    parser.add_argument("--speed", choices=("0.5", "1", "2"), default="1", help="of the playback (default: 1)")
    parser.add_argument("--width", type=int, default=640, help="pixels (default: 640)")
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser's command")
    parser.add_argument("--dark", action="store_true")
    args = parser.parse_args()
    if args.out.suffix not in (".gif", ".png"):
        parser.error(f"{args.out}: expected a name that ends in .gif or .png")
    if not Path(args.chromium).is_file():
        parser.error(f"--chromium: there is no {args.chromium}; name the command of Chromium")
    with tempfile.TemporaryDirectory() as folder:
        still = args.out.suffix == ".png"
        server, table, link, thread = served(args.course, args.seed, Path(folder), still)
        for page in pages(args.chromium, args.dark, STILL if still else VIEW):
            film = Film(page, args.width)
            page.goto(link)
            if still:
                take_picture(film, table, args.out)
                continue
            wait_until_asked(film)
            slow_down(page, args.speed)
            for number in range(args.skip + args.rounds):
                if number == args.skip:
                    film.frames, film.times = [], []
                digits = args.programs[number] if number < len(args.programs) else ""
                play_round(film, table, [int(digit) - 1 for digit in digits], number >= args.skip)
            film.save(args.out)
            seconds = sum(film.times) / 1000
            size = args.out.stat().st_size / 1000
            print(f"{args.out}: {len(film.frames)} frames, {seconds:.0f} s, {size:.0f} kB")
            page.goto("about:blank")
        server.should_exit = True
        thread.join(20)
        table.stop()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
    except (RoboRallyError, OSError) as error:
        sys.exit(f"film_play: {error}")
