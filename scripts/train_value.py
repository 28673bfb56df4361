"""`roborally train value`, by its earlier name; `python scripts/train_value.py --help` lists the options."""

import sys

from roborally_env.cli import main

main(["train", "value", *sys.argv[1:]])
