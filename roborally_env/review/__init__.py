"""Looking back on a race: chances to win round by round, and what each program and purchase was worth.

from roborally_env.replay import load
from roborally_env.review import review

found = review(load("race.json"))
for decision in found.decisions:
    print(decision.round, decision.seat, decision.mark, decision.loss)
"""

from roborally_env.review.builder import review
from roborally_env.review.model import Decision, Review, Robot

__all__ = ["Decision", "Review", "Robot", "review"]
