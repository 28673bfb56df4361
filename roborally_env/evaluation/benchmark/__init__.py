"""RoboRally-Bench: a fixed protocol by which agents are compared.

from roborally_env.evaluation.benchmark import benchmark, card_of

measured = benchmark("my_bot.py:MyBot", quick=True)
print(card_of(measured)["against"]["greedy"]["scores"]["all"])
"""

from roborally_env.evaluation.benchmark.card import card_of, percent
from roborally_env.evaluation.benchmark.protocol import OPPONENTS, PROTOCOLS, CourseSet, Opponent, Protocol
from roborally_env.evaluation.benchmark.run import Measured, benchmark

__all__ = [
    "OPPONENTS",
    "PROTOCOLS",
    "CourseSet",
    "Measured",
    "Opponent",
    "Protocol",
    "benchmark",
    "card_of",
    "percent",
]
