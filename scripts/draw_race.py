"""Draw a race as a moving picture, for the README: `python scripts/draw_race.py docs/pictures/race.json race.gif`.

`roborally watch REPLAY --gif FILE` does the same with a progress bar, for any part of a race.
"""

import argparse
from pathlib import Path

from roborally_env.film import WIDTH, film
from roborally_env.replay import load


def main() -> None:
    """Read the arguments and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("replay", type=Path, help="a replay, as `roborally evaluate --out` and `play` save it")
    parser.add_argument("out", type=Path, help="the GIF to write")
    parser.add_argument("--width", type=int, default=WIDTH, help=f"pixels (default: {WIDTH})")
    args = parser.parse_args()
    frames = film(load(args.replay), args.out, width=args.width)
    print(f"{args.out}: {frames} frames, {args.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
