"""numba's code libraries for whole-program compilation: bitcode of inner kernels, and machine code linked from it."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import cgutils, config
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, _parse_refprune_flags
from numba.core.llvm_bindings import create_pass_builder
from numba.core.runtime import rtsys

from roborally_env.compiling import calls
from roborally_env.compiling.keys import OPAQUE
from roborally_env.compiling.machine import processor, target_machine, travels
from roborally_env.compiling.progress import Progress

if TYPE_CHECKING:
    from roborally_env.compiling.kernels import Kernel

HIDDEN = ".hidden"  # the end of the name of a function that only its own module calls


class _WithoutEnvironment:
    """A codegen that does not set environments: those of inner kernels are set when their entry is loaded."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def set_env(self, name: str, environment: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)


class Inner(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that only compiled code calls: bitcode, neither optimised nor emitted.

    numba's own functions that a kernel needs are linked into it and hidden; kernels that it calls stay external names.
    """

    owner: tuple[Kernel, tuple[Any, ...]] | None = None  # kernel and signature; None: one of numba's own functions

    def __init__(self, codegen: Any, name: str) -> None:
        super(CPUCodeLibrary, self).__init__(codegen, name)
        self._linking_libraries: list[Any] = []
        self._written: list[bytes] = []  # modules as they are lowered
        self._shared_module: Any = None
        self.bitcode = b""
        self.calls: list[tuple[Kernel, tuple[Any, ...]]] = []
        self.others: list[Any] = []  # libraries of plain numba, as its runtime
        self.cacheable = True
        self.attribute = ""
        self.enable_object_caching()

    @property
    def codegen(self) -> Any:
        return _WithoutEnvironment(self._codegen)

    def add_ir_module(self, ir_module: Any) -> None:
        for function in ir_module.functions:
            if function.is_declaration:
                continue
            calls.note(function)
            if self.attribute and function.linkage != OPAQUE:
                function.attributes.add(self.attribute)
        module = llvm.parse_assembly(cgutils.normalize_ir_text(str(ir_module)))
        self.add_llvm_module(module)

    def add_llvm_module(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        self._written.append(module.as_bitcode())

    def get_pointer_to_function(self, name: str) -> int:
        return 0  # there is no machine code

    def finalize(self) -> None:
        self._finalized = True
        module = llvm.parse_bitcode(self._written[0])
        for code in self._written[1:]:
            module.link_in(llvm.parse_bitcode(code))
        own = {f.name for f in module.functions if not f.is_declaration}
        called: dict[Any, None] = {}
        others: dict[Any, None] = {}
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            if not isinstance(library, Inner):
                others[library] = None
            elif library.owner is not None:
                called[library.owner] = None
            else:
                library._ensure_finalized()
                module.link_in(llvm.parse_bitcode(library.bitcode))
                called.update(dict.fromkeys(library.calls))
                others.update(dict.fromkeys(library.others))
        _hide(module, own)
        dynamic = any(v.name.startswith("numba.dynamic.globals") for v in module.global_variables)
        if dynamic:
            self._dynamic_globals.append(self.name)
        self.cacheable = not dynamic and all(library is rtsys.library for library in others)
        self.bitcode, self.calls, self.others = module.as_bitcode(), list(called), list(others)
        self._written = []
        self._linking_libraries = []

    def restore(self, bitcode: bytes, calls: list[Any], with_runtime: bool) -> None:
        """Take the result of an earlier `finalize` from the cache."""
        self.bitcode, self.calls = bitcode, calls
        self.others = [rtsys.library] if with_runtime else []
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """The linked module, for a function compiled by plain numba that calls this kernel."""
        if self._shared_module is None:
            module = llvm.parse_assembly(str(self._codegen._create_empty_module(self.name)))
            self._reload_init.update(link(module, reached_from(self, whole=True).libraries))
            for function in module.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module


def _hide(module: Any, shown: set[str]) -> None:
    """Give every function of a module internal linkage, except the `shown` ones and those that LLVM may not inline."""
    for function in module.functions:
        if not function.is_declaration and not _opaque(function) and function.name not in shown:
            function.linkage = "internal"


def _rename_hidden(module: Any, shown: str) -> None:
    """Give every function of a module but the `shown` one a name that no other module asks for.

    The loader finds what a module asks for by name, among local symbols too. LLVM may have changed the arguments of a
    hidden function, and a kernel with its name may be shown elsewhere: by its own machine code, or by plain numba.
    """
    for function in module.functions:
        if not function.is_declaration and function.name != shown:
            function.name += HIDDEN


def _opaque(function: Any) -> bool:
    """Whether LLVM knows nothing of a function but its attributes."""
    return bool(function.linkage == llvm.Linkage.linkonce_any)


@functools.cache
def _takes_attributes() -> bool:
    """Whether llvmlite adds an attribute to the function; the version for numba 0.63 adds it to the return value."""
    function = llvm.parse_assembly("declare void @probe()").get_function("probe")
    function.add_function_attribute("alwaysinline")
    return any(b"alwaysinline" in attributes for attributes in function.attributes)


class Reached(NamedTuple):
    """What a library calls, directly or not."""

    libraries: list[Any]  # with the library itself
    apart: list[tuple[Kernel, tuple[Any, ...]]]  # kernels, with signatures, that have machine code of their own


def called_from_python(root: Inner) -> Reached:
    """What the code needs by which Python calls a library's kernel. It calls the machine code of a kernel apart."""
    if root.owner is None or not root.owner[0].apart:
        return reached_from(root)
    return Reached([rtsys.library, *(library for library in root.others if library is not rtsys.library)], [root.owner])


def reached_from(root: Inner, whole: bool = False) -> Reached:
    """All that a library reaches, but for what kernels apart reach; `whole`: that too."""
    libraries: dict[Any, None] = {}
    apart: dict[Any, None] = {}
    waiting: list[Any] = [root]
    while waiting:
        library = waiting.pop()
        if library in libraries:
            continue
        libraries[library] = None
        if not isinstance(library, Inner):
            continue
        waiting.extend(library.others)
        for kernel, args in library.calls:
            if kernel.apart and not whole:
                apart[kernel, args] = None
            else:
                waiting.append(kernel.typed_for(args).library)
    return Reached(list(libraries), list(apart))


def link(module: Any, libraries: list[Any]) -> set[Any]:
    """Link libraries into a module; returns what must be initialised when the module is loaded."""
    prepare: set[Any] = set()
    for library in libraries:
        prepare.update(library._reload_init)
        if isinstance(library, Inner):
            module.link_in(llvm.parse_bitcode(library.bitcode))
        else:
            module.link_in(library._get_module_for_linking(), preserve=True)
    return prepare


def emit(optimised: bytes, codegen: Any) -> bytes:
    """Machine code of optimised bitcode, for the processor at hand or the level in `ROBORALLY_CPU`.

    LLVM's vectors are of the processor for which the bitcode was optimised; it divides those that are too long.
    """
    return bytes(target_machine(processor(codegen)).emit_object(llvm.parse_bitcode(optimised)))


class Linked(JITCodeLibrary):  # type: ignore[misc]
    """Machine code: of a kernel that Python calls, or of a kernel apart, with all that it reaches."""

    prepare: set[Any]
    code: bytes
    optimised: bytes = b""  # bitcode, of code that travels
    environments: list[Any]  # whose addresses the code has; numba does not keep them

    def add_ir_module(self, ir_module: Any) -> None:
        self._final_module.link_in(llvm.parse_assembly(cgutils.normalize_ir_text(str(ir_module))))

    def make(self, libraries: list[Any], shown: str, progress: Progress) -> None:
        """Link, optimise and emit; `shown` is the symbol by which the code is called."""
        progress.stage("linking")
        self.prepare = link(self._final_module, libraries)
        _hide(self._final_module, {shown})
        progress.stage("optimising")
        machine = target_machine(processor(self._codegen))
        self._optimize(machine)
        _rename_hidden(self._final_module, shown)
        self._final_module.verify()
        if travels(self._codegen):
            self.optimised = self._final_module.as_bitcode()
        progress.stage("emitting")
        self.load(machine.emit_object(self._final_module))

    def _optimize(self, machine: Any) -> None:
        """Run LLVM's passes once. numba's two runs, the second at level 3, take half as long again for equal speed."""
        builder = create_pass_builder(machine, opt=2, loop_vectorize=True, slp_vectorize=False)
        passes = builder.getModulePassManager()
        if config.LLVM_REFPRUNE_PASS:
            passes.add_refprune_pass(_parse_refprune_flags())
        passes.run(self._final_module, builder)
        self._inline_opaque(builder)

    def _inline_opaque(self, builder: Any) -> None:
        """Inline the opaque functions, except those of a cold path, so that values for that path are computed there."""
        opaque = [function for function in self._final_module.functions if _opaque(function)]
        if not _takes_attributes():
            return  # calls that are not inlined are only slower
        for function in opaque:
            function.linkage = "internal"
            if not any(b"noinline" in attributes for attributes in function.attributes):
                function.add_function_attribute("alwaysinline")
        if opaque:
            passes = llvm.create_new_module_pass_manager()
            passes.add_always_inliner_pass()
            passes.add_global_dead_code_eliminate_pass()
            passes.add_instruction_combine_pass()
            passes.add_simplify_cfg_pass()
            passes.add_sinking_pass()
            passes.add_simplify_cfg_pass()
            passes.run(self._final_module, builder)

    def load(self, code: bytes) -> None:
        """Load machine code."""
        self.code = code
        self.enable_object_caching()
        self._set_compiled_object(code)
        self._finalize_final_module()

    def hold(self, environments: list[Any]) -> None:
        """Write the addresses of environments into the loaded code, and keep them as long as it."""
        self.environments = environments
        for each in environments:
            self.codegen.set_env(each.env_name, each)

    def get_pointer_to_function(self, name: str) -> int:
        return int(self._codegen._engine.get_function_address(name))
