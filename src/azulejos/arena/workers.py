"""Executors that play games: processes on this machine, or a Dask cluster."""

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from azulejos.core.errors import OptionError
from azulejos.core.machine import usable_cores

MOST_PROCESSES = 1024


class Workers:
    """An executor that can be replaced when it breaks. `at_once`: how many games to submit at a time."""

    def __init__(self, make: Callable[[], Executor], at_once: int) -> None:
        self._make = make
        self._executor = make()
        self.at_once = at_once

    def submit(self, function: Callable[..., Any], *arguments: Any) -> "Future[Any]":
        try:
            return self._executor.submit(function, *arguments)
        except BrokenProcessPool:
            self.replace()
            return self._executor.submit(function, *arguments)

    def replace(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._make()

    def close(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def processes(count: int | None = None) -> Iterator[Workers]:
    """`count` processes on this machine; by default one per core."""
    count = count or usable_cores()
    if not 1 <= count <= MOST_PROCESSES:
        raise OptionError(f"{count} processes are not possible: 1 to {MOST_PROCESSES} are")
    context = multiprocessing.get_context("spawn")
    workers = Workers(lambda: ProcessPoolExecutor(count, context), 2 * count)
    try:
        yield workers
    finally:
        workers.close()


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """The workers of a Dask cluster whose scheduler listens at an address such as tcp://10.0.0.5:8786.

    If a worker dies, the scheduler gives its games to the others.
    """
    try:
        import distributed
    except ImportError:
        raise OptionError("a cluster needs Dask: install azulejos[cluster]") from None
    dask: Any = distributed  # it has types for some of its functions only
    try:
        client: Any = dask.Client(address, timeout=20)
    except (OSError, ValueError) as error:
        raise OptionError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        cores = sum(worker["nthreads"] for worker in client.scheduler_info(n_workers=-1)["workers"].values())
        yield Workers(lambda: client.get_executor(pure=False, retries=3), max(4, 2 * cores))
    finally:
        client.close()
