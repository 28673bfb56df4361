"""Self-play as data: races of agents are written as Parquet, can be resumed, read and played again.

    from roborally_env.selfplay import load, selfplay

    selfplay(["planner", "greedy"], out="data", games=10_000, seed=1)   # the same call resumes it
    data = load("data")
    for arrays in data.arrays(["hand", "program", "place"]): ...        # NumPy arrays, a part of the rows at a time
    replay = data.replay(17)                                            # checked against the hashes when it is played

The contents of the folder:

    manifest.json                      config, versions, courses, card names
    steps/shard-00000.parquet ..       one row for each decision of a seat (`schema.STEPS`)
    episodes/shard-00000.parquet ..    one row for each race (`schema.EPISODES`)

A shard exists with all its races or not at all. docs/selfplay.md describes every column. The folder may be in an object
store. `torch_data` has a dataset for PyTorch, `minari_data` an export for offline reinforcement learning.
"""

from roborally_env.selfplay.reader import Data, load
from roborally_env.selfplay.run import selfplay

__all__ = ["Data", "load", "selfplay"]
