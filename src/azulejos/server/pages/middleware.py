"""What middlewares of HTTP requests have in common."""

from abc import ABC, abstractmethod

from starlette.types import ASGIApp, Receive, Scope, Send


class ForRequests(ABC):
    """Middleware of HTTP requests. Everything else, such as a WebSocket, passes as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handle = self.handle if scope["type"] == "http" else self.app
        await handle(scope, receive, send)

    @abstractmethod
    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None: ...
