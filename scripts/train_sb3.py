"""`roborally train sb3`, by its earlier name, and the agent `train_sb3:Trained:folder=DIR` of what it has trained."""

import sys

from roborally_env.cli import main
from roborally_env.training.sb3 import Trained as Trained

if __name__ == "__main__":
    main(["train", "sb3", *sys.argv[1:]])
