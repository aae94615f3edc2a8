"""Kernels on a GPU: compiled so that they compute what the CPU computes, bit for bit."""

import importlib
import inspect
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from .errors import OptionError

if not hasattr(np, "row_stack"):  # NumPy 2.5 has dropped a name that numba-cuda looks for
    vars(np)["row_stack"] = np.vstack

from numba import config
from numba import cuda as _numba_cuda

_config: Any = config
cuda: Any = _numba_cuda
THREADS = 128  # of a block

# Lines of LLVM's code: from which on a kernel is shortened, and the least that is then not inlined in several places.
MUCH, LONG = 100_000, 9_000
SHORT = 400  # lines of LLVM's code of a function whose loops are unrolled in a narrow kernel


def check_gpu() -> None:
    """OptionError if there is no GPU."""
    if not cuda.is_available():
        raise OptionError("device='cuda' is not possible: no GPU of that kind was found; device='cpu' is")


def simulated() -> bool:
    """Is this CUDA's simulator?"""
    return bool(_config.ENABLE_CUDASIM)


def jit(function: Any, registers: int | None = None) -> Any:
    """A kernel of a function. `registers`: that a thread may use at most; fewer of them let more threads run."""
    if simulated():
        return cuda.jit(function)
    options = {"max_registers": registers}
    if "lto" in inspect.signature(cuda.jit).parameters:  # numba-cuda's: the linker would fuse multiply and add again
        options["lto"] = False
    return cuda.jit(function, **options)


class Kernel:
    """A kernel for n threads, specialized for its arguments at the first call, which saves time at the others."""

    def __init__(self, dispatcher: Any, n: int, threads: int = THREADS, narrow: bool = False) -> None:
        """narrow: as `as_on_the_cpu` has it."""
        self._kernel, self._n, self._threads, self._specialized = dispatcher, n, threads, False
        self._narrow = narrow

    def __call__(self, *arguments: Any) -> None:
        if not self._specialized:
            with as_on_the_cpu(self._narrow):
                self._kernel, self._specialized = self._kernel.specialize(self._n, *arguments), True
        self.launch(self._n, *arguments)

    def launch(self, n: int, *arguments: Any) -> None:
        """Run a kernel that has been called before for another number of threads."""
        self._kernel[-(-n // self._threads), self._threads](n, *arguments)


@contextmanager
def as_on_the_cpu(narrow: bool = False) -> Iterator[None]:
    """Compile without fused multiply-add, which rounds differently, with the rules' tables in global memory, and with
    local arrays that are not set to 0 at first.

    Numba would put tables into constant memory, which holds 64 kB and serves one address at a time. narrow: indices
    have 32 bits and are never negative, which takes fewer instructions, and only loops of short functions are unrolled.
    """
    from numba.cuda.cudadrv import nvvm

    if not hasattr(nvvm, "ADDRSPACE_CONSTANT"):  # the simulator has no such thing
        yield
        return
    module: Any = nvvm
    arrays = _array_code()
    constant, compile_ir, fix_index = module.ADDRSPACE_CONSTANT, module.compile_ir, arrays.fix_integer_index
    if narrow:
        arrays.fix_integer_index = _index_of_32_bits
    module.ADDRSPACE_CONSTANT = module.ADDRSPACE_GLOBAL
    module.compile_ir = lambda llvm_ir, **options: compile_ir(
        shortened([_ZEROS.sub("", module) for module in ([llvm_ir] if isinstance(llvm_ir, str) else llvm_ir)], narrow),
        **{**options, "fma": False},
    )
    try:
        yield
    finally:
        module.ADDRSPACE_CONSTANT, module.compile_ir, arrays.fix_integer_index = constant, compile_ir, fix_index


def _array_code() -> Any:
    """Numba's module that compiles indexing."""
    try:
        return importlib.import_module("numba.cuda.np.arrayobj")
    except ImportError:
        return importlib.import_module("numba.np.arrayobj")


def _index_of_32_bits(context: Any, builder: Any, index_type: Any, index: Any, size: Any) -> Any:
    from llvmlite import ir
    from numba import types

    wide = context.cast(builder, index, index_type, types.intp)
    return builder.zext(builder.trunc(wide, ir.IntType(32)), wide.type)


_ZEROS = re.compile(r'^ *store \S.* zeroinitializer, .*%"?_cudapy_lmem[\w."]*$', re.MULTILINE)
_NAME = re.compile(r'@("[^"]+"|[\w.$]+)\(')
_CALL = re.compile(r'\bcall .*?@("[^"]+"|[\w.$]+)\(')


def shortened(modules: list[str], narrow: bool = False) -> list[str]:
    """LLVM's code. Much of it is marked, so that no loop is unrolled and no long function inlined in several places;
    where it is `narrow`, so that only loops of short functions are unrolled.

    A multiprocessor's cache holds some 128 kB of code, and more than that is fetched again and again: of Duel's rules
    there were 800 kB, and fetching them took nine tenths of the time.
    """
    lengths: dict[str, int] = {}
    calls: dict[str, list[str]] = {}
    for module in modules:
        name = ""
        for line in module.splitlines():
            if line.startswith("define "):
                name = _NAME.findall(line)[0]
                lengths[name], calls[name] = 0, []
            elif name:
                lengths[name] += 1
                calls[name] += _CALL.findall(line)
    places = Counter(callee for callees in calls.values() for callee in callees)

    @cache
    def inlined(name: str) -> int:
        return lengths.get(name, 0) + sum(inlined(callee) for callee in calls.get(name, ()))

    if not narrow and max(map(inlined, lengths)) < MUCH:
        return modules

    @cache
    def apart(name: str) -> bool:
        return places[name] > 1 and left(name) > LONG

    @cache
    def left(name: str) -> int:
        return lengths.get(name, 0) + sum(left(callee) for callee in calls.get(name, ()) if not apart(callee))

    def marked(module: str) -> str:
        lines, marks = [], ['!899999 = !{!"llvm.loop.unroll.disable"}']
        short = False
        for line in module.splitlines():
            mark = ""
            if line.startswith("define "):
                name = _NAME.findall(line)[0]
                short = narrow and lengths[name] <= SHORT
                if apart(name):
                    mark = " noinline"
            elif not short and line.lstrip().startswith("br "):  # the branches that go back are those of loops
                loop = f"!{900000 + len(marks)}"
                marks.append(f"{loop} = distinct !{{{loop}, !899999}}")
                mark = f", !llvm.loop {loop}"
            lines.append(line + mark)
        return "\n".join([*lines, *marks, ""])

    return [marked(module) for module in modules]


def aligned(records: Any) -> Any:
    """A structured type of which it is known that all fields are aligned: a GPU reads others bytewise."""
    return np.dtype((np.record, np.dtype(records.descr, align=True)))
