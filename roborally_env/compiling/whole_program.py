"""Whole-program compilation: a kernel that Python calls is optimised and emitted once, together with all that it calls.

numba makes a library of every function. It optimises and emits each library, links it into each caller, and optimises
and emits the caller again. A game is a tree of hundreds of small kernels, of which Python calls a few. Here a kernel
that other kernels call is only typed and lowered to bitcode (`Inner`). An entry links the bitcode of all that it
reaches into one module, hides every symbol but its own, and is optimised and emitted as a whole (`Entry`). The next
entry uses the same bitcode again, in this process or from the cache.

No index counts from the end of an array. numba compares every signed index with 0 to find those that do, which is a
tenth of a game's time and keeps loops from being vectorised. With `NUMBA_BOUNDSCHECK=1` a negative index is an error.

This uses numba's internals: `CPUCodeLibrary`, `Dispatcher`, `create_library`, `fix_integer_index`. It is known
to work with the versions in `KNOWN`. With any other version `kernel` uses plain numba, which gives the same results and
compiles longer.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import hashlib
import os
import pickle
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba import types
from numba.core import caching, cgutils, compiler, config, registry, serialize, sigutils, typing
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary, _parse_refprune_flags
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.imputils import lower_constant
from numba.core.llvm_bindings import create_pass_builder
from numba.core.runtime import rtsys
from numba.extending import models, register_model
from numba.np import arrayobj

from roborally_env.base.types import NamedValues
from roborally_env.compiling import cache
from roborally_env.compiling.fingerprint import name_of, reach_of
from roborally_env.compiling.hooks import record_fields
from roborally_env.compiling.machine import processor, target_machine
from roborally_env.compiling.progress import Progress

KNOWN = ((0, 63), (0, 68))  # first and last version of numba, both included
FORMAT = 5  # raised with each change of the cached data, or of how code is made
OPTIONS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": None,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


made: list[str] = []  # names of what this process has compiled, in order
loaded: list[str] = []  # names of what this process has loaded from the cache


def options(inline: bool) -> NamedValues:
    """numba's options of a kernel."""
    return {**OPTIONS, "inline": "always" if inline else "never"}


_version = tuple(int(part) for part in numba.__version__.split(".")[:2])
_known = KNOWN[0] <= _version <= KNOWN[1]
WHOLE = _known and os.environ.get("ROBORALLY_COMPILE") != "plain"
_UNKNOWN = "numba {} is not a version from {}.{} to {}.{}: compiling takes about three times as long"


def wide(kind: Any) -> Any:
    """The type for which a kernel is compiled when a kernel calls it: one type for all whole numbers.

    numba would compile it anew for each mix of int8, int64, uint8 and each constant: three times the code.
    """
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind != types.uint64 else kind


def _system(codegen: Any, what: str) -> str:
    """All that code depends on besides the sources: versions, numba's settings, and for machine code the processor."""
    settings = (int(config.OPT), config.LOOP_VECTORIZE, config.SLP_VECTORIZE, config.BOUNDSCHECK, config.USING_SVML)
    versions = (numba.__version__, llvmlite.__version__, np.__version__.partition(".")[0], sys.version_info[:2])
    triple = codegen.magic_tuple()[0]
    made_for = {"inner": "any", "entry": processor(codegen), "plain": codegen.magic_tuple()}[what]
    return repr((FORMAT, WHOLE, versions, triple, tuple(made_for), settings))


def _key(kernel: Any, args: tuple[Any, ...], what: str) -> str:
    """The name of a kernel's file: a readable part, then a hash of all that the machine code depends on."""
    reach = reach_of(kernel, record_fields(args))
    system = _system(kernel.targetctx.codegen(), what)
    text = "\n".join([what, reach.digest, *map(str, args), *_classes(args), system])
    return f"{what}-{kernel.py_func.__name__}-{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def _classes(kinds: Iterable[Any]) -> Iterator[str]:
    """The classes of named tuples among numba types, also nested ones: numba's type names leave their modules out."""
    for kind in kinds:
        if isinstance(kind, types.BaseTuple):
            of = getattr(kind, "instance_class", tuple)
            yield f"{of.__module__}.{of.__qualname__} {getattr(kind, 'fields', '')}"
            yield from _classes(kind.types)


