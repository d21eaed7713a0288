"""How kernels become machine code: the one place that knows Numba.

Left alone, Numba optimises every function by itself and makes machine code of it. Only whole units are wanted here, as
files, so kernels are compiled for a target of their own (`numba.core.target_extension`): their code is collected,
linked, and optimised once, as part of the unit. Shared kernels, units themselves, are called by name. Nothing of Numba
is patched, and a program's own ``@njit`` functions compile as ever, even in another thread at the same time.

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
from types import NoneType
from typing import Any

from cardrome.engine.kernel import Entry, Kernel, SharedKernel, Unit, VectorKernel
from cardrome.engine.objectcode import RUNTIME_SYMBOLS, UNREACHABLE

_TARGET = "cardrome"
_MOST_INLINE = 512
"""Larger records are copied by a call of `memcpy`."""
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def prepare() -> None:
    """Import Numba and what it needs to compile anything, so that processes forked from this one need not."""
    _dispatcher_class().targetdescr.target_context.refresh()


def object_code(unit: Unit) -> bytes:
    """Compile a unit; its only symbol is the unit's."""
    return translated(unit)()


def translated(unit: Unit) -> Callable[[], bytes]:
    """The first half of compiling, Numba's: types, and code for LLVM. The function returned is the other half."""
    from numba.core import types
    from numba.core.compiler_lock import global_compiler_lock

    with global_compiler_lock, _no_garbage_collection():
        if isinstance(unit, Entry):
            target = _dispatcher(unit.function, _kernel_options(forceinline=True))
            adapter, arguments = _adapter(unit, target)
            options = {"no_cpython_wrapper": True, "forceinline": True}
            compiled = _dispatcher_class()(adapter, targetoptions=_OPTIONS | options)
            returned = types.int64
        else:
            compiled = _dispatcher(unit.function, _kernel_options(forceinline=True) | {"no_cfunc_wrapper": False})
            arguments, returned = _signature(unit).args, _signature(unit).return_type
        _thread.compiles_unit = True
        try:
            result = compiled._compiler.compile(arguments, returned)
        finally:
            _thread.compiles_unit = False
    return functools.partial(result.library.object_code, result.fndesc.llvm_cfunc_wrapper_name, unit)


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
    if not getattr(_thread, "compiles_unit", False):
        return _plain_dispatcher(kernel)._numba_type_
    return _external_type(kernel) if isinstance(kernel, SharedKernel) else _kernel_type()(_kernel_dispatcher(kernel))


@functools.cache
def _external_type(kernel: SharedKernel) -> Any:
    """A function of another unit, of which no more is known than its name and what it takes."""
    from numba.core import types

    return types.ExternalFunction(kernel.symbol, _signature(kernel))


@functools.cache
def _kernel_dispatcher(kernel: Kernel) -> Any:
    options = _kernel_options(kernel.inline)
    return _dispatcher(kernel.function, options | {"noalias": isinstance(kernel, VectorKernel)})


def _dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    return _dispatcher_class()(function, targetoptions=options, pipeline_class=_pipeline_class())


