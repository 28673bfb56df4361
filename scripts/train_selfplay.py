"""`roborally train selfplay`, by its earlier name; `python scripts/train_selfplay.py --help` lists the options."""

import sys

from roborally_env.cli import main

main(["train", "selfplay", *sys.argv[1:]])
