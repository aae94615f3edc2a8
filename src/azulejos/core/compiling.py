"""Compiling rules with Numba, with a disk cache that is never stale.

`rule` marks a function of the rules. `bind` makes a copy of a generic function, written against the names of
`kernels.py`, for one game: compiled and cached on disk. `plain` returns the same rules uncompiled, with a listener for
events.
"""

import hashlib
import logging
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

from .arrays import np

try:
    from numba import njit
    from numba.core import config
    from numba.core.caching import FunctionCache
    from numba.core.dispatcher import Dispatcher
except ImportError:  # then rules run uncompiled

    class Dispatcher:  # type: ignore[no-redef]
        """No function is one."""

    class FunctionCache:  # type: ignore[no-redef]
        """No function has one."""

    config = SimpleNamespace(DISABLE_JIT=True, BOUNDSCHECK=None)  # type: ignore[assignment]

    def njit(**_options: Any) -> Any:  # type: ignore[no-redef]
        return lambda function: function


log: logging.Logger = logging.getLogger("azulejos")
_config: Any = config
_compile = njit(nogil=True, error_model="numpy")
_uncounted: Any = {"_nrt": False}
_compile_uncounted = njit(nogil=True, error_model="numpy", **_uncounted)


def rule(function: Callable[..., Any]) -> Any:
    """A rule of a game: compiled into its callers."""
    return _compile(function)


@rule
def tell(event, a, b, c, d):
    """Report an event. Compiled, this does nothing; `plain` puts a listener here."""


def _source(function: Any) -> FunctionType:
    found = getattr(function, "py_func", function)
    assert isinstance(found, FunctionType)
    return found


def remake(template: Callable[..., Any], names: Mapping[str, Any]) -> FunctionType:
    """The same function with other values for some of its globals."""
    source = _source(template)
    remade = FunctionType(source.__code__, {**source.__globals__, **names}, source.__name__, source.__defaults__)
    remade.__module__ = source.__module__
    return remade


def _is_function(value: object) -> bool:
    return isinstance(value, Dispatcher | FunctionType)


def _fingerprint(function: FunctionType) -> str:
    """A hash of a function's code and of everything it reaches: functions, tables, constants."""
    digest, seen = hashlib.sha256(str(_config.BOUNDSCHECK).encode()), set[int]()

    def visit_code(code: CodeType, names: Mapping[str, Any]) -> None:
        digest.update(code.co_code + repr(code.co_names).encode())
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                visit_code(constant, names)
            else:
                digest.update(repr(constant).encode())
        visit_names(code.co_names, names, ())

    def visit_names(used: tuple[str, ...], names: Mapping[str, Any], within: tuple[ModuleType, ...]) -> None:
        for name in used:
            value = names.get(name)
            if isinstance(value, np.ndarray):
                digest.update(value.tobytes() + str(value.dtype).encode())
            elif isinstance(value, int | float | str | bytes | tuple | np.generic):
                digest.update(repr(value).encode())
            elif isinstance(value, Dispatcher):
                visit(_source(value))
            elif isinstance(value, ModuleType) and value not in within:
                visit_names(used, vars(value), (*within, value))  # `tables.PENALTY`: both names stand in the code

    def visit(function: FunctionType) -> None:
        if id(function) not in seen:
            seen.add(id(function))
            visit_code(function.__code__, function.__globals__)

    visit(function)
    return digest.hexdigest()[:16]


def _unique(function: FunctionType, game: str) -> str:
    """A unique name for a function. Numba numbers functions per process, so that cached code of two processes could
    otherwise clash in a third: functions with equal names and types would be taken for the same."""
    return f"{game}-{function.__name__}~{_fingerprint(function)}"


class _Cache(FunctionCache):
    """Numba's disk cache, with one file per version of the sources.

    Numba itself only checks the file of the function, and would miss a change in another file.
    """

    def is_empty(self) -> bool:
        return len(self._cache_file._load_index()) == 0

    def save_overload(self, sig: Any, data: Any) -> None:
        super().save_overload(sig, data)
        mine = self._impl.filename_base
        family, python = mine.split("~")[0], mine.rsplit(".", 1)[1]
        for old in Path(self.cache_path).glob(
            f"{family}~*.{python}.*"
        ):  # code of another Python version is not outdated
            if not old.name.startswith(mine):
                old.unlink(missing_ok=True)


