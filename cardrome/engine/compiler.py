"""How kernels become machine code: the one place that knows Numba.

Left alone, Numba optimises every function by itself and makes machine code of it. Only whole entries are wanted here,
as files, so kernels are compiled for a target of their own (`numba.core.target_extension`): their code is collected,
linked, and optimised once, as part of the entry. Nothing of Numba is patched, and a program's own ``@njit`` functions
compile as ever, even in another thread at the same time.

This relies on parts of Numba that may change from one release to the next. Where they have, `plain_address` compiles
entries with Numba's public interface alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from cardrome.engine.objectcode import RUNTIME_SYMBOLS, UNREACHABLE

if TYPE_CHECKING:
    from cardrome.engine.kernel import Entry, Kernel

_TARGET = "cardrome"
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def object_code(entry: Entry) -> bytes:
    """Compile an entry; its only symbol is the entry's."""
    return translated(entry)()


def translated(entry: Entry) -> Callable[[], bytes]:
    """The first half of compiling, Numba's: types, and code for LLVM. The function returned is the other half."""
    from numba.core import types
    from numba.core.compiler_lock import global_compiler_lock

    with global_compiler_lock, _no_garbage_collection():
        dispatcher = _dispatcher_class()
        target = dispatcher(entry.function, targetoptions=_kernel_options(forceinline=True))
        adapter, signature = _adapter(entry, target)
        compiled = dispatcher(adapter, targetoptions=_OPTIONS | {"no_cpython_wrapper": True})
        _thread.compiles_entry = True
        try:
            result = compiled._compiler.compile(signature, types.int64)
        finally:
            _thread.compiles_entry = False
    return functools.partial(result.library.object_code, result.fndesc.llvm_cfunc_wrapper_name, entry.symbol)


_thread = threading.local()


@contextlib.contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Compiling makes millions of small objects and hardly any garbage."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def plain_address(entry: Entry) -> int:
    """Compile an entry with Numba's public interface; returns its address.

    This takes longer, and the result is good for this process only.
    """
    import numba

    adapter, signature = _adapter(entry, numba.njit(**_OPTIONS)(entry.function))
    compiled = numba.cfunc(numba.types.int64(*signature), **_OPTIONS)(adapter)
    _KEPT_ALIVE.append(compiled)
    address: int = compiled.address
    return address


_KEPT_ALIVE: list[Any] = []


def numba_type(kernel: Kernel) -> Any:
    """What Numba's type inference sees where a function that it compiles calls a kernel."""
    if getattr(_thread, "compiles_entry", False):
        return _kernel_type()(_dispatcher(kernel))
    return _plain_dispatcher(kernel)._numba_type_


@functools.cache
def _dispatcher(kernel: Kernel) -> Any:
    return _dispatcher_class()(kernel.function, targetoptions=_kernel_options(kernel.inline))


@functools.cache
def _plain_dispatcher(kernel: Kernel) -> Any:
    """For functions that are not ours, and those that `plain_address` compiles."""
    import numba

    return numba.njit(**_OPTIONS)(kernel.function)


def _kernel_options(forceinline: bool) -> dict[str, Any]:
    wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    # Kernels allocate nothing, so there are no references to count (_nrt).
    return {**_OPTIONS, **wrappers, "no_rewrites": True, "forceinline": forceinline, "_nrt": False}


def _adapter(entry: Entry, target: Any) -> tuple[Callable[..., int], tuple[Any, ...]]:
    """A function from pointers and integers, as C has them, to an entry's arrays; and its signature."""
    import numba
    from numba import types

    arguments, signature, call = [], [], []
    for i, parameter in enumerate(entry.parameters):
        if parameter is int:
            arguments.append(f"x{i}")
            signature.append(types.int64)
            call.append(f"x{i}")
        else:
            arguments += [f"p{i}", f"n{i}"]
            signature += [types.CPointer(numba.from_dtype(parameter)), types.int64]
            call.append(f"carray(p{i}, n{i})")
    source = f"def adapter({', '.join(arguments)}):\n    return int(target({', '.join(call)}))\n"
    scope: dict[str, Any] = {"carray": numba.carray, "target": target}
    exec(source, scope)  # text made two lines above from the positions of parameters
    return scope["adapter"], tuple(signature)


