"""Collections in the symbolic vector; see `e2016.observation`."""

from roborally_env.core import upgrades
from roborally_env.core.kernel import kernel
from roborally_env.core.mechanics.owned_upgrades import count_bits
from roborally_env.core.seeing.around import write_bits
from roborally_env.core.seeing.parts import layout
from roborally_env.core.steps import OVER, PROGRAM


@kernel
def write_collection(game, g, r, out):
    """Write the own collection, and the public facts of the upgrade phase (2023)."""
    at = layout(game)
    if game.ask_seat == r and game.step != PROGRAM and game.step != OVER:
        out[g, r, at.decision + 1] = 1.0
    write_bits(game.collection[r], at.option_count - 1, g, r, out, at.collection)
    write_bits(game.upgrade_discard, at.option_count - 1, g, r, out, at.upgrade_discard)
    out[g, r, at.upgrade_phase] = game.drew >> r & 1
    out[g, r, at.upgrade_phase + 1] = game.installed >> r & 1
    out[g, r, at.upgrade_phase + 2] = game.upgrades_left / float(upgrades.COUNT)


@kernel
def write_collection_of(game, g, r, q, out, row):
    """How many cards another player's collection has (2023)."""
    out[g, r, row + layout(game).row_collection] = count_bits(game.collection[q]) * 0.125
