"""Whole-program compilation: a kernel that Python calls is optimised and emitted once, together with all that it calls.

numba makes a library of every function. It optimises and emits each library, links it into each caller, and optimises
and emits the caller again. A game is a tree of hundreds of small kernels, of which Python calls a few. Here a kernel
that other kernels call is only typed and lowered to bitcode (`Inner`). An entry links the bitcode of all that it
reaches into one module, hides every symbol but its own, and is optimised and emitted as a whole (`Linked`). The next
entry uses the same bitcode again, in this process or from the cache. What many entries contain, as a whole round, is
a kernel apart: it is optimised and emitted once, and entries call its machine code.

No index counts from the end of an array. numba compares every signed index with 0 to find those that do, which is a
tenth of a game's time and keeps loops from being vectorised. With `NUMBA_BOUNDSCHECK=1` a negative index is an error.

This uses numba's internals, which docs/numba.md lists. It is known to work with the versions in `keys.KNOWN`. With any
other version kernels are compiled by plain numba, which gives the same results and takes longer.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
from typing import Any

from numba import types
from numba.core import compiler, registry, serialize, sigutils, typing
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.imputils import lower_constant
from numba.core.runtime import rtsys
from numba.extending import models, register_model

from roborally_env.compiling import cache
from roborally_env.compiling.arrays import COUNTING_NEEDED, holds_arrays, may_make_arrays
from roborally_env.compiling.calls import NEVER_FAIL, user_function
from roborally_env.compiling.fingerprint import name_of, reach_of
from roborally_env.compiling.garbage import rare_collections
from roborally_env.compiling.hooks import record_fields
from roborally_env.compiling.keys import OPTIONS, code_keys, kept_under, key_of, made, optimised_key, wide
from roborally_env.compiling.libraries import Inner, Linked, Reached, called_from_python, emit, reached_from
from roborally_env.compiling.patches import KERNEL_SYMBOLS, compiling_kernels
from roborally_env.compiling.pipeline import passes_for
from roborally_env.compiling.progress import Progress

CALLS = 2  # where the kernels apart that a kernel calls stand in what is known of its code


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

    def define_pipelines(self) -> list[Any]:
        if self.state.func_ir is not None:  # an expression of arrays, which numba compiles on its own
            return list(super().define_pipelines())
        return [passes_for(self.state, self.state.flags.nrt)]

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
            KERNEL_SYMBOLS.add(symbol)
        return symbol


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
        apart: bool = False,
    ) -> None:
        super().__init__(py_func, locals or {}, dict(targetoptions or OPTIONS), pipeline_class)
        self.attribute = attribute  # an LLVM attribute of the function
        self.apart = apart  # whether entries call its machine code, in place of containing it
        self._type = KernelType(self)
        self.typingctx._remove_global(self)
        self.typingctx.insert_global(self, self._type)
        self._typed: dict[tuple[Any, ...], Any] = {}
        self._apart: dict[tuple[Any, ...], Any] = {}  # its machine code in this process, of a kernel apart

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
                name = key_of(self, args, "inner")
                result = self._load_inner(name)
                loaded = result is not None
                if not loaded:
                    with cache.locked(name):
                        result = self._load_inner(name) or self._make_inner(args, name)
                self._typed[args] = result
                called = user_function(result.fndesc, [result.library])
                self.targetctx.insert_func_defn([(called, result.entry_point, called.signature)])
                Progress.count(self, loaded)
                if self.apart:
                    self._found_apart(args)
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
            never_fails = fndesc.llvm_func_name in NEVER_FAIL
            cache.save(name, serialize.dumps((*kept, result.environment, never_fails)))
        return result

    def _lowered(self, args: tuple[Any, ...], counted: bool) -> Any:
        """The function typed and lowered, with or without reference counting of arrays.

        Most kernels make no arrays, get none from kernels that they call, and return none. Without counting the code is
        shorter, and LLVM optimises it better. Returns None if the function needs counting.
        """
        self._compiler.targetoptions = {**self.targetoptions, "_nrt": counted}
        with compiling_kernels(self.targetctx):
            if counted:
                return self._compiler.compile(args, None)
            if may_make_arrays(self.py_func):
                return None
            try:
                result = self._compiler.compile(args, None)
            except Exception as error:
                if any(reason in str(error) for reason in COUNTING_NEEDED):
                    self._compiler._failed_cache.clear()
                    return None
                raise
        result.library._ensure_finalized()
        handed = [result.signature, *(kernel.typed_for(of).signature for kernel, of in result.library.calls)]
        return None if any(holds_arrays(signature.return_type) for signature in handed) else result

    def _load_inner(self, name: str) -> Any:
        kept = kept_under(name)
        if kept is None:
            return None
        bitcode, calls, with_runtime, prepare, fndesc, signature, environment, never_fails = kept
        if never_fails:
            NEVER_FAIL.add(fndesc.llvm_func_name)
        kernels = reach_of(self, record_fields(signature.args)).kernels
        library = Inner(self.targetctx.codegen(), self.py_func.__name__)
        library.owner = (self, signature.args)
        library._reload_init.update(prepare)
        library.restore(bitcode, [(kernels[callee], of) for callee, of in calls], with_runtime)
        return self._result(library, _Handle(), fndesc, signature, environment)

    def is_typed(self, fields: frozenset[str]) -> bool:
        """Whether this process has the inner code for records with some of these fields; `fields` as in `reach_of`."""
        return any(record_fields(args) <= fields for args in self._typed)

    def has_code(self, fields: frozenset[str]) -> bool:
        """Whether this process has machine code of a kernel apart, for such records."""
        return any(record_fields(args) <= fields for args in self._apart)

    # -- called from the machine code of entries

    def machine_code(self, args: tuple[Any, ...]) -> None:
        """Load the machine code of a kernel apart into this process, from the cache or made now."""
        with global_compiler_lock:
            if self._found_apart(args):
                return
            name = key_of(self, args, "apart")
            with contextlib.ExitStack() as stack:
                progress = Progress.of_entry() or stack.enter_context(Progress(self, args, name))
                stack.enter_context(cache.locked(name, progress.show_again))
                if not self._found_apart(args) and not self._emit_apart(args, name, progress):
                    self._make_apart(args, name, progress)

    def _found_apart(self, args: tuple[Any, ...]) -> bool:
        """Load the machine code, if it is there; the progress of the entry then leaves out what it consists of."""
        found = self._load_apart(args)
        if found:
            Progress.leave_out(reach_of(self, record_fields(args)).kernels.values())
        return found

    def _load_apart(self, args: tuple[Any, ...]) -> bool:
        """Whether the machine code is in this process, or in the cache, from where it is loaded."""
        if args in self._apart:
            return True
        kept = next(filter(None, map(kept_under, code_keys(self, args, "apart"))), None)
        if kept is None:
            return False
        self._use_apart(args, *kept)
        return True

    def _use_apart(self, args: tuple[Any, ...], code: bytes, about: bytes) -> None:
        prepare, environments, calls = pickle.loads(about)
        self._prepare_calls(args, calls)
        self._apart[args] = self._loaded(code, prepare, environments)

    def _prepare_calls(self, args: tuple[Any, ...], calls: list[Any]) -> None:
        """Load or make the machine code of the kernels apart that the kernel calls."""
        kernels = reach_of(self, record_fields(args)).kernels
        for callee, of in calls:
            kernels[callee].machine_code(of)

    def _emit_apart(self, args: tuple[Any, ...], name: str, progress: Progress) -> bool:
        """Make the machine code from optimised bitcode; whether there is any."""
        emitted = self._emitted(args, "apart", name, progress)
        if emitted is not None:
            self._use_apart(args, *emitted)
        return emitted is not None

    def _emitted(self, args: tuple[Any, ...], what: str, name: str, progress: Progress) -> Any:
        """What is kept under `name`: machine code, here of optimised bitcode, and what is known of it; None if there is
        no such bitcode."""
        kept = kept_under(optimised_key(self, args, what))
        if kept is None:
            return None
        optimised, about = kept
        self._prepare_calls(args, pickle.loads(about)[CALLS])
        progress.begin_code([self], last=what == "entry")
        progress.stage("emitting")
        code = emit(optimised, self._context().codegen())
        made.append(name)
        self._keep(name, code, about)
        return code, about

    @staticmethod
    def _keep(name: str, code: bytes, about: bytes) -> None:
        cache.save(name, pickle.dumps((code, about)))

    def _keep_made(self, args: tuple[Any, ...], what: str, name: str, library: Linked, about: tuple[Any, ...]) -> None:
        """Keep code that was made, and its optimised bitcode if it travels."""
        if library.has_dynamic_globals:
            return
        known = serialize.dumps(about)
        self._keep(name, library.code, known)
        if library.optimised:
            self._keep(optimised_key(self, args, what), library.optimised, known)

    def _make_apart(self, args: tuple[Any, ...], name: str, progress: Progress) -> None:
        inner = self.typed_for(args)
        made.append(name)
        library, *kept = self._linked(reached_from(inner.library), inner.fndesc.llvm_func_name, progress)
        self._keep_made(args, "apart", name, library, (*kept,))
        self._apart[args] = library

    def _linked(self, reached: Reached, shown: str, progress: Progress, wrapper: Any = None) -> Any:
        """The machine code of a kernel with all that it reaches, loaded; and what has to be kept beside the code: what
        prepares it, its environments, and the kernels apart that it calls.

        Args:
            reached: what it consists of, typed and lowered, and the kernels apart that it calls.
            shown: the symbol by which it is called.
            progress: of the entry.
            wrapper: called with the library before it is linked, adds the code that Python calls.
        """
        for kernel, of in reached.apart:
            kernel.machine_code(of)
        library = Linked(self._context().codegen(), self.py_func.__name__)
        if wrapper is not None:
            wrapper(library)
        kernels = [each.owner[0] for each in reached.libraries if isinstance(each, Inner) and each.owner]
        progress.begin_code(kernels, last=wrapper is not None)
        library.make(reached.libraries, shown, progress)
        environments = [
            environment
            for variable in library._final_module.global_variables
            if variable.name.startswith("_ZN08NumbaEnv")
            and (environment := lookup_environment(variable.name)) is not None
        ]
        library.hold(environments)
        known = [environment for environment in environments if environment.can_cache()]
        calls = [(name_of(kernel.py_func), of) for kernel, of in reached.apart]
        return library, list(library.prepare), known, calls

    def _loaded(self, code: bytes, prepare: list[Any], environments: list[Any]) -> Linked:
        """Machine code from the cache, in this process."""
        for function in prepare:
            function()
        library = Linked(self.targetctx.codegen(), self.py_func.__name__)
        library.load(code)
        library.hold(environments)
        return library

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
                name, *others = code_keys(self, args, "entry")
                result = self._load_entry(name) or next(filter(None, map(self._load_entry, others)), None)
                if result is None:
                    with Progress(self, args, name) as progress, cache.locked(name, progress.wait), rare_collections():
                        result = self._load_entry(name) or self._emit_entry(args, name, progress)
                        result = result or self._make_entry(args, name, progress)
                    cache.tidy_sometimes()
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

        def wrapper(library: Linked) -> None:
            context.create_cpython_wrapper(library, inner.fndesc, inner.environment, None, release_gil=True)

        made.append(name)
        reached = called_from_python(inner.library)
        library, *kept = self._linked(reached, inner.fndesc.llvm_cpython_wrapper_name, progress, wrapper)
        fndesc = inner.fndesc
        fndesc.typemap = fndesc.calltypes = None
        constants = list(inner.environment.consts)
        self._keep_made(args, "entry", name, library, (*kept, fndesc, inner.signature, inner.environment, constants))
        entry_point = context.get_executable(library, fndesc, inner.environment)
        return self._result(library, entry_point, fndesc, inner.signature, inner.environment)

    def _load_entry(self, name: str) -> Any:
        kept = kept_under(name)
        return None if kept is None else self._use_entry(*kept)

    def _emit_entry(self, args: tuple[Any, ...], name: str, progress: Progress) -> Any:
        emitted = self._emitted(args, "entry", name, progress)
        return None if emitted is None else self._use_entry(*emitted)

    def _use_entry(self, code: bytes, about: bytes) -> Any:
        prepare, environments, calls, fndesc, signature, environment, constants = pickle.loads(about)
        self._prepare_calls(signature.args, calls)
        if len(environment.consts) < len(constants):  # else another entry that calls this kernel has filled it
            environment.consts[:] = constants
        library = self._loaded(code, prepare, environments)
        entry_point = self.targetctx.get_executable(library, fndesc, environment)
        result = self._result(library, entry_point, fndesc, signature, environment)
        return result._replace(referenced_envs=environments)
