"""Compiled functions called from compiled code by address, so that threads need no lock of Python's between calls.

A `Call` is a compiled entry point over `(first, last, …)` with its other arguments: an address that compiled code can
`call(address, first, last)`. `add` and `swap` change numbers that several threads change.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic

_WORD = ir.IntType(64)
_SIGNATURE = ir.FunctionType(_WORD, [_WORD, _WORD])
_cgutils: Any = cgutils
_names = iter(range(1 << 62))


class Call:
    """A compiled function with all arguments but the first two, which are integers, fixed. What it returns is an
    integer, or nothing, which counts as 0.

    address: of code that is called with the first two arguments.
    """

    def __init__(self, compiled: Any, arguments: tuple[Any, ...]) -> None:
        """`compiled`: Numba's, of a function that does not count references. It is compiled for these arguments."""
        kinds = tuple(compiled.typeof_pyval(value) for value in (0, 0, *arguments))
        found = compiled.overloads[kinds]
        self._kept = found, arguments  # the addresses of both are in what follows
        self._words = np.array([word for argument in arguments for word in _words(argument)], np.int64)
        self._library, self.address = _code(found, kinds, self._words.ctypes.data)


def _words(argument: Any) -> list[int]:
    """An argument as Numba lays it out in memory: an array by owner, parent, size, item size, data, shape, strides."""
    if isinstance(argument, tuple):
        return [word for part in argument for word in _words(part)]
    if isinstance(argument, np.ndarray):
        return [0, 0, argument.size, argument.itemsize, argument.ctypes.data, *argument.shape, *argument.strides]
    return [int(argument)]


def _code(found: Any, kinds: tuple[Any, ...], words: int) -> tuple[Any, int]:
    """Code that loads the arguments from `words` and calls what was found compiled; what keeps it, and its address."""
    context, result = found.target_context, found.fndesc.restype
    callee = found.library.get_pointer_to_function(found.fndesc.llvm_func_name)
    with global_compiler_lock:
        library = context.codegen().create_library(f"call-{next(_names)}")
        module = library.create_ir_module(library.name)
        function = ir.Function(module, _SIGNATURE, f"{library.name}-{callee}")
        builder = ir.IRBuilder(function.append_basic_block())
        values, place = list(function.args), words
        for kind in kinds[2:]:
            layout = context.get_value_type(kind)
            values.append(builder.load(builder.inttoptr(_WORD(place), layout.as_pointer())))
            place += context.get_abi_sizeof(layout)
        pointer = context.call_conv.get_function_type(result, kinds).as_pointer()
        _status, value = context.call_conv.call_function(
            builder, builder.inttoptr(_WORD(callee), pointer), result, kinds, values
        )
        builder.ret(value if result in types.integer_domain else _WORD(0))
        library.add_ir_module(module)
        library.finalize()
        return library, int(library.get_pointer_to_function(function.name))


def _call(typing: Any, address: Any, first: Any, last: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address, first, last = arguments
        return builder.call(builder.inttoptr(address, _SIGNATURE.as_pointer()), [first, last])

    return types.int64(types.int64, types.int64, types.int64), generate


def _atomic(operation: str) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        array = context.make_array(kind)(context, builder, arguments[0])
        place = _cgutils.get_item_pointer(context, builder, kind, array, [arguments[1]])
        return builder.atomic_rmw(operation, place, arguments[2], "seq_cst")

    return lambda typing, cells, k, value: (types.int64(cells, types.int64, types.int64), generate)


# For compiled code. Of the function at the address of a `Call`, what it returns: call(address, first, last).
call: Any = intrinsic(_call)
# cells[k] += value, int64, as one step that no other thread divides; what was there before. And cells[k] = value.
add: Any = intrinsic(_atomic("add"))
swap: Any = intrinsic(_atomic("xchg"))
