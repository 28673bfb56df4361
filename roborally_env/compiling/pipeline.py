"""The passes by which numba types and lowers a kernel, without those that find nothing in it."""

from __future__ import annotations

from typing import Any

from numba.core import errors
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, _pass_registry
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import AnnotateTypes, DumpParforDiagnostics, NopythonRewrites
from numba.core.untyped_passes import WithLifting

_NEVER = {WithLifting, AnnotateTypes, DumpParforDiagnostics}  # they are for object mode, for people, and for parfors
_FOR_ARRAYS = {NopythonRewrites}  # it makes loops of expressions whose result is an array, which has to be counted


class Passes(PassManager):  # type: ignore[misc]
    """Runs passes one after the other, with no events for listeners and no timing of each."""

    def run(self, state: Any) -> None:
        for kind, description in self.passes:
            one = _pass_registry.get(kind).pass_inst
            one.analysis = self._analysis
            try:
                one.run_initialization(state)
                one.run_pass(state)
                one.run_finalizer(state)
            except errors.NumbaError as error:
                where = f"Failed in {self.pipeline_name} mode pipeline (step: {description})"
                raise self._patch_error(where, error) from None


_pipelines: dict[bool, Any] = {}


def passes_for(state: Any, counted: bool) -> Any:
    """The passes for a kernel; `counted`: whether references to arrays are counted, as where arrays are made."""
    if counted not in _pipelines:
        without = _NEVER if counted else _NEVER | _FOR_ARRAYS
        made = Passes("nopython")
        default = DefaultPassBuilder.define_nopython_pipeline(state)
        made.passes.extend(each for each in default.passes if each[0] not in without)
        made.finalize()
        _pipelines[counted] = made
    return _pipelines[counted]


_post_processed = PostProcessor.run


def post_process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """What numba does after each of ten passes, without the variables at the start of each block, which only
    generators and object mode ask for; the lifetimes of variables are found when they are asked for."""
    function = self.func_ir
    if function.is_generator:
        _post_processed(self, emit_dels, extend_lifetimes)
        return
    function.blocks = canonicalize_cfg(function.blocks)
    function.variable_lifetime = VariableLifetime(function.blocks)
    function.generator_info = None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)
