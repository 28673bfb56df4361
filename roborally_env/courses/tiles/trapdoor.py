"""A trapdoor opens under the robot on it, in its registers."""

from roborally_env.courses.tile_kinds import TileKind

_LINE = 'stroke="$trapdoor-line" stroke-width="4" stroke-linejoin="round"'
# two flaps with hinges
_FLAPS = (
    f'<path d="M-42 -42H42V42H-42Z" fill="$trapdoor" {_LINE}/>'
    f'<path d="M-42 -42L-10 -20V20L-42 42M42 -42L10 -20V20L42 42" fill="none" {_LINE}/>'
    f'<path d="M-10 -20H10V20H-10Z" fill="$pit-deep" {_LINE}/>'
    f'<path d="M-42 -24H-30M-42 24H-30M42 -24H30M42 24H30" {_LINE} stroke-linecap="round"/>'
)


TILE = TileKind(
    name="trapdoor",
    token="D{registers}",
    examples=("D135",),
    meaning="trapdoor and the registers in which it opens (community)",
    excludes=("pit",),
    dtype="u1",  # bit k: opens in register k + 1
    acts="trapdoors",
    svg=lambda e: _FLAPS,
    over="dock",
    colors={"trapdoor": ("#8a8f98", "#4a505b"), "trapdoor-line": ("#2c3037", "#b5bcc8")},
    style="hazard",
)
