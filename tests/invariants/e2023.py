"""Invariants of collections and of the upgrade discard pile (2023)."""

from __future__ import annotations

from typing import Any

from roborally_env.core import upgrades
from roborally_env.core.choices import DRAW_UPGRADE, INSTALL_UPGRADE, REPLACE_UPGRADE, UNINSTALL_UPGRADE
from roborally_env.core.editions.e2016.steps import BUY_UPGRADES
from roborally_env.core.state import kind_of, kind_of_record
from tests.invariants.e2016 import CHECKS as CHECKS_2016
from tests.invariants.e2016 import collected
from tests.invariants.game import add_checks, broken

PHASE_KINDS = (DRAW_UPGRADE, INSTALL_UPGRADE, UNINSTALL_UPGRADE, REPLACE_UPGRADE)


def _phase(game: Any, course: Any) -> None:
    """Flags and shuffles are in range; there is no shop, and empty seats collect nothing."""
    live = (1 << int(game.players)) - 1
    for name in ("drew", "installed"):
        assert int(game[name]) & ~live == 0, broken(_phase, f"{name} {int(game[name]):b} of {game.players} robots")
    assert not game.shop.any(), broken(_phase, f"shop {game.shop}")
    assert not game.collection[game.players :].any(), broken(_phase, "an empty seat collects")
    assert game.upgrade_tops <= game.upgrades_left, broken(_phase, f"{game.upgrade_tops} known of {game.upgrades_left}")
    assert (game.shuffled <= game.shuffles).all(), broken(_phase, f"shuffled {game.shuffled}, {game.shuffles} times")


def _places(game: Any, course: Any) -> None:
    """Every upgrade is somewhere."""
    everywhere = {*collected(game), *game.upgrade_deck.tolist(), *upgrades.numbers_in(int(game.on_mats))}
    missing = set(kind_of(kind_of_record(game)).upgrade_numbers) - everywhere
    assert not missing, broken(_places, f"cards nowhere: {sorted(missing)}")


def _question(game: Any, course: Any) -> None:
    """A question of the upgrade phase is asked in it, and offers what can be done."""
    if game.ask_seat < 0 or game.ask_kind not in PHASE_KINDS:
        return
    r, options = int(game.ask_seat), int(game.ask_options)
    assert game.step == BUY_UPGRADES and game.order[game.turn] == r, broken(
        _question, f"robot {r} is asked at step {game.step}"
    )
    if game.ask_kind == DRAW_UPGRADE:
        assert game.energy[r] >= 1 and not int(game.drew) >> r & 1, broken(_question, f"robot {r} may not draw")
    elif game.ask_kind == INSTALL_UPGRADE:
        assert not int(game.installed) >> r & 1, broken(_question, f"robot {r} may not install")
        assert options & ~1 & ~int(game.collection[r]) == 0, broken(_question, f"robot {r} has not all of {options:b}")
        dear = [u for u in upgrades.numbers_in(options) if upgrades.upgrade(u).cost > game.energy[r]]
        assert not dear, broken(_question, f"robot {r} cannot pay for {dear}")
    else:
        assert options & ~1 & ~int(game.owned[r]) == 0, broken(
            _question, f"robot {r} has not installed all of {options:b}"
        )


CHECKS = (_phase, _places, _question)
add_checks("2023", (*CHECKS_2016, *CHECKS))
