"""Running the server: a port, a data folder, and a browser that is opened on it."""

import asyncio
import os
import signal
import socket
import sys
import webbrowser
from pathlib import Path

import uvicorn

from azulejos.core.errors import OptionError

from .app import make_app

MOST_FRAME = 8 * 1024  # bytes of one message


def default_data() -> Path:
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "azulejos"


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket at the address; if the usual port is taken, at a free one. `port` 0 is any."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (port, 0) if port == DEFAULT_PORT else (port,):
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, wanted))
            return bound
        except OSError as error:
            bound.close()
            reason = error.strerror
    raise OptionError(f"nothing can listen at {host}, port {port}: {reason}")


DEFAULT_PORT = 8731


class Server(uvicorn.Server):
    """Says where it is, and opens a browser there, as soon as it answers."""

    def __init__(self, config: uvicorn.Config, address: str, browser: bool) -> None:
        super().__init__(config)
        self.address, self.browser = address, browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"azulejos is at {self.address} (Ctrl-C ends it)", flush=True)
            if self.browser:
                await asyncio.to_thread(webbrowser.open, self.address)


def serve(host: str, port: int, data: Path, browser: bool, workers: int | None = None) -> int:
    """Until interrupted."""
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"{data} cannot be the data folder: {error.strerror}") from error
    bound = bound_socket(host, port)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    address = f"http://{shown}:{bound.getsockname()[1]}/"
    config = uvicorn.Config(
        make_app(data, workers),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MOST_FRAME,
        ws_ping_interval=15,
        ws_ping_timeout=15,
        server_header=False,
        timeout_graceful_shutdown=3,
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # after the server has closed: leave in order
    Server(config, address, browser).run([bound])
    return 0
