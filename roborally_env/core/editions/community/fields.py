"""The fields that a record of the community edition has beside those of the complete 2016 game; see `core.state`.

`rebooted` means destroyed, or at the goal; `cell` then has the value for a robot that fell. `taken`, `damaged` and
`damage_pile` stay 0.
"""

from roborally_env.core.state import ANY, DAMAGE, ROBOTS

# fmt: off
FIELDS = (
    ("ramps",         "u8", (), 0, ANY),                        # bit i: ramp i of the course is on
    ("damage",        "u1", ("S",), 0, DAMAGE),                 # damage tokens, 0..10
    ("tokens",        "u2", ("S",), 0, ANY),                    # damage tokens received in this race (for evaluation)
    ("place",         "i1", ("S",), 0, (0, "seats")),           # finishing place from 1; 0: not at the goal
    ("virtual",       "u1", (), 0, ROBOTS),                     # bit r: robot r is in virtual mode
    ("stomped",       "u1", (), 0, ROBOTS),                     # bit r: robot r acts last in the next activation
    ("down",          "u1", (), 0, ROBOTS),                     # bit r: robot r is powered down in this round
    ("announced",     "u1", (), 0, ROBOTS),                     # bit r: robot r will be powered down in the next round
    ("unhurt",        "u1", (), 0, ROBOTS),                     # bit r: robot r comes back without damage (Reboot)
)
# fmt: on
