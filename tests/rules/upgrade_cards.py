"""The upgrade cards of the 2016 edition and their cost (rulebook, Card Index), each type by name: the printed order."""

PERMANENT = {
    "admin_privilege": 3, "blue_screen_of_death": 4, "brakes": 3, "cache_memory": 4, "corruption_wave": 4,
    "crab_legs": 5, "deflector_shield": 2, "defrag_gizmo": 5, "double_barrel_laser": 2, "firewall": 3,
    "hover_unit": 1, "memory_stick": 3, "mini_howitzer": 2, "modular_chassis": 1, "pressor_beam": 3, "rail_gun": 2,
    "ramming_gear": 2, "rear_laser": 2, "scrambler": 3, "side_arms": 3, "teleporter": 3, "tractor_beam": 3,
    "trojan_needler": 3, "virus_module": 2,
}  # fmt: skip
TEMPORARY = {
    "boink": 1, "hack": 1, "manual_sort": 1, "memory_swap": 1, "reboot": 1, "recharge": 0, "recompile": 1,
    "refresh": 2, "spam_blocker": 3, "zoop": 1,
}  # fmt: skip
# temporaries that only put a special programming card into the discard pile
ROUTINES = {
    "energy_routine": 3, "repeat_routine": 3, "sandbox_routine": 5, "spam_folder_routine": 2, "speed_routine": 3,
    "weasel_routine": 3,
}  # fmt: skip
SPECIAL_CARD = {name: name for name in ROUTINES} | {"spam_folder_routine": "spam_folder"}
COSTS = PERMANENT | TEMPORARY | ROUTINES
OWNED = (*PERMANENT, *TEMPORARY)  # those that lie in front of a player