def _kept(name: str) -> Any:
    """The object that the cache has under a name, or None."""
    data = cache.load(name)
    if data is None:
        return None
    loaded.append(name)
    return pickle.loads(data)


# -- inner kernels

OPAQUE = "linkonce"  # linkage that keeps LLVM from inlining: the linker may replace the function


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
            if self.attribute and not function.is_declaration and function.linkage != OPAQUE:
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
        calls: dict[Any, None] = {}
        others: dict[Any, None] = {}
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            if not isinstance(library, Inner):
                others[library] = None
            elif library.owner is not None:
                calls[library.owner] = None
            else:
                library._ensure_finalized()
                module.link_in(llvm.parse_bitcode(library.bitcode))
                calls.update(dict.fromkeys(library.calls))
                others.update(dict.fromkeys(library.others))
        _hide(module, own)
        dynamic = any(v.name.startswith("numba.dynamic.globals") for v in module.global_variables)
        if dynamic:
            self._dynamic_globals.append(self.name)
        self.cacheable = not dynamic and all(library is rtsys.library for library in others)
        self.bitcode, self.calls, self.others = module.as_bitcode(), list(calls), list(others)
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
            self._reload_init.update(link_reached(module, [self]))
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


def _opaque(function: Any) -> bool:
    """Whether LLVM knows nothing of a function but its attributes."""
    return bool(function.linkage == llvm.Linkage.linkonce_any)


@functools.cache
def _takes_attributes() -> bool:
    """Whether llvmlite adds an attribute to the function; the version for numba 0.63 adds it to the return value."""
    function = llvm.parse_assembly("declare void @probe()").get_function("probe")
    function.add_function_attribute("alwaysinline")
    return any(b"alwaysinline" in attributes for attributes in function.attributes)


def link_reached(module: Any, roots: list[Any]) -> set[Any]:
    """Link into a module all that the `roots` reach; returns what must be initialised when the module is loaded."""
    seen: set[Any] = set()
    prepare: set[Any] = set()
    waiting = list(roots)
    while waiting:
        library = waiting.pop()
        if library in seen:
            continue
        seen.add(library)
        prepare.update(library._reload_init)
        if isinstance(library, Inner):
            waiting.extend(library.others)
            waiting.extend(kernel.typed_for(args).library for kernel, args in library.calls)
            module.link_in(llvm.parse_bitcode(library.bitcode))
        else:
            module.link_in(library._get_module_for_linking(), preserve=True)
    return prepare


@contextlib.contextmanager
def _as_inner(context: Any) -> Iterator[None]:
    """Compile everything in this context as inner code, also numba's own functions, but not numba's runtime."""
    rtsys.initialize(context)  # also where a function of plain numba calls a kernel
    codegen = context.codegen()
    before = codegen.__dict__.get("_library_class")
    codegen._library_class = Inner
    try:
        yield
    finally:
        if before is None:
            del codegen.__dict__["_library_class"]
        else:
            codegen._library_class = before


