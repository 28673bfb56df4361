"""A bot in Python without the package: it drives forward as far as its hand allows.

roborally evaluate --agents "exec:python scripts/bots/forward.py" greedy random
"""

import json
import sys

WORTH = {"move_3": 5, "move_2": 4, "move_1": 3, "turn_left": 2, "turn_right": 2}


def worth(card):
    """How much a card is wanted; in 2005 a name has a number after it, as move_1:490."""
    return WORTH.get(card.split(":")[0], 1)


def program(row):
    """For each register the legal slot with the highest worth that is not used yet."""
    used = []
    for legal in row["legal"]:
        free = [slot for slot in legal if slot not in used]
        used.append(max(free, key=lambda slot: worth(row["hand"][slot])) if free else 0)
    return used


for line in sys.stdin:
    ask = json.loads(line)
    answers = [program(row) if row["decision"] == "program" else row["default"] for row in ask["rows"]]
    print(json.dumps({"id": ask["id"], "answers": answers}), flush=True)
