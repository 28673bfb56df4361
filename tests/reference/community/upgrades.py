"""The upgrades of the community edition: those of 2016 that do not only speak of damage cards, and Heal Routine."""

from tests.reference.e2016.upgrades import PERMANENT as PERMANENT_2016
from tests.reference.e2016.upgrades import ROUTINES as ROUTINES_2016
from tests.reference.e2016.upgrades import TEMPORARY as TEMPORARY_2016

LEFT_OUT = (
    "blue_screen_of_death",
    "corruption_wave",
    "defrag_gizmo",
    "spam_blocker",
    "spam_folder_routine",
    "trojan_needler",
    "virus_module",
)

PERMANENT = {name: cost for name, cost in PERMANENT_2016.items() if name not in LEFT_OUT}
TEMPORARY = {**{name: cost for name, cost in TEMPORARY_2016.items() if name not in LEFT_OUT}, "heal_routine": 3}
COST = {**PERMANENT, **TEMPORARY}

# upgrade -> the special programming card that it puts on the discard pile
ROUTINES = {
    **{name: card for name, card in ROUTINES_2016.items() if name not in LEFT_OUT},
    "heal_routine": "heal_routine",
}