_symbols: set[str] = set()  # of the kernels that this process has lowered
_from_either_end = arrayobj.fix_integer_index


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index as a word. In a kernel it is from 0 on; elsewhere a negative one counts from the end."""
    if builder.function.name not in _symbols:
        return _from_either_end(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)


if WHOLE:
    arrayobj.fix_integer_index = _index


class KernelCompiler(compiler.Compiler):  # type: ignore[misc]
    """numba's compiler with short symbols; the symbol of a kernel is the same in every process."""

    code = ""  # the name of the kernel's file
    function: Any = None
    attribute = ""  # an LLVM attribute of the function

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.state.targetctx.mangler = self._symbol
        if self.attribute:  # before lowering, which is when the library gets the function
            self.state.library = self.state.targetctx.codegen().create_library(name_of(self.function))
            self.state.library.attribute = self.attribute

    def _symbol(self, name: str, args: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
        """A short symbol: numba's own spells out the whole layout of each record. Only helper functions, which are
        hidden in the kernel's module, have a `uid`, a number of this process."""
        space, plain = ("_ZN08NumbaEnv", name.removeprefix(".NumbaEnv."))
        if plain == name:
            space = "_ZN"
        own = plain == name_of(self.function)
        text = self.code if own else repr((plain, [str(a) for a in args], tuple(abi_tags), uid))
        digest = hashlib.sha256(text.encode()).hexdigest()[:24]
        symbol = f"{space}{''.join(c if c.isalnum() else '_' for c in plain.rpartition('.')[2])}_{digest}"
        if own:
            _symbols.add(symbol)
        return symbol


# -- entries


class Entry(JITCodeLibrary):  # type: ignore[misc]
    """The machine code of a kernel that Python calls, with all that it reaches."""

    prepare: set[Any]
    code: bytes

    def add_ir_module(self, ir_module: Any) -> None:
        self._final_module.link_in(llvm.parse_assembly(cgutils.normalize_ir_text(str(ir_module))))

    def make(self, inner: Inner, shown: str, progress: Progress) -> None:
        """Link, optimise and emit."""
        progress.stage("linking")
        self.prepare = link_reached(self._final_module, [inner])
        _hide(self._final_module, {shown})
        progress.stage("optimising")
        machine = target_machine(processor(self._codegen))
        self._optimize(machine)
        self._final_module.verify()
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

    def get_pointer_to_function(self, name: str) -> int:
        return int(self._codegen._engine.get_function_address(name))


# numba's errors for code that needs reference counting: an array is copied, or a part of one is returned
_COUNTING_NEEDED = ("NRT required", "Only accept returning of array passed into the function as argument")
# names of NumPy that a kernel may use without making an array
SCALARS = frozenset((
    "bool_", "int8", "int16", "int32", "int64", "intp", "uint8", "uint16", "uint32", "uint64", "float32", "float64",
    "inf", "nan", "pi", "exp", "log", "sqrt", "tanh", "floor",
))  # fmt: skip
ARRAY_METHODS = frozenset(name for name in dir(np.ndarray) if not name.startswith("_")) - {
    "shape",
    "size",
    "ctypes",
    "data",
    "flags",
}


def may_make_arrays(function: Any) -> bool:
    """Whether a function may make an array, by the attributes in it: NumPy's functions, and methods of arrays."""
    of_numpy: set[str] = set()
    of_others: set[str] = set()
    before = None
    for instruction in dis.get_instructions(function):
        if instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            from_numpy = before is not None and before.opname == "LOAD_GLOBAL" and before.argval == "np"
            (of_numpy if from_numpy else of_others).add(instruction.argval)
        before = instruction
    return bool(of_numpy - SCALARS or of_others & ARRAY_METHODS)


def holds_arrays(kind: Any) -> bool:
    """Whether values of a type refer to memory that may have to be freed."""
    if isinstance(kind, types.BaseTuple):
        return any(map(holds_arrays, kind.types))
    return not isinstance(kind, (types.Number, types.Boolean, types.NoneType, types.Record))


class KernelType(types.Dispatcher):  # type: ignore[misc]
    """numba's type of a kernel. A kernel is not a value in the code of another kernel: numba would write an address of
    this process into the code, which the cache could not keep."""


register_model(KernelType)(models.OpaqueModel)


@lower_constant(KernelType)  # type: ignore[untyped-decorator]
def _no_value(context: Any, builder: Any, kind: Any, value: object) -> Any:
    return context.get_dummy_value()


class _Handle:
    """The object by which numba identifies an inner kernel's overload."""


class Kernel(registry.CPUDispatcher):  # type: ignore[misc]
    """A compiled function of the project: an entry for calls from Python, inner code for calls from kernels."""

    def __init__(
        self,
        py_func: Any,
        locals: Any = None,
        targetoptions: Any = None,
        pipeline_class: Any = KernelCompiler,
        attribute: str = "",
    ) -> None:
        super().__init__(py_func, locals or {}, dict(targetoptions or OPTIONS), pipeline_class)
        self.attribute = attribute  # an LLVM attribute of the function
        self._type = KernelType(self)
        self.typingctx._remove_global(self)
        self.typingctx.insert_global(self, self._type)
        self._typed: dict[tuple[Any, ...], Any] = {}

    @property
    def _numba_type_(self) -> Any:
        return self._type

    # -- called from kernels

    def get_call_template(self, args: Any, kws: Any) -> Any:
        pysig, folded = self._compiler.fold_argument_types(
            tuple(wide(a) for a in args), {name: wide(a) for name, a in kws.items()}
        )
        signature = self.typed_for(tuple(folded)).signature
        template = typing.make_concrete_template(
            f"CallTemplate({self.py_func.__name__})", key=self.py_func.__name__, signatures=[signature]
        )
        return template, pysig, folded, {}

    def get_overload(self, sig: Any) -> Any:
        args, _ = sigutils.normalize_signature(sig)
        return self._typed[tuple(args)].entry_point

    @property
    def nopython_signatures(self) -> list[Any]:
        return [result.signature for result in self._typed.values()]

    def typed_for(self, args: tuple[Any, ...]) -> Any:
        """The inner code for a signature: from this process, from the cache, or typed and lowered now."""
        with global_compiler_lock:
            if args not in self._typed:
                name = _key(self, args, "inner")
                result = self._load_inner(name)
                if result is None:
                    with cache.locked(name):
                        result = self._load_inner(name) or self._make_inner(args, name)
                self._typed[args] = result
                self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
                Progress.count(self)
            return self._typed[args]

    def _make_inner(self, args: tuple[Any, ...], name: str) -> Any:
        self._compiler.pipeline_class = type(
            "KernelCompiler",
            (KernelCompiler,),
            {"code": name, "function": self.py_func, "attribute": self.attribute},
        )
        result = self._lowered(args, counted=False) or self._lowered(args, counted=True)
        library = result.library
        library.owner = (self, args)
        library._ensure_finalized()
        made.append(name)
        known = reach_of(self, record_fields(args)).kernels
        for kernel, _ in library.calls:
            if name_of(kernel.py_func) not in known:  # the cache would not notice edits in it
                raise RuntimeError(
                    f"{name_of(self.py_func)} reaches {name_of(kernel.py_func)} unseen by its fingerprint"
                )
        result = result._replace(entry_point=_Handle())
        if library.cacheable:
            fndesc = result.fndesc
            fndesc.typemap = fndesc.calltypes = None
            calls = [(name_of(kernel.py_func), of) for kernel, of in library.calls]
            kept = (library.bitcode, calls, bool(library.others), list(library._reload_init), fndesc, result.signature)
            cache.save(name, serialize.dumps((*kept, result.environment)))
        return result

    def _lowered(self, args: tuple[Any, ...], counted: bool) -> Any:
        """The function typed and lowered, with or without reference counting of arrays.

        Most kernels make no arrays, get none from kernels that they call, and return none. Without counting the code is
        shorter, and LLVM optimises it better. Returns None if the function needs counting.
        """
        self._compiler.targetoptions = {**self.targetoptions, "_nrt": counted}
        with _as_inner(self.targetctx):
            if counted:
                return self._compiler.compile(args, None)
            if may_make_arrays(self.py_func):
                return None
            try:
                result = self._compiler.compile(args, None)
            except Exception as error:
                if any(reason in str(error) for reason in _COUNTING_NEEDED):
                    self._compiler._failed_cache.clear()
                    return None
                raise
        result.library._ensure_finalized()
        handed = [result.signature, *(kernel.typed_for(of).signature for kernel, of in result.library.calls)]
        return None if any(holds_arrays(signature.return_type) for signature in handed) else result

    def _load_inner(self, name: str) -> Any:
        kept = _kept(name)
        if kept is None:
            return None
        bitcode, calls, with_runtime, prepare, fndesc, signature, environment = kept
        kernels = reach_of(self, record_fields(signature.args)).kernels
        library = Inner(self.targetctx.codegen(), self.py_func.__name__)
        library.owner = (self, signature.args)
        library._reload_init.update(prepare)
        library.restore(bitcode, [(kernels[callee], of) for callee, of in calls], with_runtime)
        return self._result(library, _Handle(), fndesc, signature, environment)

    def _result(self, library: Any, entry_point: Any, fndesc: Any, signature: Any, environment: Any) -> Any:
        return compiler.compile_result(
            typing_context=self.typingctx,
            target_context=self.targetctx,
            type_annotation="",
            library=library,
            entry_point=entry_point,
            fndesc=fndesc,
            signature=signature,
            environment=environment,
            objectmode=False,
            lifted=(),
            reload_init=[],
        )

    # -- called from Python

    def compile(self, sig: Any) -> Any:
        """The machine code for a signature: from this process, from the cache, or compiled now."""
        args = tuple(sigutils.normalize_signature(sig)[0])
        with global_compiler_lock:  # if several threads make the first call, one compiles
            if args not in self.overloads:
                rtsys.initialize(self.targetctx)
                name = _key(self, args, "entry")
                result = self._load_entry(name)
                if result is None:
                    with Progress(self, args) as progress, cache.locked(name, progress.wait):
                        result = self._load_entry(name) or self._make_entry(args, name, progress)
                    cache.tidy()
                self.add_overload(result)
            return self.overloads[args].entry_point

    def _context(self) -> Any:
        flags = compiler.Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        return compiler._make_subtarget(self.targetctx, flags)

    def _make_entry(self, args: tuple[Any, ...], name: str, progress: Progress) -> Any:
        self.typingctx.refresh()
        self.targetctx.refresh()  # needed if all inner code came from the cache and nothing was compiled yet
        inner = self.typed_for(args)
        context = self._context()
        library = Entry(context.codegen(), self.py_func.__name__)
        context.create_cpython_wrapper(library, inner.fndesc, inner.environment, None, release_gil=True)
        made.append(name)
        library.make(inner.library, inner.fndesc.llvm_cpython_wrapper_name, progress)
        environments = [
            environment
            for variable in library._final_module.global_variables
            if variable.name.startswith("_ZN08NumbaEnv")
            and (environment := lookup_environment(variable.name)) is not None
        ]
        for environment in environments:
            library.codegen.set_env(environment.env_name, environment)
        fndesc = inner.fndesc
        fndesc.typemap = fndesc.calltypes = None
        if not library.has_dynamic_globals:
            known = [environment for environment in environments if environment.can_cache()]
            kept = (library.code, list(library.prepare), known, fndesc, inner.signature)
            constants = list(inner.environment.consts)
            cache.save(name, serialize.dumps((*kept, inner.environment, constants)))
        entry_point = context.get_executable(library, fndesc, inner.environment)
        return self._result(library, entry_point, fndesc, inner.signature, inner.environment)

    def _load_entry(self, name: str) -> Any:
        kept = _kept(name)
        if kept is None:
            return None
        code, prepare, environments, fndesc, signature, environment, constants = kept
        if len(environment.consts) < len(constants):  # else another entry that calls this kernel has filled it
            environment.consts[:] = constants
        for function in prepare:
            function()
        library = Entry(self.targetctx.codegen(), self.py_func.__name__)
        library.load(code)
        for one in environments:
            library.codegen.set_env(one.env_name, one)
        entry_point = self.targetctx.get_executable(library, fndesc, environment)
        result = self._result(library, entry_point, fndesc, signature, environment)
        return result._replace(referenced_envs=environments)


# -- plain numba


class PlainCache(caching._Cache):  # type: ignore[misc]
    """The cache of a kernel that plain numba compiles: the same folder, the same names."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel

    @property
    def cache_path(self) -> str:
        return str(cache.folder())

    def _name(self, sig: Any) -> str:
        return _key(self._kernel, tuple(sigutils.normalize_signature(sig)[0]), "plain")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        data = cache.load(self._name(sig))
        return None if data is None else compiler.CompileResult._rebuild(target_context, *pickle.loads(data))

    def save_overload(self, sig: Any, data: Any) -> None:
        if not _known:
            cache.say_once(_UNKNOWN.format(numba.__version__, *KNOWN[0], *KNOWN[1]))
        if not data.library.has_dynamic_globals:
            cache.save(self._name(sig), serialize.dumps(data._reduce()))

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        pass


def plain_kernel(function: Any, inline: bool = False) -> Any:
    """A kernel compiled by plain numba."""
    kernel = numba.njit(function, nogil=True, error_model="numpy", inline="always" if inline else "never")
    if inline:
        return kernel
    kernel._cache = PlainCache(kernel)
    template = kernel.get_call_template
    kernel.get_call_template = lambda args, kws: template(
        [wide(a) for a in args], {name: wide(a) for name, a in kws.items()}
    )
    return kernel


if hasattr(os, "register_at_fork"):
    # A fork waits until no other thread compiles: the child would have the lock of a thread that it does not have.
    os.register_at_fork(
        before=global_compiler_lock.acquire,
        after_in_parent=global_compiler_lock.release,
        after_in_child=global_compiler_lock.release,
    )
