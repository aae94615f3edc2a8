"""Logging as text or as JSON lines. Cookies, invitations, seeds and table names are never logged."""

import hashlib
import logging
import sys
from typing import Any

import msgspec

# What uvicorn says of clients that send nonsense or go at once, as often as they do.
_NONSENSE = (
    "ASGI callable returned without completing handshake.",
    "Invalid HTTP request received.",
    "Unsupported upgrade request.",
    "Invalid UTF-8 sequence received from client.",
)
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


def short(name: str) -> str:
    """A short hash of a table or visitor for logs, which gives no access."""
    return hashlib.sha256(name.encode()).hexdigest()[:8]


class JsonLines(logging.Formatter):
    """Formats a log record as a line of JSON: time, level, logger, message, and extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in _OWN}
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line, enc_hook=str).decode()


def begin(form: str) -> None:
    """Set up logging to standard error: "text" for problems only, "json" for everything."""
    handler = logging.StreamHandler(sys.stderr)
    if form == "json":
        handler.setFormatter(JsonLines())
    else:
        handler.setFormatter(logging.Formatter("%(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(lambda record: record.msg not in _NONSENSE)
    logging.getLogger("azulejos").setLevel(logging.INFO if form == "json" else logging.WARNING)


def form() -> str:
    """The current log format, for worker processes."""
    is_json = any(isinstance(handler.formatter, JsonLines) for handler in logging.getLogger().handlers)
    return "json" if is_json else "text"
