"""Pending decisions: one game's equal those of the whole batch, in every edition and at every kind of step."""

import numpy as np
import pytest

from roborally_env.batch import DECISIONS, BatchRace
from roborally_env.core import choices
from roborally_env.courses.model import EDITIONS

GAMES, STEPS = 3, 60


@pytest.mark.parametrize("decisions", DECISIONS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_pending_decisions_of_one_game_are_those_of_the_batch(edition: str, decisions: str) -> None:
    batch = BatchRace(GAMES, edition=edition, decisions=decisions, players=4, seed=2, auto_reset=False, max_rounds=8)
    kinds = set()
    for _ in range(STEPS):
        pending, closed = batch.pending_decisions, batch.closed_registers
        for game in range(GAMES):
            own, own_closed = batch.pending_in(game)
            assert own == pending[game].tolist()
            assert own_closed[game].tolist() == (closed[game] * batch.programming[game]).tolist()
        assert not pending[batch.over].any()
        assert (np.count_nonzero(pending, axis=1) == 1)[~batch.programming & ~batch.over].all()
        kinds |= {int(kind) for kind in pending.flat}
        batch.sample()
        batch.step_prepared()
    assert choices.PROGRAM in kinds
    assert len(kinds) > 2 or decisions == "program"


def test_former_names_warn_and_give_the_same() -> None:
    with pytest.warns(DeprecationWarning, match="observe_idle") as caught:
        batch = BatchRace(2, idle_rows=False, frames=True)  # type: ignore[call-arg]
    assert [each.filename for each in caught] == [__file__]
    assert batch._config.observe_idle == 0
    batch.sample()
    batch.step_prepared()
    for old, new in {
        "asked": "to_act",
        "decisions_asked": "pending_decisions",
        "programs_laid": "submitted_programs",
        "repairs": "corrected",
    }.items():
        with pytest.warns(DeprecationWarning, match=new) as caught:
            found = getattr(batch, old)
        assert [each.filename for each in caught] == [__file__]
        np.testing.assert_array_equal(found, getattr(batch, new))
    with pytest.warns(DeprecationWarning, match="partial"):
        events = batch.events_of(0, begun=True)  # type: ignore[call-arg]
    assert events == batch.events_of(0, partial=True)
    with pytest.raises(TypeError, match="beginning"):
        batch.events_of(0, beginning=True)  # type: ignore[call-arg]