def _signature(kernel: Unit) -> Any:
    """What a shared kernel returns and takes: records are pointers."""
    import numba
    from numba import types

    known = {int: types.int64, NoneType: types.none}
    *parameters, returned = (known.get(each) or numba.from_dtype(each) for each in kernel.signature)
    return returned(*parameters)


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
    from llvmlite.ir.instructions import CallInstr
    from numba import _dynfunc
    from numba.core import target_extension, types
    from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
    from numba.core.cpu import CPUContext, CPUTargetOptions
    from numba.core.dispatcher import Dispatcher
    from numba.core.registry import CPUTarget, cpu_target

    # Numba's own target comes first: its runtime does need code in memory, and the order of these two lines is the
    # one in which it finds the implementations of operators fastest.
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()

    class Library(JITCodeLibrary):  # type: ignore[misc]
        """The code of one function. Others that it calls are linked in when the whole unit is there."""

        def _optimize_functions(self, module: Any) -> None:
            builder, module.data_layout = _pass_builder(self._codegen._tm), self._codegen._data_layout
            passes = builder.getFunctionPassManager()
            for function in module.functions:
                if not function.is_declaration:
                    passes.run(function, builder)

        def add_ir_module(self, ir_module: Any) -> None:
            # Numba forbids LLVM to inline a function into the one that C code may call.
            wrappers = [each for each in ir_module.functions if each.name.startswith("cfunc.")]
            for block in (each for wrapper in wrappers for each in wrapper.blocks):
                for instruction in block.instructions:
                    if isinstance(instruction, CallInstr):
                        instruction.attributes.discard("noinline")
            super().add_ir_module(ir_module)

        def finalize(self) -> None:
            self._finalized = True

        def object_code(self, name: str, unit: Unit) -> bytes:
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
                    function.name = unit.symbol
                elif not function.is_declaration:
                    function.linkage = "internal"
            builder = _pass_builder(self._codegen._tm)
            builder.getModulePassManager().run(module, builder)
            _check_symbols(module, unit)
            code: bytes = self._codegen._tm.emit_object(module)
            return code

    class Codegen(JITCPUCodegen):  # type: ignore[misc]
        _library_class = Library

    sizes: dict[Any, int] = {}

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

        def get_abi_sizeof(self, ty: Any) -> Any:
            # Asked for each variable; LLVM needs a while to tell.
            if ty not in sizes:
                sizes[ty] = super().get_abi_sizeof(ty)
            return sizes[ty]

        def pack_value(self, builder: Any, ty: Any, value: Any, ptr: Any, align: Any = None) -> None:
            if isinstance(ty, types.Record):
                _copy_record(builder, value, ptr, ty.size)
            else:
                super().pack_value(builder, ty, value, ptr, align)

        def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
            return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname, "", UNREACHABLE, env, (library,))

    class Options(CPUTargetOptions):  # type: ignore[misc]
        noalias = CPUTargetOptions.Mapping("noalias")

    class Descriptor(CPUTarget):  # type: ignore[misc]
        options = Options

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


@functools.cache
def _pipeline_class() -> Any:
    """What Numba does with a kernel, without its steps for what kernels do not contain: closures, ``with`` blocks,
    exceptions, functions that are inlined before their types are known."""
    from numba.core import typed_passes, untyped_passes
    from numba.core.compiler import CompilerBase
    from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass

    steps = [
        untyped_passes.TranslateByteCode(),
        untyped_passes.FixupArgs(),
        untyped_passes.ReconstructSSA(),
        typed_passes.NopythonTypeInference(),
        typed_passes.PreLowerStripPhis(),
        typed_passes.IRLegalization(),
        typed_passes.AnnotateTypes(),
        typed_passes.NativeLowering(),
        typed_passes.NoPythonBackend(),
    ]

    @register_pass(mutates_CFG=True, analysis_only=False)
    class Steps(LoweringPass):  # type: ignore[misc]
        """All of them as one, since Numba describes functions at length for whoever listens to each."""

        _name = "cardrome_kernel"

        def __init__(self) -> None:
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            for step in steps:
                step.run_pass(state)
            return True

    manager = PassManager(_TARGET)
    manager.add_pass(Steps, "compiling a kernel")
    manager.finalize()

    class Pipeline(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            return [manager]

    return Pipeline


def _copy_record(builder: Any, source: Any, target: Any, size: int) -> None:
    """Copy the bytes of a record.

    Numba loads it as one value of so many bytes, which LLVM takes apart: a state of 352 bytes would be 352 loads and
    stores, for each step of the optimizer to compare with all others.
    """
    from llvmlite import ir
    from numba.core import cgutils

    byte = ir.IntType(8)
    source, target = (builder.bitcast(each, byte.as_pointer()) for each in (source, target))
    if size > _MOST_INLINE:
        cgutils.raw_memcpy(builder, target, source, ir.Constant(ir.IntType(64), size), 1)
        return
    at = 0
    for width in (32, 16, 8, 4, 2, 1):
        kind = ir.VectorType(byte, width) if width > 8 else ir.IntType(8 * width)
        while at + width <= size:
            offset = [ir.Constant(ir.IntType(64), at)]
            old, new = (builder.bitcast(builder.gep(each, offset), kind.as_pointer()) for each in (source, target))
            builder.store(builder.load(old, align=1), new, align=1)
            at += width


def _pass_builder(machine: Any) -> Any:
    import llvmlite.binding as llvm

    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    options.slp_vectorization = False
    return llvm.create_pass_builder(machine, options)


def _check_symbols(module: Any, unit: Unit) -> None:
    """Refuse code that cannot be loaded without Numba: the loader would end the process."""
    known = {*RUNTIME_SYMBOLS, *(each.symbol for each in unit.callees)}
    called = (function.name for function in module.functions if function.is_declaration)
    for name in called:
        if not (name.startswith("llvm.") or name in known or hasattr(ctypes.pythonapi, name)):
            raise RuntimeError(f"compiled code calls {name}, which is unknown here")
