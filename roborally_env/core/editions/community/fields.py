"""The fields that a record of the community edition has beside those of the complete 2016 game; see `core.state`.

`rebooted` means destroyed, or at the goal; `cell` then has the value for a robot that fell. `taken`, `damaged` and
`damage_pile` stay 0.
"""

# fmt: off
FIELDS = (
    ("ramps",         "u8", ()),       # bit i: ramp i of the course is on
    ("damage",        "u1", ("S",)),   # damage tokens, 0..10
    ("tokens",        "u2", ("S",)),   # damage tokens received in this race (for evaluation)
    ("place",         "i1", ("S",)),   # finishing place from 1; 0: not at the goal
    ("virtual",       "u1", ()),       # bit r: robot r is in virtual mode
    ("stomped",       "u1", ()),       # bit r: robot r acts last in the next activation
    ("down",          "u1", ()),       # bit r: robot r is powered down in this round
    ("announced",     "u1", ()),       # bit r: robot r will be powered down in the next round
    ("unhurt",        "u1", ()),       # bit r: robot r comes back without damage (Reboot)
)
# fmt: on
