"""`azulejos serve`: the port, the data folder, the browser, shutting down."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
import webbrowser
from pathlib import Path
from types import FrameType
from typing import IO

import uvicorn
from starlette.applications import Starlette

from azulejos.core.errors import InUse, OptionError

from ..live.hall import Hall
from ..live.limits import MOST_FRAME
from ..storage import open_store
from . import logs
from .app import make_app
from .settings import Settings
from .wire import Http, Wire

try:
    import fcntl
    import resource
except ImportError:  # not on Windows: two servers there are not detected
    fcntl = resource = None  # type: ignore[assignment]

DEFAULT_PORT = 8731
SWITCH = 0.0005  # seconds for which a thread that draws may hold up the event loop
MOST_FILES = 65_536
UNREAD = 60  # seconds after which the system drops a connection whose other side reads nothing of what was sent


def default_data() -> Path:
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "azulejos"


def make_folder(data: Path) -> None:
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"{data} cannot be the data folder: {error.strerror}") from error


def bound_socket(host: str, port: int) -> socket.socket:
    """A bound socket; on a free port if the default one is taken. `port` 0 is any."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (port, 0) if port == DEFAULT_PORT else (port,):
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # connections inherit it
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * UNREAD)
        try:
            bound.bind((host, wanted))
            return bound
        except OSError as error:
            bound.close()
            reason = error.strerror
    raise OptionError(f"nothing can listen at {host}, port {port}: {reason}")


# --- one server a data folder ---


def take(data: Path, address: str) -> IO[str]:
    """Lock the data folder until the returned file is closed, and write the address into it for other servers."""
    file = os.fdopen(os.open(data / "served", os.O_RDWR | os.O_CREAT, 0o600), "r+", encoding="utf-8")
    if fcntl:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            with file:
                raise InUse(data, file.read().strip()) from None
    file.truncate()
    file.write(address)
    file.flush()
    return file


# --- the server ---


class Server(uvicorn.Server):
    """Prints its address and opens a browser once it answers."""

    def __init__(self, config: uvicorn.Config, address: str, browser: bool, drain: float) -> None:
        super().__init__(config)
        self.address: str = address
        self.browser: bool = browser
        self.drain: float = drain
        self.draining: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.loop: asyncio.AbstractEventLoop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.started:
            print(f"azulejos is at {self.address} (Ctrl-C ends it)", flush=True)
            if self.browser:
                await asyncio.to_thread(webbrowser.open, self.address)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """On the first SIGTERM, drain; on SIGINT or a second SIGTERM, stop now."""
        if sig == signal.SIGTERM and self.started and not self.draining and not self.should_exit:
            self.loop.call_soon_threadsafe(self._drain, sig, frame)
        else:
            super().handle_exit(sig, frame)

    def _drain(self, sig: int, frame: FrameType | None) -> None:
        end = super().handle_exit

        async def drain() -> None:
            await self.hall.drain(self.drain)
            end(sig, frame)

        self.draining = self.loop.create_task(drain())

    @property
    def hall(self) -> Hall:
        app = self.config.app
        assert isinstance(app, Starlette)
        hall: Hall = app.state.hall
        return hall


def serve(host: str, port: int, settings: Settings, browser: bool, log: str = "text") -> int:
    """Serve until interrupted. `log`: "text" or "json"."""
    logs.begin(log)
    sys.setswitchinterval(SWITCH)
    _allow_many_files()
    if settings.database is None:
        make_folder(settings.data)
    asyncio.run(_try_store(settings))
    bound = bound_socket(host, port)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    address = f"http://{shown}:{bound.getsockname()[1]}/"
    with contextlib.ExitStack() as held:
        if settings.database is None:
            try:
                held.enter_context(take(settings.data, address))
            except InUse as other:
                bound.close()
                if not (browser and other.address):
                    raise
                print(f"azulejos is at {other.address} already")
                webbrowser.open(other.address)
                return 0
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # after the server has closed: leave in order
        Server(_config(settings), address, browser, settings.drain).run([bound])
    return 0


def _allow_many_files() -> None:
    """Each connection is a file: allow as many as the system lets this process have."""
    if resource:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


async def _try_store(settings: Settings) -> None:
    """Open and close the store once, so that its errors are raised before anything is served."""
    await (await open_store(settings.data, settings.database)).close()


def _config(settings: Settings) -> uvicorn.Config:
    return uvicorn.Config(
        make_app(settings),
        log_config=None,
        access_log=False,
        http=Http,
        ws=Wire,
        ws_max_size=MOST_FRAME,
        ws_ping_interval=15,
        ws_ping_timeout=15,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
