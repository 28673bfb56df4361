"""A repair site."""

from roborally_env.courses.pictures import Entry, Letters
from roborally_env.courses.tile_kinds import TileKind

_INK = 'fill="none" stroke="$repair-line" stroke-width="7" stroke-linecap="round"'
_PAD = '<rect x="-38" y="-38" width="76" height="76" rx="12" fill="$repair" stroke="$repair-line" stroke-width="3"/>'
_WRENCH = '<path d="M0 29V-5M-11 -27A12 12 0 1 0 11 -27" transform="rotate(45)"/>'
_HAMMER = '<g transform="rotate(-45)"><path d="M0 29V-16"/><path d="M-12 -20H12" stroke-width="13"/></g>'

TILE = TileKind(
    name="repair",
    title="repair site",
    token="r{level:12}",
    examples=("r1", "r2"),
    meaning="repair site, one wrench or two tools (not in edition 2016)",
    svg=lambda e: f"{_PAD}<g {_INK}>{_WRENCH}{_HAMMER if e.level > 1 else ''}</g>",
    over="gear",
    colors={"repair": ("#f8f7f3", "#3f454f"), "repair-line": ("#5a6270", "#c3cad6")},
    text=lambda e, scene: [Letters(f"r{e.level}", "energy")],
    legend=lambda sites, scene: [
        Entry(f"r{level}", "energy", f"repair site, {('wrench', 'two tools')[level - 1]}")
        for level in sorted({e.level for e in sites})
    ],
)
