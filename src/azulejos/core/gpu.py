"""Kernels on a GPU: compiled so that they compute what the CPU computes, bit for bit."""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
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


def check_gpu() -> None:
    """OptionError if there is no GPU."""
    if not cuda.is_available():
        raise OptionError("device='cuda' is not possible: no GPU of that kind was found; device='cpu' is")


def jit(function: Any, registers: int | None = None) -> Any:
    """A kernel of a function. `registers`: that a thread may use at most; fewer of them let more threads run."""
    if _config.ENABLE_CUDASIM:
        return cuda.jit(function)
    options = {"max_registers": registers}
    if "lto" in inspect.signature(cuda.jit).parameters:  # numba-cuda's: the linker would fuse multiply and add again
        options["lto"] = False
    return cuda.jit(function, **options)


class Kernel:
    """A kernel for n threads, specialized for its arguments at the first call, which saves time at the others."""

    def __init__(self, dispatcher: Any, n: int, threads: int = THREADS) -> None:
        self._kernel, self._n, self._threads, self._specialized = dispatcher, n, threads, False

    def __call__(self, *arguments: Any) -> None:
        if not self._specialized:
            with as_on_the_cpu():
                self._kernel, self._specialized = self._kernel.specialize(self._n, *arguments), True
        self.launch(self._n, *arguments)

    def launch(self, n: int, *arguments: Any) -> None:
        """Run a kernel that has been called before for another number of threads."""
        self._kernel[-(-n // self._threads), self._threads](n, *arguments)


@contextmanager
def as_on_the_cpu() -> Iterator[None]:
    """Compile without fused multiply-add, which rounds differently, and with the rules' tables in global memory.

    Numba would put tables into constant memory, which holds 64 kB and serves one address at a time.
    """
    from numba.cuda.cudadrv import nvvm

    if not hasattr(nvvm, "ADDRSPACE_CONSTANT"):  # the simulator has no such thing
        yield
        return
    module: Any = nvvm
    constant, compile_ir = module.ADDRSPACE_CONSTANT, module.compile_ir
    module.ADDRSPACE_CONSTANT = module.ADDRSPACE_GLOBAL
    module.compile_ir = lambda llvm_ir, **options: compile_ir(llvm_ir, **{**options, "fma": False})
    try:
        yield
    finally:
        module.ADDRSPACE_CONSTANT, module.compile_ir = constant, compile_ir
