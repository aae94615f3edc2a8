"""Logs: one line a thing, as text or as JSON. No cookie, invitation, seed or name of a table is ever in one."""

import hashlib
import logging
import sys
from typing import Any

import msgspec

_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


def short(name: str) -> str:
    """A table or a visitor as logs have them: whoever reads a log cannot go there."""
    return hashlib.sha256(name.encode()).hexdigest()[:8]


class JsonLines(logging.Formatter):
    """A line of JSON: when, how bad, where, what, and whatever else was given."""

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
    """Write to the standard error: "text" what is wrong only, "json" everything."""
    handler = logging.StreamHandler(sys.stderr)
    if form == "json":
        handler.setFormatter(JsonLines())
    else:
        handler.setFormatter(logging.Formatter("%(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("azulejos").setLevel(logging.INFO if form == "json" else logging.WARNING)


def form() -> str:
    """The form that logs have now, for the processes that a server starts."""
    is_json = any(isinstance(handler.formatter, JsonLines) for handler in logging.getLogger().handlers)
    return "json" if is_json else "text"