class EntryPoint:
    """A function over `(states, i, …)`, bound to a game, compiled or loaded from disk when it is first called."""

    def __init__(self, template: Callable[..., Any], names: dict[str, Any], game: str, counted: bool = True) -> None:
        """`counted`: as `bind` has it."""
        self._function = remake(template, names)
        self._game = game
        self._compiler = _compile if counted else _compile_uncounted
        self._compiled: Callable[..., Any] | None = None
        self._same: Callable[..., Any] | None = None

    @property
    def compiled(self) -> bool:
        return self._compiled is not None

    @property
    def on_disk(self) -> bool:
        """Is there nothing to compile, because that was done before?"""
        return bool(_config.DISABLE_JIT) or self.compiled or not self._cache().is_empty()

    @property
    def dispatcher(self) -> Any:
        """Numba's, once it has been called; None where it runs uncompiled."""
        return self._compiled if isinstance(self._compiled, Dispatcher) else None

    def _cache(self) -> _Cache:
        self._function.__qualname__ = _unique(self._function, self._game + "-checked" * bool(_config.BOUNDSCHECK))
        return _Cache(self._function)

    def __call__(self, *arguments: Any) -> Any:
        compiled = self._compiled or self._compile(arguments)
        return compiled(*arguments)

    def same(self, *arguments: Any) -> Any:
        """A call whose arguments have the same types as at the first such call, which is not checked."""
        compiled = self._same
        if compiled is None:
            self._same = compiled = self.fixed(*arguments)
        return compiled(*arguments)

    def fixed(self, *arguments: Any) -> Callable[..., Any]:
        """The compiled code for arguments of these types and no others, which it does not check.

        Numba finds out the types of a dozen arrays in two microseconds, at every call.
        """
        compiled: Any = self._compiled or self._compile(arguments)
        if not hasattr(compiled, "overloads"):  # it runs uncompiled
            return self._function
        types = tuple(compiled.typeof_pyval(value) for value in arguments)
        compiled.compile(types)
        found: Callable[..., Any] = compiled.overloads[types].entry_point
        return found

    def _compile(self, arguments: tuple[Any, ...]) -> Any:
        if _config.DISABLE_JIT:
            self._compiled = self._function
            return self._function
        cache = self._cache()
        compiled: Any = self._compiler(self._function)
        compiled._cache = cache
        if cache.is_empty():
            started = time.perf_counter()
            log.warning("Compiling %s for %s (once on this machine)…", self._function.__name__, self._game)
            compiled.compile(tuple(compiled.typeof_pyval(value) for value in arguments))
            log.info("… %.1f s", time.perf_counter() - started)
        self._compiled = compiled
        return compiled


def bind(
    rules: Iterable[Callable[..., Any]],
    entry_points: Iterable[Callable[..., Any]],
    kernels: ModuleType,
    game: str,
    counted: bool = True,
) -> dict[str, Any]:
    """Copy generic functions, with a game's kernels as their globals.

    `rules` work on a record and are compiled into what calls them; `entry_points` work on `(states, i, …)`. Both may
    call functions before them in the list. Passing compiled functions as arguments instead, or closing over them,
    would defeat the cache on disk.

    `counted`: entry points count references to arrays, as Numba does by default, at some nanoseconds a slice. One that
    does not may allocate none.
    """
    names: dict[str, Any] = dict(vars(kernels))
    made: dict[str, Any] = {}
    for template in rules:
        function = remake(template, {**names, **made})
        function.__qualname__ = _unique(function, game)
        made[template.__name__] = rule(function)
    for template in entry_points:
        made[template.__name__] = EntryPoint(template, {**names, **made}, game, counted)
    return made


def adopt(shared: Callable[..., Any], module: str, **names: Any) -> Any:
    """A rule that several games share, as a rule of one game's `module`, with its values for some globals.

    The module must have the same values under the same names.
    """
    function = remake(shared, names)
    function.__module__ = module
    return rule(function)


def plain(kernels: ModuleType, listener: Callable[..., None] = lambda *_: None) -> SimpleNamespace:
    """A game's rules uncompiled, calling `listener(event, a, b, c, d)` wherever the rules `tell`.

    `kernels`: a module, or a package of modules that have no two meanings for one name.
    """
    package = f"{kernels.__name__}."
    modules = [module for name, module in list(sys.modules.items()) if f"{name}.".startswith(package)]
    names: dict[str, Any] = {name: value for module in modules for name, value in vars(module).items()}
    for name, value in list(names.items()):
        if _is_function(value):
            function = _source(value)
            ours = f"{function.__module__}.".startswith(package)
            names[name] = FunctionType(function.__code__, names, name, function.__defaults__) if ours else function
    names["tell"] = listener
    return SimpleNamespace(**names)