@functools.cache
def _kernel_type() -> Any:
    """The Numba type of a kernel: a compiled function that takes every integer as int64.

    Left alone, Numba compiles a function anew for each width of integer, and for each constant, it is called with.
    """
    from numba.core import types
    from numba.extending import models, register_model

    def widened(argument: Any) -> Any:
        if isinstance(argument, (types.Integer, types.IntegerLiteral)):
            return types.int64
        return types.boolean if isinstance(argument, types.BooleanLiteral) else argument

    class KernelType(types.Dispatcher):  # type: ignore[misc]
        def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
            return super().get_call_type(context, tuple(map(widened, args)), kws)

    register_model(KernelType)(models.OpaqueModel)
    return KernelType


@functools.cache
def _dispatcher_class() -> Any:
    """Make the target for kernels; returns the class that holds a function compiled for it."""
    from numba import _dynfunc
    from numba.core import target_extension
    from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
    from numba.core.cpu import CPUContext
    from numba.core.dispatcher import Dispatcher
    from numba.core.registry import CPUTarget, cpu_target

    # Numba's own target comes first: its runtime does need code in memory, and the order of these two lines is the
    # one in which it finds the implementations of operators fastest.
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()

    class Library(JITCodeLibrary):  # type: ignore[misc]
        """The code of one function. Others that it calls are linked in when the whole entry is there."""

        def _optimize_functions(self, module: Any) -> None:
            builder, module.data_layout = _pass_builder(self._codegen._tm), self._codegen._data_layout
            passes = builder.getFunctionPassManager()
            for function in module.functions:
                if not function.is_declaration:
                    passes.run(function, builder)

        def finalize(self) -> None:
            self._finalized = True

        def object_code(self, name: str, symbol: str) -> bytes:
            module = self._final_module
            # Callers first: what nobody calls yet is not linked in. Numba's runtime, which they all may call, is last.
            waiting, linked, others = [self], {self}, set()
            while waiting:
                for library in waiting.pop()._linking_libraries:
                    if not isinstance(library, Library):
                        others.add(library)
                    elif library not in linked:
                        module.link_in(library._get_module_for_linking(), preserve=True)
                        linked.add(library)
                        waiting.append(library)
            for library in others:
                module.link_in(library._get_module_for_linking(), preserve=True)
            for function in module.functions:
                if function.name == name:
                    function.name = symbol
                elif not function.is_declaration:
                    function.linkage = "internal"
            builder = _pass_builder(self._codegen._tm)
            builder.getModulePassManager().run(module, builder)
            _check_symbols(module)
            code: bytes = self._codegen._tm.emit_object(module)
            return code

    class Codegen(JITCPUCodegen):  # type: ignore[misc]
        _library_class = Library

    class Context(CPUContext):  # type: ignore[misc]
        def init(self) -> None:
            super().init()
            self._internal_codegen = Codegen(_TARGET)

        def load_additional_registries(self) -> None:
            # Called several times for each function; importing all these modules takes longest, and is needed once.
            if self._registries:
                for registry in list(self._registries):
                    self.install_registry(registry)
            else:
                super().load_additional_registries()

        def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
            return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname, "", UNREACHABLE, env, (library,))

    class Descriptor(CPUTarget):  # type: ignore[misc]
        @functools.cached_property
        def _toplevel_target_context(self) -> Any:
            return Context(self.typing_context, self._target_name)

    class KernelTarget(target_extension.CPU):  # type: ignore[misc]
        """What Numba calls the hardware: the CPU, once more."""

    class KernelDispatcher(Dispatcher):  # type: ignore[misc]
        targetdescr = Descriptor(_TARGET)

    def jit(**_options: Any) -> Callable[[Any], Any]:
        """The decorator for what Numba itself implements in Python (`min`, `int`, ...)."""
        wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        return lambda function: KernelDispatcher(function, targetoptions=_OPTIONS | wrappers)

    target_extension.target_registry[_TARGET] = KernelTarget
    target_extension.dispatcher_registry[KernelTarget] = KernelDispatcher
    target_extension.jit_registry[KernelTarget] = jit
    KernelDispatcher.targetdescr.typing_context.refresh()
    return KernelDispatcher


def _pass_builder(machine: Any) -> Any:
    import llvmlite.binding as llvm

    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    options.slp_vectorization = False
    return llvm.create_pass_builder(machine, options)


def _check_symbols(module: Any) -> None:
    """Refuse code that cannot be loaded without Numba: the loader would end the process."""
    called = (function.name for function in module.functions if function.is_declaration)
    for name in called:
        if not (name.startswith("llvm.") or name in RUNTIME_SYMBOLS or hasattr(ctypes.pythonapi, name)):
            raise RuntimeError(f"compiled code calls {name}, which is unknown here")
