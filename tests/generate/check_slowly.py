"""`scripts/experiments/check_generated.py` with its `--slow N`, the proof by the references of the rules:

python -m tests.generate.check_slowly --edition 2016 --courses 1000 --slow 100 --out out/slowly
"""

import sys
from pathlib import Path

from .slow import lost

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "experiments"))
import check_generated

if __name__ == "__main__":
    sys.exit(check_generated.main(proof=lost))
