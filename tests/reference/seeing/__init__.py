"""What a player sees, written slowly: every number of the symbolic vector, part by part as in docs/observations.md.

A module for each edition, and what they share in `view.py`. A game comes as a dictionary of whole numbers and lists
with the fields of a record (`core/state.py` says what they mean), the course as a Board of the edition's reference.
Two things beside the record are handed in: the distance of each robot, and the name of the decision that is open.
"""

from .community import CommunityView
from .e2005 import View2005
from .e2016 import CompleteView, LighterView
from .e2023 import View2023

VIEWS = {
    "lighter": LighterView,
    "complete": CompleteView,
    "2023": View2023,
    "2005": View2005,
    "community": CommunityView,
}
