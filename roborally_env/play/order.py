"""Who acts when, for the pages: the order of each register as the rules have set it, and what is known before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from roborally_env.base.types import JsonObject, Record
from roborally_env.batch import BatchRace
from roborally_env.courses import EDITIONS

LAST = 1 << 30


def report_orders(batch: BatchRace, pieces: Iterable[Iterable[JsonObject]]) -> None:
    """Add `order` (robots, the first to act first; None if nobody knows yet) to what each moment changes that begins a
    round or a register. `pieces` are those of each player after the batch's last step, or reset."""
    orders = _orders(batch)
    for each in pieces:
        for moment in (moment for piece in each for moment in piece["moments"]):
            if moment["kind"] == "round":
                moment.setdefault("set", {})["order"] = orders.get(0)
            elif moment["kind"] == "register":
                moment.setdefault("set", {})["order"] = orders.get(moment["set"].get("register"))


def _orders(batch: BatchRace) -> dict[int, list[int] | None]:
    """By register, and before the first by 0: the orders of a step."""
    events, frames = batch.events_of(0, partial=True), batch.frames_of(0, partial=True)
    found: dict[int, list[int] | None] = {}
    for i, event in enumerate(events):
        if event["kind"] == "round":
            found[0] = by_antenna(batch, frames[i])
        elif event["kind"] == "register":  # before the order is set; the next event comes after it
            is_set = i + 1 < len(frames) and int(frames[i + 1]["register"]) == int(frames[i]["register"])
            order = _on_board(batch, frames[i + 1], frames[i + 1]["order"]) if is_set else None
            found[int(event["register"])] = order or by_antenna(batch, frames[i])
    return found


def by_antenna(batch: BatchRace, game: Record) -> list[int] | None:
    """The order of a register that would begin now; None where cards decide (2005)."""
    if not EDITIONS[batch.edition].antenna:
        return None
    rank = batch.maps.courses[int(game["course"])]["rank"]
    ranks = [
        (int(rank[cell]) if cell >= 0 else LAST, r) for r, cell in enumerate(game["cell"][: batch.players].tolist())
    ]
    return _on_board(batch, game, [r for _, r in sorted(ranks)])


def _on_board(batch: BatchRace, game: Record, order: Sequence[int]) -> list[int]:
    """An order without the robots that are off the board."""
    return [int(r) for r in order if int(r) < batch.players and int(game["cell"][int(r)]) >= 0]
