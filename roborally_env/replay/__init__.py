"""Replays: the config, the seed and the programs of a race, with a hash of the state after each round.

A replay is small and exact: playing it runs the race again and compares each hash. The file is JSON, one line a round:

    {
    "format": 1,                    of this file
    "versions": {"package", "rules", "record"},   rules and state record that the hashes belong to
    "config": {"edition", "players", "decisions", "max_rounds", "rules", "courses"},
    "seed": 1, "game": 7, "episode": 0,   the batch's seed, the game's number in it, the race in that place
    "agents": ["planner", ...],     a name a seat, for people
    "start": "b0e2...",             hash before the first round
    "opening": [[seat, option]],    purchases before the first programs (only with upgrades)
    "rounds": [
    {"programs": [[0, 4, 2, 8, 1], ...], "choices": [[seat, option]], "announced": [seat], "open": [0, ...],
     "hash": "91ac..."},
    ...]}

Programs are hand slots, five for each seat. `choices` are the answers in order (purchases, or all
choices if every choice is open). `announced` are the robots whose power down was announced with the programs (2005,
community). `open`, only with the timer, are the registers that it caught, as bits. A hash is the first eight bytes of
the SHA-256 of the game's whole record, in hex. A course that is not part of the package is in the file as a whole.
The file of a race of `roborally play` that is not over also has `play`, by which it can be resumed.
"""

from roborally_env.replay.comparison import Comparison
from roborally_env.replay.model import Replay, Round, state_hash
from roborally_env.replay.playback import Played, play
from roborally_env.replay.reader import load
from roborally_env.replay.recorder import Recorder, record
from roborally_env.replay.writer import save

__all__ = ["Comparison", "Played", "Recorder", "Replay", "Round", "load", "play", "record", "save", "state_hash"]
