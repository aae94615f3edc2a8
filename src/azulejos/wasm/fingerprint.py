"""A hash of the source that compiled functions are made from: of every function and table that they reach.

Unlike the one that names compiled code on disk, it is the same under every version of Python and NumPy, and comments,
docstrings and annotations do not count.
"""

import ast
import hashlib
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np


def fingerprint(functions: Iterable[Any]) -> str:
    """A hash of these functions and of everything that they reach."""
    found: set[str] = set()
    seen: set[int] = set()
    waiting = list(functions)
    while waiting:
        function: FunctionType = getattr(waiting[-1], "py_func", waiting[-1])
        waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        found.add(f"{function.__module__} {_source(function)}")
        for name in _names(function.__code__):
            value = function.__globals__.get(name)
            if hasattr(value, "py_func"):
                waiting.append(value)
            elif isinstance(value, np.ndarray):
                found.add(f"{name} {value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}")
            elif isinstance(value, int | float | tuple | np.generic):
                found.add(f"{name} {value!s}")
    return hashlib.sha256("\n".join(sorted(found)).encode()).hexdigest()[:16]


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _source(function: FunctionType) -> str:
    """A function's code in one form, whatever its comments, docstring and annotations."""
    definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list, definition.returns = [], None
    for argument in definition.args.args:
        argument.annotation = None
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:] or [ast.Pass()]
    return ast.unparse(definition)
