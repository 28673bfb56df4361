"""Pictures of the antenna and of reboot tokens."""

from roborally_env.render.theme import color


def token(facing: int) -> str:
    """A reboot token round (0, 0) with its arrow."""
    return (
        f'<circle r="40" fill="{color("token")}" stroke="{color("token-line")}" stroke-width="4"/>'
        f'<g transform="rotate({90 * facing})" fill="none" stroke="{color("token-line")}" stroke-linejoin="round" '
        'stroke-linecap="round" stroke-width="8"><path d="M0 22V-22M-16 -7L0 -23 16 -7"/>'
        '<path d="M-25 -2A25 25 0 0 0 25 -2" stroke-width="5"/></g>'
    )


def antenna(facing: int) -> str:
    """The antenna round (0, 0), its dish open to where it faces."""
    line = f'stroke="{color("antenna-dish")}" stroke-width="6" stroke-linecap="round" fill="none"'
    return (
        f'<rect x="-46" y="-46" width="92" height="92" rx="14" fill="{color("antenna")}" '
        f'stroke="{color("antenna-line")}" stroke-width="4"/><g transform="rotate({90 * facing})">'
        f'<path d="M-28 -4A28 28 0 0 0 28 -4Z" fill="{color("antenna-dish")}"/><path d="M0 22V34M-14 36H14" {line}/>'
        f'<circle cy="-12" r="5" fill="{color("antenna-dish")}"/>'
        f'<path d="M-11 -22A14 14 0 0 1 11 -22M-19 -30A25 25 0 0 1 19 -30" {line}/></g>'
    )
