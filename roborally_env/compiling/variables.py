"""Variables that need no memory: those that are set once, before all that reads them.

numba keeps a variable in a slot of the stack if more than one block has it. It has renamed the variables before so that
most are set once; what is set in a block is known in all that this block dominates.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from numba.core import ir
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs, must_use_alloca
from numba.core.lowering import Lower

_found_by_numba = Lower._find_singly_assigned_variable


def find_values(self: Any) -> None:
    """Find the variables that are values, for `Lower`. Where references are counted numba's own are taken: there the
    end of a variable is an instruction."""
    function = self.func_ir
    if self.context.enable_nrt or function.func_id.is_generator or must_use_alloca(function.blocks):
        _found_by_numba(self)
        return
    blocks = function.blocks
    read_in = compute_use_defs(blocks).usemap  # by block: what is read there and was set elsewhere, or is set later
    times: Counter[str] = Counter()
    set_in: dict[str, Any] = {}
    for label, block in blocks.items():
        for assigned in block.find_insts(ir.Assign):
            times[assigned.target.name] += 1
            set_in[assigned.target.name] = label
    once = {name for name, count in times.items() if count == 1}
    dominators = compute_cfg_from_blocks(blocks).dominators()
    for label, names in read_in.items():
        for name in names & once:
            first = set_in[name]
            if first >= label or first not in dominators[label]:  # blocks are lowered in the order of their labels
                once.discard(name)
    self._singly_assigned_vars = once
    self._blk_local_varmap = {}
