"""Races whose actions are one number with an exact mask: the action forms `register` and `flat`."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from roborally_env.arguments import Courses
from roborally_env.base.errors import ActionError, SnapshotError, cut
from roborally_env.base.types import NamedValues
from roborally_env.batch.options import takes
from roborally_env.core.state import REGISTERS
from roborally_env.envs.options import EnvOptions
from roborally_env.envs.parallel import Info, Observation, RoboRallyParallelEnv
from roborally_env.envs.program_ranks import Ranking
from roborally_env.envs.snapshots import check_numbers, pack_snapshot, unpack_snapshot
from roborally_env.envs.vec_forms import FlatRows, RegisterRows, RowForm, make_form


class OneNumberActions(RoboRallyParallelEnv):
    """A parallel env whose actions are `Discrete(size)`, with the exact mask of legal ones as int8 [size].

    A choice (a purchase, or with decisions="all" any choice) is a step of its own: action `o` takes option `o`. An
    agent that is not asked has only action 0, which is not read. Where power downs are announced with programs (2005
    and community rules, decisions="program"), the actions of the form include the announcement.
    """

    @property
    def choosing(self) -> bool:
        """Whether a choice is open, so that nobody programs."""
        return not self.batch.programming[0]

    @property
    def announces(self) -> bool:
        """Whether power downs are announced together with programs."""
        return self.batch.announces

    def snapshot(self) -> bytes:
        """As RoboRallyParallelEnv.snapshot."""
        return pack_snapshot(self.action, self._own(), super().snapshot())

    def restore(self, snapshot: bytes) -> tuple[dict[str, Observation], dict[str, Info]]:
        """As RoboRallyParallelEnv.restore."""
        return super().restore(unpack_snapshot(self.action, snapshot)[1])

    def encode_nothing(self) -> int:
        """The action of an agent that is not asked."""
        return 0

    # -- inside

    def _own(self) -> NamedValues:
        """The state of this form that a snapshot must keep beside that of the race."""
        return {}

    def _refuse_illegal(self, values: NDArray[np.int64]) -> None:
        for where, number, mask in zip(
            self.action_names.values(), values.tolist(), self.form.flat_masks(), strict=True
        ):
            if not mask[number]:
                legal = np.flatnonzero(mask)
                shown = ", ".join(map(str, legal[:10])) + (", ..." if len(legal) > 10 else "")
                raise ActionError(f"{where}: {number} is not legal; expected one of {shown}")


class FlatActions(OneNumberActions):
    """One action for each round: the number of the program, by the numbering in `envs.program_ranks`.

    Where power downs are announced with programs, number `ranking.count` + n is program n with an announcement.
    """

    action = "flat"
    form: FlatRows

    @property
    def ranking(self) -> Ranking:
        """The numbering of the programs."""
        return self.form.ranking


@takes(EnvOptions, "RegisterActions")
class RegisterActions(OneNumberActions):
    """Five actions for each round: the hand slot for register one, two, .. five. The race goes on after the fifth.

    Where power downs are announced with programs there is a sixth action: 0, or 1 to announce one. All rewards before
    the last action are 0, but for the shaping of a discount below 1. The observation is that of the round's start, with
    `vec_forms.register_boxes` appended to the symbolic vector ("symbolic", "features") or added by name ("dict"). An
    illegal slot is replaced at once by the next legal one (cyclic) and counted in `corrected`.
    """

    action = "register"
    form: RegisterRows

    def __init__(
        self, course: Courses | None = None, *, players: int = 4, ghost: bool = False, **options: Unpack[EnvOptions]
    ) -> None:
        self._ghost = ghost
        super().__init__(course, players=players, **options)

    @property
    def register(self) -> int:
        """The register to fill next, 0..4; 5: the next action announces a power down or not."""
        return int(self.form.filled[0])

    @property
    def parts(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the parts that are appended to the symbolic vector, by name."""
        return dict(self.form.extra)

    def restore(self, snapshot: bytes) -> tuple[dict[str, Observation], dict[str, Info]]:
        """As RoboRallyParallelEnv.restore."""
        chosen = self._check_chosen(unpack_snapshot(self.action, snapshot)[0].get("laid"))
        super().restore(snapshot)
        self.form.go_on(chosen)
        return self._shown(self._nothing.copy())

    # -- inside

    def _new_form(self) -> RowForm:
        return make_form(self.action, self.batch, self.batch.players, self._ghost)

    def _own(self) -> NamedValues:
        return {"laid": self.form.chosen[:, : self.register].tolist()}

    def _check_chosen(self, chosen: object) -> NDArray[np.int64]:
        """The slots chosen so far, of a snapshot, as [P, registers]; or a SnapshotError."""
        players, most = len(self.possible_agents), REGISTERS - 1 + self.announces
        if not isinstance(chosen, list) or len(chosen) != players:
            raise SnapshotError(f"snapshot: laid: expected a list of {players} lists, got {cut(repr(chosen))}")
        count = len(chosen[0]) if isinstance(chosen[0], list) else 0
        if count > most:
            raise SnapshotError(f"snapshot: laid: expected at most {most} cards, got {count}")
        for r in range(players):
            check_numbers({f"laid[{r}]": chosen[r]}, f"laid[{r}]", count, 0, self.batch.hand_slots - 1)
        return np.array(chosen, np.int64).reshape(players, count)
